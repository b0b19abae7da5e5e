"""How a student counts what is past and unmarked."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

GRACE_HOURS_MAX = 336
"""Two weeks."""


class ProgressRule(models.Model):
    """Holds one row per student who chose; the others assume that the past is done."""

    class Mode(models.TextChoices):
        ASSUME_DONE = "assume_done", _("默认已完成")
        TICK = "tick", _("由我勾选")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="progress_rule", verbose_name=_("用户")
    )
    mode = models.CharField(_("过去的任务"), max_length=12, choices=Mode.choices, default=Mode.ASSUME_DONE)
    # With ticks: so long after its end an unmarked item is still open.
    grace_hours = models.PositiveSmallIntegerField(
        _("宽限小时"), default=24, validators=[MaxValueValidator(GRACE_HOURS_MAX)]
    )

    class Meta:
        verbose_name = _("进度规则")
        verbose_name_plural = _("进度规则")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.mode}"

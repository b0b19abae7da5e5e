"""What a student would like of every plan: one row for each wish."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from schedules.planner.soft_limits import SoftLimit
from taskclasses.models import TaskClass


class Preference(models.Model):
    """Holds a soft limit, of one class or, without one, of the whole plan; it goes with its class."""

    class Kind(models.TextChoices):
        EARLIEST_SECTION = "earliest_section", _("不早于第几节")
        LATEST_SECTION = "latest_section", _("不晚于第几节")
        DAY_PART = "day_part", _("放在一天的哪一段")
        LIGHT_WEEKDAY = "light_weekday", _("星期几少排")
        BLOCKS_A_DAY = "blocks_a_day", _("每天最多几段")
        FINISH_EARLY = "finish_early", _("提前几天完成")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="preferences", verbose_name=_("用户")
    )
    task_class = models.ForeignKey(
        TaskClass, models.CASCADE, related_name="preferences", verbose_name=_("任务类"), null=True, blank=True
    )
    kind = models.CharField(_("愿望"), max_length=16, choices=Kind.choices)
    value = models.PositiveSmallIntegerField(_("数值"))
    hard_only = models.BooleanField(_("只管高强度"), default=False)

    class Meta:
        verbose_name = _("偏好")
        verbose_name_plural = _("偏好")
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.kind} {self.value}"

    @property
    def limit(self) -> SoftLimit:
        return SoftLimit(self.kind, self.value, self.task_class_id, self.hard_only)  # type: ignore[arg-type]

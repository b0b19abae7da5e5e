"""Calendar feeds: a secret address per student, and what was published under it."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

REMINDER_MAX = 10_080
"""Minutes; one week."""


ENTRY_KINDS = ("course", "task", "exam")
"""What a feed and a file of the timetable may hold."""


def everything() -> list[str]:
    return [*ENTRY_KINDS]


class CalendarFeed(models.Model):
    """Holds the feed of a student. Of its secret only the SHA-256 is kept."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="calendar_feed", verbose_name=_("用户")
    )
    digest = models.CharField(_("摘要"), max_length=64, unique=True)
    include = models.JSONField(_("包含"), default=everything)
    # Null: no reminders.
    reminder_minutes = models.PositiveIntegerField(
        _("提前提醒（分钟）"), null=True, blank=True, validators=[MaxValueValidator(REMINDER_MAX)]
    )
    # That of the page on which the address was made, for readers that name none.
    language = models.CharField(_("语言"), max_length=10, choices=settings.LANGUAGES, default="", blank=True)
    created_at = models.DateTimeField(_("创建时间"))
    # When what a reader gets changed last: an entry, or one of the choices above.
    changed_at = models.DateTimeField(_("更新时间"))
    last_read_at = models.DateTimeField(_("最近读取"), null=True, blank=True)

    class Meta:
        verbose_name = _("日历订阅")
        verbose_name_plural = _("日历订阅")

    def __str__(self) -> str:
        return f"{self.user_id}: {', '.join(self.include)}"


class FeedEntry(models.Model):
    """Tells what readers were told last of one thing in a feed: a later change raises its sequence, a loss cancels
    it."""

    feed = models.ForeignKey(CalendarFeed, models.CASCADE, related_name="entries", verbose_name=_("日历订阅"))
    uid = models.CharField(_("标识"), max_length=80)
    sequence = models.PositiveIntegerField(_("序号"), default=0)
    content = models.JSONField(_("内容"))
    cancelled = models.BooleanField(_("已取消"), default=False)
    changed_at = models.DateTimeField(_("更新时间"))

    class Meta:
        verbose_name = _("订阅条目")
        verbose_name_plural = _("订阅条目")
        ordering = ("feed", "uid")
        constraints = (models.UniqueConstraint(fields=("feed", "uid"), name="feed_entry_once"),)

    def __str__(self) -> str:
        return f"{self.uid} #{self.sequence}"

"""The student's calendar of exceptions: holidays, make-up days, exam weeks of a semester."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from schedules.models.semesters import Semester
from schedules.terms.exceptions import NAME_MAX, NOTE_MAX


class CalendarException(models.Model):
    """Holds a run of dates that differ from the weekly pattern or stay free of study, of a student and a semester."""

    class Kind(models.TextChoices):
        HOLIDAY = "holiday", _("放假")
        MAKEUP = "makeup", _("调休补课")
        EXAM_WEEK = "exam_week", _("考试周")
        KEPT_FREE = "kept_free", _("留空")

    class Parity(models.TextChoices):
        REPLACED = "replaced", _("按被替换那天的单双周")
        OWN = "own", _("按补课那周的单双周")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="calendar_exceptions", verbose_name=_("用户")
    )
    semester = models.ForeignKey(Semester, models.CASCADE, verbose_name=_("学期"))
    kind = models.CharField(_("类型"), max_length=12, choices=Kind.choices)
    name = models.CharField(_("名称"), max_length=NAME_MAX)
    first_date = models.DateField(_("开始日期"))
    last_date = models.DateField(_("结束日期"))
    # Of a holiday: whether study may be put there. Of an exam week: whether lessons are held.
    study_allowed = models.BooleanField(_("可以安排学习"), default=False)
    lessons_held = models.BooleanField(_("照常上课"), default=False)
    # Of a make-up day: the date whose lessons it takes, and by which week's parity.
    follows_date = models.DateField(_("补哪一天的课"), null=True, blank=True)
    parity = models.CharField(_("单双周"), max_length=8, choices=Parity.choices, default=Parity.REPLACED)
    # Of time that is kept free: the sections of each day, none for the whole day.
    section_from = models.PositiveSmallIntegerField(_("开始节"), null=True, blank=True)
    section_to = models.PositiveSmallIntegerField(_("结束节"), null=True, blank=True)
    note = models.CharField(_("备注"), max_length=NOTE_MAX, default="", blank=True)

    class Meta:
        verbose_name = _("校历例外")
        verbose_name_plural = _("校历例外")
        ordering = ("first_date", "id")
        indexes = (models.Index(fields=("user", "semester", "first_date"), name="exception_user_semester"),)
        constraints = (
            models.CheckConstraint(name="exception_dates", condition=Q(first_date__lte=F("last_date"))),
            models.CheckConstraint(
                name="exception_makeup_follows",
                condition=Q(kind="makeup", follows_date__isnull=False, first_date=F("last_date"))
                | (~Q(kind="makeup") & Q(follows_date__isnull=True)),
            ),
        )

    def __str__(self) -> str:
        return self.name

"""Exams: a date with clock times or sections, which may lie outside the sections and over lessons."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from schedules.models.semesters import Semester


class Exam(models.Model):
    """Holds an exam: it takes every section that it overlaps; lessons in them are not held against it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="exams", verbose_name=_("用户"))
    semester = models.ForeignKey(Semester, models.CASCADE, related_name="exams", verbose_name=_("学期"))
    name = models.CharField(_("名称"), max_length=255)
    location = models.CharField(_("地点"), max_length=255, default="", blank=True)
    # An id without a foreign key: the link is there again when a deleted course comes back.
    course_id = models.PositiveBigIntegerField(_("关联课程"), null=True, blank=True)
    date = models.DateField(_("日期"))
    # Clock times, or sections whose times are those of the semester; never both.
    start_time = models.TimeField(_("开始时间"), null=True, blank=True)
    end_time = models.TimeField(_("结束时间"), null=True, blank=True)
    section_from = models.PositiveSmallIntegerField(_("开始节"), null=True, blank=True)
    section_to = models.PositiveSmallIntegerField(_("结束节"), null=True, blank=True)
    note = models.CharField(_("备注"), max_length=1000, default="", blank=True)
    revision = models.PositiveIntegerField(_("修订"), default=1)
    created_at = models.DateTimeField(_("创建时间"), auto_now_add=True)
    updated_at = models.DateTimeField(_("更新时间"), auto_now=True)

    class Meta:
        verbose_name = _("考试")
        verbose_name_plural = _("考试")
        ordering = ("date", "id")
        indexes = (models.Index(fields=("user", "semester", "date"), name="exam_user_date"),)
        constraints = (
            models.CheckConstraint(
                name="exam_times",
                condition=Q(
                    start_time__isnull=False,
                    end_time__gt=F("start_time"),
                    section_from__isnull=True,
                    section_to__isnull=True,
                )
                | Q(
                    start_time__isnull=True,
                    end_time__isnull=True,
                    section_from__gte=1,
                    section_to__gte=F("section_from"),
                ),
            ),
        )

    def __str__(self) -> str:
        return self.name

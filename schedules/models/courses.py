"""Courses: what is taught; their lessons are events."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from schedules.models.semesters import Semester

COURSE_COLORS = 12


class Course(models.Model):
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="courses", verbose_name=_("用户"))
    semester = models.ForeignKey(Semester, models.CASCADE, related_name="courses", verbose_name=_("学期"))
    name = models.CharField(_("名称"), max_length=255)
    teacher = models.CharField(_("教师"), max_length=255, default="", blank=True)
    # Where its lessons are that name no place of their own.
    location = models.CharField(_("地点"), max_length=255, default="", blank=True)
    # A place in the page's row of colours.
    color_index = models.PositiveSmallIntegerField(
        _("颜色"), default=0, validators=[MaxValueValidator(COURSE_COLORS - 1)]
    )
    can_be_embedded = models.BooleanField(_("可嵌入"), default=False)
    note = models.CharField(_("备注"), max_length=1000, default="", blank=True)
    created_at = models.DateTimeField(_("创建时间"), auto_now_add=True)
    updated_at = models.DateTimeField(_("更新时间"), auto_now=True)

    class Meta:
        verbose_name = _("课程")
        verbose_name_plural = _("课程")
        ordering = ("name", "id")
        indexes = (models.Index(fields=("user", "semester", "name"), name="course_user_semester"),)
        constraints = (models.CheckConstraint(name="course_color", condition=Q(color_index__lt=COURSE_COLORS)),)

    def __str__(self) -> str:
        return self.name

"""What stands in a term: events, and one row per section of each.

One event lies on one day of one week and covers consecutive sections; a course that meets in 16 weeks is 16 events.
"""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from schedules.models.batches import AppliedBatch
from schedules.models.courses import Course
from schedules.models.semesters import Semester
from schedules.planner.grid import Place, day_number
from taskclasses.kernel.database.json_field import OftenEmptyJSONField
from taskclasses.models import TaskItem

WEEKDAY = (MinValueValidator(1), MaxValueValidator(7))


class TimetableVersion(models.Model):
    """Holds one row per student and semester, raised by one in every transaction that changes that timetable.

    Such a transaction first locks all rows of its student: a class may have items in several semesters.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, verbose_name=_("用户"))
    semester = models.ForeignKey(Semester, models.CASCADE, verbose_name=_("学期"))
    version = models.PositiveBigIntegerField(_("版本"), default=0)
    # Chosen anew by whatever locks the student's timetables, so by every write of what they show: reads are kept under
    # it. No counter, for a restored backup counts again through numbers that were given away before.
    stamp = models.PositiveBigIntegerField(_("标记"), default=0)

    class Meta:
        verbose_name = _("课表版本")
        verbose_name_plural = _("课表版本")
        constraints = (models.UniqueConstraint(fields=("user", "semester"), name="timetable_version_once"),)

    def __str__(self) -> str:
        return f"{self.user_id}/{self.semester_id}: {self.version}"


class ScheduleEvent(models.Model):
    class Type(models.TextChoices):
        COURSE = "course", _("课程")
        TASK = "task", _("任务")

    class Source(models.TextChoices):
        MANUAL = "manual", _("手动")
        IMPORT = "import", _("导入")
        APPLY = "apply", _("写库")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="schedule_events", verbose_name=_("用户")
    )
    semester = models.ForeignKey(Semester, models.CASCADE, verbose_name=_("学期"))
    name = models.CharField(_("名称"), max_length=255)
    location = models.CharField(_("地点"), max_length=255, default="", blank=True)
    type = models.CharField(_("类型"), max_length=8, choices=Type.choices)
    # Null for courses; one-to-one is the unique index on non-null items. Deleting an item takes its event along.
    task_item = models.OneToOneField(
        TaskItem, models.CASCADE, null=True, blank=True, related_name="event", verbose_name=_("任务项")
    )
    # The course that a lesson belongs to, and the weeks of its weekly meeting in words.
    course = models.ForeignKey(
        Course, models.SET_NULL, null=True, blank=True, related_name="lessons", verbose_name=_("所属课程")
    )
    pattern = models.CharField(_("上课周次"), max_length=200, default="", blank=True)
    import_batch = models.ForeignKey(
        AppliedBatch, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("导入批次")
    )
    can_be_embedded = models.BooleanField(_("可嵌入"), default=False)
    week = models.PositiveSmallIntegerField(_("周"))
    day_of_week = models.PositiveSmallIntegerField(_("星期"), validators=WEEKDAY)
    section_from = models.PositiveSmallIntegerField(_("开始节"))
    section_to = models.PositiveSmallIntegerField(_("结束节"))
    # A lesson that falls out is not held: it keeps its row and gives its sections free.
    held = models.BooleanField(_("照常进行"), default=True)
    # Where the weekly pattern has a lesson that stands elsewhere or falls out; what the student changed about it; what
    # the calendar of exceptions does to it. Empty for a lesson as it was planned (schedules/terms/lessons.py).
    pattern_place = OftenEmptyJSONField(_("原定时间"), default=dict, blank=True)
    change = OftenEmptyJSONField(_("调课"), default=dict, blank=True)
    effect = OftenEmptyJSONField(_("校历影响"), default=dict, blank=True)
    start_at = models.DateTimeField(_("开始时间"))
    end_at = models.DateTimeField(_("结束时间"))
    source = models.CharField(_("来源"), max_length=8, choices=Source.choices, default=Source.MANUAL)
    revision = models.PositiveIntegerField(_("修订"), default=1)
    created_at = models.DateTimeField(_("创建时间"), auto_now_add=True)
    updated_at = models.DateTimeField(_("更新时间"), auto_now=True)

    class Meta:
        verbose_name = _("日程")
        verbose_name_plural = _("日程")
        ordering = ("week", "day_of_week", "section_from", "id")
        indexes = (
            models.Index(fields=("user", "semester", "week"), name="event_user_week"),
            models.Index(fields=("user", "start_at"), name="event_user_start"),
        )
        constraints = (
            models.CheckConstraint(
                name="event_sections", condition=Q(section_from__gte=1, section_from__lte=F("section_to"))
            ),
            models.CheckConstraint(
                name="event_weekday", condition=Q(day_of_week__gte=1, day_of_week__lte=7, week__gte=1)
            ),
            models.CheckConstraint(
                name="event_item_is_task", condition=Q(task_item__isnull=True) | Q(type="task", can_be_embedded=False)
            ),
            models.CheckConstraint(
                name="event_lesson_is_course",
                condition=Q(course__isnull=True, import_batch__isnull=True) | Q(type="course"),
            ),
            models.CheckConstraint(name="event_not_held_is_course", condition=Q(held=True) | Q(type="course")),
            models.CheckConstraint(name="event_host_is_course", condition=Q(can_be_embedded=False) | Q(type="course")),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def place(self) -> Place:
        length = self.section_to - self.section_from + 1
        return Place(day_number(self.week, self.day_of_week), self.section_from, length)


class Schedule(models.Model):
    """Holds one section of one event; a guest is the item that a host course's rows carry."""

    class Status(models.TextChoices):
        NORMAL = "normal", _("正常")
        INTERRUPTED = "interrupted", _("停课")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, verbose_name=_("用户"))
    semester = models.ForeignKey(Semester, models.CASCADE, verbose_name=_("学期"))
    event = models.ForeignKey(ScheduleEvent, models.CASCADE, related_name="rows", verbose_name=_("日程"))
    week = models.PositiveSmallIntegerField(_("周"))
    day_of_week = models.PositiveSmallIntegerField(_("星期"), validators=WEEKDAY)
    section = models.PositiveSmallIntegerField(_("节"))
    embedded_task_item = models.ForeignKey(
        TaskItem, models.SET_NULL, null=True, blank=True, related_name="host_rows", verbose_name=_("嵌入的任务项")
    )
    status = models.CharField(_("状态"), max_length=12, choices=Status.choices, default=Status.NORMAL)

    class Meta:
        verbose_name = _("节次")
        verbose_name_plural = _("节次")
        ordering = ("week", "day_of_week", "section")
        constraints = (
            models.UniqueConstraint(
                fields=("user", "semester", "week", "day_of_week", "section"), name="schedule_one_owner_per_cell"
            ),
            models.CheckConstraint(
                name="schedule_cell", condition=Q(day_of_week__gte=1, day_of_week__lte=7, week__gte=1, section__gte=1)
            ),
        )

    def __str__(self) -> str:
        return f"{self.week}/{self.day_of_week}/{self.section}"

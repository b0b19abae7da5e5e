"""The term and its record: semesters, events, one row per section, and the batches that can be undone.

One event lies on one day of one week and covers consecutive sections; a course that meets in 16 weeks is 16 events.
"""

from __future__ import annotations

from datetime import time

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Case, F, Max, Q, Value, When
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from schedules.planner.grid import Calendar, Place, day_number
from schedules.semester_values import WEEKS_MAX, SemesterValues, find_faults
from taskclasses.models import TaskItem

DEFAULT_SECTION_TIMES = (
    ("08:00", "08:45"),
    ("08:55", "09:40"),
    ("10:15", "11:00"),
    ("11:10", "11:55"),
    ("14:00", "14:45"),
    ("14:55", "15:40"),
    ("16:15", "17:00"),
    ("17:10", "17:55"),
    ("19:00", "19:45"),
    ("19:55", "20:40"),
    ("20:50", "21:35"),
    ("21:45", "22:30"),
)
WEEKDAY = (MinValueValidator(1), MaxValueValidator(7))


def default_section_times() -> list[list[str]]:
    return [list(pair) for pair in DEFAULT_SECTION_TIMES]


class Semester(models.Model):
    """Shared (published by staff: no owner) or a student's own."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="semesters",
        verbose_name=_("所属学生"),
    )
    name = models.CharField(_("名称"), max_length=60)
    first_monday = models.DateField(_("第一个周一"))
    weeks = models.PositiveSmallIntegerField(_("周数"), validators=[MinValueValidator(1), MaxValueValidator(WEEKS_MAX)])
    section_times = models.JSONField(_("节次时间"), default=default_section_times)
    time_zone = models.CharField(_("时区"), max_length=64, default="Asia/Shanghai")
    # The shared one for all who chose none.
    is_current = models.BooleanField(_("当前学期"), default=False)
    # 1 or null: a unique index over it lets one row at most be current, on databases without partial indexes too.
    current_mark = models.GeneratedField(
        expression=Case(When(is_current=True, then=Value(1)), default=None),
        output_field=models.PositiveSmallIntegerField(null=True),
        db_persist=True,
        unique=True,
        editable=False,
    )

    class Meta:
        verbose_name = _("学期")
        verbose_name_plural = _("学期")
        ordering = ("-first_monday",)
        constraints = (
            models.CheckConstraint(name="semester_weeks", condition=Q(weeks__gte=1, weeks__lte=30)),
            models.CheckConstraint(
                name="semester_current_is_shared", condition=Q(is_current=False) | Q(owner__isnull=True)
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def calendar(self) -> Calendar:
        """The semester as a pure value: grid, dates, clock times."""
        times = tuple((time.fromisoformat(begin), time.fromisoformat(end)) for begin, end in self.section_times)
        return Calendar(self.first_monday, self.weeks, times, self.time_zone)

    def clean(self) -> None:
        self.clean_values()
        self._refuse_less_than_its_events()

    def clean_values(self) -> None:
        """Refuses what no semester may be, whatever stands in it."""
        columns = ("name", "first_monday", "weeks", "section_times", "time_zone")
        values = {name: getattr(self, name) for name in columns}
        # A field that its own check refused is None here.
        if all(value is not None for value in values.values()):
            faults = find_faults(SemesterValues(**values))
            if faults:
                raise ValidationError({field: gettext(message) for field, message in faults})
        if self.is_current and self.owner_id is not None:
            raise ValidationError({"is_current": _("只有公共学期可以设为当前学期")})

    def used(self) -> dict[str, int | None]:
        """The latest week and the latest section that an event has."""
        return self.scheduleevent_set.aggregate(weeks=Max("week"), sections=Max("section_to"))

    def _refuse_less_than_its_events(self) -> None:
        if self.pk is None:
            return
        used = self.used()
        if self.weeks and (used["weeks"] or 0) > self.weeks:
            raise ValidationError({"weeks": _("已有日程在更晚的周次")})
        if (used["sections"] or 0) > len(self.section_times):
            raise ValidationError({"section_times": _("已有日程在更晚的节次")})


class CurrentSemester(models.Model):
    """The semester that a student chose; who chose none follows the shared current one."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="current_semester", verbose_name=_("用户")
    )
    semester = models.ForeignKey(Semester, models.CASCADE, verbose_name=_("学期"))

    class Meta:
        verbose_name = _("学生的当前学期")
        verbose_name_plural = _("学生的当前学期")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.semester_id}"


class TimetableVersion(models.Model):
    """One row per student and semester, raised by one in every transaction that changes that timetable.

    Such a transaction first locks all rows of its student: a class may have items in several semesters.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, verbose_name=_("用户"))
    semester = models.ForeignKey(Semester, models.CASCADE, verbose_name=_("学期"))
    version = models.PositiveBigIntegerField(_("版本"), default=0)

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
    can_be_embedded = models.BooleanField(_("可嵌入"), default=False)
    week = models.PositiveSmallIntegerField(_("周"))
    day_of_week = models.PositiveSmallIntegerField(_("星期"), validators=WEEKDAY)
    section_from = models.PositiveSmallIntegerField(_("开始节"))
    section_to = models.PositiveSmallIntegerField(_("结束节"))
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
            models.CheckConstraint(name="event_host_is_course", condition=Q(can_be_embedded=False) | Q(type="course")),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def place(self) -> Place:
        length = self.section_to - self.section_from + 1
        return Place(day_number(self.week, self.day_of_week), self.section_from, length)


class Schedule(models.Model):
    """One section of one event; a guest is the item that a host course's rows carry."""

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


class AppliedBatch(models.Model):
    """One change of the timetable with full images from before and after: enough to restore the rows."""

    class Source(models.TextChoices):
        APPLY_BATCH = "apply-batch", _("写库")
        SCHEDULE_APPLY = "schedule-apply", _("应用排程")
        ITEM_UNDO = "item-undo", _("撤销任务项")
        EVENT_DELETE = "event-delete", _("删除日程")
        CLASS_RELEASE = "class-release", _("释放任务类")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="applied_batches", verbose_name=_("用户")
    )
    semester = models.ForeignKey(Semester, models.CASCADE, verbose_name=_("学期"))
    source = models.CharField(_("来源"), max_length=16, choices=Source.choices)
    # The id of a conversation, not a foreign key: this app does not know conversations.
    conversation = models.UUIDField(_("对话"), null=True, blank=True)
    changes = models.JSONField(_("变更"), default=list)
    created_at = models.DateTimeField(_("创建时间"), auto_now_add=True)
    undone_at = models.DateTimeField(_("撤销时间"), null=True, blank=True)

    class Meta:
        verbose_name = _("写库批次")
        verbose_name_plural = _("写库批次")
        ordering = ("-created_at", "-id")
        indexes = (models.Index(fields=("user", "-created_at"), name="batch_user_created"),)

    def __str__(self) -> str:
        return f"{self.source} #{self.pk}"

"""What to fit into the term: task classes and their ordered items."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from taskclasses.fields import COLORS
from taskclasses.kernel.database.json_field import OftenEmptyJSONField
from taskclasses.seals import SEAL_MAX


class TaskClass(models.Model):
    class Mode(models.TextChoices):
        AUTO = "auto", _("自动")
        MANUAL = "manual", _("手动")

    class Strategy(models.TextChoices):
        STEADY = "steady", _("均匀")
        RAPID = "rapid", _("集中")

    class SubjectType(models.TextChoices):
        QUANTITATIVE = "quantitative", _("计算型")
        MEMORY = "memory", _("记忆型")
        READING = "reading", _("阅读型")
        MIXED = "mixed", _("混合型")

    class Level(models.TextChoices):
        LOW = "low", _("低")
        MEDIUM = "medium", _("中")
        HIGH = "high", _("高")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="task_classes", verbose_name=_("用户")
    )
    name = models.CharField(_("名称"), max_length=60)
    mode = models.CharField(_("模式"), max_length=8, choices=Mode.choices, default=Mode.AUTO)
    start_date = models.DateField(_("开始日期"), null=True, blank=True)
    end_date = models.DateField(_("结束日期"), null=True, blank=True)
    # Null is a value of its own here ("not known"), as the API answers it.
    subject_type = models.CharField(_("学科类型"), max_length=16, choices=SubjectType.choices, null=True, blank=True)  # noqa: DJ001
    difficulty_level = models.CharField(_("难度"), max_length=8, choices=Level.choices, null=True, blank=True)  # noqa: DJ001
    cognitive_intensity = models.CharField(_("认知强度"), max_length=8, choices=Level.choices, null=True, blank=True)  # noqa: DJ001
    total_slots = models.PositiveIntegerField(_("总节数"), null=True, blank=True)
    allow_filler_course = models.BooleanField(_("可用水课"), default=False)
    strategy = models.CharField(_("策略"), max_length=8, choices=Strategy.choices, default=Strategy.STEADY)
    excluded_slots = OftenEmptyJSONField(_("不排的大节"), default=list, blank=True)
    excluded_days_of_week = OftenEmptyJSONField(_("不排的星期"), default=list, blank=True)
    # Null is an empty list: rows of an older release have none.
    excluded_cells = OftenEmptyJSONField(_("不排的格"), default=list, null=True, blank=True)
    # A place in the page's row of colours, and one character: what the student knows the class by at a glance.
    color_index = models.PositiveSmallIntegerField(
        _("颜色"), default=0, db_default=0, validators=[MaxValueValidator(COLORS - 1)]
    )
    seal = models.CharField(_("标记字"), max_length=SEAL_MAX, default="", db_default="", blank=True)
    # Ids of a course and an exam, not foreign keys: this app does not know them. The end date follows the exam.
    course_id = models.PositiveBigIntegerField(_("关联课程"), null=True, blank=True, db_index=True)
    exam_id = models.PositiveBigIntegerField(_("关联考试"), null=True, blank=True, db_index=True)
    created_at = models.DateTimeField(_("创建时间"), auto_now_add=True)
    updated_at = models.DateTimeField(_("更新时间"), auto_now=True)

    class Meta:
        verbose_name = _("任务类")
        verbose_name_plural = _("任务类")
        ordering = ("-id",)
        indexes = (models.Index(fields=("user", "-id"), name="taskclass_user"),)
        constraints = (
            models.CheckConstraint(
                name="taskclass_dates",
                condition=Q(start_date__isnull=True)
                | Q(end_date__isnull=True)
                | Q(start_date__lte=models.F("end_date")),
            ),
            models.CheckConstraint(
                name="taskclass_total", condition=Q(total_slots__isnull=True) | Q(total_slots__gte=1)
            ),
            models.CheckConstraint(name="taskclass_color", condition=Q(color_index__lt=COLORS)),
        )

    def __str__(self) -> str:
        return self.name


class TaskItem(models.Model):
    class Status(models.IntegerChoices):
        UNSCHEDULED = 1, _("未安排")
        APPLIED = 2, _("已安排")

    class Mark(models.TextChoices):
        NONE = "", _("未标记")
        DONE = "done", _("完成")
        PARTIAL = "partial", _("完成一部分")
        MISSED = "missed", _("没做")

    task_class = models.ForeignKey(TaskClass, models.CASCADE, related_name="items", verbose_name=_("任务类"))
    order = models.PositiveIntegerField(_("顺序"), validators=[MinValueValidator(1)])
    content = models.CharField(_("内容"), max_length=200)
    duration = models.PositiveSmallIntegerField(
        _("节数"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(4)]
    )
    status = models.PositiveSmallIntegerField(_("状态"), choices=Status.choices, default=Status.UNSCHEDULED)
    embedded_time = OftenEmptyJSONField(_("所在时间"), null=True, blank=True)
    # What the student said about it; what nobody said follows from the student's way of counting the past.
    mark = models.CharField(_("进度"), max_length=8, choices=Mark.choices, default=Mark.NONE, db_default="", blank=True)
    # Of an item that is done in part: how long the rest is, which is all that is left to place.
    sections_left = models.PositiveSmallIntegerField(
        _("剩余节数"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(4)]
    )
    # Where and when something of it was done or missed, oldest first; records stay when the item moves on.
    # Null is none: a process of the version before must still be able to make an item.
    records = OftenEmptyJSONField(_("记录"), default=list, null=True, blank=True)
    # The student wants it to stay where it is applied; the student chose that place. A guest has no event of its
    # own, so they are kept with its status.
    pinned = models.BooleanField(_("钉住"), default=False, db_default=False)
    by_hand = models.BooleanField(_("学生亲自安排"), default=False, db_default=False)

    class Meta:
        verbose_name = _("任务项")
        verbose_name_plural = _("任务项")
        ordering = ("task_class_id", "order", "id")
        indexes = (models.Index(fields=("task_class", "order"), name="taskitem_class_order"),)
        constraints = (
            models.CheckConstraint(name="taskitem_order", condition=Q(order__gte=1)),
            models.CheckConstraint(
                name="taskitem_duration", condition=Q(duration__isnull=True) | Q(duration__gte=1, duration__lte=4)
            ),
            models.CheckConstraint(
                name="taskitem_status_time",
                condition=Q(status=1, embedded_time__isnull=True) | Q(status=2, embedded_time__isnull=False),
            ),
            models.CheckConstraint(
                name="taskitem_rest",
                condition=Q(sections_left__isnull=True)
                | Q(sections_left__gte=1, sections_left__lte=4, mark__in=("partial", "missed")),
            ),
            models.CheckConstraint(
                name="taskitem_keeping_applied", condition=Q(status=2) | Q(pinned=False, by_hand=False)
            ),
        )

    def __str__(self) -> str:
        return self.content


class TaskClassWrite(models.Model):
    """Tells what a write of the agent answered, by its key: the same call again changes nothing."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, verbose_name=_("用户"))
    key = models.CharField(_("键"), max_length=128)
    source = models.CharField(_("来源"), max_length=8, default="chat")
    answer = models.JSONField(_("回答"))
    created_at = models.DateTimeField(_("创建时间"), auto_now_add=True)

    class Meta:
        verbose_name = _("任务类写入")
        verbose_name_plural = _("任务类写入")
        constraints = (models.UniqueConstraint(fields=("user", "key"), name="taskclass_write_once"),)

    def __str__(self) -> str:
        return self.key

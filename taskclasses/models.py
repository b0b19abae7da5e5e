"""What to fit into the term: task classes and their ordered items."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


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
    excluded_slots = models.JSONField(_("不排的大节"), default=list, blank=True)
    excluded_days_of_week = models.JSONField(_("不排的星期"), default=list, blank=True)
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
        )

    def __str__(self) -> str:
        return self.name


class TaskItem(models.Model):
    class Status(models.IntegerChoices):
        UNSCHEDULED = 1, _("未安排")
        APPLIED = 2, _("已安排")

    task_class = models.ForeignKey(TaskClass, models.CASCADE, related_name="items", verbose_name=_("任务类"))
    order = models.PositiveIntegerField(_("顺序"), validators=[MinValueValidator(1)])
    content = models.CharField(_("内容"), max_length=200)
    duration = models.PositiveSmallIntegerField(
        _("节数"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(4)]
    )
    status = models.PositiveSmallIntegerField(_("状态"), choices=Status.choices, default=Status.UNSCHEDULED)
    embedded_time = models.JSONField(_("所在时间"), null=True, blank=True)

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
        )

    def __str__(self) -> str:
        return self.content


class TaskClassWrite(models.Model):
    """What a write of the agent answered, by its key: the same call again changes nothing."""

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

"""What a conversation leaves behind in SQL: the facts that outlive Redis.

Two claims are unique columns that are null when not held, which every database enforces alike: `Run.active_for` (at
most one queued or running run per conversation) and `PendingInteraction.open_for` (at most one open question).
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Conversation(models.Model):
    """Holds one chat of one student."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="conversations", verbose_name=_("用户")
    )
    title = models.CharField(_("标题"), max_length=64, blank=True)
    renamed = models.BooleanField(_("已改名"), default=False)
    message_count = models.PositiveIntegerField(_("消息数"), default=0)
    timeline_seq = models.PositiveIntegerField(_("时间线序号"), default=0)
    created_at = models.DateTimeField(_("创建时间"), default=timezone.now)
    last_message_at = models.DateTimeField(_("最近消息"), default=timezone.now)

    class Meta:
        verbose_name = _("对话")
        verbose_name_plural = _("对话")
        ordering = ("-last_message_at", "-id")
        indexes = (
            models.Index(fields=("user", "-last_message_at", "-id"), name="conversation_recent"),
            models.Index(fields=("last_message_at",), name="conversation_newest"),
        )

    def __str__(self) -> str:
        return self.title or str(self.pk)


class ConversationState(models.Model):
    """Holds the durable copy of the state document (agent.md 7.2), written when a run pauses or ends and at a draft
    save."""

    conversation = models.OneToOneField(Conversation, models.CASCADE, primary_key=True, related_name="stored_state")
    revision = models.PositiveBigIntegerField()
    document = models.BinaryField()
    saved_at = models.DateTimeField(default=timezone.now)
    # The draft was over and has been taken out. Null and not false: a process of the version before writes rows too.
    without_draft = models.BooleanField(null=True)

    def __str__(self) -> str:
        return f"{self.conversation_id}@{self.revision}"


class Run(models.Model):
    """Holds one accepted request up to its pause or end; `task` is its name in the polling API."""

    class Status(models.TextChoices):
        QUEUED = "queued", _("排队")
        RUNNING = "running", _("运行中")
        WAITING = "waiting", _("等待回答")
        SUCCEEDED = "succeeded", _("完成")
        FAILED = "failed", _("失败")
        CANCELLED = "cancelled", _("已取消")
        INTERRUPTED = "interrupted", _("中断")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="runs", verbose_name=_("对话"))
    active_for = models.OneToOneField(
        Conversation, models.CASCADE, null=True, blank=True, related_name="active_run", verbose_name=_("正在处理的对话")
    )
    continues = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="continued_by", verbose_name=_("接续的运行")
    )
    number = models.PositiveIntegerField(_("序号"))
    status = models.CharField(_("状态"), max_length=12, choices=Status.choices, default=Status.QUEUED)
    outcome = models.CharField(_("结果"), max_length=12, blank=True)
    outcome_code = models.CharField(_("结果代码"), max_length=40, blank=True)
    error_code = models.CharField(_("错误代码"), max_length=5, blank=True)
    error_message = models.CharField(_("错误说明"), max_length=200, blank=True)
    request = models.JSONField(_("请求"), default=dict)
    locale = models.CharField(_("语言"), max_length=2, default="zh")
    request_key = models.CharField(_("幂等键"), max_length=200, null=True, blank=True)  # noqa: DJ001 (null = no key was sent)
    request_digest = models.CharField(_("请求摘要"), max_length=64, blank=True)
    cancel_requested_at = models.DateTimeField(_("要求停止的时间"), null=True, blank=True)
    fence = models.PositiveBigIntegerField(_("写入序号"), default=0)
    lease_owner = models.CharField(_("执行者"), max_length=64, blank=True)
    lease_until = models.DateTimeField(_("租约到期"), null=True, blank=True)
    next_idx = models.PositiveIntegerField(_("下一事件号"), default=0)
    total_iterations = models.PositiveIntegerField(_("模型轮数"), default=0)
    total_tool_calls = models.PositiveIntegerField(_("工具调用"), default=0)
    auto_fix_attempts = models.PositiveIntegerField(_("自动更正"), default=0)
    created_at = models.DateTimeField(_("创建时间"), default=timezone.now)
    started_at = models.DateTimeField(_("开始时间"), null=True, blank=True)
    finished_at = models.DateTimeField(_("结束时间"), null=True, blank=True)
    closing = models.JSONField(_("收尾事件"), default=list, help_text=_("提交后要写入日志的事件"))
    closed_at = models.DateTimeField(_("收尾时间"), null=True, blank=True, help_text=_("终止事件写入日志的时间"))

    # Null and not empty: a process of the version before must still be able to make a run.
    failed_calls = models.JSONField(_("失败的模型调用"), null=True, blank=True)
    sweep_failure = models.CharField(
        _("清理失败"), max_length=80, blank=True, db_default="", help_text=_("清理这次运行时失败的步骤和错误")
    )

    class Meta:
        verbose_name = _("运行")
        verbose_name_plural = _("运行")
        ordering = ("-created_at", "-number")
        constraints = (
            models.UniqueConstraint(fields=("conversation", "number"), name="run_number_once"),
            models.UniqueConstraint(fields=("request_key",), name="run_request_key_once"),
        )
        indexes = (
            models.Index(fields=("status", "lease_until"), name="run_by_lease"),
            models.Index(fields=("closed_at", "finished_at"), name="run_to_close"),
            models.Index(fields=("created_at",), name="run_newest"),
        )

    def __str__(self) -> str:
        return f"{self.conversation_id}#{self.number}"

    @property
    def active(self) -> bool:
        return self.status in (self.Status.QUEUED, self.Status.RUNNING)


class RunArchive(models.Model):
    """Holds all events of an ended run, deflated JSON lines: what readers get when Redis no longer holds the log.

    `first_idx` above 0 says that what came before is gone: Redis lost it, or it was pruned. None in archives that are
    older than the field.
    """

    run = models.OneToOneField(Run, models.CASCADE, primary_key=True, related_name="archive")
    events = models.BinaryField()
    count = models.PositiveIntegerField()
    first_idx = models.PositiveIntegerField(null=True)

    def __str__(self) -> str:
        return f"{self.run_id} ({self.count})"


class RunJournal(models.Model):
    """Holds everything a run took in, for replay (agent.md 10): deflated JSON."""

    run = models.OneToOneField(Run, models.CASCADE, primary_key=True, related_name="journal")
    document = models.BinaryField()
    context_stats = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return str(self.run_id)


class PendingInteraction(models.Model):
    """Holds one question to the student: a consent, a question in words, or an offer to recover a lost run."""

    class Kind(models.TextChoices):
        CONFIRM = "confirm", _("确认")
        ASK_USER = "ask_user", _("追问")
        CONNECTION_RECOVER = "connection_recover", _("恢复")

    class Status(models.TextChoices):
        OPEN = "open", _("等待")
        ANSWERED = "answered", _("已回答")
        CANCELLED = "cancelled", _("已取消")
        EXPIRED = "expired", _("已过期")
        SUPERSEDED = "superseded", _("已取代")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="interactions", verbose_name=_("对话"))
    open_for = models.OneToOneField(
        Conversation,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="open_interaction",
        verbose_name=_("等待中的对话"),
    )
    run = models.ForeignKey(Run, models.CASCADE, related_name="interactions", verbose_name=_("运行"))
    answered_by = models.ForeignKey(
        Run, models.SET_NULL, null=True, blank=True, related_name="answers", verbose_name=_("回答它的运行")
    )
    type = models.CharField(_("类型"), max_length=20, choices=Kind.choices)
    status = models.CharField(_("状态"), max_length=12, choices=Status.choices, default=Status.OPEN)
    subject = models.CharField(_("对象"), max_length=10, blank=True)
    question = models.TextField(_("问题"))
    details = models.JSONField(_("详情"), help_text=_("循环恢复所需的字段，含卡片"))
    answer = models.JSONField(_("回答"), null=True, blank=True)
    created_at = models.DateTimeField(_("创建时间"), default=timezone.now)
    expires_at = models.DateTimeField(_("过期时间"))

    class Meta:
        verbose_name = _("待答交互")
        verbose_name_plural = _("待答交互")
        ordering = ("-created_at",)
        indexes = (
            models.Index(fields=("status", "expires_at"), name="interaction_expiry"),
            models.Index(fields=("created_at",), name="interaction_newest"),
        )

    def __str__(self) -> str:
        return f"{self.type}: {self.question[:40]}"


class TimelineItem(models.Model):
    """Holds one drawn thing of a conversation (wire.md 7); `seq` has no gaps, a row never changes."""

    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="timeline", verbose_name=_("对话"))
    run = models.ForeignKey(Run, models.CASCADE, related_name="timeline", verbose_name=_("运行"))
    interaction = models.ForeignKey(
        PendingInteraction, models.SET_NULL, null=True, blank=True, related_name="items", verbose_name=_("交互")
    )
    seq = models.PositiveIntegerField(_("序号"))
    kind = models.CharField(_("类型"), max_length=20)
    role = models.CharField(_("角色"), max_length=10)
    stage = models.CharField(_("阶段"), max_length=12)
    block_id = models.CharField(_("块"), max_length=80)
    content = models.TextField(_("内容"), blank=True)
    payload = models.JSONField(_("数据"), default=dict)
    idx_from = models.PositiveIntegerField(_("首个事件号"), null=True, blank=True)
    idx_to = models.PositiveIntegerField(_("末个事件号"), null=True, blank=True)
    created_at = models.DateTimeField(_("创建时间"), default=timezone.now)

    class Meta:
        verbose_name = _("时间线条目")
        verbose_name_plural = _("时间线条目")
        ordering = ("conversation", "seq")
        constraints = (
            models.UniqueConstraint(fields=("conversation", "seq"), name="timeline_seq_once"),
            models.UniqueConstraint(fields=("run", "idx_to"), name="timeline_event_once"),
        )

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"


class DailyMessages(models.Model):
    """Counts the messages of an account on one day of its semester's clock; they stay counted when their conversation
    is deleted. Kept only where the installation has a limit."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="daily_messages")
    day = models.DateField()
    count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "day"), name="daily_messages_once"),)
        indexes = (models.Index(fields=("day",), name="daily_messages_day"),)

    def __str__(self) -> str:
        return f"{self.user_id} {self.day}: {self.count}"

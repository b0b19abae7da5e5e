"""Access tokens, what accounts chose, the claims of idempotent requests, and the row that `/readyz` writes."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class AccessToken(models.Model):
    """Holds a bearer token of an account: only its SHA-512 is kept. It ends at `expiry` and with a change of the
    password."""

    digest = models.CharField(_("摘要"), max_length=128, primary_key=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="auth_token_set", verbose_name=_("用户")
    )
    name = models.CharField(_("名称"), max_length=60, default="", blank=True)
    # What `get_session_auth_hash` gave when the token was made: another password gives another one.
    password_mark = models.CharField(_("密码标记"), max_length=128)
    created = models.DateTimeField(_("创建时间"), auto_now_add=True)
    last_used_at = models.DateTimeField(_("最近使用"), null=True, blank=True)
    expiry = models.DateTimeField(_("到期时间"))

    class Meta:
        verbose_name = _("访问令牌")
        verbose_name_plural = _("访问令牌")
        ordering = ("-created",)
        indexes = (models.Index(fields=("created",), name="token_newest"),)

    def __str__(self) -> str:
        return self.name or self.public_id

    @property
    def public_id(self) -> str:
        """Returns the name under which its owner sees and ends a token."""
        return self.digest[:16]


class AccountSettings(models.Model):
    """Tells what an account chose for all its devices. No row, or an empty language, means that nothing was chosen."""

    class Appearance(models.TextChoices):
        SYSTEM = "system", _("跟随系统")
        LIGHT = "light", _("浅色")
        DARK = "dark", _("深色")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="account_settings", verbose_name=_("用户")
    )
    language = models.CharField(_("语言"), max_length=10, choices=settings.LANGUAGES, default="", blank=True)
    appearance = models.CharField(_("外观"), max_length=6, choices=Appearance.choices, default=Appearance.SYSTEM)
    course_colors = models.BooleanField(_("显示课程颜色"), default=True)
    less_motion = models.BooleanField(_("减少动画"), default=False)
    letter_keys = models.BooleanField(_("周课表里的单键快捷键"), default=True)
    # What is sent along with a message to the assistant unless the student says otherwise there.
    always_execute = models.BooleanField(_("改动不再逐项确认"), default=False)
    thinking = models.BooleanField(_("深入思考"), default=False)
    evening_question = models.BooleanField(_("每晚问一次"), default=False)
    # When the first run was done or put off; until then an account without anything is led to it.
    welcomed_at = models.DateTimeField(_("开始引导结束时间"), null=True, blank=True)
    # What sample data brought, so that it can go again: `{class_ids, batch_ids, semester_id}`.
    sample = models.JSONField(_("示例数据"), null=True, blank=True)

    class Meta:
        verbose_name = _("账号设置")
        verbose_name_plural = _("账号设置")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.language or '-'}, {self.appearance}"


class IdempotencyClaim(models.Model):
    """Holds the claim of an idempotent request: committed before the effect, answered in the effect's own
    transaction."""

    # SHA-256 over user, method, route and key: keys are case-sensitive whatever the collation of the database.
    scope = models.CharField(_("范围"), max_length=64, unique=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, verbose_name=_("用户"))
    method = models.CharField(_("方法"), max_length=8)
    route = models.CharField(_("路径"), max_length=200)
    key = models.CharField(_("键"), max_length=128)
    body_hash = models.CharField(_("正文摘要"), max_length=64)
    lease_until = models.DateTimeField(_("租约到期"))
    # Raised by every take-over, so that a writer that lost its lease can no longer store an answer.
    fence = models.PositiveIntegerField(_("写入序号"), default=1)
    response_status = models.PositiveSmallIntegerField(_("响应状态"), null=True, blank=True)
    response_body = models.TextField(_("响应正文"), default="", blank=True)
    response_headers = models.JSONField(_("响应头"), default=dict, blank=True)
    created_at = models.DateTimeField(_("创建时间"))

    class Meta:
        verbose_name = _("幂等请求")
        verbose_name_plural = _("幂等请求")
        ordering = ("-created_at",)
        indexes = (models.Index(fields=("created_at",), name="idempotency_created"),)

    def __str__(self) -> str:
        return f"{self.method} {self.route} {self.key}"


class StorageProbe(models.Model):
    """Holds the row that `/readyz` writes to, to see whether the database takes writes."""

    writes = models.PositiveBigIntegerField()

    def __str__(self) -> str:
        return str(self.writes)

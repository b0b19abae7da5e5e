"""The claim of an idempotent request: committed before the effect, answered in the effect's own transaction."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class IdempotencyClaim(models.Model):
    # SHA-256 over user, method, route and key: keys are case-sensitive whatever the collation of the database.
    scope = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE)
    method = models.CharField(max_length=8)
    route = models.CharField(max_length=200)
    key = models.CharField(max_length=128)
    body_hash = models.CharField(max_length=64)
    lease_until = models.DateTimeField()
    # Raised by every take-over, so that a writer that lost its lease can no longer store an answer.
    fence = models.PositiveIntegerField(default=1)
    response_status = models.PositiveSmallIntegerField(null=True, blank=True)
    response_body = models.TextField(default="", blank=True)
    response_headers = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("幂等请求")
        verbose_name_plural = _("幂等请求")
        ordering = ("-created_at",)
        indexes = (models.Index(fields=("created_at",), name="idempotency_created"),)

    def __str__(self) -> str:
        return f"{self.method} {self.route} {self.key}"

"""Access tokens, to be ended; idempotency claims, to look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from smartmate.models import AccessToken, AccountSettings, IdempotencyClaim
from taskclasses.admin import ReadOnly
from taskclasses.kernel.bounded_admin import BoundedAdmin


@admin.register(AccessToken)
class AccessTokenAdmin(BoundedAdmin):
    """Lists tokens; deleting one ends it. Its secret is nowhere."""

    list_display = ("public_id", "user", "name", "created", "last_used_at", "expiry")
    owner = "user"
    found_by: ClassVar[Mapping[type, Sequence[str]]] = {}
    texts = ("name",)
    scopes = ("user__id__exact",)
    ordering = ("-created",)
    list_select_related = ("user",)
    fields = readonly_fields = ("public_id", "user", "name", "created", "last_used_at", "expiry")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(IdempotencyClaim)
class IdempotencyClaimAdmin(BoundedAdmin):
    list_display = ("key", "user", "method", "route", "response_status", "fence", "created_at", "lease_until")
    list_filter = ("created_at", ("response_status", admin.EmptyFieldListFilter))
    owner = "user"
    texts = ("key", "route")
    scopes = ("user__id__exact",)
    list_select_related = ("user",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[IdempotencyClaim]:
        rows: QuerySet[IdempotencyClaim] = super().get_queryset(request)
        return rows.defer("response_body", "response_headers")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(AccountSettings)
class AccountSettingsAdmin(ReadOnly):
    list_display = ("user", "language", "appearance")
    list_filter = ("language", "appearance")
    owner = "user"
    scopes = ("user__id__exact",)
    list_select_related = ("user",)

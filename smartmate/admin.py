"""Idempotency claims in the admin, to look at."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from smartmate.models import IdempotencyClaim


@admin.register(IdempotencyClaim)
class IdempotencyClaimAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("key", "user", "method", "route", "response_status", "fence", "created_at", "lease_until")
    list_filter = ("method", "response_status", "route")
    search_fields = ("key", "user__username", "route")
    date_hierarchy = "created_at"
    list_select_related = ("user",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

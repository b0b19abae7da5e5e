"""Accounts, deleted by their use case; access tokens, to be ended; idempotency claims, to look at."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from agent.models import Conversation, Run
from schedules.models import AppliedBatch, ScheduleEvent
from smartmate.accounts import account_delete
from smartmate.models import AccessToken, IdempotencyClaim
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskClass, TaskItem

OWNED: dict[type[Model], str] = {
    TaskClass: "user",
    TaskItem: "task_class__user",
    ScheduleEvent: "user",
    AppliedBatch: "user",
    Conversation: "user",
    Run: "conversation__user",
}
"""What an account owns, and the way to its owner."""

admin.site.site_header = admin.site.site_title = _lazy("SmartMate 管理")
admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]
    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[Any, Any, Any, Any]:
        # Rows that nobody deletes alone go with their account; thousands of them are told in numbers, not by name.
        counts = {
            model._meta.verbose_name_plural: model._default_manager.filter(**{f"{owner}__in": objs}).count()
            for model, owner in OWNED.items()
        }
        return [str(user) for user in objs], {User._meta.verbose_name_plural: len(objs), **counts}, set(), []

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        try:
            return super().delete_view(request, object_id, extra_context)
        except CodedError:
            self.message_user(request, _("有一次运行还没有结束，请稍后再删除这个账号"), messages.ERROR)
            return HttpResponseRedirect(reverse("admin:auth_user_change", args=(object_id,)))

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        account_delete(obj)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        # One account at a time, after a look at what goes with it.
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions


@admin.register(AccessToken)
class AccessTokenAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Deleting a token ends it. Its secret is nowhere."""

    list_display = ("public_id", "user", "name", "created", "last_used_at", "expiry")
    search_fields = ("user__username", "name")
    date_hierarchy = "created"
    list_select_related = ("user",)
    fields = readonly_fields = ("public_id", "user", "name", "created", "last_used_at", "expiry")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(IdempotencyClaim)
class IdempotencyClaimAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("key", "user", "method", "route", "response_status", "fence", "created_at", "lease_until")
    list_filter = ("method", "response_status", "route")
    search_fields = ("key", "user__username", "route")
    date_hierarchy = "created_at"
    list_select_related = ("user",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[IdempotencyClaim]:
        rows: QuerySet[IdempotencyClaim] = super().get_queryset(request)
        return rows.defer("response_body", "response_headers")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

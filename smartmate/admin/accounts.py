"""Accounts: links to everything of a student, roles, and deletion by its use case. Nobody but a superuser touches
passwords, roles, or an account that may enter the admin."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from agent.models import Conversation, Run
from schedules.models import AppliedBatch, CalendarException, Course, Exam, ScheduleEvent
from smartmate.accounts.deletion import account_delete
from smartmate.accounts.roles import STAFF, STUDENT, SUPPORT, Role, role_set
from smartmate.admin.week import show_week
from taskclasses.kernel.bounded_admin import BoundedAdmin, accounts_named
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
RECORDS: Sequence[tuple[Any, type[Model], str]] = (
    (_lazy("任务类"), TaskClass, "user__id__exact={}"),
    (_lazy("课程"), Course, "user__id__exact={}"),
    (_lazy("考试"), Exam, "user__id__exact={}"),
    (_lazy("校历例外"), CalendarException, "user__id__exact={}"),
    (_lazy("对话"), Conversation, "user__id__exact={}"),
    (_lazy("运行"), Run, "conversation__user__id__exact={}"),
    (_lazy("写库批次"), AppliedBatch, "user__id__exact={}"),
    (_lazy("导入"), AppliedBatch, "user__id__exact={}&source__exact=import"),
)
GIVEN_BY_SUPERUSERS = ("is_staff", "is_superuser", "groups", "user_permissions", "username", "email")

admin.site.site_header = admin.site.site_title = _lazy("SmartMate 管理")
admin.site.unregister([User, Group, EmailAddress, UserSession])


class Addresses(admin.TabularInline):  # type: ignore[type-arg]
    model = EmailAddress
    fields = readonly_fields = ("email", "verified", "primary")
    extra = 0
    can_delete = False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(User)
class AccountAdmin(BoundedAdmin, UserAdmin):  # type: ignore[type-arg]
    list_display = ("username", "email", "is_staff", "is_active", "date_joined", "last_login")
    list_filter = ("is_staff", "is_superuser", "is_active")
    search_fields = ("username",)
    inlines = (Addresses,)
    actions = ("make_student", "make_support", "make_staff")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[User], search_term: str
    ) -> tuple[QuerySet[User], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        found = set(accounts_named(term))
        if "@" in term:  # a name may have one too
            found |= set(EmailAddress.objects.filter(email=term.lower()).values_list("user_id", flat=True))
        if not found and re.fullmatch(r"[0-9]{1,18}", term):
            found = {int(term)}
        return queryset.filter(pk__in=found), False

    def get_urls(self) -> list[URLPattern]:
        week = path("<int:user_id>/week/", self.admin_site.admin_view(self.week), name="auth_user_week")
        return [week, *super().get_urls()]

    def week(self, request: HttpRequest, user_id: int) -> HttpResponse:
        """Returns the rendered week of a student, with the draft of a conversation."""
        if not self.has_view_permission(request) or not request.user.has_perm("schedules.view_scheduleevent"):
            raise PermissionDenied
        return show_week(request, user_id, self.admin_site.each_context(request))

    @admin.display(description=_lazy("这个学生的记录"))
    def records(self, user: User) -> SafeString:
        pages = [(reverse("admin:auth_user_week", args=(user.pk,)), _("周课表（含草稿）"))]
        for label, model, query in RECORDS:
            listing = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
            pages.append((f"{listing}?{query.format(user.pk)}", str(label)))
        return format_html("<ul>{}</ul>", format_html_join("", '<li><a href="{}">{}</a></li>', pages))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            return super().get_fieldsets(request, obj)
        shown = [
            (name, {**options, "fields": [field for field in options["fields"] if field != "password"]})
            for name, options in super().get_fieldsets(request, obj)
        ]
        first = (None, {"fields": ("records",)})
        return [first, *(super().get_fieldsets(request, obj) if request.user.is_superuser else shown)]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        kept = ("records", *super().get_readonly_fields(request, obj))
        return kept if request.user.is_superuser else (*kept, *GIVEN_BY_SUPERUSERS)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        allowed = super().has_change_permission(request, obj)
        return allowed and (request.user.is_superuser or obj is None or not (obj.is_staff or obj.is_superuser))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        if not request.user.is_superuser:
            raise PermissionDenied
        return super().user_change_password(request, id, form_url)

    def has_roles_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    @admin.action(description=_lazy("设为学生"), permissions=["roles"])
    def make_student(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        self._give(request, chosen, STUDENT)

    @admin.action(description=_lazy("设为支持人员"), permissions=["roles"])
    def make_support(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        self._give(request, chosen, SUPPORT)

    @admin.action(description=_lazy("设为工作人员"), permissions=["roles"])
    def make_staff(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        self._give(request, chosen, STAFF)

    def _give(self, request: HttpRequest, chosen: QuerySet[User], role: Role) -> None:
        for user in chosen.filter(is_superuser=False):
            role_set(user=user, role=role)
            self.log_change(request, user, [{"changed": {"fields": ["groups", "is_staff"]}}])
        self.message_user(request, _("已更改角色"))

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


@admin.register(Group)
class GroupsAdmin(GroupAdmin):
    """Keeps groups: who could change one would give permissions, his own among them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

"""The agent's rows for staff: read, searched, linked to each other; nothing is changed here."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import F, Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from agent.causes import accounts_of, sentence_of
from agent.models import Conversation, PendingInteraction, Run, TimelineItem


def link(row: Model | None) -> SafeString | str:
    """A link to the change page of another row."""
    if row is None:
        return "-"
    meta = row._meta
    url = reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[row.pk])
    return format_html('<a href="{}">{}</a>', url, str(row)[:60])


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows that only the use cases write."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # A row that goes alone leaves a run without its conversation's draft, a timeline with a gap.
        return False

    @admin.display(description=_("对话"))
    def conversation_link(self, row: Any) -> SafeString | str:
        return link(row.conversation)

    @admin.display(description=_("运行"))
    def run_link(self, row: Any) -> SafeString | str:
        return link(row.run)


@admin.register(Conversation)
class ConversationAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "user", "message_count", "last_message_at", "created_at", "runs_link")
    list_filter = ("last_message_at",)
    search_fields = ("id", "title", "user__username")
    date_hierarchy = "last_message_at"
    list_select_related = ("user",)

    @admin.display(description=_("运行"))
    def runs_link(self, row: Conversation) -> SafeString:
        url = reverse("admin:agent_run_changelist")
        return format_html('<a href="{}?conversation__id__exact={}">{}</a>', url, row.pk, _("查看"))


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = (
        "id",
        "conversation_link",
        "number",
        "status",
        "outcome",
        "outcome_code",
        "error_code",
        "cause",
        "sweep_failure",
        "total_iterations",
        "total_tool_calls",
        "created_at",
        "finished_at",
        "archived",
        "items_link",
    )
    list_filter = ("status", "outcome", "error_code", ("sweep_failure", admin.EmptyFieldListFilter), "created_at")
    search_fields = ("id", "conversation__id", "conversation__title", "conversation__user__username")
    date_hierarchy = "created_at"
    list_select_related = ("conversation",)
    exclude = ("closing", "failed_calls")
    readonly_fields = ("id", "causes", "archived")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        rows: QuerySet[Run] = super().get_queryset(request)
        return rows.annotate(archive_first=F("archive__first_idx"), archive_count=F("archive__count"))

    @admin.display(description=_("存档"))
    def archived(self, row: Any) -> str:
        """How many events are archived, and where they begin when Redis lost the beginning."""
        if row.archive_count is None:
            return "-"
        return f"{row.archive_count} ({row.archive_first}…)" if row.archive_first else str(row.archive_count)

    @admin.display(description=_("失败原因"))
    def cause(self, row: Run) -> str:
        """The last failed call of the model in a sentence."""
        return sentence_of(row.failed_calls[-1]) if row.failed_calls else "-"

    @admin.display(description=_("失败的模型调用"))
    def causes(self, row: Run) -> SafeString | str:
        accounts = accounts_of(row.failed_calls)
        return format_html_join("", "<div>{}</div>", ((one,) for one in accounts)) if accounts else "-"

    @admin.display(description=_("时间线"))
    def items_link(self, row: Run) -> SafeString:
        url = reverse("admin:agent_timelineitem_changelist")
        return format_html('<a href="{}?run__id__exact={}">{}</a>', url, row.pk, _("查看"))


@admin.register(PendingInteraction)
class PendingInteractionAdmin(ReadOnlyAdmin):
    list_display = (
        "__str__",
        "type",
        "status",
        "conversation_link",
        "run_link",
        "answer_link",
        "created_at",
        "expires_at",
    )
    list_filter = ("type", "status", "subject", "created_at")
    search_fields = ("id", "question", "conversation__id", "conversation__user__username")
    date_hierarchy = "created_at"
    list_select_related = ("conversation", "run__conversation", "answered_by__conversation")

    @admin.display(description=_("回答"))
    def answer_link(self, row: PendingInteraction) -> SafeString | str:
        return link(row.answered_by)


@admin.register(TimelineItem)
class TimelineItemAdmin(ReadOnlyAdmin):
    list_display = ("seq", "kind", "role", "stage", "shown", "conversation_link", "run_link", "created_at")
    list_filter = ("kind", "role", "stage", "created_at")
    search_fields = ("content", "conversation__id", "conversation__title", "run__id")
    date_hierarchy = "created_at"
    list_select_related = ("conversation", "run__conversation")

    def get_queryset(self, request: HttpRequest) -> QuerySet[TimelineItem]:
        rows: QuerySet[TimelineItem] = super().get_queryset(request)
        return rows.defer("payload")  # up to 64 KiB each, and a list shows a hundred

    @admin.display(description=_("内容"))
    def shown(self, row: TimelineItem) -> str:
        return row.content[:80]

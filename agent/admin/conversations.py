"""The agent's rows for support: read, searched, linked to each other; nothing is changed here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from uuid import UUID

from django.contrib import admin
from django.db.models import F, Model, QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from redis.exceptions import RedisError

from agent.admin.causes import accounts_of, sentence_of
from agent.admin.outcomes import duration_in_words, outcome_in_words
from agent.loop.errors import UnknownVersion
from agent.models import Conversation, PendingInteraction, Run, RunJournal, TimelineItem
from agent.runs.recording.journal import load_journal
from agent.selectors import draft_of, open_interaction
from schedules.admin.batch_rows import place_in_words
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import Place, day_json
from taskclasses.admin import ReadOnly
from taskclasses.kernel.bounded_admin import may_see, tell_stored

PART = 100
"""Rows of a part of a page; the rest stands in a list."""


def link(row: Model | None) -> SafeString | str:
    """Returns a link to the change page of another row."""
    if row is None:
        return "-"
    meta = row._meta
    url = reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[row.pk])
    return format_html('<a href="{}">{}</a>', url, str(row)[:60])


def link_to_list(model: str, conversation_id: UUID) -> SafeString:
    """Returns a link to the rows of a conversation."""
    url = reverse(f"admin:agent_{model}_changelist")
    return format_html('<a href="{}?conversation__id__exact={}">{}</a>', url, conversation_id, _("查看"))


def cause_of(run: Run) -> str:
    """Returns the last failed call of the model in a sentence."""
    calls = run.failed_calls
    return tell_stored(lambda: sentence_of(calls[-1])) if calls else "-"


STATES = {"suggested": _("草稿里"), "pending": _("待安排")}


def places_of(draft: ScheduleState) -> list[tuple[str, str, str]]:
    """Returns what the draft puts where and what it has no place for: name, place in words, state."""
    told = [
        (entry.name, _place_in_words(draft.place_of(entry)), str(STATES[entry.status]))
        for entry in draft.items()
        if entry.status in STATES
    ]
    return told[:PART]


def _place_in_words(place: Place | None) -> str:
    if place is None:
        return "-"
    return place_in_words({**day_json(place.day), "section_from": place.first, "section_to": place.last})


def _draft_part(draft: ScheduleState | None) -> str:
    return render_to_string("admin/draft_part.html", {"draft": draft, "places": places_of(draft) if draft else []})


class LinkedRows(ReadOnly):
    """Lists rows of a conversation: found by its id, by their own, or by the student."""

    owner = "conversation__user"
    found_by: ClassVar[Mapping[type, Sequence[str]]] = {UUID: ("pk", "conversation")}
    scopes: ClassVar[tuple[str, ...]] = ("conversation__id__exact", "conversation__user__id__exact")
    ordering = ("-created_at",)

    @admin.display(description=_("对话"))
    def conversation_link(self, row: Any) -> SafeString | str:
        return link(row.conversation)

    @admin.display(description=_("运行"))
    def run_link(self, row: Any) -> SafeString | str:
        return link(row.run)


PARTS: Mapping[str, type[Model]] = {"question": PendingInteraction, "runs": Run, "timeline": TimelineItem}
"""The fields of a conversation that show rows of other kinds."""


@admin.register(Conversation)
class ConversationAdmin(ReadOnly):
    list_display = ("__str__", "user", "message_count", "last_message_at", "created_at", "runs_link")
    list_filter = ("last_message_at",)
    owner = "user"
    found_by: ClassVar[Mapping[type, Sequence[str]]] = {UUID: ("pk",)}
    texts = ("title",)
    scopes = ("user__id__exact",)
    ordering = ("-last_message_at",)
    list_select_related = ("user",)
    fields = readonly_fields = (
        "id", "user", "title", "message_count", "created_at", "last_message_at", "question", "draft", "runs",
        "timeline",
    )  # fmt: skip

    def get_fields(self, request: HttpRequest, obj: Conversation | None = None) -> list[Any]:
        """Returns what the page shows: rows of other kinds where the reader may see those."""
        hidden = {name for name, model in PARTS.items() if not may_see(request, model)}
        return [name for name in self.fields if name not in hidden]

    @admin.display(description=_("运行"))
    def runs_link(self, row: Conversation) -> SafeString:
        return link_to_list("run", row.pk)

    @admin.display(description=_("等待中的问题"))
    def question(self, row: Conversation) -> SafeString | str:
        asked = open_interaction(row.pk)
        return format_html("{}: {}", asked.get_type_display(), link(asked)) if asked else "-"

    @admin.display(description=_("草稿"))
    def draft(self, row: Conversation) -> str:
        try:
            return tell_stored(lambda: _draft_part(draft_of(row)))
        except UnknownVersion:
            return str(_("由更新的版本写成，这个版本读不了"))
        except RedisError:
            # The rest of the page stands in SQL, and is asked for when something is wrong.
            return str(_("Redis 没有回答，现在看不到草稿"))

    @admin.display(description=_("运行"))
    def runs(self, row: Conversation) -> str:
        found = list(row.runs.order_by("-number")[: PART + 1])
        told = [(run, outcome_in_words(run), duration_in_words(run), cause_of(run)) for run in found[:PART]]
        more = link_to_list("run", row.pk) if len(found) > PART else ""
        return render_to_string("admin/runs_part.html", {"runs": told, "more": more})

    @admin.display(description=_("时间线"))
    def timeline(self, row: Conversation) -> str:
        found = list(row.timeline.defer("payload").select_related("run").order_by("-seq")[: PART + 1])
        more = link_to_list("timelineitem", row.pk) if len(found) > PART else ""
        return render_to_string("admin/timeline_part.html", {"items": found[:PART][::-1], "more": more})


@admin.register(Run)
class RunAdmin(LinkedRows):
    list_display = (
        "id",
        "student",
        "conversation_link",
        "number",
        "status",
        "ending",
        "duration",
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
    list_filter = (
        "status", ("error_code", admin.EmptyFieldListFilter), ("sweep_failure", admin.EmptyFieldListFilter),
        "created_at",
    )  # fmt: skip
    texts = ("conversation__title",)
    list_select_related = ("conversation__user",)
    exclude = ("closing", "failed_calls", "outcome", "outcome_code")
    readonly_fields = ("id", "student", "ending", "duration", "causes", "choices", "archived")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        rows: QuerySet[Run] = super().get_queryset(request)
        return rows.annotate(archive_first=F("archive__first_idx"), archive_count=F("archive__count"))

    @admin.display(description=_("存档"))
    def archived(self, row: Any) -> str:
        """Tells how many events are archived, and where they begin when Redis lost the beginning."""
        if row.archive_count is None:
            return "-"
        return f"{row.archive_count} ({row.archive_first}…)" if row.archive_first else str(row.archive_count)

    @admin.display(description=_("用户"))
    def student(self, row: Run) -> SafeString | str:
        return link(row.conversation.user)

    @admin.display(description=_("结果"))
    def ending(self, row: Run) -> str:
        return outcome_in_words(row)

    @admin.display(description=_("用时"))
    def duration(self, row: Run) -> str:
        return duration_in_words(row)

    @admin.display(description=_("失败原因"))
    def cause(self, row: Run) -> str:
        return cause_of(row)

    @admin.display(description=_("失败的模型调用"))
    def causes(self, row: Run) -> SafeString | str:
        if not row.failed_calls:
            return "-"
        return tell_stored(
            lambda: format_html_join("", "<div>{}</div>", ((one,) for one in accounts_of(row.failed_calls)))
        )

    @admin.display(description=_("优化中的选择"))
    def choices(self, row: Run) -> str:
        """Returns the steps that were chosen from candidates, with what each gave away; kept as long as the journal."""
        kept = RunJournal.objects.filter(run=row).first()
        return tell_stored(
            lambda: render_to_string(
                "admin/choices_part.html", {"choices": load_journal(kept).get("choices", []) if kept else []}
            )
        )

    @admin.display(description=_("时间线"))
    def items_link(self, row: Run) -> SafeString:
        url = reverse("admin:agent_timelineitem_changelist")
        return format_html('<a href="{}?run__id__exact={}">{}</a>', url, row.pk, _("查看"))


@admin.register(PendingInteraction)
class PendingInteractionAdmin(LinkedRows):
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
    list_filter = ("type", "status", "created_at")
    texts = ("question",)
    list_select_related = ("conversation", "run__conversation", "answered_by__conversation")

    @admin.display(description=_("回答"))
    def answer_link(self, row: PendingInteraction) -> SafeString | str:
        return link(row.answered_by)


@admin.register(TimelineItem)
class TimelineItemAdmin(LinkedRows):
    list_display = ("seq", "kind", "role", "stage", "shown", "conversation_link", "run_link", "created_at")
    found_by: ClassVar[Mapping[type, Sequence[str]]] = {UUID: ("conversation", "run")}
    texts = ("content",)
    scopes = (*LinkedRows.scopes, "run__id__exact")
    ordering = ("-pk",)
    list_select_related = ("conversation", "run__conversation")

    def get_queryset(self, request: HttpRequest) -> QuerySet[TimelineItem]:
        rows: QuerySet[TimelineItem] = super().get_queryset(request)
        return rows.defer("payload")  # up to 64 KiB each, and a list shows a hundred

    @admin.display(description=_("内容"))
    def shown(self, row: TimelineItem) -> str:
        return row.content[:80]

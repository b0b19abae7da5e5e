"""Reads of the agent's rows. Ownership is checked here, once: what is not mine does not exist."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from agent.calls.kinds import Json
from agent.loop import interactions
from agent.loop.output.questions import event_of
from agent.loop.state.agent_state import AgentState
from agent.models import Conversation, PendingInteraction, Run, RunArchive, RunJournal, TimelineItem
from agent.shapes import (
    ContextStats,
    ConversationObject,
    ConversationStateObject,
    DraftFigures,
    EventsPage,
    Follow,
    PollPage,
    RunError,
    RunObject,
    TimelinePage,
)
from agent.store import keys
from agent.store.connection import sync_client
from agent.store.snapshots import Snapshot, SnapshotStore
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import day_json
from taskclasses.kernel.errors import CodedError
from taskclasses.kernel.times import rfc3339

PAUSED = ("waiting_confirm", "interrupted")
NO_DRAFT: DraftFigures = {
    "exists": False,
    "task_class_ids": [],
    "window": None,
    "suggested": 0,
    "unplaced": 0,
    "expires_at": None,
}


def is_uuid(value: str) -> bool:
    """Tells whether an id is a UUID: ids are opaque to clients, and any other is simply unknown."""
    try:
        return str(UUID(value)) == value.lower()
    except (ValueError, AttributeError):
        return False


def conversations(user_id: int) -> QuerySet[Conversation]:
    """Returns the user's conversations, the last used first, each with `run_status` of its last run."""
    last = Run.objects.filter(conversation=OuterRef("pk")).order_by("-number").values("status")[:1]
    rows = Conversation.objects.filter(user_id=user_id).annotate(run_status=Subquery(last))
    return rows.order_by("-last_message_at", "-pk")


def conversation_get(user_id: int, conversation_id: str) -> Conversation:
    """Raises 40401."""
    found = conversations(user_id).filter(pk=conversation_id).first() if is_uuid(conversation_id) else None
    if found is None:
        raise CodedError(40401)
    return found


def conversation_lock(user_id: int, conversation_id: str) -> Conversation:
    """Returns the row, locked until the transaction ends. Raises 40401, also when it goes while this waits."""
    rows = Conversation.objects.select_for_update().filter(user_id=user_id)
    found = rows.filter(pk=conversation_id).first() if is_uuid(conversation_id) else None
    if found is None:
        raise CodedError(40401)
    return found


def run_get(user_id: int, run_id: str) -> Run:
    """Raises 40076."""
    rows = Run.objects.select_related("conversation").filter(conversation__user_id=user_id)
    found = rows.filter(pk=run_id).first() if is_uuid(run_id) else None
    if found is None:
        raise CodedError(40076)
    return found


def conversation_json(row: Conversation) -> ConversationObject:
    return {
        "conversation_id": str(row.pk),
        "title": row.title,
        "run_status": getattr(row, "run_status", None),
        "message_count": row.message_count,
        "last_message_at": rfc3339(row.last_message_at),
        "created_at": rfc3339(row.created_at),
    }


def next_idx_of(run: Run) -> int:
    """Returns the idx the run's next event will get, as the log knows it; the row when the log is gone or closed."""
    if run.closed_at is not None:
        return run.next_idx
    held: Any = sync_client().hget(keys.meta(str(run.pk)), "next")
    return max(run.next_idx, int(held or 0))


def error_json(run: Run) -> RunError | None:
    return {"code": run.error_code, "message": run.error_message} if run.error_code else None


def run_json(run: Run) -> RunObject:
    """Returns `last_run` of the state endpoint."""
    return {
        "run_id": str(run.pk),
        "status": run.status,
        "outcome": run.outcome or None,
        "error": error_json(run),
        "continues_run_id": str(run.continues_id) if run.continues_id else None,
        "next_idx": next_idx_of(run),
        "created_at": rfc3339(run.created_at),
        "finished_at": rfc3339(run.finished_at),
    }


def interaction_value(row: PendingInteraction) -> interactions.OpenInteraction:
    """Returns the loop's value with the row's present status and answer."""
    stored = {**row.details, "status": row.status, "answer": row.answer}
    return interactions.OpenInteraction.model_validate(stored, extra="ignore")


def interaction_json(row: PendingInteraction) -> Json:
    """Returns the announcing event's fields with what the row adds."""
    card = event_of(interaction_value(row)).own()
    head = {"interaction_id": str(row.pk), "type": row.type, "status": row.status, "run_id": str(row.run_id)}
    times = {"created_at": rfc3339(row.created_at), "expires_at": card.pop("expires_at")}
    shown = {key: value for key, value in card.items() if key != "interaction_type"}
    return {**head, **{key: value for key, value in shown.items() if key not in head}, **times, "answer": row.answer}


def open_interaction(conversation_id: UUID) -> PendingInteraction | None:
    """Returns the open interaction that has not expired."""
    return PendingInteraction.objects.filter(open_for_id=conversation_id, expires_at__gt=timezone.now()).first()


def open_interaction_json(conversation_id: UUID) -> Json | None:
    row = open_interaction(conversation_id)
    return interaction_json(row) if row else None


def snapshot_of(conversation: Conversation) -> Snapshot | None:
    return SnapshotStore(sync_client()).load(conversation.user_id, str(conversation.pk), touch=False)


def draft_of(conversation: Conversation) -> ScheduleState | None:
    """Returns the draft as it is stored, not set on the newest rows: a look that writes nothing."""
    snapshot = snapshot_of(conversation)
    if snapshot is None or snapshot.expired:
        return None
    return AgentState.from_document(snapshot.document).schedule


class ConversationLook:
    """Looks at a conversation of the user's: at its rows at once, at its state document when it is described. 40401."""

    def __init__(self, user_id: int, conversation_id: str) -> None:
        row = conversation_get(user_id, conversation_id)
        self._last = _last_run(row)
        self._row = row = self._last.conversation if self._last else row
        waiting = getattr(row, "open_interaction", None)
        self._interaction = interaction_json(waiting) if waiting and waiting.expires_at > timezone.now() else None
        self._last_run = run_json(self._last) if self._last else None

    def mark(self) -> object | None:
        """Returns what the description is made of, as values that change with it; None when nothing vouches for it."""
        store = SnapshotStore(sync_client())
        stored = store.mark(self._row.user_id, str(self._row.pk), touch=False)
        if stored is None:
            return None
        active = self._last is not None and self._last.active_for_id is not None
        expires = _expiry_text(store.expires_at(self._row.user_id, str(self._row.pk)))
        return stored, expires, self._row.title, self._row.timeline_seq, active, self._last_run, self._interaction

    def describe(self) -> ConversationStateObject:
        """Returns everything a fresh page must know (wire.md 2.3)."""
        snapshot = snapshot_of(self._row)
        state = AgentState.from_document(snapshot.document) if snapshot else None
        schedule = state.schedule if state and snapshot and not snapshot.expired else None
        saved = state.run.phase if state else "chatting"
        return {
            "conversation_id": str(self._row.pk),
            "title": self._row.title,
            "timeline_seq": self._row.timeline_seq,
            "revision": schedule.revision if schedule else 0,
            "phase": _phase(saved, self._last, asked=self._interaction is not None),
            "draft": draft_json(state, schedule, snapshot) if state and schedule and snapshot else NO_DRAFT,
            "last_run": self._last_run,
            "interaction": self._interaction,
        }


def _last_run(row: Conversation) -> Run | None:
    """Returns the newest run with its conversation and the open interaction: one statement, so all three are of one
    moment, and no transaction, which would wait for whoever writes."""
    rows = Run.objects.filter(conversation=row).select_related("conversation__open_interaction")
    return rows.order_by("-number").first()


def _phase(saved: str, last: Run | None, *, asked: bool) -> str:
    """Returns the phase that was saved last; a pause whose question was cancelled or has expired is over without a new
    run."""
    waits = asked or (last is not None and last.active_for_id is not None)
    return "done" if saved in PAUSED and not waits else saved


def draft_json(state: AgentState, schedule: ScheduleState, snapshot: Snapshot) -> DraftFigures:
    """Returns the draft in figures, with the classes that the conversation is about: it may show more."""
    statuses = [entry.status for entry in schedule.tasks if entry.is_item]
    return {
        "exists": True,
        "task_class_ids": sorted(state.conversation.scope),
        "window": {"from": day_json(schedule.window.first_day), "to": day_json(schedule.window.last_day)},
        "suggested": statuses.count("suggested"),
        "unplaced": statuses.count("pending"),
        "expires_at": _expiry_text(snapshot.expires_at),
    }


def _expiry_text(at: datetime) -> str:
    """Writes a time of expiry to the minute: it is counted from now, and would else differ from look to look."""
    return rfc3339(at.replace(second=0, microsecond=0))


def item_json(row: TimelineItem) -> Json:
    """Returns one timeline item; cards show the present status and answer of their interaction."""
    payload = row.payload
    if row.kind in ("confirm_request", "interrupt") and row.interaction is not None:
        payload = {**payload, "status": row.interaction.status, "answer": row.interaction.answer}
    return {
        "seq": row.seq,
        "run_id": str(row.run_id),
        "kind": row.kind,
        "role": row.role,
        "stage": row.stage,
        "block_id": row.block_id,
        "content": row.content,
        "payload": payload,
        "idx_from": row.idx_from,
        "idx_to": row.idx_to,
        "created_at": rfc3339(row.created_at),
    }


def timeline_page(conversation: Conversation, *, after_seq: int, limit: int) -> TimelinePage:
    """Returns items behind `after_seq`, and where to follow the run that is still going, as of one moment.

    At READ COMMITTED each query sees a newer moment. The number of items and the claim of the run change in the same
    transactions as the items themselves: while both read the same before and after, so did everything in between.
    """
    while True:
        before = _moment(conversation)
        rows = TimelineItem.objects.filter(conversation=conversation, seq__gt=after_seq).select_related("interaction")
        found = list(rows.order_by("seq")[: limit + 1])
        active = Run.objects.filter(active_for=conversation).first()
        follow: Follow | None = {"run_id": str(active.pk), "from": _follow_from(active)} if active else None
        if _moment(conversation) == before:
            break
    shown = found[:limit]
    return {
        "items": [item_json(row) for row in shown],
        "next_after_seq": shown[-1].seq if shown else after_seq,
        "has_more": len(found) > limit,
        "follow": follow,
    }


def _moment(conversation: Conversation) -> tuple[Any, ...] | None:
    """Returns what every change of a timeline changes too: how many items there are, and which run is going."""
    rows = Conversation.objects.filter(pk=conversation.pk)
    return rows.values_list("timeline_seq", "active_run__pk").first()


def _follow_from(run: Run) -> int:
    last = TimelineItem.objects.filter(run=run, idx_to__isnull=False).order_by("-idx_to").first()
    return 0 if last is None or last.idx_to is None else last.idx_to + 1


def items_until(run: Run, idx: int) -> list[Json]:
    """Returns the run's items made of events up to `idx`, its message included."""
    rows = TimelineItem.objects.filter(run=run).select_related("interaction").order_by("seq")
    return [item_json(row) for row in rows if row.idx_to is None or row.idx_to <= idx]


def reset_context(run: Run) -> Json:
    """Returns what `stream.reset` says beside the items: open interaction, status, revision of the draft."""
    fresh = Run.objects.select_related("conversation").get(pk=run.pk)
    snapshot = snapshot_of(fresh.conversation)
    draft = (snapshot.document.get("draft") or {}).get("schedule") if snapshot else None
    return {
        "interaction": open_interaction_json(fresh.conversation_id),
        "run_status": fresh.status,
        "revision": int(draft["revision"]) if draft else 0,
    }


def context_stats(conversation: Conversation) -> ContextStats | None:
    """Returns the record of the conversation's last model call."""
    rows = RunJournal.objects.filter(run__conversation=conversation, context_stats__isnull=False)
    record = rows.order_by("-run__number").values_list("context_stats", flat=True).first()
    stats = None if record is None else {key: value for key, value in record.items() if key != "kind"}
    return cast(ContextStats | None, stats)


def poll_json(run: Run, *, shown_status: str, page: EventsPage) -> PollPage:
    """Returns the poll answer (wire.md 6.4): `page` holds events, next_offset and has_more."""
    return {
        "task_id": str(run.pk),
        "conversation_id": str(run.conversation_id),
        "status": shown_status,
        "run_status": run.status,
        **page,
        "interaction": open_interaction_json(run.conversation_id),
        "error": error_json(run),
        "continues_task_id": str(run.continues_id) if run.continues_id else None,
        "created_at": rfc3339(run.created_at),
        "started_at": rfc3339(run.started_at),
        "finished_at": rfc3339(run.finished_at),
    }


def journals_of(conversation_id: str, *, number: int | None = None) -> list[tuple[int, RunJournal]]:
    """Returns (ordinal, journal) of a conversation's recorded runs, in order; staff only, no owner is asked."""
    if not is_uuid(conversation_id):
        return []
    rows = RunJournal.objects.filter(run__conversation_id=conversation_id).select_related("run").order_by("run__number")
    return [(row.run.number, row) for row in rows if number is None or row.run.number == number]


def cut_archives_of(conversation_id: str, *, number: int | None = None) -> list[tuple[int, int, int]]:
    """Returns (ordinal, first idx, number of events) of the archives whose beginning Redis lost; staff only."""
    if not is_uuid(conversation_id):
        return []
    rows = RunArchive.objects.filter(run__conversation_id=conversation_id, first_idx__gt=0).order_by("run__number")
    found = rows.values_list("run__number", "first_idx", "count")
    return [(ordinal, first or 0, count) for ordinal, first, count in found if number is None or ordinal == number]

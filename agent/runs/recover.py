"""The sweep (api.md 5.8): queued rows nobody was told of, leases that ran out, endings cut short, questions too old.

Safe to run in any number of processes at once: every step is a conditional UPDATE with one winner.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.utils import timezone

from agent.loop import interactions
from agent.loop.errors import RUN_CANCELLED, UnknownVersion
from agent.loop.events import (
    Event,
    Stamped,
    StatusChanged,
    ToolFinished,
    ToolStarted,
)
from agent.loop.output.endings import Counts, count_tool_calls, run_cancelled, run_failed, run_finished
from agent.loop.output.questions import event_of, recovery_offer
from agent.loop.output.statuses import status_event
from agent.loop.state import AgentState
from agent.loop.tool_call.pipeline import effect_key
from agent.models import Conversation, PendingInteraction, Run, RunJournal
from agent.runs.ending.close_out import Reason, class_written, close_out, read_outbox
from agent.runs.ending.seal import Ending, commit_ending, fold_closing, seal
from agent.runs.execution.deps import shared_limits
from agent.runs.execution.session import class_claim
from agent.runs.questions import answer_question
from agent.runs.recording.journal import retention
from agent.runs.start import append_opening
from agent.runs.timeline.fold import Folder
from agent.runs.wake import wake
from agent.selectors import snapshot_of
from agent.store import lease
from agent.store.connection import async_client
from agent.store.event_log import CAP, EventLog
from agent.store.threads import in_thread
from taskclasses.kernel.database_clock import database_now
from taskclasses.selectors import task_class_write_answer

WAKE_AFTER = timedelta(seconds=3)
SEAL_AFTER = timedelta(seconds=5)
LOST_LOG_GAP = 5_000


@dataclass
class Swept:
    """What one sweep did, as run ids."""

    interrupted: list[str] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    abandoned: list[str] = field(default_factory=list)
    sealed: list[str] = field(default_factory=list)
    woken: list[str] = field(default_factory=list)
    expired: int = 0

    @property
    def empty(self) -> bool:
        return not (self.interrupted or self.cancelled or self.abandoned or self.sealed or self.expired)


async def run_recover(*, owner: str, now: datetime | None = None) -> Swept:
    """One sweep. `owner` names the sweeper in the leases it takes over; `now` is the time of the database."""
    now = now or await in_thread(database_now)()
    swept = Swept()
    for run_id in await in_thread(_dead)(now):
        await _close_dead(run_id, owner, swept)
    for run in await in_thread(_too_long_queued)(now):
        await _abandon(run, swept)
    for run in await in_thread(_unsealed)(now):
        await seal(run)
        swept.sealed.append(str(run.pk))
    for run_id in await in_thread(_forgotten)(now):
        await wake(run_id)
        swept.woken.append(run_id)
    swept.expired = await in_thread(_expire)(now)
    return swept


def _dead(now: datetime) -> list[str]:
    rows = Run.objects.filter(status=Run.Status.RUNNING, lease_until__lt=now)
    return [str(pk) for pk in rows.values_list("pk", flat=True)]


def _too_long_queued(now: datetime) -> list[Run]:
    rows = Run.objects.filter(status=Run.Status.QUEUED, lease_until__lt=now)
    return list(rows.select_related("conversation"))


def _forgotten(now: datetime) -> list[str]:
    rows = Run.objects.filter(status=Run.Status.QUEUED, created_at__lt=now - WAKE_AFTER)
    return [str(pk) for pk in rows.values_list("pk", flat=True)]


def _unsealed(now: datetime) -> list[Run]:
    ended = Run.objects.filter(closed_at=None, finished_at__lt=now - SEAL_AFTER)
    return list(ended.select_related("conversation"))


def _expire(now: datetime) -> int:
    """Open interactions past their time, and journals past theirs."""
    RunJournal.objects.filter(created_at__lt=now - retention()).delete()
    late = PendingInteraction.objects.filter(status=PendingInteraction.Status.OPEN, expires_at__lte=now)
    return sum(_expire_one(row) for row in late)


def _expire_one(row: PendingInteraction) -> bool:
    won = answer_question(row, None, {}, status=PendingInteraction.Status.EXPIRED)
    if won:
        Run.objects.filter(pk=row.run_id, outcome="paused").update(status=Run.Status.CANCELLED)
    return won


async def _abandon(run: Run, swept: Swept) -> None:
    """Nobody took the run in time: 50009."""
    first = await append_opening(run)
    closing = _stamped(run, [run_failed("chat", "no_worker", run.locale)], len(first))
    ending = Ending(closing, fold_closing(Folder(), closing))
    if await in_thread(commit_ending)(run, ending, only_if=Run.Status.QUEUED):
        await seal(run, first)
        swept.abandoned.append(str(run.pk))


async def _close_dead(run_id: str, owner: str, swept: Swept) -> None:
    """A worker died with this run: what it left open is closed, and the student is offered to go on."""
    run = await in_thread(lease.take_dead)(run_id, owner)
    if run is None:
        return
    log = EventLog(async_client())
    await log.raise_fence(run_id, run.fence)
    events = await log.read(run_id, 0, CAP)
    first = events[-1].idx + 1 if events else run.next_idx + LOST_LOG_GAP
    ending = await in_thread(_ending_of_dead)(run, events, first)
    if await in_thread(commit_ending)(run, ending, only_if=Run.Status.RUNNING):
        await seal(run, events)
        (swept.cancelled if ending.end.status == "cancelled" else swept.interrupted).append(run_id)


def _ending_of_dead(run: Run, events: Sequence[Stamped], first: int) -> Ending:
    cancelled = run.cancel_requested_at is not None
    reason: Reason = RUN_CANCELLED if cancelled else "worker_lost"
    saved = _saved(run)
    outbox = _outbox(run, saved, events)
    closing = close_out(events, reason=reason, locale=run.locale, now=time.time(), outbox=outbox)
    pending = None
    if not cancelled:
        pending = _recovery(run, saved.run.node if saved else "chat")
        closing += [event_of(pending), status_event(run.locale, "interrupt", "interrupted")]
    counts = _counts(events)
    closing.append(run_cancelled(counts) if cancelled else run_finished("interrupted", "interrupted", counts=counts))
    stamped = _stamped(run, closing, first)
    folder = Folder()
    for event in events:
        folder.feed(event)
    return Ending(stamped, fold_closing(folder, stamped), interaction=pending, counts=counts)


def _saved(run: Run) -> AgentState | None:
    """The state that was saved last, perhaps by an earlier run; an unreadable one must not hold up the sweep."""
    snapshot = snapshot_of(Conversation.objects.get(pk=run.conversation_id))
    try:
        return AgentState.from_document(snapshot.document) if snapshot else None
    except (UnknownVersion, ValueError):
        return None


def _outbox(run: Run, saved: AgentState | None, events: Sequence[Stamped]) -> list[Event]:
    """What tells of the writes this run committed: those of the draft are saved with their events, those of a class
    under a claim of their own."""
    if saved is None or saved.run.run_id != str(run.pk):
        return []
    outbox = read_outbox(saved.run.outbox)
    finished = {event.call_id for event in outbox if isinstance(event, ToolFinished)}
    for stamped in events:
        tool = stamped.event
        if isinstance(tool, ToolStarted) and tool.name == "upsert_task_class" and tool.call_id not in finished:
            claim = class_claim(saved, effect_key(saved, tool.name, tool.arguments))
            answer = task_class_write_answer(user_id=run.conversation.user_id, claim=claim)
            outbox += [class_written(tool, answer, run.locale)] if answer else []
    return outbox


def _recovery(run: Run, node: interactions.NodeName) -> interactions.PendingInteraction:
    """The offer to go on from the node that was saved last."""
    return recovery_offer(
        identity=str(uuid.uuid4()),
        node=node,
        block_id=f"interrupt.recover.{_earlier_recoveries(run) + 1}",
        locale=run.locale,
        now=timezone.now(),
        days=shared_limits().interaction_days,
    )


def _earlier_recoveries(run: Run) -> int:
    """Offers to recover already made in this goal: it reaches back over the runs that answers joined."""
    chain, current = [run.pk], run
    while current.continues_id and len(chain) < 100:
        current = Run.objects.get(pk=current.continues_id)
        chain.append(current.pk)
    return PendingInteraction.objects.filter(run__in=chain, type=PendingInteraction.Kind.CONNECTION_RECOVER).count()


def _counts(events: Sequence[Stamped]) -> Counts:
    """What the run has used as far as its log shows it: one model round for each `executing` status, at least one with
    a call."""
    shown = [stamped.event for stamped in events]
    rounds = sum(isinstance(event, StatusChanged) and event.code == "executing" for event in shown)
    called = any(isinstance(event, ToolFinished | ToolStarted) for event in shown)
    return Counts(max(rounds, int(called)), count_tool_calls(shown))


def _stamped(run: Run, events: Sequence[Event], first: int) -> list[Stamped]:
    place = {"run_id": str(run.pk), "conversation_id": str(run.conversation_id)}
    return [event.stamped(idx=first + i, ts=time.time(), **place) for i, event in enumerate(events)]

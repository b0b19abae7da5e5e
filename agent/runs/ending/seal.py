"""Ending a run (wire.md 5.4c, 5.5): everything is committed first, then the closing events are appended, then archived.

The closing events are stored with the run, so a process that dies in between changes nothing: the sweep appends them.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from redis import RedisError

from agent.loop import interactions
from agent.loop.events import ConfirmRequested, Event, InterruptRaised, Stamped
from agent.loop.output.endings import NO_COUNTS, Counts, RunEnd, read_end
from agent.loop.outside.model import FailedCall
from agent.models import PendingInteraction, Run
from agent.runs import questions
from agent.runs.timeline import rows
from agent.runs.timeline.fold import Folder, Item
from agent.store import archive
from agent.store.connection import async_client, patient_client
from agent.store.event_log import CAP, AppendRefused, EventLog
from agent.store.snapshots import SnapshotStore
from agent.store.threads import in_thread
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.telemetry.metrics import RUN_SECONDS, RUNS

FAILED_CALLS_KEPT = 20
APPEND_TRIES = 3


@dataclass(frozen=True)
class Ending:
    """Tells how a run leaves `queued` or `running`: `events` are stamped and end with the terminal event, which says
    how.

    `untold` are those before them that the log did not take.
    """

    events: Sequence[Stamped]
    items: Sequence[Item]
    untold: Sequence[Stamped] = ()
    interaction: interactions.OpenInteraction | None = None
    counts: Counts = NO_COUNTS
    failed_calls: Sequence[FailedCall] = ()

    @property
    def end(self) -> RunEnd:
        return read_end(stamped.event for stamped in self.events)


def stamped_from(run: Run, events: Sequence[Event], first: int) -> list[Stamped]:
    """Returns events of the run with the places of its log from `first` on."""
    place = {"run_id": str(run.pk), "conversation_id": str(run.conversation_id)}
    return [event.stamp(idx=first + i, ts=time.time(), **place) for i, event in enumerate(events)]


def fold_closing(folder: Folder, events: Sequence[Stamped]) -> list[Item]:
    """Returns the items the closing events complete, after what `folder` has seen."""
    return [item for item in map(folder.feed, events) if item is not None]


def commit_ending(run: Run, ending: Ending, *, only_if: str, now: datetime | None = None) -> bool:
    """Ends a run in one transaction; False when it is no longer in status `only_if` or another holds it."""
    now = now or timezone.now()
    if not run_transaction(lambda: _write_ending(run, ending, only_if, now)):
        return False
    run.refresh_from_db()
    _count(run, ending, now)
    return True


def _write_ending(run: Run, ending: Ending, only_if: str, now: datetime) -> bool:
    if not _leave(run, ending, only_if, now):
        return False
    row = questions.open_question(run, ending.interaction, now=now) if ending.interaction else None
    announced = (ConfirmRequested, InterruptRaised)
    kinds = {event.idx: isinstance(event.event, announced) for event in ending.events}
    for item in ending.items:
        rows.add_item(run, item, interaction=row if kinds.get(item.idx_to) else None)
    conversation = run.conversation
    SnapshotStore(patient_client()).keep(conversation.user_id, str(conversation.pk))
    return True


def _count(run: Run, ending: Ending, now: datetime) -> None:
    RUNS.labels(ending.end.status).inc()
    if run.started_at is not None:
        RUN_SECONDS.observe((now - run.started_at).total_seconds())


def _leave(run: Run, ending: Ending, only_if: str, now: datetime) -> bool:
    end = ending.end
    values: dict[str, Any] = {
        "status": end.status,
        "outcome": end.outcome,
        "outcome_code": end.code,
        "error_code": end.error[0],
        "error_message": end.error[1],
        "active_for": None,
        "finished_at": now,
        "lease_until": None,
        "next_idx": ending.events[-1].idx + 1,
        "closing": [event.to_document() for event in (*ending.untold, *ending.events)],
        "failed_calls": [call.to_document() for call in ending.failed_calls[-FAILED_CALLS_KEPT:]] or None,
        **vars(ending.counts),
    }
    return bool(Run.objects.filter(pk=run.pk, fence=run.fence, status=only_if).update(**values))


async def seal(run: Run, earlier: Sequence[Stamped] | None = None) -> None:
    """Appends the stored closing events unless they are there, archives the whole log and marks the run closed.

    `earlier` = all events before them, when the caller has them; otherwise the log is read, which may have lost some
    that it once took: the end is archived all the same.
    """
    log = EventLog(async_client())
    closing = [Stamped.from_document(document) for document in run.closing]
    if closing and not await _append_closing(log, run, closing):
        return
    events = await log.read(str(run.pk), 0, CAP) if earlier is None else earlier
    if closing:
        events = [*(stamped for stamped in events if stamped.idx < closing[0].idx), *closing]
    await in_thread(_close)(run, events)
    with suppress(RedisError, OSError):  # then it stays a day
        await log.retire(str(run.pk))


async def _append_closing(log: EventLog, run: Run, closing: Sequence[Stamped]) -> bool:
    """Appends what the log does not have of the closing events; False when the run is in other hands.

    An append whose answer was lost, or that is still under way, may come between the look and ours.
    """
    for _ in range(APPEND_TRIES):
        after = await log.next_idx(str(run.pk))
        missing = [stamped for stamped in closing if stamped.idx >= after]
        if not missing:
            return True
        try:
            await log.append(missing, fence=run.fence)
        except AppendRefused as refusal:
            if refusal.reason != "taken":
                return refusal.reason == "closed"
        else:
            return True
    return True


def _close(run: Run, events: Sequence[Stamped]) -> None:
    def effect() -> None:
        # The row of the run first: a row that names it locks it too, and the answer to its question may just arrive.
        Run.objects.filter(pk=run.pk, closed_at=None).update(closed_at=timezone.now())
        archive.put(run.pk, events)

    run_transaction(effect)


def cancel_question(row: PendingInteraction) -> bool:
    """Closes an open interaction because the student gave up on it."""
    return questions.answer_question(row, None, {}, status=PendingInteraction.Status.CANCELLED)

"""The ending of a run whose worker is gone: what it left open is closed, and the student is offered to go on."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence

from django.utils import timezone

from agent.loop import interactions
from agent.loop.errors import RUN_CANCELLED, UnknownVersion
from agent.loop.events import Stamped, StatusChanged, ToolFinished, ToolStarted
from agent.loop.output.endings import Counts, count_tool_calls, run_cancelled, run_finished
from agent.loop.output.questions import event_of, recovery_offer
from agent.loop.output.statuses import status_event
from agent.loop.state.agent_state import AgentState
from agent.models import Conversation, PendingInteraction, Run
from agent.runs.ending.seal import Ending, commit_ending, fold_closing, seal, stamped_from
from agent.runs.ending.untold_events import untold_events
from agent.runs.execution.deps import shared_limits
from agent.runs.timeline.close_out import Reason, close_out
from agent.runs.timeline.fold import Folder
from agent.selectors import snapshot_of
from agent.store.connection import async_client
from agent.store.event_log import CAP, EventLog
from agent.store.threads import in_thread
from agent.tools.default import default_registry

LOST_LOG_GAP = 5_000


async def close_dead_run(run: Run) -> str:
    """Ends a run that was taken from a dead worker: `interrupted`, `cancelled` when that was asked, "" when another
    caller did it."""
    run_id = str(run.pk)
    log = EventLog(async_client())
    await log.raise_fence(run_id, run.fence)
    events = await log.read(run_id, 0, CAP)
    first = events[-1].idx + 1 if events else 0
    if first < run.next_idx or not events:
        # The log has lost what was in it when the lease was renewed last: readers may have had it, and are told.
        first = run.next_idx + LOST_LOG_GAP
    ending = await in_thread(_ending_of_dead)(run, events, first)
    if not await in_thread(commit_ending)(run, ending, only_if=Run.Status.RUNNING):
        return ""
    await seal(run, events)
    return ending.end.status


def _ending_of_dead(run: Run, events: Sequence[Stamped], first: int) -> Ending:
    cancelled = run.cancel_requested_at is not None
    reason: Reason = RUN_CANCELLED if cancelled else "worker_lost"
    saved = _load_saved_state(run)
    outbox = untold_events(run, saved, events)
    closing = close_out(events, default_registry(), reason=reason, locale=run.locale, now=time.time(), outbox=outbox)
    pending = None
    if not cancelled:
        pending = _recovery(run, saved.run.node if saved else "chat")
        closing += [event_of(pending), status_event(run.locale, "interrupt", "interrupted")]
    counts = _counts(events)
    closing.append(run_cancelled(counts) if cancelled else run_finished("interrupted", "interrupted", counts=counts))
    stamped = stamped_from(run, closing, first)
    folder = Folder()
    for event in events:
        folder.feed(event)
    return Ending(stamped, fold_closing(folder, stamped), interaction=pending, counts=counts)


def _load_saved_state(run: Run) -> AgentState | None:
    """Loads the state that was saved last, perhaps by an earlier run; an unreadable one must not hold up the sweep."""
    snapshot = snapshot_of(Conversation.objects.get(pk=run.conversation_id))
    try:
        return AgentState.from_document(snapshot.document) if snapshot else None
    except (UnknownVersion, ValueError):
        return None


def _recovery(run: Run, node: interactions.NodeName) -> interactions.OpenInteraction:
    """Returns the offer to go on from the node that was saved last."""
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
    """Returns what the run has used as far as its log shows it: one model round for each `executing` status, at least
    one with a call."""
    shown = [stamped.event for stamped in events]
    rounds = sum(isinstance(event, StatusChanged) and event.code == "executing" for event in shown)
    called = any(isinstance(event, ToolFinished | ToolStarted) for event in shown)
    return Counts(max(rounds, int(called)), count_tool_calls(shown))

"""The ending of a run whose worker is gone: what it left open is closed, and the student is offered to go on."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence

from django.utils import timezone

from agent.loop import interactions
from agent.loop.errors import RUN_CANCELLED, UnknownVersion
from agent.loop.events import Event, Stamped, StatusChanged, ToolFinished, ToolStarted
from agent.loop.output.endings import Counts, count_tool_calls, run_cancelled, run_finished
from agent.loop.output.questions import event_of, recovery_offer
from agent.loop.output.statuses import status_event
from agent.loop.output.tool_events import tool_finished
from agent.loop.state import AgentState
from agent.loop.tool_call.pipeline import effect_key
from agent.models import Conversation, PendingInteraction, Run
from agent.runs.ending.close_out import Reason, close_out, read_outbox
from agent.runs.ending.seal import Ending, commit_ending, fold_closing, seal, stamped_from
from agent.runs.execution.deps import shared_limits
from agent.runs.execution.session import class_claim
from agent.runs.timeline.fold import Folder
from agent.selectors import snapshot_of
from agent.store.connection import async_client
from agent.store.event_log import CAP, EventLog
from agent.store.threads import in_thread
from agent.tools.default import default_registry
from taskclasses.selectors import task_class_write_answer

LOST_LOG_GAP = 5_000


async def close_dead_run(run: Run) -> str:
    """Ends a run that was taken from a dead worker: `interrupted`, `cancelled` when that was asked, "" when another
    caller did it."""
    run_id = str(run.pk)
    log = EventLog(async_client())
    await log.raise_fence(run_id, run.fence)
    events = await log.read(run_id, 0, CAP)
    first = events[-1].idx + 1 if events else run.next_idx + LOST_LOG_GAP
    ending = await in_thread(_ending_of_dead)(run, events, first)
    if not await in_thread(commit_ending)(run, ending, only_if=Run.Status.RUNNING):
        return ""
    await seal(run, events)
    return ending.end.status


def _ending_of_dead(run: Run, events: Sequence[Stamped], first: int) -> Ending:
    cancelled = run.cancel_requested_at is not None
    reason: Reason = RUN_CANCELLED if cancelled else "worker_lost"
    saved = _saved(run)
    outbox = _outbox(run, saved, events)
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
    started = [stamped.event for stamped in events if isinstance(stamped.event, ToolStarted)]
    return outbox + [told for tool in started if tool.call_id not in finished and (told := _written(run, saved, tool))]


def _written(run: Run, saved: AgentState, tool: ToolStarted) -> ToolFinished | None:
    """The result of a class write whose row was committed; None for any other call."""
    registry = default_registry()
    entry = registry.resolve(tool.name)
    if entry is None or entry.kind != "sql_write":
        return None
    claim = class_claim(saved, effect_key(saved, tool.name, tool.arguments))
    answer = task_class_write_answer(user_id=run.conversation.user_id, claim=claim)
    if not answer:
        return None
    created, arguments = bool(answer["created"]), tool.argument_view
    result = registry.committed(tool.call_id, entry, created=created, arguments=arguments, locale=run.locale)
    return tool_finished(tool.stage, result, duration_ms=0)


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

"""Executing a run: load the state, drive the loop, end the run whatever happens (architecture: hop 3)."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from uuid import UUID

from agent.drafts.held_draft import draft_bring_back
from agent.loop.errors import RUN_CANCELLED, HandedOver, LeaseLost, RunFailure
from agent.loop.events import Event
from agent.loop.interactions import Request
from agent.loop.output.endings import Counts, count_tool_calls, run_cancelled, run_failed
from agent.loop.run import LoopEnd, run_loop
from agent.loop.state.agent_state import AgentState
from agent.models import Run
from agent.runs.ending.untold_events import untold_events
from agent.runs.execution.deps import build_deps, build_request, build_tally, take_up
from agent.runs.execution.session import RunSession
from agent.runs.execution.whole import run_whole
from agent.runs.recording.journal import Recorder
from agent.runs.timeline.close_out import Reason, close_out, read_outbox
from agent.store import lease
from agent.store.threads import in_thread
from agent.tools.default import default_registry
from taskclasses.kernel.telemetry import log_context, tracing

logger = logging.getLogger("agent.runs")
CANCEL_GRACE_S = 4.0


async def run_execute(run_id: str | UUID, *, owner: str, leaving: Callable[[], bool] | None = None) -> None:
    """Takes a waiting run and executes it to its pause or end; does nothing when another worker has it.

    With `leaving` the run is handed over to another worker: behind its next saved step when that says so, at once when
    the task is cancelled. Without, cancelling ends the lease, and the sweep closes the run.
    """
    log_context.run_id.set(str(run_id))
    with tracing.begin("run", trace=UUID(str(run_id))):
        await _execute(run_id, owner, leaving)


async def _execute(run_id: str | UUID, owner: str, leaving: Callable[[], bool] | None) -> None:
    opening = asyncio.create_task(_open_session(run_id, owner, leaving))
    try:
        session = await asyncio.shield(opening)
        if session is not None:
            await _guard_run(session)
    except LeaseLost:
        logger.info("run %s is in other hands", run_id)
    except HandedOver:
        await run_whole(_give_up(opening))  # the time to drain may end just now
    except asyncio.CancelledError:
        await run_whole(_give_up(opening))
        raise
    except Exception:
        logger.exception("run %s could not be brought to its end", run_id)


async def _open_session(run_id: str | UUID, owner: str, leaving: Callable[[], bool] | None) -> RunSession | None:
    """Takes the run and reads its log; None when another has it."""
    taken = await in_thread(lease.take)(run_id, owner)
    if taken is None:
        return None
    session = RunSession(taken.run, taken_up=taken.taken_up, leaving=leaving)
    await session.begin()
    if taken.taken_up and not session.events:
        await in_thread(lease.release)(taken.run)  # its log is lost: only the student can decide to go on
        return None
    return session


async def _give_up(opening: asyncio.Task[RunSession | None]) -> None:
    """Lets go of a run. One that is just being taken is taken first: what is half taken nobody could go on with."""
    try:
        session = await opening
    except Exception:
        logger.exception("a run was not taken")
        return
    if session is not None:
        await session.give_up()


async def _guard_run(session: RunSession) -> None:
    """Runs the loop beside its watch: a lost lease stops the loop, a cancel it does not see in time cuts it off."""
    loop = asyncio.create_task(_run(session))
    watch = asyncio.create_task(session.watch())
    stopping: float | None = None
    try:
        while not loop.done():
            await asyncio.wait({loop, watch}, timeout=0.5, return_when=asyncio.FIRST_COMPLETED)
            if watch.done() and not loop.done():
                raise LeaseLost from watch.exception()
            if session.cancelled and stopping is None:
                stopping = time.monotonic()
            if stopping is not None and time.monotonic() - stopping > CANCEL_GRACE_S and not loop.done():
                await _cut_off_loop(session, loop)
                return
        await loop
    finally:
        for task in (loop, watch):
            task.cancel()
        await asyncio.gather(loop, watch, return_exceptions=True)


async def _cut_off_loop(session: RunSession, loop: asyncio.Task[None]) -> None:
    """Drops what the loop is doing and closes the run as cancelled."""
    loop.cancel()
    with suppress(asyncio.CancelledError, LeaseLost):
        await loop
    if session.run.status != Run.Status.RUNNING:
        return
    counts = Counts(total_tool_calls=count_tool_calls(stamped.event for stamped in session.events))
    await session.end([*_still_open(session, RUN_CANCELLED), run_cancelled(counts)], counts=counts)


async def _run(session: RunSession) -> None:
    recorder = Recorder(session.run)
    try:
        end = await _drive(session, recorder)
    except (LeaseLost, HandedOver, asyncio.CancelledError):
        raise
    except RunFailure as failure:
        logger.warning("run %s ends outside the loop with %s: %s", session.run.pk, failure.code, failure.detail[:500])
        await _end_broken(session, failure.code)
        return
    except Exception:
        logger.exception("run %s failed outside the loop", session.run.pk)
        await _end_broken(session)
        return
    await session.end(
        [*_still_open(session), *end.after_commit],
        interaction=end.interaction,
        counts=end.counts,
        failed_calls=end.failed_calls,
        record=recorder.store,
    )


async def _drive(session: RunSession, recorder: Recorder) -> LoopEnd:
    if not session.taken_up:
        await in_thread(draft_bring_back)(*session.owner)
    state = await session.load()
    if session.taken_up:
        request = await _take_up(session, state)
    else:
        request = await in_thread(build_request)(session.run)
    recorder.begin(state, request, session.events, session.tally)
    deps = recorder.wrap(await build_deps(session))
    end = await run_loop(state, request, deps)
    recorder.finish(state)
    return end


async def _take_up(session: RunSession, state: AgentState) -> Request:
    """Returns the request of a run that was handed over. What its worker wrote is told, what it left open is closed;
    speech of the step that is done again is withdrawn."""
    run, events = session.run, session.events
    session.tally = build_tally(run, events)
    untold = await in_thread(untold_events)(run, state, events)
    for event in _still_open(session, outbox=untold, withdraw=True):
        await session.emit(event)
    return await in_thread(take_up)(run, session.events)


def _still_open(session: RunSession, reason: Reason = "worker_lost", **more: Any) -> list[Event]:
    rest = {"outbox": read_outbox(session.outbox), "locale": session.locale, "now": time.time(), **more}
    return close_out(session.events, default_registry(), reason=reason, **rest)


async def _end_broken(session: RunSession, code: str = "internal_error") -> None:
    """Ends a run that broke outside the loop with a coded error, as the last resort."""
    await session.end([*_still_open(session), run_failed("chat", code, session.locale)])

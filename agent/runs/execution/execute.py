"""Executing a run: load the state, drive the loop, end the run whatever happens (architecture: hop 3)."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from uuid import UUID

from agent.loop.errors import RUN_CANCELLED, LeaseLost
from agent.loop.events import Event
from agent.loop.output.endings import Counts, count_tool_calls, run_cancelled, run_failed
from agent.loop.run import LoopEnd, run_loop
from agent.models import Run
from agent.runs.ending.close_out import Reason, close_out, read_outbox
from agent.runs.execution.deps import build_deps, build_request
from agent.runs.execution.session import RunSession
from agent.runs.recording.journal import Recorder
from agent.store import lease
from agent.store.threads import in_thread
from agent.tools.default import default_registry

logger = logging.getLogger("agent.runs")
CANCEL_GRACE_S = 4.0


async def run_execute(run_id: str | UUID, *, owner: str) -> None:
    """Takes a queued run and executes it to its pause or end; does nothing when another worker has it.

    Cancelling the task means an orderly shutdown: the lease ends at once and the run can be recovered.
    """
    run = await in_thread(lease.take_queued)(run_id, owner)
    if run is None:
        return
    session = RunSession(run)
    try:
        await session.begin()
        await _guard_run(session)
    except LeaseLost:
        logger.info("run %s is in other hands", run.pk)
    except asyncio.CancelledError:
        await asyncio.shield(session.give_up_lease())
        raise
    except Exception:
        logger.exception("run %s could not be brought to its end", run.pk)


async def _guard_run(session: RunSession) -> None:
    """The loop beside its watch: a lost lease stops the loop, a cancel it does not see in time cuts it off."""
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
    except (LeaseLost, asyncio.CancelledError):
        raise
    except Exception:
        logger.exception("run %s failed outside the loop", session.run.pk)
        await _end_broken(session)
        return
    await session.end(
        [*_still_open(session), *end.after_commit],
        interaction=end.interaction,
        counts=end.counts,
        failed_calls=end.failed_calls,
    )
    await recorder.store(session.events)


async def _drive(session: RunSession, recorder: Recorder) -> LoopEnd:
    state = await session.load()
    request = await in_thread(build_request)(session.run)
    recorder.begin(state, request)
    deps = recorder.wrap(await build_deps(session))
    end = await run_loop(state, request, deps)
    recorder.finish(state)
    return end


def _still_open(session: RunSession, reason: Reason = "worker_lost") -> list[Event]:
    outbox = read_outbox(session.outbox)
    return close_out(
        session.events, default_registry(), reason=reason, locale=session.locale, now=time.time(), outbox=outbox
    )


async def _end_broken(session: RunSession) -> None:
    """The last resort: a run that broke outside the loop still ends, with a coded error."""
    await session.end([*_still_open(session), run_failed("chat", "internal_error", session.locale)])

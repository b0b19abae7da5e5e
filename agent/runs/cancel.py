"""Stopping on request (wire.md 5.7): explicit only, final, and without effect on what has ended."""

from __future__ import annotations

import time

from django.utils import timezone

from agent.loop.output.endings import run_cancelled
from agent.models import PendingInteraction, Run
from agent.runs.ending.seal import Ending, cancel_question, commit_ending, fold_closing, seal
from agent.runs.start import append_opening
from agent.runs.timeline.fold import Folder
from agent.selectors import conversation_get, open_interaction, run_get
from agent.store import keys
from agent.store.connection import sync_client
from agent.store.threads import in_thread

CANCEL_TTL_S = 3600


async def run_cancel(*, user_id: int, run_id: str) -> Run:
    """Asks a run to stop; answers its row as it is now. Raises 40076."""
    run = await in_thread(run_get)(user_id, run_id)
    await _stop(run)
    return await in_thread(run_get)(user_id, run_id)


async def conversation_cancel(*, user_id: int, conversation_id: str) -> Run | None:
    """Cancels the active run, or the open interaction when none is active; None when there was nothing."""
    run = await in_thread(_target)(user_id, conversation_id)
    return None if run is None else await run_cancel(user_id=user_id, run_id=str(run.pk))


def _target(user_id: int, conversation_id: str) -> Run | None:
    conversation = conversation_get(user_id, conversation_id)
    active = Run.objects.filter(active_for=conversation).first()
    if active is not None:
        return active
    row = open_interaction(conversation.pk)
    return row.run if row else None


async def _stop(run: Run) -> None:
    if run.status == Run.Status.QUEUED and await _stop_queued(run):
        return
    if await in_thread(_request_stop)(run):
        return
    await in_thread(_close_question)(run)


async def _stop_queued(run: Run) -> bool:
    """Ends a run that nobody has taken. A worker that takes it meanwhile wins, and is asked to stop instead."""
    first = await append_opening(run)
    place = {"run_id": str(run.pk), "conversation_id": str(run.conversation_id)}
    closing = [run_cancelled().stamp(idx=len(first), ts=time.time(), **place)]
    ending = Ending(closing, fold_closing(Folder(), closing))
    if not await in_thread(commit_ending)(run, ending, only_if=Run.Status.QUEUED):
        return False
    await seal(run, first)
    return True


def _request_stop(run: Run) -> bool:
    """Leaves the request where the worker looks; True when a worker holds the run."""
    won = Run.objects.filter(pk=run.pk, status=Run.Status.RUNNING).update(cancel_requested_at=timezone.now())
    if won:
        sync_client().set(keys.cancel(str(run.pk)), 1, ex=CANCEL_TTL_S)
    return bool(won)


def _close_question(run: Run) -> None:
    """Closes the interaction a paused or lost run left open; an ended run without one stays as it is."""
    row = PendingInteraction.objects.filter(run=run, status=PendingInteraction.Status.OPEN).first()
    if row is not None:
        cancel_question(row)

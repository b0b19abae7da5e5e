"""Runs brought by hand into the state that a test starts from."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django.utils import timezone

from agent.loop import interactions
from agent.loop.events import Event, TextDelta, TextStarted
from agent.models import PendingInteraction, Run
from agent.runs import Ask
from agent.runs.execution.session import RunSession
from agent.runs.questions import open_question
from agent.runs.start import append_opening, run_create
from agent.store import lease
from agent.store.threads import in_thread
from taskclasses.kernel.times import rfc3339


def pause(run: Run, kind: str = "confirm", *, expires_in: timedelta = timedelta(days=7)) -> PendingInteraction:
    """The run as it is after it paused with a question."""
    subject = {"confirm": "tool", "ask_user": "question", "connection_recover": "recover"}[kind]
    expires_at = rfc3339(timezone.now() + expires_in)
    pending = interactions.OpenInteraction(
        id=str(uuid.uuid4()),
        type=kind,
        subject=subject,
        resume_node="execute",
        question="？",
        options=[interactions.AnswerOption(id="all", label="全部")] if kind == "ask_user" else [],
        block_id="execute.confirm.1",
        created_at=rfc3339(timezone.now()),
        expires_at=expires_at,
    )
    Run.objects.filter(pk=run.pk).update(status="waiting", active_for=None)
    return open_question(run, pending, now=timezone.now())


SPEAK = {"stage": "chat", "block_id": "chat.speak.1"}
HALF = (TextStarted(**SPEAK), TextDelta(**SPEAK, content="半句", index=1, elapsed=0.0))


async def queued(user: Any, message: str = "你好") -> Run:
    run = (await in_thread(run_create)(user.pk, Ask(message=message))).run
    await append_opening(run)
    return await in_thread(Run.objects.select_related("conversation").get)(pk=run.pk)


async def working(user: Any, *events: Event) -> RunSession:
    """A run in the hands of a worker that has emitted `events`."""
    run = await queued(user)
    held = await in_thread(lease.take_queued)(run.pk, "worker-1")
    assert held is not None
    session = RunSession(held)
    await session.begin()
    for event in events:
        await session.emit(event)
    await session.flush()
    return session


async def die(session: RunSession) -> None:
    await in_thread(lease.release)(session.run)

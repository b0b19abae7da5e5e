"""A run that pauses: its state is saved, then the row of its question is written, then the question is announced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from agent.loop.events import ConfirmRequested, Stamped
from agent.loop.state.agent_state import AgentState
from agent.models import PendingInteraction, Run
from agent.runs import Ask, questions, run_execute, run_follow, run_start
from agent.runs.execution.deps import shared_model
from agent.selectors import snapshot_of
from agent.store.event_log import EventLog
from agent.store.threads import in_thread
from schedules.services.demo import demo_load, demo_semester

pytestmark = pytest.mark.django_db(transaction=True)
CREATE = Ask(message="新建任务类「离散数学」，第5周到第8周，共4节，内容：集合、图")


@pytest.fixture
def planner(user: Any, settings: Any) -> Any:
    settings.AGENT_BACKEND = "offline"
    shared_model.cache_clear()
    demo_load(user=user, today=timezone.localdate(), semester=demo_semester(today=timezone.localdate()))
    yield user
    shared_model.cache_clear()


def saved_question(run: Run) -> str:
    """What the stored state of a run's conversation waits for."""
    snapshot = snapshot_of(run.conversation)
    assert snapshot is not None
    pending = AgentState.from_document(snapshot.document).run.pending
    return "" if pending is None else pending.id


def test_the_row_is_written_before_the_event_and_after_the_state(planner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, Any]] = []
    write, append = questions.open_question, EventLog.append

    def writing(run: Run, pending: Any, **rest: Any) -> PendingInteraction:
        seen.append(("saved", saved_question(run) == pending.id))
        return write(run, pending, **rest)

    async def appending(log: EventLog, events: Sequence[Stamped], **rest: Any) -> Any:
        for event in (stamped.event for stamped in events):
            if isinstance(event, ConfirmRequested):
                rows = PendingInteraction.objects.filter(pk=event.interaction_id, status="open", run__status="waiting")
                seen.append(("written", await in_thread(rows.exists)()))
        return await append(log, events, **rest)

    async def whole() -> tuple[Run, list[Stamped]]:
        run = (await run_start(user_id=planner.pk, ask=CREATE)).run
        await run_execute(run.pk, owner="worker")
        return run, [stamped async for stamped in run_follow(run)]

    monkeypatch.setattr(questions, "open_question", writing)
    monkeypatch.setattr(EventLog, "append", appending)
    run, log = async_to_sync(whole)()
    assert seen == [("saved", True), ("written", True)]
    assert [stamped.event.type for stamped in log].count("confirm.requested") == 1
    assert PendingInteraction.objects.get(open_for=run.conversation_id).run_id == run.pk

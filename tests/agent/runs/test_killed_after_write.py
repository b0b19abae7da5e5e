"""A worker killed between a saved write and the events that tell of it: the sweep tells what was saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from agent.loop.events import DraftUpdated, Event, ToolFinished
from agent.loop.state.agent_state import AgentState
from agent.models import Conversation, PendingInteraction, Run, TimelineItem
from agent.runs import Ask, InteractionAnswer, run_execute, run_follow, run_recover, run_start
from agent.runs.execution.deps import shared_model
from agent.runs.execution.session import RunSession
from agent.selectors import snapshot_of
from agent.store import lease
from agent.store.threads import in_thread
from schedules.services.demo import demo_load, demo_semester
from taskclasses.models import TaskClass, TaskClassWrite

pytestmark = pytest.mark.django_db(transaction=True)
BUILD = Ask(message="把概率论期中复习排进课表，只要初稿")
CREATE = Ask(message="新建任务类「离散数学」，第5周到第8周，共4节，内容：集合、图", always_execute=True)
FREE = Ask(message="以后周日都不学习", always_execute=True)


class Killed(BaseException):
    """The process is gone: nothing below may catch it."""


@pytest.fixture
def planner(user: Any, settings: Any) -> Any:
    settings.AGENT_BACKEND = "offline"
    shared_model.cache_clear()
    demo_load(user=user, today=timezone.localdate(), semester=demo_semester(today=timezone.localdate()))
    yield user
    shared_model.cache_clear()


async def swept(user: Any, ask: Ask) -> tuple[Run, list[Event]]:
    """Runs `ask` until the worker is killed, sweeps, and gives the run with everything its log tells."""
    run = (await run_start(user_id=user.pk, ask=ask)).run
    with pytest.raises(Killed):
        await run_execute(run.pk, owner="doomed")
    held = await in_thread(Run.objects.select_related("conversation").get)(pk=run.pk)
    await in_thread(lease.release)(held)
    assert (await run_recover(owner="sweeper")).interrupted == [str(run.pk)]
    return held, [stamped.event async for stamped in run_follow(held)]


async def gone_on(user: Any, lost: Run) -> tuple[Run, list[Event]]:
    """The run that takes the lost one up."""
    row = await in_thread(PendingInteraction.objects.get)(open_for=lost.conversation_id)
    answer = InteractionAnswer(str(row.pk), "resume", "connection_recover")
    run = (await run_start(user_id=user.pk, ask=Ask(conversation_id=str(lost.conversation_id), answer=answer))).run
    await run_execute(run.pk, owner="worker")
    ended = await in_thread(Run.objects.get)(pk=run.pk)
    return ended, [stamped.event async for stamped in run_follow(ended)]


def dies_before(monkeypatch: pytest.MonkeyPatch, doomed: Callable[[Event], bool]) -> None:
    """The worker dies when it is about to tell an event of this kind for the first time."""
    emit, alive = RunSession.emit, [True]

    async def dying(session: RunSession, event: Event) -> None:
        if alive[0] and doomed(event):
            alive[0] = False
            raise Killed
        await emit(session, event)

    monkeypatch.setattr(RunSession, "emit", dying)


def dies_before_saving(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker dies when it is about to save a document that tells of a write."""
    save = RunSession.save

    async def dying(session: RunSession, state: AgentState) -> None:
        if state.run.outbox:
            raise Killed
        await save(session, state)

    monkeypatch.setattr(RunSession, "save", dying)


def draft_of(conversation: Conversation) -> Any:
    snapshot = snapshot_of(conversation)
    assert snapshot is not None
    schedule = AgentState.from_document(snapshot.document).schedule
    assert schedule is not None
    return schedule


def of(events: list[Event], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


@pytest.mark.parametrize("kind", [ToolFinished, DraftUpdated])
def test_a_build_that_was_saved_is_told_as_done(
    planner: Any, monkeypatch: pytest.MonkeyPatch, kind: type[Event]
) -> None:
    async def whole() -> None:
        dies_before(monkeypatch, lambda event: isinstance(event, kind))
        lost, events = await swept(planner, BUILD)
        (result,), (updated,) = of(events, ToolFinished), of(events, DraftUpdated)
        draft = await in_thread(draft_of)(lost.conversation)
        placed = sorted(entry.source_id for entry in draft.items() if entry.status == "suggested")
        assert placed
        assert (result.status, result.success, result.error_code) == ("done", True, "")
        assert sorted(change["task_item_id"] for change in result.changes) == placed == updated.task_item_ids
        assert result.draft_revision == updated.revision == draft.revision
        items = TimelineItem.objects.filter(run=lost, kind__startswith="tool")
        assert await in_thread(lambda: [row.payload["status"] for row in items])() == ["done"]
        run, after = await gone_on(planner, lost)
        assert run.outcome == "completed"
        assert not of(after, ToolFinished)
        assert (await in_thread(draft_of)(lost.conversation)).revision == draft.revision

    async_to_sync(whole)()


def test_a_build_that_was_not_saved_is_told_as_failed(planner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def whole() -> None:
        with monkeypatch.context() as patched:
            dies_before_saving(patched)
            lost, events = await swept(planner, BUILD)
        (result,) = of(events, ToolFinished)
        assert (result.status, result.error_code) == ("failed", "worker_lost")
        assert not of(events, DraftUpdated)
        run, after = await gone_on(planner, lost)
        assert run.outcome == "completed"
        assert [event.status for event in of(after, ToolFinished)] == ["done"]

    async_to_sync(whole)()


@pytest.mark.parametrize("saved", [False, True])
def test_a_class_that_was_written_is_told_as_created_and_is_one(
    planner: Any, monkeypatch: pytest.MonkeyPatch, saved: bool
) -> None:
    """The row of the class is committed before the document: its claim tells when the document does not."""

    def classes() -> int:
        return TaskClass.objects.filter(name="离散数学").count()

    async def whole() -> None:
        with monkeypatch.context() as patched:
            if saved:
                dies_before(patched, lambda event: isinstance(event, ToolFinished))
            else:
                dies_before_saving(patched)
            lost, events = await swept(planner, CREATE)
        (result,) = of(events, ToolFinished)
        assert (result.status, result.summary, await in_thread(classes)()) == ("done", "任务类已创建", 1)
        run, _ = await gone_on(planner, lost)
        assert (run.outcome, await in_thread(classes)()) == ("completed", 1)

    async_to_sync(whole)()


@pytest.mark.parametrize("saved", [False, True])
def test_classes_that_were_written_together_are_told_as_updated_and_written_once(
    planner: Any, monkeypatch: pytest.MonkeyPatch, saved: bool
) -> None:
    def free_days() -> list[list[int]]:
        return [row.excluded_days_of_week for row in TaskClass.objects.filter(user=planner)]

    def writes() -> int:
        return TaskClassWrite.objects.filter(user=planner).count()

    async def whole() -> None:
        with monkeypatch.context() as patched:
            if saved:
                dies_before(patched, lambda event: isinstance(event, ToolFinished))
            else:
                dies_before_saving(patched)
            lost, events = await swept(planner, FREE)
        (result,) = of(events, ToolFinished)
        assert (result.status, result.summary) == ("done", "任务类已更新")
        assert all(7 in days for days in await in_thread(free_days)())
        run, _ = await gone_on(planner, lost)
        assert (run.status, await in_thread(writes)()) == ("succeeded", 1)

    async_to_sync(whole)()

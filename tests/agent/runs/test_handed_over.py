"""A run that its worker leaves is taken up by another and ends as it would have: same run, same log, same draft."""

from __future__ import annotations

import asyncio
import gc
import time
from typing import Any

import pytest
from asgiref.sync import async_to_sync

from agent.loop.errors import LeaseLost
from agent.loop.events import Event, RunFinished, Stamped
from agent.models import PendingInteraction, Run, RunJournal, TimelineItem
from agent.runs import Ask, run_cancel, run_execute, run_follow, run_recover, run_start
from agent.runs.execution.session import RunSession
from agent.runs.execution.whole import run_whole
from agent.runs.recording.journal import load_journal
from agent.runs.recording.replay import first_difference, opening_of, parted_state, replay
from agent.store import lease
from agent.store.connection import async_client
from agent.store.event_log import EventLog
from agent.store.threads import in_thread, store_threads
from tests.kits.agent.plans import MESSAGE, draft_of, run_to_end
from tests.kits.agent.runs import HALF, working

pytestmark = pytest.mark.django_db(transaction=True)


class Leaving:
    """A worker that is told to leave before its loop asks for the `place`-th time."""

    def __init__(self, place: int) -> None:
        self.place, self.asked = place, 0

    def __call__(self) -> bool:
        self.asked += 1
        return self.asked >= self.place


async def left(user: Any, leaving: Leaving) -> Run:
    """A run whose first worker was leaving."""
    run = (await run_start(user_id=user.pk, ask=Ask(message=MESSAGE))).run
    await run_execute(run.pk, owner="first", leaving=leaving)
    return run


async def cut(user: Any, place: int, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run that was cut just before event number `place` of the loop."""
    emit, count = RunSession.emit, 0

    async def cutting(session: RunSession, event: Event) -> None:
        nonlocal count
        count += 1
        if count == place:
            raise asyncio.CancelledError
        await emit(session, event)

    with monkeypatch.context() as patched:
        patched.setattr(RunSession, "emit", cutting)
        run = (await run_start(user_id=user.pk, ask=Ask(message=MESSAGE))).run
        with pytest.raises(asyncio.CancelledError):
            await run_execute(run.pk, owner="first", leaving=lambda: False)
    return run


async def finished(run: Run) -> tuple[Run, list[Stamped]]:
    """The run after a second worker took it, with all its events."""
    row = await in_thread(Run.objects.get)(pk=run.pk)
    assert (row.status, row.lease_owner) == ("running", "")
    await run_execute(run.pk, owner="second", leaving=lambda: False)
    row = await in_thread(Run.objects.select_related("conversation").get)(pk=run.pk)
    return row, [stamped async for stamped in run_follow(row)]


async def nothing(event: Any) -> None:
    """A reader that looks away."""


async def in_order(run: Run, events: list[Stamped]) -> None:
    """One log without gaps, a timeline without gaps, nothing asked, and a record that plays again."""
    assert (run.status, run.outcome) == ("succeeded", "completed")
    assert [stamped.idx for stamped in events] == list(range(len(events)))
    seqs = TimelineItem.objects.filter(conversation=run.conversation_id).order_by("seq").values_list("seq", flat=True)
    assert await in_thread(list)(seqs) == list(range(1, len(seqs) + 1))
    assert not await in_thread(PendingInteraction.objects.filter(conversation=run.conversation_id).exists)()
    journal = load_journal(await in_thread(RunJournal.objects.get)(run=run))
    again = await replay(journal, seen=nothing)
    assert first_difference(journal["events"][opening_of(journal) :], again.events) == ""
    assert parted_state(journal, again) == ""


def shown(events: list[Stamped]) -> list[tuple[str, str]]:
    return [(stamped.event.type, stamped.event.block_id) for stamped in events]


def counts(events: list[Stamped]) -> tuple[int, int, int]:
    finish = events[-1].event
    assert isinstance(finish, RunFinished)
    return finish.total_iterations, finish.total_tool_calls, finish.auto_fix_attempts


async def unbroken(user: Any) -> tuple[Any, list[Stamped]]:
    run = await run_to_end(user, Ask(message=MESSAGE))
    return await in_thread(draft_of)(run.conversation), [stamped async for stamped in run_follow(run)]


def test_a_run_left_behind_any_step_tells_what_it_would_have_told(planner: Any) -> None:
    async def whole() -> None:
        expected, told = await unbroken(planner)
        places = 0
        while (leaving := Leaving(places + 1)) and (run := await left(planner, leaving)):
            if leaving.asked < leaving.place:
                break
            places += 1
            row, events = await finished(run)
            await in_order(row, events)
            assert shown(events) == shown(told), f"left when asked for the {places}th time"
            assert counts(events) == counts(told)
            assert await in_thread(draft_of)(row.conversation) == expected
        assert places > 2

    async_to_sync(whole)()


def test_a_run_cut_anywhere_comes_to_the_same_draft(planner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def whole() -> None:
        expected, told = await unbroken(planner)
        for place in range(1, len(told) - 1, 3):
            row, events = await finished(await cut(planner, place, monkeypatch))
            await in_order(row, events)
            begun = [block for kind, block in shown(events) if kind in ("text.started", "tool.started")]
            assert len(begun) == len(set(begun)), "no number is used twice"
            assert await in_thread(draft_of)(row.conversation) == expected, f"cut before event {place}"

    async_to_sync(whole)()


async def test_speech_that_will_be_said_anew_is_withdrawn(user: Any, settings: Any) -> None:
    settings.AGENT_BACKEND = "offline"
    session = await working(user, *HALF)
    session.leaving = lambda: True
    await session.give_up()
    _, events = await finished(session.run)
    ended = [stamped.event for stamped in events if stamped.event.type == "text.ended"]
    assert [event.superseded for event in ended] == [True, False]
    said = TimelineItem.objects.filter(run=session.run, kind="assistant_text")
    assert await in_thread(said.count)() == 1


async def test_one_worker_takes_a_run_that_was_handed_over(user: Any) -> None:
    session = await working(user)
    session.leaving = lambda: True
    await session.give_up()
    taken = [await in_thread(lease.take)(session.run.pk, name) for name in ("a", "b")]
    assert [found.taken_up if found else None for found in taken] == [True, None]


async def test_who_has_left_can_write_nothing_more(user: Any) -> None:
    session = await working(user)
    session.leaving = lambda: True
    await session.give_up()
    assert not await in_thread(lease.renew)(session.run, next_idx=9)
    assert not await in_thread(lease.hand_over)(session.run, next_idx=9, used={})


async def test_the_sweep_tells_of_a_run_that_was_handed_over(user: Any) -> None:
    session = await working(user)
    session.leaving = lambda: True
    await session.give_up()
    assert (await run_recover(owner="sweeper")).woken == [str(session.run.pk)]


async def test_what_nobody_takes_up_is_offered_to_the_student(user: Any) -> None:
    session = await working(user, *HALF)
    session.leaving = lambda: True
    await session.give_up()
    await in_thread(Run.objects.update)(lease_until=None)
    await in_thread(Run.objects.update)(lease_until=session.run.created_at - lease.QUEUE_WAIT)
    assert (await run_recover(owner="sweeper")).interrupted == [str(session.run.pk)]
    assert await in_thread(PendingInteraction.objects.filter(type="connection_recover").count)() == 1


async def test_a_run_whose_log_is_lost_is_not_taken_up(user: Any) -> None:
    session = await working(user, *HALF)
    session.leaving = lambda: True
    await session.give_up()
    await EventLog(async_client()).forget(str(session.run.pk))
    await run_execute(session.run.pk, owner="second")
    assert (await run_recover(owner="sweeper")).interrupted == [str(session.run.pk)]


async def test_a_cancel_between_two_workers_is_seen_by_the_second(user: Any, settings: Any) -> None:
    settings.AGENT_BACKEND = "offline"
    session = await working(user)
    session.leaving = lambda: True
    await session.give_up()
    await run_cancel(user_id=user.pk, run_id=str(session.run.pk))
    await run_execute(session.run.pk, owner="second")
    row = await in_thread(Run.objects.get)(pk=session.run.pk)
    assert (row.status, row.outcome_code) == ("cancelled", "run_cancelled")


@pytest.mark.asyncio
@pytest.mark.parametrize("seconds", [0.0, 0.002, 0.005, 0.01, 0.02, 0.05])
async def test_a_worker_that_is_cut_while_it_takes_a_run_leaves_it_to_another(user: Any, seconds: float) -> None:
    run = (await run_start(user_id=user.pk, ask=Ask(message="你好"))).run
    executing = asyncio.create_task(run_execute(run.pk, owner="first", leaving=lambda: False))
    await asyncio.sleep(seconds)
    executing.cancel()
    await asyncio.gather(executing, return_exceptions=True)
    await run_execute(run.pk, owner="second", leaving=lambda: False)
    row = await in_thread(Run.objects.get)(pk=run.pk)
    assert (row.status, row.outcome) == ("succeeded", "completed")


@pytest.mark.asyncio
async def test_a_worker_that_is_cut_while_it_hands_a_run_over_leaves_it_to_another(user: Any, settings: Any) -> None:
    run = (await run_start(user_id=user.pk, ask=Ask(message="你好"))).run

    def leaving() -> bool:
        for _ in range(settings.STORE_THREADS):
            store_threads().submit(time.sleep, 0.1)  # the stores are busy: the hand-over has to wait
        asyncio.get_running_loop().call_later(0.05, executing.cancel)
        return True

    executing = asyncio.create_task(run_execute(run.pk, owner="first", leaving=leaving))
    await asyncio.gather(executing, return_exceptions=True)
    await run_execute(run.pk, owner="second", leaving=lambda: False)
    row = await in_thread(Run.objects.get)(pk=run.pk)
    assert (row.status, row.outcome) == ("succeeded", "completed")


@pytest.mark.storeless
async def test_a_step_that_loses_its_lease_as_it_is_left_is_no_error_of_the_loop() -> None:
    """A worker that was frozen leaves many such steps when it goes on."""
    told: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context))
    begun = asyncio.Event()

    async def step() -> None:
        begun.set()
        await asyncio.sleep(0.01)
        raise LeaseLost

    left_behind = asyncio.create_task(run_whole(step()))
    await begun.wait()
    left_behind.cancel()
    with pytest.raises(asyncio.CancelledError):
        await left_behind
    del left_behind
    gc.collect()
    await asyncio.sleep(0)
    assert told == []

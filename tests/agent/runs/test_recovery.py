"""The sweep closes what died, seals what was cut short, and reads go on across a lost log."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.management import call_command
from django.utils import timezone

from agent.loop.errors import DraftConflict, LeaseLost
from agent.loop.events import RunFinished, StatusChanged, TextDelta, TextEnded
from agent.loop.state.agent_state import AgentState
from agent.models import PendingInteraction, Run, TimelineItem
from agent.runs import Ask, InteractionAnswer, anything_left, run_cancel, run_follow, run_page, run_recover
from agent.runs.ending.seal import Ending, commit_ending
from agent.runs.execution.deps import shared_limits
from agent.runs.recovery.dead_run import LOST_LOG_GAP
from agent.runs.start import run_create
from agent.selectors import open_interaction_json
from agent.store import keys, lease
from agent.store.archive import archives
from agent.store.connection import async_client, sync_client
from agent.store.event_log import RETIRED_S, EventLog
from agent.store.snapshots import SnapshotStore
from agent.store.threads import in_thread
from tests.kits.agent.runs import HALF, SPEAK, die, queued, working

pytestmark = pytest.mark.django_db(transaction=True)


async def seen(run: Run, start: int = 0) -> list[Any]:
    return [stamped async for stamped in run_follow(run, start=start)]


async def test_a_dead_worker_leaves_an_offer_to_go_on(user: Any) -> None:
    session = await working(user, *HALF)
    await die(session)
    swept = await run_recover(owner="sweeper")
    assert swept.interrupted == [str(session.run.pk)]
    run = await in_thread(Run.objects.get)(pk=session.run.pk)
    assert (run.status, run.outcome, run.active_for_id) == ("interrupted", "interrupted", None)
    types = [stamped.event.type for stamped in await seen(run)]
    assert types == [
        "message.started",
        "text.started",
        "text.delta",
        "text.ended",
        "interrupt.raised",
        "status.changed",
        "run.finished",
    ]
    offer = await in_thread(open_interaction_json)(run.conversation_id)
    assert offer is not None
    assert (offer["type"], offer["run_id"]) == ("connection_recover", str(run.pk))
    assert (await run_recover(owner="other")).empty
    kinds = [kind async for kind in TimelineItem.objects.order_by("seq").values_list("kind", flat=True)]
    assert kinds == ["user_text", "assistant_text", "interrupt"]


async def test_a_clock_that_was_set_back_holds_no_dead_worker_alive(user: Any) -> None:
    session = await working(user, *HALF)
    ahead = timezone.now() + timedelta(hours=1)
    await Run.objects.aupdate(lease_until=ahead)
    assert (await run_recover(owner="sweeper")).empty
    run = await in_thread(Run.objects.get)(pk=session.run.pk)
    assert run.lease_until is not None
    assert run.lease_until < timezone.now() + timedelta(seconds=21)
    assert await in_thread(lease.renew)(session.run, next_idx=3)  # who lives goes on
    await die(session)
    assert (await run_recover(owner="sweeper")).interrupted == [str(session.run.pk)]


async def test_a_run_that_waits_since_before_a_clock_was_set_back_is_woken(user: Any) -> None:
    run = await queued(user)
    late = timezone.now() + timedelta(hours=1)
    await Run.objects.aupdate(created_at=late, lease_until=late)
    await run_recover(owner="sweeper")
    soon = timezone.now() + timedelta(seconds=4)
    assert (await run_recover(owner="sweeper", now=soon)).woken == [str(run.pk)]
    gone = timezone.now() + timedelta(seconds=121)
    assert (await run_recover(owner="sweeper", now=gone)).abandoned == [str(run.pk)]


@pytest.fixture
def one_day(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Open questions live for one day."""
    monkeypatch.setenv("AGENT_LIMIT_INTERACTION_DAYS", "1")
    shared_limits.cache_clear()
    yield
    shared_limits.cache_clear()


@pytest.mark.usefixtures("one_day")
async def test_the_offer_lives_as_long_as_the_limit_of_interactions_says(user: Any) -> None:
    session = await working(user)
    await die(session)
    await run_recover(owner="sweeper")
    offer = await in_thread(open_interaction_json)(session.run.conversation_id)
    assert offer is not None
    lifetime = datetime.fromisoformat(offer["expires_at"]) - datetime.fromisoformat(offer["created_at"])
    assert lifetime == timedelta(days=1)
    swept = await run_recover(owner="sweeper", now=timezone.now() + timedelta(days=1, seconds=1))
    assert len(swept.expired) == 1


async def test_an_interrupted_run_has_the_counts_its_last_event_tells(user: Any) -> None:
    step = StatusChanged(stage="execute", block_id="execute.status", code="executing", summary="正在处理")
    session = await working(user, step)
    await die(session)
    await run_recover(owner="sweeper")
    run = await in_thread(Run.objects.get)(pk=session.run.pk)
    finish = (await seen(run))[-1].event
    assert (finish.total_iterations, run.total_iterations) == (1, 1)


async def test_a_worker_that_wakes_up_late_cannot_write(user: Any) -> None:
    session = await working(user)
    state = await session.load()
    await session.save(state)
    await die(session)
    await run_recover(owner="sweeper")
    with pytest.raises(LeaseLost):
        await session.emit(HALF[0])
    with pytest.raises(LeaseLost):
        await session.save(AgentState.fresh(conversation_id=session.owner[1], user_id=user.pk))


async def test_a_state_that_did_not_change_is_compared_and_not_sent_again(user: Any) -> None:
    session = await working(user)
    state = await session.load()
    await session.save(state)
    saved = state.revision
    await session.save(state)
    assert state.revision == saved
    document = state.to_document()
    others = {**document, "draft": {**document["draft"], "built": [1]}}
    store = SnapshotStore(sync_client())
    await in_thread(store.save)(*session.owner, others, expected=saved)
    with pytest.raises(DraftConflict):
        await session.save(state)


async def test_a_piece_of_a_late_worker_is_refused_at_the_latest_when_it_saves(user: Any) -> None:
    session = await working(user, HALF[0])
    state = await session.load()
    await die(session)
    await run_recover(owner="sweeper")
    told = await seen(session.run)
    await session.emit(HALF[1])
    with pytest.raises(LeaseLost):
        await session.save(state)
    assert await seen(session.run) == told


async def test_what_a_worker_leaves_behind_is_in_the_log(user: Any) -> None:
    """Pieces that were under way when it was told to go are there for whoever takes the run."""
    session = await working(user, HALF[0])
    session.leaving = lambda: True
    for index in range(1, 11):
        await session.emit(TextDelta(**SPEAK, content=f"{index} ", index=index, elapsed=0.0))
    await session.give_up()
    log = EventLog(async_client())
    assert await log.next_idx(str(session.run.pk)) == session.next_idx


async def test_recovery_starts_a_run_that_points_to_the_lost_one(user: Any) -> None:
    session = await working(user)
    await die(session)
    await run_recover(owner="sweeper")
    row = await in_thread(PendingInteraction.objects.get)()
    ask = Ask(conversation_id=str(row.conversation_id), answer=InteractionAnswer(str(row.pk), "resume"))
    run = (await in_thread(run_create)(user.pk, ask)).run
    assert run.continues_id == session.run.pk
    lost = await in_thread(Run.objects.get)(pk=session.run.pk)
    assert lost.status == "interrupted"


async def test_a_cancel_the_dead_worker_never_saw_still_cancels(user: Any) -> None:
    session = await working(user)
    await run_cancel(user_id=user.pk, run_id=str(session.run.pk))
    await die(session)
    swept = await run_recover(owner="sweeper")
    assert swept.cancelled == [str(session.run.pk)]
    assert not await in_thread(PendingInteraction.objects.exists)()


async def test_a_queued_run_is_cancelled_at_once(user: Any) -> None:
    run = await queued(user)
    ended = await run_cancel(user_id=user.pk, run_id=str(run.pk))
    assert (ended.status, ended.outcome_code, ended.active_for_id) == ("cancelled", "run_cancelled", None)
    assert [stamped.event.type for stamped in await seen(ended)] == ["message.started", "run.finished"]
    assert await in_thread(lease.take_queued)(run.pk, "late") is None


async def test_nobody_took_the_run_in_time(user: Any) -> None:
    run = await queued(user)
    swept = await run_recover(owner="sweeper", now=timezone.now() + lease.QUEUE_WAIT + timedelta(seconds=1))
    assert swept.abandoned == [str(run.pk)]
    failed = await in_thread(Run.objects.get)(pk=run.pk)
    assert (failed.status, failed.error_code) == ("failed", "50009")
    assert (await seen(failed))[-1].event.code == "50009"


@pytest.mark.parametrize("later", [timedelta(seconds=10), -timedelta(hours=1)], ids=["later", "a clock set back"])
async def test_the_sweep_appends_an_ending_that_was_only_committed(user: Any, later: timedelta) -> None:
    session = await working(user)
    finish = RunFinished(stage="deliver", block_id="deliver.finish", run_status="succeeded", outcome="completed")
    closing = session.stamp([finish])
    ending = Ending(events=closing, items=[])
    assert await in_thread(commit_ending)(session.run, ending, only_if="running")
    swept = await run_recover(owner="sweeper", now=timezone.now() + later)
    assert swept.sealed == [str(session.run.pk)]
    assert (await seen(session.run))[-1] == closing[0]
    assert (await run_recover(owner="sweeper", now=timezone.now() + later)).sealed == []


async def test_an_old_question_expires_and_cancels_its_run(user: Any) -> None:
    session = await working(user)
    await die(session)
    await run_recover(owner="sweeper")
    swept = await run_recover(owner="sweeper", now=timezone.now() + timedelta(days=8))
    assert len(swept.expired) == 1
    row = await in_thread(PendingInteraction.objects.get)()
    assert (row.status, row.open_for_id) == ("expired", None)


async def test_a_lost_log_is_bridged_by_the_timeline(user: Any) -> None:
    session = await working(user, *HALF)
    await in_thread(lease.renew)(session.run, next_idx=session.next_idx)
    await EventLog(async_client()).forget(str(session.run.pk))
    await die(session)
    await run_recover(owner="sweeper")
    run = await in_thread(Run.objects.select_related("conversation").get)(pk=session.run.pk)
    events = await seen(run, start=1)
    first = events[0].event
    assert first.type == "stream.reset"
    assert events[0].idx == first.folded_to == session.next_idx + LOST_LOG_GAP - 1
    assert [event.idx for event in events] == list(range(events[0].idx, events[0].idx + len(events)))
    assert [item["kind"] for item in first.items] == ["user_text"]
    assert first.run_status == "interrupted"
    page = await run_page(run, start=0, limit=1)
    assert page.events[0].event.type == "stream.reset"


async def test_the_end_of_a_log_that_redis_forgot_is_bridged_for_every_reader(user: Any) -> None:
    """A Redis that is killed may have forgotten its last second, and the worker dies with it."""
    session = await working(user, *HALF)
    for index in range(2, 6):
        await session.emit(TextDelta(**SPEAK, content="。", index=index, elapsed=0.0))
    await session.flush()
    await in_thread(lease.renew)(session.run, next_idx=session.next_idx)
    await forget_newest(str(session.run.pk), 3)
    await die(session)
    await run_recover(owner="sweeper")
    run = await in_thread(Run.objects.select_related("conversation").get)(pk=session.run.pk)
    whole = await seen(run)
    kept, behind = whole[: session.next_idx - 3], whole[session.next_idx - 3 :]
    assert [event.idx for event in kept] == list(range(session.next_idx - 3))
    assert (behind[0].event.type, behind[0].event.folded_from) == ("stream.reset", session.next_idx - 3)
    assert behind[0].idx == session.next_idx + LOST_LOG_GAP - 1
    assert [event.idx for event in behind] == list(range(behind[0].idx, behind[0].idx + len(behind)))
    # Who had what Redis forgot goes on from there.
    ahead = await seen(run, start=session.next_idx)
    assert ([event.event.type for event in ahead], ahead[1:]) == ([e.event.type for e in behind], behind[1:])
    pages, offset = [], 0
    while not pages or pages[-1].has_more:
        pages.append(await run_page(run, start=offset, limit=100))
        offset = pages[-1].next_offset
    assert [event.idx for page in pages for event in page.events] == [event.idx for event in whole]


async def test_an_ending_behind_a_log_that_forgot_is_bridged(user: Any) -> None:
    """The worker had committed the end before it died; the sweep appends it where the log no longer reaches."""
    session = await working(user, *HALF)
    finish = RunFinished(stage="deliver", block_id="deliver.finish", run_status="succeeded", outcome="completed")
    closing = session.stamp([finish])
    assert await in_thread(commit_ending)(session.run, Ending(events=closing, items=[]), only_if="running")
    await forget_newest(str(session.run.pk), 1)
    await run_recover(owner="sweeper", now=timezone.now() + timedelta(seconds=10))
    run = await in_thread(Run.objects.select_related("conversation").get)(pk=session.run.pk)
    types = [event.event.type for event in await seen(run)]
    assert types == ["message.started", "text.started", "stream.reset", "run.finished"]


async def forget_newest(run_id: str, count: int) -> None:
    """The log as it was some events before."""
    client = async_client()
    end = await EventLog(client).next_idx(run_id) - count
    await client.xdel(keys.events(run_id), *(f"0-{idx + 1}" for idx in range(end, end + count)))
    await client.hset(keys.meta(run_id), "next", end)


async def test_a_trimmed_live_log_gives_the_open_block(user: Any) -> None:
    session = await working(user)
    session._writer.log = EventLog(async_client(), cap=5)
    await session.emit(HALF[0])
    for index in range(1, 11):
        await session.emit(TextDelta(**SPEAK, content=f"{index} ", index=index, elapsed=0.0))
    await session.flush()
    page = await run_page(session.run, start=0, limit=10)
    reset = page.events[0]
    assert (len(page.events), reset.idx) == (1, session.next_idx - 1)
    expected = {"kind": "assistant_text", "block_id": "chat.speak.1", "content": "1 2 3 4 5 6 7 8 9 10 ", "index": 10}
    assert reset.event.open_block == expected


async def test_events_are_equal_live_and_from_the_archive(user: Any) -> None:
    session = await working(user, *HALF)
    live = await EventLog(async_client()).read(str(session.run.pk), 0, 100)
    await die(session)
    await run_recover(owner="sweeper")
    await EventLog(async_client()).forget(str(session.run.pk))
    archived = await seen(session.run)
    assert archived[: len(live)] == live
    assert archived[-1].terminal


async def test_a_lease_that_is_not_renewed_while_the_run_ends_is_not_lost(user: Any, settings: Any) -> None:
    settings.AGENT_LEASE_S = 0.1
    session = await working(user)
    watch = asyncio.create_task(session.watch())

    async def record(events: Any) -> None:
        await asyncio.sleep(0.5)
        assert not watch.done()

    finish = RunFinished(stage="deliver", block_id="deliver.finish", run_status="succeeded", outcome="completed")
    await session.end([finish], record=record)
    assert (await seen(session.run))[-1].terminal
    watch.cancel()


async def test_the_log_of_an_ended_run_goes_soon_and_nobody_misses_it(user: Any) -> None:
    session = await working(user, *HALF)
    finish = RunFinished(stage="deliver", block_id="deliver.finish", run_status="succeeded", outcome="completed")
    await session.end([finish])
    told, name = await seen(session.run), keys.events(str(session.run.pk))
    assert 0 < await async_client().ttl(name) <= RETIRED_S
    await async_client().delete(name)
    archives._held.clear()
    assert await seen(session.run) == told
    assert not await anything_left(session.run, start=len(told))
    page = await run_page(session.run, start=1, limit=2)
    assert ([event.idx for event in page.events], page.has_more) == ([1, 2], True)


async def test_rows_are_committed_before_their_closing_event(user: Any) -> None:
    """At the moment a reader sees the terminal event, the claim is free and the row final."""
    session = await working(user)
    finish = RunFinished(stage="deliver", block_id="deliver.finish", run_status="succeeded", outcome="completed")
    ending = asyncio.create_task(session.end([finish]))
    terminal = await anext(run_follow(session.run, start=session.next_idx))
    row = await in_thread(Run.objects.get)(pk=session.run.pk)
    await ending
    assert terminal.terminal
    assert (row.status, row.active_for_id) == ("succeeded", None)


async def test_a_timeline_row_is_there_when_its_event_is(user: Any) -> None:
    session = await working(user, *HALF)
    emitting = asyncio.create_task(session.emit(TextEnded(**SPEAK, full_content="半句")))
    await anext(run_follow(session.run, start=session.next_idx))
    assert await in_thread(TimelineItem.objects.filter(run=session.run, kind="assistant_text").count)() == 1
    await emitting


def test_the_command_sweeps_once(user: Any, capsys: pytest.CaptureFixture[str]) -> None:
    session = async_to_sync(working)(user, *HALF)
    async_to_sync(die)(session)
    call_command("runs_recover")
    assert f"interrupted {session.run.pk}" in capsys.readouterr().out
    call_command("runs_recover")
    assert "nothing to recover" in capsys.readouterr().out


async def test_an_ended_run_has_nothing_left_though_it_is_not_archived_yet(user: Any) -> None:
    """A reader that reconnects on seeing the end must be told 204, not be kept waiting for the archive; who polls once
    more is told the end again."""
    session = await working(user)
    assert await anything_left(session.run, start=1)
    assert not (await run_page(session.run, start=1, limit=10)).complete
    finish = RunFinished(
        stage="deliver", block_id="deliver.finish", run_status="succeeded", outcome="completed", outcome_code=""
    )
    await EventLog(async_client()).append(session.stamp([finish]), fence=session.run.fence)
    assert await anything_left(session.run, start=1)
    assert not await anything_left(session.run, start=2)
    pages = [await run_page(session.run, start=start, limit=10) for start in (1, 2, 10_000)]
    assert [(len(page.events), page.next_offset, page.complete) for page in pages] == [
        (1, 2, True),
        *[(0, 2, True)] * 2,
    ]

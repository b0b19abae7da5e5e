"""The log was away while a run ended: what it did not take is told by whoever closes the run, in its order."""

from __future__ import annotations

import itertools
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from redis import RedisError

from agent.models import Run
from agent.runs import Ask, run_execute, run_follow, run_recover, run_start
from agent.store import keys
from agent.store.connection import async_client
from agent.store.event_log import EventLog
from agent.store.threads import in_thread
from tests.kits.agent.plans import MESSAGE

pytestmark = pytest.mark.django_db(transaction=True)


async def told_by_the_sweep(user: Any, place: int, monkeypatch: pytest.MonkeyPatch, *, taken: bool) -> list[Any] | None:
    """The events of a run whose log answers no append from the `place`-th on; None when it had fewer.

    With `taken` it takes the first of those, and only the answer is lost.
    """
    append, count = EventLog.append, 0

    async def failing(log: EventLog, *arguments: Any, **rest: Any) -> int:
        nonlocal count
        count += 1
        if count < place or (taken and count == place):
            after = await append(log, *arguments, **rest)
            if count < place:
                return after
        raise RedisError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(EventLog, "append", failing)
        run = (await run_start(user_id=user.pk, ask=Ask(message=MESSAGE))).run
        await run_execute(run.pk, owner="worker")
    if count < place:
        return None
    await run_recover(owner="sweeper", now=timezone.now() + timedelta(seconds=30))
    row = await in_thread(Run.objects.select_related("conversation").get)(pk=run.pk)
    assert row.closed_at is not None
    return [stamped async for stamped in run_follow(row)]


@pytest.mark.parametrize("taken", [False, True])
async def test_a_reader_finds_every_event(planner: Any, monkeypatch: pytest.MonkeyPatch, taken: bool) -> None:
    for place in itertools.count(3, 5):
        events = await told_by_the_sweep(planner, place, monkeypatch, taken=taken)
        if events is None:
            break
        assert [stamped.idx for stamped in events] == list(range(len(events))), place
        assert events[-1].terminal
    assert place > 10


async def test_a_log_that_went_back_keeps_no_reader_from_the_end(planner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Redis that writes to disk once a second forgets what it had taken just before it died."""

    async def gone(log: EventLog, *arguments: Any) -> None:
        raise RedisError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(EventLog, "next_idx", gone)
        run = (await run_start(user_id=planner.pk, ask=Ask(message=MESSAGE))).run
        await run_execute(run.pk, owner="worker")
    client, name = async_client(), keys.events(str(run.pk))
    lost = [entry for entry, _ in await client.xrevrange(name, count=3)]
    await client.xdel(name, *lost)
    await client.hincrby(keys.meta(str(run.pk)), "next", -3)
    await run_recover(owner="sweeper", now=timezone.now() + timedelta(seconds=30))
    row = await in_thread(Run.objects.select_related("conversation").get)(pk=run.pk)
    assert row.closed_at is not None
    assert [stamped async for stamped in run_follow(row)][-1].terminal

"""A reader is given at most 200 events or 256 KiB at once, while the run goes on and from the archive (wire.md 6.7)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from agent.loop.events import Stamped, TextDelta, TextEnded, TextStarted
from agent.models import Run
from agent.runs import run_follow_batches, run_page, run_recover
from agent.store.threads import in_thread
from tests.kits.agent.runs import SPEAK, die, working

pytestmark = pytest.mark.django_db(transaction=True)
LIMIT = 256 * 1024
LONG, SHORT, HUGE = "长" * 18_000, "短", "巨" * 100_000


async def said(user: Any, pieces: Sequence[str], *, ended: bool) -> Run:
    """A run that says `pieces`, archived when it has ended."""
    spoken = (TextDelta(**SPEAK, content=piece, index=at, elapsed=0.0) for at, piece in enumerate(pieces, 1))
    session = await working(user, TextStarted(**SPEAK), *spoken, TextEnded(**SPEAK, full_content="略"))
    if ended:
        await die(session)
        await run_recover(owner="sweeper")
    return await in_thread(Run.objects.select_related("conversation").get)(pk=session.run.pk)


def size(events: Sequence[Stamped]) -> int:
    return sum(len(event.to_line().encode()) for event in events)


async def batches(run: Run) -> list[Sequence[Stamped]]:
    """What a stream and a socket are given until the text ends."""
    found = []
    async for batch in run_follow_batches(run):
        found.append(batch)
        if any(event.event.type == "text.ended" for event in batch):
            break
    return found


async def pages(run: Run) -> list[Sequence[Stamped]]:
    """What polling is given until it has read everything."""
    found, start = [], 0
    while True:
        page = await run_page(run, start=start, limit=1_000)
        found.append(page.events)
        start = page.next_offset
        if not page.has_more:
            return found


@pytest.mark.parametrize("ended", [False, True], ids=["live", "archived"])
@pytest.mark.parametrize("read", [batches, pages])
async def test_long_events_come_in_pieces_of_256_kib(user: Any, read: Any, ended: bool) -> None:
    run = await said(user, [LONG] * 20, ended=ended)
    given = await read(run)
    assert len(given) > 4
    assert all(size(events) <= LIMIT for events in given)
    assert all(size([*events, following[0]]) > LIMIT for events, following in pairwise(given))
    idx = [event.idx for events in given for event in events]
    assert idx == list(range(len(idx)))
    assert sum(event.event.type == "text.delta" for events in given for event in events) == 20


@pytest.mark.parametrize("ended", [False, True], ids=["live", "archived"])
async def test_many_short_events_come_by_two_hundred(user: Any, ended: bool) -> None:
    run = await said(user, [SHORT] * 450, ended=ended)
    assert [len(events) for events in await batches(run)][:2] == [200, 200]


@pytest.mark.parametrize("ended", [False, True], ids=["live", "archived"])
async def test_an_event_above_the_bound_comes_alone(user: Any, ended: bool) -> None:
    run = await said(user, [SHORT, HUGE, SHORT], ended=ended)
    given = await batches(run)
    assert [[event.event.content for event in events if event.event.type == "text.delta"] for events in given] == [
        [SHORT],
        [HUGE],
        [SHORT],
    ]

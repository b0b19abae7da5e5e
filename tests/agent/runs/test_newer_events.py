"""An event of a type that a newer worker tells reaches the readers of an older process, and breaks nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent.loop.events import ForeignEvent, Stamped, TextDelta, TextEnded, TextStarted
from agent.models import Run
from agent.runs import run_follow_batches, run_page, run_recover
from agent.store.archive import get as archived
from agent.store.threads import in_thread
from agent.transports.wire.frames import envelope, sse_frame
from tests.kits.agent.runs import SPEAK, die, working

pytestmark = pytest.mark.django_db(transaction=True)
NEWER = {"type": "advice.given", "stage": "execute", "block_id": "advice.1", "words": "早点开始"}
SAID = (TextStarted(**SPEAK), TextDelta(**SPEAK, content="好", index=1, elapsed=0.0))


async def followed(run: Run) -> list[Stamped]:
    """What a stream is given until the text ends."""
    found: list[Stamped] = []
    async for batch in run_follow_batches(run):
        found.extend(batch)
        if found[-1].event.type == "text.ended":
            break
    return found


@pytest.mark.parametrize("ended", [False, True], ids=["live", "archived"])
async def test_an_event_of_a_newer_version_is_passed_on(user: Any, ended: bool) -> None:
    session = await working(user, *SAID, ForeignEvent.model_validate(NEWER), TextEnded(**SPEAK, full_content="好"))
    run = await in_thread(Run.objects.select_related("conversation").get)(pk=session.run.pk)
    if ended:
        await die(session)
        await run_recover(owner="sweeper")
        kept = await in_thread(archived)(run.pk) or ()
        assert [one.to_document()["words"] for one in kept if one.event.type == NEWER["type"]] == [NEWER["words"]]
    events = await followed(run) if not ended else list((await run_page(run, start=0, limit=1_000)).events)
    assert [event.idx for event in events] == list(range(len(events)))
    newer = next(event for event in events if event.event.type == NEWER["type"])
    assert {"words": NEWER["words"], "block_id": "advice.1", "stage": "execute"} == envelope(newer)["data"]
    assert envelope(newer)["type"] == "advice.given"
    frame = sse_frame(newer, created=1).decode()
    assert frame.startswith(f"id: {newer.idx}\n")
    assert json.loads(frame.split("data: ")[1])["extra"]["kind"] == "advice.given"

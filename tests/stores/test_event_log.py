"""The log of a run keeps its promises on every server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agent.loop.events import RunFinished, Stamped
from agent.store import keys
from agent.store.event_log import RENEWED, RETIRED_S, AppendRefused, EventLog

Pieces = Callable[..., list[Stamped]]


async def reason_of(coroutine: Any) -> str:
    with pytest.raises(AppendRefused) as refused:
        await coroutine
    return refused.value.reason


async def test_it_gives_back_what_was_appended_by_idx(log: EventLog, run_id: str, pieces: Pieces) -> None:
    events = pieces(5)
    assert await log.append(events[:2], fence=1) == 2
    assert await log.append(events[2:], fence=1) == 5
    assert await log.read(run_id, 0, 100) == events
    assert await log.read(run_id, 3, 1) == events[3:4]
    assert await log.read(run_id, 5, 100) == []
    assert await log.next_idx(run_id) == 5


async def test_it_refuses_an_older_fencing_number(log: EventLog, run_id: str, pieces: Pieces) -> None:
    events = pieces(2)
    await log.append(events[:1], fence=2)
    assert await reason_of(log.append(events[1:], fence=1)) == "stale"
    assert await log.raise_fence(run_id, 3)
    assert not await log.raise_fence(run_id, 2)
    assert await reason_of(log.append(events[1:], fence=2)) == "stale"
    assert await log.append(events[1:], fence=3) == 2


async def test_it_refuses_gaps_and_repeats(log: EventLog, pieces: Pieces) -> None:
    await log.append(pieces(2), fence=1)
    assert await reason_of(log.append(pieces(1, first=1), fence=1)) == "taken"
    assert await reason_of(log.append(pieces(1, first=3), fence=1)) == "taken"


async def test_nothing_follows_the_terminal_event(log: EventLog, run_id: str, pieces: Pieces) -> None:
    finish = RunFinished(stage="deliver", block_id="deliver.finish", run_status="succeeded", outcome="completed")
    await log.append([finish.stamp(idx=0, ts=1.0, run_id=run_id, conversation_id="c")], fence=1)
    assert await reason_of(log.append(pieces(1, first=1), fence=1)) == "closed"


async def test_a_lost_log_goes_on_at_any_later_place(log: EventLog, run_id: str, pieces: Pieces) -> None:
    await log.append(pieces(2), fence=1)
    await log.forget(run_id)
    assert await log.append(pieces(1, first=5_002), fence=2) == 5_003
    assert [event.idx for event in await log.read(run_id, 0, 10)] == [5_002]


async def test_it_keeps_the_newest_and_says_what_was_open(client: Any, run_id: str, pieces: Pieces) -> None:
    log = EventLog(client, cap=10)
    assert await log.checkpoint(run_id) is None
    for piece in pieces(25):
        opened = {"kind": "assistant_text", "block_id": "chat.speak.1", "content": "…", "index": piece.idx + 1}
        await log.append([piece], fence=1, open_block=opened)
    assert [event.idx for event in await log.read(run_id, 0, 100)] == list(range(15, 25))
    last, opened = await log.checkpoint(run_id) or (None, None)
    assert (last, opened["index"]) == (24, 25)


async def test_it_expires_and_stays_while_it_is_used(client: Any, log: EventLog, run_id: str, pieces: Pieces) -> None:
    await log.append(pieces(1), fence=1)
    assert 86_000 < await client.ttl(f"smartmate:run:{run_id}:events") <= 86_400


async def test_a_log_in_use_lives_on(client: Any, run_id: str, pieces: Pieces) -> None:
    log = EventLog(client, ttl_s=1000)
    await log.append(pieces(1), fence=1)
    await client.expire(keys.events(run_id), 10)
    for piece in pieces(RENEWED, first=1):
        await log.append([piece], fence=1)
    assert await client.ttl(keys.events(run_id)) > 900
    assert await client.ttl(keys.meta(run_id)) > 900


async def test_a_retired_log_goes_soon_and_shuts_out_late_writers_for_long(
    client: Any, log: EventLog, run_id: str, pieces: Pieces
) -> None:
    await log.append(pieces(2), fence=3)
    await log.retire(run_id)
    assert 0 < await client.ttl(keys.events(run_id)) <= RETIRED_S
    assert await client.ttl(keys.meta(run_id)) > 86_000
    assert await log.read(run_id, 0, 10) == pieces(2)
    await client.delete(keys.events(run_id))
    assert await reason_of(log.append(pieces(1, first=2), fence=2)) == "stale"


async def test_a_log_that_begins_anew_at_a_later_place_expires_too(
    client: Any, log: EventLog, run_id: str, pieces: Pieces
) -> None:
    await log.append(pieces(1, first=5_001), fence=1)
    assert await client.ttl(keys.events(run_id)) > 86_000


def count_bytes(client: Any) -> list[int]:
    """The sizes of what a client that has not connected yet will send."""
    sent: list[int] = []

    class Counted(client.connection_pool.connection_class):  # type: ignore[misc, name-defined]
        async def send_packed_command(self, command: Any, *args: Any, **named: Any) -> Any:
            sent.append(sum(map(len, command)) if isinstance(command, list) else len(command))
            return await super().send_packed_command(command, *args, **named)

    client.connection_pool.connection_class = Counted
    return sent


async def test_a_long_answer_is_sent_once(client: Any, pieces: Pieces) -> None:
    """The open block, which grows with every piece, is sent with a piece only when the log is about to forget."""
    sent, log, text = count_bytes(client), EventLog(client, cap=300), "一段很长的回答。"
    for piece in pieces(320):
        opened = {"kind": "assistant_text", "block_id": "chat.speak.1", "content": text * (piece.idx + 1), "index": 1}
        await log.append([piece], fence=1, open_block=opened)
    early, late = sent[10:290], sent[-10:]
    assert max(early) < 1_000
    assert min(late) > 300 * len(text.encode())
    last, kept = await log.checkpoint(piece.run_id) or (None, None)
    assert (last, kept["content"]) == (319, text * 320)

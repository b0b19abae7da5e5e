"""The append-only log of a run: a Redis stream whose entry `0-(idx+1)` is event `idx`.

Appending names the idx it expects and carries the run's fencing number; the script refuses a stalled writer, a number
already taken and anything after the terminal event. What is appended is published too, for readers that wait
(`agent.store.tails`). Reading never removes. The log keeps the newest `cap` events for
`ttl` seconds after it was used (to within `RENEWED` events); what ended is archived in SQL (`agent.store.archive`) and
stays `RETIRED_S` more.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import redis.asyncio

from agent.calls.kinds import Json
from agent.loop.events import Stamped
from agent.store import keys
from agent.store.shared_calls import SharedCalls
from taskclasses.kernel.telemetry.metrics import EVENTS

CAP = 5_000
TTL_S = 24 * 3600
STEP = 16
RETIRED_S = 300
"""How long the events of a run stay once SQL has them: readers who came before its end read on from memory."""
RENEWED = 32
"""After so many events the log lives on for `ttl` seconds again: what lives for a day need not be told at each."""
_APPEND = """
local known = redis.call('HMGET', KEYS[2], 'fence', 'closed', 'next')
local fence, first, next = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(known[3] or '-1')
if fence < tonumber(known[1] or '-1') then return -1 end
if known[2] then return -2 end
if next >= 0 and first ~= next then return -3 end
for i = 8, #ARGV do
  redis.call('XADD', KEYS[1], 'MAXLEN', '=', ARGV[3], '0-' .. (first + i - 7), 'e', ARGV[i])
end
local after = first + #ARGV - 7
local told = {'fence', fence, 'next', after}
if ARGV[5] == '1' then told[5], told[6] = 'closed', 1 end
redis.call('HSET', KEYS[2], unpack(told))
if ARGV[6] ~= '' and redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[3]) then
  redis.call('HSET', KEYS[2], 'open', ARGV[6])
end
if ARGV[7] == '1' or next < 0 then
  redis.call('EXPIRE', KEYS[1], ARGV[4])
  redis.call('EXPIRE', KEYS[2], ARGV[4])
end
redis.pcall('PUBLISH', KEYS[3], table.concat(ARGV, '\\n', 8))
return after
"""
_FENCE = """
local known = tonumber(redis.call('HGET', KEYS[1], 'fence') or '-1')
if tonumber(ARGV[1]) < known then return 0 end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
"""


class AppendRefused(Exception):
    """Tells that the writer is not the run's newest (`stale`), the log is closed (`closed`) or the idx is taken
    (`taken`)."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


_REFUSALS = {-1: "stale", -2: "closed", -3: "taken"}


_appends: WeakKeyDictionary[redis.asyncio.Redis, SharedCalls] = WeakKeyDictionary()


class EventLog:
    """Appends and reads on one Redis client of the running loop."""

    def __init__(self, client: redis.asyncio.Redis, *, cap: int = CAP, ttl_s: int = TTL_S) -> None:
        self._client = client
        self._cap = cap
        self._ttl_s = ttl_s
        self._appends = _appends.setdefault(client, SharedCalls(_APPEND))
        self._fence = client.register_script(_FENCE)

    async def append(self, events: Sequence[Stamped], *, fence: int, open_block: Json | None = None) -> int:
        """Appends contiguous events of one run as one step; answers the next idx. Raises `AppendRefused`.

        `open_block` = the text or reasoning block left open by the last of them (`fold.Open.to_json`): once the log
        has begun to forget, a late reader is given it instead of its lost beginning.
        """
        run_id = events[0].run_id
        documents = [event.to_line() for event in events]
        forgets = events[-1].idx + 1 >= self._cap
        opened = json.dumps(open_block, ensure_ascii=False) if forgets else ""
        first, terminal = events[0].idx, events[-1].terminal
        renews = terminal or first == 0 or first // RENEWED != (events[-1].idx + 1) // RENEWED
        head = [fence, first, self._cap, self._ttl_s, int(terminal), opened, int(renews)]
        arguments: list[Any] = [*head, *documents]
        names = [keys.events(run_id), keys.meta(run_id), keys.live(run_id)]
        after = int(await self._appends.call(self._client, names, arguments))
        if after < 0:
            raise AppendRefused(_REFUSALS[after])
        for kind, count in Counter(event.event.type for event in events).items():
            EVENTS.labels(kind).inc(count)
        return after

    async def raise_fence(self, run_id: str, fence: int) -> bool:
        """Shuts out every writer with a smaller fencing number."""
        return bool(await self._fence(keys=[keys.meta(run_id)], args=[fence, self._ttl_s]))

    async def next_idx(self, run_id: str) -> int:
        """Returns the idx the next event will get; 0 for a log that is empty or lost."""
        return int(await self._client.hget(keys.meta(run_id), "next") or 0)

    async def ends(self, run_ids: Sequence[str]) -> list[int]:
        """Returns `next_idx` of many logs at once."""
        pipeline = self._client.pipeline(transaction=False)
        for run_id in run_ids:
            pipeline.hget(keys.meta(run_id), "next")
        return [int(end or 0) for end in await pipeline.execute()]

    async def end(self, run_id: str) -> int | None:
        """Returns the idx behind the terminal event; None while the log is open, or lost."""
        after, closed = await self._client.hmget(keys.meta(run_id), "next", "closed")
        return int(after or 0) if closed else None

    async def checkpoint(self, run_id: str) -> tuple[int, Json | None] | None:
        """Returns (last idx before the end, block open behind it) of a log that forgets its beginning, else None.

        The terminal event is never among what this folds away.
        """
        after, opened, closed = await self._client.hmget(keys.meta(run_id), "next", "open", "closed")
        return None if opened is None else (int(after or 0) - (2 if closed else 1), json.loads(opened))

    async def read(self, run_id: str, start: int, limit: int, *, size: int | None = None) -> list[Stamped]:
        """Returns events with idx >= `start`, oldest first. The first may be later than `start` when older ones are
        gone.

        With `size` they are fetched in small steps and end before they take more than `size` bytes as stored; one event
        is given however long it is.
        """
        found: list[Stamped] = []
        taken, step = 0, limit if size is None else STEP
        while len(found) < limit:
            count = min(step, limit - len(found))
            rows: Any = await self._client.xrange(keys.events(run_id), min=f"0-{start + 1}", count=count)
            for _, fields in rows:
                taken += len(fields["e"].encode())
                if size is not None and found and taken > size:
                    return found
                found.append(_read_stamped(fields))
            if len(rows) < count:
                break
            start = found[-1].idx + 1
        return found

    async def retire(self, run_id: str) -> None:
        """Lets the events of an archived log go soon. What shuts out late writers stays as long as ever."""
        await self._client.expire(keys.events(run_id), RETIRED_S)

    async def forget(self, run_id: str) -> None:
        await self._client.delete(keys.events(run_id), keys.meta(run_id), keys.cancel(run_id))


def take_bounded(rows: Iterable[tuple[Stamped, int]], limit: int, size: int | None) -> list[Stamped]:
    """Returns the first of some events with their sizes: at most `limit`, and `size` bytes unless the first alone is
    longer."""
    found: list[Stamped] = []
    taken = 0
    for event, length in rows:
        taken += length
        if len(found) == limit or (size is not None and found and taken > size):
            break
        found.append(event)
    return found


def _read_stamped(fields: dict[str, str]) -> Stamped:
    return Stamped.from_document(json.loads(fields["e"]))

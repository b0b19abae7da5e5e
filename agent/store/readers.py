"""How many streams a user has open, over all processes: a sorted set of readers that must keep saying they live."""

from __future__ import annotations

import time

import redis.asyncio

from agent.store import keys

LIMIT = 12
ALIVE_S = 20

_OPEN = """
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[3])
redis.call('EXPIRE', KEYS[1], 60)
return 1
"""


class Readers:
    def __init__(self, client: redis.asyncio.Redis, *, limit: int = LIMIT) -> None:
        self._client = client
        self._limit = limit
        self._open = client.register_script(_OPEN)

    async def open(self, user_id: int, reader: str) -> bool:
        """Registers a reader; False when the user has too many."""
        now = time.time()
        return bool(await self._open(keys=[keys.readers(user_id)], args=[now, now + ALIVE_S, reader, self._limit]))

    async def renew(self, user_id: int, reader: str) -> None:
        await self._client.zadd(keys.readers(user_id), {reader: time.time() + ALIVE_S})

    async def close(self, user_id: int, reader: str) -> None:
        await self._client.zrem(keys.readers(user_id), reader)

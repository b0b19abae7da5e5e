"""How many streams a user has open, over all processes: a sorted set of readers that must keep saying they live.

Their times are those of Redis: the clocks of the processes may differ.
"""

from __future__ import annotations

import redis.asyncio

from agent.store import keys

LIMIT = 12
ALIVE_S = 20

_OPEN = """
local now = tonumber(redis.call('TIME')[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[1]), ARGV[2])
redis.call('EXPIRE', KEYS[1], 60)
return 1
"""
_RENEW = """
redis.call('ZADD', KEYS[1], tonumber(redis.call('TIME')[1]) + tonumber(ARGV[1]), ARGV[2])
"""


class Readers:
    def __init__(self, client: redis.asyncio.Redis, *, limit: int = LIMIT) -> None:
        self._client = client
        self._limit = limit
        self._open = client.register_script(_OPEN)
        self._renew = client.register_script(_RENEW)

    async def open(self, user_id: int, reader: str) -> bool:
        """Registers a reader; False when the user has too many."""
        return bool(await self._open(keys=[keys.readers(user_id)], args=[ALIVE_S, reader, self._limit]))

    async def renew(self, user_id: int, reader: str) -> None:
        await self._renew(keys=[keys.readers(user_id)], args=[ALIVE_S, reader])

    async def close(self, user_id: int, reader: str) -> None:
        await self._client.zrem(keys.readers(user_id), reader)

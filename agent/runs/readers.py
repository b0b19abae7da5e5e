"""An open stream of a user, counted over all processes; too many are refused (wire.md 1.3)."""

from __future__ import annotations

import asyncio
import uuid
from contextlib import suppress
from typing import Self

from django.conf import settings
from redis import RedisError

from agent.store.connection import async_client
from agent.store.readers import LIMIT, Readers
from taskclasses.kernel.errors import CodedError

RETRY_AFTER_S = 5
UNLIMITED = 1_000_000


class Reader:
    def __init__(self, user_id: int) -> None:
        self._user_id = user_id
        self._name = uuid.uuid4().hex

    @classmethod
    async def open(cls, user_id: int) -> Self:
        """Raises 40033 when the user has too many open streams."""
        reader = cls(user_id)
        limit = LIMIT if settings.RATE_LIMITS else UNLIMITED
        if not await Readers(async_client(), limit=limit).open(user_id, reader._name):
            raise CodedError(40033, {"retry_after": RETRY_AFTER_S})
        return reader

    async def renew(self) -> None:
        """Renews the reader's place in the count; a renewal that fails costs nothing but that place."""
        with suppress(RedisError):
            await Readers(async_client()).renew(self._user_id, self._name)

    async def close(self) -> None:
        with suppress(RedisError):
            await asyncio.shield(Readers(async_client()).close(self._user_id, self._name))

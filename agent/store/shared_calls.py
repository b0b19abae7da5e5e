"""Calls of one script by many runs at once: what comes while a round trip is under way goes out together with the next.

To write to a socket costs more than a call: twenty runs that stream would write twenty times. Nothing waits for
company, each call has its own answer or refusal, and those of one caller who waits for each stay in order.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Any

import redis.asyncio
from redis.exceptions import NoScriptError

Call = tuple[Sequence[str], Sequence[Any], "asyncio.Future[Any]"]


class SharedCalls:
    """Calls of a script on one client, which it does not keep alive."""

    def __init__(self, script: str) -> None:
        self._script = script
        self._digest = hashlib.sha1(script.encode(), usedforsecurity=False).hexdigest()
        self._waiting: list[Call] = []
        self._sending: asyncio.Task[None] | None = None

    async def call(self, client: redis.asyncio.Redis, names: Sequence[str], arguments: Sequence[Any]) -> Any:
        """Returns what the script answers. Raises the failure of the round trip, or Redis's refusal of this call."""
        answer = asyncio.get_running_loop().create_future()
        self._waiting.append((names, arguments, answer))
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send(client))
        return await answer

    async def _send(self, client: redis.asyncio.Redis) -> None:
        while self._waiting:
            calls, self._waiting = self._waiting, []
            try:
                await self._execute(client, calls)
            except BaseException as failure:
                for *_, answer in calls:
                    _settle(answer, failure)
                if not isinstance(failure, Exception):
                    raise

    async def _execute(self, client: redis.asyncio.Redis, calls: Sequence[Call]) -> None:
        """Makes one round trip for all calls, and another one where the server does not know the script (yet)."""
        unknown = await self._round_trip(client, calls)
        if unknown:
            await client.script_load(self._script)
            for (*_, answer), refusal in await self._round_trip(client, [call for call, _ in unknown]):
                _settle(answer, refusal)

    async def _round_trip(self, client: redis.asyncio.Redis, calls: Sequence[Call]) -> list[tuple[Call, NoScriptError]]:
        """Settles what was answered; returns the calls whose script is not known."""
        pipeline = client.pipeline(transaction=False)
        for names, arguments, _ in calls:
            pipeline.evalsha(self._digest, len(names), *names, *arguments)
        answers = await pipeline.execute(raise_on_error=False)
        unknown = []
        for call, found in zip(calls, answers, strict=True):
            if isinstance(found, NoScriptError):
                unknown.append((call, found))
            else:
                _settle(call[2], found)
        return unknown


def _settle(answer: asyncio.Future[Any], found: Any) -> None:
    """Gives a caller who still waits the answer, or the error that it is."""
    if answer.done():
        return
    if isinstance(found, asyncio.CancelledError):
        answer.cancel()
    elif isinstance(found, BaseException):
        answer.set_exception(found)
    else:
        answer.set_result(found)

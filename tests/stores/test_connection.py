"""Commands share few connections, and nobody waits while others are served again and again."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from agent.store.connection import make_async

ASKING, ROUNDS = 60, 4


async def test_who_waits_for_a_connection_is_served_in_turn(url: str, settings: Any) -> None:
    settings.REDIS_CONNECTIONS = 3
    client, served = make_async(url), Counter[int]()
    least: list[int] = []

    async def ask(number: int) -> None:
        for _ in range(ROUNDS):
            await client.exists(f"nothing:{number}")
            served[number] += 1
            if served[number] == 3:
                least.append(min(served[other] for other in range(ASKING)))

    await asyncio.gather(*(ask(number) for number in range(ASKING)))
    await client.aclose()
    assert set(served.values()) == {ROUNDS}
    assert min(least) >= 1


async def test_a_command_that_was_broken_off_gives_its_connection_back(url: str, settings: Any) -> None:
    settings.REDIS_CONNECTIONS = 1
    client = make_async(url)
    for _ in range(3):
        waiting = asyncio.create_task(client.blpop("nothing", timeout=20))
        await asyncio.sleep(0.05)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert await asyncio.wait_for(client.exists("nothing"), 10) == 0
    await client.aclose()

"""A request that a server gives up is answered with a code, unless its answer had begun."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from smartmate.middleware.deadline import AnswerInTime

SCOPE = {"type": "http", "method": "GET", "path": "/api/v1/task-class", "headers": [], "query_string": b""}


async def given_up(*, begins: bool) -> list[Any]:
    """What is sent for a request that is cancelled while it is at work."""
    sent: list[Any] = []
    at_work = asyncio.Event()

    async def send(message: Any) -> None:
        sent.append(message)

    async def work(scope: Any, receive: Any, send: Any) -> None:
        if begins:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        at_work.set()
        await asyncio.Event().wait()

    request = asyncio.create_task(AnswerInTime(work)(SCOPE, None, send))
    await at_work.wait()
    request.cancel()
    with pytest.raises(asyncio.CancelledError):
        await request
    return sent


@pytest.mark.asyncio
async def test_a_request_that_is_given_up_is_to_be_sent_again() -> None:
    start, body = await given_up(begins=False)
    assert (start["status"], json.loads(body["body"])["status"]) == (503, "50004")
    assert b"retry-after" in dict(start["headers"])


@pytest.mark.asyncio
async def test_an_answer_that_has_begun_is_left_as_it_is() -> None:
    assert [message["type"] for message in await given_up(begins=True)] == ["http.response.start"]

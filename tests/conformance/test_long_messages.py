"""A message as long as one may be holds nobody up: not its own stream, and nobody else."""

from __future__ import annotations

import threading
import time
from typing import Any

import httpx
import pytest

from tests.conformance.client import Chat, Client

PATIENCE_S = 15.0
LONG = {
    "weekdays": "周一周二周三" * 1300,
    "brackets": "(" * 8000,
    "names": "高数、英语、" * 1300,
    "one letter": "a" * 8000,
    "as long as is read": ("周一周二周三" * 200)[:800],
}


@pytest.fixture(scope="module")
def client(server: Any) -> Client:
    return Client(server.base_url, "talker", server.account("talker"))


def spoken(chat: Chat) -> str:
    pieces = [choice["delta"].get("content", "") for chunk in chat.chunks for choice in chunk.get("choices", [])]
    return "".join(pieces)


@pytest.mark.parametrize("words", LONG)
def test_others_are_answered_while_a_long_message_is_read(client: Client, server: Any, words: str) -> None:
    chats: list[Chat] = []
    sender = threading.Thread(target=lambda: chats.append(client.chat({"message": LONG[words]})))
    sender.start()
    slowest = 0.0
    while sender.is_alive():
        begun = time.monotonic()
        assert httpx.get(f"{server.base_url}/healthz", timeout=60).status_code == 200
        slowest = max(slowest, time.monotonic() - begun)
        time.sleep(0.05)
    assert slowest < PATIENCE_S
    (chat,) = chats
    assert chat.done
    assert chat.chunks[-1]["extra"]["finish"]["outcome"] == "completed"


def test_what_is_too_long_to_read_is_told_and_forgotten(client: Client) -> None:
    told = client.chat({"message": LONG["weekdays"]})
    assert "一次最多读 800 个字" in spoken(told)
    conversation_id = told.headers["x-conversation-id"]
    begun = time.monotonic()
    again = client.chat({"message": "你能做什么", "conversation_id": conversation_id})
    assert again.chunks[-1]["extra"]["finish"]["outcome"] == "completed"
    assert time.monotonic() - begun < 4 * PATIENCE_S

"""The terminal commands over a server's database."""

from __future__ import annotations

import re
from typing import Any

import pytest


@pytest.fixture(scope="module")
def talk(server: Any) -> tuple[str, str]:
    """What `chat` printed for a short conversation, and its id."""
    server.account("terminal-li")
    lines = "你好\n先给初稿：把概率论期中复习排进课表\n\n"
    said = server.manage("chat", "--user", "terminal-li", "--backend", "offline", stdin=lines).stdout
    return said, re.findall(r"\[([0-9a-f-]{36})\]", said)[-1]


def test_chat_shows_status_tools_and_speech(talk: tuple[str, str]) -> None:
    said, _ = talk
    assert "收到，开始处理" in said
    assert "正在智能排程" in said
    assert "已排" in said
    assert said.count("(succeeded, completed") == 2


def test_every_recorded_run_replays_equal_in_another_process(server: Any, talk: tuple[str, str]) -> None:
    done = server.manage("replay_conversation", talk[1], "--diff")
    assert done.stdout.splitlines() == ["run 1: equal", "run 2: equal"]
    offline = server.manage("replay_conversation", talk[1], "--model", "offline", "--diff", "--run", "2").stdout
    assert [line.split(": ", 1)[1] for line in offline.splitlines()] == [
        "calls: equal",
        "outcome: equal",
        "placements: equal",
        "cost: equal",
    ]


def test_replay_prints_the_events_as_they_happened(server: Any, talk: tuple[str, str]) -> None:
    said = server.manage("replay_conversation", talk[1], "--run", "2").stdout
    assert "正在智能排程" in said
    assert said.splitlines()[-1] == "run 2: equal"

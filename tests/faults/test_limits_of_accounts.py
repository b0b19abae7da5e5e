"""The limits of accounts hold across processes, and per process while Redis does not answer."""

from __future__ import annotations

import signal
from typing import Any

import httpx
import pytest

from tests.kits.faults.daemons import Daemon


@pytest.fixture(scope="module")
def pair(redis: Daemon, server_factory: Any) -> list[Any]:
    """Two web processes on one Redis. The other limit of the address lets sixty requests pass."""
    shared = {"REDIS_URL": f"redis://127.0.0.1:{redis.port}/0", "RATE_LIMITS": "on", "AGENT_BACKEND": "offline"}
    return [server_factory(**shared) for _ in range(2)]


def ask(server: Any, email: str) -> int:
    answer = httpx.post(f"{server.base_url}/api/v1/account/password/reset", json={"email": email}, timeout=60)
    if answer.status_code == 429:
        assert (answer.json()["status"], answer.headers["retry-after"]) == ("40033", "60")
    return answer.status_code


def test_two_processes_count_together(pair: list[Any]) -> None:
    assert [ask(pair[number % 2], "one@school.example") for number in range(7)] == [200] * 5 + [429] * 2
    assert ask(pair[0], "other@school.example") == 200


def test_without_redis_each_process_counts_for_itself(pair: list[Any], redis: Daemon) -> None:
    redis.signal(signal.SIGSTOP)
    try:
        assert [ask(pair[0], "two@school.example") for _ in range(6)] == [200] * 5 + [429]
    finally:
        redis.signal(signal.SIGCONT)

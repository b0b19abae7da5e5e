"""Readers that do not read, leave or change servers: the run and the other readers do not notice."""

from __future__ import annotations

import signal
import socket
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.kits.faults.daemons import Daemon
from tests.kits.faults.talks import FIRST, SECOND, model_settings, opened, says, talk
from tests.kits.provider.openai_server import decision, deltas
from tests.kits.transports.students import Student, parse_frames, without_pings
from tests.kits.waiting import until

MEBIBYTE = 1024 * 1024


@pytest.fixture(scope="module")
def servers(server_factory: Any, redis: Daemon, endpoint: Any) -> Iterator[list[Any]]:
    """Two web processes on the same stores; the first executes the runs."""
    shared = {"REDIS_URL": f"redis://127.0.0.1:{redis.port}/0", **model_settings(endpoint), "RATE_LIMITS": "on"}
    first = server_factory(**shared)
    stores = {name: first.environment[name] for name in ("SMARTMATE_VAR", "DATABASE_URL") if name in first.environment}
    second = server_factory(**{**shared, **stores, "AGENT_RUN_IN_WEB": "false"})
    yield [first, second]
    for server in (second, first):
        server.stop(signal.SIGKILL)


@pytest.fixture(scope="module")
def li(servers: list[Any]) -> Student:
    return Student(servers[0], "li")


def memory(pid: int) -> int:
    """Resident bytes of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096


def connections(port: int) -> int:
    """Open connections to a port of this machine."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[1].endswith(f":{port:04X}") and row[3] == "01" for row in rows)


def test_a_reader_continues_on_another_server_where_it_was_cut(servers: list[Any], li: Student, model: Any) -> None:
    run = talk(li, model)
    there = {"base_url": f"{servers[1].base_url}/api/v1", "headers": {"Authorization": f"Bearer {li.token}"}}
    with httpx.Client(**there, timeout=60) as other:
        body = b""
        with li.http.stream("GET", f"/agent/runs/{run.run_id}/stream") as stream:
            for piece in stream.iter_raw():
                body += piece
                if b"assistant_text" in body and body.endswith(b"\n\n"):
                    break
        seen = parse_frames(body)
        run.go.set()
        rest = other.get(f"/agent/runs/{run.run_id}/stream", headers={"Last-Event-ID": str(seen[-1].id)})
        whole = other.get(f"/agent/runs/{run.run_id}/stream")
    assert [frame.raw for frame in seen + parse_frames(rest.content)] == [
        frame.raw for frame in parse_frames(whole.content)
    ]
    here = li.http.get(f"/agent/runs/{run.run_id}/stream")
    assert without_pings(here.content) == without_pings(whole.content)
    assert run.said() == [FIRST + SECOND]


def test_readers_that_leave_give_everything_back(li: Student, model: Any) -> None:
    """Twelve readers are as many as one student may have: twelve more can come when those have gone."""
    run = talk(li, model)
    before = connections(li.server.port)
    for _ in range(2):
        readers = [opened(li, run.run_id) for _ in range(12)]
        heads = [reader.recv(65536) for reader in readers]
        assert all(head.startswith(b"HTTP/1.1 200") for head in heads), heads
        for reader in readers:
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            reader.close()  # a reset, not a farewell
        until(lambda: connections(li.server.port) <= before)
    assert run.end() == "succeeded"


def test_readers_that_read_nothing_cost_little_and_hold_nobody_up(li: Student, model: Any) -> None:
    answer = ["很长的一句话。" * 3000] * 60
    model.script([decision({"route": "deep_answer"}), deltas(answer)])
    started = li.http.post("/tasks", json={"message": "说很多"}).json()["data"]
    until(lambda: li.data(f"/tasks/{started['task_id']}", **{"from": 100_000})["run_status"] == "succeeded")
    path = f"/agent/runs/{started['task_id']}/stream"
    whole = without_pings(li.http.get(path).content)
    assert len(whole) > 6 * MEBIBYTE
    before = memory(li.server.pid)
    stuck = [opened(li, started["task_id"], takes=4096) for _ in range(6)]
    assert all(reader.recv(1, socket.MSG_PEEK) for reader in stuck)
    assert says(li, model, "好") == "好"
    assert without_pings(li.http.get(path).content) == whole
    assert connections(li.server.port) >= len(stuck)
    assert memory(li.server.pid) - before < len(stuck) * 20 * MEBIBYTE
    for reader in stuck:
        reader.close()

"""A reader that takes nothing of what is sent is cut, and only that reader; it may attach again (wire.md 6.7)."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.kits.faults.talks import connected, opened
from tests.kits.provider.openai_server import decision, deltas
from tests.kits.servers.scrape import scrape
from tests.kits.transports.students import Student, parse_frames, without_pings
from tests.kits.waiting import until

READERS = 12


@pytest.fixture(scope="module")
def told(server_factory: Any, model_endpoint: Any) -> Iterator[tuple[Student, str]]:
    """A student whose server waits three seconds for a reader, and a run too long for the buffers in between."""
    model = {"AGENT_BACKEND": "openai", "OPENAI_BASE_URL": model_endpoint.base_url, "OPENAI_API_KEY": "x"}
    server = server_factory(**model, AGENT_WRITE_LIMIT_S="3", RATE_LIMITS="on")
    student = Student(server, "li")
    model_endpoint.reset()
    model_endpoint.script([decision({"route": "deep_answer"}), deltas(["很长的一句话。" * 3000] * 60)])
    run_id = student.http.post("/tasks", json={"message": "说很多"}).json()["data"]["task_id"]
    until(lambda: student.data(f"/tasks/{run_id}", **{"from": 100_000})["run_status"] == "succeeded")
    yield student, run_id
    server.stop()


def until_all_have_gone(student: Student) -> None:
    """A peer that was cut or has gone holds its place until the server has seen it, each at a moment of its own."""
    readers = {("smartmate_readers", frozenset({("transport", kind)})) for kind in ("sse", "websocket")}
    until(lambda: not sum(value for sample, value in scrape(student.server).items() if sample in readers))


def body_of(reader: socket.socket) -> bytes:
    """What the peer finds when it reads at last: the chunks of the answer up to the end of the connection."""
    received = b""
    while piece := reader.recv(1 << 20):
        received += piece
    chunked, body = received.partition(b"\r\n\r\n")[2], b""
    while chunked:
        length, _, chunked = chunked.partition(b"\r\n")
        body, chunked = body + chunked[: int(length, 16)], chunked[int(length, 16) + 2 :]
    return body


def test_a_blocked_peer_of_a_stream_is_cut(told: tuple[Student, str]) -> None:
    """The places of readers that were cut are free again, and each goes on where it was cut."""
    student, run_id = told
    path = f"/agent/runs/{run_id}/stream"
    stuck = [opened(student, run_id, takes=4096) for _ in range(READERS)]
    assert all(reader.recv(1, socket.MSG_PEEK) for reader in stuck)
    assert student.code("GET", path) == (429, "40033")
    until_all_have_gone(student)
    answer = student.http.get(path)
    assert answer.status_code == 200
    whole = parse_frames(without_pings(answer.content))
    assert whole[-1].data is None
    body = without_pings(body_of(stuck[0]))
    assert b"[DONE]" not in body
    seen = parse_frames(body.rpartition(b"\n\n")[0])
    rest = student.http.get(path, headers={"Last-Event-ID": str(seen[-1].id)})
    assert [frame.raw for frame in [*seen, *parse_frames(without_pings(rest.content))]] == [f.raw for f in whole]
    for reader in stuck:
        reader.close()


def test_a_blocked_peer_of_a_socket_is_cut_with_a_code(told: tuple[Student, str]) -> None:
    student, run_id = told
    address = student.server.base_url.replace("http", "ws") + "/ws/v1/agent"
    headers = {"Authorization": f"Bearer {student.token}"}
    with ExitStack() as stack:
        followers = []
        for _ in range(READERS):
            peer = connected(student, takes=4096)
            plain = {"additional_headers": headers, "compression": None, "max_queue": 1}
            followers.append(stack.enter_context(connect(address, sock=peer, **plain)))
            followers[-1].send(json.dumps({"type": "follow", "req": "1", "data": {"run_id": run_id}}))
        assert student.code("GET", f"/agent/runs/{run_id}/stream") == (429, "40033")
        until_all_have_gone(student)
        assert student.http.get(f"/agent/runs/{run_id}/stream").status_code == 200
        frames = []
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                frames.append(json.loads(followers[0].recv(60)))
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4408
    assert frames[0]["type"] == "ack"
    assert [frame["idx"] for frame in frames[1:]] == list(range(len(frames) - 1))
    assert frames[-1]["type"] != "task_complete"

"""WebSockets of a student, and what comes on them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.kits.transports.students import Student


def url_of(student: Student) -> str:
    return f"{student.server.base_url.replace('http', 'ws')}/ws/v1/agent"


@contextmanager
def socket(student: Student, **fields: Any) -> Iterator[ClientConnection]:
    headers = {"Authorization": f"Bearer {student.token}"}
    with connect(url_of(student), additional_headers=fields.pop("headers", headers), **fields) as opened:
        yield opened


def send(opened: ClientConnection, kind: str, req: str = "1", **data: Any) -> Any:
    opened.send(json.dumps({"type": kind, "req": req, "data": data}))
    return json.loads(opened.recv(120))


def events_until_end(opened: ClientConnection) -> list[str]:
    frames = []
    while True:
        frames.append(str(opened.recv(120)))
        if json.loads(frames[-1])["type"] in ("task_complete", "error"):
            return frames


def close_code(opened: ClientConnection) -> int:
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            opened.recv(120)
    assert closed.value.rcvd is not None
    return int(closed.value.rcvd.code)

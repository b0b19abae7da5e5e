"""What a stranger sends is not written down without an end: a body is kept up to its limit and refused in words."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from smartmate.archive.files import BODY_MAX as ARCHIVE_BODY_MAX
from smartmate.middleware.body_limit import BODY_MAX
from tests.kits.waiting import until

PIECE = b"x" * 1024 * 1024


@pytest.fixture(scope="module")
def server(server_factory: Any) -> Any:
    return server_factory(AGENT_BACKEND="offline")


def kept_by(pid: int) -> int:
    """Bytes of files without a name that a process has open."""
    kept = 0
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # it was closed meanwhile
            kept += file.stat().st_size if str(file.readlink()).endswith("(deleted)") else 0
    return kept


def send(server: Any, path: str, size: int, language: str = "zh-CN") -> tuple[int, str, int]:
    """Sends a body that tells no length; returns status and body of the answer, and how much was kept at most."""
    most = 0
    until(lambda: kept_by(server.pid) < len(PIECE))  # what the request before sent is let go of after its answer

    def pieces() -> Iterator[bytes]:
        nonlocal most
        for _ in range(size // len(PIECE)):
            yield PIECE
            most = max(most, kept_by(server.pid))

    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    line.request("POST", path, pieces(), {"Accept-Language": language}, encode_chunked=True)
    answer = line.getresponse()
    words = answer.read().decode()
    line.close()
    return answer.status, words, most


def test_more_than_any_upload_is_thrown_away_and_refused(server: Any) -> None:
    status, words, kept = send(server, "/api/v1/auth/token", BODY_MAX + 32 * len(PIECE))
    assert (status, kept <= BODY_MAX + len(PIECE)) == (413, True)
    assert f'"limit":{BODY_MAX}' in words
    for path, language, said in [("/login", "zh-CN", "内容太大"), ("/nothing", "en", "At most 16 MB may be sent")]:
        status, words, kept = send(server, path, BODY_MAX + 8 * len(PIECE), language)
        assert (status, kept <= BODY_MAX + len(PIECE)) == (413, True)
        assert said in words


@pytest.mark.parametrize("path", ["/api/v1/account/archive", "/settings/archive"])
def test_an_archive_may_be_larger(server: Any, path: str) -> None:
    status, _, kept = send(server, path, BODY_MAX + 8 * len(PIECE))
    assert status in (401, 403)
    assert BODY_MAX < kept < ARCHIVE_BODY_MAX

"""A process that is stuck says nothing to the service manager any more, which ends it; one that works says so."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from taskclasses.kernel.processes.watchdog import SAY_S, SILENT_S
from tests.kits.faults.daemons import Daemon, Worker
from tests.kits.servers.server import Server

SAID = f"WATCHDOG_USEC={SILENT_S * 1_000_000}\nWATCHDOG=1".encode()


@pytest.fixture
def manager() -> Iterator[socket.socket]:
    # The name of a socket is short.
    with TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(f"{folder}/notify")
        heard.settimeout(60)
        yield heard


@pytest.mark.parametrize("kind", ["web", "worker"])
def test_who_works_says_so_and_who_is_stuck_does_not(
    kind: str, manager: socket.socket, redis: Daemon, tmp_path: Path
) -> None:
    settings = {"REDIS_URL": f"redis://127.0.0.1:{redis.port}/0", "AGENT_RUN_IN_WEB": "false"}
    server = Server(tmp_path, **settings, NOTIFY_SOCKET=manager.getsockname())
    watched: Any = server if kind == "web" else Worker(server)
    watched.start()
    stop = watched.tell if kind == "web" else watched.signal
    try:
        assert manager.recv(100) == SAID
        stop(signal.SIGSTOP)
        manager.settimeout(SAY_S * 1.5)
        with pytest.raises(TimeoutError):
            manager.recv(100)
        stop(signal.SIGCONT)
        assert manager.recv(100) == SAID
    finally:
        stop(signal.SIGCONT)
        stop(signal.SIGKILL)

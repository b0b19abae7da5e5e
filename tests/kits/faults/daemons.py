"""Processes that can be killed, frozen and started again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any

from tests.kits.servers.server import spawn
from tests.kits.servers.warm import ROOT, Warm
from tests.kits.waiting import until

# Leases and sweeps of seconds: a test waits for what takes half a minute in production.
QUICK = {"AGENT_LEASE_S": "2", "AGENT_SWEEP_S": "0.3"}


class Daemon:
    """A process of the test's own that can be killed, frozen and started again."""

    def __init__(
        self, command: list[str], *, port: int = 0, pid: int = 0, environment: dict[str, str] | None = None
    ) -> None:
        self.command, self.port, self.pid, self.environment = command, port, pid, environment
        self._child: subprocess.Popen[bytes] | Warm | None = None

    def start(self) -> Daemon:
        self._child = self._spawn()
        self.pid = self._child.pid
        until(self._listens)
        return self

    def _spawn(self) -> subprocess.Popen[bytes] | Warm:
        quiet = subprocess.DEVNULL
        # A suite that is interrupted leaves no server behind.
        command = ["setpriv", "--pdeathsig", "KILL", *self.command]
        return subprocess.Popen(command, cwd=ROOT, env=self.environment, stdin=quiet, stdout=quiet, stderr=quiet)

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        if not self.pid:
            return
        self.signal(signal.SIGKILL)
        if self._child is not None:
            self._child.wait()
            self._child = None
        until(lambda: not self.port or not self._listens())
        self.pid = 0

    def ended(self) -> int:
        """The exit status of a process that was told to end."""
        assert self._child is not None
        status = self._child.wait(120)
        self._child, self.pid = None, 0
        return status

    def _listens(self) -> bool:
        if not self.port:
            return True
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


class Worker(Daemon):
    """A worker process on the stores of a server; what it says goes to `log`."""

    def __init__(self, server: Any, *, log: Path | None = None, environment: dict[str, str] | None = None) -> None:
        super().__init__(["manage.py", "runworker", "agent-runs"], environment=environment or server.environment)
        self.log = log

    def _spawn(self) -> subprocess.Popen[bytes] | Warm:
        assert self.environment is not None
        if self.log is None:
            return spawn(self.command, env=self.environment)
        with self.log.open("ab") as log:
            return spawn(self.command, env=self.environment, output=log.fileno())

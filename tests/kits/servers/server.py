"""A real server over a real socket, and the commands on its database."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time as clock
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.kits.servers.warm import ROOT, Stock, Warm
from tests.kits.suite.stores import fresh_stores

METRICS_TOKEN = "scrape-me"
REPLAY_ALL = (ROOT / "tests/kits/transports/replay_all.py").read_text(encoding="utf-8")
# Two stocks: what a command finds in a database was written by a process with another hash seed.
SERVERS, COMMANDS, BARE = Stock("servers"), Stock("commands"), Stock("bare", bare=True)
IMPORTED = frozenset({"PROMETHEUS_MULTIPROC_DIR", "TRACES"})
"""Variables that are looked at as modules are imported."""
READ = frozenset({"smartmate.settings", "tests.kits.gallery.settings", "tests.kits.servers.server_settings"})
"""Settings that change nothing but themselves."""


def spawn(
    command: Sequence[str], *, env: Mapping[str, str], output: int | None = None, cold: bool = False
) -> subprocess.Popen[bytes] | Warm:
    """Starts a process of the project. A library that comes before all others needs a cold start."""
    if cold or "LD_PRELOAD" in env:
        told = subprocess.DEVNULL if output is None else output
        return subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=told, stderr=told
        )
    bare = IMPORTED & env.keys() or env.get("DJANGO_SETTINGS_MODULE") not in READ
    return (BARE if bare else SERVERS).start(command, env=env, stdout=output, stderr=output)


class Server:
    """A real uvicorn process on a free port of the loopback address, with a fresh migrated database of its own.

    `cold` starts it by the interpreter, as people do; the others are forked from a process that has imported enough.
    """

    def __init__(
        self, folder: Path, *, application: str = "smartmate.asgi:application", cold: bool = False, **environment: str
    ) -> None:
        self.folder, self.application, self.cold = folder, application, cold
        self.environment = {
            **os.environ,
            **fresh_stores(folder),
            "DJANGO_SETTINGS_MODULE": "tests.kits.servers.server_settings",
            "RATE_LIMITS": "off",
            "METRICS_TOKEN": METRICS_TOKEN,
            "AGENT_RUN_IN_WEB": "true",
            **environment,
        }
        self.port = free_port()
        self.base_url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "server.log"
        self._process: subprocess.Popen[bytes] | Warm | None = None
        self._accounts: dict[str, str] = {}
        self._ready: tuple[dict[str, str], Stock] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> Server:
        command = ["-m", "uvicorn", self.application, "--port", str(self.port)]
        command += ["--loop", "uvloop", "--http", "httptools", "--timeout-graceful-shutdown", "2"]
        command += ["--timeout-keep-alive", "60"]  # a busy machine lets a client wait longer than the usual 5 s
        with self.log.open("ab") as log:
            self._process = spawn(command, env=self.environment, output=log.fileno(), cold=self.cold)
        for _ in range(6000):  # two minutes, for a machine that is busy with other things
            if self._process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(f"{self.base_url}/healthz", timeout=2):
                    return self
            except urllib.error.HTTPError:
                return self
            except OSError:
                clock.sleep(0.02)
        raise RuntimeError(f"the server did not start:\n{self.log.read_text()[-4000:]}")

    def tell(self, how: signal.Signals) -> None:
        """Tells the process to end, and does not wait for it."""
        if self._process is not None:
            self._process.send_signal(how)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self._process is None:
            return
        self.tell(how)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(10)
        self._process = None

    def manage(self, *arguments: str, stdin: str | None = None, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Runs a management command on this server's database."""
        done = self._commands().run(["manage.py", *arguments], env=self.environment, stdin=stdin)
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def _commands(self) -> Stock:
        """The stock that has read the settings of this server as they are now."""
        if self._ready is None or self._ready[0] != self.environment:
            self._ready = dict(self.environment), Stock(of=COMMANDS, env=self.environment)
        return self._ready[1]

    def prove_replays(self) -> int:
        """Plays every run that this server has recorded again, in another process; answers how many there are."""
        found = json.loads(self.manage("shell", "-v0", "-c", REPLAY_ALL).stdout.splitlines()[-1])
        assert found["parted"] == {}, json.dumps(found["parted"], indent=1)
        return int(found["replayed"])

    def account(self, username: str = "li") -> str:
        """Makes the account with the demo data when it is missing; answers its password."""
        if username not in self._accounts:
            password = secrets.token_urlsafe(12)
            self.manage("seed_demo", "--skip-checks", f"--username={username}", f"--password={password}")
            self._accounts[username] = password
        return self._accounts[username]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

"""Python processes that start warm: forked from one that has imported the project.

A server or a command spends its first seconds on imports. The stock does that once; a process that is forked from it
reads the settings anew, in an environment of its own: our modules look at them when they are used. A `bare` stock has
imported only what never looks at settings or the environment, for processes in which more depends on them. Standard
streams, signals and the end of a process are those of any other. All processes of one stock share its hash seed: what
has to come out the same in another process is asked of another stock.

Commands on one server come from a stock of its own (`ready`), which has read the settings of that server as well.
The workers of a run share its stocks: the first that needs one starts it, and each has a line of its own to it.
"""

from __future__ import annotations

import array
import atexit
import contextlib
import fcntl
import gc
import importlib
import json
import logging
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any, NoReturn

ROOT = Path(__file__).resolve().parents[3]
STOCKS = "SMARTMATE_TEST_STOCKS"
"""Names the folder in which the stocks of one run listen."""
READY = b"+"
# Packages of others that do not look at settings or the environment while they are imported (prometheus_client does),
# and packages of ours that are pure.
KNOWN = """
django django.core.asgi django.core.management django.core.management.commands.shell django.core.handlers.asgi
django.core.serializers.json django.core.cache.backends.locmem django.db.models django.db.models.sql.compiler
django.db.backends.sqlite3.base django.db.backends.mysql.base django.db.migrations.executor
django.db.migrations.autodetector django.forms django.http django.template.engine django.template.loader_tags
django.template.defaulttags django.test.signals django.urls django.utils.autoreload django.utils.translation.trans_real
django.views.debug django.views.static
asgiref.sync channels.layers channels.routing channels_redis.core environ fakeredis httptools httpx pydantic rapidfuzz
openai openai.resources.chat.completions redis redis.asyncio rest_framework.fields rest_framework.compat sqlparse
time_machine uvicorn uvicorn.config
uvicorn.lifespan.on uvicorn.loops.uvloop uvicorn.main uvicorn.protocols.http.httptools_impl
uvicorn.protocols.websockets.auto uvloop websockets whitenoise.middleware yaml
"""
PURE = (
    "agent/llm/offline",
    "agent/loop",
    "agent/tools",
    "schedules/planner",
    "schedules/calendars",
    "taskclasses/spec",
    "taskclasses/kernel/i18n.py",
)
SETTINGS = "smartmate.settings"
# What begins a process reads its settings as it is imported: `smartmate.asgi` is left to the process.
LOADED = """
agent.llm.openai.backend agent.management.commands.runworker agent.runs.recording.replay
agent.transports.socket.background agent.transports.socket.routing django.contrib.auth.backends
django.contrib.messages.storage.fallback
django.contrib.sessions.backends.db django.contrib.sessions.serializers django.core.management.commands.migrate
django.views.csrf django.views.defaults schedules.management.commands.seed_demo smartmate.accounts.adapter
smartmate.accounts.validators smartmate.middleware.deadline smartmate.middleware.handlers
"""


class Stock:
    """The process that others are forked from. Started by the first that is asked for, of all workers.

    `of` another stock it is forked from that one, for one environment: what it runs has read the settings.
    """

    def __init__(
        self, name: str = "", *, of: Stock | None = None, env: Mapping[str, str] | None = None, bare: bool = False
    ) -> None:
        self._name, self._of, self._env, self._bare = name, of, dict(env or {}), bare
        self._made: list[Stock] = []
        if of is not None:
            of._made.append(self)
        self._line: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | Warm | None = None
        self._held: int | None = None
        self._one_at_a_time = threading.Lock()

    def start(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str],
        stdin: int | None = None,
        stdout: int | None = None,
        stderr: int | None = None,
    ) -> Warm:
        """Runs `python -m MODULE ...` or `python SCRIPT ...`, given without `python`; the streams by their numbers."""
        with self._one_at_a_time:
            line = self._line or self._open()
            told, tells = os.pipe()
            with open(os.devnull, "r+b") as nowhere:
                streams = [nowhere.fileno() if one is None else one for one in (stdin, stdout, stderr)]
                request = json.dumps({"command": list(command), "env": dict(env)}).encode()
                passed = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [*streams, tells]))]
                line.sendmsg([len(request).to_bytes(4, "big")], passed)
                line.sendall(request)
            os.close(tells)
        return Warm(list(command), told)

    def run(
        self, command: Sequence[str], *, env: Mapping[str, str], stdin: str | None = None, timeout: float = 120
    ) -> subprocess.CompletedProcess[str]:
        """What `subprocess.run(..., capture_output=True, text=True)` answers."""
        with contextlib.ExitStack() as stack:
            given, said, told = (stack.enter_context(_file()) for _ in range(3))
            given.write((stdin or "").encode())
            given.seek(0)
            process = self.start(command, env=env, stdin=given.fileno(), stdout=said.fileno(), stderr=told.fileno())
            try:
                code = process.wait(timeout)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                raise
            texts = []
            for file in (said, told):
                file.seek(0)
                texts.append(file.read().decode())
        return subprocess.CompletedProcess(list(command), code, *texts)

    def close(self) -> None:
        """Closes the line, and ends a stock that was started here and those made of it; what was forked from them goes
        on."""
        for stock in self._made:
            stock.close()
        if self._line is None:
            return
        self._line.close()
        if self._held is not None:
            os.close(self._held)
        if self._process is not None:
            self._process.wait(10)
        self._line = self._process = self._held = None

    def _open(self) -> socket.socket:
        self._line = self._forked(self._of) if self._of is not None else self._shared()
        return self._line

    def _forked(self, of: Stock) -> socket.socket:
        here, there = socket.socketpair()
        with there:
            ready = ["-m", "tests.kits.servers.ready"]
            self._process = of.start(ready, env=self._env, stdin=there.fileno(), stderr=2)
        return here

    def _shared(self) -> socket.socket:
        """A line to the stock of this name that some worker has started and not yet ended, or to a new one."""
        folder = Path(os.environ.get(STOCKS) or _own_folder().name)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / self._name
        with (folder / f"{self._name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return _connected(path) or self._started(path)

    def _started(self, path: Path) -> socket.socket:
        path.unlink(missing_ok=True)
        held, self._held = os.pipe()
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(path))
            listening.listen(64)
            fds = [listening.fileno(), held]
            command = [sys.executable, "-m", __name__, *map(str, fds), *(["bare"] if self._bare else [])]
            # What is imported early must not depend on where it will run.
            bare = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "TMPDIR")}
            bare["OPENBLAS_NUM_THREADS"] = "1"  # a process with threads is not forked
            self._process = subprocess.Popen(command, cwd=ROOT, env=bare, pass_fds=fds)
        os.close(held)
        line = _connected(path)
        assert line is not None, f"the stock of {self._name} did not start"
        return line


@cache
def _own_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="stocks-")


def _connected(path: Path) -> socket.socket | None:
    """A line to the stock that listens there; None where none does, or one that ends."""
    line = socket.socket(socket.AF_UNIX)
    try:
        line.connect(str(path))
        if line.recv(len(READY)) == READY:
            return line
    except OSError:
        pass
    line.close()
    return None


def _file() -> IO[bytes]:
    return os.fdopen(os.memfd_create("stream"), "w+b")


class Warm:
    """A forked process; the words are those of `subprocess.Popen`."""

    def __init__(self, args: list[str], told: int) -> None:
        self.args, self.returncode = args, None
        self._told = os.fdopen(told, "rb", buffering=0)
        self.pid = int(self._read(60))

    returncode: int | None

    def poll(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            self.returncode = int(self._read(timeout))
            self._told.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _read(self, timeout: float | None) -> bytes:
        """The next line of the keeper."""
        if not select.select([self._told], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        line = self._told.readline()
        if not line:
            raise RuntimeError(f"the stock of processes has gone: {self.args}")
        return line


def take_line(listening: socket.socket, held: int) -> socket.socket:
    """Forks for each worker that connects; returns in the new process. Ends with the worker that holds `held`."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the tests end first
    while listening in select.select([listening, held], [], [])[0]:
        line, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            os.close(held)
            line.sendall(READY)
            return line
        line.close()
    os._exit(0)


def keep_stock(line: socket.socket) -> dict[str, Any]:
    """Forks for each request; returns in the new process, with what it shall run."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for keepers
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the tests end first, and the line with them
    while True:
        length, fds, _, _ = socket.recv_fds(line, 4, 4)
        if not length:
            os._exit(0)
        request: dict[str, Any] = json.loads(_all(line, int.from_bytes(length, "big")))
        if os.fork() == 0:
            line.close()
            if _keep(fds[3]):
                return {**request, "streams": fds[:3]}
        for fd in fds:
            os.close(fd)


def _all(line: socket.socket, length: int) -> bytes:
    found = b""
    while len(found) < length:
        found += line.recv(length - len(found))
    return found


def _keep(tells: int) -> bool:
    """Forks again and reports the new process and its end. True in the new process, in which it returns alone."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if (pid := os.fork()) == 0:
        os.close(tells)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        return True
    for stream in range(3):
        os.close(stream)
    os.write(tells, b"%d\n" % pid)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.write(tells, b"%d\n" % code)
    os._exit(0)


def become(request: dict[str, Any], *, as_loaded: bool = False) -> None:
    """Runs the command as the interpreter would; `as_loaded` leaves the settings as they were read here."""
    for target, fd in enumerate(request["streams"]):
        os.dup2(fd, target)
        os.close(fd)
    os.environ.clear()
    os.environ.update(request["env"])
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", SETTINGS)  # as every command of ours does
    time.tzset()
    first, *rest = request["command"]
    sys.argv = rest if first == "-m" else [first, *rest]
    if SETTINGS in sys.modules and not as_loaded:
        read_settings_anew()
    if first == "-m":
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(first, run_name="__main__")


def become_and_end(request: dict[str, Any], *, as_loaded: bool = False) -> NoReturn:
    """Runs the command and ends as the interpreter would, but takes nothing apart that the end of the process frees.

    The modules are shared with the stock until they are touched: to take them apart would copy all of them.
    """
    code: Any = 0
    try:
        become(request, as_loaded=as_loaded)
    except SystemExit as ended:
        code = ended.code or 0
        if not isinstance(code, int):
            print(code, file=sys.stderr)  # noqa: T201
            code = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def read_settings_anew() -> None:
    """Forgets the settings of the stock and all that was made of them. Wrong ones are told when they are used."""
    from asgiref.local import Local
    from django.conf import empty, settings
    from django.db import connections
    from django.test.signals import setting_changed

    before = {name: getattr(settings, name) for name in dir(settings) if name.isupper()}
    for name in {SETTINGS, os.environ["DJANGO_SETTINGS_MODULE"]}:
        sys.modules.pop(name, None)
    settings._wrapped = empty
    logging.disable()
    try:
        after = {name: getattr(settings, name) for name in dir(settings) if name.isupper()}
    except Exception:
        settings._wrapped = empty
        return
    finally:
        logging.disable(logging.NOTSET)
    assert after["INSTALLED_APPS"] == before["INSTALLED_APPS"], "this process needs a bare stock"
    connections._settings = connections.settings = connections.configure_settings(None)
    connections._connections = Local(connections.thread_critical)
    for name in (before.keys() | after.keys()) - {"DATABASES"}:
        if before.get(name) != after.get(name):
            setting_changed.send(sender=None, setting=name, value=after.get(name), enter=True)


def _import_all() -> None:
    for name in KNOWN.split():
        with contextlib.suppress(ModuleNotFoundError):  # an extra that is not installed
            importlib.import_module(name)
    for pure in PURE:
        for file in sorted((ROOT / pure).rglob("*.py")) or [ROOT / pure]:
            importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    from agent.llm.offline.language.classifier.classify import classify
    from agent.llm.offline.language.paraphrase.models import load_models

    classify(("hello",))  # reads the weights and the thesaurus
    for language in ("zh", "en"):
        load_models(language)


def _load_django() -> None:
    """Imports the project as a process does whose environment says nothing."""
    os.environ["DJANGO_SETTINGS_MODULE"] = SETTINGS
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SMARTMATE_VAR"] = folder
        sys.argv = ["manage.py", ""]  # the settings ask whether a server reads them or a command
        import django
        from django.conf import settings
        from django.template.backends.django import get_installed_libraries

        django.setup()
        middleware = [path.rpartition(".")[0] for path in settings.MIDDLEWARE]
        for name in (settings.ROOT_URLCONF, *middleware, *LOADED.split()):
            importlib.import_module(name)
        get_installed_libraries()  # the tags of templates


def main() -> None:
    listening, held, bare = socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2]), "bare" in sys.argv
    _import_all()
    if not bare:
        _load_django()
    gc.collect()
    gc.freeze()  # what is here stays here, and is not copied for being looked at
    become_and_end(keep_stock(take_line(listening, held)))


if __name__ == "__main__":
    main()

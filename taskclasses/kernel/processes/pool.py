"""A few processes that call pure functions for this one.

Each is a fresh interpreter (nothing is forked, so threads and event loops are no danger), started when there is work
and none is free. A call that is given up ends its process, for nothing else stops a computation; one whose process was
killed by somebody else is made once more.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
TRIES = 2
COMMAND = (sys.executable, "-m", "taskclasses.kernel.processes.child")


class ProcessesClosed(Exception):
    """Tells that the call was given up because the pool was closed."""


class ProcessLost(Exception):
    """Tells that the process of a call was killed, and that of its repetition too."""


class _Child:
    """Holds one process; used by one thread at a time, but for `kill`."""

    def __init__(self) -> None:
        known = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._process = subprocess.Popen(COMMAND, env=known, **pipes)  # noqa: S603  # our own module

    def ask(self, call: bytes) -> tuple[bool, Any]:
        """Returns (True, result) or (False, exception). Raises `EOFError` or `OSError` when the process is gone."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(call)
        stdin.flush()
        answer: tuple[bool, Any] = pickle.load(stdout)  # noqa: S301  # written by the child
        return answer

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        self._process.kill()

    def bury(self) -> None:
        """Waits for the end of a killed process and closes its pipes."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:
                pass  # what was written last found no reader


class _Call:
    """Holds one call on its way. Nobody waits for one that is `dropped`."""

    def __init__(self, function: Callable[..., Any], arguments: Any, named: Any) -> None:
        self.what = (function, arguments, named)
        self.future: Future[Any] = Future()
        self.child: _Child | None = None
        self.dropped = False


class Processes:
    """Holds at most `size` processes; with none the caller's own process computes, in a thread where that must not
    block."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = threading.Condition()
        self._waiting: deque[_Call] = deque()
        self._under_way: set[_Call] = set()
        self._free: list[_Child] = []
        self._threads = self._idle = 0

    def call(self, function: Callable[P, R], /, *arguments: P.args, **named: P.kwargs) -> R:
        """Returns what the function gives. It and all it takes and gives must be picklable."""
        if not self._size:
            return function(*arguments, **named)
        call = self._submit(function, arguments, named)
        try:
            found: R = call.future.result()
        except BaseException:
            self._drop(call)
            raise
        return found

    async def acall(self, function: Callable[P, R], /, *arguments: P.args, **named: P.kwargs) -> R:
        """Does as `call`. When the task is cancelled, the computation ends."""
        if not self._size:
            return await asyncio.to_thread(function, *arguments, **named)
        call = self._submit(function, arguments, named)
        try:
            found: R = await asyncio.wrap_future(call.future)
        except asyncio.CancelledError:
            self._drop(call)
            raise
        return found

    def close(self) -> None:
        """Ends all processes; who waits for one gets `ProcessesClosed`. A later call starts anew."""
        with self._lock:
            calls, free = [*self._waiting, *self._under_way], self._free
            self._free = []
        for call in calls:
            self._drop(call)
        for child in free:
            child.bury()

    def pids(self) -> list[int]:
        """Lists the processes there are."""
        with self._lock:
            busy = [call.child for call in self._under_way if call.child is not None]
            return [child.pid for child in (*busy, *self._free)]

    def _submit(self, function: Callable[..., Any], arguments: Any, named: Any) -> _Call:
        call = _Call(function, arguments, named)
        with self._lock:
            self._waiting.append(call)
            if self._idle < len(self._waiting) and self._threads < self._size:
                self._threads += 1
                # A daemon: a computation nobody waits for must not hold up the end of this process.
                threading.Thread(target=self._work, name=f"processes-{self._threads}", daemon=True).start()
            self._lock.notify()
        return call

    def _drop(self, call: _Call) -> None:
        with self._lock:
            call.dropped = True
            if call.child is not None:
                call.child.kill()

    def _work(self) -> None:
        while True:
            with self._lock:
                self._idle += 1
                while not self._waiting:
                    self._lock.wait()
                self._idle -= 1
                call = self._waiting.popleft()
                self._under_way.add(call)
            try:
                found, error = self._compute(call), None
            except BaseException as raised:
                found, error = None, raised
            with self._lock:
                self._under_way.discard(call)
            if not call.future.set_running_or_notify_cancel():
                continue
            if error is None:
                call.future.set_result(found)
            else:
                call.future.set_exception(error)

    def _compute(self, call: _Call) -> Any:
        message = pickle.dumps(call.what, pickle.HIGHEST_PROTOCOL)
        for _ in range(TRIES):
            child = self._take(call)
            try:
                fine, found = child.ask(message)
            except (EOFError, OSError, pickle.UnpicklingError):
                call.child = None
                child.bury()
                continue
            self._let_go(call, child)
            if fine:
                return found
            raise found
        raise ProcessLost

    def _take(self, call: _Call) -> _Child:
        """Returns a process for the call. One is started without the lock: an event loop may wait for that."""
        with self._lock:
            if call.dropped:
                raise ProcessesClosed
            call.child = self._free.pop() if self._free else None
            if call.child is not None:
                return call.child
        child = _Child()
        with self._lock:
            call.child = child
            if not call.dropped:
                return child
            call.child = None
        child.bury()
        raise ProcessesClosed

    def _let_go(self, call: _Call, child: _Child) -> None:
        """Frees a process that has answered for the next call, unless it was killed meanwhile."""
        with self._lock:
            call.child = None
            if not call.dropped:
                self._free.append(child)
                return
        child.bury()

"""Calls in processes: the same results, errors that travel, and nothing left of a call or a parent that is gone."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from schedules.planner.problem import ProblemError
from taskclasses.kernel.processes import Processes, ProcessesClosed
from taskclasses.kernel.processes.pool import ProcessLost
from tests.kits.servers.warm import ROOT
from tests.kits.waiting import until

pytestmark = pytest.mark.storeless


@pytest.fixture
def pool() -> Iterator[Processes]:
    pool = Processes(2)
    yield pool
    pool.close()
    assert pool.pids() == []


def alive(pid: int) -> bool:
    """A zombie is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def fail_with_a_field() -> None:
    raise ProblemError("task_classes[0]", "no dates")


def print_and_answer() -> int:
    os.write(1, b"this is no answer")
    return 7


def die_once(mark: str) -> str:
    if not os.path.exists(mark):
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def test_it_is_another_process_and_one_that_is_free_is_used_again(pool: Processes) -> None:
    assert pool.pids() == []
    first = pool.call(os.getpid)
    assert first != os.getpid()
    assert pool.call(os.getpid) == first
    assert pool.pids() == [first]


def test_there_are_no_more_than_its_size(pool: Processes) -> None:
    with ThreadPoolExecutor(6) as threads:
        found = list(threads.map(lambda _: (pool.call(time.sleep, 0.05), pool.call(os.getpid))[1], range(12)))
    assert len(set(found)) == len(pool.pids()) == 2


def test_with_none_it_is_this_process() -> None:
    pool = Processes(0)
    assert pool.call(os.getpid) == os.getpid()
    assert asyncio.run(pool.acall(os.getpid)) == os.getpid()


def test_an_error_comes_back_as_itself_or_in_words(pool: Processes) -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        pool.call(divmod, 1, 0)
    assert "_answer" in raised.value.__notes__[0]
    with pytest.raises(RuntimeError, match=r"task_classes\[0\]: no dates"):
        pool.call(fail_with_a_field)
    with pytest.raises(Exception, match="pickle"):
        pool.call(len, threading.Lock())
    assert pool.call(len, "abc") == 3


def test_what_is_printed_is_no_answer(pool: Processes) -> None:
    assert pool.call(print_and_answer) == 7


def test_a_call_that_is_cancelled_ends_its_process(pool: Processes) -> None:
    async def scenario() -> int:
        pid = await pool.acall(os.getpid)
        call = asyncio.create_task(pool.acall(time.sleep, 600))
        await asyncio.sleep(0.1)
        assert alive(pid)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        return pid

    pid = asyncio.run(scenario())
    until(lambda: not alive(pid))
    assert pool.call(os.getpid) != pid


def test_a_call_that_waits_is_cancelled_before_it_begins() -> None:
    pool = Processes(1)

    async def scenario() -> None:
        long = asyncio.create_task(pool.acall(time.sleep, 600))
        short = asyncio.create_task(pool.acall(time.sleep, 600))
        await asyncio.sleep(0.1)
        short.cancel()
        await asyncio.gather(short, return_exceptions=True)
        assert not long.done()
        long.cancel()
        await asyncio.gather(long, return_exceptions=True)

    asyncio.run(scenario())
    assert pool.call(len, "ab") == 2
    pool.close()


def test_closing_ends_what_is_under_way() -> None:
    pool = Processes(1)
    failures: list[BaseException] = []

    def compute() -> None:
        try:
            pool.call(time.sleep, 600)
        except ProcessesClosed as closed:
            failures.append(closed)

    threads = [threading.Thread(target=compute) for _ in range(3)]
    for thread in threads:
        thread.start()
    (pid,) = until(pool.pids)
    until(lambda: len(pool._waiting) == 2)
    pool.close()
    for thread in threads:
        thread.join(10)
    assert len(failures) == 3
    assert not alive(pid)


def test_a_call_whose_process_was_killed_is_made_once_more(pool: Processes, tmp_path: Path) -> None:
    assert pool.call(die_once, str(tmp_path / "mark")) == "done"
    with pytest.raises(ProcessLost):
        pool.call(os._exit, 1)
    (pid,) = (pool.call(os.getpid),)
    os.kill(pid, signal.SIGKILL)
    assert pool.call(len, "ab") == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_the_whole_group_leaves_a_call_alone(pool: Processes, number: signal.Signals) -> None:
    pid = pool.call(os.getpid)
    with ThreadPoolExecutor(1) as thread:
        call = thread.submit(pool.call, time.sleep, 0.3)
        os.kill(pid, number)
        call.result()
    assert pool.call(os.getpid) == pid


PARENT = """
import os, sys, threading, time
from taskclasses.kernel.processes import Processes
pool = Processes(2)
threading.Thread(target=pool.call, args=(exec, "while True: pass"), daemon=True).start()
print(pool.call(os.getpid), flush=True)
while len(pool.pids()) < 2: time.sleep(0.01)
print(*pool.pids(), flush=True)
{then}
"""


@pytest.mark.parametrize("then", ["os.kill(os.getpid(), 9)", "sys.exit()", "time.sleep(600)"])
def test_a_parent_that_is_gone_leaves_no_orphan(then: str) -> None:
    """However it ends, and while a computation that would take hours is under way."""
    command = [sys.executable, "-c", PARENT.format(then=then)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        parent.stdout.readline()
        pids = [int(word) for word in parent.stdout.readline().split()]
        assert len(pids) == 2
        if "sleep" in then:
            assert all(map(alive, pids))
            parent.terminate()
        parent.wait(20)
    until(lambda: not any(map(alive, pids)))


def test_a_fork_has_processes_of_its_own() -> None:
    from schedules.services.planning import planners

    planners()
    if (pid := os.fork()) == 0:
        os._exit(planners.cache_info().currsize)
    assert os.waitpid(pid, 0)[1] == 0
    assert planners.cache_info().currsize == 1

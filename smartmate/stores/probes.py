"""Do the stores answer, and do they take writes?

Each question is asked by a thread of its own, on a connection of its own with short time-outs: a store that is frozen
or full holds up nobody who asks about it.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path

from django.conf import settings
from django.db import IntegrityError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from agent.store import keys
from agent.store.connection import make_sync
from smartmate.models import StorageProbe

log = logging.getLogger("smartmate.stores.probes")
LIMIT_S = 2
"""How long a store may take to answer before it counts as silent; in whole seconds, for the drivers take no others."""
FRESH_S = 1.0
ROOM = 16 * 1024 * 1024
"""Bytes that must be free on the disk of an embedded database."""


class Probe:
    """Asks a question in one thread at a time: who asks meanwhile, or within `fresh_s`, gets the same answer."""

    def __init__(self, name: str, ask: Callable[[], bool], *, fresh_s: float = 0.0) -> None:
        self.name = name
        self.ask = ask
        self._fresh_s = fresh_s
        self._lock = threading.Lock()
        self._answer: Future[bool] | None = None
        self._answered = 0.0

    def begin(self) -> Future[bool]:
        """Begins to ask and returns the answer to come; False stands for every failure."""
        with self._lock:
            answer = self._answer
            if answer is None or (answer.done() and time.monotonic() - self._answered >= self._fresh_s):
                answer = self._answer = Future()
                answer.set_running_or_notify_cancel()
                threading.Thread(target=self._run, args=(answer,), name=f"probe-{self.name}", daemon=True).start()
            return answer

    def _run(self, answer: Future[bool]) -> None:
        try:
            found = self.ask()
        except Exception:
            log.warning("the check of %s failed", self.name, exc_info=True)
            found = False
        self._answered = time.monotonic()
        answer.set_result(found)


@contextmanager
def impatient_database() -> Iterator[BaseDatabaseWrapper]:
    """Opens a connection of its own to the database, which gives up after `LIMIT_S`."""
    connection = connections.create_connection("default")
    names = ("connect_timeout", "read_timeout", "write_timeout") if connection.vendor == "mysql" else ("timeout",)
    options = {**connection.settings_dict["OPTIONS"], **dict.fromkeys(names, LIMIT_S)}
    connection.settings_dict = {**connection.settings_dict, "OPTIONS": options}
    try:
        yield connection
    finally:
        connection.close()


def database_answers() -> bool:
    with impatient_database() as connection, connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def database_takes_writes() -> bool:
    """Tells whether a row could really be written: reading goes on where the disk is full or the database may only be
    read."""
    table = StorageProbe._meta.db_table
    with impatient_database() as connection, connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET writes = writes + 1 WHERE id = 1")  # noqa: S608 (our own table's name)
        if not cursor.rowcount:
            with suppress(IntegrityError):  # another process was first: it could write
                cursor.execute(f"INSERT INTO {table} (id, writes) VALUES (1, 1)")  # noqa: S608
        return connection.vendor != "sqlite" or _room_beside(str(connection.settings_dict["NAME"]))


def _room_beside(file: str) -> bool:
    return shutil.disk_usage(Path(file).parent).free >= ROOM


def redis_answers() -> bool:
    with make_sync(settings.REDIS_URL, timeout=LIMIT_S) as client:
        return bool(client.ping())


def redis_takes_writes() -> bool:
    """Tells whether a key could really be written: a Redis that is full refuses that, and answers otherwise."""
    with make_sync(settings.REDIS_URL, timeout=LIMIT_S) as client:
        return bool(client.set(keys.PROBE, 1, ex=60))


ANSWERING = (
    Probe("the database", database_answers, fresh_s=FRESH_S),
    Probe("Redis", redis_answers, fresh_s=FRESH_S),
)


async def stores_answer() -> bool:
    """Tells whether every store answers within `LIMIT_S`."""
    answers = [asyncio.wrap_future(probe.begin()) for probe in ANSWERING]
    done, silent = await asyncio.wait(answers, timeout=LIMIT_S)
    return not silent and all(answer.result() for answer in done)

"""Threads that may use the database: few of them, each with one connection that it keeps from call to call."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from typing import Any, ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections, connections

P = ParamSpec("P")
R = TypeVar("R")


class DatabaseThreads(ThreadPoolExecutor):
    """Keeps at most `count` threads and as many connections, kept for `DATABASE_CONN_MAX_AGE` seconds.

    Any other thread closes its connection with its request: kept ones would be as many as there are threads.
    """

    def __init__(self, count: int, name: str) -> None:
        super().__init__(max_workers=count, thread_name_prefix=name, initializer=_keep_connections)

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        return super().submit(_call, fn, *args, **kwargs)


def _keep_connections() -> None:
    kept = {"CONN_MAX_AGE": settings.DATABASE_CONN_MAX_AGE, "CONN_HEALTH_CHECKS": True}
    for connection in connections.all():
        connection.settings_dict = {**connection.settings_dict, **kept}


def _call(function: Callable[..., R], *args: Any, **kwargs: Any) -> R:
    """Looks at a kept connection before its first use, and leaves none behind that is broken or too old."""
    close_old_connections()
    try:
        return function(*args, **kwargs)
    finally:
        close_old_connections()


@lru_cache(maxsize=1)
def store_threads() -> DatabaseThreads:
    """Returns the threads of what asynchronous code asks of the stores, for the whole process."""
    return DatabaseThreads(settings.STORE_THREADS, "store")


@lru_cache(maxsize=1)
def _lease_thread() -> DatabaseThreads:
    return DatabaseThreads(1, "lease")


def in_thread(function: Callable[P, R]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Runs `f` by `await in_thread(f)(...)` in one of the store's threads, while the caller holds none."""
    return sync_to_async(function, thread_sensitive=False, executor=store_threads())


def in_lease_thread(function: Callable[P, R]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Does as `in_thread`, in a thread for nothing but leases: they are renewed while all others wait for a store."""
    return sync_to_async(function, thread_sensitive=False, executor=_lease_thread())

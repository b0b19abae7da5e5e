"""SQL from asynchronous code: the function runs in a thread with its own, properly closed, connection."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from channels.db import database_sync_to_async

P = ParamSpec("P")
R = TypeVar("R")


def in_thread(function: Callable[P, R]) -> Callable[P, Coroutine[Any, Any, R]]:
    """`await in_thread(f)(...)`: calls of different tasks run side by side, a blocked one holds up nobody else."""
    return database_sync_to_async(function, thread_sensitive=False)  # type: ignore[no-any-return]

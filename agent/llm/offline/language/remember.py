"""What was read of a message is kept with the brief that it was read with: many lines of the grammar ask for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from agent.llm.offline.language.brief import Brief

Found = TypeVar("Found")


def remember_found(read: Callable[[str, Brief], Found]) -> Callable[[str, Brief], Found]:
    """Makes a function of message and brief read each message of a brief once; nobody may change what it answers."""
    kept_as = f"_found_by_{read.__name__}"

    @wraps(read)
    def find(message: str, brief: Brief) -> Found:
        known: dict[str, Found] = brief.__dict__.setdefault(kept_as, {})
        if message not in known:
            known[message] = read(message, brief)
        return known[message]

    return find

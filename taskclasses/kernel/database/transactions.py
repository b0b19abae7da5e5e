"""One transaction per write, run again as a whole when the database asks for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db import IntegrityError, OperationalError, connection, transaction

T = TypeVar("T")
ATTEMPTS = 4
_DEADLOCK, _LOCK_WAIT = 1213, 1205


def run_transaction(effect: Callable[[], T]) -> T:
    """Runs `effect` in a transaction and answers its value.

    The outermost call repeats the whole effect after a deadlock or a lock wait that ran out (MySQL 1213, 1205) and
    after a unique-index collision: the second reading sees what the winner wrote and refuses with a code of its own.
    Inside another transaction the effect runs once, for only the outermost one can be repeated.
    """
    if connection.in_atomic_block:
        with transaction.atomic():
            return effect()
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with transaction.atomic():
                return effect()
        except IntegrityError:
            if attempt == ATTEMPTS:
                raise
        except OperationalError as error:
            if attempt == ATTEMPTS or not is_lock_failure(error):
                raise
    raise AssertionError("unreachable")


def is_lock_failure(error: OperationalError) -> bool:
    """Tells whether the database broke the transaction off to resolve a clash of locks; repeating it may succeed."""
    return bool(error.args) and error.args[0] in (_DEADLOCK, _LOCK_WAIT)

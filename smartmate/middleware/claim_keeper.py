"""Keeps the claims of the requests that this process is at work on, by one thread that renews their leases.

A lease is short, so that the claim of a process that died is soon free; a request may take as long as it needs.
"""

from __future__ import annotations

import logging
import threading
import time
from datetime import timedelta
from functools import lru_cache
from typing import Any, Protocol
from weakref import WeakSet

from django.conf import settings
from django.db import connections
from django.db.models.expressions import CombinedExpression

from taskclasses.kernel.database.clock import DatabaseNow

log = logging.getLogger("smartmate.middleware.claim_keeper")


class Held(Protocol):
    """Tells what can be kept: a claim that knows its row as long as it is held and has no answer yet."""

    def find_unanswered(self) -> Any: ...


def lease_end() -> CombinedExpression:
    """Returns the end of a lease that begins now, by the clock of the database."""
    return DatabaseNow() + timedelta(seconds=settings.IDEMPOTENCY_LEASE_S)


class ClaimKeeper:
    """Holds claims weakly: one whose request is gone, whatever way it went, is renewed no more."""

    def __init__(self) -> None:
        self._held: WeakSet[Held] = WeakSet()
        self._lock = threading.Lock()
        self._come = threading.Event()
        self._thread: threading.Thread | None = None

    def keep(self, claim: Held) -> None:
        with self._lock:
            self._held.add(claim)
            if self._thread is None:
                self._thread = threading.Thread(target=self._renew_forever, name="claims", daemon=True)
                self._thread.start()
        self._come.set()

    def drop(self, claim: Held) -> None:
        with self._lock:
            self._held.discard(claim)

    def _renew_forever(self) -> None:
        """Sleeps before it renews: nearly every request is done by then and costs no statement."""
        while True:
            self._come.wait()
            time.sleep(settings.IDEMPOTENCY_LEASE_S / 4)
            with self._lock:
                rows = [claim.find_unanswered() for claim in self._held]
                if not rows:
                    self._come.clear()
            try:
                for row in rows:
                    row.update(lease_until=lease_end())
            except Exception:  # whatever it is: a keeper that ended would keep no later claim either
                log.warning("the leases of %d claims could not be renewed", len(rows), exc_info=True)
            finally:
                connections.close_all()


@lru_cache(maxsize=1)
def claim_keeper() -> ClaimKeeper:
    """Returns the keeper of this process."""
    return ClaimKeeper()

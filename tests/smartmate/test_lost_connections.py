"""A connection that is lost while it is used is storage that is away, however the driver tells it: what works in the
background goes on, and renews once there is a database again."""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import Any

import pytest
from django.db import DatabaseError, InterfaceError, connection

from agent.store.threads import in_lease_thread
from smartmate.middleware.claim_keeper import ClaimKeeper
from smartmate.monitoring.open_rows import RunsCollector
from tests.kits.agent.runs import working

LOST = [DatabaseError("gone away"), InterfaceError(0, "")]


class LostOnce:
    """A claim whose first statement finds the connection lost."""

    def __init__(self, loss: Exception) -> None:
        self.loss: Exception | None = loss
        self.renewed = threading.Event()

    def find_unanswered(self) -> Any:
        return self

    def update(self, **_: Any) -> None:
        loss, self.loss = self.loss, None
        if loss is not None:
            raise loss
        self.renewed.set()


@pytest.mark.parametrize(
    "loss", [*LOST, RuntimeError("of any kind")], ids=["of the database", "of the driver", "unforeseen"]
)
def test_claims_are_renewed_after_a_fault(loss: Exception, settings: Any) -> None:
    settings.IDEMPOTENCY_LEASE_S = 0.04
    keeper, claim = ClaimKeeper(), LostOnce(loss)
    keeper.keep(claim)
    assert claim.renewed.wait(10)
    keeper.drop(claim)


@pytest.mark.parametrize("loss", LOST, ids=["of the database", "of the driver"])
def test_the_open_rows_are_left_out_while_the_connection_is_lost(loss: Exception, db: None) -> None:
    def lose(*_: Any) -> Any:
        raise loss

    with connection.execute_wrapper(lose):
        assert list(RunsCollector().collect()) == []
    assert len(list(RunsCollector().collect())) == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("loss", LOST, ids=["of the database", "of the driver"])
async def test_a_run_outlives_a_lost_connection(
    loss: Exception, user: Any, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """The database takes the run from nobody; who holds it is asked again a quarter of a lease later."""
    session = await working(user)
    settings.AGENT_LEASE_S = 1.0
    lost, again = [loss], threading.Event()

    def lose_once(execute: Any, *given: Any) -> Any:
        if lost:
            raise lost.pop()
        again.set()
        return execute(*given)

    await in_lease_thread(lambda: connection.execute_wrappers.append(lose_once))()
    with caplog.at_level(logging.WARNING):
        watch = asyncio.create_task(session.watch())
        assert await asyncio.to_thread(again.wait, 20)
    await in_lease_thread(lambda: connection.execute_wrappers.remove(lose_once))()
    assert not watch.done()
    assert "could not be renewed" in caplog.text
    watch.cancel()

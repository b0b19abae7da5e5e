"""Alive and ready."""

from __future__ import annotations

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from agent.runs.executor import HEARTBEAT_KEPT_S
from agent.store.connection import sync_client
from agent.store.keys import EXECUTOR_HEARTBEAT


def test_being_alive_touches_nothing(db: None) -> None:
    with CaptureQueriesContext(connection) as seen:
        response = Client().get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})
    assert len(seen) == 0


def test_being_ready_needs_a_fresh_heartbeat(transactional_db: None) -> None:
    redis = sync_client()
    redis.set(EXECUTOR_HEARTBEAT, "worker", ex=HEARTBEAT_KEPT_S)
    response = Client().get("/readyz")
    assert response.json() == {
        "status": "ready", "checks": {"database": "ok", "migrations": "ok", "redis": "ok", "worker": "ok"}
    }  # fmt: skip
    redis.delete(EXECUTOR_HEARTBEAT)
    response = Client().get("/readyz")
    assert (response.status_code, response.json()["checks"]["worker"]) == (503, "failed")


def test_what_watches_the_process_is_only_read(db: None) -> None:
    browser = Client(enforce_csrf_checks=True)
    for path in ("/healthz", "/readyz", "/metrics"):
        assert {browser.generic(method, path).status_code for method in ("POST", "DELETE", "TRACE")} == {405}

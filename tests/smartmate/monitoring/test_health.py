"""Alive and ready."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from agent.runs.executor import HEARTBEAT_KEPT_S
from agent.store.connection import sync_client
from agent.store.keys import EXECUTOR_HEARTBEAT
from smartmate.monitoring.health import CHECKS


def test_being_alive_touches_nothing(db: None) -> None:
    with CaptureQueriesContext(connection) as seen:
        response = Client().get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})
    assert len(seen) == 0


def test_being_ready_needs_a_fresh_heartbeat(transactional_db: None, caplog: pytest.LogCaptureFixture) -> None:
    redis = sync_client()
    redis.set(EXECUTOR_HEARTBEAT, "worker", ex=HEARTBEAT_KEPT_S)
    response = Client().get("/readyz")
    assert response.json() == {
        "status": "ready", "checks": {"database": "ok", "migrations": "ok", "redis": "ok", "worker": "ok"}
    }  # fmt: skip
    redis.delete(EXECUTOR_HEARTBEAT)
    caplog.clear()
    response = Client().get("/readyz")
    assert [(one.levelname, one.getMessage()) for one in caplog.records] == [("WARNING", "not ready: worker")]
    assert (response.status_code, response.json()["checks"]["worker"]) == (503, "failed")


def test_a_check_leaves_no_connection_behind(transactional_db: None) -> None:
    """A connection that was opened while the database could only be read can never write, nor can those beside it."""
    left: dict[str, list[str]] = {}

    def look() -> None:
        for check in CHECKS:
            answer = check.ask()
            open_ones = [made.alias for made in connections.all(initialized_only=True) if made.connection is not None]
            left[f"{check.name} {answer}"] = open_ones

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert left == {"database True": [], "migrations True": [], "redis True": [], "worker False": []}


def test_what_watches_the_process_is_only_read(db: None) -> None:
    browser = Client(enforce_csrf_checks=True)
    for path in ("/healthz", "/readyz", "/metrics"):
        assert {browser.generic(method, path).status_code for method in ("POST", "DELETE", "TRACE")} == {405}


def test_what_watches_the_process_asks_it_by_any_host(transactional_db: None, settings: Any) -> None:
    """A probe names the address of the process, a scraper too; nobody else may."""
    settings.ALLOWED_HOSTS = ["plan.example.edu"]
    settings.METRICS_TOKEN = "read"
    asked = Client(headers={"host": "10.1.2.3:8000", "authorization": "Bearer read"})
    found = {path: asked.get(path).status_code for path in ("/healthz", "/metrics", "/login", "/api/v1/auth/session")}
    assert found == {"/healthz": 200, "/metrics": 200, "/login": 400, "/api/v1/auth/session": 400}
    assert "checks" in asked.get("/readyz").json()

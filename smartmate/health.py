"""Is the process alive (`/healthz`), and can it do its work (`/readyz`)?"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Literal

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from typing_extensions import TypedDict

from agent.store.connection import sync_client
from agent.store.keys import EXECUTOR_HEARTBEAT
from taskclasses.kernel.answers import answers

log = logging.getLogger("smartmate.health")


class Alive(TypedDict):
    status: Literal["ok"]


class Readiness(TypedDict):
    status: Literal["ready", "unready"]
    checks: dict[str, Literal["ok", "failed"]]


@answers(media={"application/json": Alive}, public=True)
@csrf_exempt  # nothing is written here, and the refusal of another method is a 405
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process lives."""
    return JsonResponse({"status": "ok"})


@answers(media={"application/json": Readiness}, statuses=(200, 503), public=True)
@csrf_exempt  # nothing is written here, and the refusal of another method is a 405
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 when every check is ok, else 503 with the same body."""
    checks = {name: _outcome(name, check) for name, check in CHECKS.items()}
    ready = all(outcome == "ok" for outcome in checks.values())
    return JsonResponse({"status": "ready" if ready else "unready", "checks": checks}, status=200 if ready else 503)


def _outcome(name: str, check: Callable[[], bool]) -> str:
    try:
        return "ok" if check() else "failed"
    except Exception:
        log.warning("readiness check %s failed", name, exc_info=True)
        return "failed"


def _database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def _migrations() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def _redis() -> bool:
    return bool(sync_client().ping())


def _worker() -> bool:
    """An executor was heard of: what it leaves goes away by itself."""
    return bool(sync_client().exists(EXECUTOR_HEARTBEAT))


CHECKS: dict[str, Callable[[], bool]] = {
    "database": _database,
    "migrations": _migrations,
    "redis": _redis,
    "worker": _worker,
}

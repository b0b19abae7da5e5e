"""Is the process alive (`/healthz`), and can it do its work (`/readyz`)?"""

from __future__ import annotations

import logging
import time
from concurrent.futures import Future
from typing import Literal

from django.conf import settings
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.log import log_response
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from typing_extensions import TypedDict

from agent.store.connection import make_sync
from agent.store.keys import EXECUTOR_HEARTBEAT
from smartmate.stores.probes import (
    FRESH_S,
    LIMIT_S,
    Probe,
    database_takes_writes,
    impatient_database,
    redis_takes_writes,
)
from taskclasses.kernel.answers import answers

log = logging.getLogger("smartmate.health")


class Alive(TypedDict):
    status: Literal["ok"]


class Readiness(TypedDict):
    status: Literal["ready", "unready"]
    checks: dict[str, Literal["ok", "failed"]]


@answers(media={"application/json": Alive}, public=True)
@csrf_exempt  # nothing of a client's is written here, and the refusal of another method is a 405
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answers 200: the process lives."""
    return JsonResponse({"status": "ok"})


@answers(media={"application/json": Readiness}, statuses=(200, 503), public=True)
@csrf_exempt  # nothing of a client's is written here, and the refusal of another method is a 405
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Answers 200 when every check is ok, else 503 with the same body; a check that takes longer than `LIMIT_S` is not
    ok."""
    asked = {probe.name: probe.begin() for probe in CHECKS}
    end = time.monotonic() + LIMIT_S
    checks = {name: "ok" if _read_check(answer, end) else "failed" for name, answer in asked.items()}
    failed = [name for name, outcome in checks.items() if outcome == "failed"]
    answer = JsonResponse({"status": "unready" if failed else "ready", "checks": checks}, status=503 if failed else 200)
    if failed:
        # In the place of Django's own line, which does not say what is wrong.
        log_response("not ready: %s", ", ".join(failed), response=answer, request=request, logger=log, level="warning")
    return answer


def _read_check(answer: Future[bool], end: float) -> bool:
    try:
        return answer.result(max(0.0, end - time.monotonic()))
    except TimeoutError:
        return False


def _migrations() -> bool:
    with impatient_database() as connection:
        connections["default"] = connection  # the executor asks that of its thread, whichever it is given
        executor = MigrationExecutor(connection)
        return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def _worker() -> bool:
    """Tells whether an executor was heard of: what it leaves goes away by itself."""
    with make_sync(settings.REDIS_URL, timeout=LIMIT_S) as client:
        return bool(client.exists(EXECUTOR_HEARTBEAT))


CHECKS = (
    # Anybody may ask: the stores are written to once a second at most.
    Probe("database", database_takes_writes, fresh_s=FRESH_S),
    Probe("migrations", _migrations),
    Probe("redis", redis_takes_writes, fresh_s=FRESH_S),
    Probe("worker", _worker),
)

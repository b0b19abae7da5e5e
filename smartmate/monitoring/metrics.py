"""`GET /metrics` for Prometheus, and the count of every HTTP answer."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare
from django.utils.decorators import sync_and_async_middleware
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from smartmate.monitoring.open_rows import RunsCollector
from taskclasses.kernel.answers import answers
from taskclasses.kernel.envelope import error_response
from taskclasses.kernel.errors import CodedError
from taskclasses.kernel.telemetry import tracing
from taskclasses.kernel.telemetry.metrics import HTTP_REQUESTS, HTTP_SECONDS

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
TEXT = {"text/plain": {"type": "string", "description": "Prometheus text format 0.0.4"}}


@sync_and_async_middleware
def count_answers(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Counts answers as the outermost middleware, from the moment the request came, its wait for a thread included."""
    if iscoroutinefunction(get_response):

        async def count_async(request: HttpRequest) -> HttpResponseBase:
            start = time.perf_counter()
            answer: Awaitable[HttpResponseBase] = get_response(request)
            return _count_request(request, await answer, start)

        return count_async

    def count(request: HttpRequest) -> HttpResponseBase:
        start = time.perf_counter()
        return _count_request(request, get_response(request), getattr(request, "begun", start))

    return count


def _count_request(request: HttpRequest, response: HttpResponseBase, start: float) -> HttpResponseBase:
    route, method = _route(request), request.method if request.method in METHODS else "other"
    HTTP_SECONDS.labels(route, method).observe(time.perf_counter() - start)
    HTTP_REQUESTS.labels(route, method, str(response.status_code)).inc()
    told: dict[str, tracing.Value] = {"http.route": route, "http.response.status_code": response.status_code}
    tracing.rename(f"{method} {route}", **told)
    return response


def _route(request: HttpRequest) -> str:
    """Returns the pattern that matched, without what the request put into it."""
    match = request.resolver_match
    if match is None:
        return "static" if request.path.startswith(settings.STATIC_URL) else "none"
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", match.route)


@answers(None, 40014, 40400, media=TEXT, public=True)
@csrf_exempt  # nothing is written here, and the refusal of another method is a 405
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answers the figures for Prometheus: with the bearer `METRICS_TOKEN`, or in the session of a member of staff."""
    refusal = _refusal(request)
    if refusal is not None:
        return error_response(CodedError(refusal), request)
    return HttpResponse(exposition(), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _refusal(request: HttpRequest) -> int | None:
    """Returns the code that the request is refused with; with an `Authorization` header only the header counts. To who
    is signed in but no staff there is nothing here."""
    header = request.headers.get("Authorization")
    if header is not None:
        scheme, _, token = header.partition(" ")
        known = bool(settings.METRICS_TOKEN) and constant_time_compare(token.strip(), settings.METRICS_TOKEN)
        return None if known and scheme.lower() == "bearer" else 40014
    user = request.user
    if not user.is_authenticated or not user.is_active:
        return 40014
    return None if user.is_staff else 40400


def exposition() -> bytes:
    """Returns all figures as text: of this process, or of all that share `PROMETHEUS_MULTIPROC_DIR`."""
    rows = CollectorRegistry()
    rows.register(RunsCollector())
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR", "")
    if not folder:
        return generate_latest(REGISTRY) + generate_latest(rows)
    _forget_the_dead(Path(folder))
    MultiProcessCollector(rows, path=folder)  # type: ignore[no-untyped-call]
    return generate_latest(rows)


def _forget_the_dead(folder: Path) -> None:
    """Forgets the readers of processes that were killed; what they count stays."""
    for file in folder.glob("gauge_live*_*.db"):
        pid = int(file.stem.rpartition("_")[2])
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            mark_process_dead(pid, path=str(folder))  # type: ignore[no-untyped-call]
        except PermissionError:
            continue

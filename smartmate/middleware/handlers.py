"""Requests over ASGI: what is synchronous takes one change of threads, what streams takes none while it waits.

Django runs each synchronous middleware of an asynchronous chain in a step of its own, there and back: two dozen changes
of threads around a view that needs one. So every view but the asynchronous ones gets the chain as WSGI would run it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve

from smartmate.middleware.body_limit import body_limit_of, limit_body


class QuietHandler(ASGIHandler):
    """Serves a request as Django does, and logs no error when the client of one that was given up leaves."""

    async def listen_for_disconnect(self, receive: Any) -> None:
        # Only Django itself looks at the exception, and not any more once the request was given up.
        with suppress(RequestAborted):
            await super().listen_for_disconnect(receive)


class OneStepHandler(QuietHandler):
    """Runs middleware and view of a request in one thread, one after the other."""

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        request.begun = time.perf_counter()  # type: ignore[attr-defined]
        return await sync_to_async(self.get_response)(request)


class Handlers:
    """Serves all HTTP requests."""

    def __init__(self) -> None:
        self._asynchronous, self._synchronous = QuietHandler(), OneStepHandler()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        view = _find_view(scope)
        handler = self._asynchronous if iscoroutinefunction(view) else self._synchronous
        await handler(scope, limit_body(scope, receive, body_limit_of(view)), send)


def _find_view(scope: Any) -> Callable[..., Any] | None:
    try:
        return resolve(scope["path"].removeprefix(scope.get("root_path", ""))).func
    except Resolver404:
        return None

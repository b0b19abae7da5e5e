"""No request waits for a store that is frozen: what has no answer for a while asks whether the stores still answer.

A request may take as long as it needs while they do. Where one does not, it is refused with 503 and 50004; its effect
may still happen once the store goes on, as with every answer that is lost on its way.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils import translation

from smartmate.middleware.errors import error_of
from smartmate.stores.probes import stores_answer
from taskclasses.kernel.envelope import error_response, locale_of
from taskclasses.kernel.errors import CodedError

PATIENCE_S = 2.0
R = TypeVar("R")
Send = Callable[[Any], Awaitable[None]]


async def in_time(work: Coroutine[Any, Any, R], begun: asyncio.Future[None] | None = None) -> R:
    """Returns the result of `work`. 50004, and the work is given up, when a store is silent before it is done (or
    `begun`)."""
    task = asyncio.ensure_future(work)
    task.add_done_callback(_look_at)
    waited: set[asyncio.Future[Any]] = {task, begun} if begun is not None else {task}
    try:
        while not _any_done(waited):
            await asyncio.wait(waited, timeout=PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
            if not _any_done(waited) and not await stores_answer() and not _any_done(waited):
                raise CodedError(50004)
        return await task
    except BaseException:
        task.cancel()
        raise


def _any_done(waited: set[asyncio.Future[Any]]) -> bool:
    return any(future.done() for future in waited)


def _look_at(task: asyncio.Future[Any]) -> None:
    """Reads the exception of a task that was given up: nobody else looks at it."""
    if not task.cancelled():
        task.exception()


class AnswerInTime:
    """Answers the requests and handshakes of an ASGI application even while a store is frozen."""

    def __init__(self, application: Callable[[Any, Any, Any], Coroutine[Any, Any, None]]) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Send) -> None:
        begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        refused = False

        async def send_unless_refused(message: Any) -> None:
            if refused:
                return
            if not begun.done():
                begun.set_result(None)
            await send(message)

        try:
            await in_time(self._application(scope, receive, send_unless_refused), begun)
        except asyncio.CancelledError:
            # The server ends and waits for no answer any more: who asked is told to ask again.
            if not begun.done():
                refused = True
                await _refuse(scope, send, CodedError(50004))
            raise
        except Exception as error:
            coded = error_of(error)
            if begun.done() or coded.code != 50004:
                raise
            refused = True
            await _refuse(scope, send, coded)


async def _refuse(scope: Any, send: Send, error: CodedError) -> None:
    kind = "http.response" if scope["type"] == "http" else "websocket.http.response"
    if scope["type"] == "websocket" and kind not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1013})
        return
    response = _response(scope, error)
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    await send({"type": f"{kind}.start", "status": response.status_code, "headers": headers})
    await send({"type": f"{kind}.body", "body": response.content})


def _response(scope: Any, error: CodedError) -> HttpResponse:
    """Returns the envelope; for a person who asked for a page, the words of a page that failed."""
    request = ASGIRequest({**scope, "type": "http", "method": scope.get("method", "GET")}, io.BytesIO())
    if request.path.startswith(("/api/", "/ws/")):
        return error_response(error, request)
    with translation.override("en" if locale_of(request) == "en" else "zh-hans"):
        return HttpResponse(render_to_string("500.html"), status=error.http_status)

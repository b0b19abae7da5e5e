"""HTTP and WebSocket. On the embedded default this process also executes the runs."""

from __future__ import annotations

import asyncio
import logging
import os
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "smartmate.settings")
django.setup(set_prefix=False)

# Models may be imported only now that the apps are loaded.
from asgiref.sync import ThreadSensitiveContext, sync_to_async  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.conf import settings  # noqa: E402
from django.core.checks import run_checks  # noqa: E402

from agent.store.threads import DatabaseThreads  # noqa: E402
from agent.transports.socket.background import Background  # noqa: E402
from agent.transports.socket.routing import websocket_urlpatterns  # noqa: E402
from smartmate.middleware.access import buckets  # noqa: E402
from smartmate.middleware.deadline import AnswerInTime, in_time  # noqa: E402
from smartmate.middleware.errors import error_of  # noqa: E402
from smartmate.middleware.handlers import Handlers  # noqa: E402
from taskclasses.kernel.memory import freeze_modules  # noqa: E402
from taskclasses.kernel.telemetry import tracing  # noqa: E402

log = logging.getLogger("smartmate.server")
background = Background()
PROBES = frozenset({"/healthz", "/readyz"})
_http = Handlers()
_threads = DatabaseThreads(settings.REQUEST_THREADS, "request")
_sockets = URLRouter(websocket_urlpatterns)


def _take(kind: str, who: str) -> int:
    return buckets().take(kind, who) if settings.RATE_LIMITS else 0


async def _socket(scope: Any, receive: Any, send: Any) -> None:
    """Lets a WebSocket share the rate limits and the error codes of the REST endpoints."""
    await _sockets({**scope, "take": _take, "coded": error_of, "in_time": in_time}, receive, send)


async def _request(scope: Any, receive: Any, send: Any) -> None:
    """Serves a request: each synchronous step of a request takes a thread of a small pool and gives it back: no
    transaction spans two of them, and a stream that waits holds none."""
    with tracing.begin("request"):
        async with ThreadSensitiveContext(executor=_threads):
            await _http(scope, receive, send)


_answer_in_time = AnswerInTime(_request)


async def _answer(scope: Any, receive: Any, send: Any) -> None:
    """Answers a request, or a probe: that one has a thread of its own, for the others may all be busy, and limits of
    its own, for it is there to tell which store is silent."""
    await (_http if scope["path"] in PROBES else _answer_in_time)(scope, receive, send)


_router = ProtocolTypeRouter(
    {
        "http": _answer,
        "websocket": AnswerInTime(_socket),
    }
)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Serves every scope of ASGI; a server begins here."""
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
        return
    background.ensure()
    await _router(scope, receive, send)


def _wrong_settings() -> str:
    """Returns what `manage.py` refuses to start with, for a server that starts without it; empty when all is well.
    What a command would only warn of is logged."""
    found = [one for one in run_checks() if not one.is_silenced()]
    for one in found:
        if not one.is_serious():
            log.warning("%s", one.msg)
    return "; ".join(str(one) for one in found if one.is_serious())


async def _lifespan(receive: Any, send: Any) -> None:
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            wrong = await sync_to_async(_wrong_settings)()
            if wrong:
                await send({"type": "lifespan.startup.failed", "message": wrong})
                return
            background.ensure()
            await asyncio.sleep(0)  # what stands beside the requests loads its modules as it begins
            freeze_modules()
            await send({"type": "lifespan.startup.complete"})
        else:
            await background.stop()
            await send({"type": "lifespan.shutdown.complete"})
            return

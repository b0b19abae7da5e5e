"""`manage.py runworker agent-runs`: executes runs. SIGTERM and SIGINT end it in order, a second one at once."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Coroutine
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from agent.runs.wake import CHANNEL
from agent.store.connection import close_async_client, is_embedded
from agent.transports.socket.worker import execute_runs
from schedules.services.planning import planners
from taskclasses.kernel.memory import freeze_modules
from taskclasses.kernel.processes.deadline import END_S, EndDeadline
from taskclasses.kernel.processes.watchdog import keep_saying_alive

logger = logging.getLogger("agent.runworker")


class Command(BaseCommand):
    help = "Executes runs until it is told to end: live runs end within AGENT_DRAIN_S or go on with another worker."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("channels", nargs="*", default=[CHANNEL], help=f"the one channel there is: {CHANNEL}")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["channels"] != [CHANNEL]:
            raise CommandError(f"there is no channel but {CHANNEL}")
        if is_embedded():
            raise CommandError("without REDIS_URL the web process executes the runs it accepts")
        logger.info("executes runs until it is told to end")
        _run(_work())
        logger.info("has let go of its runs and ends")


def _run(work: Coroutine[Any, Any, None]) -> None:
    """Runs on uvloop where there is one: a third less CPU for what goes over sockets."""
    try:
        import uvloop
    except ImportError:
        asyncio.run(work)
    else:
        uvloop.run(work)


async def _work() -> None:
    alive = asyncio.create_task(keep_saying_alive())
    working = asyncio.create_task(execute_runs())
    deadline = EndDeadline(settings.AGENT_DRAIN_S + END_S)

    def end() -> None:
        working.cancel()
        deadline.start()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, end)
    await asyncio.sleep(0)  # the executor loads its modules as it begins
    freeze_modules()
    await asyncio.gather(working, return_exceptions=True)
    alive.cancel()
    await asyncio.to_thread(planners().close)
    await close_async_client()

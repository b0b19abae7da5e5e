"""A last moment for a process that was told to end."""

from __future__ import annotations

import asyncio
import logging
import os
import threading

logger = logging.getLogger("smartmate.processes")
END_S = 8.0
"""What an orderly end needs beside the time that runs have: to let go of leases and close connections."""


class EndDeadline:
    """Ends this process for certain, `seconds` after `start`, as a kill would.

    A store that is frozen answers nothing and refuses nothing: who lets go of a run there would wait for ever. What is
    lost is what a kill loses: leases run out, and a sweep brings the runs to their end.
    """

    def __init__(self, seconds: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._timer = threading.Timer(seconds, self._cut_off)
        self._timer.daemon = True

    def start(self) -> None:
        """Begins to count; a second start changes nothing."""
        if not self._timer.is_alive():
            self._timer.start()

    def cancel(self) -> None:
        """Lets the process go on: what was to end has ended."""
        self._timer.cancel()

    def _cut_off(self) -> None:
        try:
            waiting = sorted(repr(task.get_coro()) for task in asyncio.all_tasks(self._loop))
            logger.error("this process was told to end and is cut off; under way: %s", "; ".join(waiting))
            logging.shutdown()
        finally:
            os._exit(1)

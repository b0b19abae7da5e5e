"""Group commit of one run's events: what comes while an append is under way goes out together with the next.

Nothing waits for company: the first event goes out at once. Places are given before, so the order of the log is that in
which events were added. A failed append is told to whoever looks next, and its events go out before all later ones.
"""

from __future__ import annotations

import asyncio

from agent.calls.kinds import Json
from agent.loop.events import Stamped
from agent.store.event_log import EventLog

AHEAD = 256
"""Events that may be on their way before who adds more has to wait."""


class LogWriter:
    """Writes a run's log, as the only one in this process."""

    def __init__(self, log: EventLog, *, fence: int) -> None:
        self.log = log
        self._fence = fence
        self._added: list[tuple[Stamped, Json | None]] = []
        self._under_way: list[tuple[Stamped, Json | None]] = []
        self._sending: asyncio.Task[None] | None = None
        self._failure: Exception | None = None

    @property
    def full(self) -> bool:
        return len(self._added) >= AHEAD

    @property
    def unsent(self) -> list[Stamped]:
        """Returns the events that are not known to be in the log, oldest first."""
        return [event for event, _ in (*self._under_way, *self._added)]

    @property
    def _idle(self) -> bool:
        return self._sending is None or self._sending.done()

    def add(self, event: Stamped, *, open_block: Json | None = None) -> None:
        """Takes the next event, with the block it leaves open. Raises what became of an earlier one."""
        self._added.append((event, open_block))
        if self._idle:
            self._sending = asyncio.create_task(self._send())
        self._tell_failure()

    async def flush(self) -> None:
        """Waits until all that was added is in the log. Raises `AppendRefused`, or the failure of the server."""
        if self._added and self._idle:
            self._sending = asyncio.create_task(self._send())
        if self._sending is not None:
            await asyncio.wait({self._sending})
        self._tell_failure()

    def _tell_failure(self) -> None:
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    async def _send(self) -> None:
        while self._added:
            self._under_way, self._added = self._added, []
            try:
                events = [event for event, _ in self._under_way]
                await self.log.append(events, fence=self._fence, open_block=self._under_way[-1][1])
            except Exception as failure:
                self._added = self._under_way + self._added
                self._failure = failure
                return
            finally:
                self._under_way = []

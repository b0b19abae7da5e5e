"""All events of an ended run in one SQL row, so that a reader gets the same bytes after Redis forgot them."""

from __future__ import annotations

import asyncio
import json
import zlib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from uuid import UUID

from agent.loop.events import Stamped
from agent.models import RunArchive
from agent.store.event_log import take_bounded
from agent.store.threads import in_thread

HELD_EVENTS = 20_000


@dataclass(frozen=True)
class Archive:
    """Holds the events of an ended run in order, each with its size as stored; at least one."""

    rows: Sequence[tuple[Stamped, int]]

    @property
    def end(self) -> int:
        """Returns the idx behind the last event."""
        return self.rows[-1][0].idx + 1

    def read(self, start: int, limit: int, size: int) -> list[Stamped]:
        """Reads as `EventLog.read` does."""
        first = bisect_left(self.rows, start, key=lambda row: row[0].idx)
        return take_bounded(islice(self.rows, first, None), limit, size)


def put(run_id: str | UUID, events: Sequence[Stamped]) -> None:
    """Writes the archive once, with the place where it begins; a second writer changes nothing."""
    lines = "\n".join(event.to_line() for event in events)
    first = events[0].idx if events else None
    values = {"events": zlib.compress(lines.encode()), "count": len(events), "first_idx": first}
    RunArchive.objects.get_or_create(run_id=run_id, defaults=values)


def cut(run_id: str | UUID) -> int:
    """Leaves only the terminal event of an archive: readers get the timeline instead. Answers how many were cut."""
    row = RunArchive.objects.filter(run_id=run_id, count__gt=1).first()
    if row is None:
        return 0
    last = zlib.decompress(row.events).rpartition(b"\n")[2]
    kept = {"events": zlib.compress(last), "count": 1, "first_idx": json.loads(last)["idx"]}
    return RunArchive.objects.filter(run_id=run_id, count=row.count).update(**kept)


def get(run_id: str | UUID) -> list[Stamped] | None:
    """Returns the archived events in order, or None when the run is not archived."""
    found = _load_archive(str(run_id))
    return None if found is None else [event for event, _ in found.rows]


def _load_archive(run_id: str) -> Archive | None:
    """Loads an archive; a line ends at a line feed alone: JSON leaves the other separators that `str.splitlines` knows
    as they are."""
    row = RunArchive.objects.filter(run_id=run_id).first()
    if row is None or not row.count:
        return None
    lines = zlib.decompress(row.events).decode().split("\n")
    return Archive([(Stamped.from_document(json.loads(line)), len(line.encode())) for line in lines])


class Archives:
    """Keeps the archives read last. What is archived never changes, and readers who come together wait for one
    reading."""

    def __init__(self, size: int = HELD_EVENTS) -> None:
        self._size = size
        self._held: dict[str, Archive] = {}
        self._coming: dict[tuple[asyncio.AbstractEventLoop, str], asyncio.Future[Archive | None]] = {}

    async def load(self, run_id: str) -> Archive | None:
        """Loads the archive of an ended run, None while it has none."""
        held = self.held(run_id)
        if held is not None:
            return held
        key = asyncio.get_running_loop(), run_id
        coming = self._coming.get(key)
        if coming is None:
            coming = self._coming[key] = asyncio.ensure_future(in_thread(_load_archive)(run_id))
            coming.add_done_callback(lambda _: self._coming.pop(key, None))
        found = await asyncio.shield(coming)
        if found is not None:
            self._hold(run_id, found)
        return found

    def held(self, run_id: str) -> Archive | None:
        """Returns the archive if it was read lately."""
        return self._held.get(run_id)

    def _hold(self, run_id: str, found: Archive) -> None:
        self._held[run_id] = found
        while len(self._held) > 1 and sum(len(archive.rows) for archive in self._held.values()) > self._size:
            self._held.pop(next(iter(self._held)))


archives = Archives()

"""All events of an ended run in one SQL row, so that a reader gets the same bytes after Redis forgot them."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from uuid import UUID

from agent.loop.events import Stamped
from agent.models import RunArchive


def put(run_id: str | UUID, events: Sequence[Stamped]) -> None:
    """Writes the archive once; a second writer changes nothing."""
    lines = "\n".join(event.to_line() for event in events)
    RunArchive.objects.get_or_create(
        run_id=run_id, defaults={"events": zlib.compress(lines.encode()), "count": len(events)}
    )


def get(run_id: str | UUID) -> list[Stamped] | None:
    """The archived events in order, or None when the run is not archived.

    A line ends at a line feed alone: JSON leaves the other separators that `str.splitlines` knows as they are.
    """
    row = RunArchive.objects.filter(run_id=run_id).first()
    if row is None:
        return None
    lines = zlib.decompress(row.events).decode().split("\n")
    return [Stamped.from_document(json.loads(line)) for line in lines]

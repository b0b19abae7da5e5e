"""The items of a whole run."""

from __future__ import annotations

from collections.abc import Iterable

from agent.loop.events import Stamped
from agent.runs.timeline.fold import Folder, Item


def fold(events: Iterable[Stamped]) -> list[Item]:
    folder = Folder()
    return [item for item in map(folder.feed, events) if item is not None]

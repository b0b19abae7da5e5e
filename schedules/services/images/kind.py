"""What every kind of row has to offer to be part of a batch: images of its rows, and the effects between two images."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from schedules.models import AppliedBatch, Semester
from schedules.planner.grid import Place
from schedules.presentation.conflicts import conflict
from schedules.terms.lessons import AS_PLANNED
from taskclasses.shapes import Blocker, Conflict

Image = dict[str, Any]
"""A row as JSON, with its `id`."""
Pair = tuple[Image | None, Image | None]
"""A row before and after; None is absent."""
CELL_COLUMNS = (
    "semester_id", "week", "day_of_week", "section", "event_id", "embedded_task_item_id", "status",
    "event__name", "event__type", "event__task_item_id",
)  # fmt: skip
"""What is asked of a cell and of the event that has it: a term has a thousand."""


class TakenCell(NamedTuple):
    """Holds a taken section with its event, in the sequence of `CELL_COLUMNS`."""

    semester_id: int
    week: int
    day_of_week: int
    section: int
    event_id: int
    embedded_task_item_id: int | None
    status: str
    event_name: str
    event_type: str
    event_task_item_id: int | None


Cells = Mapping[tuple[int, int, int, int], TakenCell]
"""The taken sections by (semester, week, weekday, section)."""

_UNCOMPARED = ("revision", "progress", "pinned", "by_hand")
"""What keeps rising, what is another matter, and who keeps an item: a pin is in nobody's way."""
_ADDED_LATER: Mapping[str, Mapping[str, Any]] = {"lessons": AS_PLANNED}
"""What images say that were stored before a column came."""


@dataclass(frozen=True)
class Timetable:
    """Tells whose rows a write changes; the caller holds the lock."""

    user_id: int
    semester: Semester


class RowsNow(Protocol):
    """Tells what the rows of one kind say now about some batches, read in a fixed number of queries."""

    def obstacles(self, batch: AppliedBatch) -> Iterable[Conflict]:
        """Returns everything about these rows that keeps the batch from being undone now."""


class RowKind(Protocol):
    """Writes and restores rows of one kind in a batch. A write calls `lift` for every kind, then `put`, then `drop`.

    `lift` gives free what must be unique, `put` inserts and updates, `drop` deletes rows that others may have referred
    to. Each takes all pairs of its kind and needs a fixed number of queries. A row keeps the id that its image names.
    """

    @property
    def name(self) -> str: ...

    def now(self, batches: Sequence[AppliedBatch], cells: Cells) -> RowsNow: ...

    def lift(self, at: Timetable, pairs: Sequence[Pair]) -> None: ...

    def put(self, at: Timetable, pairs: Sequence[Pair]) -> list[Pair]:
        """Answers the pairs with the ids of new rows."""

    def drop(self, at: Timetable, pairs: Sequence[Pair]) -> None: ...


def pairs_of(batch: AppliedBatch, kind: str) -> list[Pair]:
    """Returns the pairs of images of one kind that a batch keeps."""
    later = _ADDED_LATER.get(kind, {})
    return [
        (None if before is None else {**later, **before}, None if after is None else {**later, **after})
        for before, after in (batch.row_changes or {}).get(kind, ())
    ]


def owners_of(batches: Iterable[AppliedBatch], *kinds: str) -> dict[str, set[int]]:
    """Tells whose rows of some kinds some batches keep, as a filter of rows; empty when none keeps any."""
    named = [batch for batch in batches if any(pairs_of(batch, kind) for kind in kinds)]
    if not named:
        return {}
    return {"user__in": {batch.user_id for batch in named}, "semester__in": {batch.semester_id for batch in named}}


def find_added(pairs: Iterable[Pair]) -> Iterator[Image]:
    return (after for before, after in pairs if before is None and after is not None)


def find_removed(pairs: Iterable[Pair]) -> Iterator[Image]:
    return (before for before, after in pairs if before is not None and after is None)


def find_kept(pairs: Iterable[Pair]) -> Iterator[tuple[Image, Image]]:
    return ((before, after) for before, after in pairs if before is not None and after is not None)


def same(one: Any, other: Any) -> bool:
    """Tells whether two images are equal in all that counts."""
    return bool(one == other or _bare(one) == _bare(other))


def _bare(image: Any) -> Any:
    if isinstance(image, dict):
        return {key: _bare(value) for key, value in image.items() if key not in _UNCOMPARED}
    return image


def tell_changed(name: str, *, place: Place | None = None, event_id: int = 0, task_item_id: int = 0) -> Conflict:
    """Returns the conflict of a row that is no longer as the batch left it, or that cannot be what it was."""
    blocker: Blocker = {"event_id": event_id, "task_item_id": task_item_id, "name": name, "type": "course"}
    return conflict(40077, "changed_since", item_id=0, class_id=0, place=place, blocker=blocker)

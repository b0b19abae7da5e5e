"""A write of the timetable, computed before it is done: rows of any kind and items, kept as one batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from schedules.models import AppliedBatch, TimetableVersion
from schedules.planner.draft.state import Spot
from schedules.services.images.items import change_of, images_of
from schedules.services.images.kind import Pair, Timetable
from schedules.services.images.kinds import change_rows
from schedules.services.lock import timetable_changed
from schedules.services.placement.seats import Seats


@dataclass(frozen=True)
class TimetableChange:
    """Holds pairs of images by kind of row, and the items that the write moves; None takes an item off the timetable.

    A new course is in the table already, for its lessons name its id.
    """

    rows: Mapping[str, Sequence[Pair]] = field(default_factory=dict)
    items: Mapping[int, Spot | None] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Tells whether every row is afterwards what it was before, and no item moves: there is nothing to undo."""
        return not self.items and all(before == after for pairs in self.rows.values() for before, after in pairs)

    def write(self, *, version: TimetableVersion, source: str, conversation_id: UUID | None = None) -> AppliedBatch:
        """Does it and keeps it as a batch; the caller holds the lock and has refused what cannot be."""
        at = Timetable(version.user_id, version.semester)
        batch = AppliedBatch.objects.create(
            user_id=at.user_id, semester=at.semester, source=source, conversation=conversation_id
        )
        before = images_of(self.items)
        seats = Seats(at.user_id, at.semester)
        kept = seats.lift(self.items) if self.items else {}
        done = change_rows(at, self._name_import(batch))
        if self.items:
            seats.put(self.items, kept)
        after = images_of(self.items)
        batch.changes = [change_of(before[item], after[item]) for item in self.items]
        batch.row_changes = done
        batch.save(update_fields=["changes", "row_changes"])
        timetable_changed(version)
        return batch

    def _name_import(self, batch: AppliedBatch) -> Mapping[str, Sequence[Pair]]:
        """Returns the rows; new lessons of an import name it."""
        if batch.source != AppliedBatch.Source.IMPORT:
            return self.rows
        return {**self.rows, "lessons": [_mark(pair, batch.pk) for pair in self.rows.get("lessons", ())]}


def _mark(pair: Pair, import_id: int) -> Pair:
    before, after = pair
    return (None, {**after, "import_batch_id": import_id}) if before is None and after is not None else pair

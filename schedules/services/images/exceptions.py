"""The calendar of exceptions in a batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models

from schedules.models import AppliedBatch, CalendarException
from schedules.presentation.terms import EXCEPTION_COLUMNS, SECTIONS
from schedules.services.images.kind import Cells, Image, RowsNow, owners_of, pairs_of, tell_changed
from schedules.services.images.plain import PlainRows
from schedules.terms.exceptions import overlaps
from taskclasses.shapes import Conflict


class ExceptionRows(PlainRows):
    """Writes rows that stand for themselves, but for the dates: no two may share one.

    An image has the sections only of time that is kept free of study in some of them.
    """

    def image(self, row: models.Model) -> Image:
        found = super().image(row)
        return {name: value for name, value in found.items() if name not in SECTIONS or value is not None}

    def values(self, image: Image) -> dict[str, Any]:
        return super().values({**dict.fromkeys(SECTIONS), **image})

    def now(self, batches: Sequence[AppliedBatch], cells: Cells) -> RowsNow:
        plain = super().now(batches, cells)
        mine = owners_of(batches, self.name)
        if not mine:
            return plain
        rows = CalendarException.objects.filter(**mine)
        return ExceptionsNow(plain, {row.pk: (self.image(row), (row.user_id, row.semester_id)) for row in rows})


EXCEPTIONS = ExceptionRows("exceptions", CalendarException, EXCEPTION_COLUMNS, label="name")


@dataclass(frozen=True)
class ExceptionsNow:
    plain: RowsNow
    images: Mapping[int, tuple[Image, tuple[int, int]]]

    def obstacles(self, batch: AppliedBatch) -> Iterable[Conflict]:
        return [*self.plain.obstacles(batch), *self._overlaps(batch)]

    def _overlaps(self, batch: AppliedBatch) -> Iterator[Conflict]:
        """Yields exceptions that would come back onto dates that another has by now."""
        pairs = pairs_of(batch, EXCEPTIONS.name)
        back = [before for before, _ in pairs if before is not None]
        own = {image["id"] for pair in pairs for image in pair if image is not None}
        whose = (batch.user_id, batch.semester_id)
        others = [image for pk, (image, owner) in self.images.items() if owner == whose and pk not in own]
        for image in back:
            if overlaps([image, *others]):
                yield tell_changed(image["name"])

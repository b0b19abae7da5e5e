"""Rows of a table that stand for themselves: they take no section and host nobody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Any

from django.db import models

from schedules.models import AppliedBatch
from schedules.services.bulk import delete_childless, insert_with_ids, set_each
from schedules.services.images.kind import (
    Cells,
    Image,
    Pair,
    RowsNow,
    Timetable,
    find_added,
    find_kept,
    find_removed,
    pairs_of,
    same,
    tell_changed,
)
from taskclasses.kernel.times import rfc3339
from taskclasses.shapes import Conflict


@dataclass(frozen=True)
class PlainRows:
    """Writes a table with a `user` as a kind of row; its dates and times travel as text.

    `label` is the column that names a row to the student, `owner` what every row gets beside its columns, `parents` the
    table that a column refers to: a row whose parent is gone cannot come back.
    """

    name: str
    model: type[models.Model]
    columns: tuple[str, ...]
    label: str
    with_semester: bool = True
    parents: Mapping[str, type[models.Model]] = field(default_factory=dict)

    def image(self, row: models.Model) -> Image:
        return {"id": row.pk, **{name: _to_json(getattr(row, name)) for name in self.columns}}

    def now(self, batches: Sequence[AppliedBatch], cells: Cells) -> RowsNow:
        pairs = [pair for batch in batches for pair in pairs_of(batch, self.name)]
        if not pairs:
            return PlainNow(self, {}, {})
        ids = {image["id"] for pair in pairs for image in pair if image is not None}
        images = {row.pk: self.image(row) for row in self._rows().filter(pk__in=ids)}
        parents = {}
        for column, model in self.parents.items():
            named = {before[column] for before, _ in pairs if before is not None} - {None}
            parents[column] = set(model._default_manager.filter(pk__in=named).values_list("pk", flat=True))
        return PlainNow(self, images, parents)

    def lift(self, at: Timetable, pairs: Sequence[Pair]) -> None:
        gone = [image["id"] for image in find_removed(pairs)]
        if gone:
            delete_childless(self._rows().filter(pk__in=gone))

    def put(self, at: Timetable, pairs: Sequence[Pair]) -> list[Pair]:
        values = {after["id"]: self.values(after) for before, after in find_kept(pairs) if before != after}
        set_each(self._rows(), "pk", values)
        made = iter(self._insert(at, list(find_added(pairs))))
        return [(None, next(made)) if before is None else (before, after) for before, after in pairs]

    def drop(self, at: Timetable, pairs: Sequence[Pair]) -> None:
        """Drops nothing: nobody refers to these rows, so `lift` deletes them, and another may take what was unique."""

    def _insert(self, at: Timetable, images: Sequence[Image]) -> list[Image]:
        """Inserts rows, with the ids they had or with new ones; answers the images with ids."""
        if not images:
            return []
        owner: dict[str, Any] = {"user_id": at.user_id}
        if self.with_semester:
            owner["semester"] = at.semester
        rows = [self.model(pk=image.get("id"), **owner, **self.values(image)) for image in images]
        ids = insert_with_ids(self._rows().filter(user_id=at.user_id), rows)
        return [{**image, "id": pk} for image, pk in zip(images, ids, strict=True)]

    def values(self, image: Image) -> dict[str, Any]:
        """Returns the columns of an image as the model holds them."""
        fields = {name: self.model._meta.get_field(name) for name in self.columns}
        return {name: row.to_python(image[name]) for name, row in fields.items()}  # type: ignore[union-attr]

    def _rows(self) -> models.QuerySet[Any]:
        return self.model._default_manager.all()


@dataclass(frozen=True)
class PlainNow:
    kind: PlainRows
    images: Mapping[int, Image]
    parents: Mapping[str, set[int]]

    def obstacles(self, batch: AppliedBatch) -> Iterator[Conflict]:
        for before, after in pairs_of(batch, self.kind.name):
            if after is not None and not same(self.images.get(after["id"]), after):
                yield tell_changed(after[self.kind.label])
            elif before is not None and self._is_orphan(before):
                yield tell_changed(before[self.kind.label])

    def _is_orphan(self, image: Image) -> bool:
        return any(image[column] not in {*there, None} for column, there in self.parents.items())


def _to_json(value: Any) -> Any:
    if isinstance(value, datetime):
        return rfc3339(value)
    return value.isoformat() if isinstance(value, date | time) else value

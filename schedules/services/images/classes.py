"""Classes that were deleted, with their items, in a batch: they come back with the ids they had."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schedules.models import AppliedBatch, Exam
from schedules.services.bulk import insert
from schedules.services.images.kind import Cells, Image, Pair, Timetable, find_added, pairs_of, tell_changed
from schedules.services.images.plain import PlainRows
from taskclasses.models import TaskClass, TaskItem
from taskclasses.shapes import Conflict

_CLASS = PlainRows(
    "classes",
    TaskClass,
    (
        "name", "mode", "start_date", "end_date", "subject_type", "difficulty_level", "cognitive_intensity",
        "total_slots", "allow_filler_course", "strategy", "excluded_slots", "excluded_days_of_week",
        "excluded_cells", "color_index", "seal", "course_id", "exam_id",
    ),
    label="name",
    with_semester=False,
)  # fmt: skip
_ITEM = PlainRows(
    "items",
    TaskItem,
    ("order", "content", "duration", "mark", "sections_left", "records"),
    label="content",
    with_semester=False,
)
"""An item off the timetable: where it stood is among the changes of the batch."""


def whole_class_image(row: TaskClass) -> Image:
    """Returns a class with all that it has; its items are off the timetable."""
    return {**_CLASS.image(row), "items": [_ITEM.image(item) for item in row.items.all()]}


def find_returning_items(batch: AppliedBatch) -> set[int]:
    """Returns the items that come back with their class when the batch is undone."""
    return {item["id"] for before, _ in pairs_of(batch, WholeClassRows.name) if before for item in before["items"]}


class WholeClassRows:
    """Writes classes with their items. Deleting is the work of the use case; a batch brings them back."""

    name = "whole_classes"

    def now(self, batches: Sequence[AppliedBatch], cells: Cells) -> WholeClassesNow:
        gone = [before for batch in batches for before, _ in pairs_of(batch, self.name) if before is not None]
        if not gone:
            return WholeClassesNow(frozenset(), frozenset())
        items = {item["id"] for image in gone for item in image["items"]}
        classes = TaskClass.objects.filter(pk__in={image["id"] for image in gone})
        return WholeClassesNow(
            frozenset(classes.values_list("pk", flat=True)),
            frozenset(TaskItem.objects.filter(pk__in=items).values_list("pk", flat=True)),
        )

    def lift(self, at: Timetable, pairs: Sequence[Pair]) -> None:
        """Lifts nothing: a class takes no section."""

    def put(self, at: Timetable, pairs: Sequence[Pair]) -> list[Pair]:
        images = list(find_added(pairs))
        if images:
            named = {image["exam_id"] for image in images} - {None}
            exams = set(Exam.objects.filter(pk__in=named).values_list("pk", flat=True))
            insert(TaskClass, [_class_of(at, image, exams) for image in images])
            insert(TaskItem, [_item_of(image, item) for image in images for item in image["items"]])
        return list(pairs)

    def drop(self, at: Timetable, pairs: Sequence[Pair]) -> None:
        """Drops nothing: no batch makes a class."""


def _class_of(at: Timetable, image: Image, exams: set[int]) -> TaskClass:
    """Returns the class of an image; an exam that is gone by now is not its exam any more."""
    values = _CLASS.values(image)
    values["exam_id"] = values["exam_id"] if values["exam_id"] in exams else None
    return TaskClass(pk=image["id"], user_id=at.user_id, **values)


def _item_of(image: Image, item: Image) -> TaskItem:
    return TaskItem(pk=item["id"], task_class_id=image["id"], **_ITEM.values(item))


@dataclass(frozen=True)
class WholeClassesNow:
    """Tells which ids of what was deleted are in use again."""

    classes: frozenset[int]
    items: frozenset[int]

    def obstacles(self, batch: AppliedBatch) -> Iterator[Conflict]:
        for before, _ in pairs_of(batch, WholeClassRows.name):
            if before is not None and self._is_taken(before):
                yield tell_changed(before["name"])

    def _is_taken(self, image: Mapping[str, Any]) -> bool:
        return image["id"] in self.classes or any(item["id"] in self.items for item in image["items"])

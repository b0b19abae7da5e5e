"""The number of queries of a write does not depend on how many items it names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from schedules.calendars.rows import CourseRow
from schedules.mapping import place_of
from schedules.models import AppliedBatch, ScheduleEvent, Semester
from schedules.planner.draft.diff import PlaceChange
from schedules.planner.draft.state import Spot
from schedules.services import (
    broken_invariants,
    class_create,
    class_delete,
    class_replace,
    courses_import,
    schedule_apply_batch,
    schedule_persist_diff,
    schedule_undo,
    task_item_undo,
)
from schedules.services.placement.apply import ApplyClass, ApplyItem
from taskclasses.fields import ClassValues, ItemValues
from taskclasses.models import TaskClass
from tests.kits.timetable.helpers import picture

SIZES = (5, 35)
"""SQLite inserts up to 999 values at once: more rows would need a second statement there."""


def spots(week: int) -> Iterator[Spot]:
    """Places in time order from a week on; each fifth lies in a host, on section 9."""
    hosts = {(event.week, event.day_of_week): event.pk for event in ScheduleEvent.objects.filter(can_be_embedded=True)}
    for day in range(1, 71):
        at = (week + (day - 1) // 7, (day - 1) % 7 + 1)
        for section in (1, 3, 5, 7, 9):
            yield Spot(place_of(*at, section, section), hosts[at] if section == 9 else None)


def hosts_import(user: User, weeks: int) -> None:
    rows = [CourseRow(day, "形势与政策", "报告厅", True, tuple(range(1, weeks + 1)), day, 9, 9) for day in range(1, 8)]
    courses_import(user=user, rows=rows, dry_run=False)


def values_of(size: int, name: str = "复习") -> ClassValues:
    items = [ItemValues(order, f"第{order}章", 1) for order in range(1, size + 1)]
    dates = {"start_date": date(2026, 3, 2), "end_date": date(2026, 7, 19)}
    return ClassValues(name=f"{name} {size}", **dates, allow_filler_course=True, items=items)


@dataclass
class World:
    user: User
    semester: Semester

    def task_class(self, size: int) -> TaskClass:
        return class_create(user=self.user, values=values_of(size))

    def items(self, row: TaskClass) -> list[int]:
        return [item.pk for item in sorted(row.items.all(), key=lambda item: item.order)]

    def apply(self, row: TaskClass, week: int = 1) -> int:
        items = []
        for item, spot in zip(self.items(row), spots(week), strict=False):
            at = (1 + (spot.place.day - 1) // 7, (spot.place.day - 1) % 7 + 1)
            items.append(ApplyItem(item, *at, spot.place.first, spot.place.last, spot.host_event_id))
        return int(
            schedule_apply_batch(user=self.user, batches=[ApplyClass(row.pk, items)])["batch_id"],
        )

    def changes(self, row: TaskClass, *, before: int | None, after: int | None) -> list[PlaceChange]:
        """Every item of the class from its spot in one week to that in another; None is the pool."""
        items, pool = self.items(row), [None] * 350
        froms, tos = (pool if week is None else list(spots(week)) for week in (before, after))
        kind = "place" if before is None else "unplace" if after is None else "move"
        return [
            PlaceChange(kind, 0, item, row.pk, "", old, new) for item, old, new in zip(items, froms, tos, strict=False)
        ]

    def persist(self, changes: list[PlaceChange]) -> Any:
        return schedule_persist_diff(user=self.user, semester=self.semester, changes=changes)["batch_id"]


@pytest.fixture
def world(user: Any, semester: Any) -> World:
    hosts_import(user, 20)
    return World(user, semester)


Step = Callable[[World, int], Callable[[], Any]]


def apply_batch(world: World, size: int) -> Callable[[], Any]:
    row = world.task_class(size)
    return lambda: world.apply(row)


def undo_apply(world: World, size: int) -> Callable[[], Any]:
    batch = world.apply(world.task_class(size))
    return lambda: schedule_undo(user=world.user, batch_id=batch)


def persist_places(world: World, size: int) -> Callable[[], Any]:
    row = world.task_class(size)
    return lambda: world.persist(world.changes(row, before=None, after=1))


def persist_moves(world: World, size: int) -> Callable[[], Any]:
    row = world.task_class(size)
    world.apply(row)
    return lambda: world.persist(world.changes(row, before=1, after=11))


def undo_moves(world: World, size: int) -> Callable[[], Any]:
    row = world.task_class(size)
    world.apply(row)
    batch = world.persist(world.changes(row, before=1, after=11))
    return lambda: schedule_undo(user=world.user, batch_id=batch)


def persist_removals(world: World, size: int) -> Callable[[], Any]:
    row = world.task_class(size)
    world.apply(row)
    return lambda: world.persist(world.changes(row, before=1, after=None))


def undo_removals(world: World, size: int) -> Callable[[], Any]:
    row = world.task_class(size)
    world.apply(row)
    batch = world.persist(world.changes(row, before=1, after=None))
    return lambda: schedule_undo(user=world.user, batch_id=batch)


def create_class(world: World, size: int) -> Callable[[], Any]:
    return lambda: world.task_class(size)


def rename_applied_items(world: World, size: int) -> Callable[[], Any]:
    row = world.task_class(size)
    world.apply(row)
    items = [ItemValues(order, f"{order} 改", 1, item) for order, item in enumerate(world.items(row), 1)]
    return lambda: class_replace(user=world.user, class_id=row.pk, values=replace(values_of(size), items=items))


def exchange_items(world: World, size: int) -> Callable[[], Any]:
    row = world.task_class(size)
    return lambda: class_replace(user=world.user, class_id=row.pk, values=values_of(size, "新"))


def delete_class(world: World, size: int) -> Callable[[], Any]:
    row = world.task_class(size)
    return lambda: class_delete(user=world.user, class_id=row.pk)


def release_class(world: World, size: int) -> Callable[[], Any]:
    row = world.task_class(size)
    world.apply(row)
    return lambda: class_delete(user=world.user, class_id=row.pk, release=True)


STEPS: list[Step] = [
    apply_batch, undo_apply, persist_places, persist_moves, undo_moves, persist_removals, undo_removals,
    create_class, rename_applied_items, exchange_items, delete_class, release_class,
]  # fmt: skip


def queries_of(call: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as queries:
        call()
    assert broken_invariants() == []
    return len(queries)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_thirty_five_items_need_as_many_queries_as_five(world: World, step: Step) -> None:
    counts = []
    for size in SIZES:
        call = step(world, size)
        counts.append(queries_of(call))
        for row in TaskClass.objects.filter(user=world.user):
            class_delete(user=world.user, class_id=row.pk, release=True)
    assert counts[0] == counts[1] < 45


def test_an_import_needs_as_many_queries_for_seven_lessons_as_for_thirty_five(user: Any, semester: Any) -> None:
    counts = []
    # The first import of all makes the row that the student's writes queue on.
    for weeks in (1, 1, 5):
        counts.append(queries_of(lambda weeks=weeks: hosts_import(user, weeks)))
        ScheduleEvent.objects.all().delete()
    assert counts[1] == counts[2] < 20


def test_five_hundred_items_go_on_the_timetable_and_back(world: World) -> None:
    before = picture(world.user.pk)
    classes = [world.task_class(100) for _ in range(5)]
    before["items"] = picture(world.user.pk)["items"]
    cells = [(week, day, section) for week in range(1, 21) for day in range(1, 8) for section in range(1, 9)]
    pairs = zip([item for row in classes for item in world.items(row)], cells, strict=False)
    spot_of = {item: ApplyItem(item, week, day, section, section) for item, (week, day, section) in pairs}
    batches = [ApplyClass(row.pk, [spot_of[item] for item in world.items(row)]) for row in classes]
    queries = queries_of(lambda: schedule_apply_batch(user=world.user, batches=batches))
    # SQLite takes 999 parameters in one INSERT; elsewhere the count is that of five items.
    assert queries < (60 if connection.vendor == "sqlite" else 45)
    assert queries_of(lambda: schedule_undo(user=world.user, batch_id=AppliedBatch.objects.latest("pk").pk)) < 45
    assert picture(world.user.pk) == before


def test_taking_one_item_back_looks_at_that_item_only(world: World) -> None:
    row = world.task_class(50)
    world.apply(row)
    assert queries_of(lambda: task_item_undo(user=world.user, task_item_id=world.items(row)[0])) < 30

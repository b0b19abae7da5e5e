"""Many items change places in one write: free cells, hosts and the pool in any exchange, and back again."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from schedules.calendars.json_courses import rows_of_document
from schedules.models import Semester
from schedules.planner.draft.diff import PlaceChange
from schedules.planner.draft.state import Spot
from schedules.planner.grid import Place
from schedules.selectors import facts_load
from schedules.services import (
    broken_invariants,
    class_create,
    courses_import,
    schedule_persist_diff,
    schedule_undo,
)
from taskclasses.fields import ItemValues
from taskclasses.models import TaskItem
from tests.kits.budgets import tried
from tests.kits.timetable.helpers import COURSES, class_values, event_at, picture

ITEMS = 5
ARRANGEMENTS = st.lists(st.permutations(range(ITEMS + 4)), min_size=1, max_size=5)
"""Each names the spot of every item; the numbers past the spots mean the pool."""


class Exchanges(TestCase):
    @tried(20)
    @given(arrangements=ARRANGEMENTS)
    def test_any_exchange_is_written_and_taken_back(self, arrangements: list[list[int]]) -> None:
        world = World()
        history: list[tuple[int, dict[str, Any]]] = []
        for arrangement in arrangements:
            before = picture(world.user.pk)
            batch = world.arrange(arrangement)
            assert broken_invariants() == []
            assert world.spots_now() == world.wanted(arrangement)
            if batch is not None:
                history.append((batch, before))
        for batch, before in reversed(history):
            schedule_undo(user=world.user, batch_id=batch)
            assert picture(world.user.pk) == before
            assert broken_invariants() == []


class World:
    def __init__(self) -> None:
        dates = {"name": "2026 春", "first_monday": "2026-03-02", "weeks": 20, "is_current": True}
        self.semester = Semester.objects.create(**dates)
        self.semester.refresh_from_db()
        self.user = User.objects.create_user("li")
        rows = list(rows_of_document({"courses": COURSES}, self.semester.calendar.grid))
        courses_import(user=self.user, rows=rows, dry_run=False)
        # One item per class: no order between them stands in the way of an exchange.
        values = [class_values(name=f"第{n}类", excluded_slots=[], items=[ItemValues(1, f"{n}")]) for n in range(ITEMS)]
        self.classes = [class_create(user=self.user, values=value) for value in values]
        self.items = [TaskItem.objects.get(task_class=row).pk for row in self.classes]
        self.spots = [
            Spot(Place(43, 1, 2), None),
            Spot(Place(43, 2, 2), None),
            Spot(Place(43, 4, 2), None),
            Spot(Place(44, 3, 2), None),
            Spot(Place(45, 5, 2), event_at("思想政治", 7).pk),
            Spot(Place(47, 10, 2), event_at("形势与政策", 7).pk),
        ]

    def wanted(self, arrangement: list[int]) -> dict[int, Spot]:
        """Where each item is to be. The second spot overlaps the first, which wins."""
        chosen = {item: spot for item, spot in zip(self.items, arrangement, strict=False) if spot < len(self.spots)}
        if 0 in chosen.values():
            chosen = {item: spot for item, spot in chosen.items() if spot != 1}
        return {item: self.spots[spot] for item, spot in chosen.items()}

    def spots_now(self) -> dict[int, Spot]:
        facts = facts_load(user_id=self.user.pk, class_ids=[])
        found = {event.task_item_id: Spot(event.place, None) for event in facts.events if event.task_item_id}
        for event in facts.events:
            if event.guest_task_item_id and event.guest_place:
                found[event.guest_task_item_id] = Spot(event.guest_place, event.id)
        return found

    def arrange(self, arrangement: list[int]) -> int | None:
        now, wanted = self.spots_now(), self.wanted(arrangement)
        changes = [
            PlaceChange("move", 0, item, row.pk, "", now.get(item), wanted.get(item))
            for item, row in zip(self.items, self.classes, strict=True)
            if now.get(item) != wanted.get(item)
        ]
        batch: int | None = schedule_persist_diff(user=self.user, semester=self.semester, changes=changes)["batch_id"]
        return batch

"""A database of an earlier release is brought up to date and back again with every row it had."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

pytestmark = pytest.mark.django_db(transaction=True)
APPS = ("schedules", "taskclasses")
OLD = [("schedules", "0002_words_of_the_admin"), ("taskclasses", "0003_words_of_the_admin")]
CLASSED = ("zhao", "qian")
WHEN = datetime(2026, 4, 13, tzinfo=UTC)
EVENT = ("id", "user_id", "name", "location", "type", "week", "day_of_week", "section_from", "revision", "updated_at")


@pytest.fixture
def migrate() -> Iterator[Any]:
    """Takes the schema to a state and answers its models; the newest one stands again afterwards."""

    def to(targets: list[tuple[str, str | None]]) -> Any:
        executor = MigrationExecutor(connection)
        executor.migrate(targets)
        return executor.loader.project_state(targets).apps

    yield to
    MigrationExecutor(connection).migrate(latest())


def latest() -> list[tuple[str, str | None]]:
    return [node for node in MigrationExecutor(connection).loader.graph.leaf_nodes() if node[0] in APPS]


def fill(apps: Any) -> None:
    """Two students: courses in odd weeks and in two rooms, an item with an event, a batch."""
    users = [apps.get_model("auth", "User").objects.create(username=name) for name in ("li", "wang")]
    models = {name: apps.get_model("schedules", name) for name in ("Semester", "ScheduleEvent", "Schedule")}
    semester = models["Semester"].objects.create(
        name="2026 春", first_monday=date(2026, 3, 2), weeks=20, is_current=True
    )
    common: dict[str, Any] = {"semester": semester, "start_at": WHEN, "end_at": WHEN, "section_to": 4}
    for user in users:
        for week in (1, 3, 5):
            lesson = {"week": week, "day_of_week": 2, "section_from": 3, "type": "course", "source": "import"}
            for name, changes in [
                ("数据结构", {"location": "A301"}),
                ("数据结构", {"location": "A301", "day_of_week": 4}),
                ("数据结构", {"location": "机房", "day_of_week": 5, "can_be_embedded": True}),
                ("体育", {"day_of_week": 6}),
            ]:
                row = {**common, **lesson, **changes, "name": name, "user": user}
                models["ScheduleEvent"].objects.create(**row)
    tasks = apps.get_model("taskclasses", "TaskClass").objects.create(user=users[0], name="复习")
    time = {"week": 1, "day_of_week": 1, "section_from": 3, "section_to": 4}
    item = apps.get_model("taskclasses", "TaskItem").objects.create(
        task_class=tasks, order=1, content="第1章", status=2, embedded_time=time
    )
    placed = {**common, **time, "type": "task", "name": "第1章", "user": users[0], "task_item": item}
    models["ScheduleEvent"].objects.create(**placed)
    batch = apps.get_model("schedules", "AppliedBatch").objects
    batch.create(user=users[0], semester=semester, source="apply-batch", changes=[{"task_item_id": item.pk}])


def rows(apps: Any) -> dict[str, Any]:
    events = apps.get_model("schedules", "ScheduleEvent").objects.order_by("pk").values_list(*EVENT)
    batches = apps.get_model("schedules", "AppliedBatch").objects.values_list("pk", "source", "changes")
    semesters = apps.get_model("schedules", "Semester").objects.values_list("pk", "name", "weeks", "is_current")
    return {"events": list(events), "batches": list(batches), "semesters": list(semesters)}


def test_an_old_database_comes_up_to_date_and_back_with_every_row(migrate: Any) -> None:
    """Forwards and back is walked once for all that is asked of it: the walk is what takes long."""
    old = migrate(OLD)
    fill(old)
    fill_classes(old)
    before, bare = rows(old), classes(old, "excluded_slots")
    new = migrate(latest())
    assert (rows(new), classes(new, "excluded_slots")) == (before, bare)
    lessons_have_courses(new)
    classes_have_badges_in_the_order_in_which_they_were_made(new)
    old = migrate(OLD)
    assert (rows(old), classes(old, "excluded_slots")) == (before, bare)
    again = migrate(latest())
    assert (rows(again), classes(again, "excluded_slots")) == (before, bare)
    assert again.get_model("schedules", "Course").objects.count() == 4
    assert classes(again, "seal") == classes(new, "seal")


def lessons_have_courses(new: Any) -> None:
    courses = new.get_model("schedules", "Course").objects.order_by("user__username", "name")
    assert list(courses.values_list("user__username", "name", "location", "can_be_embedded")) == [
        ("li", "体育", "", False),
        ("li", "数据结构", "A301", True),
        ("wang", "体育", "", False),
        ("wang", "数据结构", "A301", True),
    ]
    lessons = new.get_model("schedules", "ScheduleEvent").objects.filter(type="course")
    for event in lessons.select_related("course"):
        assert (event.course.name, event.course.user_id) == (event.name, event.user_id)
        assert event.pattern == "1-5周 单周"
    assert new.get_model("schedules", "ScheduleEvent").objects.get(type="task").course_id is None
    assert not new.get_model("schedules", "Semester").objects.exclude(owner=None).exists()


def fill_classes(apps: Any) -> None:
    """Two more students with ten classes each, made in turns."""
    users = [apps.get_model("auth", "User").objects.create(username=name) for name in CLASSED]
    for name in (*(f"复习{number}" for number in range(9)), "高数"):
        for user in users:
            apps.get_model("taskclasses", "TaskClass").objects.create(user=user, name=name, excluded_slots=[6])


def classes_have_badges_in_the_order_in_which_they_were_made(new: Any) -> None:
    for name in CLASSED:
        rows = new.get_model("taskclasses", "TaskClass").objects.filter(user__username=name).order_by("pk")
        assert [row.color_index for row in rows] == [0, 1, 2, 3, 4, 5, 6, 7, 0, 1]
        assert [row.seal for row in rows] == ["复", "习", "2", "3", "4", "5", "6", "7", "8", "高"]
        assert {(row.course_id, row.excluded_cells or None) for row in rows} == {(None, None)}


def classes(apps: Any, *columns: str) -> list[Any]:
    rows = apps.get_model("taskclasses", "TaskClass").objects.order_by("pk")
    return list(rows.values_list("pk", "user_id", "name", "start_date", *columns))

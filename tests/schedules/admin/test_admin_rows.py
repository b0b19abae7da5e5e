"""The admin's lists and pages ask as often on many rows as on few."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from schedules.models import AppliedBatch, Schedule, ScheduleEvent
from taskclasses.models import TaskClass, TaskItem

WHEN = datetime(2026, 4, 13, tzinfo=UTC)
FEW, MANY = 4, 70
LISTS = [TaskClass, TaskItem, ScheduleEvent, Schedule, AppliedBatch]


def grow(user: Any, semester: Any, count: int) -> None:
    """`count` more classes: one item free, one on the timetable, one inside a course."""
    have = TaskClass.objects.count()
    at = [divmod(have + number, 7) for number in range(count)]
    classes = TaskClass.objects.bulk_create(
        TaskClass(user=user, name=f"c{number}", mode="auto", strategy="steady", start_date=date(2026, 4, 13))
        for number in range(have, have + count)
    )
    times = [{"week": week + 1, "day_of_week": day + 1, "section_from": 1, "section_to": 1} for week, day in at]
    items = TaskItem.objects.bulk_create(
        TaskItem(task_class=one, order=order, content=f"i{order}", status=status, embedded_time=time)
        for one, place in zip(classes, times, strict=True)
        for order, status, time in ((1, 1, None), (2, 2, place), (3, 2, {**place, "section_from": 2, "section_to": 2}))
    )
    common = {"user": user, "semester": semester, "start_at": WHEN, "end_at": WHEN}
    for kind, section in (("task", 1), ("course", 2)):
        events = ScheduleEvent.objects.bulk_create(
            ScheduleEvent(
                name="e", type=kind, task_item=items[3 * number + 1] if kind == "task" else None,
                can_be_embedded=kind == "course", week=week + 1, day_of_week=day + 1, section_from=section,
                section_to=section, **common,
            )
            for number, (week, day) in enumerate(at)
        )  # fmt: skip
        Schedule.objects.bulk_create(
            Schedule(
                user=user, semester=semester, event=event, week=event.week, day_of_week=event.day_of_week,
                section=section, embedded_task_item=items[3 * number + 2] if kind == "course" else None,
            )
            for number, event in enumerate(events)
        )  # fmt: skip
    AppliedBatch.objects.bulk_create(
        AppliedBatch(user=user, semester=semester, source="apply-batch") for _ in range(count)
    )


@pytest.fixture
def staff(db: None, django_user_model: Any) -> Client:
    client = Client()
    client.force_login(django_user_model.objects.create_superuser("root"))
    return client


def queries(staff: Client, address: str, **asked: str) -> int:
    with CaptureQueriesContext(connection) as seen:
        assert staff.get(address, asked).status_code == 200
    return len(seen)


def asked_often(staff: Client, model: Any) -> list[int]:
    """Queries of the list, of a search, and of the newest row's page."""
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    listing, page = reverse(f"{name}_changelist"), reverse(f"{name}_change", args=(model.objects.latest("pk").pk,))
    return [queries(staff, listing), queries(staff, listing, q="li"), queries(staff, page)]


@pytest.mark.parametrize("model", LISTS, ids=lambda model: model.__name__)
def test_many_rows_need_no_more_queries_than_few(staff: Client, user: Any, semester: Any, model: Any) -> None:
    grow(user, semester, FEW)
    asked_often(staff, model)  # content types and the like are cached now
    few = asked_often(staff, model)
    grow(user, semester, MANY)
    assert asked_often(staff, model) == few
    assert max(few) <= 15


def test_a_search_by_item_counts_all_items_of_the_class(staff: Client, user: Any, semester: Any) -> None:
    grow(user, semester, FEW)
    page = staff.get(reverse("admin:taskclasses_taskclass_changelist"), {"q": "i2"})
    assert [row.item_count for row in page.context["cl"].result_list] == [3] * FEW


def test_an_embedded_item_links_to_its_course(staff: Client, user: Any, semester: Any) -> None:
    grow(user, semester, 1)
    course = ScheduleEvent.objects.get(type="course")
    page = staff.get(reverse("admin:taskclasses_taskitem_changelist"), {"q": "i3"}).content.decode()
    assert reverse("admin:schedules_scheduleevent_change", args=(course.pk,)) in page

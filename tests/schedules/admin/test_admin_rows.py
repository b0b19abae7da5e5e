"""The admin's lists and pages ask as often on many rows as on few."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from schedules.models import AppliedBatch, Course, Preference, Schedule, ScheduleEvent
from taskclasses.models import TaskClass, TaskItem
from tests.kits.timetable.admin_pages import grow

FEW, MANY = 4, 70
LISTS = [TaskClass, TaskItem, Course, ScheduleEvent, Schedule, AppliedBatch, Preference]


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

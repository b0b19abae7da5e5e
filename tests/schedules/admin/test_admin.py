"""Every admin list and page opens; what it changes goes through the services."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.models import DELETION, LogEntry
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from schedules.models import AppliedBatch, ScheduleEvent, Semester, TimetableVersion
from schedules.services import broken_invariants, calendar_change
from schedules.services.terms.exceptions import CalendarWish
from schedules.terms.exceptions import ExceptionValues
from taskclasses.models import TaskClass, TaskItem
from tests.kits.timetable.admin_pages import class_page, form_of
from tests.kits.timetable.helpers import Api, event_at, placed
from tests.kits.timetable.lasting import semester, student, user, write_class

__all__ = ["semester", "student", "user"]

OURS = [model for model in admin.site._registry if model._meta.app_label in ("schedules", "taskclasses", "smartmate")]


@pytest.fixture(scope="module")
def written(lasting_rows: Any, student: int) -> int:
    found: int = lasting_rows(lambda: write_placed(*write_class(student)))
    return found


@pytest.fixture
def task_class(written: int, db: None) -> TaskClass:
    return TaskClass.objects.get(pk=written)


@pytest.fixture
def staff(django_user_model: Any, task_class: TaskClass) -> Client:
    client = Client()
    client.force_login(django_user_model.objects.create_superuser("root"))
    return client


def write_placed(api: Api, task_class: TaskClass) -> int:
    items, host = list(task_class.items.order_by("order")), event_at("思想政治", 7)
    rows = [placed(items[0].pk, 7, 2, 3, 4), placed(items[1].pk, 7, 3, 5, 6, host.pk)]
    assert api.apply({"task_class_id": task_class.pk, "items": rows})[0] == 200
    return int(task_class.pk)


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_lists_and_pages_open(staff: Client, model: Any) -> None:
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    listing = staff.get(reverse(f"{name}_changelist"), {"q": "x"})
    assert listing.status_code == 200
    assert staff.get(reverse(f"{name}_changelist")).status_code == 200
    row = model.objects.first()
    if row is not None:
        assert staff.get(reverse(f"{name}_change", args=(row.pk,))).status_code == 200


def test_actions_go_through_the_services(staff: Client) -> None:
    event = ScheduleEvent.objects.get(type="task")
    address = reverse("admin:schedules_scheduleevent_changelist")
    staff.post(address, {"action": "remove", "_selected_action": [event.pk]})
    assert not ScheduleEvent.objects.filter(pk=event.pk).exists()
    assert [entry.object_id for entry in LogEntry.objects.filter(action_flag=DELETION)] == [str(event.pk)]
    assert broken_invariants() == []
    batch = AppliedBatch.objects.get(source="event-delete")
    address = reverse("admin:schedules_appliedbatch_changelist")
    staff.post(address, {"action": "undo", "_selected_action": [batch.pk]})
    assert ScheduleEvent.objects.filter(pk=event.pk).exists()
    assert broken_invariants() == []


def test_a_class_form_speaks_of_what_is_wrong(staff: Client, task_class: Any) -> None:
    address = reverse("admin:taskclasses_taskclass_change", args=(task_class.pk,))
    page = staff.post(address, {"name": "x", "mode": "auto", "strategy": "steady", "user": task_class.user_id})
    assert page.status_code == 200
    assert "缺少开始日期" in page.content.decode()


def test_a_class_is_saved_by_the_use_case(staff: Client, task_class: Any) -> None:
    version = TimetableVersion.objects.get().version
    form = form_of(task_class, **{"name": "概率", "items-0-content": "随机变量一", "items-2-duration": 3})
    assert staff.post(class_page(task_class), form).status_code == 302
    task_class.refresh_from_db()
    assert task_class.name == "概率"
    assert next(row.content for row in task_class.items.order_by("order")) == "随机变量一"
    assert ScheduleEvent.objects.get(type="task").name == "随机变量一"
    assert broken_invariants() == []
    assert TimetableVersion.objects.get().version == version + 1


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"items-1-order": 1}, "顺序须从1开始且不重复"),
        ({"start_date": "2027-04-13", "end_date": "2027-04-14"}, "日期不在学期内"),
        ({"excluded_slots": "[7]"}, "只能包含 1 到 6 的整数"),
        ({"items-TOTAL_FORMS": 0, "items-INITIAL_FORMS": 0}, "至少一项"),
    ],
)
def test_a_class_form_refuses_what_the_api_refuses(
    staff: Client, task_class: Any, changes: dict[str, Any], sentence: str
) -> None:
    page = staff.post(class_page(task_class), form_of(task_class, **changes))
    assert page.status_code == 200
    assert sentence in page.content.decode()


def test_a_new_class_is_made_with_its_items(staff: Client, user: Any) -> None:
    form = {
        "user": user.pk, "name": "线性代数", "mode": "auto", "strategy": "rapid", "start_date": "2026-04-13",
        "end_date": "2026-04-19", "excluded_slots": "[]", "excluded_days_of_week": "[7]", "items-TOTAL_FORMS": 1,
        "items-INITIAL_FORMS": 0, "items-0-order": 1, "items-0-content": "行列式", "items-0-duration": 2,
    }  # fmt: skip
    assert staff.post(reverse("admin:taskclasses_taskclass_add"), form).status_code == 302
    row = TaskClass.objects.get(name="线性代数")
    assert (row.user, row.excluded_days_of_week, row.subject_type) == (user, [7], None)
    assert [item.content for item in row.items.all()] == ["行列式"]
    assert staff.post(reverse("admin:taskclasses_taskclass_delete", args=(row.pk,)), {"post": "yes"}).status_code == 302
    assert not TaskClass.objects.filter(pk=row.pk).exists()


def semester_page(staff: Client, semester: Any, **changes: Any) -> Any:
    times = [["07:30", "08:15"], *semester.section_times[1:]]
    form = {
        "name": semester.name, "first_monday": "2026-03-09", "weeks": 20, "section_times": json.dumps(times),
        "time_zone": "Asia/Shanghai", "is_current": "on",
    }  # fmt: skip
    return staff.post(reverse("admin:schedules_semester_change", args=(semester.pk,)), {**form, **changes})


def test_events_follow_the_dates_of_their_semester(staff: Client, semester: Any) -> None:
    version, before = TimetableVersion.objects.get().version, ScheduleEvent.objects.get(type="task")
    assert semester_page(staff, semester).status_code == 302
    event = ScheduleEvent.objects.get(pk=before.pk)
    assert event.start_at - before.start_at == timedelta(days=7)
    assert event.revision == before.revision + 1
    assert TimetableVersion.objects.get().version == version + 1


def test_lessons_follow_the_calendar_of_each_student_when_a_shared_semester_moves(staff: Client, semester: Any) -> None:
    student = TimetableVersion.objects.get().user
    days = [semester.first_monday + timedelta(days=7 * 7 + after) for after in range(5)]
    holiday = ExceptionValues(kind="holiday", name="放假", first_date=days[0], last_date=days[4])
    calendar_change(user=student, wish=CalendarWish(add=[holiday]), now=timezone.now())
    lessons = ScheduleEvent.objects.filter(type="course")
    assert {event.week for event in lessons if not event.held} == {8}
    assert semester_page(staff, semester).status_code == 302
    assert {event.week for event in lessons.all() if not event.held} == {7}
    assert broken_invariants() == []


def test_an_item_to_come_leaves_a_place_that_lies_in_the_past_now(
    staff: Client, semester: Any, monkeypatch: Any
) -> None:
    event = ScheduleEvent.objects.get(type="task")
    monkeypatch.setattr(timezone, "now", lambda: event.start_at - timedelta(days=3))
    item = event.task_item
    assert semester_page(staff, semester, first_monday="2026-02-23").status_code == 302
    item.refresh_from_db()
    assert (item.status, item.embedded_time) == (TaskItem.Status.UNSCHEDULED, None)
    assert broken_invariants() == []
    batch = AppliedBatch.objects.order_by("-pk").first()
    assert batch is not None
    assert batch.source == "calendar-change"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"weeks": 15}, "已有日程在更晚的周次"),
        ({"section_times": '[["08:00", "08:45"], ["08:55", "09:40"]]'}, "已有日程在更晚的节次"),
        ({"first_monday": "2026-03-10"}, "学期的第一天必须是周一"),
    ],
)
def test_a_semester_keeps_room_for_its_events(
    staff: Client, semester: Any, changes: dict[str, Any], sentence: str
) -> None:
    page = semester_page(staff, semester, **changes)
    assert page.status_code == 200
    assert sentence in page.content.decode()


def test_a_new_current_semester_takes_the_mark_from_the_old_one(staff: Client, semester: Any) -> None:
    form = {
        "name": "2026 秋", "first_monday": "2026-09-07", "weeks": 18, "time_zone": "Asia/Shanghai",
        "section_times": json.dumps(semester.section_times), "is_current": "on",
    }  # fmt: skip
    assert staff.post(reverse("admin:schedules_semester_add"), form).status_code == 302
    assert list(Semester.objects.filter(is_current=True).values_list("name", flat=True)) == ["2026 秋"]

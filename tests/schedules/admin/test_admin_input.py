"""What a form, an address or a list of the admin cannot read is told on the page, and nothing is written."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from schedules.models import AppliedBatch, ScheduleEvent, Semester
from schedules.services.classes import CLASSES_MAX
from taskclasses.models import TaskClass
from tests.kits.timetable.admin_pages import class_page, form_of

pytestmark = pytest.mark.django_db
HUGE = "9" * 25
DEEP = "[" * 5000 + "]" * 5000
STRANGE = ["abc", "0", HUGE, "\x00", "1,2", "1e400", "[1]"]


@pytest.fixture
def staff(django_user_model: Any) -> Client:
    client = Client()
    client.force_login(django_user_model.objects.create_superuser("root", password="x"))
    return client


@pytest.mark.parametrize("chosen", STRANGE)
def test_a_class_of_nobody_is_told(staff: Client, chosen: str) -> None:
    answer = staff.post(reverse("admin:taskclasses_taskclass_add"), {"user": chosen, "name": "x"})
    assert answer.status_code == 200
    assert "id_user_error" in answer.content.decode()
    assert not TaskClass.objects.exists()


def test_a_class_keeps_its_days_when_what_is_sent_nests_too_deeply(staff: Client, task_class: Any) -> None:
    answer = staff.post(class_page(task_class), form_of(task_class, excluded_slots=DEEP))
    assert answer.status_code == 200
    assert "id_excluded_slots_error" in answer.content.decode()


def test_hours_that_nest_too_deeply_are_told(staff: Client, semester: Semester) -> None:
    page = reverse("admin:schedules_semester_change", args=(semester.pk,))
    form = {"name": "x", "first_monday": "2026-03-02", "weeks": 20, "time_zone": "Asia/Shanghai"}
    answer = staff.post(page, {**form, "section_times": DEEP, "initial-section_times": DEEP})
    assert answer.status_code == 200
    assert "id_section_times_error" in answer.content.decode()


@pytest.mark.parametrize("name", ["auth_user", "taskclasses_taskclass", "schedules_scheduleevent", "agent_run"])
@pytest.mark.parametrize("value", STRANGE)
def test_an_address_of_no_rows_leads_to_the_list(staff: Client, name: str, value: str) -> None:
    answer = staff.get(reverse(f"admin:{name}_changelist"), {"pk__in": value}, follow=True)
    assert answer.status_code == 200


@pytest.mark.parametrize("chosen", [value for value in STRANGE if value != "0"])
@pytest.mark.parametrize(
    ("name", "action"),
    [("auth_user", "make_staff"), ("schedules_appliedbatch", "undo"), ("schedules_scheduleevent", "remove")],
)
def test_rows_that_are_none_are_told(
    staff: Client, user: Any, semester: Semester, name: str, action: str, chosen: str
) -> None:
    AppliedBatch.objects.create(user=user, semester=semester, source="apply-batch")
    before = ScheduleEvent.objects.count()
    posted = {"action": action, "_selected_action": [chosen, str(user.pk)]}
    answer = staff.post(reverse(f"admin:{name}_changelist"), posted, follow=True)
    assert answer.status_code == 200
    assert "选中的行无法识别" in answer.content.decode()
    assert not User.objects.get(pk=user.pk).is_staff
    assert ScheduleEvent.objects.count() == before


def test_a_student_has_no_more_classes_than_there_may_be(staff: Client, user: Any, task_class: Any) -> None:
    day = {"start_date": task_class.start_date, "end_date": task_class.end_date}
    TaskClass.objects.bulk_create(TaskClass(user=user, name="x", **day) for _ in range(CLASSES_MAX - 1))
    form = {name: value for name, value in form_of(task_class).items() if not name.startswith("items-")}
    rows = {"items-TOTAL_FORMS": 1, "items-INITIAL_FORMS": 0, "items-0-order": 1, "items-0-content": "x"}
    answer = staff.post(reverse("admin:taskclasses_taskclass_add"), {**form, **rows, "user": user.pk}, follow=True)
    assert answer.status_code == 200
    assert f"已经有 {CLASSES_MAX} 个任务类，到上限了" in answer.content.decode()
    assert TaskClass.objects.count() == CLASSES_MAX
    TaskClass.objects.filter(name="x").first().delete()
    staff.post(reverse("admin:taskclasses_taskclass_add"), {**form, **rows, "user": user.pk}, follow=True)
    assert TaskClass.objects.count() == CLASSES_MAX

"""The first run: who is led to it, what each step writes, that it may be left, and sample data in and out."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from agent.models import Conversation
from schedules.models import Course, CurrentSemester, ScheduleEvent, Semester
from schedules.services import course_create
from schedules.services.courses.writes import CourseValues
from smartmate.models import AccountSettings
from taskclasses.models import TaskClass

pytestmark = pytest.mark.django_db

TASK = {
    "name": "线代复习",
    "end_date": "2026-03-29",
    "sections": "2",
    "items": "行列式\n矩阵 | 1\n向量",
    "days": ["7"],
    "blocks": ["1"],
}


@pytest.fixture(autouse=True)
def first_week(at: Any) -> None:
    at(3, 4)


def test_an_account_without_anything_is_led_through_three_steps(li: Client, user: Any) -> None:
    assert li.get("/").url == "/welcome"
    assert li.get("/welcome").url == "/welcome/courses"
    assert "第 1 周" in li.get("/welcome/courses").content.decode()
    current = {"semester": str(Semester.objects.get().pk)}
    assert li.post("/welcome/courses", current).url == "/welcome/tasks"
    assert not CurrentSemester.objects.exists()
    assert li.post("/welcome/tasks", TASK).url == "/welcome/plan"
    row = TaskClass.objects.get()
    assert list(row.items.values_list("content", "duration")) == [("行列式", 2), ("矩阵", 1), ("向量", 2)]
    assert (row.excluded_days_of_week, row.excluded_slots, str(row.start_date)) == ([7], [1], "2026-03-04")
    assert "线代复习" in li.get("/welcome/plan").content.decode()
    week = li.post("/welcome/plan").url
    assert week.startswith("/week?conversation=")
    draft = li.get(f"/api/v1/agent/schedule-preview?conversation_id={week.split('=')[1]}").json()["data"]
    assert [row["status"] for row in draft["hybrid_entries"] if row["task_item_id"]] == ["suggested"] * 3
    assert li.get("/").url == "/week"


def test_a_draft_that_waits_is_opened_and_not_planned_a_second_time(li: Client) -> None:
    li.post("/welcome/tasks", TASK)
    assert "看草稿" not in li.get("/welcome/plan").content.decode()
    week = li.post("/welcome/plan").url
    page = li.get("/welcome/plan").content.decode()
    assert "草稿里有 3 处改动" in page
    assert "看草稿" in page
    assert li.post("/welcome/plan").url == week
    li.post("/welcome/tasks", TASK | {"name": "概率论"})
    assert "看草稿" not in li.get("/welcome/plan").content.decode()
    later = TaskClass.objects.get(name="概率论").pk
    talk = week.replace("/week", "/chat")
    assert li.post("/welcome/plan").url.startswith(f"{talk}&classes={later}&message=")
    assert Conversation.objects.count() == 1


def test_the_room_is_told_while_a_task_is_written_and_before_it_is_planned(li: Client, wang: Client) -> None:
    told = li.post("/welcome/tasks/room", TASK | {"name": ""}).content.decode()
    assert "放得下：还要 5 节" in told
    assert (
        "还差"
        in li.post(
            "/welcome/tasks/room", TASK | {"end_date": "2026-03-04", "blocks": ["1", "2", "3", "4", "5"]}
        ).content.decode()
    )
    for wrong in ({"end_date": "2026-03-01"}, {"items": ""}, {"days": ["9"]}):
        assert "放得下：" not in li.post("/welcome/tasks/room", TASK | wrong).content.decode()
    assert not TaskClass.objects.exists()
    li.post("/welcome/tasks", TASK)
    assert "放得下：还要 5 节" in li.get("/welcome/plan").content.decode()
    assert "放得下" not in wang.get("/welcome/plan").content.decode()
    assert Client().post("/welcome/tasks/room", TASK).status_code == 302


def test_it_is_put_off_and_taken_up_again(li: Client) -> None:
    assert li.post("/welcome/end").url == "/week"
    assert li.get("/").url == "/week"
    assert li.get("/welcome").url == "/welcome/courses"


def test_it_goes_on_where_it_was_left(li: Client, user: Any) -> None:
    course_create(user=user, values=CourseValues(name="高等数学"))
    assert li.get("/").url == "/week"
    assert li.get("/welcome").url == "/welcome/tasks"
    assert li.post("/welcome/plan").url == "/welcome/tasks"
    li.post("/welcome/tasks", TASK)
    assert li.get("/welcome").url == "/welcome/plan"


def test_a_semester_of_ones_own_is_made_and_used(li: Client) -> None:
    own = {"semester": "own", "first_monday": "2026-02-23", "weeks": "18"}
    assert li.post("/welcome/courses", own).url == "/welcome/tasks"
    chosen = CurrentSemester.objects.get().semester
    assert (chosen.weeks, str(chosen.first_monday), chosen.name) == (18, "2026-02-23", "2026 春")


@pytest.mark.parametrize(
    ("way", "leads_to"),
    [("paste", "/courses/import?next=%2Fwelcome%2Ftasks"), ("new", "/courses/new?next=%2Fwelcome%2Fcourses")],
)
def test_every_way_to_courses_settles_the_semester_first(li: Client, way: str, leads_to: str) -> None:
    own = {"semester": "own", "first_monday": "2026-02-23", "weeks": "18", "way": way}
    assert li.post("/welcome/courses", own).url == leads_to
    assert str(CurrentSemester.objects.get().semester.first_monday) == "2026-02-23"


@pytest.mark.parametrize("form", ["/courses/import", "/courses/new"])
def test_who_cancels_a_form_of_the_first_run_is_back_in_it(li: Client, form: str) -> None:
    for path, back in ((form, "/courses"), (f"{form}?next=/welcome/tasks", "/welcome/courses")):
        assert re.search(rf'href="{back}">取消<', li.get(path).content.decode()), path


def test_a_chosen_file_is_looked_at_in_the_semester_that_was_typed_beside_it(li: Client) -> None:
    own = {"semester": "own", "first_monday": "2026-02-23", "weeks": "18", "way": "look", "next": "/welcome/tasks"}
    for _again in range(2):
        table = SimpleUploadedFile("a.csv", "课程名,星期,节次,周次\n高数,1,1-2,1-18\n".encode())
        looked = li.post("/welcome/courses", own | {"upload": table})
        assert (looked.status_code, looked.url) == (307, "/courses/import")  # a browser sends all of it once more
        table.seek(0)
        page = li.post("/courses/import", own | {"upload": table}).content.decode()
        assert "可导入 18 节课" in page
    held, seen = (re.search(f'name="{name}" value="([^"]+)"', page)[1] for name in ("held", "seen"))  # type: ignore[index]
    written = {"held": held, "seen": seen, "way": "write", "next": "/welcome/tasks"}
    assert li.post("/courses/import", written).url == "/welcome/tasks"
    assert {str(event.semester.first_monday) for event in ScheduleEvent.objects.all()} == {"2026-02-23"}
    assert Semester.objects.filter(owner__isnull=False).count() == 1


@pytest.mark.parametrize(
    ("path", "sent", "words"),
    [
        (
            "/welcome/courses",
            {"semester": "own", "first_monday": "2026-02-24", "weeks": "18"},
            "那一周的周一是 2 月 23 日",
        ),
        ("/welcome/courses", {"semester": "own"}, "自己定的学期要填这一项"),
        ("/welcome/tasks", TASK | {"end_date": "2026-01-01"}, "行列式"),
        ("/welcome/tasks", TASK | {"items": " "}, "线代复习"),
    ],
)
def test_a_refusal_keeps_what_was_typed(li: Client, path: str, sent: dict[str, Any], words: str) -> None:
    answer = li.post(path, sent)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert words in page
    assert 'role="alert"' in page
    assert not TaskClass.objects.exists()


def test_another_students_semester_is_no_choice(li: Client, other_user: Any) -> None:
    theirs = Semester.objects.create(owner=other_user, name="x", first_monday="2026-03-02", weeks=20)
    assert li.post("/welcome/courses", {"semester": str(theirs.pk)}).status_code == 422


def test_sample_data_comes_and_goes_and_leaves_ones_own(li: Client, user: Any) -> None:
    mine = course_create(user=user, values=CourseValues(name="自己的课")).course
    assert li.post("/welcome/sample").url == "/welcome/plan"
    assert (Course.objects.count(), TaskClass.objects.count()) == (13, 4)
    assert "清掉示例" in li.get("/settings").content.decode()
    li.post("/welcome/plan")
    TaskClass.objects.first().delete()  # type: ignore[union-attr]
    assert li.post("/welcome/sample", {"way": "clear"}).url == "/settings"
    assert list(Course.objects.values_list("pk", flat=True)) == [mine.pk]
    assert not TaskClass.objects.exists()
    assert not ScheduleEvent.objects.exists()
    assert AccountSettings.objects.get().sample is None
    assert "清掉示例" not in li.get("/settings").content.decode()


def test_an_english_account_reads_english(li: Client, user: Any) -> None:
    english = {"Accept-Language": "en"}
    Semester.objects.update(name="2026 春")
    li.post("/welcome/sample", headers=english)
    assert set(TaskClass.objects.values_list("seal", flat=True)) == {"P", "V", "R", "D"}
    assert "Data Structures" in li.get("/courses", headers=english).content.decode()
    assert ">Odd weeks</button>" in li.get("/courses/new", headers=english).content.decode()
    for path in ("/courses", "/courses/days", "/courses/import", "/welcome/courses", "/settings", "/print/week"):
        page = li.get(path, headers=english).content.decode()
        assert "2026 春" not in page, path
        assert "Spring 2026" in page, path
    assert "2026 春" in li.get("/courses").content.decode()
    own = {"semester": "own", "first_monday": "2026-02-23", "weeks": "18"}
    li.post("/welcome/courses", own, headers=english)
    assert CurrentSemester.objects.get().semester.name == "Spring 2026"
    Semester.objects.update(name="大二下")
    assert "大二下" in li.get("/courses", headers=english).content.decode()


def test_a_sample_outside_the_current_semester_brings_its_own(li: Client, user: Any, at: Any) -> None:
    at(9, 16)
    li.force_login(user)
    li.post("/welcome/sample")
    assert CurrentSemester.objects.get().semester.first_monday.isoformat() == "2026-08-31"
    assert set(ScheduleEvent.objects.values_list("semester__owner__username", flat=True)) == {"li"}
    li.post("/welcome/sample", {"way": "clear"})
    assert Semester.objects.count() == 1
    assert not CurrentSemester.objects.exists()


def test_nobody_else_is_touched(li: Client, wang: Client) -> None:
    li.post("/welcome/sample")
    wang.post("/welcome/sample", {"way": "clear"})
    assert TaskClass.objects.count() == 4
    assert wang.get("/").url == "/welcome"

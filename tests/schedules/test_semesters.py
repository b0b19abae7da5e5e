"""Semesters: shared ones, a student's own, the choice among them, and who may do what to which."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from schedules.models import CurrentSemester, Schedule, ScheduleEvent, Semester
from schedules.selectors import semester_current
from schedules.services import broken_invariants
from taskclasses.models import TaskItem
from tests.kits.timetable.helpers import Api, placed

TIMES = [["08:00", "08:45"], ["08:55", "09:40"], ["10:15", "11:00"], ["11:10", "11:55"]]
OWN: dict[str, Any] = {"name": "夏季学期", "first_monday": "2026-07-20", "weeks": 6, "section_times": TIMES}
COURSE = {
    "course_name": "金工实习",
    "arrangements": [{"weeks": [1, 2], "day_of_week": 1, "start_section": 1, "end_section": 4}],
}
READS = ["schedule/semester", "schedule/week", "schedule/today", "schedule/exports/ics"]


def make(api: Api, **changes: Any) -> int:
    status, document = api("POST", "schedule/semesters", {**OWN, **changes})
    assert status == 200, document
    return int(document["data"]["id"])


def import_courses(api: Api, courses: Any, query: str = "") -> dict[str, Any]:
    path, key = f"schedule/imports?dry_run=false{query}", f"import-{next(api._keys)}"
    return api("POST", path, {"courses": courses}, Idempotency_Key=key)[1]


def test_a_student_follows_the_shared_semester_until_another_is_chosen(api: Api, semester: Any) -> None:
    shared = api("GET", "schedule/semester")[1]["data"]
    assert (shared["id"], shared["shared"], shared["current"]) == (semester.pk, True, True)
    own = make(api)
    assert api("GET", "schedule/semester")[1]["data"]["id"] == semester.pk
    chosen = api("PUT", "schedule/semesters/current", {"semester_id": own})[1]["data"]
    assert (chosen["id"], chosen["shared"], chosen["current"]) == (own, False, True)
    assert api("GET", "schedule/semester")[1]["data"] == {**chosen, "closed_days": [], "kept_free": []}
    assert api("GET", f"schedule/semester?semester_id={semester.pk}")[1]["data"] == {**shared, "current": False}
    assert api("PUT", "schedule/semesters/current", {"semester_id": None})[1]["data"]["id"] == semester.pk
    assert not CurrentSemester.objects.exists()


def test_one_student_s_choice_changes_nothing_for_another(api: Api, other_api: Api, semester: Any) -> None:
    api("PUT", "schedule/semesters/current", {"semester_id": make(api)})
    assert other_api("GET", "schedule/semester")[1]["data"]["id"] == semester.pk


def test_the_list_has_shared_and_own_semesters_newest_first(api: Api, other_api: Api, semester: Any) -> None:
    own = make(api)
    make(other_api, name="别人的")
    page = api("GET", "schedule/semesters")[1]["data"]
    assert [(row["id"], row["shared"], row["current"]) for row in page["list"]] == [
        (own, False, False),
        (semester.pk, True, True),
    ]


def test_a_list_of_many_semesters_needs_as_many_queries_as_one_of_few(api: Api, semester: Any) -> None:
    counts = []
    # The first request of all also notes that the token was used.
    for _ in range(3):
        with CaptureQueriesContext(connection) as queries:
            api("GET", "schedule/semesters?page_size=100")
        counts.append(len(queries))
        for week in range(8):
            make(api, name=f"第{week}个")
    assert counts[1] == counts[2]


def test_reads_and_writes_take_the_chosen_semester_or_the_named_one(
    api: Api, user: Any, semester: Any, task_class: Any
) -> None:
    own = make(api)
    named = f"semester_id={own}"
    assert import_courses(api, [COURSE], f"&{named}")["data"]["events"] == 2
    assert set(ScheduleEvent.objects.filter(semester=own).values_list("name", flat=True)) == {"金工实习"}
    assert "金工实习" not in str(api("GET", "schedule/week?week=1")[1])
    assert "金工实习" in str(api("GET", f"schedule/week?week=1&{named}")[1])
    assert "金工实习" in api.raw("GET", f"schedule/exports/ics?{named}").content.decode()
    api("PUT", "schedule/semesters/current", {"semester_id": own})
    assert semester_current(user.pk).pk == own
    week = api("GET", "schedule/week?week=1")[1]["data"]
    assert (week["first_date"], [row["name"] for row in week["events"]]) == ("2026-07-20", ["金工实习"])
    assert api("GET", "schedule/today")[1]["data"]["week"] in range(7)
    assert import_courses(api, [COURSE])["data"]["duplicates"] == 2
    items = list(task_class.items.order_by("order").values_list("pk", flat=True))
    plan = {"task_class_ids": [task_class.pk]}
    assert "思想政治" not in str(api("POST", "schedule/smart-planning", plan)[1]["data"]["hybrid_entries"])
    planned = api("POST", f"schedule/smart-planning?semester_id={semester.pk}", plan)[1]["data"]
    assert "思想政治" in str(planned["hybrid_entries"])
    # Week 7 is beyond the six weeks of the chosen semester and well inside the shared one.
    body = {"task_class_id": task_class.pk, "items": [placed(items[0], 7, 1, 1, 2)]}
    assert api.apply(body)[1]["status"] == "40049"
    path = f"task-class/apply-batch-into-schedule?semester_id={semester.pk}"
    assert api("PUT", path, body, Idempotency_Key="named")[1]["status"] == "10000"
    assert ScheduleEvent.objects.get(task_item=items[0]).semester_id == semester.pk


def test_the_dates_of_a_class_are_judged_by_the_semester_in_use(api: Api, semester: Any) -> None:
    own = make(api)
    dates = {"start_date": "2026-07-27", "end_date": "2026-08-07"}
    body = {"name": "实习报告", "mode": "auto", **dates, "items": [{"order": 1, "content": "提纲"}]}
    assert api("POST", "task-class", body)[1]["status"] == "40045"
    made = api("POST", f"task-class?semester_id={own}", body)[1]
    assert made["status"] == "10000"
    path = f"task-class/{made['data']['id']}"
    body["items"] = made["data"]["items"]
    assert api("PUT", path, body)[1]["status"] == "40045"
    assert api("PUT", f"{path}?semester_id={own}", body)[1]["status"] == "10000"


@pytest.mark.parametrize("path", READS)
def test_the_semester_of_another_student_is_not_found_by_a_read(
    api: Api, other_api: Api, semester: Any, path: str
) -> None:
    foreign = make(other_api)
    for number in (foreign, 10**9):
        status, document = api("GET", f"{path}?semester_id={number}")
        assert (status, document["status"], document["data"]) == (404, "40041", None)


def test_the_semester_of_another_student_is_not_found_by_a_write(
    api: Api, other_api: Api, semester: Any, task_class: Any
) -> None:
    foreign = make(other_api)
    named = f"?semester_id={foreign}"
    item = task_class.items.first().pk
    class_body = {"name": "x", "mode": "manual", "items": [{"order": 1, "content": "y"}]}
    apply_body = {"task_class_id": task_class.pk, "items": [placed(item, 1, 1, 1, 2)]}
    calls = [
        ("POST", f"task-class{named}", class_body),
        ("PUT", f"task-class/{task_class.pk}{named}", class_body),
        ("PUT", f"task-class/apply-batch-into-schedule{named}", apply_body),
        ("POST", f"schedule/smart-planning{named}", {"task_class_ids": [task_class.pk]}),
        ("POST", f"schedule/imports{named}", {"courses": [COURSE]}),
        ("PUT", f"schedule/semesters/{foreign}", OWN),
        ("DELETE", f"schedule/semesters/{foreign}", None),
        ("PUT", "schedule/semesters/current", {"semester_id": foreign}),
    ]
    for number, (method, path, body) in enumerate(calls):
        assert api(method, path, body, Idempotency_Key=f"foreign-{number}")[1]["status"] == "40041", path
    assert Semester.objects.get(pk=foreign).name == OWN["name"]


def test_a_shared_semester_is_nobody_s_to_change(api: Api, semester: Any) -> None:
    assert api("PUT", f"schedule/semesters/{semester.pk}", OWN)[1]["status"] == "40041"
    assert api("DELETE", f"schedule/semesters/{semester.pk}?release=true")[1]["status"] == "40041"
    assert Semester.objects.get(pk=semester.pk).weeks == 20


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": " "}, "name"),
        ({"first_monday": "2026-07-21"}, "first_monday"),
        ({"first_monday": "2026-02-30"}, "first_monday"),
        ({"weeks": 0}, "weeks"),
        ({"weeks": 31}, "weeks"),
        ({"weeks": True}, "weeks"),
        ({"section_times": []}, "section_times"),
        ({"section_times": [["08:00"]]}, "section_times"),
        ({"section_times": [["8:00", "08:45"]]}, "section_times"),
        ({"section_times": [["08:00", "07:45"]]}, "section_times"),
        ({"section_times": [["08:00", "08:45"], ["08:40", "09:00"]]}, "section_times"),
        ({"section_times": [["24:00", "24:45"]]}, "section_times"),
        ({"time_zone": "Asia/Nowhere"}, "time_zone"),
        ({"time_zone": "../../etc/passwd"}, "time_zone"),
        ({"time_zone": ""}, "time_zone"),
        ({"time_zone": "localtime"}, "time_zone"),
        ({"time_zone": "right/UTC"}, "time_zone"),
    ],
)
def test_what_is_no_semester_is_refused_by_field(api: Api, semester: Any, changes: Any, field: str) -> None:
    own = make(api)
    for method, path in (("POST", "schedule/semesters"), ("PUT", f"schedule/semesters/{own}")):
        status, document = api(method, path, {**OWN, **changes})
        assert (status, document["status"]) == (400, "40005")
        assert [row["field"] for row in document["data"]["errors"]] == [field]
        assert "zoneinfo" not in str(document).lower()
    assert Semester.objects.filter(owner__isnull=False).count() == 1


def test_the_same_creation_again_makes_no_second_semester(api: Api, user: Any, semester: Any) -> None:
    answers = [api.raw("POST", "schedule/semesters", OWN, Idempotency_Key="once").content for _ in range(2)]
    assert answers[0] == answers[1]
    assert Semester.objects.filter(owner=user).count() == 1


def test_a_student_keeps_forty_semesters_and_no_more(api: Api, user: Any, semester: Any) -> None:
    rows = [Semester(owner=user, name=str(n), first_monday=date(2026, 7, 20), weeks=6) for n in range(40)]
    Semester.objects.bulk_create(rows)
    status, document = api("POST", "schedule/semesters", OWN)
    assert (status, document["status"], document["data"]) == (413, "40006", {"field": "semesters", "limit": 40})


def test_the_lessons_of_a_semester_follow_its_new_dates(api: Api, semester: Any) -> None:
    own = make(api)
    import_courses(api, [COURSE], f"&semester_id={own}")
    before = ScheduleEvent.objects.get(semester=own, week=1)
    changed = api("PUT", f"schedule/semesters/{own}", {**OWN, "first_monday": "2026-07-27"})[1]["data"]
    assert changed["first_monday"] == "2026-07-27"
    after = ScheduleEvent.objects.get(pk=before.pk)
    assert ((after.start_at - before.start_at).days, after.revision) == (7, before.revision + 1)


def test_items_that_a_new_first_monday_would_put_where_they_may_not_stand_wait_for_a_place(api: Api, at: Any) -> None:
    at(2026, 7, 29)  # a Wednesday
    own = make(api)
    api("PUT", "schedule/semesters/current", {"semester_id": own})
    import_courses(api, [{**COURSE, "is_allow_tasks": True}])
    body = {"name": "实习报告", "mode": "auto", "start_date": "2026-07-27", "end_date": "2026-08-14"}
    body |= {
        "allow_filler_course": True,
        "items": [{"order": n, "content": str(n), "duration": 1} for n in range(1, 5)],
    }
    made = api("POST", "task-class", body)[1]["data"]
    done, soon, inside, later = (item["id"] for item in made["items"])
    items = [placed(done, 2, 2, 1, 1), placed(soon, 2, 5, 1, 1), placed(inside, 3, 5, 1, 1), placed(later, 4, 3, 1, 1)]
    assert api.apply({"task_class_id": made["id"], "items": items})[1]["status"] == "10000"

    def standing() -> set[int]:
        return set(TaskItem.objects.filter(task_class=made["id"], status=2).values_list("pk", flat=True))

    api("PUT", f"schedule/semesters/{own}", {**OWN, "weeks": 7})
    assert standing() == {done, soon, inside, later}
    api("PUT", f"schedule/semesters/{own}", {**OWN, "weeks": 7, "first_monday": "2026-07-13"})
    assert standing() == {done, inside, later}  # the second would have been missed
    batch = api("GET", "schedule/batches")[1]["data"]["list"][0]
    assert batch["source"] == "calendar-change"
    api("PUT", f"schedule/semesters/{own}", {**OWN, "weeks": 7, "first_monday": "2026-07-27"})
    assert standing() == {done, inside}  # the last would come behind the end of its class
    assert broken_invariants() == []


@pytest.mark.parametrize(("changes", "events"), [({"weeks": 1}, 1), ({"section_times": TIMES[:2]}, 2)])
def test_a_semester_cannot_shrink_below_its_lessons(api: Api, semester: Any, changes: Any, events: int) -> None:
    own = make(api)
    import_courses(api, [COURSE], f"&semester_id={own}")
    status, document = api("PUT", f"schedule/semesters/{own}", {**OWN, **changes})
    assert (status, document["status"], document["data"]) == (409, "40078", {"events": events})
    assert Semester.objects.get(pk=own).weeks == OWN["weeks"]


def test_a_semester_with_a_timetable_is_deleted_only_with_its_items_released(
    api: Api, user: Any, semester: Any, task_class: Any
) -> None:
    own = make(api)
    named = f"semester_id={own}"
    import_courses(api, [{**COURSE, "is_allow_tasks": True}], f"&{named}")
    api("PUT", "schedule/semesters/current", {"semester_id": own})
    body = {"name": "杂事", "mode": "manual", "allow_filler_course": True}
    body |= {"items": [{"order": n, "content": str(n), "duration": 1} for n in (1, 2)]}
    made = api("POST", "task-class", body)[1]["data"]
    first, second = (item["id"] for item in made["items"])
    host = ScheduleEvent.objects.get(semester=own, week=1).pk
    items = [placed(first, 1, 1, 1, 1, host), placed(second, 1, 2, 1, 1)]
    assert api.apply({"task_class_id": made["id"], "items": items})[1]["status"] == "10000"
    status, document = api("DELETE", f"schedule/semesters/{own}")
    assert (status, document["status"], document["data"]) == (409, "40078", {"events": 3})
    assert api("DELETE", f"schedule/semesters/{own}?release=true")[1]["status"] == "10000"
    assert not Semester.objects.filter(pk=own).exists()
    assert set(TaskItem.objects.filter(task_class=made["id"]).values_list("status", flat=True)) == {1}
    assert broken_invariants() == []
    assert api("GET", "schedule/semester")[1]["data"]["id"] == semester.pk


def test_an_own_semester_is_never_the_current_one_of_all(api: Api, user: Any, semester: Any) -> None:
    from django.core.exceptions import ValidationError
    from django.db import IntegrityError, transaction

    own = Semester.objects.get(pk=make(api))
    own.is_current = True
    with pytest.raises(ValidationError, match="is_current"):
        own.clean()
    semester.is_current = False
    semester.save()
    with pytest.raises(IntegrityError), transaction.atomic():
        own.save()


def test_a_holiday_stays_on_its_date_when_the_semester_begins_on_another(api: Api, semester: Any) -> None:
    own = make(api)
    api("PUT", "schedule/semesters/current", {"semester_id": own})
    import_courses(api, [COURSE])
    holiday = {"kind": "holiday", "first_date": "2026-07-20", "last_date": "2026-07-20", "name": "校庆"}
    assert api("POST", "schedule/exceptions", {"exceptions": [holiday]})[0] == 200
    held = {row["week"] for row in Schedule.objects.filter(semester=own).values("week")}
    assert held == {2}, "the lesson of the first Monday falls out"
    changed = {**OWN, "first_monday": "2026-07-13"}
    assert api("PUT", f"schedule/semesters/{own}", changed)[0] == 200
    held = {row["week"] for row in Schedule.objects.filter(semester=own, status="normal").values("week")}
    assert held == {1}, "the holiday is the Monday of the second week now"
    assert broken_invariants() == []


@pytest.mark.parametrize("day", ["2026-07-18", "2026-09-05"], ids=["before it", "behind it"])
@pytest.mark.parametrize("kind", ["holiday", "makeup", "kept_free"])
def test_what_lies_outside_the_dates_that_a_semester_gets_is_on_none_of_its_days(
    api: Api, semester: Any, day: str, kind: str
) -> None:
    own = make(api, first_monday="2026-07-13", weeks=8)
    api("PUT", "schedule/semesters/current", {"semester_id": own})
    import_courses(api, [COURSE])
    follows = {"follows_date": "2026-07-27"} if kind == "makeup" else {}
    entry = {"kind": kind, "first_date": day, "last_date": day, "name": "校庆", **follows}
    assert api("POST", "schedule/exceptions", {"exceptions": [entry]})[0] == 200
    assert api("PUT", f"schedule/semesters/{own}", OWN)[0] == 200
    assert {(row.week, row.day_of_week, row.held) for row in ScheduleEvent.objects.all()} == {
        (1, 1, True),
        (2, 1, True),
    }
    shown = [api("GET", f"schedule/week?week={week}")[1]["data"] for week in range(1, OWN["weeks"] + 1)]
    assert [(one["days"], one["kept_free"]) for one in shown] == [([], [])] * OWN["weeks"]
    assert broken_invariants() == []

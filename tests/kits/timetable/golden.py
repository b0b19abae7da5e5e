"""The autumn term of 2026 in China: courses on the days that its holidays and make-up days touch."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from smartmate.accounts.tokens import token_create
from tests.kits.timetable.helpers import Api

TERM = {"name": "2026 秋", "first_monday": "2026-09-07", "weeks": 20}


def meeting(weekday: int, first: int, weeks: str = "all", last_week: int = 16) -> dict[str, Any]:
    start = 2 if weeks == "even" else 1
    return {
        "start_week": start, "end_week": last_week, "week_type": weeks, "day_of_week": weekday,
        "start_section": first, "end_section": first + 1,
    }  # fmt: skip


COURSES: list[dict[str, Any]] = [
    {"course_name": "线性代数", "location": "A101", "arrangements": [meeting(2, 1)]},
    {"course_name": "物理实验", "location": "实验楼", "arrangements": [meeting(2, 3, "odd", 15)]},
    {"course_name": "物理讨论", "location": "A205", "arrangements": [meeting(2, 5, "even")]},
    {"course_name": "大学物理", "location": "B101", "is_allow_tasks": True, "arrangements": [meeting(3, 3)]},
    {"course_name": "英语", "location": "C301", "arrangements": [meeting(4, 1), meeting(5, 7)]},
    {"course_name": "辅修会计", "location": "D1", "arrangements": [meeting(6, 3)]},
    {"course_name": "选修摄影", "location": "D2", "arrangements": [meeting(7, 9, last_week=8)]},
]


@pytest.fixture(scope="module")
def golden_term(lasting_rows: Any) -> int:
    """Makes the term the current one of a student, with its courses, for all tests of a module; answers who that is."""

    def write() -> int:
        student = User.objects.create_user("li", password="correct horse")
        api = Api(Client(headers={"Authorization": f"Bearer {token_create(user=student)[1]}"}))
        made = api("POST", "schedule/semesters", TERM)[1]["data"]["id"]
        api("PUT", "schedule/semesters/current", {"semester_id": made})
        for course in COURSES:
            status, document = api("POST", "schedule/courses", course)
            assert status == 200, document
        return student.pk

    who: int = lasting_rows(write)
    return who


@pytest.fixture
def user(golden_term: int, db: None) -> User:
    return User.objects.get(pk=golden_term)


def accept_all(api: Api, **changes: Any) -> dict[str, Any]:
    """Takes over every proposal, each with the changes; answers what was written."""
    offered = api("GET", "schedule/exceptions/proposals")[1]["data"]["proposals"]
    assert {row["status"] for row in offered} == {"new"}
    status, document = api(
        "POST", "schedule/exceptions", {"exceptions": [row["exception"] | changes for row in offered]}
    )
    assert status == 200, document
    data: dict[str, Any] = document["data"]
    return data


def names_on(api: Api, week: int, weekday: int, part: str = "events") -> list[tuple[str, int]]:
    """What is held on a day, or what falls out: (name, first section)."""
    data = api("GET", f"schedule/week?week={week}")[1]["data"]
    return [(event["name"], event["section_from"]) for event in data[part] if event["day_of_week"] == weekday]

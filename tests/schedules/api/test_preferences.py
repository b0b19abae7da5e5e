"""Wishes over REST: set, replaced, taken back; the next draft carries them, and nobody else sees them."""

from __future__ import annotations

from typing import Any

import pytest

from schedules.models import Preference
from schedules.planner.draft.adapter import problem_of
from schedules.planner.draft.load import load_state
from schedules.planner.soft_limits import SoftLimit
from schedules.selectors import facts_load
from taskclasses.models import TaskClass
from tests.kits.timetable.helpers import Api

SUNDAY: dict[str, Any] = {"kind": "light_weekday", "value": 7}
MONDAY: dict[str, Any] = {"kind": "light_weekday", "value": 1}
TWO: dict[str, Any] = {"kind": "blocks_a_day", "value": 2}


def change(api: Api, **body: Any) -> list[dict[str, Any]]:
    status, answer = api("POST", "schedule/preferences", body)
    assert status == 200, answer
    rows: list[dict[str, Any]] = answer["data"]["preferences"]
    return rows


def test_a_wish_takes_the_place_of_its_like_and_of_nothing_else(api: Api) -> None:
    change(api, set=[SUNDAY, TWO])
    rows = change(api, set=[MONDAY, {**TWO, "value": 3}])
    assert [(row["kind"], row["value"]) for row in rows] == [
        ("light_weekday", 7),
        ("light_weekday", 1),
        ("blocks_a_day", 3),
    ]
    again = change(api, set=[{**TWO, "value": 3}])
    assert again == rows
    assert api("GET", "schedule/preferences")[1]["data"]["preferences"] == rows


def test_a_wish_is_taken_back_by_its_id(api: Api) -> None:
    first, second = change(api, set=[SUNDAY, TWO])
    assert change(api, remove=[first["id"]]) == [second]
    status, answer = api("DELETE", f"schedule/preferences/{second['id']}")
    assert (status, answer["data"]) == (200, {"preferences": []})
    assert api("DELETE", f"schedule/preferences/{second['id']}")[0] == 404


def test_the_draft_and_the_problem_of_the_planner_carry_the_wishes(api: Api, user: Any, task_class: TaskClass) -> None:
    change(api, set=[{"kind": "day_part", "value": 1, "task_class_id": task_class.pk}])
    facts = facts_load(user_id=user.pk, class_ids=[task_class.pk])
    state = load_state(facts, scope=[task_class.pk], now=facts.now)
    assert problem_of(state).wishes == state.wishes == (SoftLimit("day_part", 1, task_class.pk),)
    task_class.delete()
    assert not Preference.objects.exists()


@pytest.mark.parametrize(
    "wish",
    [
        {"kind": "light_weekday", "value": 8},
        {"kind": "day_part", "value": 0},
        {"kind": "sleep", "value": 1},
        {"kind": "blocks_a_day", "value": 2, "hard_only": True},
        {"kind": "day_part"},
    ],
)
def test_a_wish_that_says_nothing_is_refused(api: Api, wish: dict[str, Any]) -> None:
    status, answer = api("POST", "schedule/preferences", {"set": [wish]})
    assert (status, answer["status"]) == (400, "40005")
    assert not Preference.objects.exists()


def test_another_students_wish_and_class_are_not_found(api: Api, django_user_model: Any) -> None:
    mine = change(api, set=[SUNDAY])
    other = django_user_model.objects.create_user("other")
    foreign = TaskClass.objects.create(user=other, name="别人的")
    row = Preference.objects.create(user=other, kind="day_part", value=1)
    assert api("DELETE", f"schedule/preferences/{row.pk}")[1]["status"] == "40091"
    assert api("POST", "schedule/preferences", {"remove": [row.pk]})[1]["status"] == "40091"
    wish = {**MONDAY, "task_class_id": foreign.pk}
    refused = api("POST", "schedule/preferences", {"set": [wish]})[1]
    assert (refused["status"], refused["data"]) == ("40040", {"task_class_ids": [wish["task_class_id"]]})
    assert api("GET", "schedule/preferences")[1]["data"]["preferences"] == mine

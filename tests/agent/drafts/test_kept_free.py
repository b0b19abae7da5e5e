"""Time that a student keeps free stays free in every later plan, until it is taken back."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from schedules.models import AppliedBatch, CalendarException
from schedules.services import class_create
from taskclasses.fields import ItemValues
from tests.kits.agent.lived_term import Term, term
from tests.kits.timetable.fixtures import courses
from tests.kits.timetable.helpers import class_values, picture

__all__ = ["courses", "term"]
KEPT = {"from_date": "2026-04-16", "to_date": "2026-04-24", "evenings": True}


def evening_class(term: Term) -> Any:
    """A class for the evenings of two weeks alone."""
    return class_create(
        user=term.user,
        values=class_values(
            name="晚自习",
            start_date=date(2026, 4, 16),
            end_date=date(2026, 4, 26),
            excluded_slots=[1, 2, 3, 4],
            items=[ItemValues(1, "练习")],
        ),
    )


def planned_dates(term: Term, class_id: int) -> list[str]:
    status, answer = term.api("POST", "schedule/smart-planning", {"task_class_ids": [class_id]})
    assert status == 200, answer
    days = [7 * (row["week"] - 1) + row["day_of_week"] - 1 for row in answer["data"]["placements"]]
    return [(date(2026, 3, 2) + timedelta(days=day)).isoformat() for day in days]


def test_later_plans_keep_it(term: Term) -> None:
    row = evening_class(term)
    found = term.ask("keep_free", **KEPT)
    assert found["calendar_change"]["exceptions"][0] | {"id": 0} == {
        "id": 0, "kind": "kept_free", "name": "留空", "first_date": "2026-04-16", "last_date": "2026-04-24",
        "study_allowed": False, "lessons_held": False, "follows_date": None, "parity": "replaced",
        "section_from": 9, "section_to": 12, "note": "",
    }  # fmt: skip
    assert found["sentences"][0] == (
        "4 月 16 日 周四 到 4 月 24 日 周五 每天 19:00–22:30 留空，以后的计划也不排在那里。"
    )
    assert min(planned_dates(term, row.pk)) > "2026-04-24"


def test_it_is_listed_and_once_taken_back_plans_may_use_it(term: Term) -> None:
    row = evening_class(term)
    term.ask("keep_free", **KEPT)
    (listed,) = term.api("GET", "schedule/exceptions")[1]["data"]["list"]
    assert (listed["kind"], listed["section_from"], listed["section_to"]) == ("kept_free", 9, 12)
    assert len(term.api("GET", "schedule/semester")[1]["data"]["kept_free"]) == 9 * 4
    assert term.api("DELETE", f"schedule/exceptions/{listed['id']}")[0] == 200
    assert min(planned_dates(term, row.pk)) <= "2026-04-24"


def test_it_is_undone_as_a_batch_and_undone_again(term: Term) -> None:
    before = picture(term.user.pk)
    found = term.ask("keep_free", **KEPT)
    batch = found["calendar_change"]["batch_id"]
    assert term.api("POST", f"schedule/batches/{batch}/undo", {})[0] == 200
    assert picture(term.user.pk) == before
    assert not CalendarException.objects.filter(user=term.user).exists()
    assert term.api("POST", f"schedule/batches/{batch}/undo", {})[1]["status"] == "40077"


def test_what_is_kept_already_is_not_written_again(term: Term) -> None:
    term.ask("keep_free", **KEPT)
    again = term.ask("keep_free", from_date="2026-04-20", start_section=10, end_section=12)
    assert again["calendar_change"] is None
    assert CalendarException.objects.filter(user=term.user).count() == 1


def test_what_stands_there_moves_in_the_draft_alone(term: Term) -> None:
    row = evening_class(term)
    term.apply(row, (7, 4, 9))
    before = picture(term.user.pk)
    found = term.ask("keep_free", from_date="2026-04-16")
    item = row.items.get().pk
    assert [one["task_item_id"] for one in found["difference"]["moved"]] == [item]
    assert found["difference"]["moved"][0]["after"]["date"] > "2026-04-16"
    assert picture(term.user.pk) == before
    term.accept(found)
    assert term.ask("mend")["sentences"] == ["现在不用改。"]


def test_a_suggestion_in_it_finds_another_place(term: Term) -> None:
    term.mark(term.items[0], "missed")
    found = term.ask("missed")
    assert found["difference"]["moved"][0]["after"]["date"] == "2026-04-16"
    again = term.ask("keep_free", conversation_id=found["conversation_id"], from_date="2026-04-16")
    (moved,) = [one for one in again["difference"]["moved"] if one["task_item_id"] == term.items[0]]
    assert moved["after"]["date"] > "2026-04-16"


def test_the_students_own_hand_may_use_it(term: Term) -> None:
    row = evening_class(term)
    term.ask("keep_free", from_date="2026-04-18", evenings=True)
    item = row.items.get().pk
    places = term.api("POST", "agent/legal-places", {"task_item_id": item})[1]["data"]
    verdict = places["verdicts"][places["weeks"][6]["cells"][5][8]]
    assert verdict["kind"] == "warned"
    told = [places["reasons"][number]["message"] for number in verdict["reasons"]]
    assert told == ["4 月 18 日 周六 19:00–20:40 要空着（你设置的）"]
    body = {"task_class_id": row.pk, "items": [
        {"task_item_id": item, "week": 7, "day_of_week": 6, "start_section": 9, "end_section": 10}
    ]}  # fmt: skip
    status, answer = term.api.apply(body)
    assert status == 200, answer
    assert [one["rule"] for one in answer["data"]["warnings"]] == ["kept_free"]
    assert term.ask("mend")["sentences"] == ["现在不用改。"]


def test_it_may_lie_over_holidays_and_over_its_like(term: Term) -> None:
    rows = [
        {"kind": "holiday", "name": "假", "first_date": "2026-04-16", "study_allowed": True},
        {"kind": "kept_free", "name": "社团", "first_date": "2026-04-16", "section_from": 9, "section_to": 10},
        {"kind": "kept_free", "name": "家里", "first_date": "2026-04-10", "last_date": "2026-04-20"},
    ]
    status, answer = term.api("POST", "schedule/exceptions", {"exceptions": rows})
    assert status == 200, answer
    assert [one["kind"] for one in answer["data"]["exceptions"]] == ["holiday", "kept_free", "kept_free"]
    week = term.api("GET", "schedule/week?week=7")[1]["data"]
    assert {one["name"] for one in week["kept_free"]} == {"社团", "家里"}
    batch = AppliedBatch.objects.latest("pk").pk
    assert term.api("POST", f"schedule/batches/{batch}/undo", {})[0] == 200


@pytest.mark.parametrize(
    "row",
    [
        {"section_from": 9},
        {"section_to": 9},
        {"section_from": 9, "section_to": 8},
        {"section_from": 12, "section_to": 13},
        {"first_date": "2030-01-01"},
    ],
)
def test_what_is_no_time_of_the_semester_is_refused(term: Term, row: dict[str, Any]) -> None:
    whole = {"kind": "kept_free", "name": "社团", "first_date": "2026-04-16", **row}
    assert term.api("POST", "schedule/exceptions", {"exceptions": [whole]})[1]["status"] == "40005"


def test_dates_outside_the_semester_are_refused_by_name(term: Term) -> None:
    answer = term.api("POST", "agent/replan", {"kind": "keep_free", "from_date": "2027-04-16"})[1]
    assert answer["status"] == "40049"
    assert [row["rule"] for row in answer["data"]["conflicts"]] == ["outside_semester"]
    assert not CalendarException.objects.filter(user=term.user).exists()

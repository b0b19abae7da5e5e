"""Allowed values of a class, and how long its items are."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taskclasses.spec import ClassLimits, check_class, item_lengths, validate_class

pytestmark = pytest.mark.storeless

LIMITS = ClassLimits(blocks=6, first_day=date(2026, 3, 2), last_day=date(2026, 7, 19))
GOOD: dict[str, Any] = {
    "name": "概率论复习", "mode": "auto", "start_date": "2026-04-13", "end_date": "2026-04-19",
    "subject_type": "quantitative", "difficulty_level": "high", "cognitive_intensity": "high", "total_slots": 4,
    "allow_filler_course": True, "strategy": "steady", "excluded_slots": [6], "excluded_days_of_week": [7],
    "items": [{"order": 1, "content": "随机变量"}, {"order": 2, "content": "数字特征", "duration": 2}],
}  # fmt: skip


def found(**changes: Any) -> set[tuple[str, str, str]]:
    return {(i.field, i.code, i.severity) for i in check_class({**GOOD, **changes}, LIMITS)}


def test_a_sound_class_has_no_issue() -> None:
    assert found() == set()


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"name": " "}, "name", "missing"),
        ({"name": "\u200b\u3000\ufeff"}, "name", "missing"),
        ({"name": "x" * 61}, "name", "too_long"),
        ({"mode": "other"}, "mode", "bad_value"),
        ({"strategy": None}, "strategy", "bad_value"),
        ({"subject_type": "art"}, "subject_type", "bad_value"),
        ({"start_date": None}, "start_date", "missing"),
        ({"end_date": "soon"}, "end_date", "bad_value"),
        ({"end_date": "20260419"}, "end_date", "bad_value"),
        ({"end_date": "2026-W16-7"}, "end_date", "bad_value"),
        ({"end_date": 20260419}, "end_date", "bad_value"),
        ({"end_date": "2026-04-12"}, "end_date", "bad_range"),
        ({"start_date": "2026-08-01", "end_date": "2026-08-02"}, "start_date", "outside_semester"),
        ({"excluded_slots": [7]}, "excluded_slots", "bad_value"),
        ({"excluded_slots": [True]}, "excluded_slots", "bad_value"),
        ({"excluded_slots": [1, 2, 3, 4, 5, 6]}, "excluded_slots", "excludes_all"),
        ({"excluded_days_of_week": list(range(1, 8))}, "excluded_days_of_week", "excludes_all"),
        ({"items": []}, "items", "missing"),
        ({"items": [{"order": 1, "content": "a"}] * 2}, "items", "bad_order"),
        ({"items": [{"order": 0, "content": "a"}]}, "items", "bad_order"),
        ({"items": [{"order": 1, "content": ""}]}, "items.0.content", "missing"),
        ({"items": [{"order": 1, "content": "\u2060\u202e"}]}, "items.0.content", "missing"),
        ({"items": [{"order": 1, "content": "a", "duration": 5}]}, "items.0.duration", "bad_value"),
        ({"total_slots": 0}, "total_slots", "bad_value"),
    ],
)
def test_it_finds_each_fault(changes: dict[str, Any], field: str, code: str) -> None:
    assert (field, code, "error") in found(**changes)


def test_warnings_are_no_errors() -> None:
    assert found(subject_type=None) == {("subject_type", "profile_missing", "warning")}
    assert found(total_slots=9) == {("total_slots", "budget_uneven", "warning")}
    tight = ClassLimits(6, LIMITS.first_day, LIMITS.last_day, same_name=True, room=3)
    issues = check_class(GOOD, tight)
    assert {issue.code for issue in issues} == {"same_name", "capacity"}
    assert next(issue.message for issue in issues if issue.code == "capacity") == "需要4节，日期内只剩3节"


def test_it_finds_everything_at_once_in_the_form_of_the_tool() -> None:
    config = {"strategy": "steady", "excluded_slots": [9]}
    values = {"task_class": {"name": "", "mode": "auto", "config": config}, "items": []}
    today = date(2026, 4, 1)
    issues = validate_class(values, blocks=6, first_day=LIMITS.first_day, last_day=LIMITS.last_day, today=today)
    errors = {issue.field for issue in issues if issue.severity == "error"}
    assert errors == {
        "task_class.name", "task_class.start_date", "task_class.end_date", "items",
        "task_class.config.excluded_slots", "task_class.config.total_slots",
    }  # fmt: skip


def test_the_tool_demands_a_total_of_what_it_makes_and_not_of_what_is_stored_without_one() -> None:
    given = {key: value for key, value in GOOD.items() if key not in {"items", "total_slots"}}
    values = {"task_class": given, "items": [*GOOD["items"], {"order": 3, "content": "极限定理"}]}

    def faults(current: dict[str, Any] | None) -> set[str]:
        issues = validate_class(
            values, blocks=6, first_day=LIMITS.first_day, last_day=LIMITS.last_day, today=LIMITS.first_day,
            current=current,
        )  # fmt: skip
        return {issue.field for issue in issues if issue.severity == "error"}

    assert faults(None) == {"task_class.config.total_slots"}
    assert faults({**GOOD, "total_slots": None}) == set()


def test_the_tool_demands_dates_inside_the_semester_and_not_past() -> None:
    def codes(start: str, end: str) -> set[str]:
        values = {"task_class": {**GOOD, "start_date": start, "end_date": end, "config": {}}}
        today = date(2026, 4, 14)
        issues = validate_class(values, blocks=6, first_day=LIMITS.first_day, last_day=LIMITS.last_day, today=today)
        return {issue.code for issue in issues if issue.severity == "error"}

    assert codes("2026-04-13", "2026-04-19") == set()
    assert codes("2026-03-10", "2026-04-13") == {"in_the_past"}
    assert codes("2026-07-10", "2026-07-25") == {"outside_semester"}


def test_a_refused_date_is_told_as_students_read_dates() -> None:
    limits = ClassLimits(6, date(2026, 3, 2), date(2026, 7, 5))
    values = {**GOOD, "start_date": "2027-03-10", "end_date": "2027-04-13"}
    told = [next(one.message for one in check_class(values, limits, locale=locale)) for locale in ("zh", "en")]
    assert told == [
        "日期不在学期内（3 月 2 日 周一 到 7 月 5 日 周日）",
        "The date is outside the semester (Mon, Mar 2 to Sun, Jul 5)",
    ]


def test_lengths_follow_the_total() -> None:
    assert item_lengths([None, None, None], None) == [2, 2, 2]
    assert item_lengths([None, 3, None], 8) == [3, 3, 2]
    assert item_lengths([None, None], 20) == [4, 4]
    assert item_lengths([4, None], 4) == [4, 1]


@given(st.lists(st.none() | st.integers(1, 4), max_size=12), st.none() | st.integers(1, 60))
def test_lengths_are_legal_and_keep_what_is_given(durations: list[int | None], total: int | None) -> None:
    lengths = item_lengths(durations, total)
    assert all(1 <= length <= 4 for length in lengths)
    assert all(own in (None, length) for own, length in zip(durations, lengths, strict=True))

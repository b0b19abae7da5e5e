"""Random terms with exceptions and changes: no lesson is lost or doubled, in whatever order exceptions come and go."""

from __future__ import annotations

from datetime import date, time, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedules.planner.grid import Calendar
from schedules.terms.exceptions import overlaps, term_exceptions
from schedules.terms.lessons import AS_PLANNED, as_planned, pattern_of, settle

pytestmark = pytest.mark.storeless

CALENDAR = Calendar(date(2026, 9, 7), 6, tuple((time(8 + n), time(8 + n, 45)) for n in range(8)), "Asia/Shanghai")
DAYS = CALENDAR.grid.days
Lesson = dict[str, Any]


@st.composite
def lessons(draw: st.DrawFn) -> list[Lesson]:
    """Meetings on distinct (weekday, section) cells, each in all, odd or even weeks or in some."""
    cells = draw(st.lists(st.tuples(st.integers(1, 7), st.integers(1, 8)), min_size=1, max_size=6, unique=True))
    found: list[Lesson] = []
    for number, (weekday, section) in enumerate(cells, 1):
        weeks = draw(st.sampled_from([range(1, 7), range(1, 7, 2), range(2, 7, 2), range(3, 5)]))
        for week in weeks:
            place = {"week": week, "day_of_week": weekday, "section_from": section, "section_to": section}
            words = {"course_id": number, "name": f"课{number}", "location": f"室{number}", "interrupted": False}
            found.append({**place, **words, "source": "import", "import_batch_id": None, "revision": 1, **AS_PLANNED})
    return [{**lesson, "id": pk} for pk, lesson in enumerate(found, 1)]


@st.composite
def exceptions(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Exceptions of which no two share a date."""
    found: list[dict[str, Any]] = []
    for number in range(draw(st.integers(1, 6))):
        kind, first = draw(st.sampled_from(["holiday", "makeup", "exam_week"])), draw(st.integers(0, DAYS - 1))
        last = first if kind == "makeup" else min(DAYS - 1, first + draw(st.integers(0, 6)))
        follows = draw(st.integers(0, DAYS - 1).filter(lambda day, own=first: day != own)) if kind == "makeup" else None
        one = {
            "id": number, "kind": kind, "name": f"例外{number}", "study_allowed": draw(st.booleans()),
            "lessons_held": kind == "exam_week" and draw(st.booleans()),
            "parity": draw(st.sampled_from(["replaced", "own"])),
            "first_date": day_text(first), "last_date": day_text(last),
            "follows_date": None if follows is None else day_text(follows),
        }  # fmt: skip
        if not overlaps([*found, one]):
            found.append(one)
    return found


def day_text(offset: int) -> str:
    return (CALENDAR.first_monday + timedelta(days=offset)).isoformat()


def settled(rows: list[Lesson], calendar: list[dict[str, Any]]) -> list[Lesson]:
    """Lessons under a calendar; extra ones get ids."""
    kept, extras = settle(rows, term_exceptions(calendar, CALENDAR))
    return [row for row in kept if row is not None] + [{**row, "id": 10_000 + n} for n, row in enumerate(extras)]


def own(rows: list[Lesson]) -> list[Lesson]:
    return [row for row in rows if not row["effect"].get("extra")]


def told(rows: list[Lesson]) -> list[Any]:
    """Lessons without what numbers extra ones."""
    return sorted(str({**row, "id": 0 if row["effect"].get("extra") else row["id"], "revision": 0}) for row in rows)


@given(lessons(), exceptions(), st.randoms(use_true_random=False))
def test_the_order_of_exceptions_does_not_matter_and_all_go_again(
    rows: list[Lesson], calendar: list[dict[str, Any]], dice: Any
) -> None:
    whole = settled(rows, calendar)
    now, active = rows, []
    for one in dice.sample(calendar, len(calendar)):
        active.append(one)
        now = settled(now, active)
        assert sorted(row["id"] for row in own(now)) == [row["id"] for row in rows]
    assert told(now) == told(whole)
    assert told(settled(now, calendar)) == told(now)
    for one in dice.sample(calendar, len(calendar)):
        active.remove(one)
        now = settled(now, active)
    assert now == rows


@given(lessons(), exceptions())
def test_no_section_holds_two_lessons_and_holidays_hold_none(
    rows: list[Lesson], calendar: list[dict[str, Any]]
) -> None:
    term = term_exceptions(calendar, CALENDAR)
    held = [row for row in settled(rows, calendar) if row["held"]]
    cells = [(row["week"], row["day_of_week"], row["section_from"]) for row in held]
    assert len(set(cells)) == len(cells)
    for row in held:
        here = term.on(7 * (row["week"] - 1) + row["day_of_week"])
        assert here is None or here.kind == "makeup" or here.lessons_held, row


@given(lessons(), exceptions(), st.data())
def test_what_the_student_changed_outlives_the_calendar(
    rows: list[Lesson], calendar: list[dict[str, Any]], data: st.DataObject
) -> None:
    chosen = data.draw(st.sampled_from(rows))
    home = {**pattern_of(chosen), "interrupted": False}  # type: ignore[dict-item]
    moved = {**chosen, "day_of_week": 7, "pattern_place": home, "change": {"kind": "moved", "note": ""}}
    changed = [moved if row is chosen else row for row in rows]
    after = settled(changed, calendar)
    assert next(row for row in after if row["id"] == chosen["id"]) == moved
    back = [as_planned(row) if row["id"] == chosen["id"] else row for row in after]
    assert told(settled(back, calendar)) == told(settled(rows, calendar))
    assert settled(after, []) == changed

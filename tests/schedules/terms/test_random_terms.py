"""Random terms in the tables: exceptions come and go in any order, and the calendar file tells what the grid holds."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime
from typing import Any

import icalendar
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from schedules.calendars.ics_export import ics_of
from schedules.calendars.rows import CourseRow
from schedules.models import CalendarException, Schedule, ScheduleEvent, Semester
from schedules.planner.grid import Place
from schedules.selectors import lessons_load
from schedules.services import broken_invariants, class_create, courses_import, schedule_apply_batch
from schedules.services.placement.apply import ApplyClass, ApplyItem
from schedules.services.terms.exceptions import CalendarWish, calendar_change
from schedules.terms.exceptions import ExceptionValues
from taskclasses.kernel.errors import CodedError
from tests.kits.budgets import tried
from tests.kits.timetable.helpers import class_values

WEEKS = 4
MONDAY = date(2026, 3, 2)
NOW = datetime(2026, 3, 1, tzinfo=UTC)
MEETINGS = st.lists(
    st.tuples(st.integers(1, 7), st.sampled_from([1, 3, 5, 9]), st.sampled_from(["1-4", "1,3", "2,4", "2-3"])),
    min_size=1,
    max_size=6,
    unique_by=lambda row: row[:2],
)
EXCEPTIONS = st.lists(
    st.tuples(
        st.sampled_from(["holiday", "makeup", "exam_week"]),
        st.integers(0, 7 * WEEKS - 1),
        st.integers(0, 5),
        st.integers(0, 7 * WEEKS - 1),
        st.sampled_from(["replaced", "own"]),
        st.booleans(),
    ),
    min_size=1,
    max_size=5,
)
ITEMS = st.lists(st.tuples(st.integers(1, 7 * WEEKS), st.sampled_from([1, 3, 7])), max_size=4)


class RandomTerms(TestCase):
    @tried(25)
    @given(meetings=MEETINGS, exceptions=EXCEPTIONS, items=ITEMS, dice=st.randoms(use_true_random=False))
    def test_no_lesson_is_lost_or_doubled_and_the_file_equals_the_grid(
        self, meetings: list[Any], exceptions: list[Any], items: list[Any], dice: Any
    ) -> None:
        semester = Semester.objects.create(name="2026 春", first_monday=MONDAY, weeks=WEEKS, is_current=True)
        user = User.objects.create_user("li")
        rows = [
            CourseRow(
                row=number, course_name=f"课{number}", location=f"室{number}", is_allow_tasks=number % 2 == 0,
                weeks=weeks_of(weeks), day_of_week=weekday, section_from=first, section_to=first + 1,
            )
            for number, (weekday, first, weeks) in enumerate(meetings)
        ]  # fmt: skip
        courses_import(user=user, rows=rows, dry_run=False)
        apply_some(user, items)
        planned = lessons_of(user)
        check(self, user, semester, planned)
        for wanted in exceptions:
            add(user, values_of(*wanted))
            check(self, user, semester, planned)
        known = list(CalendarException.objects.filter(user=user).values_list("pk", flat=True))
        for one in dice.sample(known, len(known)):
            calendar_change(user=user, wish=CalendarWish(remove=[one]), now=NOW)
            check(self, user, semester, planned)
        assert lessons_of(user) == planned


def weeks_of(told: str) -> tuple[int, ...]:
    first, *rest = (int(part) for part in told.replace("-", ",").split(","))
    return tuple(range(first, rest[0] + 1)) if "-" in told else (first, *rest)


def values_of(kind: str, first: int, length: int, follows: int, parity: str, flag: bool) -> ExceptionValues:
    last = first if kind == "makeup" else min(7 * WEEKS - 1, first + length)
    days = [date.fromordinal(MONDAY.toordinal() + offset) for offset in (first, last, follows)]
    return ExceptionValues(
        kind=kind,
        name="例外",
        first_date=days[0],
        last_date=days[1],
        follows_date=days[2] if kind == "makeup" else None,
        parity=parity,
        study_allowed=flag,
        lessons_held=flag,
    )


def apply_some(user: User, places: list[tuple[int, int]]) -> None:
    """Items of a class on the timetable, as far as they may stand there."""
    last = date.fromordinal(MONDAY.toordinal() + 7 * WEEKS - 1)
    row = class_create(user=user, values=class_values(start_date=MONDAY, end_date=last, excluded_slots=[]))
    for item, (day, first) in zip(row.items.order_by("order"), sorted(set(places)), strict=False):
        week, weekday = (day - 1) // 7 + 1, (day - 1) % 7 + 1
        values = ApplyItem(item.pk, week, weekday, first, first + 1, None)
        try:
            schedule_apply_batch(user=user, batches=[ApplyClass(row.pk, [values])])
        except CodedError:
            continue


def add(user: User, values: ExceptionValues) -> None:
    """Writes an exception; one that is refused changes nothing."""
    before = lessons_of(user)
    try:
        calendar_change(user=user, wish=CalendarWish(add=[values]), now=NOW)
    except CodedError:
        assert lessons_of(user) == before


def lessons_of(user: User) -> list[dict[str, Any]]:
    columns = "id name location week day_of_week section_from section_to held change effect start_at end_at"
    rows = ScheduleEvent.objects.filter(user=user, type="course").order_by("pk").values(*columns.split())
    return list(rows)


def check(test: TestCase, user: User, semester: Semester, planned: list[dict[str, Any]]) -> None:
    now = lessons_of(user)
    own = [row for row in now if not row["effect"].get("extra")]
    assert [row["id"] for row in own] == [row["id"] for row in planned]
    cells = Counter(
        (row["week"], row["day_of_week"], section)
        for row in now
        if row["held"]
        for section in range(row["section_from"], row["section_to"] + 1)
    )
    assert max(cells.values(), default=1) == 1
    assert broken_invariants(user_id=user.pk) == []
    assert told_by_file(user, semester) == told_by_grid(user, semester)


def told_by_grid(user: User, semester: Semester) -> set[tuple[str, datetime, datetime]]:
    """What the cells hold: every event with its first and last section."""
    found: dict[int, list[Schedule]] = {}
    for cell in Schedule.objects.filter(user=user, semester=semester).select_related("event").order_by("section"):
        found.setdefault(cell.event_id, []).append(cell)
    told = set()
    for cells in found.values():
        day = 7 * (cells[0].week - 1) + cells[0].day_of_week
        begin, end = semester.calendar.interval(Place(day, cells[0].section, len(cells)))
        told.add((cells[0].event.name, begin.astimezone(UTC), end.astimezone(UTC)))
    return told


def told_by_file(user: User, semester: Semester) -> set[tuple[str, datetime, datetime]]:
    lessons = lessons_load(user_id=user.pk, semester=semester, weeks=(1, WEEKS), types={"course", "task"})
    content = ics_of(lessons, semester.calendar, name=semester.name, now=NOW, locale="zh", exams=[])
    written = icalendar.Calendar.from_ical(content).walk("VEVENT")
    events = [event for event in written if event.get("STATUS") != "CANCELLED"]
    told = {(str(e["SUMMARY"]), e["DTSTART"].dt.astimezone(UTC), e["DTEND"].dt.astimezone(UTC)) for e in events}
    assert len(told) == len(events)
    return told

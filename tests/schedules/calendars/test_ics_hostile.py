"""Calendars that nobody wrote for a term: a coded remark on the row, or a refusal of the file, in bounded work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from dateutil import rrule
from hypothesis import given
from hypothesis import strategies as st

from schedules.calendars.files import rows_of_file
from schedules.calendars.readers.ics.lines import events_of
from schedules.calendars.rows import FILE_MAX, CourseRow, NotCourses, Outcome, RowError, RowNote, TooMany
from tests.kits.timetable.terms import FILES, calendar, ics, vevent

pytestmark = pytest.mark.storeless

WHEN = ("DTSTART:20260302T080000", "DTEND:20260302T094000")
LESSON = ("SUMMARY:x", *WHEN)
TERM = (FILES / "term.ics").read_bytes()


def read(data: bytes) -> list[Outcome]:
    return rows_of_file("ics", data, calendar())


@contextmanager
def counted_steps(limit: int) -> Iterator[list[int]]:
    """Counts the periods (days, weeks, months) that rules walk through, whatever they yield, and stops at a limit."""
    walked = [0]

    def counting(plain: Any) -> Any:
        def dayset(self: Any, *day: int) -> Any:
            walked[0] += 1
            if walked[0] > limit:
                raise RuntimeError("too far")
            return plain(self, *day)

        return dayset

    with pytest.MonkeyPatch.context() as patch:
        for name in ("ddayset", "wdayset", "mdayset", "ydayset"):
            patch.setattr(rrule._iterinfo, name, counting(getattr(rrule._iterinfo, name)))
        yield walked


ENDLESS = [
    "FREQ=SECONDLY",
    "FREQ=MINUTELY",
    "FREQ=HOURLY;INTERVAL=24",
    "FREQ=DAILY;INTERVAL=0",
    "FREQ=DAILY;INTERVAL=-1",
    "FREQ=DAILY;INTERVAL=7;BYDAY=TU",
    "FREQ=DAILY;INTERVAL=99999999999999999999",
    "FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12;BYMINUTE=0,30",
    "FREQ=DAILY;COUNT=0",
    "FREQ=DAILY;COUNT=3,4",
    "FREQ=WEEKLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=MONTHLY;BYMONTHDAY=0",
    "FREQ=MONTHLY;BYMONTHDAY=32",
    "FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31",
    "FREQ=MONTHLY;BYDAY=6MO",
    "FREQ=MONTHLY;BYDAY=5MO;INTERVAL=12",
    "FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=31",
    "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=9",
    "FREQ=MONTHLY;BYSETPOS=2",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO",
    "FREQ=NEVER",
    "COUNT=3",
    "",
    "FREQ=WEEKLY;UNTIL=tomorrow",
    "FREQ=WEEKLY;RSCALE=CHINESE",
    "FREQ=WEEKLY;BYDAY=" + ",".join(["MO"] * 200),
]


@pytest.mark.parametrize("rule", ENDLESS)
def test_rules_that_may_find_nothing_are_not_followed(rule: str) -> None:
    with counted_steps(limit=0) as steps:
        bad, good = read(ics(vevent(*LESSON, f"RRULE:{rule}"), vevent(*LESSON)))
    assert isinstance(bad, RowError)
    assert (bad.row, bad.code, isinstance(good, CourseRow)) == (1, "unsupported_recurrence", True)
    assert steps == [0]


@pytest.mark.parametrize("start", ["00010101", "10000228", "15000101"])
def test_rules_that_begin_too_long_ago_are_not_followed(start: str) -> None:
    lesson = ("SUMMARY:x", f"DTSTART:{start}T080000", f"DTEND:{start}T094000", "RRULE:FREQ=DAILY")
    with counted_steps(limit=0) as steps:
        (bad,) = read(ics(vevent(*lesson)))
    assert isinstance(bad, RowError)
    assert (bad.code, steps) == ("unsupported_recurrence", [0])


def test_rules_of_one_file_share_a_limit() -> None:
    lesson = ("SUMMARY:x", "DTSTART:20160302T080000", "DTEND:20160302T094000", "RRULE:FREQ=WEEKLY;COUNT=9999")
    with counted_steps(limit=50_000) as steps:
        outcomes = read(ics(*[vevent(f"UID:{n}", *lesson) for n in range(100)]))
    codes = [outcome.code for outcome in outcomes if isinstance(outcome, RowError)]
    assert 50 < len(codes) < 100
    assert set(codes) == {"unsupported_recurrence"}
    assert steps[0] > 5_000


@pytest.mark.parametrize("frequency", ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"])
@given(
    interval=st.integers(1, 60),
    byday=st.lists(st.sampled_from(["MO", "TU", "SU", "1MO", "-1FR", "5WE", "-5TH"]), max_size=3, unique=True),
    monthday=st.lists(st.integers(-31, 31), max_size=2),
    position=st.sampled_from([None, 1, -1, 5]),
)
def test_rules_that_are_followed_come_to_an_end_soon(
    frequency: str, interval: int, byday: list[str], monthday: list[int], position: int | None
) -> None:
    parts = [f"FREQ={frequency}", f"INTERVAL={interval}"]
    parts += [f"BYDAY={','.join(byday)}"] if byday else []
    parts += [f"BYMONTHDAY={','.join(map(str, monthday))}"] if monthday else []
    parts += [f"BYSETPOS={position}"] if position else []
    with counted_steps(limit=1_000) as steps:
        (outcome, *_) = read(ics(vevent(*LESSON, f"RRULE:{';'.join(parts)}")))
    assert isinstance(outcome, CourseRow | RowError)
    assert steps[0] <= 1_000


FAULTS = [
    (("SUMMARY:x",), "missing_field", "DTSTART"),
    (WHEN, "missing_field", "SUMMARY"),
    (("SUMMARY: ", *WHEN), "missing_field", "SUMMARY"),
    (("SUMMARY:" + "长" * 256, *WHEN), "missing_field", "SUMMARY"),
    (("SUMMARY:" + "x" * 1_000_000, *WHEN), "missing_field", "SUMMARY"),
    ((*LESSON, "LOCATION:" + "x" * 256), "missing_field", "LOCATION"),
    (("SUMMARY:x\x00", *WHEN), "missing_field", "SUMMARY"),
    (("SUMMARY:x", "DTSTART:tomorrow"), "bad_number", "DTSTART"),
    (("SUMMARY:x", "DTSTART:20260231T080000"), "bad_number", "DTSTART"),
    (("SUMMARY:x", "DTSTART;VALUE=PERIOD:20260302T080000/PT1H"), "bad_number", "DTSTART"),
    (("SUMMARY:x", WHEN[0], "DTEND:20260302T075959"), "bad_range", "DTEND"),
    (("SUMMARY:x", WHEN[0], "DTEND;VALUE=DATE:20260303"), "bad_range", "DTEND"),
    (("SUMMARY:x", WHEN[0], "DURATION:-PT1H"), "bad_range", "DTEND"),
    (("SUMMARY:x", WHEN[0], "DURATION:P99999999999D"), "bad_number", "DURATION"),
    (("SUMMARY:x", WHEN[0], "DTEND:20260304T080000"), "no_section_for_time", "DTEND"),
    (("SUMMARY:x", WHEN[0], "DTEND:99991231T235959"), "no_section_for_time", "DTEND"),
    (("SUMMARY:x", "DTSTART:20260302T120000", "DURATION:PT1H"), "no_section_for_time", "DTSTART, DTEND"),
    ((*LESSON, "EXRULE:FREQ=WEEKLY"), "unsupported_recurrence", "EXRULE"),
    ((*LESSON, "EXDATE:never"), "unsupported_recurrence", "EXDATE"),
    ((*LESSON, *["RRULE:FREQ=WEEKLY"] * 11), "unsupported_recurrence", "RRULE"),
    ((*LESSON, "EXDATE:" + ",".join(["20260302T080000"] * 10_001)), "unsupported_recurrence", "EXDATE"),
    ((*LESSON, *["EXDATE:20260302T080000"] * 10_001), "unsupported_recurrence", "EXDATE"),
    ((*LESSON, "RECURRENCE-ID:never"), "bad_number", "RECURRENCE-ID"),
    ((*LESSON, "SEQUENCE:many"), "bad_number", "SEQUENCE"),
]


@pytest.mark.parametrize(("lines", "code", "column"), FAULTS, ids=range(len(FAULTS)))
def test_a_broken_event_is_told_and_hides_no_other(lines: tuple[str, ...], code: str, column: str) -> None:
    bad, good = read(ics(vevent(*lines), vevent(*LESSON)))
    assert isinstance(bad, RowError)
    assert (bad.row, bad.code, bad.column) == (1, code, column)
    assert isinstance(good, CourseRow)


@pytest.mark.parametrize(
    "when",
    [
        ("DTSTART:99991231T225900", "DTEND:99991231T235959"),
        ("DTSTART:99991231T235900", "DTEND:99991231T235959", "RRULE:FREQ=DAILY"),
        ("DTSTART:00010101T000000", "DTEND:00010101T094000"),
        ("DTSTART;TZID=America/New_York:99991231T235900", "DTEND;TZID=America/New_York:99991231T235959"),
        ("DTSTART:00010101T000000Z", "DTEND:00010101T094000Z"),
    ],
)
def test_the_ends_of_time_are_outside_the_semester(when: tuple[str, ...]) -> None:
    (note,) = read(ics(vevent("SUMMARY:x", *when)))
    assert isinstance(note, RowNote)
    assert note.code == "semester_mismatch"


def test_too_many_events_rows_and_lessons_are_refused() -> None:
    with pytest.raises(TooMany) as refused:
        read(ics(*[vevent(*LESSON)] * 2001))
    assert (refused.value.what, refused.value.limit) == ("rows", 2000)
    daily = [vevent(f"UID:{n}", *LESSON, "RRULE:FREQ=DAILY") for n in range(72)]
    with pytest.raises(TooMany) as refused:
        read(ics(*daily))
    assert (refused.value.what, refused.value.limit) == ("occurrences", 10_000)
    with pytest.raises(TooMany) as refused:
        read(b" " * (FILE_MAX + 1))
    assert refused.value.what == "file"


HUGE = [
    b"\n" * 4_000_000,
    b"X\n" + b" \n" * 2_000_000,
    b"BEGIN:A\n" * 200_000 + b"END:A\n" * 200_000,
    b"X-A:1\r\n" * 500_000,
    vevent(*LESSON, *["X-A:1"] * 500_000).encode(),
    vevent(*LESSON, *["SUMMARY:y"] * 300_000).encode(),
    vevent(*LESSON, "DESCRIPTION:" + '\\,;"' * 1_000_000).encode(),
    vevent("SUMMARY:x", "DTSTART;" + "A=B;" * 1_000_000 + ":20260302T080000", WHEN[1]).encode(),
]


@pytest.mark.parametrize("middle", HUGE, ids=range(len(HUGE)))
def test_megabytes_of_nothing_reach_no_library(middle: bytes) -> None:
    kept = events_of((b"BEGIN:VCALENDAR\n" + middle + b"END:VCALENDAR\n").decode(), "Asia/Shanghai")
    assert sum(len(line) for event in kept for line in event.lines) < 10_000


@given(st.lists(st.tuples(st.integers(0, len(TERM) - 1), st.binary(max_size=6), st.integers(0, 40)), max_size=6))
def test_a_file_with_any_damage_is_rows_or_a_refusal(damage: list[tuple[int, bytes, int]]) -> None:
    data = TERM
    for at, put, cut in damage:
        data = data[:at] + put + data[at + cut :]
    try:
        outcomes = read(data)
    except (NotCourses, TooMany):
        return
    assert all(isinstance(outcome, CourseRow | RowError | RowNote) for outcome in outcomes)


DATES = st.sampled_from(["20260302T080000", "20260309T080000Z", "20260316", "99991231T235959Z", "00010101T000000", "x"])
PROPERTIES = st.builds(
    lambda name, zone, value: f"{name}{zone}:{value}",
    st.sampled_from(["DTSTART", "DTEND", "RECURRENCE-ID", "RDATE", "EXDATE", "UID", "STATUS", "SEQUENCE", "DURATION"]),
    st.sampled_from(["", ";TZID=Asia/Tokyo", ";TZID=x", ";VALUE=DATE", ";VALUE=PERIOD", ";RANGE=THISANDFUTURE"]),
    DATES | st.sampled_from(["PT45M", "20260302T080000/PT45M", "CANCELLED", "1", ""]),
)
RULES = st.sampled_from(["RRULE:FREQ=WEEKLY", "RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=MONTHLY;UNTIL=20260501", "RRULE"])


@given(st.lists(st.lists(PROPERTIES | RULES, max_size=8), max_size=4))
def test_any_events_are_rows_notes_or_errors(events: list[list[str]]) -> None:
    data = ics(*[vevent("UID:1", "SUMMARY:x", *lines) for lines in events])
    assert all(1 <= outcome.row <= len(events) for outcome in read(data))

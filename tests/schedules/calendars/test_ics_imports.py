"""Calendars of school systems and calendar programs: which lessons they hold, and what of them is told as no lesson."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from schedules.calendars.clock import sections_at
from schedules.calendars.files import rows_of_file
from schedules.calendars.readers.ics.lines import find_zone
from schedules.calendars.rows import CourseRow, NotCourses, Outcome, RowError, RowNote
from schedules.models import ScheduleEvent
from tests.kits.timetable.terms import FILES, calendar, ics, vevent

WEEKS = list(range(1, 21))
MONDAY = ("SUMMARY:x", "DTSTART:20260302T080000", "DTEND:20260302T094000")


def read(*events: str, zone: str = "Asia/Shanghai") -> list[Outcome]:
    return rows_of_file("ics", ics(*events), calendar(zone))


def meetings(outcomes: list[Outcome]) -> list[tuple[int, list[int], int, int, int]]:
    """(row, weeks, weekday, first section, last section) of every row that is understood."""
    return [
        (row.row, list(row.weeks), row.day_of_week, row.section_from, row.section_to)
        for row in outcomes
        if isinstance(row, CourseRow)
    ]


def weeks(*lines: str) -> list[int]:
    (row,) = read(vevent(*MONDAY, *lines))
    assert isinstance(row, CourseRow)
    return list(row.weeks)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_term_is_expanded_with_its_exceptions(encoding: str, line_end: str) -> None:
    text = (FILES / "term.ics").read_text(encoding="utf-8").replace("\n", line_end)
    outcomes = rows_of_file("ics", text.encode(encoding), calendar())
    usual = [week for week in range(1, 17) if week != 6]
    assert meetings(outcomes) == [
        (1, [week for week in usual if week != 10], 1, 1, 2),
        (1, usual, 3, 1, 2),
        (2, [6], 4, 5, 6),
        (3, [10], 1, 1, 2),
        (4, list(range(2, 17, 2)), 2, 5, 8),
        (4, [18], 7, 1, 4),
        (5, WEEKS, 5, 3, 4),
    ]
    names = {row.row: (row.course_name, row.location) for row in outcomes if isinstance(row, CourseRow)}
    assert names[1] == ("高等数学（一）", "教学楼A 201")
    assert names[2] == ("高等数学（一）", "教学楼A 301")
    assert names[4] == ("大学物理实验, 单周", "")
    assert names[5] == ("大学英语", "")
    assert [row.row for row in outcomes if isinstance(row, CourseRow) and row.interrupted] == [3]
    remarks = [row for row in outcomes if not isinstance(row, CourseRow)]
    assert [(row.row, type(row), row.code) for row in remarks] == [
        (6, RowNote, "all_day"),
        (7, RowError, "no_section_for_time"),
        (8, RowNote, "semester_mismatch"),
    ]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("FREQ=WEEKLY", WEEKS),
        ("FREQ=WEEKLY;INTERVAL=2", list(range(1, 21, 2))),
        ("FREQ=WEEKLY;COUNT=5", [1, 2, 3, 4, 5]),
        ("FREQ=WEEKLY;INTERVAL=2;COUNT=3", [1, 3, 5]),
        ("FREQ=WEEKLY;COUNT=9999", WEEKS),
        ("FREQ=WEEKLY;UNTIL=20260316", [1, 2, 3]),
        ("FREQ=WEEKLY;UNTIL=20260316T080000", [1, 2, 3]),
        ("FREQ=WEEKLY;UNTIL=20260316T000000Z", [1, 2, 3]),
        ("FREQ=WEEKLY;UNTIL=20260315T235959Z", [1, 2]),
        ("FREQ=WEEKLY;UNTIL=99991231", WEEKS),
        ("FREQ=WEEKLY;UNTIL=99991231T235959Z", WEEKS),
        ("FREQ=DAILY;INTERVAL=7", WEEKS),
        ("FREQ=DAILY;BYDAY=MO", WEEKS),
        ("FREQ=MONTHLY;BYDAY=1MO", [1, 6, 10, 14, 19]),
        ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1", [1, 6, 10, 14, 19]),
        ("FREQ=YEARLY", [1]),
    ],
)
def test_rules_end_with_the_semester(rule: str, expected: list[int]) -> None:
    assert weeks(f"RRULE:{rule}") == expected


def test_every_second_week_counts_from_the_week_of_the_first_lesson() -> None:
    earlier = ("SUMMARY:x", "DTSTART:20260223T080000", "DTEND:20260223T094000", "RRULE:FREQ=WEEKLY;INTERVAL=2")
    assert meetings(read(vevent(*earlier))) == [(1, list(range(2, 21, 2)), 1, 1, 2)]


def test_single_dates_are_added_and_taken_away() -> None:
    assert weeks("RDATE:20260309T080000,20260330T080000") == [1, 2, 5]
    assert weeks("RRULE:FREQ=WEEKLY;COUNT=4", "EXDATE:20260309T080000", "EXDATE:20260316T000000Z") == [1, 4]


@pytest.mark.parametrize(
    ("zone", "begin", "expected"),
    [
        ("", "20260302T080000", (1, 2)),
        ("", "20260302T000000Z", (1, 2)),
        (";TZID=Asia/Tokyo", "20260302T090000", (1, 2)),
        (";TZID=Tokyo Standard Time", "20260302T090000", (1, 2)),
        (";TZID=/freeassociation.sourceforge.net/Asia/Tokyo", "20260302T090000", (1, 2)),
        (";TZID=Somewhere/Else", "20260302T080000", (1, 2)),
        (';TZID="Beijing, Chongqing"', "20260302T080000", (1, 2)),
        (";TZID=tzone://Microsoft/Custom", "20260302T080000", (1, 2)),
        (";TZID=(UTC+09:00) Osaka", "20260302T080000", (1, 2)),
    ],
)
def test_times_are_those_of_their_zone_and_local_without_one(zone: str, begin: str, expected: Any) -> None:
    (row,) = read(vevent("SUMMARY:x", f"DTSTART{zone}:{begin}", "DURATION:PT1H40M"))
    assert isinstance(row, CourseRow)
    assert (row.day_of_week, row.section_from, row.section_to) == (1, *expected)


@pytest.mark.parametrize("line_end", [b"\r\n ", b"\n\t"])
def test_a_line_may_be_folded_inside_a_character(line_end: bytes) -> None:
    data, name = ics(vevent("SUMMARY:高等数学", *MONDAY[1:])), "高等数学".encode()
    for at in range(len(name)):
        (row,) = rows_of_file("ics", data.replace(name, name[:at] + line_end + name[at:]), calendar())
        assert isinstance(row, CourseRow)
        assert row.course_name == "高等数学"


def test_a_zone_that_a_file_defines_changes_no_other_import() -> None:
    zone = "BEGIN:VTIMEZONE\r\nTZID:Campus\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0100\r\n"
    zone += "TZOFFSETTO:+0100\r\nRRULE:FREQ=SECONDLY\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
    lesson = vevent("SUMMARY:x", "DTSTART;TZID=Campus:20260302T080000", "DURATION:PT1H40M")
    assert meetings(read(zone, lesson)) == meetings(read(lesson)) == [(1, [1], 1, 1, 2)]


def test_wall_times_are_kept_where_clocks_change() -> None:
    rule = ("SUMMARY:x", "DTSTART;TZID=Europe/Berlin:20260316T080000", "DURATION:PT45M", "RRULE:FREQ=WEEKLY;COUNT=4")
    assert meetings(read(vevent(*rule), zone="Europe/Berlin")) == [(1, [3, 4, 5, 6], 1, 1, 1)]


def test_events_that_share_a_uid_are_lessons_of_their_own() -> None:
    same = [vevent("UID:1", f"SUMMARY:{n}", f"DTSTART:2026030{n}T080000", "DURATION:PT45M") for n in (2, 3, 4)]
    assert [row[2] for row in meetings(read(*same))] == [1, 2, 3]


def test_what_smartmate_adds_to_its_own_files_is_read_back() -> None:
    (host,) = read(vevent(*MONDAY, "X-SMARTMATE-EMBEDDABLE:TRUE"))
    (task,) = read(vevent(*MONDAY, "X-SMARTMATE-TYPE:TASK", "STATUS:CONFIRMED"))
    assert isinstance(host, CourseRow)
    assert isinstance(task, CourseRow)
    assert (host.is_allow_tasks, host.task, task.is_allow_tasks, task.task, task.interrupted) == (
        True, False, False, True, False,
    )  # fmt: skip


@pytest.mark.parametrize("text", [b"", b"hello", b"\xff\xff", ics()[:-10], b"BEGIN:VCALENDAR\nEND:VEVENT\n",
                                  b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nBEGIN:VEVENT\nEND:VEVENT\nEND:VEVENT\nEND:VCALENDAR",
                                  "BEGIN:VCALENDAR\nEND:VCALENDAR".encode("utf-16-be")], ids=range(7))  # fmt: skip
def test_a_file_that_is_no_calendar_is_refused_whole(text: bytes) -> None:
    with pytest.raises(NotCourses):
        rows_of_file("ics", text, calendar())


def test_a_calendar_without_events_has_no_rows() -> None:
    assert read() == []


@pytest.mark.parametrize(
    ("begin", "end", "expected"),
    [
        ("08:00", "09:40", (1, 2)),
        ("07:50", "09:45", (1, 2)),
        ("08:00", "09:09", (1, 1)),
        ("08:00", "09:10", (1, 2)),
        ("08:31", "09:40", (2, 2)),
        ("11:10", "14:45", (4, 5)),
        ("12:00", "13:30", None),
        ("21:45", "24:30", (12, 12)),
        ("21:45", "32:14", (12, 12)),
        ("21:45", "32:15", None),
    ],
)
def test_a_section_counts_from_fifteen_minutes_on(begin: str, end: str, expected: Any) -> None:
    minutes = [int(clock[:2]) * 60 + int(clock[3:]) for clock in (begin, end)]
    assert sections_at(calendar().section_times, *minutes) == expected


@given(st.integers(0, 24 * 60 - 1), st.integers(1, 24 * 60))
def test_what_is_covered_is_one_run_of_sections(begin: int, length: int) -> None:
    times = calendar(times="08:00-08:10 08:10-08:20 08:20-09:05 10:00-10:45 12:00-12:05").section_times
    found = sections_at(times, begin, begin + length)
    for number, section in enumerate(times, 1):
        first, last = (clock.hour * 60 + clock.minute for clock in section)
        overlap = min(last, begin + length) - max(first, begin)
        inside = found is not None and found[0] <= number <= found[1]
        assert found is None or inside == (overlap >= min(15, last - first))


def test_zones_are_looked_up_and_never_opened() -> None:
    assert find_zone("W. Europe Standard Time", "UTC") == "Europe/Berlin"
    assert find_zone("../../etc/passwd", "UTC") == "UTC"
    assert find_zone("localtime", "UTC") == "UTC"
    assert find_zone("/" * 100_000 + "x", "UTC") == "UTC"


def test_the_command_reads_each_format_by_its_name(user: Any, semester: Any, tmp_path: Path, capsys: Any) -> None:
    term = tmp_path / "term.ICS"
    term.write_bytes((FILES / "term.ics").read_bytes())
    with pytest.raises(CommandError, match="nothing was written"):
        call_command("import_courses", str(term), user="li")
    call_command("import_courses", str(term), "--skip-invalid", user="li")
    assert "semester_mismatch DTSTART: outside this semester, skipped" in capsys.readouterr().out
    assert ScheduleEvent.objects.count() == 60
    backup = tmp_path / "term.wakeup_schedule"
    backup.write_bytes((FILES / "term.wakeup_schedule").read_bytes())
    call_command("import_courses", str(backup), "--dry-run", user="li")
    told = capsys.readouterr().out
    assert "no longer in the file: 大学英语, weekday 5" in told
    term.write_bytes(b"nonsense")
    with pytest.raises(CommandError, match="not a valid calendar file"):
        call_command("import_courses", str(term), user="li")
    term.write_bytes(ics(*[vevent(*MONDAY)] * 2001))
    with pytest.raises(CommandError, match="limit of 2000: rows"):
        call_command("import_courses", str(term), user="li")


@pytest.mark.parametrize("end", ["DTEND:20260320T155900Z", "DURATION:PT0S", "CATEGORIES:MATH101"])
def test_what_is_due_at_a_moment_is_noted_and_stops_nothing(end: str) -> None:
    due = ("UID:event-assignment-1", "SUMMARY:第三次作业 截止", "DTSTART:20260320T155900Z", end)
    note, lesson = read(vevent(*due), vevent(*MONDAY))
    assert isinstance(note, RowNote)
    assert (note.code, note.course_name) == ("moment", "第三次作业 截止")
    assert note.sentence("en") == "DTEND: a moment, such as when work is due, is no lesson and was skipped"
    assert isinstance(lesson, CourseRow)

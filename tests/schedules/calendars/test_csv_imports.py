"""Courses from a table as school systems export it: what each cell means, and which file is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from schedules.calendars.readers.csv_courses import rows_of_csv
from schedules.calendars.readers.number_lists import weeks_of
from schedules.calendars.rows import BadRow, CourseRow, NotCourses, Outcome, RowError
from schedules.models import ScheduleEvent
from tests.kits.servers.warm import ROOT
from tests.kits.timetable.helpers import Api
from tests.kits.timetable.terms import calendar

HEAD = "课程名称,星期,节次,周数,地点,教师,可嵌入"
SAMPLE = (ROOT / "docs/examples/courses.csv").read_bytes()
ODD, EVEN = list(range(1, 17, 2)), list(range(2, 17, 2))


@pytest.mark.parametrize(
    ("words", "weeks"),
    [
        ("1-16", list(range(1, 17))),
        ("1-16单周", ODD),
        ("1-16双周", EVEN),
        ("1-16周(单)", ODD),
        ("1～16 （双）", EVEN),
        ("第1-16周 odd", ODD),
        ("1-16,单", ODD),
        ("1-8,10，12-16", [*range(1, 9), 10, *range(12, 17)]),
        ("1、3;5", [1, 3, 5]),
        ("3-3", [3]),
        ("2-4周,3-5周", [2, 3, 4, 5]),
        ("1-4单,5-8双", [1, 3, 6, 8]),
        ("1-4周,5-8周(双)", [1, 2, 3, 4, 6, 8]),
        ("1-4,5-8周(双)", [2, 4, 6, 8]),
    ],
)
def test_it_reads_weeks_as_they_are_written(words: str, weeks: list[int]) -> None:
    assert weeks_of(words) == weeks


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("", "missing_field"),
        (" ,", "missing_field"),
        ("16-1", "bad_range"),
        ("2单", "bad_weeks"),
        ("单", "bad_weeks"),
        ("1-16,单,双", "bad_weeks"),
        ("1-", "bad_weeks"),
        ("1.5", "bad_weeks"),
        ("every week", "bad_weeks"),
        ("1-9999", "bad_weeks"),
        ("1," * 101, "bad_weeks"),
    ],
)
def test_weeks_that_are_none_are_refused(words: str, code: str) -> None:
    with pytest.raises(BadRow) as refused:
        weeks_of(words)
    assert refused.value.code == code


@given(st.text(alphabet="0123456789-~,;、单双周()第 odevn", max_size=30))
def test_any_weeks_are_a_list_or_a_named_refusal(words: str) -> None:
    try:
        found = weeks_of(words)
    except BadRow as refused:
        found = [refused.column]
    assert found == ["weeks"] or found == sorted(set(found)) != []


def rows(text: str | bytes) -> list[Outcome]:
    return list(rows_of_csv(text if isinstance(text, bytes) else text.encode(), calendar()))


@pytest.mark.parametrize(
    "data",
    [
        SAMPLE,
        b"\xef\xbb\xbf" + SAMPLE,
        SAMPLE.decode().encode("gb18030"),
        SAMPLE.replace(b"\n", b"\r\n"),
        SAMPLE.replace(b"\n", b"\n,,,,,,\n\n"),
    ],
)
def test_a_table_is_read_in_any_encoding_and_line_end(data: bytes) -> None:
    first, second, third = rows(data)
    assert first == CourseRow(1, "思想政治", "教学楼B 301", True, tuple(ODD), 6, 5, 6, "张三")
    assert second == CourseRow(2, "数据库原理", "实验楼 402", False, tuple(range(1, 17)), 7, 9, 10, "李四,王五")
    assert third == CourseRow(3, "数据库原理", "实验楼 402", False, (4, 8, 12), 7, 11, 12, "李四,王五")


def test_columns_are_known_by_name_in_any_order_and_language() -> None:
    (row,) = rows("weeks;note;End_Section;start_section;day;course_name\n1-2;x;２;1;Friday;DB\n")
    assert row == CourseRow(1, "DB", "", False, (1, 2), 5, 1, 2)
    (row,) = rows("课程\t星期\t节次\t周次\n😀水课\t星期天\t第3-4节\t1周")
    assert row == CourseRow(1, "😀水课", "", False, (1,), 7, 3, 4)


@pytest.mark.parametrize(
    ("words", "weeks"),
    [("2周5周8周", (2, 5, 8)), ("1-3周10-12周", (1, 2, 3, 10, 11, 12)), ("1-4单周9-12双周", (1, 3, 10, 12))],
)
def test_weeks_that_say_so_may_stand_side_by_side(words: str, weeks: tuple[int, ...]) -> None:
    (row,) = rows(f"{HEAD}\nx,一,1-2,{words},,,\n")
    assert isinstance(row, CourseRow)
    assert row.weeks == weeks


@pytest.mark.parametrize(
    ("words", "expected"),
    [("1月16日", (1, 16)), ("9月16日", (9, 16)), ("8-Jan", (1, 8)), ("1-Aug", (1, 8)), ("Jan-16", (1, 16))],
)
def test_a_range_that_a_spreadsheet_took_for_a_day_is_one(words: str, expected: tuple[int, int]) -> None:
    (row,) = rows(f"{HEAD}\nx,一,1月2日,{words},,,\n")
    assert isinstance(row, CourseRow)
    assert (row.section_from, row.section_to, row.weeks) == (1, 2, tuple(range(expected[0], expected[1] + 1)))


@pytest.mark.parametrize(
    ("line", "code", "column"),
    [
        (",一,1-2,1-16,,,", "missing_field", "course_name"),
        ("x,,1-2,1-16,,,", "missing_field", "day_of_week"),
        ("x,八,1-2,1-16,,,", "bad_weekday", "day_of_week"),
        ("x,0,1-2,1-16,,,", "bad_weekday", "day_of_week"),
        ("x,一,,1-16,,,", "missing_field", "sections"),
        ("x,一,2026/1/2,1-16,,,", "bad_number", "sections"),
        ("x,一,4-3,1-16,,,", "bad_range", "end_section"),
        ("x,一,12-13,1-16,,,", "section_outside_day", "start_section, end_section"),
        ("x,一,1-2,1-21,,,", "week_outside_semester", "weeks"),
        ("x,一,1-2,0,,,", "week_outside_semester", "weeks"),
        ("x,一,1-2,1-16,,,maybe", "missing_field", "is_allow_tasks"),
        ("x", "missing_field", "sections"),
        (f"{'x' * 256},一,1-2,1-16,,,", "missing_field", "course_name"),
    ],
)
def test_a_bad_row_names_its_column_and_hides_no_other(line: str, code: str, column: str) -> None:
    bad, good = rows(f"{HEAD}\n{line}\ny,一,1-2,1-16,,,\n")
    assert isinstance(bad, RowError)
    assert (bad.row, bad.code, bad.column) == (1, code, column)
    assert isinstance(good, CourseRow)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        (b"", ("course_name", "day_of_week", "start_section", "end_section", "weeks")),
        ("课程,星期,节次\nx,一,1-2".encode(), ("weeks",)),
        ("课程,课程,星期,节次,周次\n".encode(), ("course_name",)),
        (b"\xff\xff\xff", ()),
        (f'{HEAD}\n"x,一,1-2,1-16'.encode(), ()),
        (f"{HEAD}\n{'x' * 200_000}".encode(), ()),
    ],
)
def test_a_file_that_is_no_table_of_courses_is_refused_whole(text: bytes, missing: tuple[str, ...]) -> None:
    with pytest.raises(NotCourses) as refused:
        rows(text)
    assert refused.value.columns == missing


def test_an_empty_table_is_told_from_one_without_columns() -> None:
    for data, message in ((b"", "文件是空的"), (b"\xef\xbb\xbf\n ;;\n", "文件是空的"), (b"a,b\n1,2", "没有这一列")):
        with pytest.raises(NotCourses) as refused:
            rows(data)
        assert (refused.value.message, len(refused.value.columns)) == (message, 5)


def upload(api: Api, content: bytes, *, query: str = "", key: str = "") -> dict[str, Any]:
    file = SimpleUploadedFile("courses.csv", content)
    headers = {"Idempotency-Key": key} if key else {}
    url = f"/api/v1/schedule/imports{query}"
    response = api.client.post(url, {"format": "csv", "file": file}, headers=headers)
    return dict(json.loads(response.content))


def test_an_uploaded_table_is_imported_once(api: Api, user: Any, semester: Any) -> None:
    assert upload(api, SAMPLE)["data"]["events"] == 27
    assert upload(api, SAMPLE, query="?dry_run=false", key="one")["data"]["events"] == 27
    again = upload(api, SAMPLE, query="?dry_run=false", key="two")["data"]
    assert (again["events"], again["duplicates"]) == (0, 27)
    assert ScheduleEvent.objects.filter(user=user).count() == 27


def test_a_lesson_of_two_teachers_is_one_lesson(api: Api, semester: Any) -> None:
    table = f"{HEAD}\n物理,一,1-2,1-4,A1,张三,\n物理,一,1-2,1-4,A1,李四,\n化学,一,2-3,4,A1,,\n".encode()
    data = upload(api, table)["data"]
    assert [row["status"] for row in data["rows"]] == ["ok", "duplicate", "conflict"]
    assert (data["events"], data["duplicates"]) == (4, 4)


def test_an_upload_that_is_no_table_names_what_is_wrong(api: Api, semester: Any) -> None:
    refused = upload(api, "课程,星期,节次\n".encode())
    assert refused["status"] == "40005"
    assert [row["field"] for row in refused["data"]["errors"]] == ["file.weeks"]
    assert upload(api, b"\xff\xff\xff")["data"]["errors"][0]["field"] == "file"
    many = f"{HEAD}\n" + "x,一,1-2,1,,,\n" * 2001
    assert upload(api, many.encode())["status"] == "40006"


def test_the_schema_tells_of_the_upload(api: Api) -> None:
    found = json.loads(api.client.get("/api/schema", headers={"Accept": "application/json"}).content)
    body = found["paths"]["/api/v1/schedule/imports"]["post"]["requestBody"]["content"]
    assert body["multipart/form-data"]["schema"]["properties"]["format"]["enum"] == [
        "json",
        "csv",
        "xlsx",
        "ics",
        "wakeup",
        "zhengfang",
        "html",
        "paste",
        "image",
    ]
    assert "application/json" in body


def test_the_command_names_mends_that_nobody_offered(user: Any, semester: Any, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "courses.csv"
    path.write_bytes(SAMPLE)
    call_command("import_courses", str(path), "--dry-run", "--mend=weeks:77", user="li")
    assert "--mend weeks:77: nothing of that name is offered" in capsys.readouterr().err


def test_the_command_imports_a_table(user: Any, semester: Any, tmp_path: Path) -> None:
    path = tmp_path / "courses.CSV"
    path.write_bytes(SAMPLE)
    call_command("import_courses", str(path), user="li", verbosity=0)
    assert ScheduleEvent.objects.count() == 27
    path.write_bytes(b"name,place\n")
    with pytest.raises(CommandError, match="weeks"):
        call_command("import_courses", str(path), user="li")


@pytest.mark.parametrize(
    ("columns", "cells", "weeks"),
    [
        ("周次,单双周", "1-8,单", [1, 3, 5, 7]),
        ("周次,单双周", "1-8,双周", [2, 4, 6, 8]),
        ("周次,单双周", "1-8,", [1, 2, 3, 4, 5, 6, 7, 8]),
        ("周次,单双周", "1-8,单双周", [1, 2, 3, 4, 5, 6, 7, 8]),
        ("开始周,结束周,单双周", "3,6,even", [4, 6]),
        ("开始周,结束周", "第3周,第5周", [3, 4, 5]),
        ("周次,单双周", "2,单", "bad_weeks"),
        ("开始周,结束周", "6,3", "bad_range"),
    ],
)
def test_weeks_may_be_told_in_several_columns(columns: str, cells: str, weeks: Any) -> None:
    (row,) = rows(f"课程,星期,节次,{columns}\n高数,一,1-2,{cells}\n")
    assert (list(row.weeks) if isinstance(row, CourseRow) else getattr(row, "code", "")) == weeks


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("课程名称,科目,星期,节次,周次", "英语,外语,二,1-2,1-16"),
        ("课程名称,星期,星期几,节次,第几节,周次,上课周", "英语,二,星期二,1-2,,1-16,"),
        ("课程名称,教室,教室名称,教师,授课老师,星期,节次,周次", "英语,101,大教室,王,李,二,1-2,1-16"),
        ("Activity,Module,Day,Period,Weeks,Week", "Lecture,英语,Tue,1-2,1-16,"),
    ],
)
def test_a_column_of_a_rarer_name_gives_way_to_one_that_tells_the_same(head: str, line: str) -> None:
    (row,) = rows_of_csv(f"{head}\n{line}".encode(), calendar())
    assert isinstance(row, CourseRow)
    assert (row.course_name, row.day_of_week, row.section_from, row.weeks[-1]) == ("英语", 2, 1, 16)
    assert (row.location, row.teacher) in {("", ""), ("101", "王")}

"""Spreadsheets of courses: the same table as CSV, in a file that may be a bomb."""

from __future__ import annotations

import io
import sys
import tracemalloc
import zipfile
from datetime import datetime
from typing import Any

import openpyxl
import pytest

from schedules.calendars.files import rows_of_file
from schedules.calendars.rows import CourseRow, NotCourses, Outcome, RowError, RowNote, TooMany
from tests.kits.timetable.terms import calendar

pytestmark = pytest.mark.storeless

HEAD = ["课程名称", "星期", "开始节数", "结束节数", "周数", "地点", "教师", "可嵌入"]
ROW = ["思想政治", 6, 5, 6.0, "1-16(单)", "教学楼B 301", None, True]


def workbook(*lines: list[Any], blank: int = 0) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for _ in range(blank):
        sheet.append([])
    for line in lines:
        sheet.append(line)
    book.create_sheet("说明").append(["没有课的表"])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def merged(*lines: list[Any], boxes: tuple[str, ...]) -> bytes:
    """The workbook of a sheet with merged cells."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for line in lines:
        sheet.append(line)
    for box in boxes:
        sheet.merge_cells(box)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def read(data: bytes) -> list[Outcome]:
    return rows_of_file("xlsx", data, calendar())


def meetings(data: bytes) -> list[tuple[str, int, int, int]]:
    rows = [row for row in read(data) if isinstance(row, CourseRow)]
    return [(row.course_name, row.day_of_week, row.section_from, row.section_to) for row in rows]


def rezipped(data: bytes, **parts: bytes) -> bytes:
    """The workbook with some of its members replaced, all compressed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            key = name.rpartition("/")[2].partition(".")[0]
            target.writestr(name, parts.get(key, source.read(name)))
    return out.getvalue()


def test_numbers_and_words_are_read_as_they_look() -> None:
    odd, even, note = read(workbook(HEAD, ROW, [], ["体育", "周二", "3", "4", "2,4", "", "李四", "否"], blank=2))
    assert odd == CourseRow(1, "思想政治", "教学楼B 301", True, tuple(range(1, 17, 2)), 6, 5, 6)
    assert even == CourseRow(2, "体育", "", False, (2, 4), 2, 3, 4, "李四")
    assert note == RowNote(3, "sheet", "", "工作表「{name}」里没有找到课表，没有导入", {"name": "说明"})


def test_every_sheet_that_is_shown_is_read() -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["2026 年秋季学期"])
    for title, name in (("课表", "高数"), ("实验课", "物理实验"), ("草稿", "旧课")):
        sheet = book.create_sheet(title)
        sheet.append(["课程", "星期", "节次", "周次"])
        sheet.append([name, 1, "1-2", "1-8"])
    book["草稿"].sheet_state = "hidden"
    week = book.create_sheet("周课表")
    week.append(["节次", "周一", "周二", "周三"])
    week.append(["3-4", None, "英语 1-8周", None])
    out = io.BytesIO()
    book.save(out)
    rows = read(out.getvalue())
    assert [(row.row, row.course_name or row.code) for row in rows] == [
        (1, "高数"), (2, "物理实验"), (3, "英语"), (4, "sheet")
    ]  # fmt: skip


def typed(form: str, *lines: list[Any]) -> bytes:
    """The workbook whose days are shown in a form, as a spreadsheet does it with ranges that were typed."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for line in lines:
        sheet.append(line)
    for cell in (cell for line in sheet for cell in line if isinstance(cell.value, datetime)):
        cell.number_format = form
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def in_chinese(data: bytes) -> bytes:
    """The same workbook with the number that a spreadsheet in Chinese has for days without a year."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(out, "w") as after:
        for name in before.namelist():
            part = before.read(name)
            after.writestr(name, part.replace(b'numFmtId="16"', b'numFmtId="58"') if "styles" in name else part)
    return out.getvalue()


@pytest.mark.parametrize("form", ['m"月"d"日"', "d-mmm", "m/d;@", "58"])
def test_a_range_that_the_spreadsheet_took_for_a_day_is_one(form: str) -> None:
    head = ["课程", "星期", "节次", "周次"]
    days = [datetime(2026, 1, 2), datetime(2026, 9, 16)]
    data = typed("d-mmm" if form == "58" else form, head, ["体育", 1, *days])
    (row,) = (one for one in read(in_chinese(data) if form == "58" else data) if isinstance(one, CourseRow))
    assert (row.section_from, row.section_to, row.weeks) == (1, 2, tuple(range(9, 17)))


def test_a_range_that_became_a_month_of_a_year_is_one() -> None:
    data = typed("mmm-yy", ["课程", "星期", "节次", "周次"], ["体育", 1, "1-2", datetime(2016, 1, 1)])
    assert [row.weeks for row in read(data) if isinstance(row, CourseRow)] == [tuple(range(1, 17))]


def test_sections_left_of_a_week_may_have_become_days_and_dates_below_weekdays_are_no_courses() -> None:
    head = ["节次", "周一", "周二", "周三"]
    dates = ["日期", *(datetime(2026, 9, day) for day in (7, 8, 9))]
    week = [head, dates, [datetime(2026, 1, 2), "高数 1-16周", "", ""], [datetime(2026, 3, 4), "", "英语 1-8周", ""]]
    rows = read(in_chinese(typed("d-mmm", *week)))
    told = [(row.course_name, row.section_from, row.section_to) for row in rows if isinstance(row, CourseRow)]
    assert told == [("高数", 1, 2), ("英语", 3, 4)]
    assert not [row for row in rows if isinstance(row, RowError)]


def test_a_day_with_its_year_is_no_range() -> None:
    head = ["课程", "星期", "节次", "周次"]
    bad, _ = read(workbook(head, ["体育", 1, datetime(2026, 1, 2), "1-16"]))
    assert isinstance(bad, RowError)
    assert (bad.code, bad.column) == ("bad_number", "sections")


def test_without_its_library_a_spreadsheet_is_refused_by_name(monkeypatch: Any) -> None:
    for library in ("openpyxl", "defusedxml"):
        with monkeypatch.context() as missing:
            missing.setitem(sys.modules, library, None)
            with pytest.raises(NotCourses) as refused:
                read(workbook(HEAD, ROW))
        assert refused.value.code == "xlsx_not_enabled"
    assert isinstance(read(workbook(HEAD, ROW))[0], CourseRow)


MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
TEXTS = f'<sst xmlns="{MAIN}"><si><t xml:space="preserve">%s</t></si></sst>'
SHARED = (
    b'<Override PartName="/xl/sharedStrings.xml"'
    b' ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/>'
)
SHEET = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>%s</sheetData></worksheet>'
BOMB = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + b"".join(
    b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9)
)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\x03\x04",
        b"not a workbook",
        workbook(HEAD, ROW)[:-100],
        rezipped(workbook(HEAD, ROW), workbook=b"<x/>"),
        rezipped(workbook(HEAD, ROW), sheet1=b"<worksheet"),
        rezipped(workbook(HEAD, ROW), sheet1=SHEET % b" " * 100_000),
        rezipped(workbook(HEAD, ROW), sheet1=BOMB + b"]>" + SHEET % b"<row><c t='str'><v>&j;</v></c></row>"),
        rezipped(workbook(HEAD, ROW), workbook=BOMB + b"]><workbook>&j;</workbook>"),
    ],
    ids=range(9),
)
def test_what_is_no_workbook_is_refused_whole(data: bytes) -> None:
    with pytest.raises(NotCourses) as refused:
        read(data)
    assert refused.value.code == ""


def test_a_bomb_is_refused_before_it_is_opened() -> None:
    bomb = rezipped(workbook(HEAD, ROW), sheet1=SHEET % (b" " * 17 * 1024 * 1024))
    assert len(bomb) < 100_000
    with pytest.raises(NotCourses, match="解压"):
        read(bomb)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as members:
        for number in range(501):
            members.writestr(str(number), b"")
    with pytest.raises(NotCourses, match="解压"):
        read(out.getvalue())


def test_a_directory_that_lies_about_sizes_gets_no_more_read() -> None:
    data = rezipped(workbook(HEAD, ROW), sheet1=SHEET % (b" " * 17 * 1024 * 1024))
    with zipfile.ZipFile(io.BytesIO(data)) as members:
        size = members.getinfo("xl/worksheets/sheet1.xml").file_size
    lying = data.replace(size.to_bytes(4, "little"), (1000).to_bytes(4, "little"))
    with pytest.raises(NotCourses, match="有效"):
        read(lying)


def test_a_long_text_that_thousands_of_cells_share_is_held_once() -> None:
    shared = b'<row><c t="s"><v>0</v></c>' + b'<c t="s"><v>0</v></c>' * 59 + b"</row>"
    data = io.BytesIO(rezipped(workbook(HEAD), sheet1=SHEET % (shared * 100)))
    types = zipfile.ZipFile(data).read("[Content_Types].xml")
    whole = io.BytesIO(
        rezipped(data.getvalue(), **{"[Content_Types]": types.replace(b"</Types>", SHARED + b"</Types>")})
    )
    with zipfile.ZipFile(whole, "a") as members:
        members.writestr("xl/sharedStrings.xml", TEXTS % ("课" * 30_000 + " "))
    tracemalloc.start()
    try:
        with pytest.raises(NotCourses, match="没有这一列"):
            read(whole.getvalue())
        assert tracemalloc.get_traced_memory()[1] < 50 * 1024 * 1024  # each for itself they were 360 MB
    finally:
        tracemalloc.stop()


def test_cells_far_away_and_too_many_rows_cost_nothing() -> None:
    far = SHEET % b'<row r="1048576"><c r="XFD1048576" t="str"><v>x</v></c></row>'
    with pytest.raises(NotCourses) as refused:
        read(rezipped(workbook(HEAD, ROW), sheet1=far))
    assert "weeks" in refused.value.columns
    with pytest.raises(TooMany):
        read(workbook(HEAD, *[["x", 1, 1, 1, "1"]] * 2001))


def test_a_merged_cell_is_one_meeting_over_its_rows() -> None:
    """A school's timetable merges the sections of a lesson: all of them count, whether the heads are merged or not."""
    lesson, lecture = "高等数学\n1-16周\nA101\n张三", "大学物理\n2-16周(双)\nB202\n李四"
    single = merged(
        ["2026 秋课表"],
        ["节次", "星期一", "星期二", "星期三"],
        ["1", lesson, "", ""],
        ["2"],
        ["3", "", lecture, ""],
        ["4"],
        ["5"],
        boxes=("A1:D1", "B3:B4", "C5:C7"),
    )
    assert meetings(single) == [
        ("高等数学", 1, 1, 2),
        ("大学物理", 2, 3, 5),
    ]
    double = merged(
        ["", "节次", "星期一", "星期二", "星期三"],
        ["上午", "1", lesson, "", ""],
        ["", "2"],
        [],
        ["", "3-4", "", lecture, ""],
        [],
        boxes=("A2:A6", "C2:C4", "D5:D6", "B5:B6"),
    )
    assert meetings(double) == [
        ("高等数学", 1, 1, 2),
        ("大学物理", 2, 3, 4),
    ]


def test_a_name_over_several_rows_of_a_list_is_that_of_each() -> None:
    head = ["课程", "星期", "节次", "周次"]
    table = merged(head, ["体育", 1, "1-2", "1-16"], [None, 3, "3-4", "1-16"], boxes=("A2:A3",))
    assert meetings(table) == [("体育", 1, 1, 2), ("体育", 3, 3, 4)]


def test_merged_cells_that_no_sheet_can_have_cost_nothing() -> None:
    boxes = b"".join(b'<mergeCell ref="A%d:XFD1048576"/>' % row for row in range(1, 20_000))
    sheet = SHEET % (b'<row r="1"><c r="A1" t="str"><v>x</v></c></row>' + b"</sheetData><mergeCells>%s" % boxes)
    with pytest.raises(NotCourses):
        read(
            rezipped(
                workbook(HEAD, ROW), sheet1=sheet.replace(b"</sheetData></worksheet>", b"</mergeCells></worksheet>")
            )
        )

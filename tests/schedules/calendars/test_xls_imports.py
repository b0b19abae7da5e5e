"""Workbooks of the old form, as three programs write them: what their cells show, and files that are none."""

from __future__ import annotations

import random
import struct

import pytest

from schedules.calendars.files import rows_of_file
from schedules.calendars.rows import CourseRow, NotCourses, TooMany, UnknownForm
from tests.kits.timetable.terms import FILES, calendar

pytestmark = pytest.mark.storeless

WEEKS = tuple(range(1, 17))


def meetings(name: str) -> list[tuple[str, int, int, int, tuple[int, ...]]]:
    rows = rows_of_file("xlsx", (FILES / name).read_bytes(), calendar())
    return [
        (row.course_name, row.day_of_week, row.section_from, row.section_to, row.weeks)
        for row in rows
        if isinstance(row, CourseRow)
    ]


def test_merged_cells_and_results_of_formulas_are_read() -> None:
    assert meetings("merged.xls") == [
        ("高数", 1, 1, 2, WEEKS),
        ("物理", 3, 1, 1, WEEKS),
        ("英语", 2, 2, 2, tuple(range(1, 9))),
    ]


def test_times_are_told_by_the_clock_and_days_without_a_year_are_ranges() -> None:
    found = meetings("clocks.xls")
    assert len(found) == 60
    assert found[:2] == [("课1", 2, 1, 2, WEEKS), ("课2", 3, 1, 2, WEEKS)]


def test_a_file_of_the_old_office_that_is_no_such_workbook_is_named() -> None:
    data = (FILES / "qiangzhi.xls").read_bytes()
    name = "Workbook".encode("utf-16-le")
    document = data.replace(name, "Document".encode("utf-16-le"))
    older = data.replace(struct.pack("<HHH", 0x0809, 16, 0x0600), struct.pack("<HHH", 0x0809, 16, 0x0500))
    begin = data.index(struct.pack("<HHH", 0x0809, 16, 0x0600)) + 20
    locked = data[:begin] + struct.pack("<HH", 0x002F, 6) + data[begin + 4 :]
    for broken in (document, older, locked, data[:100], data[:700]):
        assert broken != data
        with pytest.raises(UnknownForm, match="旧的 Excel 或 Word 文件"):
            rows_of_file("xlsx", broken, calendar())


def test_sectors_that_name_each_other_in_a_circle_end() -> None:
    data = bytearray((FILES / "qiangzhi.xls").read_bytes())
    (table,) = struct.unpack_from("<I", data, 76)
    for at in range(0, 512, 4):
        struct.pack_into("<I", data, (table + 1) * 512 + at, 0)
    struct.pack_into("<I", data, 44, 0xFFFFFFFF)
    with pytest.raises(UnknownForm):
        rows_of_file("xlsx", bytes(data), calendar())


def test_a_damaged_workbook_is_read_or_refused_and_nothing_else() -> None:
    whole, chance = (FILES / "qiangzhi.xls").read_bytes(), random.Random(7)
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 3, 20))):
            data[chance.randrange(8, len(data))] = chance.choice((0, 1, 254, 255))
        try:
            rows_of_file("xlsx", bytes(data), calendar())
        except (NotCourses, TooMany):
            continue

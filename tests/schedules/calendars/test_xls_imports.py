"""Workbooks of the old form, as three programs write them: what their cells show, and files that are none."""

from __future__ import annotations

import random
import struct

import pytest

from schedules.calendars.files import rows_of_file
from schedules.calendars.readers import xls_courses
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


def test_a_long_text_that_thousands_of_cells_share_is_held_once() -> None:
    texts = struct.pack("<IIHB", 2, 1, 8_000, 0) + b"a" * 7_999 + b" "
    (text,) = xls_courses._shared_texts([texts])
    body = [struct.pack("<HHHI", row, column, 0, 0) for row in range(100) for column in range(60)]
    records = [(xls_courses.BOF, b"\0\6\x10\0"), *((xls_courses.LABELSST, one) for one in body), (xls_courses.EOF, b"")]
    stream = b"".join(struct.pack("<HH", kind, len(one)) + one for kind, one in records)
    table, _ = xls_courses._read_sheet(stream, xls_courses._Book(texts=[text]))
    assert all(cell is text for line in table for cell in line)


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


def record(kind: int, body: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(body)) + body


def workbook(shared: bytes, cells: bytes, sheets: int = 1) -> bytes:
    """Makes a container of one stream: records that all sheets share, and the records of a sheet that has so many
    names."""
    begin = struct.pack("<HHHHII", 0x0600, 0x0005, 0, 1996, 0, 6)
    names = [record(0x0085, struct.pack("<IBBBB", 0, 0, 0, 1, 0) + b"a")] * sheets
    start = len(record(0x0809, begin) + shared + b"".join(names) + record(0x000A))
    named = [name[:4] + struct.pack("<I", start) + name[8:] for name in names]
    sheet = record(0x0809, begin[:2] + b"\x10\0" + begin[4:]) + cells + record(0x000A)
    stream = record(0x0809, begin) + shared + b"".join(named) + record(0x000A) + sheet
    stream = stream.ljust(max(4096, -(-len(stream) // 512) * 512), b"\0")
    count = len(stream) // 512
    tables = -(-(count + 2) // 127)
    links = [*range(1, count), 0xFFFFFFFE, 0xFFFFFFFE, *[0xFFFFFFFD] * tables]
    entries = b"".join(
        name.encode("utf-16-le").ljust(64, b"\0")
        + struct.pack("<HBBiii", 2 * len(name) + 2, kind, 1, -1, -1, child).ljust(52, b"\0")
        + struct.pack("<iII", first, size, 0)
        for name, kind, child, first, size in (("Root Entry", 5, 1, -2, 0), ("Workbook", 2, -1, 0, len(stream)))
    )
    head = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(10)
    head += struct.pack("<iiiiiiii", tables, count, 0, 4096, -2, 0, -2, 0)
    head += struct.pack("<109i", *range(count + 1, count + 1 + tables), *[-1] * (109 - tables))
    table = struct.pack(f"<{len(links)}I", *links).ljust(512 * tables, b"\xff")
    return head + stream + entries.ljust(512, b"\0") + table


def number(row: int, column: int) -> bytes:
    return record(0x0203, struct.pack("<HHHd", row, column, 0, 1.5))


def name(formula: bytes) -> bytes:
    return record(0x0018, struct.pack("<HBBHHH4B", 0, 0, 1, len(formula), 0, 0, 0, 0, 0, 0) + b"\0a" + formula)


TEXT = b"A" * 8000
HOSTILE = {
    "the last row and column": workbook(b"", b"".join(number(row, 255) for row in range(65_536))),
    "a text that steps back": workbook(
        record(0x00FC, struct.pack("<IiHBi", 1, 2**31 - 1, len(TEXT), 4, -len(TEXT) - 7) + TEXT), b""
    ),
    "more texts than bytes": workbook(record(0x00FC, struct.pack("<Ii", 1, 2**31 - 1)), b""),
    "names that double": workbook(
        name(b"\x17\xfa\0" + TEXT[:250])
        + b"".join(
            name(b"\x23" + struct.pack("<HH", at, 0) + b"\x23" + struct.pack("<HH", at, 0) + b"\x08")
            for at in range(1, 41)
        ),
        b"",
    ),
    "one sheet many times": workbook(b"", b"".join(number(row, 1) for row in range(4_000)), sheets=300),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_workbook_is_refused(kind: str) -> None:
    with pytest.raises(NotCourses):
        rows_of_file("xlsx", HOSTILE[kind], calendar())

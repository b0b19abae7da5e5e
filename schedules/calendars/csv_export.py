"""The courses of a semester as the CSV form that an import reads: one weekly meeting a row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from schedules.calendars.patterns import runs_of

HEADER = ("课程名称", "教师", "地点", "星期", "开始节数", "结束节数", "周数", "可嵌入")
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would calculate. A name may have come with a file of somebody else."""
AS_TEXT = "'"
"""What stands before such a cell, for spreadsheets and for our reader: it is text."""
Meeting = tuple[str, str, str, int, int, int, Sequence[int], bool]
"""Name, teacher, room, weekday, first and last section, weeks, whether tasks may be put in."""


def csv_of(meetings: Iterable[Meeting]) -> bytes:
    """Returns the file, with a byte order mark: spreadsheets take it for something else without one."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(HEADER)
    for *words, weeks, embeddable in meetings:
        listed = "、".join(str(first) if first == last else f"{first}-{last}" for first, last in runs_of(weeks))
        told = [f"{AS_TEXT}{word}" if str(word).startswith(FORMULA) else word for word in words]
        writer.writerow([*told, listed, "是" if embeddable else "否"])
    return out.getvalue().encode("utf-8-sig")


def read_as_text(cell: str) -> str:
    """Returns a cell without the mark that keeps a spreadsheet from calculating it."""
    return cell.removeprefix(AS_TEXT) if cell.startswith(AS_TEXT) and cell[1:].startswith(FORMULA) else cell

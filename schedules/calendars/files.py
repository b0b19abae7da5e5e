"""A file of courses in any of the formats.

Each format that needs a library of its own loads it when the first such file comes: a server that never sees one does
not wait for it.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterable
from pathlib import PurePath

from schedules.calendars.json_courses import rows_of_document
from schedules.calendars.readers.csv_courses import rows_of_csv
from schedules.calendars.readers.picture_courses import media_of
from schedules.calendars.readers.wakeup_courses import rows_of_wakeup
from schedules.calendars.readers.xls_courses import OLD, sheets_of_xls
from schedules.calendars.readers.zhengfang_json import is_zhengfang, rows_of_zhengfang
from schedules.calendars.rows import (
    FILE_MAX,
    NotCourses,
    Outcome,
    TooMany,
    UnknownForm,
    collect_rows,
    in_bytes_of_ascii,
    text_of,
)
from schedules.planner.grid import Calendar

WHOLE = frozenset({"ics", "wakeup", "zhengfang", "html"})
"""Formats whose files hold a whole timetable: a lesson that such a file lacks is a lesson that was dropped."""
IMAGE = "image"
"""The format of pictures, which only a model can read."""
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How files of the old Office begin."""
FOREIGN = (
    (b"%PDF", "PDF"),
    (OLE, OLD),
    (b"{\\rtf", "RTF"),
    (b"\x1f\x8b", "压缩文件"),
    (b"Rar!", "压缩文件"),
    (b"7z\xbc\xaf", "压缩文件"),
)
"""How files begin whose form is known and not read."""


def rows_of_file(form: str, data: bytes, calendar: Calendar) -> list[Outcome]:
    """Returns all rows, notes and row errors of a file in a format of `FORMATS`; raises `NotCourses` or `TooMany`."""
    if len(data) > FILE_MAX:
        raise TooMany("file", FILE_MAX)
    refuse_foreign(form, data)
    return collect_rows(READERS[form](in_bytes_of_ascii(data), calendar))


def rows_of_named(name: str, data: bytes, calendar: Calendar) -> list[Outcome]:
    """Returns the rows of a file in the format that its name tells of; raises `UnknownForm` for one that tells nothing
    and is no JSON."""
    form, suffix = format_of(name), _suffix_of(name)
    try:
        return rows_of_file(form, data, calendar)
    except NotCourses as error:
        if isinstance(error, UnknownForm) or suffix in READERS or suffix in SUFFIXES:
            raise
        raise UnknownForm(f".{suffix}" if suffix else "没有后缀的文件") from error


def refuse_foreign(form: str, data: bytes) -> None:
    """Raises `UnknownForm`, naming it, for a file whose first bytes say that it has a form that is not read."""
    signs = FOREIGN if form != "xlsx" else [pair for pair in FOREIGN if pair[0] != OLE]
    named = next((name for sign, name in signs if data.startswith(sign)), None)
    if named is None and form != IMAGE and media_of(data) is not None:
        named = "图片"
    if named is not None:
        raise UnknownForm(named)


def format_of(name: str) -> str:
    """Returns the format that a file's name tells of; JSON when it tells nothing."""
    suffix = _suffix_of(name)
    return SUFFIXES.get(suffix, suffix if suffix in READERS else "json")


def _suffix_of(name: str) -> str:
    return PurePath(name).suffix.lower().lstrip(".")


def _json(data: bytes, calendar: Calendar) -> Iterable[Outcome]:
    document = _document(data)
    if is_zhengfang(document):
        return rows_of_zhengfang(document, calendar.grid)
    if not isinstance(document, dict) or not isinstance(document.get("courses"), list):
        raise NotCourses("应为数组", ("courses",))
    return rows_of_document(document, calendar.grid)


def _zhengfang(data: bytes, calendar: Calendar) -> Iterable[Outcome]:
    return rows_of_zhengfang(_document(data), calendar.grid)


def _document(data: bytes) -> object:
    try:
        return json.loads(text_of(data))
    except (ValueError, RecursionError):
        raise NotCourses("不是有效的 JSON 文件") from None


def _html(data: bytes, calendar: Calendar) -> Iterable[Outcome]:
    from schedules.calendars.readers.html_courses import rows_of_html

    return rows_of_html(data, calendar)


def _paste(data: bytes, calendar: Calendar) -> Iterable[Outcome]:
    from schedules.calendars.readers.pasted_courses import rows_of_paste

    return rows_of_paste(text_of(data), calendar)


def _xlsx(data: bytes, calendar: Calendar) -> Iterable[Outcome]:
    from schedules.calendars.readers.html_courses import is_web_archive
    from schedules.calendars.readers.xlsx_courses import rows_of_sheets, rows_of_xlsx

    if data.startswith(OLE):
        return rows_of_sheets(sheets_of_xls(data), calendar)
    if data.startswith(b"PK") or b"\0" in data:
        return rows_of_xlsx(data, calendar)
    # School systems call a page or a table of plain text a workbook.
    words = data.removeprefix(codecs.BOM_UTF8).lstrip()
    return _html(data, calendar) if words[:1] == b"<" or is_web_archive(data) else rows_of_csv(data, calendar)


def _ics(data: bytes, calendar: Calendar) -> Iterable[Outcome]:
    from schedules.calendars.readers.ics.courses import rows_of_ics

    return rows_of_ics(data, calendar)


READERS: dict[str, Callable[[bytes, Calendar], Iterable[Outcome]]] = {
    "json": _json, "csv": rows_of_csv, "xlsx": _xlsx, "ics": _ics, "wakeup": rows_of_wakeup, "zhengfang": _zhengfang,
    "html": _html, "paste": _paste,
}  # fmt: skip
FORMATS = tuple(READERS)
SUFFIXES = {
    "wakeup_schedule": "wakeup", "htm": "html", "mht": "html", "mhtml": "html", "xls": "xlsx", "tsv": "csv",
    "txt": "paste", "png": IMAGE, "jpg": IMAGE, "jpeg": IMAGE, "webp": IMAGE, "gif": IMAGE,
}  # fmt: skip

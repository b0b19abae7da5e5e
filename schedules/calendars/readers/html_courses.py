"""Saved pages of school systems: the week grids and course lists in their tables.

Known forms: 正方 (old: cells of lines; new: `timetable_con`), 强智 (`kbcontent` with titled `font`), 青果 (cells of
lines, course lists), and any other table with weekdays above its columns. Size, number of elements, tables, cells, and
what `rowspan` and `colspan` may say are bounded: a page can claim a billion rows in a few bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from email import message_from_bytes
from itertools import islice
from typing import Any

from schedules.calendars.readers.cell_entries import RULE, CellEntry, entries_of
from schedules.calendars.readers.course_table import find_header, rows_beside, rows_of_table
from schedules.calendars.readers.meeting_text import bare_name, bare_teacher
from schedules.calendars.readers.week_grid import Cell, rows_of_grid
from schedules.calendars.rows import Outcome, TooMany, UnknownForm, text_of
from schedules.planner.grid import Calendar

Element = Any
"""An `lxml` element."""
PAGE_MAX, ELEMENTS_MAX, TABLES_MAX = 3 * 1024 * 1024, 100_000, 60
CELLS_MAX, PLACES_MAX = 2_000, 20_000
"""Cells of a table, and places of its grid that they cover."""
SPAN_ROWS_MAX, SPAN_COLUMNS_MAX, ROWS_MAX = 40, 20, 1_000
BLOCKS = frozenset({"div", "p", "li", "tr", "table", "ul", "h1", "h2", "h3", "h4", "h5", "dd", "dt"})
UNSEEN = frozenset({"script", "style", "input", "select", "textarea", "noscript", "template"})
ARCHIVE = (b"mime-version:", b"from:", b"subject:", b"snapshot-content-location:")
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")


def rows_of_html(data: bytes, calendar: Calendar) -> Iterator[Outcome]:
    """Returns all rows and row errors of a saved page; raises `UnknownForm` for one without a timetable, `TooMany`."""
    return rows_of_page(_text_of_page(data), calendar)


def rows_of_page(text: str, calendar: Calendar) -> Iterator[Outcome]:
    """Returns the same of a page or a piece of one as text."""
    tables = [list(_cells(table)) for table in _tables(text)]
    for cells in tables:
        rows = rows_of_grid(cells, calendar)
        found = list(rows) if rows is not None else []
        if found:
            return _with_others(found, [table for table in tables if table is not cells], calendar)
    for cells in tables:
        lines = list(_lines_of(cells))
        header = find_header(lines)
        if header is not None:
            return rows_of_table(lines[header:], calendar)
    raise UnknownForm("网页里没有找到课表（如果课表在网页的框架里，请打开框架再保存）")


def _with_others(week: list[Outcome], others: Iterable[Sequence[Cell]], calendar: Calendar) -> Iterator[Outcome]:
    """Returns the rows of a week, and of the tables beside it what the week does not have."""
    yield from week
    known, number = {row.course_name for row in week}, max(row.row for row in week)
    for cells in others:
        for row in rows_beside(list(_lines_of(cells)), known, number, calendar):
            number = max(number, row.row)
            yield row


def is_web_archive(data: bytes) -> bool:
    return data[:2_000].lower().lstrip().startswith(ARCHIVE)


def _text_of_page(data: bytes) -> str:
    """Returns the text of a page, or of the first page of a web archive (MHTML)."""
    if is_web_archive(data):
        for part in islice(message_from_bytes(data).walk(), 200):
            body = part.get_payload(decode=True) if part.get_content_type() == "text/html" else None
            if isinstance(body, bytes):
                return text_of(body)
    return text_of(data)


def _tables(text: str) -> list[Element]:
    """Returns the tables of a page, the inner ones of nested tables first."""
    from lxml import etree

    if len(text) > PAGE_MAX:
        raise TooMany("file", PAGE_MAX)
    if text.count("<") > 2 * ELEMENTS_MAX:
        raise TooMany("elements", ELEMENTS_MAX)
    whole = CONTROLS.sub(" ", text)
    if "<table" not in whole.lower():
        whole = f"<table>{whole}</table>"
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    root = etree.fromstring(whole.encode(), parser)
    found = [] if root is None else list(islice(root.iter("table"), TABLES_MAX))
    return sorted(found, key=lambda table: sum(1 for _ in table.iterancestors("table")), reverse=True)


def _cells(table: Element) -> Iterator[Cell]:
    """Yields the cells of a table with their places, those of tables inside it left out."""
    taken: set[tuple[int, int]] = set()
    count = 0
    for row, line in enumerate(islice(_table_rows(table), ROWS_MAX)):
        column = 0
        for element in line.iterchildren("td", "th"):
            count += 1
            if count > CELLS_MAX or len(taken) > PLACES_MAX:
                raise TooMany("cells", CELLS_MAX)
            while (row, column) in taken:
                column += 1
            rows = _span(element.get("rowspan"), SPAN_ROWS_MAX)
            columns = _span(element.get("colspan"), SPAN_COLUMNS_MAX)
            taken |= {(row + down, column + right) for down in range(rows) for right in range(columns)}
            yield Cell(row, column, _lines(element), rows, columns, _marked_entries(element))
            column += columns


def _table_rows(table: Element) -> Iterator[Element]:
    for child in table.iterchildren("tr", "thead", "tbody", "tfoot"):
        if child.tag == "tr":
            yield child
        else:
            yield from child.iterchildren("tr")


def _span(words: str | None, limit: int) -> int:
    digits = (words or "").strip()
    if not digits.isascii() or not digits.isdigit():
        return 1
    return min(limit, max(1, int(digits[:9])))


def _lines_of(cells: Iterable[Cell]) -> Iterator[Sequence[str]]:
    """Yields the cells as lines of a plain table; a cell over several rows stands in each of them."""
    lines: dict[int, dict[int, str]] = {}
    for cell in cells:
        for down in range(cell.rows):
            lines.setdefault(cell.row + down, {})[cell.column] = "\n".join(line for line in cell.lines if line)
    for row in sorted(lines):
        yield [lines[row].get(column, "") for column in range(max(lines[row]) + 1)]


def _lines(element: Element) -> tuple[str, ...]:
    """Returns the lines of a cell as a browser shows them, none of one that holds a table: that is a frame of the
    page."""
    if next(element.iter("table"), None) is not None:
        return ()
    words: list[str] = []
    _write(element, words)
    whole = re.sub(r"\n?\r[\r ]*", "\n", "".join(words))
    lines = [" ".join(line.split()) for line in whole.split("\n")]
    return tuple(lines[:1_000])


def _write(element: Element, words: list[str]) -> None:
    """Writes the text of an element; depth is bounded by the parser, which nests no deeper than 256 elements."""
    words.append(_flat(element.text))
    for child in element:
        tag = child.tag if isinstance(child.tag, str) else ""
        if tag == "br":
            words.append("\n")
        elif tag not in UNSEEN and tag:
            around = "\r" if tag in BLOCKS else ""
            words.append(around)
            _write(child, words)
            words.append(around)
        words.append(_flat(child.tail))


def _flat(words: str | None) -> str:
    """Returns text whose line ends mean nothing; of those that count `\\n` is a break and `\\r` the border of a
    block."""
    return (words or "").replace("\n", " ").replace("\r", " ")


def _classes(element: Element) -> set[str]:
    return set((element.get("class") or "").split())


def _marked_entries(cell: Element) -> tuple[CellEntry, ...] | None:
    """Returns the entries of a cell that says by its markup which words are what; None for a cell of plain lines."""
    divs = list(cell.iter("div"))
    modern = [div for div in divs if "timetable_con" in _classes(div)]
    if modern:
        return tuple(_entry_of_icons(div) for div in modern)
    # One form tells all, the other is short; a page shows one of them, and only that one is copied out of it.
    told = [div for div in divs if "kbcontent" in _classes(div)] or [
        div for div in divs if "kbcontent1" in _classes(div)
    ]
    return tuple(entry for div in told for entry in _entries_of_form(div)) if told else None


def _entries_of_form(div: Element) -> Iterator[CellEntry]:
    titled = any(font.get("title") for font in div.iter("font"))
    return _entries_of_fonts(div) if titled else entries_of(_lines(div))


ICONS = (
    ("节/周", "time"),
    ("节次", "time"),
    ("周次", "time"),
    ("地点", "location"),
    ("教室", "location"),
    ("教师", "teacher"),
)


def _entry_of_icons(div: Element) -> CellEntry:
    """Reads an entry of 正方: a title, then paragraphs whose icon has a title."""
    found: dict[str, list[str]] = {}
    for part in div.iter("p"):
        title = " ".join(icon.get("title") or "" for icon in part.iter("span"))
        kind = next((kind for words, kind in ICONS if words in title), None)
        if kind:
            found.setdefault(kind, []).append(_words(part))
    named = next((node for node in div.iter() if "title" in _classes(node)), None)
    name = _words(named) if named is not None else next((line for line in _lines(div) if line), "")
    return _entry(name, found, " / ".join(line for line in _lines(div) if line))


def _entries_of_fonts(div: Element) -> Iterator[CellEntry]:
    """Reads the entries of 强智: a name as plain text, then `font` elements with titles; a line of dashes between
    entries."""
    name, found, told = "", dict[str, list[str]](), list[str]()
    for kind, words in _pieces(div):
        if kind == "" and RULE.fullmatch(words):
            if name:
                yield _entry(name, found, " / ".join(told))
            name, found, told = "", {}, []
            continue
        told.append(words)
        if kind:
            found.setdefault(kind, []).append(words)
        elif not name:
            name = words
    if name:
        yield _entry(name, found, " / ".join(told))


FONTS = (
    ("老师", "teacher"),
    ("教师", "teacher"),
    ("周次", "time"),
    ("节次", "time"),
    ("教室", "location"),
    ("地点", "location"),
)


def _pieces(div: Element) -> Iterator[tuple[str, str]]:
    """Yields kind and words of the pieces of text in a cell, "" for what has no title."""
    yield from _plain_piece(div.text)
    for node in div:
        title, words = node.get("title") or "", _words(node)
        if words:
            yield next((kind for said, kind in FONTS if said in title), "other" if title else ""), words
        yield from _plain_piece(node.tail)


def _plain_piece(words: str | None) -> Iterator[tuple[str, str]]:
    if words and words.strip():
        yield "", " ".join(words.split())


def _entry(name: str, found: dict[str, list[str]], source: str) -> CellEntry:
    teacher, place = (" ".join(found.get(kind, [])) for kind in ("teacher", "location"))
    return CellEntry(bare_name(name), bare_teacher(teacher), place, tuple(found.get("time", [])), source)


def _words(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())

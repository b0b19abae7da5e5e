"""The old XLS form of workbooks (BIFF8 in an OLE container): what its sheets show, as the reader of XLSX tells it.

Only what a table needs is read: sheets, texts, numbers with their formats, results of formulas, merged cells. Whatever
does not fit together is no workbook. A file of 5 MiB can name no more than it holds: chains of sectors end, texts are
taken once, and rows and columns are bounded.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise

from schedules.calendars.readers.csv_courses import LINES_MAX
from schedules.calendars.readers.xlsx_courses import (
    COLUMNS_MAX,
    EAST_ASIAN,
    MERGED_ROWS_MAX,
    MERGES_MAX,
    QUOTED,
    SHEETS_MAX,
    Box,
    Sheet,
    words_of_value,
)
from schedules.calendars.rows import UnknownForm

OLD = "旧的 Excel 或 Word 文件（请另存为 .xlsx）"
"""What is said of a file of the old Office that is no workbook of this form: a document, one with a password, an older
workbook."""
END_OF_CHAIN = 0xFFFFFFF0
BIFF8 = 0x0600
DAYS = {14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 22: "m/d/yy h:mm"}
TIMES = frozenset({18, 19, 20, 21, 45, 46, 47})
"""Numbers of the formats for days and for times that no file spells out."""
BOF, EOF, CONTINUE, FILEPASS, DATEMODE = 0x0809, 0x000A, 0x003C, 0x002F, 0x0022
BOUNDSHEET, SST, FORMAT, XF = 0x0085, 0x00FC, 0x041E, 0x00E0
LABELSST, LABEL, RSTRING, NUMBER, RK, MULRK = 0x00FD, 0x0204, 0x00D6, 0x0203, 0x027E, 0x00BD
FORMULA, STRING, BOOLERR, MERGEDCELLS = 0x0006, 0x0207, 0x0205, 0x00E5
DAYS_MAX = 2_950_000
"""Days behind which no date of a workbook lies."""
Record = tuple[int, bytes]


def sheets_of_xls(data: bytes) -> Iterator[Sheet]:
    """Yields title, words and merged cells of each sheet that is shown; raises `UnknownForm`."""
    try:
        yield from _sheets(_stream(data))
    except (struct.error, IndexError, ValueError, OverflowError) as error:
        raise UnknownForm(OLD) from error


def _stream(data: bytes) -> bytes:
    """Returns the stream of the workbook in its container."""
    shift, small_shift = struct.unpack_from("<HH", data, 30)
    if not (7 <= shift <= 16 and small_shift <= shift):
        raise ValueError(shift)
    fat_count, first_directory = struct.unpack_from("<II", data, 44)
    cutoff, first_small, _count, next_list, _lists = struct.unpack_from("<IIIII", data, 56)
    size = 1 << shift

    def sector(number: int) -> bytes:
        return data[(number + 1) * size : (number + 2) * size]

    listed = list(struct.unpack_from("<109I", data, 76))
    for _ in range(len(data) // size):
        if next_list >= END_OF_CHAIN:
            break
        *more, next_list = struct.unpack(f"<{size // 4}I", sector(next_list))
        listed += more
    sectors = len(data) // size + 1
    table = b"".join(sector(number) for number in listed[: min(fat_count, sectors)] if number < END_OF_CHAIN)
    fat = struct.unpack(f"<{len(table) // 4}I", table[: len(table) // 4 * 4])[:sectors]

    def chain(first: int) -> bytes:
        return b"".join(sector(number) for number in _chain(fat, first))

    directory = chain(first_directory)
    entries = [directory[at : at + 128] for at in range(0, len(directory) - 127, 128)]
    names = {
        entry[: max(0, struct.unpack_from("<H", entry, 64)[0] - 2)].decode("utf-16-le"): entry for entry in entries
    }
    found = names.get("Workbook") or names.get("Book") or b""
    start, length = struct.unpack_from("<II", found, 116)
    if length >= cutoff:
        return chain(start)[:length]
    small = chain(struct.unpack_from("<I", entries[0], 116)[0])
    links = chain(first_small)
    step = 1 << small_shift
    small_fat = struct.unpack(f"<{len(links) // 4}I", links)[: len(small) // step + 1]
    return b"".join(small[one * step : (one + 1) * step] for one in _chain(small_fat, start))[:length]


def _chain(links: Sequence[int], first: int) -> Iterator[int]:
    for _ in range(len(links)):
        if first >= END_OF_CHAIN:
            return
        yield first
        first = links[first]
    if first < END_OF_CHAIN:
        raise ValueError(first)


def _records(stream: bytes, at: int) -> Iterator[Record]:
    while at + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, at)
        yield kind, stream[at + 4 : at + 4 + length]
        at += 4 + length


@dataclass
class _Book:
    """Holds what all sheets of a workbook share."""

    texts: list[str] = field(default_factory=list)
    formats: dict[int, str] = field(default_factory=dict)
    styles: list[int] = field(default_factory=list)
    sheets: list[tuple[int, str]] = field(default_factory=list)
    epoch: datetime = datetime(1899, 12, 30)

    def words(self, style: int, value: float) -> str:
        """Returns a number as its cell shows it, as far as a timetable needs it: days and times are told apart."""
        form = self.styles[style] if style < len(self.styles) else 0
        spelled = self.formats.get(form) or DAYS.get(form, "")
        dated = re.search(r"[ymdhs]", QUOTED.sub("", spelled).lower().replace("general", ""))
        if (dated or form in EAST_ASIAN | TIMES) and 0 <= value < DAYS_MAX:
            moment = self.epoch + timedelta(seconds=round(value * 86_400))
            return words_of_value(moment if value >= 1 else moment.time(), form, spelled)
        return words_of_value(value)


def _sheets(stream: bytes) -> Iterator[Sheet]:
    book = _read_book(stream)
    titles: dict[int, str] = {}
    for start, title in book.sheets[:SHEETS_MAX]:
        titles.setdefault(start, title)
    # No sheet reaches into the next one: many names for one place would cost its cells for each.
    ends = dict(pairwise([*sorted(titles), len(stream)]))
    for start, title in titles.items():
        yield title, *_read_sheet(stream[start : ends[start]], book)


def _read_book(stream: bytes) -> _Book:
    book = _Book()
    parts: list[bytes] = []
    last = 0
    for kind, body in _records(stream, 0):
        if kind == FILEPASS:
            raise UnknownForm(OLD)
        if kind == BOF and struct.unpack_from("<H", body)[0] != BIFF8:
            raise UnknownForm(OLD)
        if kind == SST or (kind == CONTINUE and last == SST):
            parts.append(body)
        elif kind == BOUNDSHEET:
            start, hidden, sort = struct.unpack_from("<IBB", body)
            if not hidden and not sort:
                book.sheets.append((start, _text(body, 8, body[6])))
        elif kind == FORMAT:
            number, count = struct.unpack_from("<HH", body)
            book.formats[number] = _text(body, 5, count)
        elif kind == XF:
            book.styles.append(struct.unpack_from("<H", body, 2)[0])
        elif kind == DATEMODE and body[:1] == b"\1":
            book.epoch = datetime(1904, 1, 1)
        elif kind == EOF:
            break
        last = SST if kind == CONTINUE and last == SST else kind
    book.texts = list(_shared_texts(parts)) if parts else []
    return book


def _text(body: bytes, at: int, count: int) -> str:
    """Returns the text whose characters begin at a place, behind the byte that tells their width."""
    wide = body[at - 1] & 1
    return body[at : at + count * (1 + wide)].decode("utf-16-le" if wide else "latin-1")


def _shared_texts(parts: list[bytes]) -> Iterator[str]:
    """Yields the texts of the table that cells refer to; where one goes on in the next part, that tells its width
    anew."""
    count = struct.unpack_from("<I", parts[0], 4)[0]
    part, at = 0, 8
    for _ in range(min(count, sum(map(len, parts)) // 3)):
        if at >= len(parts[part]):
            part, at = part + 1, 0
        length, flags = struct.unpack_from("<HB", parts[part], at)
        runs, more = 0, 0
        at += 3
        if flags & 8:
            runs = struct.unpack_from("<H", parts[part], at)[0]
            at += 2
        if flags & 4:
            more = struct.unpack_from("<I", parts[part], at)[0]
            at += 4
        words: list[str] = []
        while length:
            width = 1 + (flags & 1)
            taken = min(length, (len(parts[part]) - at) // width)
            words.append(parts[part][at : at + taken * width].decode("utf-16-le" if width == 2 else "latin-1"))
            length, at = length - taken, at + taken * width
            if length:
                part, flags, at = part + 1, parts[part + 1][0], 1
        skip = 4 * runs + more
        while skip > len(parts[part]) - at and part + 1 < len(parts):
            skip -= len(parts[part]) - at
            part, at = part + 1, 0
        at += skip
        yield "".join(words).strip()  # once, however many cells share it


def _read_sheet(stream: bytes, book: _Book) -> tuple[list[list[str]], list[Box]]:
    cells: dict[tuple[int, int], str] = {}
    boxes: list[Box] = []
    asked: tuple[int, int] | None = None
    depth = 0
    for kind, body in _records(stream, 0):
        depth += (kind == BOF) - (kind == EOF)
        if depth == 0:
            break
        if depth > 1:  # a chart inside the sheet
            continue
        if kind == MERGEDCELLS:
            told = struct.iter_unpack("<HHHH", body[2 : 2 + 8 * struct.unpack_from("<H", body)[0]])
            boxes += [
                (top, left, min(bottom, top + MERGED_ROWS_MAX - 1), min(right, COLUMNS_MAX - 1))
                for top, bottom, left, right in told
                if top <= bottom and left <= right
            ]
        elif kind == STRING and asked is not None and asked[0] < LINES_MAX and asked[1] < COLUMNS_MAX:
            cells[asked], asked = _text(body, 3, struct.unpack_from("<H", body)[0]).strip(), None
        else:
            for row, column, words in _cells(kind, body, book):
                asked = (row, column) if words is None else asked
                if words and row < LINES_MAX and column < COLUMNS_MAX:
                    cells[row, column] = words.strip()
    width = 1 + max((column for _, column in cells), default=-1)
    table = [[""] * width for _ in range(1 + max((row for row, _ in cells), default=-1))]
    for (row, column), words in cells.items():
        table[row][column] = words
    return table, [box for box in boxes[:MERGES_MAX] if box[1] < COLUMNS_MAX]


def _cells(kind: int, body: bytes, book: _Book) -> Iterator[tuple[int, int, str | None]]:
    """Yields row, column and words of the cells of a record; None for words that the next record tells."""
    if kind not in (LABELSST, LABEL, RSTRING, NUMBER, RK, MULRK, FORMULA, BOOLERR):
        return
    row, column, style = struct.unpack_from("<HHH", body)
    if kind == LABELSST:
        number = struct.unpack_from("<I", body, 6)[0]
        yield row, column, book.texts[number]
    elif kind in (LABEL, RSTRING):
        yield row, column, _text(body, 9, struct.unpack_from("<H", body, 6)[0])
    elif kind == NUMBER:
        yield row, column, book.words(style, struct.unpack_from("<d", body, 6)[0])
    elif kind == RK:
        yield row, column, book.words(style, _rk(struct.unpack_from("<I", body, 6)[0]))
    elif kind == MULRK:
        for at, (one, packed) in enumerate(struct.iter_unpack("<HI", body[4 : 4 + (len(body) - 6) // 6 * 6])):
            yield row, column + at, book.words(one, _rk(packed))
    elif kind == FORMULA and body[12:14] != b"\xff\xff":
        yield row, column, book.words(style, struct.unpack_from("<d", body, 6)[0])
    elif kind == FORMULA and body[6] == 0:
        yield row, column, None
    elif kind == FORMULA and body[6] == 1:
        yield row, column, words_of_value(bool(body[8]))
    elif kind == BOOLERR and not body[7]:
        yield row, column, words_of_value(bool(body[6]))


def _rk(packed: int) -> float:
    """Returns the number that is packed into four bytes: a whole one or the upper half of another, maybe a hundred
    times as large."""
    if packed & 2:
        value = float((packed - (1 << 32) if packed & 0x80000000 else packed) >> 2)
    else:
        value = float(struct.unpack("<d", struct.pack("<II", 0, packed & 0xFFFFFFFC))[0])
    return value / 100 if packed & 1 else value

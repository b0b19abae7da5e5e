"""The one grammar of lists of numbers: weeks and sections as people and school systems write them.

Parts stand between `,`, `、`, `;`, `|` or blanks, full-width or not: a number, a range, each with 第 and its unit where
the writer likes. 单 or 双 (odd, even) keeps the numbers of that parity: of the range it stands at, or of the whole list
when it stands alone between separators or shares a 周 that only the end of the list carries, as in `1-8,10-16周(单)`.
So does 大节 in `第一、二大节`. Weeks that say 周 and Chinese numbers may stand side by side: 2周5周, 一二节 are two.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from schedules.calendars.characters import simple
from schedules.calendars.rows import BadRow

RANGE_MAX, TEXT_MAX = 60, 200
"""Longest range and longest list of weeks that is written out; no semester needs half of it."""
PARITY = {"单": 1, "奇": 1, "odd": 1, "双": 0, "偶": 0, "even": 0}
_MARK = "单|双|奇|偶|odd|even"
_LEAD = re.compile(rf"\(?({_MARK})周?\)?(?=\d)")
_NUMBERS = re.compile(r"\d{1,12}(?:(?:周|大?节)?[-~至到]\d{1,12})*")
_TAIL = re.compile(rf"(周?)\(?({_MARK})?数?(周|大节|小节|节)?\)?(周?)")
_GAP = re.compile(r"(?<=[\d周节)])\s+(?=第?\d)|(?<=[\d单双)]周)(?=第?\d)")
_PER_WEEK = re.compile(r"\d+节/周")
_DIGITS = {digit: value for value, digit in enumerate("一二三四五六七八九", 1)}
_HANZI = re.compile(r"([一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])(?=([一二三四五六七八九十])?)")
"""A number that weeks or sections have, and whether another follows at once: 九十 are two, as no day has ninety."""
_BRACKETS = str.maketrans("[]{}", "()()")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = "|".join(MONTHS)
_DAY = re.compile(rf"(\d{{1,2}})月(\d{{1,2}})日|(\d{{1,2}})-({_MONTH})|({_MONTH})-(\d{{1,2}})")
Run = tuple[int, int]
_Reader = Callable[[list[str], bool], "list[Run]"]


class _BadList(Exception):
    """Tells that the list is none, or one of its ranges ends before it begins."""

    def __init__(self, *, backwards: bool = False) -> None:
        super().__init__()
        self.backwards = backwards


@dataclass(frozen=True)
class _PartRuns:
    """Runs of one part (None for a mark that stands alone), the parity it names, whether it says 周."""

    runs: Sequence[Run] | None
    parity: int | None
    said: bool


def plain(words: str) -> str:
    """Returns a cell to be compared: in half-width simplified characters, with one kind of dash and no blanks."""
    return re.sub(r"[‐-―−]", "-", "".join(simple(unicodedata.normalize("NFKC", words)).split()))


def undo_date(words: str) -> str:
    """Returns the range that a spreadsheet took for a day when it was typed (1-16 became 1月16日 or 16-Jan); other
    words are as they were."""
    found = _DAY.fullmatch(plain(words).lower())
    if found is None:
        return words
    low, high = sorted(MONTHS.index(part) + 1 if part in MONTHS else int(part) for part in found.groups() if part)
    return f"{low}-{high}"


def weeks_of(words: str) -> list[int]:
    """Returns the weeks of `1-8,10,12-16`, ascending; raises `BadRow`."""
    parts = _split(words)
    if not parts:
        raise BadRow("missing_field", "weeks", "缺少该字段")
    try:
        if len(words) > TEXT_MAX:
            raise _BadList
        read = [_part(part, _week_run) for part in parts]
    except _BadList as bad:
        if bad.backwards:
            raise BadRow("bad_range", "weeks", "结束周早于开始周") from None
        raise BadRow("bad_weeks", "weeks", "应为周次列表") from None
    whole = _shared_parities(read)
    if len(whole) > 1:
        raise BadRow("bad_weeks", "weeks", "应为周次列表")
    found = {
        week
        for part in read
        for first, last in part.runs or ()
        for week in range(first, last + 1)
        if (part.parity is None or week % 2 == part.parity) and (not whole or week % 2 in whole)
    }
    if not found:
        alone = all(part.runs is None for part in read)
        raise BadRow("bad_weeks", "weeks", "没有任何一周", parity=min(whole) if alone else None)
    return sorted(found)


def sections_of(words: str) -> list[Run]:
    """Returns the runs of sections of `1-2`, `第1,2节`、`01-02-03` or `0102`, ascending; raises `BadRow`."""
    parts = _split(words)
    if not parts:
        raise BadRow("missing_field", "sections", "缺少该字段")
    if "大节" in parts[-1] and not any("节" in part for part in parts[:-1]):
        parts = [*(f"{part}大节" for part in parts[:-1]), parts[-1]]
    try:
        if len(words) > TEXT_MAX:
            raise _BadList
        read = [_part(part, _section_runs) for part in parts]
        if any(part.runs is None or part.parity is not None for part in read):
            raise _BadList
    except _BadList as bad:
        if bad.backwards:
            raise BadRow("bad_range", "end_section", "结束节早于开始节") from None
        raise BadRow("bad_number", "sections", "应为整数") from None
    runs: list[Run] = []
    for first, last in sorted(run for part in read for run in part.runs or ()):
        if runs and first <= runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], max(last, runs[-1][1]))
        else:
            runs.append((first, last))
    return runs


def _split(words: str) -> list[str]:
    spaced = _GAP.sub(",", simple(unicodedata.normalize("NFKC", words)).strip())
    text = _HANZI.sub(_hanzi_number, plain(spaced).lower().translate(_BRACKETS)).replace("第", "").replace("周上", "周")
    if text.startswith("(") and text.endswith(")") and text.count("(") == 1:
        text = text[1:-1]
    return [part for part in re.split(r"[,、;|]", text) if part and not _PER_WEEK.fullmatch(part)]


def _hanzi_number(found: re.Match[str]) -> str:
    tens, ten, ones = found[1].partition("十")
    number = 10 * _DIGITS.get(tens, 1) + _DIGITS.get(ones, 0) if ten else _DIGITS[tens]
    return f"{number}," if found[2] else str(number)


def _part(part: str, read_runs: _Reader) -> _PartRuns:
    lead = _LEAD.match(part)
    body = part[lead.end() :] if lead else part
    found = _NUMBERS.match(body)
    tail = _TAIL.fullmatch(body[found.end() :] if found else body)
    if tail is None or (found is None and tail[2] is None) or (lead and tail[2]):
        raise _BadList
    mark, said = lead[1] if lead else tail[2], bool(tail[1] or tail[3] or tail[4])
    parity = None if mark is None else PARITY[mark]
    if found is None:
        return _PartRuns(None, parity, said)
    doubled = tail[3] == "大节" or "大节" in found[0]
    return _PartRuns(read_runs(re.findall(r"\d+", found[0]), doubled), parity, said)


def _week_run(numbers: list[str], doubled: bool) -> list[Run]:
    if len(numbers) > 2 or doubled:
        raise _BadList
    first, last = int(numbers[0]), int(numbers[-1])
    if last < first:
        raise _BadList(backwards=True)
    if last - first > RANGE_MAX:
        raise _BadList
    return [(first, last)]


def _section_runs(numbers: list[str], doubled: bool) -> list[Run]:
    """Returns sections of one part; double ones count by twos, and two-figure numbers may stand side by side without
    dashes."""
    if len(numbers) == 1 and len(numbers[0]) >= 4 and len(numbers[0]) % 2 == 0:
        numbers = re.findall(r"\d\d", numbers[0])
    listed = [int(number) for number in numbers]
    if len(listed) > 2 and any(later != earlier + 1 for earlier, later in itertools.pairwise(listed)):
        raise _BadList
    first, last = listed[0], listed[-1]
    if last < first:
        raise _BadList(backwards=True)
    return [(2 * first - 1, 2 * last) if doubled else (first, last)]


def _shared_parities(read: Sequence[_PartRuns]) -> set[int]:
    """Returns the parities that hold for the whole list."""
    *earlier, last = read
    alone = {part.parity for part in read if part.runs is None and part.parity is not None}
    if last.said and last.parity is not None and not any(part.parity is not None or part.said for part in earlier):
        return alone | {last.parity}
    return alone

"""What a student calls a class, items or a day, in the words that these have: lin alg -> Linear Algebra.

It is known here that the words name a class or items, so that a shorter or a misspelt piece tells enough; what
fits nothing, or several alike, stays as it was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import timedelta
from itertools import pairwise

from rapidfuzz import fuzz

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import date_text
from agent.loop.view_document import TaskView

_LIKE, _LIKE_ZH, _AHEAD = 78, 60, 6
"""How alike a misspelt name has to be, in characters a shorter one, and by how much more than the next one."""
DATED = frozenset({"plan_from", "plan_from_to", "plan_until", "create_from", "create_from_to", "create_until"})
"""The requests in which a weekday alone is said by its date."""
PAST = frozenset({"did_all_on", "missed_all_on", "what_missed_on"})
"""Those in which it is the last one up to today."""
_RANGE = re.compile(
    r"第?\s*(?P<first>\d{1,2})\s*[章讲课个单元]*\s*(?:-|~|–|到|至)\s*第?\s*(?P<last>\d{1,2})\s*(?P<kind>章|讲|课|单元|个?实验)"
    r"|(?P<zh>[一-鿿]{1,4}?)\s*(?P<zh_first>\d{1,2})\s*(?:-|~|–|到|至)\s*(?:[一-鿿]{1,4}?)?\s*(?P<zh_last>\d{1,2})"
    r"|\b(?P<en>[a-z]+?)s?\.?\s*(?P<en_first>\d{1,2})\s*(?:-|~|–|to|through|until)\s*(?:[a-z]+\s*)?(?P<en_last>\d{1,2})"
)
_NEXT = re.compile(r"\s*(?:[、,，;；&+]|\band\b|\bplus\b|[和与跟及]|以及)\s*(?:the |also )?")
_LONG = {"ch": "chapter", "chap": "chapter", "u": "unit", "lec": "lecture", "l": "lab"}
_MOST, _JOINED = 12, 4
"""Members of a range; letters of what may be the beginnings of two words: linalg."""


def spell_out_class(said: str, brief: Brief) -> str:
    """The name of the class that is meant."""
    ids = classes_in(said, brief.classes)
    if len(ids) == 1:
        return next(row["name"] for row in brief.classes if row["id"] == ids[0])
    return _find_like(said, [row["name"] for row in brief.classes]) or said


def spell_out_items(said: str, brief: Brief) -> str:
    """The names of the items that are meant, side by side."""
    rows = _find_rows(said, brief)
    if not rows:
        return said
    names = list(dict.fromkeys(row["name"] for row in rows))
    if not said.isascii() or not all(name.isascii() for name in names):
        return "、".join(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def spell_out_day(said: str, brief: Brief, *, past: bool = False) -> str:
    """The date of a weekday that is a first or a last day: the next one from today on, or the last one."""
    times = read_times(said, brief.term)
    days = [one for one in times if one.kind == "weekday"]
    if len(days) != 1 or len(days[0].weekdays) != 1 or any(one.kind in ("day", "days", "week") for one in times):
        return said
    today = brief.term.today
    ahead = (days[0].weekdays[0] - today.isoweekday()) % 7
    return date_text(brief, today + timedelta(days=ahead - 7 * (past and ahead > 0)))


def _find_rows(said: str, brief: Brief) -> list[TaskView]:
    """The items of each piece of what is said, in its order; none where a piece fits none."""
    items = all_items(brief)
    if (one := _find_one(said, brief, items)) is not None:
        return [one]
    found: list[TaskView] = []
    kind = ""
    for piece in _pieces_of(fold_numbers(said), items):
        labelled = re.match(r"(?:第|[a-z]+\.?\s*|[一-鿿]+)(?=\d)", piece)
        kind = labelled.group() if labelled else kind
        row = _find_one(f"{kind}{piece}" if piece.isdigit() else piece, brief, items)
        if row is None:
            return []
        found.append(row)
    return found


def _pieces_of(text: str, items: Sequence[TaskView]) -> Iterable[str]:
    """The pieces of a list, names that hold a joint themselves as a whole, each member of a range."""
    signs: dict[str, str] = {}
    for row in sorted(items, key=lambda row: -len(row["name"])):
        name = fold_numbers(row["name"])
        if name in text and _NEXT.search(name):
            sign = chr(0xE000 + len(signs))
            signs[sign] = name
            text = text.replace(name, sign)
    for piece in _NEXT.split(_RANGE.sub(_list_range, text)):
        if piece.strip():
            yield signs.get(piece.strip(), piece.strip())


def _list_range(found: re.Match[str]) -> str:
    first, last = (int(found[at] or found[f"zh_{at}"] or found[f"en_{at}"]) for at in ("first", "last"))
    if not 0 < last - first < _MOST:
        return found.group()
    numbers = range(first, last + 1)
    if found["kind"]:
        return "、".join(f"第{number}{found['kind']}" for number in numbers)
    head = found["zh"] or f"{_LONG.get(found['en'], found['en'])} "
    return "、".join(f"{head}{number}" for number in numbers)


def _find_one(said: str, brief: Brief, items: Sequence[TaskView]) -> TaskView | None:
    """The one item that a piece names; None for none, and for several."""
    text = fold_numbers(said).strip()
    exact = [row for row in items if fold_numbers(row["name"]) == text]
    if len(exact) == 1:
        return exact[0]
    if _NEXT.search(text) or _RANGE.search(text):
        return None
    label = re.fullmatch(r"([a-z]+)\.?\s*(\d{1,2})", text)
    spelled = f"{_LONG.get(label[1], label[1])} {label[2]}" if label else said
    rows = items_in(spelled, brief, among=items)
    if len(rows) == 1:
        return rows[0]
    name = _find_like(said, [row["name"] for row in rows or items])
    return next((row for row in items if row["name"] == name), None)


def _find_like(said: str, names: Sequence[str]) -> str:
    """The only name that begins each of its words so, has these characters in their order, or is like them."""
    text = fold_numbers(said).strip(" .,，。")
    if len(text) < (3 if text.isascii() else 2):
        return ""
    for fits in (_begins_words, _holds):
        found = [name for name in names if fits(text, fold_numbers(name))]
        if found:
            return found[0] if len(found) == 1 else ""
    ranked = sorted(((_likeness(text, fold_numbers(name)), name) for name in names), reverse=True)
    if len(text) < 3 or not ranked or ranked[0][0] < (_LIKE if text.isascii() else _LIKE_ZH):
        return ""
    return ranked[0][1] if len(ranked) == 1 or ranked[0][0] - ranked[1][0] >= _AHEAD else ""


def _likeness(text: str, name: str) -> float:
    if re.findall(r"\d+", text) and re.findall(r"\d+", text) != re.findall(r"\d+", name):
        return 0.0
    return max(fuzz.ratio(text, name), fuzz.partial_ratio(text, name) - 4 if len(text) > 3 else 0.0)


def _begins_words(text: str, name: str) -> bool:
    """lin alg for linear algebra, hyp tests for chapter 6 hypothesis tests."""
    if not text.isascii():
        return False
    words = re.findall(r"[a-z0-9]+", name)
    if text.isalpha() and len(text) > _JOINED:
        joined = [(text[:at], text[at:]) for at in range(2, len(text) - 1)]
        if any(a.startswith(head) and b.startswith(tail) for head, tail in joined for a, b in pairwise(words)):
            return True
    ahead = iter(words)
    return all(
        any(word.startswith(part.rstrip("s") or part) for word in ahead) for part in re.findall(r"[a-z0-9]+", text)
    )


def _holds(text: str, name: str) -> bool:
    """特征值 for 特征值与特征向量, 矩阵 for 矩阵运算; the characters of the name in their order."""
    ahead = iter(name)
    return text in name or (not text.isascii() and all(char in ahead for char in text))

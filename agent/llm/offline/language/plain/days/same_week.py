"""Items that are to be in one week, and others a week later: 实验一和实验二同一周，实验三放后面一周.

Which week it is stays open: that of the first of them that has a place, else the first one of their class.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, has_chinese
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.paraphrase.names import find_shortened
from agent.llm.offline.language.paraphrase.paraphrase import AS_SAID
from agent.llm.offline.language.spans.classes.class_times import find_owners
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.words import EN_DAY, say_date, weekday_of
from agent.loop.view_document import TaskView

_SAME = re.compile(
    r"同[1一]?个?(?:周|星期|礼拜)(?!天|日|[1-7一二三四五六末])"
    r"|\bthe same week\b(?! as\b)|\bone and the same week\b"
    r"|\bone week\b(?!\W+(?:later|earlier|after|before|from|on|ahead|back|more|off))"
)
_AFTER = re.compile(
    r"(?:后面?|之后|接着|紧接着|下|再下)的?[1一]?个?(?:周|星期|礼拜)(?!天|日|[2-7二三四五六末])|[晚后]1个?(?:周|星期)"
    r"|\b(?:the |a )?(?:week (?:after|later)(?: that)?|(?:following|next) week)\b"
)
_AHEAD = re.compile(
    r"(?:前面?|之前|上)的?[1一]?个?(?:周|星期|礼拜)(?!天|日|[2-7二三四五六末])|\b(?:the |a )?week before(?: that)?\b"
)
_THEN = re.compile(r"那[1一]?个?(?:周|星期|礼拜)(?!天|日|[2-7二三四五六末])|\bthat week\b")
_WEEKS = (_SAME, _AHEAD, _THEN, _AFTER)
_CLAUSE = re.compile(
    r"[,，;；。]\s*(?:and |then |然后|再)?"
    r"|\s+(?:and|then|but)\s+"
    r"(?=(?:(?! and )[^,;])*\b(?:week (?:after|before|later)|following week|(?:next|that) week)\b)"
)
_LEAVES = re.compile(r"不|别|\b(?:not|never|don't|no)\b")
_LEAST = 2

_NEXT_DAY = re.compile(
    r"(?:再下|后面?|之后)的?[1一]?个(?:周|星期|礼拜)(?P<zh>[一二三四五六日天])"
    rf"|\b(?:the |that )(?P<en>{EN_DAY}) after(?: (?:that|it))?(?=(?: pls| please)?\W*$)"
)


def read_weekday_after(text: str, brief: Brief) -> list[Frame]:
    """That an item is to be on the next such weekday behind the day it has: move it to the tuesday after."""
    found = _NEXT_DAY.search(text)
    short = find_shortened(text, (), [row["name"] for row in brief.tasks]) if found else []
    named = find_mentioned(text, brief) or [row for row in brief.tasks if row["name"] in short]
    slot = named[0]["slot"] if len(named) == 1 else None
    if found is None or slot is None or read_times(text.replace(found.group(), " "), brief.term):
        return []
    day = brief.day_of(slot)
    day += timedelta(days=(weekday_of(found["zh"] or found["en"]) - day.isoweekday() - 1) % 7 + 1)
    when = say_date(day, zh=has_chinese(text))
    return [frame_of("move_to", {"items": (named[0]["name"],), "time": (when,)})]


_THAT_WEEK = re.compile(
    r"(?:那|同一?)个?(?:周|星期|礼拜)(?:之?[内里中])?(?!天|日|[1-7一二三四五六末])"
    r"|\b(?:in |of |on )?(?:that|the same) week\b(?! as\b)"
)
_THAT_DAY = re.compile(r"那[1一]?天|当天|\b(?:on )?that day\b")


def read_other_day_then(text: str, brief: Brief) -> list[Frame]:
    """That an item is to be on another day of the week it is in, whatever keeps it from its own."""
    rows = [row for row in find_mentioned(text, brief) if row["slot"]] if _THAT_WEEK.search(text) else []
    rest = _THAT_DAY.sub(" ", _THAT_WEEK.sub(" ", text))
    if len(rows) != 1 or not says("other_day", rest) or read_times(rest, brief.term) or asks_whether(text):
        return []
    name = rows[0]["name"]
    return [
        frame_of(AS_SAID, {"text": (f"{name}那周换一天" if has_chinese(text) else f"{name} another day that week",)})
    ]


def read_same_week(text: str, brief: Brief) -> list[Frame]:
    """The frames that give such items their weeks; none where it is not so."""
    clauses = [fold_numbers(clause) for clause in _CLAUSE.split(text) if clause.strip()]
    told = [(clause, _items_of(clause, brief)) for clause in clauses if any(one.search(clause) for one in _WEEKS)]
    same = [rows for clause, rows in told if _SAME.search(clause)]
    if len(same) != 1 or len(same[0]) < _LEAST or asks_whether(text) or any(map(_LEAVES.search, clauses)):
        return []
    if len(told) < len(clauses) or any(_tells_time(clause, brief) for clause in clauses):
        return []
    ahead, then, after = ([row for clause, rows in told if form.search(clause) for row in rows] for form in _WEEKS[1:])
    week = _week_of(same[0], brief)
    placed = any(row["item_id"] in {one["item_id"] for one in same[0]} and row["slot"] for row in brief.tasks_before)
    week += bool(ahead) and not placed  # the week before is none before the class begins
    weeks = ((ahead, week - 1), ([*same[0], *then], week), (after, week + 1))
    return [frame for rows, at in weeks for frame in _frames(rows, at, text)]


def _tells_time(clause: str, brief: Brief) -> bool:
    """Whether a clause names a time beside such a week."""
    for form in _WEEKS:
        clause = form.sub(" ", clause)
    return bool(read_times(clause, brief.term))


def _items_of(clause: str, brief: Brief) -> list[TaskView]:
    """The items that a clause names, else those of the class that it names."""
    rows = items_in(clause, brief, among=all_items(brief))
    owners = (classes_in(clause, brief.classes) or find_owners(clause, brief)) if not rows else []
    return rows or [row for row in all_items(brief) if [row["class_id"]] == owners]


def _week_of(rows: list[TaskView], brief: Brief) -> int:
    """The week of the first that had a place when the goal began, else of the first day of their class."""
    ids = [row["item_id"] for row in rows]
    placed = [row["slot"]["week"] for row in brief.tasks_before if row["item_id"] in ids and row["slot"]]
    begins = (brief.class_of(rows[0]["class_id"]) or {"start_date": ""})["start_date"]
    first = max(date.fromisoformat(begins), brief.term.today) if begins else brief.term.today
    return placed[0] if placed else brief.term.week_day(first)[0]


def _frames(rows: list[TaskView], week: int, text: str) -> list[Frame]:
    when = f"第{week}周" if has_chinese(text) else f"week {week}"
    slots = {"items": tuple(row["name"] for row in rows), "time": (when,)}
    return [frame_of("put_in_on", slots)] if rows else []

"""Questions put together from what is asked, of what, when and in which groups, each with what its answer has to say.

The answer is held against the items of the student, counted here and not by the assistant.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import product

from tests.conversations.composition.generators.term import LABS, PROBABILITY, TODAY, WORDS, Item, items_of

Keeps = Callable[[Item], bool]
Check = Callable[[str], str]
"""What an answer lacks; empty where it is right."""
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
NOW = (TODAY, 2)


@dataclass(frozen=True)
class Slot:
    """One slot of a question: its wordings, and the items that it keeps."""

    key: str
    zh: tuple[str, ...]
    en: tuple[str, ...]
    keeps: Keeps = lambda item: True

    def said(self, language: str) -> tuple[str, ...]:
        return self.zh if language == "zh" else self.en


@dataclass(frozen=True)
class Question:
    key: str
    language: str
    text: str
    check: Check


def _of(class_id: int) -> Keeps:
    return lambda item: item.class_id == class_id


def _between(first: date, last: date) -> Keeps:
    return lambda item: item.day is not None and first <= item.day <= last


def _monday(week: int) -> date:
    return date(2026, 3, 2) + timedelta(days=7 * (week - 1))


def _week(week: int) -> Keeps:
    return _between(_monday(week), _monday(week) + timedelta(days=6))


WHO = (
    Slot("all", ("任务", "要学的东西", "内容"), ("items", "tasks", "things to study")),
    Slot("labs", ("物理实验", "实验"), ("physics labs", "labs"), _of(LABS)),
    Slot("words", ("六级", "单词", "英语六级"), ("vocab units", "CET-6 units", "vocab sessions"), _of(WORDS)),
    Slot("prob", ("概率论", "概率的章节"), ("probability chapters", "chapters"), _of(PROBABILITY)),
    Slot("two", ("概率论和实验", "实验和概率"), ("labs and chapters", "probability chapters and labs"),
         lambda item: item.class_id != WORDS),
    Slot("but", ("除了六级以外的任务", "不算六级的内容"), ("items apart from vocab", "tasks except CET-6"),
         lambda item: item.class_id != WORDS),
)  # fmt: skip
WHEN = (
    Slot("ever", ("",), ("",)),
    Slot("this", ("这周", "本周"), ("this week",), _week(6)),
    Slot("next", ("下周", "下个星期"), ("next week",), _week(7)),
    Slot("week", ("第7周", "第七周"), ("in week 7",), _week(7)),
    Slot("day", ("周日", "这周日"), ("on Sunday", "this sunday"), _between(date(2026, 4, 12), date(2026, 4, 12))),
    Slot("date", ("4月13号", "13号"), ("on 13 April", "on April 13"), _between(date(2026, 4, 13), date(2026, 4, 13))),
    Slot("until", ("到周日为止", "周日之前（含周日）"), ("until Sunday", "by Sunday"),
         _between(TODAY, date(2026, 4, 12))),
    Slot("from", ("从今天起", "今天开始"), ("from today on", "from today"), _between(TODAY, date.max)),
    Slot("weekends", ("每个周末",), ("on weekends", "at weekends"),
         lambda item: item.day is not None and item.day.isoweekday() > 5 and item.day >= TODAY),
    Slot("evenings", ("晚上",), ("in the evenings", "in the evening"),
         lambda item: item.first >= 9 and item.place >= NOW),
    Slot("next_evenings", ("下周晚上",), ("next week in the evenings", "in the evenings next week"),
         lambda item: item.first >= 9 and _week(7)(item)),
    Slot("sections", ("下周5-6节",), ("in sections 5-6 next week", "next week in sections 5-6"),
         lambda item: item.first == 5 and _week(7)(item)),
    Slot("range", ("4月10号到15号", "10号到15号"), ("between 10 and 15 April", "from 10 to 15 April"),
         _between(date(2026, 4, 10), date(2026, 4, 15))),
    Slot("yesterday", ("昨天",), ("yesterday",), _between(date(2026, 4, 7), date(2026, 4, 7))),
)  # fmt: skip
HOLIDAY = Slot(
    "holiday", ("五一前后", "五一假期"), ("around the May holiday",), _between(date(2026, 4, 28), date(2026, 5, 6))
)
STATUS = (
    Slot("any", ("",), ("",)),
    Slot("left", ("剩下的", "还没学的"), ("remaining", "upcoming"),
         lambda item: item.mark != "done" and (item.day is None or item.mark == "missed" or item.place > NOW)),
    Slot("unplaced", ("没排上的", "没有位置的"), ("unplaced", "unscheduled"), lambda item: item.day is None),
    Slot("done", ("做完的", "已经完成的"), ("finished", "completed"), lambda item: item.mark == "done"),
    Slot("missed", ("漏掉的", "错过的"), ("missed",), lambda item: item.mark == "missed"),
)  # fmt: skip
TIMELESS = ("unplaced",)


def _first_line(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip()), "")


def date_said(day: date, text: str) -> bool:
    return f"{day.month}月{day.day}日" in text or f"{day.day} {MONTHS[day.month - 1]}" in text


def _named(text: str, language: str) -> list[str]:
    names = [item.name for item in items_of(language)]
    return [name for name in names if re.search(rf"{re.escape(name)}(?!\d)", text)]


def _lists(rows: list[Item], language: str) -> Check:
    def check(text: str) -> str:
        named, wanted = _named(text, language), [row.name for row in rows]
        if missing := [name for name in wanted if name not in named]:
            return f"lacks {missing}"
        if more := [name for name in named if name not in wanted]:
            return f"names {more} too"
        if not rows:
            return (
                "" if re.search(r"没有|不|\bno|No|none|None|nothing|Nothing|\b0\b|0 项", text) else "does not say none"
            )
        return ""

    return check


def _says_number(number: int) -> Check:
    none = r"|没有|\b(?:no|none|nothing)\b" if number == 0 else ""

    def check(text: str) -> str:
        head = re.split(r"[。:：\n]", text)[0] if number else text
        head = _first_line(text) if not re.search(r"\d", head) else head
        return (
            ""
            if re.search(rf"(?<![\d-]){number}(?!\d|月|-|周)(?! Apr| May){none}", head, re.IGNORECASE)
            else f"no {number} in {head!r}"
        )

    return check


def _says_whether(truth: bool) -> Check:
    yes, no = r"^(?:有|是|对|会|都|Yes)", r"^(?:没|不|No\b|None|Nothing)"

    def check(text: str) -> str:
        return "" if re.match(yes if truth else no, text.strip()) else f"not {'yes' if truth else 'no'} first"

    return check


def _names_first(row: Item | None, language: str) -> Check:
    def check(text: str) -> str:
        if row is None:
            return _lists([], language)(text)
        named = sorted(_named(text, language), key=lambda name: text.find(name))
        return "" if named[:1] == [row.name] else f"first named is {named[:1]}, not {row.name}"

    return check


def _says_days(days: list[date], *, all_of: bool = True) -> Check:
    def check(text: str) -> str:
        lacking = [str(day) for day in days if not date_said(day, text)]
        return f"lacks {lacking}" if lacking and (all_of or len(lacking) == len(days)) else ""

    return check


def _top(counts: dict[date, int], *, least: bool = False) -> Check:
    best = (min if least else max)(counts.values()) if counts else 0
    days = [day for day, count in counts.items() if count == best]

    def check(text: str) -> str:
        head = "\n".join(text.splitlines()[:2])
        return "" if not counts or any(date_said(day, head) for day in days) else f"none of {days} first"

    return check


def _per_day(rows: list[Item]) -> Check:
    counts = Counter(row.day for row in rows if row.day)

    def check(text: str) -> str:
        for day, count in counts.items():
            lines = [line for line in text.splitlines() if day and date_said(day, line)]
            if not any(re.search(rf"(?<![\d-]){count}(?: 项| (?:items?|steps?)\b)", line) for line in lines[-1:]):
                return f"not {count} on {day}"
        return "" if counts or re.search(r"没有|\b(?:no|No|none|Nothing|nothing)\b|0", text) else "does not say none"

    return check


def _per_class(rows: list[Item], language: str) -> Check:
    from tests.conversations.composition.generators.term import NAMES

    def check(text: str) -> str:
        for class_id, name in zip((PROBABILITY, WORDS, LABS), NAMES[language], strict=True):
            count = sum(row.class_id == class_id for row in rows)
            line = next((line for line in text.splitlines() if name in line), "")
            if not re.search(rf"(?<![\d-]){count}(?!\d)", line) and (count or line):
                return f"not {count} for {name}"
        return ""

    return check


def _which_class(rows: list[Item], language: str, *, least: bool = False) -> Check:
    from tests.conversations.composition.generators.term import NAMES

    counts = {
        name: sum(row.class_id == class_id for row in rows)
        for class_id, name in zip((PROBABILITY, WORDS, LABS), NAMES[language], strict=True)
    }
    best = (min if least else max)(counts.values())

    def check(text: str) -> str:
        head = _first_line(text)
        return (
            "" if any(name in head for name, count in counts.items() if count == best) else f"no best class of {counts}"
        )

    return check


def _sorted(rows: list[Item]) -> list[Item]:
    return sorted((row for row in rows if row.day), key=lambda row: row.place)


def _by_day(rows: list[Item]) -> dict[date, int]:
    return dict(Counter(row.day for row in rows if row.day))


def _by_week(rows: list[Item]) -> dict[date, int]:
    return dict(Counter(row.day - timedelta(days=row.day.weekday()) for row in rows if row.day))


Measure = tuple[tuple[str, ...], tuple[str, ...], Callable[[list[Item], str], Check]]
MEASURES: dict[str, Measure] = {
    "which": (
        ("{when}有哪些{what}", "{when}{what}有哪些？", "{what}{when}都有什么"),
        ("which {what} do i have {when}?", "list my {what} {when}", "what {what} are there {when}?"),
        _lists,
    ),
    "when": (
        ("{when}{what}都排在什么时候", "{what}{when}分别在哪几天几节"),
        ("when are my {what} {when}?", "where are the {what} {when}"),
        lambda rows, language: _lists(rows, language),
    ),
    "count": (
        ("{when}有几项{what}", "{what}{when}有多少项？", "{when}一共多少{what}"),
        ("how many {what} do i have {when}?", "number of {what} {when}?", "how many {what} are there {when}"),
        lambda rows, language: _says_number(len(rows)),
    ),
    "sections": (
        ("{when}{what}一共几节", "{what}{when}总共要多少节"),
        ("how many sections of {what} {when}?", "how many sections do my {what} take {when}"),
        lambda rows, language: _says_number(2 * len(rows)),
    ),
    "any": (
        ("{when}有没有{what}", "{when}有{what}吗", "{what}{when}有安排吗"),
        ("are there any {what} {when}?", "do i have any {what} {when}?", "any {what} {when}?"),
        lambda rows, language: _says_whether(bool(rows)),
    ),
    "first": (
        ("{when}{what}里最早的是哪个", "{what}{when}第一项是什么"),
        ("what's the first of my {what} {when}?", "which of the {what} comes first {when}?"),
        lambda rows, language: _names_first(next(iter(_sorted(rows)), None), language),
    ),
    "last": (
        ("{when}{what}里最晚的是哪项", "{what}{when}最后一项是什么时候"),
        ("what's the last of my {what} {when}?", "which of the {what} comes last {when}?"),
        lambda rows, language: _names_first(next(iter(_sorted(rows)[::-1]), None), language),
    ),
    "days": (
        ("{what}{when}在哪些天", "{when}哪几天有{what}"),
        ("on which days {when} do i have {what}?", "which days {when} have {what}?"),
        lambda rows, language: _says_days(sorted(_by_day(rows))),
    ),
    "days_count": (
        ("{when}有几天有{what}", "{what}{when}要占几天"),
        ("on how many days {when} do i have {what}?", "how many days {when} have {what}?"),
        lambda rows, language: _says_number(len(_by_day(rows))),
    ),
    "range": (
        ("{what}{when}从几号到几号", "{when}{what}从哪天排到哪天"),
        ("from when to when do my {what} run {when}?", "when do the {what} start and end {when}?"),
        lambda rows, language: _says_days([row.day for row in (_sorted(rows)[:1] + _sorted(rows)[-1:]) if row.day]),
    ),
    "busiest": (
        ("{when}哪天{what}最多", "{what}{when}最多的是哪一天"),
        ("which day {when} has the most {what}?", "on what day {when} do i have the most {what}"),
        lambda rows, language: _top(_by_day(rows)),
    ),
    "busiest_week": (
        ("哪一周{what}最多", "{what}最多的是哪周"),
        ("which week has the most {what}?", "what week has most {what}"),
        lambda rows, language: _top(_by_week(rows)),
    ),
    "per_day": (
        ("{when}每天各有几项{what}", "{what}{when}每天多少项"),
        ("how many {what} per day {when}?", "how many {what} are there each day {when}?"),
        lambda rows, language: _per_day(rows),
    ),
    "per_class": (
        ("{when}每门各有几项{what}", "{when}各门课分别有多少{what}"),
        ("how many {what} per class {when}?", "how many {what} does each class have {when}?"),
        _per_class,
    ),
    "class_most": (
        ("{when}哪门课{what}最多", "{when}{what}最多的是哪门"),
        ("which class has the most {what} {when}?", "what class has most {what} {when}"),
        _which_class,
    ),
    "more_than": (
        ("{when}有没有哪天超过一项{what}", "{when}有哪天{what}多于一项吗"),
        (
            "is there any day {when} with more than one of the {what}?",
            "any day {when} with more than one of my {what}?",
        ),
        lambda rows, language: _says_whether(any(n > 1 for n in _by_day(rows).values())),
    ),
}
TIMED_ONLY = ("busiest", "per_day", "days", "more_than")
ALL_ONLY = ("per_class", "class_most")


def _combined(language: str) -> Iterator[tuple[str, Slot, Slot, Slot]]:
    for key, who, when, status in product(MEASURES, WHO, WHEN, STATUS):
        if key in ALL_ONLY and who.key != "all":
            continue
        if key == "busiest_week" and when.key != "ever":
            continue
        if status.key == "unplaced" and (
            when.key != "ever" or key not in ("which", "count", "sections", "any", "per_class", "class_most")
        ):
            continue
        if when.key == "yesterday" and (
            status.key == "left" or key in ("range", "busiest", "days", "days_count", "more_than", "per_day")
        ):
            continue
        if status.key in ("done", "missed") and when.key not in ("ever", "this", "yesterday"):
            continue
        if when.key in ("day", "date", "yesterday") and key in (
            "busiest",
            "days",
            "days_count",
            "range",
            "per_day",
            "more_than",
        ):
            continue
        yield key, who, when, status


def questions(language: str) -> list[Question]:
    """Every combination, in each of its wordings in turn."""
    found = []
    for number, (key, who, when, status) in enumerate(_combined(language)):
        zh, en, checked = MEASURES[key]
        forms = zh if language == "zh" else en
        rows = [row for row in items_of(language) if who.keeps(row) and when.keeps(row) and status.keeps(row)]
        words = [slot.said(language)[number % len(slot.said(language))] for slot in (who, when, status)]
        what = words[2] + ("" if language == "zh" else " ") + words[0]
        text = re.sub(r" +(?=[ ?]|$)", "", forms[number % len(forms)].format(what=what.strip(), when=words[1])).strip()
        found.append(Question(f"{key} {who.key} {when.key} {status.key}", language, text, checked(rows, language)))
    return found

"""Reads arguments as they were meant where they can mean one thing only: numbers and lists as text, words of another
case or language. What the schema says stays the judge; see `Registry.fit`."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from agent.calls.kinds import Json
from agent.calls.tool import plain_name
from agent.tools.argument_schema import Args, bare
from agent.tools.arguments.in_term import date_in_term
from agent.tools.words.labels import STATUS, WORDS
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import Calendar

WHOLE = re.compile(
    r"\s*(?:[\[#(]|第|周|day|week|section|period)?\s*([+-]?\d{1,10})(?:\.0+)?\s*(?:[\])]|[天日节周]|sections?|periods?)?\s*",
    re.I,
)
HAN = re.compile(r"第?([一二三四五六七八九十]{1,3})[天日节周]?")
DIGITS = {digit: at for at, digit in enumerate("一二三四五六七八九", 1)}
FLAGS: Mapping[str, bool] = {"true": True, "yes": True, "是": True, "false": False, "no": False, "否": False}


DAYS = ("day", "new_day", "day_start", "day_end")
"""Parameters that count the days of the window."""
ITEMS = ("task_id", "for_task_id", "task_a", "task_b")
"""Parameters that name an item by its id in the draft."""
STARTS = ("new_slot_start", "slot_start")
"""Parameters that name the section in which an item begins."""
FORMS: Mapping[str, str] = {
    **dict.fromkeys(DAYS, "时间窗里的第几天，或者日期、第几周周几"),
    **dict.fromkeys(ITEMS, "方括号里的任务编号，或者任务的完整名称"),
    **dict.fromkeys(STARTS, "开始的那一节"),
}
"""How they may be written, as a model is told."""
OWN_IDS = ("task_item_id", "item_id")
"""Names under which models give an item by the id of its own."""
ITEM_NAMES = ("task", "item", "task_name", "item_name", "task_title", "name", "title")
"""Names under which they give it by its name, or by its id in the draft."""
START_NAMES = (
    "start_section", "section_start", "section_from", "section", "sections", "start_slot", "slot", "slots", "period",
    "periods", "start", "start_time", "new_time", "time",
)  # fmt: skip
"""Names under which they give the section in which it begins, or all its sections."""
QUOTES = "「」『』《》〈〉“”‘’\"'` "
LEAST_NAMED = 2
"""Characters of a part of a name that can tell an item."""
WEEKDAY = re.compile(
    r"(?:第|week\s*)?\s*(\d{1,2})\s*周?\s*[,，]?\s*(?:(?:周|星期|礼拜)([一二三四五六日天])|(mon|tue|wed|thu|fri|sat|sun)[a-z]*)",
    re.I,
)
"""A weekday of a week of the semester: `第4周周三`, `week 4 Wed`."""
WEEKDAYS = {**{word: at for at, word in enumerate("一二三四五六日", 1)}, "天": 7} | {
    word: at for at, word in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"), 1)
}
SPAN = re.compile(r"\s*第?\s*(\d{1,2})\s*[-~–—至到]\s*(\d{1,2})\s*(?:节|sections?|periods?)?\s*", re.I)
CLOCK = re.compile(r"\s*(\d{1,2})[:：](\d{2})(?:\s*[-~–—至到].*)?\s*")
TAGGED = re.compile(r"\s*(?:(?:task|item|id|任务)[\s_#:：-]*(\d{1,10})|\[(\d{1,10})\]\s*(\S.*))\s*", re.I)
"""An item by its id in the draft with a word before it, or with its name behind it."""
AFFIXES = ("new_", "for_")
"""What some tools have before a name that others have without it."""


@dataclass(frozen=True)
class KnownDraft:
    """Tells days and items of a draft by what else names them; nothing without a draft."""

    schedule: ScheduleState | None = None
    calendar: Calendar | None = None

    def of_date(self, value: object) -> int | None:
        """Returns the index of a date, or of a weekday in a week; None for what is none and for days outside the
        window."""
        if isinstance(value, Mapping) and {*value} in ({"week", "day_of_week"}, {"week", "weekday"}):
            return self.of_week(value["week"], value.get("day_of_week", value.get("weekday")))
        if self.calendar is None or not isinstance(value, str):
            return None
        named = WEEKDAY.fullmatch(value.strip())
        if named is not None:
            return self.of_week(named[1], WEEKDAYS[(named[2] or named[3]).lower()])
        try:
            written = str(date_in_term(value, self.calendar)).strip().replace("/", "-")
            day = self.calendar.day_of(date.fromisoformat(written[:10]))
        except ValueError:
            return None
        return self._index(day) if isinstance(day, int) else None

    def of_week(self, week: object, weekday: object) -> int | None:
        """Returns the index of a weekday in a week of the semester."""
        numbers = [_integer(one, {}, _NOTHING) for one in (week, weekday)]
        first, second = (one if isinstance(one, int) else 0 for one in numbers)
        return self._index((first - 1) * 7 + second) if first >= 1 and 1 <= second <= 7 else None

    def starting(self, value: object) -> int | None:
        """Returns the section in which a span of sections, or a clock time, begins; None for what is none."""
        if isinstance(value, list) and len(value) > 1 and all(type(one) is int for one in value):
            return value[0] if value == list(range(value[0], value[0] + len(value))) else None
        span = SPAN.fullmatch(value) if isinstance(value, str) else None
        if span is not None:
            return int(span[1]) if int(span[1]) <= int(span[2]) else None
        clock = CLOCK.fullmatch(value) if isinstance(value, str) else None
        times = self.calendar.section_times if clock is not None and self.calendar is not None else ()
        said = (int(clock[1]), int(clock[2])) if clock is not None else None
        return next((at for at, (start, _) in enumerate(times, 1) if (start.hour, start.minute) == said), None)

    def named(self, value: object) -> int | None:
        """Returns the id of the one item with this name, or with this in its name; what can be a number is none."""
        tagged = TAGGED.fullmatch(value) if isinstance(value, str) else None
        if tagged is not None and self.schedule is not None:
            entry = self.schedule.task(int(tagged[1] or tagged[2]))
            fits = entry is not None and entry.is_item and tagged[3] in (None, entry.name, f"「{entry.name}」")
            return entry.state_id if entry is not None and fits else None
        name = value.strip().strip(QUOTES) if isinstance(value, str) and not WHOLE.fullmatch(value) else ""
        items = list(self.schedule.items()) if self.schedule is not None and len(name) >= LEAST_NAMED else []
        whole = [one.state_id for one in items if one.name == name]
        found = whole or [one.state_id for one in items if name in one.name]
        return found[0] if len(found) == 1 else None

    def stored_as(self, value: object) -> int | None:
        """Returns the id that the item with this id of its own has in the draft."""
        number = _integer(value, {}, _NOTHING)
        items = self.schedule.items() if self.schedule is not None else ()
        return next((one.state_id for one in items if one.source_id == number), None)

    def placed_as(self, value: object) -> int | None:
        """Returns the id of an item in the draft where the value is one."""
        number = _integer(value, {}, _NOTHING)
        entry = self.schedule.task(number) if self.schedule is not None and isinstance(number, int) else None
        return entry.state_id if entry is not None and entry.is_item else None

    def _index(self, day: int) -> int | None:
        window = self.schedule.window if self.schedule is not None else None
        return window.index_of(day) if window is not None and window.contains(day) else None


@dataclass(frozen=True)
class _Reading:
    definitions: Json
    draft: KnownDraft


_NOTHING = _Reading({}, KnownDraft())


@lru_cache(maxsize=128)
def _document(schema: type[Args]) -> Json:
    return schema.model_json_schema()


def mend_arguments(schema: type[Args], given: Mapping[str, object], draft: KnownDraft = _NOTHING.draft) -> Json:
    """Returns the arguments with each value under the name and in the type that its parameter has, as far as that can
    be told."""
    document = _document(schema)
    known = document.get("properties", {})
    given = _spell(given, {*known, *schema.aliases})
    own = {schema.aliases.get(key, key): value for key, value in given.items()}
    given = own if len(own) == len(given) else given
    return _read_fields(given, known, _Reading(document.get("$defs", {}), draft))


def _spell(given: Mapping[str, object], known: Collection[str]) -> Json:
    """Returns the arguments with names that are no parameter in the spelling that parameters have: `newDay`."""
    spelled = {key: key if key in known else plain_name(key) for key in given}
    once = len({*spelled.values()}) == len(spelled)
    return {spelled[key] if once else key: value for key, value in given.items()}


def _read_fields(given: Mapping[str, object], known: Json, reading: _Reading) -> Json:
    named = _name_starts(_name_alike(given, known), known, reading.draft)
    found = _name_items(_name_days(named, known, reading.draft), known, reading.draft)
    return {key: _mend(one, known[key], reading) if key in known else one for key, one in found.items()}


def _name_alike(given: Mapping[str, object], known: Json) -> Json:
    """Returns the arguments with unknown names that differ from one free parameter by its affix under that name."""
    found = dict(given)
    for key in [key for key in given if key not in known]:
        alike = {*(f"{affix}{key}" for affix in AFFIXES), *(key.removeprefix(affix) for affix in AFFIXES)}
        free = [name for name in known if name in alike and name not in found]
        if len(free) == 1:
            found[free[0]] = found.pop(key)
    return found


def _name_starts(given: Json, known: Json, draft: KnownDraft) -> Json:
    """Returns the arguments with the first section under the name that this tool has for it."""
    free = [name for name in STARTS if name in known and name not in given]
    other = [key for key in given if key not in known and plain_name(key) in START_NAMES]
    if len(free) != 1 or len(other) != 1:
        return given
    value = given[other[0]]
    begins = _integer(value, {}, _NOTHING) if draft.starting(value) is None else draft.starting(value)
    if type(begins) is not int:
        return given
    return {key: one for key, one in given.items() if key != other[0]} | {free[0]: begins}


def _name_days(given: Json, known: Json, draft: KnownDraft) -> Json:
    """Returns the arguments with days by their number that were given by date, or by week and weekday."""
    found = dict(given)
    free = [name for name in ("new_day", "day") if name in known and name not in found]
    other = next((key for key in ("date", "new_date") if key in found and key not in known), "")
    if free and other and draft.of_date(found[other]) is not None:
        found[free.pop(0)] = found.pop(other)
    weekday = next((key for key in ("day_of_week", "weekday") if key in found and key not in known), "")
    if free and weekday and "week" in found and "week" not in known:
        index = draft.of_week(found["week"], found[weekday])
        if index is not None:
            found = {key: one for key, one in found.items() if key not in ("week", weekday)} | {free[0]: index}
    dates = {key: draft.of_date(found[key]) for key in DAYS if key in found and key in known}
    starts = {key: draft.starting(found[key]) for key in STARTS if key in found and key in known}
    return found | {key: index for key, index in {**dates, **starts}.items() if index is not None}


def _name_items(given: Json, known: Json, draft: KnownDraft) -> Json:
    """Returns the arguments with items by their id in the draft that were given by name, or by their own id."""
    found = dict(given)
    free = [name for name in ITEMS[:2] if name in known and name not in found]
    own = next((key for key in found if key not in known and plain_name(key) in (*OWN_IDS, *ITEM_NAMES)), "")
    if free and own:
        number = draft.stored_as(found[own]) if plain_name(own) in OWN_IDS else draft.named(found[own])
        number = draft.placed_as(found[own]) if number is None else number
        if number is not None:
            found = {key: one for key, one in found.items() if key != own} | {free[0]: number}
    named = {key: draft.named(found[key]) for key in ITEMS if key in found and key in known}
    return found | {key: number for key, number in named.items() if number is not None}


def drop_path(given: Json, path: str) -> Json:
    """Returns the arguments without the key at a path such as `moves[0].note`."""
    head, _, rest = re.sub(r"\[(\d+)\]", r".\1", path).partition(".")
    if not rest:
        return {key: value for key, value in given.items() if key != head}
    return {key: _without(value, rest) if key == head else value for key, value in given.items()}


def _without(value: Any, path: str) -> Any:
    if isinstance(value, list):
        head, _, rest = path.partition(".")
        if not head.isdigit():
            return value
        return [_without(one, rest) if at == int(head) and rest else one for at, one in enumerate(value)]
    return drop_path(value, path) if isinstance(value, dict) else value


def _mend(value: object, document: Json, reading: _Reading) -> object:
    document = bare(document)
    if "$ref" in document:
        document = reading.definitions[document["$ref"].rsplit("/", 1)[1]]
    mend = MENDERS.get(str(document.get("type", "object")))
    return value if mend is None or value is None else mend(value, document, reading)


def _integer(value: object, document: Json, reading: _Reading) -> object:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, str):
        return value
    found, written = WHOLE.fullmatch(value), HAN.fullmatch(value.strip())
    return int(found.group(1)) if found else _number(written.group(1), value) if written else value


def _number(han: str, otherwise: str) -> int | str:
    """Reads a number: `十二` is 12; what is no number up to 99 stays as it is."""
    tens, ten, ones = han.rpartition("十")
    if len(tens) > 1 or len(ones) > 1:
        return otherwise
    return (DIGITS.get(tens, 1) * 10 if ten else 0) + (DIGITS[ones] if ones else 0)


def _boolean(value: object, document: Json, reading: _Reading) -> object:
    return FLAGS.get(value.strip().lower(), value) if isinstance(value, str) else value


def _string(value: object, document: Json, reading: _Reading) -> object:
    allowed = document.get("enum")
    if not isinstance(value, str) or not allowed or value in allowed:
        return value
    word = value.strip()
    alike = [one for one in allowed if str(one).lower() == word.lower()]
    named = [one for one in allowed if word and _label(str(one)).startswith(word)]
    return (alike or (named if len(named) == 1 else []) or [value])[0]


def _label(word: str) -> str:
    return WORDS.get(word) or STATUS.get(word, "")


def _array(value: object, document: Json, reading: _Reading) -> object:
    if isinstance(value, str):
        value = _load_value(value, list, value if value.strip() else [])
    rows = value if isinstance(value, list) else [value]
    return [_mend(one, document.get("items", {}), reading) for one in rows]


def _object(value: object, document: Json, reading: _Reading) -> object:
    if isinstance(value, str):
        value = _load_value(value, dict, value)
    if not isinstance(value, Mapping):
        return value
    known = document.get("properties", {})
    return _read_fields(_spell(value, known), known, reading)


def _load_value(text: str, kind: type, otherwise: object) -> object:
    try:
        found: object = json.loads(text)
    except ValueError:
        return otherwise
    return found if isinstance(found, kind) else otherwise


MENDERS = {"integer": _integer, "boolean": _boolean, "string": _string, "array": _array, "object": _object}

"""Arguments of the tools that write task classes, and the widenings that are accepted before they are judged.

Only shapes and types are closed here. Values are judged by `taskclasses.spec`, the checks that REST and admin share, so
that all of them come back as issues of one answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from agent.calls.kinds import Json
from agent.tools.argument_schema import INT_MAX, Args, violation
from agent.tools.arguments.in_term import blocks_of_parts, date_in_term
from schedules.planner.grid import Calendar
from taskclasses import spec
from taskclasses.fields import CLASS_FIELDS, COLORS, LEVELS, MODES, STRATEGIES, SUBJECT_TYPES, ClassField

CONFIG_KEYS = tuple(field.name for field in CLASS_FIELDS if field.config)
CLASS_KEYS = tuple(field.name for field in CLASS_FIELDS if not field.config)
DATES = tuple(field.name for field in CLASS_FIELDS if field.kind == "date")
CONTENT_NAMES = ("description", "title", "name")
LEVEL_WORDS = {
    "低": "low", "简单": "low", "容易": "low", "easy": "low", "中": "medium", "中等": "medium", "一般": "medium",
    "normal": "medium", "moderate": "medium", "高": "high", "难": "high", "困难": "high", "hard": "high",
    "difficult": "high",
}  # fmt: skip
WORDS: dict[str, dict[str, str]] = {
    "mode": {"自动": "auto", "automatic": "auto", "手动": "manual"},
    "subject_type": {
        "计算型": "quantitative", "计算": "quantitative", "理工": "quantitative", "数学": "quantitative",
        "math": "quantitative", "记忆型": "memory", "记忆": "memory", "背诵": "memory", "阅读型": "reading",
        "阅读": "reading", "混合型": "mixed", "混合": "mixed",
    },
    "difficulty_level": LEVEL_WORDS,
    "cognitive_intensity": LEVEL_WORDS,
    "strategy": {
        "均匀": "steady", "均匀分布": "steady", "平均": "steady", "even": "steady", "集中": "rapid", "突击": "rapid",
        "集中突击": "rapid", "intensive": "rapid",
    },
}  # fmt: skip
CLASSES_MAX = 50
"""Classes that one call changes."""
NUMBERED = re.compile(r"^(?:\d{1,2}[.、)）](?!\d)|[-*•])\s*")
"""What stands before each row of a list."""
ROWS = re.compile(r"[；;\n]+")
LISTED = re.compile(r"[、；;\n]+|[,，](?!\d)")
"""What stands between items that are written in one text."""
WEEKDAYS = {
    **{f"{head}{day}": at for at, day in enumerate("一二三四五六日", 1) for head in ("周", "星期", "礼拜")},
    "周天": 7, "星期天": 7,
    "monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6, "sunday": 7,
    "mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6, "sun": 7,
}  # fmt: skip
FLAGS = {"true": True, "yes": True, "是": True, "可以": True, "false": False, "no": False, "否": False, "不": False}
WEEKEND = ("周末", "weekend", "weekends")
NEW_IDS = (0, "0", "", "new", "none", "null", "无", "新建")
"""What models write for the id of what there is not yet."""
WHOLE_DATE = re.compile(
    r"\s*(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?(?:[T ]\d{2}:\d{2}.*|\s*[(（]?(?:周|星期).[)）]?)?\s*"
)
SECTION_PAIR = re.compile(r"^(\d{1,2})\s*[-~～—]\s*(\d{1,2})节?$")


Mode = Annotated[str, Field(json_schema_extra={"enum": [*MODES]})]
Strategy = Annotated[str, Field(json_schema_extra={"enum": [*STRATEGIES]})]
SubjectType = Annotated[str, Field(json_schema_extra={"enum": [*SUBJECT_TYPES]})]
Level = Annotated[str, Field(json_schema_extra={"enum": [*LEVELS]})]
"""Allowed values are told to the model; `taskclasses.spec` refuses others as an issue."""


class ArgumentPart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class CellArgs(ArgumentPart):
    day_of_week: Annotated[int, Field(json_schema_extra={"minimum": 1, "maximum": 7})]
    block: Annotated[int, Field(json_schema_extra={"minimum": 1})]


class ConfigArgs(ArgumentPart):
    total_slots: Annotated[int, Field(json_schema_extra={"minimum": 1, "maximum": spec.TOTAL_SLOTS_MAX})] | None = None
    strategy: Strategy | None = None
    allow_filler_course: bool | None = None
    excluded_slots: list[int] | None = None
    excluded_days_of_week: list[int] | None = None
    excluded_cells: list[CellArgs] | None = None


class ClassArgs(ArgumentPart):
    name: str | None = None
    mode: Mode | None = None
    start_date: Annotated[str, Field(json_schema_extra={"format": "date"})] | None = None
    end_date: Annotated[str, Field(json_schema_extra={"format": "date"})] | None = None
    subject_type: SubjectType | None = None
    difficulty_level: Level | None = None
    cognitive_intensity: Level | None = None
    color_index: Annotated[int, Field(json_schema_extra={"minimum": 0, "maximum": COLORS - 1})] | None = None
    seal: str | None = None
    course_id: Annotated[int, Field(ge=1, le=INT_MAX)] | None = None
    exam_id: Annotated[int, Field(ge=1, le=INT_MAX)] | None = None
    config: ConfigArgs | None = None


class ItemArgs(ArgumentPart):
    id: Annotated[int, Field(ge=1, le=INT_MAX)] | None = None
    order: int | None = None
    content: str = ""
    duration: Annotated[int, Field(json_schema_extra={"minimum": 1, "maximum": spec.DURATION_MAX})] | None = None


class UpsertArgs(Args):
    aliases: ClassVar[Mapping[str, str]] = {"task_class_id": "id", "class_id": "id"}
    id: Annotated[int, Field(ge=1, le=INT_MAX)] | None = None
    task_class: ClassArgs | None = None
    items: list[ItemArgs] | None = None
    source: Literal["chat", "web"] = "chat"

    @classmethod
    def in_term(cls, values: Json, calendar: Calendar) -> Json:
        named = {cls.aliases.get(key, key): value for key, value in values.items()}
        return values_in_term(without_new_ids(named if len(named) == len(values) else values), calendar)

    @classmethod
    def prepare(cls, values: Json) -> tuple[Json, list[Json]]:
        return normalise_values(values)

    @classmethod
    def conflicts(cls, values: Json) -> list[Json]:
        inner = values.get("task_class")
        if isinstance(inner, Mapping) and "items" in inner and "items" in values:
            return [violation("task_class.items", "conflict", "items 与 task_class.items 只能给一个", inner["items"])]
        return []

    def values(self) -> Json:
        """Returns the given fields, nested as they came."""
        given: Json = self.model_dump(exclude_none=True)
        return given


class ClassChangeArgs(ArgumentPart):
    id: Annotated[int, Field(ge=1, le=INT_MAX)]
    task_class: ClassArgs


class UpdateClassesArgs(Args):
    classes: Annotated[list[ClassChangeArgs], Field(min_length=1, max_length=CLASSES_MAX)]

    @classmethod
    def in_term(cls, values: Json, calendar: Calendar) -> Json:
        rows = values.get("classes")
        if not isinstance(rows, list):
            return values
        read = [values_in_term(row, calendar) if isinstance(row, Mapping) else row for row in rows]
        return {**values, "classes": read}

    @classmethod
    def prepare(cls, values: Json) -> tuple[Json, list[Json]]:
        rows, notes = values.get("classes"), list[Json]()
        if not isinstance(rows, list):
            return values, notes
        changed = list[Any]()
        for index, row in enumerate(rows):
            read, told = normalise_values(row) if isinstance(row, dict) else (row, [])
            changed.append(read)
            notes += [{**note, "field": f"classes[{index}].{note['field']}"} for note in told]
        return {**values, "classes": changed}, notes

    @classmethod
    def conflicts(cls, values: Json) -> list[Json]:
        rows = values.get("classes")
        ids = [row.get("id") for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []
        twice = [one for at, one in enumerate(ids) if one is not None and one in ids[:at]]
        return [violation("classes", "conflict", "每个任务类只写一次", one) for one in twice[:1]]

    def each(self) -> list[UpsertArgs]:
        """Returns the change of each class as a call of its own would give it."""
        return [UpsertArgs(id=row.id, task_class=row.task_class) for row in self.classes]


class DeleteClassArgs(Args):
    task_class_id: Annotated[int, Field(ge=1, le=INT_MAX)]


def values_in_term(values: Mapping[str, Any], calendar: Calendar) -> Json:
    """Returns the values with dates without a year, and parts of a day that stand for blocks, as the semester has
    them."""
    found = dict(values)
    for key, value in values.items():
        if key in DATES:
            found[key] = date_in_term(value, calendar)
        elif key == "excluded_slots":
            found[key] = blocks_of_parts(value, calendar)
        elif key in ("task_class", "config") and isinstance(value, Mapping):
            found[key] = values_in_term(value, calendar)
    return found


class Normaliser:
    """Widens one call's values in a copy and keeps a note of each change."""

    def __init__(self) -> None:
        self.notes: list[Json] = []

    def note(self, field: str, before: object, after: object) -> None:
        if before != after or type(before) is not type(after):
            self.notes.append({"field": field, "from": before, "to": after})


def normalise_values(values: Json) -> tuple[Json, list[Json]]:
    """Returns the values with every accepted widening applied, and the list of what was changed."""
    work = Normaliser()
    result = nest_flat_fields(work, values)
    if isinstance(result.get("task_class"), Mapping):
        result["task_class"] = class_values(work, result, dict(result["task_class"]))
    if isinstance(result.get("items"), str):
        change_field(work, result, "items", "items", split_items)
    if isinstance(result.get("items"), list):
        result["items"] = item_values(work, result["items"])
    return result, work.notes


def without_new_ids(values: Mapping[str, Any]) -> Json:
    """Returns the values without an id, of the class or of an item, that says that it is new."""
    rows = values.get("items")
    if not isinstance(rows, list):
        return without_new_id(values)
    items = [without_new_id(row) if isinstance(row, Mapping) else row for row in rows]
    return {**without_new_id(values), "items": items}


def without_new_id(given: Mapping[str, Any]) -> Json:
    value = given.get("id", 1)
    new = value.strip().lower() if isinstance(value, str) else value
    named = isinstance(value, bool | list | dict) or new not in NEW_IDS
    return {key: one for key, one in given.items() if named or key != "id"}


def nest_flat_fields(work: Normaliser, values: Json) -> Json:
    """Moves fields of the class that stand beside `task_class` into it."""
    given = values.get("task_class", {})
    flat = [key for key in values if key in (*CLASS_KEYS, *CONFIG_KEYS, "config")]
    if not flat or not isinstance(given, Mapping) or any(key in given for key in flat):
        return dict(values)
    work.notes += [{"field": f"task_class.{key}", "from": key, "to": values[key]} for key in flat]
    moved = {**given, **{key: values[key] for key in flat}}
    return {**{key: one for key, one in values.items() if key not in flat}, "task_class": moved}


def class_values(work: Normaliser, outer: Json, given: Json) -> Json:
    if "items" in given and "items" not in outer:
        outer["items"] = given.pop("items")
        work.notes.append({"field": "items", "from": "task_class.items", "to": "items"})
    config = dict(given["config"]) if isinstance(given.get("config"), Mapping) else None
    config = move_misplaced_fields(work, given, config)
    for key, change in CLASS_CHANGES.items():
        change_field(work, given, key, f"task_class.{key}", change)
    if config is not None:
        for key, change in CONFIG_CHANGES.items():
            change_field(work, config, key, f"task_class.config.{key}", change)
        given["config"] = config
    return given


def move_misplaced_fields(work: Normaliser, given: Json, config: Json | None) -> Json | None:
    """Moves dates and settings found in the other level to their place."""
    for key in DATES:
        if config is not None and key in config and key not in given:
            given[key] = config.pop(key)
            work.notes.append({"field": f"task_class.{key}", "from": f"task_class.config.{key}", "to": given[key]})
    for key in CONFIG_KEYS:
        if key in given and key not in (config or {}) and isinstance(given.get("config", {}), Mapping):
            config = config or {}
            config[key] = given.pop(key)
            work.notes.append({"field": f"task_class.config.{key}", "from": f"task_class.{key}", "to": config[key]})
    return config


def change_field(work: Normaliser, owner: Json, key: str, path: str, change: Callable[[Any], Any]) -> None:
    if key in owner:
        before = owner[key]
        owner[key] = change(before)
        work.note(path, before, owner[key])


def collapse_blanks(value: Any) -> Any:
    return " ".join(value.split()) if isinstance(value, str) else value


def build_word_change(words: dict[str, str]) -> Callable[[Any], Any]:
    def change(value: Any) -> Any:
        return words.get(value.strip().lower(), value.lower()) if isinstance(value, str) else value

    return change


def blocks(value: Any) -> Any:
    """Returns block numbers, sorted; a pair of sections that is a block stands for it."""
    return sorted_numbers([block(one) for one in value]) if isinstance(value, list) else value


def block(value: Any) -> Any:
    found = SECTION_PAIR.match(value) if isinstance(value, str) else None
    if found is None:
        return value
    first, last = int(found[1]), int(found[2])
    return last // 2 if last == first + 1 and last % 2 == 0 else value


def weekdays(value: Any) -> Any:
    """Returns the numbers of weekdays, also of those that are named, sorted; one that is named stands for its list."""
    if isinstance(value, str) and value.strip().lower() in (*WEEKDAYS, *WEEKEND):
        value = [value]
    if not isinstance(value, list):
        return value
    words = [one.strip().lower() if isinstance(one, str) else one for one in value]
    named = [day for one in words for day in ((6, 7) if one in WEEKEND else (one,))]
    return sorted_numbers([WEEKDAYS.get(one, one) if isinstance(one, str) else one for one in named])


def whole_date(value: Any) -> Any:
    """Returns a date that is written out in another form as the tools have it."""
    found = WHOLE_DATE.fullmatch(value) if isinstance(value, str) else None
    return f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}" if found else value


def count(value: Any) -> Any:
    """Returns a number that is written as text, with its unit or without."""
    found = re.fullmatch(r"\s*(\d{1,4})\s*节?\s*", value) if isinstance(value, str) else None
    return int(found[1]) if found else value


def flag(value: Any) -> Any:
    """Returns a truth that is written as a word."""
    return FLAGS.get(value.strip().lower(), value) if isinstance(value, str) else value


def sorted_numbers(value: Any) -> Any:
    """Sorts numbers without repetition; a list that holds anything else is left for the schema to refuse."""
    if not isinstance(value, list) or any(type(one) is not int for one in value):
        return value
    return sorted(set(value))


def sorted_cells(value: Any) -> Any:
    """Sorts cells without repetition; a list that holds anything else is left for the schema to refuse."""
    keys = {"day_of_week", "block"}
    whole = isinstance(value, list) and all(isinstance(one, Mapping) and set(one) == keys for one in value)
    if not whole or any(type(number) is not int for one in value for number in one.values()):
        return value
    return CELLS.sort_values(value)


def change_of(field: ClassField) -> Callable[[Any], Any] | None:
    """Returns the widening of a field, None for one that is taken as it comes."""
    if field.kind == "choice":
        return build_word_change(WORDS.get(field.name, {}))
    return KIND_CHANGES.get(field.kind)


CELLS = next(field for field in CLASS_FIELDS if field.kind == "cells")
KIND_CHANGES: dict[str, Callable[[Any], Any]] = {
    "text": collapse_blanks,
    "seal": collapse_blanks,
    "blocks": blocks,
    "weekdays": weekdays,
    "date": whole_date,
    "count": count,
    "flag": flag,
    "cells": sorted_cells,
}
"""Kind of a field -> its widening."""


CHANGES = [(field, change) for field in CLASS_FIELDS if (change := change_of(field))]
CLASS_CHANGES = {field.name: change for field, change in CHANGES if not field.config}
CONFIG_CHANGES = {field.name: change for field, change in CHANGES if field.config}


def split_items(value: str) -> list[str] | str:
    """Returns the items of a text that lists several."""
    rows = [row.strip() for row in ROWS.split(value) if row.strip()]
    bare = [NUMBERED.sub("", row) for row in rows]
    if len(rows) > 1 and all(one and one != row for one, row in zip(bare, rows, strict=True)):
        return bare
    pieces = [piece.strip() for piece in LISTED.split(value) if piece.strip()]
    return pieces if len(pieces) > 1 else value


def item_values(work: Normaliser, items: list[Any]) -> list[Any]:
    named = [{"content": one} if isinstance(one, str) else one for one in items]
    rows = [item_value(work, index, one) if isinstance(one, Mapping) else one for index, one in enumerate(named)]
    return number_items(work, rows) if all(isinstance(one, dict) for one in rows) else rows


def item_value(work: Normaliser, index: int, given: Mapping[str, Any]) -> Json:
    row = dict(given)
    if "sections" in row and "duration" not in row:
        row["duration"] = row.pop("sections")
        work.notes.append(
            {"field": f"items[{index}].duration", "from": f"items[{index}].sections", "to": row["duration"]}
        )
    if not row.get("content"):
        name = next((name for name in CONTENT_NAMES if isinstance(row.get(name), str) and row[name].strip()), None)
        if name is not None:
            row["content"] = row.pop(name)
            field = f"items[{index}]"
            work.notes.append({"field": f"{field}.content", "from": f"{field}.{name}", "to": row["content"]})
    change_field(work, row, "content", f"items[{index}].content", collapse_blanks)
    return row


def number_items(work: Normaliser, rows: list[Json]) -> list[Json]:
    """Gives items in their order the numbers 1..n; orders that repeat or are no numbers are left for the checks to
    refuse."""
    orders = [row.get("order", index) for index, row in enumerate(rows, 1)]
    if any(type(order) is not int for order in orders) or len(set(orders)) != len(orders):
        return rows
    ordered = [row for _, row in sorted(zip(orders, rows, strict=True), key=lambda pair: pair[0])]
    for index, row in enumerate(ordered, 1):
        work.note(f"items[{index - 1}].order", row.get("order", index), index)
        row["order"] = index
    return ordered

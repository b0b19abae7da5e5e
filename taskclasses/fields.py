"""The fields of a task class: how each is called, what it may hold, what it holds when nobody says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Literal

MODES = ("auto", "manual")
STRATEGIES = ("steady", "rapid")
SUBJECT_TYPES = ("quantitative", "memory", "reading", "mixed")
LEVELS = ("low", "medium", "high")
WEEKDAYS = 7
COLORS = 8
"""Places in the page's row of colours for task classes."""

Kind = Literal["text", "choice", "date", "count", "flag", "blocks", "weekdays", "cells", "color", "seal", "id"]
"""`blocks` and `weekdays` are lists of numbers, `cells` one of `{day_of_week, block}`, sorted and each once.

`color` is a place in the row of colours, `seal` one character; without a value a class keeps its own or is given a free
one. `id` names something that stands above the task classes and is checked there.
"""
LISTS = ("blocks", "weekdays", "cells")


@dataclass(frozen=True)
class ClassField:
    """Holds one field of a task class.

    `label` and `missing` are message ids: its name, and the warning when it is left open. `default` None = it may be
    left open. `allowed` are the values of a choice. `config`: the agent's nested form has it under `config`.
    """

    name: str
    kind: Kind
    label: str
    allowed: tuple[str, ...] = ()
    default: Any = None
    missing: str = ""
    config: bool = False

    @property
    def is_list(self) -> bool:
        return self.kind in LISTS

    def sort_values(self, values: Iterable[Any]) -> list[Any]:
        """Returns the values of a list as JSON, sorted and each once."""
        if self.kind != "cells":
            return sorted(set(values))
        pairs = sorted({(one["day_of_week"], one["block"]) for one in values})
        return [{"day_of_week": day, "block": block} for day, block in pairs]


CLASS_FIELDS: tuple[ClassField, ...] = (
    ClassField("name", "text", "名称"),
    ClassField("mode", "choice", "排程方式", MODES, "auto"),
    ClassField("start_date", "date", "开始日期"),
    ClassField("end_date", "date", "结束日期"),
    ClassField("subject_type", "choice", "学科类型", SUBJECT_TYPES, missing="未填写学科类型"),
    ClassField("difficulty_level", "choice", "难度", LEVELS, missing="未填写难度"),
    ClassField("cognitive_intensity", "choice", "费脑程度", LEVELS, missing="未填写费脑程度"),
    ClassField("total_slots", "count", "总节数", config=True),
    ClassField("strategy", "choice", "节奏", STRATEGIES, "steady", config=True),
    ClassField("allow_filler_course", "flag", "可以在能分心的课上做", default=False, config=True),
    ClassField("excluded_slots", "blocks", "不排的时段", default=(), config=True),
    ClassField("excluded_days_of_week", "weekdays", "不排的星期", default=(), config=True),
    ClassField("excluded_cells", "cells", "不排的格", default=(), config=True),
    ClassField("color_index", "color", "颜色"),
    ClassField("seal", "seal", "标记字"),
    ClassField("course_id", "id", "关联课程"),
    ClassField("exam_id", "id", "关联考试"),
)
"""In the order in which cards list them."""


@dataclass(frozen=True)
class ItemValues:
    order: int
    content: str
    duration: int | None = None
    id: int | None = None


@dataclass(frozen=True)
class ClassValues:
    """Holds a whole class as it is to be; blanks around names count for nothing, lists are sorted and made unique
    when stored.

    Without `color_index` or `seal` a class keeps those that it has; a new one is given free ones.
    """

    name: str
    mode: str = "auto"
    start_date: date | None = None
    end_date: date | None = None
    subject_type: str | None = None
    difficulty_level: str | None = None
    cognitive_intensity: str | None = None
    total_slots: int | None = None
    allow_filler_course: bool = False
    strategy: str = "steady"
    excluded_slots: Sequence[int] = ()
    excluded_days_of_week: Sequence[int] = ()
    excluded_cells: Sequence[Mapping[str, int]] = ()
    color_index: int | None = None
    seal: str | None = None
    course_id: int | None = None
    exam_id: int | None = None
    items: Sequence[ItemValues] = ()

    def columns(self) -> dict[str, Any]:
        values = asdict(self)
        del values["items"]
        lists = [field for field in CLASS_FIELDS if field.is_list]
        values["name"] = self.name.strip()
        return values | {field.name: field.sort_values(values[field.name]) for field in lists}


def read_fields(row: object) -> dict[str, Any]:
    """Reads the value of each field of a row of the table of classes."""
    values = {field.name: getattr(row, field.name) for field in CLASS_FIELDS}
    return values | {field.name: values[field.name] or [] for field in CLASS_FIELDS if field.is_list}


def default_fields() -> dict[str, Any]:
    """Returns the value of each field that holds one when nobody says, as JSON."""
    given = [field for field in CLASS_FIELDS if field.default is not None]
    return {field.name: list(field.default) if field.is_list else field.default for field in given}

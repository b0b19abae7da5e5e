"""The fields of a task class: how each is called, what it may hold, what it holds when nobody says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Literal

MODES = ("auto", "manual")
STRATEGIES = ("steady", "rapid")
SUBJECT_TYPES = ("quantitative", "memory", "reading", "mixed")
LEVELS = ("low", "medium", "high")
WEEKDAYS = 7

Kind = Literal["text", "choice", "date", "count", "flag", "blocks", "weekdays"]
"""`blocks` and `weekdays` are lists of numbers, sorted and each once."""


@dataclass(frozen=True)
class ClassField:
    """One field of a task class.

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
        return self.kind in ("blocks", "weekdays")


CLASS_FIELDS: tuple[ClassField, ...] = (
    ClassField("name", "text", "名称"),
    ClassField("mode", "choice", "排程方式", MODES, "auto"),
    ClassField("start_date", "date", "开始日期"),
    ClassField("end_date", "date", "结束日期"),
    ClassField("subject_type", "choice", "学科类型", SUBJECT_TYPES, missing="未填写学科类型"),
    ClassField("difficulty_level", "choice", "难度", LEVELS, missing="未填写难度"),
    ClassField("cognitive_intensity", "choice", "认知强度", LEVELS, missing="未填写认知强度"),
    ClassField("total_slots", "count", "总节数", config=True),
    ClassField("strategy", "choice", "策略", STRATEGIES, "steady", config=True),
    ClassField("allow_filler_course", "flag", "允许嵌入水课", default=False, config=True),
    ClassField("excluded_slots", "blocks", "排除时段块", default=(), config=True),
    ClassField("excluded_days_of_week", "weekdays", "排除星期", default=(), config=True),
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
    """A whole class as it is to be; lists are sorted and made unique when stored."""

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
    items: Sequence[ItemValues] = ()

    def columns(self) -> dict[str, Any]:
        values = asdict(self)
        del values["items"]
        return values | {field.name: sorted(set(values[field.name])) for field in CLASS_FIELDS if field.is_list}


def read_fields(row: object) -> dict[str, Any]:
    """The value of each field of a row of the table of classes."""
    return {field.name: getattr(row, field.name) for field in CLASS_FIELDS}


def default_fields() -> dict[str, Any]:
    """The value of each field that holds one when nobody says, as JSON."""
    given = [field for field in CLASS_FIELDS if field.default is not None]
    return {field.name: list(field.default) if field.is_list else field.default for field in given}

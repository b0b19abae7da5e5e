"""The rules of a task class: everything of it that placement, objective and diagnosis ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol

from schedules.planner.grid import block_of, day_from_json, day_json, week_and_weekday
from taskclasses.fields import CLASS_FIELDS, ClassField

HIGH = "high"
STEADY = "steady"


@dataclass(frozen=True)
class ClassRules:
    """Holds the rules of a class as one value, shared by `ClassFact`, `ClassMeta` and `PlanClass`.

    `start_day`..`end_day` are day numbers cut to the semester (empty when start > end), None for a date that the class
    does not have. Lists are sorted, each value once; a cell is (weekday, block).
    """

    strategy: str = STEADY
    start_day: int | None = None
    end_day: int | None = None
    allow_filler_course: bool = False
    excluded_slots: tuple[int, ...] = ()
    excluded_days_of_week: tuple[int, ...] = ()
    excluded_cells: tuple[tuple[int, int], ...] = ()
    subject_type: str | None = None
    difficulty_level: str | None = None
    cognitive_intensity: str | None = None

    def __post_init__(self) -> None:
        for field in RULE_FIELDS:
            if field.is_list:
                object.__setattr__(self, field.name, tuple(sorted(set(getattr(self, field.name)))))

    @property
    def high(self) -> bool:
        """Tells whether the class is heavy for the head; an unknown profile counts as medium."""
        return HIGH in (self.cognitive_intensity, self.difficulty_level)

    @property
    def steady(self) -> bool:
        return self.strategy == STEADY

    def permits(self, day: int, section: int) -> bool:
        """Tells whether the excluded weekdays, blocks and cells leave a section open."""
        weekday, block = week_and_weekday(day)[1], block_of(section)
        if weekday in self.excluded_days_of_week or block in self.excluded_slots:
            return False
        return (weekday, block) not in self.excluded_cells


_BY_NAME = {field.name: field for field in CLASS_FIELDS}
RULE_FIELDS = tuple(_BY_NAME[rule.name] for rule in fields(ClassRules) if rule.name in _BY_NAME)
"""The fields of a task class that are rules, dates left out: those are day numbers here."""


class RuledClass(Protocol):
    """Shows a class as the placement rule asks about it; `ClassMeta`, `ClassFact` and `PlanClass` all are one."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def rules(self) -> ClassRules: ...


def rules_of(values: Mapping[str, Any], *, start_day: int | None, end_day: int | None) -> ClassRules:
    """Takes the rules out of the fields of a class, its dates given as day numbers."""
    given = {field.name: _read(field, values[field.name]) for field in RULE_FIELDS if field.name in values}
    return ClassRules(start_day=start_day, end_day=end_day, **given)


def _read(field: ClassField, value: Any) -> Any:
    return [(one["day_of_week"], one["block"]) for one in value] if field.kind == "cells" else value


def _write_value(field: ClassField, value: Any) -> Any:
    if field.kind == "cells":
        return [{"day_of_week": day, "block": block} for day, block in value]
    return list(value) if field.is_list else value


def rules_to_json(rules: ClassRules) -> dict[str, Any]:
    """Writes every rule as JSON: `start` and `end` as week and weekday or null, lists as arrays."""
    document: dict[str, Any] = {}
    for field in RULE_FIELDS:
        document[field.name] = _write_value(field, getattr(rules, field.name))
    for name, day in (("start", rules.start_day), ("end", rules.end_day)):
        document[name] = None if day is None else day_json(day)
    return document


def rules_from_json(document: Mapping[str, Any]) -> ClassRules:
    """Reads what `rules_to_json` wrote; a document older than a field has its default."""
    start, end = (None if row is None else day_from_json(row) for row in (document["start"], document["end"]))
    return rules_of(document, start_day=start, end_day=end)

"""problem.json -> values, values -> plan.json. Reading is strict: a wrong field is named, never guessed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from schedules.planner.class_rules import RULE_FIELDS, rules_of
from schedules.planner.grid import Cell, Grid, Place, day_json, day_number
from schedules.planner.problem import Occupied, Placement, PlanClass, PlanItem, Problem, ProblemError, check_problem
from schedules.planner.soft_limits import KINDS, VALUE_MAX, Kind, SoftLimit
from taskclasses.fields import WEEKDAYS, ClassField

if TYPE_CHECKING:
    from schedules.planner.cost.objective import Cost
    from schedules.planner.cost.term import Explanation
    from schedules.planner.solver.rough_build import BoundedPlan

VERSION = 1
MISSING = object()


class Fields:
    """Reads one JSON object; knows its own path, so each error names the field."""

    def __init__(self, value: object, path: str) -> None:
        if not isinstance(value, Mapping):
            raise ProblemError(path or "problem", "must be an object")
        self._value = value
        self._path = path

    def path(self, name: str) -> str:
        return f"{self._path}.{name}" if self._path else name

    def fail(self, name: str, message: str) -> ProblemError:
        return ProblemError(self.path(name), message)

    def raw(self, name: str, default: object = MISSING) -> Any:
        value = self._value.get(name, default)
        if value is MISSING:
            raise self.fail(name, "is missing")
        return value

    def integer(self, name: str, low: int | None = None, high: int | None = None) -> int:
        value = self.raw(name)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.fail(name, "must be an integer")
        if (low is not None and value < low) or (high is not None and value > high):
            raise self.fail(name, f"must be between {low} and {high}" if high is not None else f"must be >= {low}")
        return value

    def text(self, name: str) -> str:
        value = self.raw(name)
        if not isinstance(value, str):
            raise self.fail(name, "must be a string")
        if any("\ud800" <= letter <= "\udfff" for letter in value):
            raise self.fail(name, "holds half of a character")
        return value

    def flag(self, name: str) -> bool:
        value = self.raw(name)
        if not isinstance(value, bool):
            raise self.fail(name, "must be true or false")
        return value

    def choice(self, name: str, allowed: tuple[str, ...]) -> str:
        value = self.text(name)
        if value not in allowed:
            raise self.fail(name, f"must be one of {', '.join(allowed)}")
        return value

    def optional_choice(self, name: str, allowed: tuple[str, ...]) -> str | None:
        return None if self.raw(name, None) is None else self.choice(name, allowed)

    def array(self, name: str) -> list[Any]:
        value = self.raw(name)
        if not isinstance(value, list):
            raise self.fail(name, "must be an array")
        return value

    def objects(self, name: str) -> list[Fields]:
        return [Fields(value, f"{self.path(name)}[{index}]") for index, value in enumerate(self.array(name))]

    def integers(self, name: str, low: int, high: int) -> frozenset[int]:
        for index, value in enumerate(self.array(name)):
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise ProblemError(f"{self.path(name)}[{index}]", f"must be an integer between {low} and {high}")
        return frozenset(self.array(name))

    def inner(self, name: str) -> Fields:
        return Fields(self.raw(name), self.path(name))

    def optional(self, name: str) -> Fields | None:
        return None if self.raw(name, None) is None else self.inner(name)


def problem_from_json(document: object) -> Problem:
    """Reads problem.json. Raises ProblemError naming the first wrong field."""
    fields = Fields(document, "")
    fields.integer("version", VERSION, VERSION)
    grid = _grid(fields.inner("semester"))
    now = fields.optional("now")
    occupied = tuple(_read_occupied(one, grid) for one in fields.objects("occupied"))
    rows = fields.objects("task_classes")
    classes, wishes = tuple(_class(row, grid) for row in rows), tuple(map(_wish, _wishes(fields)))
    problem = Problem(grid, _now(now, grid) if now else (1, 1), occupied, classes, wishes)
    check_problem(problem, _pin_paths(rows))
    return problem


def _pin_paths(rows: list[Fields]) -> dict[int, str]:
    return {item.integer("id"): item.path("pinned") for row in rows for item in row.objects("items")}


def _closed_days(fields: Fields) -> list[Fields]:
    """Reads days that an older document does not have."""
    return [] if fields.raw("closed_days", None) is None else fields.objects("closed_days")


def _wishes(fields: Fields) -> list[Fields]:
    """Reads soft limits, which an older document does not have."""
    return [] if fields.raw("wishes", None) is None else fields.objects("wishes")


def _wish(fields: Fields) -> SoftLimit:
    kind: Kind = KINDS[KINDS.index(fields.choice("kind", KINDS))]
    of_class = None if fields.raw("class_id", None) is None else fields.integer("class_id")
    return SoftLimit(kind, fields.integer("value", 1, VALUE_MAX[kind]), of_class, fields.flag("hard_only"))


def _grid(fields: Fields) -> Grid:
    weeks = fields.integer("weeks", 1, 30)
    sections = fields.integer("sections", 1, 16)
    parts: list[tuple[int, int]] = []
    following = 1
    for index, pair in enumerate(fields.array("day_parts")):
        whole = isinstance(pair, list) and len(pair) == 2
        if not whole or any(isinstance(end, bool) or not isinstance(end, int) for end in pair):
            raise fields.fail(f"day_parts[{index}]", "must be [first section, last section]")
        if pair[0] != following or pair[1] < pair[0]:
            raise fields.fail(f"day_parts[{index}]", f"must begin at section {following}")
        parts.append((pair[0], pair[1]))
        following = pair[1] + 1
    if following != sections + 1:
        raise fields.fail("day_parts", f"must cover sections 1 to {sections}")
    closed = (_day(row, low_week=1, high_week=weeks) for row in _closed_days(fields))
    return Grid(weeks, sections, tuple(parts), frozenset(closed))


def _now(fields: Fields, grid: Grid) -> Cell:
    """Reads `now`: after the semester any later week may be named; section S + 1 is the end of a day."""
    return _day(fields, low_week=1), fields.integer("section", 1, grid.sections + 1)


def _day(fields: Fields, *, low_week: int | None = None, high_week: int | None = None) -> int:
    return day_number(fields.integer("week", low_week, high_week), fields.integer("day_of_week", 1, 7))


def _read_occupied(fields: Fields, grid: Grid) -> Occupied:
    day = _day(fields, low_week=1, high_week=grid.weeks)
    first = fields.integer("section_from", 1, grid.sections)
    last = fields.integer("section_to", first, grid.sections)
    guest = None if fields.raw("guest_task_item_id", None) is None else fields.integer("guest_task_item_id")
    kind = fields.choice("type", ("course", "task"))
    can_embed = fields.flag("can_be_embedded")
    if can_embed and kind != "course":
        raise fields.fail("can_be_embedded", "only a course can host a task")
    place = Place(day, first, last - first + 1)
    return Occupied(fields.integer("event_id"), fields.text("name"), place, kind, can_embed, guest)


def _class(fields: Fields, grid: Grid) -> PlanClass:
    start, end = _day(fields.inner("start")), _day(fields.inner("end"))
    if start > end:
        raise fields.fail("end", "lies before start")
    start, end = max(start, 1), min(end, grid.days)
    class_id, name = fields.integer("id"), fields.text("name")
    values = {field.name: _READERS[field.kind](fields, field, grid) for field in RULE_FIELDS}
    rules = rules_of(values, start_day=start, end_day=end)
    return PlanClass(class_id, name, rules, tuple(_item(row, grid) for row in fields.objects("items")))


def _choice(fields: Fields, field: ClassField, grid: Grid) -> str | None:
    read = fields.optional_choice if field.default is None else fields.choice
    return read(field.name, field.allowed)


def _cells(fields: Fields, field: ClassField, grid: Grid) -> list[dict[str, int]]:
    """Reads cells; a document may leave them out: the field is younger than the form."""
    if fields.raw(field.name, None) is None:
        return []
    rows = fields.objects(field.name)
    return [
        {"day_of_week": row.integer("day_of_week", 1, WEEKDAYS), "block": row.integer("block", 1, grid.blocks)}
        for row in rows
    ]


_READERS: Mapping[str, Callable[[Fields, ClassField, Grid], Any]] = {
    "choice": _choice,
    "flag": lambda fields, field, grid: fields.flag(field.name),
    "blocks": lambda fields, field, grid: fields.integers(field.name, 1, grid.blocks),
    "weekdays": lambda fields, field, grid: fields.integers(field.name, 1, WEEKDAYS),
    "cells": lambda fields, field, grid: _cells(fields, field, grid),
}
"""Kind of a field -> its reader."""


def _item(fields: Fields, grid: Grid) -> PlanItem:
    duration = fields.integer("duration", 1, 4)
    pin = fields.optional("pinned")
    pinned = _pin(pin, grid, duration) if pin else None
    return PlanItem(fields.integer("id"), fields.integer("order"), duration, fields.text("name"), pinned)


def _pin(fields: Fields, grid: Grid, duration: int) -> Place:
    place = Place(
        _day(fields, low_week=1, high_week=grid.weeks), fields.integer("section_from", 1, grid.sections), duration
    )
    if place.last > grid.sections:
        raise fields.fail("section_from", f"{duration} sections do not fit after it")
    return place


def placements_from_json(document: object, problem: Problem) -> tuple[Placement, ...]:
    """Returns the placements of a plan.json for this problem. Raises ProblemError naming the first wrong field."""
    rows = Fields(document, "").objects("placements")
    found = tuple(_placement(row, problem) for row in rows)
    for index, placement in enumerate(found):
        if any(placement.task_item_id == other.task_item_id for other in found[:index]):
            raise ProblemError(f"placements[{index}].task_item_id", "is placed twice")
    return tuple(sorted(found, key=lambda placement: placement.sort_key))


def _placement(fields: Fields, problem: Problem) -> Placement:
    item = problem.item_by_id.get(fields.integer("task_item_id"))
    if item is None:
        raise fields.fail("task_item_id", "is not in the problem")
    day = _day(fields, low_week=1, high_week=problem.grid.weeks)
    first = fields.integer("section_from", 1, problem.grid.sections)
    last = fields.integer("section_to", first, problem.grid.sections)
    place = Place(day, first, last - first + 1)
    host = problem.host_at(place)
    return Placement(item.id, problem.class_of_item[item.id].id, place, host.event_id if host else None)


def _range_json(place: Place) -> dict[str, Any]:
    return {**day_json(place.day), "section_from": place.first, "section_to": place.last}


def placement_to_json(placement: Placement) -> dict[str, Any]:
    return {
        "task_item_id": placement.task_item_id,
        "task_class_id": placement.task_class_id,
        **_range_json(placement.place),
        "embed_course_event_id": placement.embed_course_event_id,
    }


def explanation_to_json(explanation: Explanation) -> dict[str, Any]:
    day = explanation.day
    where: Mapping[str, Any] = {"week": None, "day_of_week": None} if day is None else {**day_json(day)}
    ids = list(explanation.task_item_ids)
    return {"part": explanation.part, "cost": explanation.cost, **where, "task_item_ids": ids}


def cost_to_json(cost: Cost) -> dict[str, Any]:
    return {"total": cost.total, "parts": dict(cost.parts)}


def plan_to_json(plan: BoundedPlan) -> dict[str, Any]:
    """Writes plan.json: placements, leftovers and why, capacity per class, cost with explanations, bound and gap."""
    return {
        "version": VERSION,
        "placements": [placement_to_json(placement) for placement in plan.placements],
        "unplaced": [
            {
                "task_item_id": left.task_item_id,
                "task_class_id": left.task_class_id,
                "rule": left.rule,
                "missing_sections": left.missing_sections,
            }
            for left in plan.unplaced
        ],
        "capacity": [
            {
                "task_class_id": row.task_class_id,
                "needed_sections": row.needed_sections,
                "available_sections": row.available_sections,
                "missing_sections": row.missing_sections,
            }
            for row in plan.capacity
        ],
        "cost": cost_to_json(plan.cost),
        "explanations": [explanation_to_json(one) for one in plan.cost.explanations],
        "bound": plan.bound,
        "gap": plan.gap,
    }

"""Every field of the table travels: body -> row -> answer, row -> draft -> problem, tool -> write -> card."""

from __future__ import annotations

from dataclasses import fields
from datetime import date
from typing import Any

import pytest

from agent.tools.argument_schema import read_arguments
from agent.tools.arguments.task_class import UpsertArgs
from agent.tools.cards.parts.kit import Lang
from agent.tools.cards.taskclass import field_row
from agent.tools.draft.facts import class_json
from agent.tools.task_class.values import changed_rows, merge_class, nest_values
from schedules.mapping import class_fact
from schedules.planner.class_rules import RULE_FIELDS, rules_to_json
from schedules.planner.codec import problem_from_json
from schedules.planner.draft.adapter import problem_of
from schedules.planner.draft.codec import state_from_json, state_to_json
from schedules.planner.draft.load import load_state
from schedules.planner.draft.state import ScheduleState
from schedules.planner.facts import Facts
from schedules.serializers import class_values
from schedules.services.classes import merge_values
from taskclasses.fields import CLASS_FIELDS, ClassField, ClassValues, default_fields
from taskclasses.models import TaskClass
from taskclasses.presentation import class_fields
from taskclasses.serializers import ClassBody
from taskclasses.shapes import ClassFields
from taskclasses.spec import ClassLimits, check_class, validate_class
from tests.kits.planner.examples import example
from tests.kits.tools.world import CALENDAR, GRID

LIMITS = ClassLimits(GRID.blocks, CALENDAR.first_monday, CALENDAR.last_day)
NOT_RULES = {"name", "mode", "start_date", "end_date", "total_slots", "color_index", "seal", "course_id", "exam_id"}
PLAIN: dict[str, Any] = {"name": "旧", "start_date": "2026-03-02", "end_date": "2026-03-29"}
DAYS = {"start_date": "2026-03-09", "end_date": "2026-04-05"}
each_field = pytest.mark.parametrize("field", CLASS_FIELDS, ids=lambda field: field.name)
each_rule = pytest.mark.parametrize("field", RULE_FIELDS, ids=lambda field: field.name)


def sample(field: ClassField) -> Any:
    """A value that is not what the field holds when nobody says, as JSON."""
    if field.kind == "date":
        return DAYS[field.name]
    samples = {"text": "新", "count": 7, "flag": not field.default, "blocks": [2, 6], "weekdays": [3, 7]}
    samples |= {"cells": [{"day_of_week": 2, "block": 5}], "color": 6, "seal": "新", "id": 41}
    return next(one for one in field.allowed if one != field.default) if field.allowed else samples[field.kind]


def body(field: ClassField) -> dict[str, Any]:
    return {**default_fields(), **PLAIN, field.name: sample(field), "items": [{"order": 1, "content": "一"}]}


def row(field: ClassField) -> TaskClass:
    values = class_values(ClassBody.model_validate(body(field)))
    return TaskClass(pk=5, **values.columns())


def draft(field: ClassField) -> ScheduleState:
    facts = Facts(1, 1, GRID, 1, (), (class_fact(row(field), [], CALENDAR),))
    return load_state(facts, scope=(5,), now=None)


def tool_arguments(field: ClassField) -> dict[str, Any]:
    head = {key: value for key, value in PLAIN.items() if key != field.name}
    given = {"config": {field.name: sample(field)}} if field.config else {field.name: sample(field)}
    return {"task_class": head | given, "items": [{"content": "一"}]}


def upsert(field: ClassField) -> UpsertArgs:
    read = read_arguments(UpsertArgs, tool_arguments(field))
    assert isinstance(read, tuple)
    assert isinstance(read[0], UpsertArgs)
    return read[0]


def test_each_place_that_spells_out_the_fields_knows_exactly_those_of_the_table() -> None:
    names = {field.name for field in CLASS_FIELDS}
    assert {one.name for one in fields(ClassValues)} - {"items"} == names
    assert set(ClassBody.model_fields) - {"items"} == names
    assert set(ClassFields.__annotations__) - {"id"} == names
    assert {field.name for field in RULE_FIELDS} == names - NOT_RULES


@each_field
def test_a_field_of_a_body_is_stored_and_answered(field: ClassField) -> None:
    stored = row(field)
    value = getattr(stored, field.name)
    assert value == (date.fromisoformat(sample(field)) if field.kind == "date" else sample(field))
    assert class_fields(stored)[field.name] == sample(field)  # type: ignore[literal-required]
    assert [one for one in check_class(body(field), LIMITS) if one.severity == "error"] == []


@each_field
def test_a_field_with_a_wrong_value_is_named(field: ClassField) -> None:
    wrongs = {"text": " ", "count": 0, "flag": "yes", "blocks": [0], "weekdays": [8], "color": 8, "id": 0}
    wrong = wrongs.get(field.kind, "nonsense")
    found = [one.field for one in check_class({**body(field), field.name: wrong}, LIMITS) if one.severity == "error"]
    assert found == [field.name]


@each_rule
def test_a_rule_reaches_the_draft_and_its_stored_form(field: ClassField) -> None:
    state = draft(field)
    meta = state.task_class(5)
    assert meta is not None
    assert rules_to_json(meta.rules)[field.name] == sample(field)
    assert state_from_json(state_to_json(state)) == state
    assert class_json(meta)[field.name] == sample(field)


@each_rule
def test_a_draft_that_is_older_than_a_rule_has_its_default(field: ClassField) -> None:
    document = state_to_json(draft(field))
    del document["task_classes"][0][field.name]
    meta = state_from_json(document).task_class(5)
    assert meta is not None
    assert getattr(meta.rules, field.name) == field.default


@each_rule
def test_a_rule_reaches_the_problem_and_is_read_from_its_document(field: ClassField) -> None:
    rules = problem_of(draft(field)).task_classes[0].rules
    assert rules_to_json(rules)[field.name] == sample(field)
    document = example()
    document["task_classes"][0] |= {field.name: sample(field)}
    read = problem_from_json(document).task_classes[0].rules
    assert getattr(read, field.name) == getattr(rules, field.name)


@each_field
def test_a_field_that_the_tool_is_given_is_checked_told_and_written(field: ClassField) -> None:
    args = upsert(field)
    merged = merge_class(args, None)
    assert merged[field.name] == sample(field)
    asked = nest_values(merged)["task_class"]
    assert (asked["config"] if field.config else asked)[field.name] == sample(field)
    options: dict[str, Any] = {"blocks": GRID.blocks, "first_day": LIMITS.first_day, "last_day": LIMITS.last_day}
    assert [one for one in validate_class(nest_values(merged), **options) if one.severity == "error"] == []
    value = getattr(merge_values(args.values(), None), field.name)
    assert value == (date.fromisoformat(sample(field)) if field.kind == "date" else sample(field))


@each_field
def test_a_field_that_changes_is_told_with_its_label(field: ClassField) -> None:
    before = TaskClass(pk=5, **class_values(ClassBody.model_validate({**PLAIN, "seal": "旧"})).columns())
    current: Any = {**class_fields(before), "items": []}
    rows = changed_rows(current, merge_class(upsert(field), current), given_items=False)
    label, words = field_row(Lang("zh"), next(one for one in rows if one["field"] == field.name))
    assert label == field.label
    assert words

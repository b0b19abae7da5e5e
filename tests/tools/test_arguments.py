"""Every argument of every tool: absent, of another type, out of range, misspelt. The answer names the key."""

from __future__ import annotations

import copy
import json
from dataclasses import asdict
from typing import Any

import pytest

from agent.calls.values import ToolError
from agent.tools.argument_schema import bare
from agent.tools.default import default_registry
from tests.kits.tools.cases import CASES, all_ports
from tests.kits.tools.world import call, draft

REGISTRY = default_registry()
WORKS = {case.tool: case.works for case in CASES}
WRONG: dict[str, list[Any]] = {
    "integer": ["3", True, 3.5, [3], {}, "x", float("nan")],
    "string": [5, True, ["x"], {}],
    "boolean": ["true", 1, 0, "yes", []],
    "array": ["x", 3, {}, True],
    "object": ["x", 3, [], True],
}


def properties():
    for tool in REGISTRY.tools:
        document = tool.args.model_json_schema()
        for name, one in document.get("properties", {}).items():
            found = bare(one)
            if "$ref" in found:
                found = document["$defs"][found["$ref"].rsplit("/", 1)[1]]
            yield tool.name, name, found


PROPERTIES = list(properties())
IDS = [f"{tool}.{name}" for tool, name, _ in PROPERTIES]


def without_rivals(tool: str, name: str) -> dict[str, Any]:
    """Valid arguments of a tool in which `name` may be set alone."""
    values = copy.deepcopy(WORKS[tool])
    if name in {"domain", "packs"} and tool == "context_tools_remove":
        values = {"domain": "schedule"}
    return values


def violations(tool: str, arguments: Any) -> list[dict[str, Any]]:
    found = REGISTRY.validate(tool, arguments, draft())
    return found.details["details"] if isinstance(found, ToolError) and found.code == "invalid_args" else []


@pytest.mark.parametrize(("tool", "name", "schema"), PROPERTIES, ids=IDS)
def test_another_type_is_named(tool, name, schema):
    for wrong in WRONG[schema["type"]]:
        arguments = {**without_rivals(tool, name), name: wrong}
        found = violations(tool, arguments)
        assert any(
            one["field"].partition("[")[0].partition(".")[0] == name and one["problem"] == "type" for one in found
        ), (
            wrong,
            found,
        )
        json.dumps(found, allow_nan=False)


@pytest.mark.parametrize(("tool", "name", "schema"), PROPERTIES, ids=IDS)
def test_a_value_out_of_range_is_named(tool, name, schema):
    beyond: list[Any] = []
    if "minimum" in schema:
        beyond += [schema["minimum"] - 1, schema["maximum"] + 1, 10**30, 1e300]
    if "maxLength" in schema:
        beyond.append("x" * (schema["maxLength"] + 1))
    if "maxItems" in schema:
        inner = schema["items"]
        sample = inner.get("minimum", 1) if inner.get("type") == "integer" else "web"
        beyond.append([sample] * (schema["maxItems"] + 1))
    if schema.get("minItems"):
        beyond.append([])
    for wrong in beyond:
        found = violations(tool, {**without_rivals(tool, name), name: wrong})
        assert any(one["field"] == name and one["problem"] in {"range", "type"} for one in found), (wrong, found)


@pytest.mark.parametrize(("tool", "name", "schema"), PROPERTIES, ids=IDS)
def test_a_choice_that_does_not_exist_is_named(tool, name, schema):
    if "enum" not in schema:
        return
    for wrong in ("nonsense", schema["enum"][0].upper(), ""):
        found = violations(tool, {**without_rivals(tool, name), name: wrong})
        assert [one["problem"] for one in found if one["field"] == name] == ["enum"]
        assert next(one for one in found if one["field"] == name)["expected"] == schema["enum"]


@pytest.mark.parametrize(("tool", "name", "schema"), PROPERTIES, ids=IDS)
def test_a_misspelt_key_is_named_with_its_neighbour(tool, name, schema):
    found = violations(tool, {**WORKS[tool], f"{name}s_": 1})
    (unknown,) = [one for one in found if one["problem"] == "unknown"]
    assert unknown["field"] == f"{name}s_"
    assert name in unknown["expected"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.tool)
def test_an_absent_required_key_is_named(case):
    required = REGISTRY.resolve(case.tool).args.model_json_schema().get("required", [])
    for name in required:
        rest = {key: value for key, value in case.works.items() if key != name}
        for arguments in (rest, {**rest, name: None}):
            assert {"field": name, "problem": "missing"}.items() <= violations(case.tool, arguments)[0].items()


def test_all_violations_of_a_call_come_together():
    found = violations("move", {"task_id": "8", "new_day": True, "day": 4})
    assert {(one["field"], one["problem"]) for one in found} == {
        ("task_id", "type"), ("new_day", "type"), ("new_slot_start", "missing"), ("day", "unknown"),
    }  # fmt: skip
    assert next(one for one in found if one["field"] == "day")["expected"] == ["new_day"]


def test_it_names_the_place_inside_a_list():
    moves = [{"task_id": 5, "new_day": 1, "new_slot_start": 5}, {"task_id": 6, "new_day": "2"}]
    fields = {one["field"] for one in violations("batch_move", {"moves": moves})}
    assert fields == {"moves[1].new_day", "moves[1].new_slot_start"}
    assert violations("query_target_tasks", {"task_ids": [5, "6"]})[0]["field"] == "task_ids[1]"


@pytest.mark.parametrize(
    ("tool", "arguments", "field", "problem"),
    [
        ("query_available_slots", {"day": 1, "day_start": 1, "day_end": 2}, "day_start", "conflict"),
        ("query_available_slots", {"week": 3, "week_filter": [3]}, "week_filter", "conflict"),
        ("query_available_slots", {"week_from": 3, "week_to": 4, "week_filter": [3]}, "week_filter", "conflict"),
        ("query_available_slots", {"day_scope": "all", "day_of_week": [1]}, "day_of_week", "conflict"),
        ("query_available_slots", {"day_start": 5, "day_end": 2}, "day_end", "range"),
        ("query_available_slots", {"day_start": 5}, "day_end", "missing"),
        ("query_available_slots", {"section_from": 5}, "section_to", "missing"),
        ("query_available_slots", {"section_from": 5, "section_to": 4}, "section_to", "range"),
        ("query_available_slots", {"day": 15}, "day", "range"),
        ("query_available_slots", {"week": 2}, "week", "range"),
        ("query_available_slots", {"week_filter": [3, 5]}, "week_filter[1]", "range"),
        ("query_available_slots", {"after_section": 13}, "after_section", "range"),
        ("query_available_slots", {"exclude_sections": [1, 13]}, "exclude_sections[1]", "range"),
        ("query_available_slots", {"day_of_week": [0]}, "day_of_week[0]", "range"),
        ("query_available_slots", {"span": 2, "duration": 2}, "duration", "conflict"),
        ("query_available_slots", {"for_task_id": 7, "span": 3}, "span", "conflict"),
        ("query_available_slots", {"for_task_id": 7, "duration": 3}, "span", "conflict"),
        ("find_first_free", {"for_task_id": 7, "duration": 3}, "duration", "conflict"),
        ("find_first_free", {}, "duration", "missing"),
        ("query_range", {"day": 1, "slot_start": 2}, "slot_end", "missing"),
        ("query_range", {"day": 1, "slot_start": 4, "slot_end": 2}, "slot_end", "range"),
        ("query_range", {"day": 1, "slot_start": 4, "slot_end": 13}, "slot_end", "range"),
        ("context_tools_add", {"domain": "taskclass", "packs": ["web"]}, "packs[0]", "enum"),
        ("context_tools_remove", {"domain": "schedule", "all": True}, "all", "conflict"),
        ("context_tools_remove", {"all": True, "packs": ["web"]}, "packs", "conflict"),
        ("web_search", {"query": "x", "domain_allow": ["http://a.b"]}, "domain_allow[0]", "range"),
        ("upsert_task_class", {"items": [], "task_class": {"items": []}}, "task_class.items", "conflict"),
        ("upsert_task_class", {"task_class": {"config": {"slots": 3}}}, "task_class.config.slots", "unknown"),
        ("upsert_task_class", {"items": [{"content": "x", "extra": 1}]}, "items[0].extra", "unknown"),
    ],
)
def test_a_contradiction_between_arguments_is_named(tool, arguments, field, problem):
    assert (field, problem) in {(one["field"], one["problem"]) for one in violations(tool, arguments)}


def test_clean_values_pass():
    """Integral numbers are integers, null is absent, strings are trimmed, aliases stand for their names."""
    validated = REGISTRY.validate("query_available_slots", {"duration": 2.0, "day": None, "day_scope": " workday "})
    assert not isinstance(validated, ToolError)
    assert validated.arguments == {"span": 2, "day_scope": "workday"}
    assert validated.args.span == 2


@pytest.mark.parametrize("wrong", [None, 5, "x", [], [1]])
def test_arguments_that_are_no_object_are_refused(wrong):
    found = REGISTRY.validate("get_overview", wrong)
    assert isinstance(found, ToolError) == (wrong is not None)


def nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("locale", ["zh", "en"])
@pytest.mark.parametrize("tool", WORKS)
@pytest.mark.parametrize("wrong", [nested(100), nested(20_000), "\ud800", "a\x00b", {"\udfff": 1}])
async def test_what_cannot_be_stored_or_sent_is_refused_by_name(tool, wrong, locale):
    """JSON can spell lone surrogates, NUL and any nesting; the answer is plain text all the same."""
    name = next(iter(REGISTRY.resolve(tool).args.model_fields), "x")
    outcome, result = await call(tool, {name: wrong, "\ud800": 1}, draft(), locale=locale, ports=all_ports())
    fields = {one["field"] for one in outcome.error.details["details"]}
    assert fields == {name, "\ufffd"}
    for words in (result.observation_text, json.dumps(asdict(result), ensure_ascii=False)):
        assert words.encode()
        assert "\x00" not in words


async def test_an_invalid_call_keeps_the_draft_and_the_queue():
    state = draft()
    outcome, _ = await call("query_target_tasks", {"status": "suggested", "weeks": 9, "enqueue": True}, state)
    assert outcome.draft is state
    assert outcome.queue is None


@pytest.mark.parametrize(
    "narrow",
    [{"day": 99}, {"week": 19}, {"day_of_week": ["1"]}, {"day_scope": "sunday"}, {"section_from": 0, "section_to": 3}],
)
async def test_an_invalid_filter_never_widens_a_result(narrow):
    wide, _ = await call("query_available_slots", {"limit": 60}, draft())
    outcome, _ = await call("query_available_slots", {"limit": 60, **narrow}, draft())
    assert outcome.error is not None
    assert outcome.data.get("total", 0) < wide.data["total"]


def test_schemas_are_closed_and_exported():
    for exported in REGISTRY.schemas():
        assert exported["parameters"]["additionalProperties"] is False
        for inner in exported["parameters"].get("$defs", {}).values():
            assert inner["additionalProperties"] is False


def test_the_catalogue_names_every_tool_and_argument():
    for tool in REGISTRY.tools:
        text = REGISTRY.catalogue([tool])
        assert f"- {tool.name}" in text
        assert tool.purpose in text
        for name, one in tool.args.model_json_schema().get("properties", {}).items():
            assert f"{name} " in text or f"{name}* " in text
            for value in bare(one).get("enum", ()):
                assert value in text
    assert REGISTRY.catalogue(reversed(REGISTRY.tools)) == REGISTRY.catalogue(REGISTRY.tools)


@pytest.mark.parametrize("tool", [tool for tool in REGISTRY.tools if tool.sample], ids=lambda tool: tool.name)
def test_every_sample_of_the_catalogue_is_a_valid_call(tool):
    assert not isinstance(REGISTRY.validate(tool.name, json.loads(tool.sample)), ToolError)


async def test_the_ports_are_never_asked_with_wrong_arguments():
    """A refused call reaches no port."""
    _, result = await call("web_fetch", {"url": 5}, draft(), ports=all_ports())
    assert result.error_code == "invalid_args"

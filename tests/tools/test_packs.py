"""Tool domains and packs: what is open after each call, and what may be called then."""

from __future__ import annotations

import json

import pytest

from agent.calls.values import ToolError
from agent.tools.default import default_registry
from agent.tools.packs import OPTIONAL_PACKS
from tests.kits.tools.world import call, context, draft

REGISTRY = default_registry()
CORE = ["get_overview", "query_available_slots", "query_target_tasks", "set_preferences"]
ADD, REMOVE = "context_tools_add", "context_tools_remove"
S, T = "schedule", "taskclass"


@pytest.mark.parametrize(
    ("active", "name", "arguments", "after", "changed"),
    [
        ({}, ADD, {"domain": S}, {S: ["analyze", "mutation"]}, True),
        ({}, ADD, {"domain": S, "packs": ["web"]}, {S: ["web"]}, True),
        ({}, ADD, {"domain": T}, {T: []}, True),
        ({S: ["web"]}, ADD, {"domain": T}, {T: []}, True),
        ({S: ["web"]}, ADD, {"domain": T, "mode": "merge"}, {S: ["web"], T: []}, True),
        ({S: ["web"]}, ADD, {"domain": S, "packs": ["queue"]}, {S: ["queue"]}, True),
        ({S: ["web"]}, ADD, {"domain": S, "packs": ["queue"], "mode": "merge"}, {S: ["queue", "web"]}, True),
        ({S: ["web"], T: []}, ADD, {"domain": S, "packs": ["web"]}, {S: ["web"]}, True),
        ({S: ["web"]}, ADD, {"domain": S, "packs": ["web", "web"]}, {S: ["web"]}, False),
        ({S: []}, ADD, {"domain": S, "packs": [], "mode": "merge"}, {S: ["analyze", "mutation"]}, True),
        ({S: ["queue", "web"]}, REMOVE, {"domain": S, "packs": ["web"]}, {S: ["queue"]}, True),
        ({S: ["web"]}, REMOVE, {"domain": S, "packs": ["web"]}, {S: []}, True),
        ({S: ["web"]}, REMOVE, {"domain": S, "packs": ["queue"]}, {S: ["web"]}, False),
        ({S: ["web"], T: []}, REMOVE, {"domain": S}, {T: []}, True),
        ({S: ["web"]}, REMOVE, {"domain": T}, {S: ["web"]}, False),
        ({S: ["web"], T: []}, REMOVE, {"domain": "all"}, {}, True),
        ({S: ["web"], T: []}, REMOVE, {"all": True}, {}, True),
        ({}, REMOVE, {"all": True}, {}, False),
    ],
)
async def test_a_call_leaves_these_packs_open(active, name, arguments, after, changed):
    outcome, result = await call(name, arguments, None, active=active)
    told = json.loads(result.observation_text)
    assert (outcome.active, told["active"], told["changed"]) == (after, after, changed)
    seen = {tool.name for tool in REGISTRY.visible(after)} - {ADD, REMOVE}
    assert set(told["tools"]) == seen
    if S in after:
        assert set(CORE) <= seen


@pytest.mark.parametrize(
    ("arguments", "action"),
    [
        ({"domain": "schedule"}, "deactivate"),
        ({"domain": "schedule", "packs": ["web"]}, "deactivate_packs"),
        ({"all": True}, "clear_all"),
    ],
)
async def test_a_removal_names_its_kind(arguments, action):
    outcome, _ = await call(REMOVE, arguments, None)
    assert outcome.data["action"] == action


@pytest.mark.parametrize(
    "arguments",
    [
        {"domain": "school"},
        {"domain": "schedule", "packs": ["core"]},
        {"domain": "schedule", "packs": ["nonsense"]},
        {"domain": "taskclass", "packs": ["web"]},
        {"domain": "all"},
        {"packs": ["web"]},
    ],
)
async def test_unknown_domains_and_packs_are_refused(arguments):
    outcome, _ = await call(ADD, arguments, None)
    assert outcome.error.code == "invalid_args"
    assert outcome.active is None


async def test_local_adjustment_opens_other_packs_by_default():
    outcome, _ = await call(ADD, {"domain": "schedule"}, None, active={}, mode="local_adjust")
    assert outcome.active == {"schedule": ["detail_read", "mutation"]}
    assert REGISTRY.default_active("local_adjust") == {"schedule": ["detail_read", "mutation"]}
    assert REGISTRY.default_active("first_full") == {"schedule": ["analyze", "mutation"]}
    assert REGISTRY.default_active("", "taskclass") == {"taskclass": []}


async def test_core_survives_the_removal_of_every_pack():
    outcome, _ = await call(REMOVE, {"domain": "schedule", "packs": list(OPTIONAL_PACKS["schedule"])}, None)
    assert outcome.active["schedule"] == []
    assert [tool.name for tool in REGISTRY.visible({"schedule": []})] == [ADD, REMOVE, *CORE]


def test_every_tool_belongs_to_a_pack_that_can_be_opened():
    for tool in REGISTRY.tools:
        if tool.domain is not None:
            assert tool.pack == "core" or tool.pack in OPTIONAL_PACKS[tool.domain]


def refused(name, arguments, **fields):
    call = REGISTRY.validate(name, arguments, draft())
    assert not isinstance(call, ToolError)
    found = REGISTRY.refuse_here(call, context(**fields))
    return found.code if found else None


def test_visibility_is_checked_when_a_call_is_made():
    assert refused("list_tasks", {}, active={"schedule": ["mutation"]}) == "tool_not_visible"
    assert refused("list_tasks", {}, active={"schedule": ["detail_read"]}) is None
    assert refused("get_overview", {}, active={}) == "tool_not_visible"
    assert refused(ADD, {"domain": "schedule"}, active={}) is None


VERDICT = {
    "decision": {
        "candidates": [
            {"tool": "move", "arguments": {"task_id": 8, "new_day": 6, "new_slot_start": 5}},
            {"tool": "swap", "arguments": {"task_a": 6, "task_b": 8}},
            {"tool": "", "arguments": {}},
        ]
    }
}
MOVE = {"task_id": 8, "new_day": 6, "new_slot_start": 5}


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("move", MOVE, None),
        ("swap", {"task_a": 6, "task_b": 8}, None),
        ("swap", {"task_a": 8, "task_b": 6}, None),
        ("move", {**MOVE, "new_day": 5}, "not_a_candidate"),
        ("swap", {"task_a": 5, "task_b": 6}, "not_a_candidate"),
        ("place", {"task_id": 7, "day": 6, "slot_start": 1}, "not_in_mode"),
        ("get_overview", {}, "not_in_mode"),
        ("analyze_health", {}, None),
    ],
)
def test_while_improving_only_the_offered_steps_may_be_taken(name, arguments, code):
    assert refused(name, arguments, active_optimize_only=True, verdict=VERDICT) == code


def test_a_stale_verdict_offers_nothing():
    assert refused("move", MOVE, active_optimize_only=True, verdict={**VERDICT, "stale": True}) == "not_a_candidate"
    assert refused("move", MOVE, active_optimize_only=True, verdict=None) == "not_a_candidate"
    assert not REGISTRY.is_candidate(None, "move", MOVE)


async def test_packs_opened_while_improving_wait_and_stay_hidden():
    active = {"schedule": ["analyze", "mutation"]}
    arguments = {"domain": "schedule", "packs": ["detail_read"], "mode": "merge"}
    outcome, _ = await call(ADD, arguments, None, active=active, active_optimize_only=True)
    assert outcome.active == {"schedule": ["analyze", "detail_read", "mutation"]}
    assert outcome.data["note"]
    assert {tool.name for tool in REGISTRY.visible(outcome.active, True)} == {
        "analyze_health",
        "move",
        "swap",
        ADD,
        REMOVE,
    }

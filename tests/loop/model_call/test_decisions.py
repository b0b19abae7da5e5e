"""Every row of the decision contracts: what is accepted, what is refused, with which kind of correction."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.loop.model_call.decisions import AbortIntent, ChatDecision, ExecuteDecision, PlanDecision
from agent.loop.model_call.lenient_json import FRAGMENT, DecisionError, read_object
from agent.loop.state.conversation import Asked

PACKS = {"schedule": ("mutation", "analyze", "detail_read"), "taskclass": ()}
CALL = {"name": "move", "arguments": {"task_id": 8, "new_day": 6, "new_slot_start": 5}}
ABORT = {"code": "no_room", "user_message": "放不下"}

LEGAL: dict[str, dict[str, Any]] = {
    "continue": {"action": "continue"},
    "continue with a call": {"action": "continue", "tool_call": CALL},
    "ask_user": {"action": "ask_user", "speak": "哪一天？"},
    "confirm": {"action": "confirm", "tool_call": CALL},
    "next_plan": {"action": "next_plan", "goal_check": "已查到"},
    "done": {"action": "done", "goal_check": "已完成"},
    "abort": {"action": "abort", "abort": ABORT},
}


def execute(found: dict[str, Any]) -> ExecuteDecision:
    return ExecuteDecision.read(read_object(json.dumps(found, ensure_ascii=False)))


@pytest.mark.parametrize("row", LEGAL)
def test_it_accepts_each_legal_form(row: str) -> None:
    assert execute(LEGAL[row]).action == LEGAL[row]["action"]


@pytest.mark.parametrize(
    "found",
    [
        {**LEGAL["continue"], "abort": ABORT},
        {**LEGAL["ask_user"], "tool_call": CALL},
        {**LEGAL["ask_user"], "abort": ABORT},
        {"action": "confirm"},
        {**LEGAL["confirm"], "abort": ABORT},
        {**LEGAL["next_plan"], "tool_call": CALL},
        {**LEGAL["next_plan"], "abort": ABORT},
        {**LEGAL["done"], "tool_call": CALL},
        {**LEGAL["done"], "abort": ABORT},
        {"action": "abort"},
        {**LEGAL["abort"], "tool_call": CALL},
        {"action": "abort", "abort": {"code": "x", "user_message": " "}},
        {"action": "confirm", "tool_call": {"name": " ", "arguments": {}}},
        {"action": "continue", "tool_call": "move"},
        {"action": "continue", "tool_call": 7},
        {"action": "continue", "tool_call": {"name": "move", "arguments": [1]}},
        {"action": "continue", "tool_call": {"name": ["move"]}},
        {"action": "continue", "tool_call": {"name": "move", "args": 1}},
        {"action": "continue", "speak": [7]},
        {"action": "wander"},
        {"action": ""},
        {"action": None},
        {},
    ],
)
def test_it_refuses_each_illegal_field_as_a_contract_correction(found: dict[str, Any]) -> None:
    with pytest.raises(DecisionError) as refused:
        execute(found)
    assert refused.value.kind == "contract"


def test_it_says_that_one_decision_holds_one_call() -> None:
    with pytest.raises(DecisionError, match="只能调用一个工具"):
        execute({"action": "continue", "tool_call": [CALL, {"name": "get_overview"}]})


CLEAN = {"speak": "好", "action": "continue", "reason": "r", "goal_check": "", "tool_call": CALL}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({**CLEAN, "abort": ""}),
        json.dumps({**CLEAN, "abort": None}),
        json.dumps({**CLEAN, "abort": "  ", "goal_check": None}),
        json.dumps({**CLEAN, "surprise": [1, 2]}),
        json.dumps({**CLEAN, "tool_call": {**CALL, "id": "call_1", "type": "function"}}),
        json.dumps({**CLEAN, "tool_call": {"name": " move ", "parameters": CALL["arguments"]}}),
        json.dumps({**CLEAN, "tool_call": {"name": "move", "arguments": {}, "parameters": CALL["arguments"]}}),
        json.dumps({**CLEAN, "tool_call": {"name": "move", "args": CALL["arguments"]}}),
        json.dumps({**CLEAN, "tool_call": {"name": "move", "arguments": None, "parameters": CALL["arguments"]}}),
        json.dumps({**CLEAN, "speak": " 好 ", "action": " continue "}),
        "```json\n" + json.dumps(CLEAN) + "\n```",
        "```\n" + json.dumps(CLEAN) + "```",
        "\ufeff" + json.dumps(CLEAN),
        "<think>{\"action\":\"done\"} 也许吧</think>\n" + json.dumps(CLEAN),
        "我的决定如下：\n" + json.dumps(CLEAN, ensure_ascii=False) + "\n以上。",
        "{这样} " + json.dumps(CLEAN),
    ],
)  # fmt: skip
def test_it_reads_each_tolerated_deviation_as_the_clean_form(text: str) -> None:
    assert ExecuteDecision.read(read_object(text)) == execute(CLEAN)


@pytest.mark.parametrize("empty", ["", None, "  "])
def test_an_empty_tool_call_means_none(empty: Any) -> None:
    assert execute({"action": "continue", "tool_call": empty}).tool_call is None


def test_absent_arguments_are_an_empty_object() -> None:
    decision = execute({"action": "continue", "tool_call": {"name": "get_overview"}})
    assert decision.tool_call is not None
    assert decision.tool_call.arguments == {}


def test_keys_of_an_abort_that_nobody_knows_are_dropped() -> None:
    abort = {"code": "no_room", "user_message": "放不下", "type": "abort", "retry": False}
    assert execute({"action": "abort", "abort": abort}).abort == AbortIntent("no_room", "放不下")


def test_an_unstable_abort_code_becomes_model_abort() -> None:
    decision = execute({"action": "abort", "abort": {"code": "No room!", "user_message": "放不下"}})
    assert decision.abort is not None
    assert decision.abort.code == "model_abort"


@pytest.mark.parametrize(
    ("text", "kind", "code"),
    [
        ("", "parse", "no_json"),
        ("好的", "parse", "no_json"),
        ("[1, 2]", "parse", "no_json"),
        ("null", "parse", "no_json"),
        ('{"action": "continue', "parse", "no_json"),
        ('{"action": "continue", "tool_call": {"name": "move", "arguments": {"task_id": 1', "parse", "no_json"),
        ('{"action": NaN}', "parse", "no_json"),
        ('{"a":' * 5000 + "1" + "}" * 5000, "parse", "no_json"),
        ('{"action":"continue"} {"action":"done"}', "parse", "ambiguous"),
        ('{"action":"continue","action":"done"}', "contract", "duplicate_key"),
        ('{"action":"continue","tool_call":{"name":"a","name":"b"}}', "contract", "duplicate_key"),
        ("<think>没完 {\"action\":\"continue\"}", "parse", "no_json"),
    ],
)  # fmt: skip
def test_it_names_what_is_wrong_with_an_unreadable_answer(text: str, kind: str, code: str) -> None:
    with pytest.raises(DecisionError) as refused:
        read_object(text)
    assert (refused.value.kind, refused.value.code) == (kind, code)
    assert len(refused.value.fragment) <= FRAGMENT


def test_a_cut_object_is_truncated() -> None:
    with pytest.raises(DecisionError) as refused:
        read_object('{"action":"continue","speak":"我', truncated=True)
    assert refused.value.kind == "truncated"


def test_a_complete_object_before_the_cut_is_taken() -> None:
    assert read_object('{"action":"continue"} 然后', truncated=True) == {"action": "continue"}


JSON_VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=5),
    st.lists(st.integers(), max_size=2), st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)  # fmt: skip


@given(row=st.sampled_from(sorted(LEGAL)), key=st.text(max_size=8), value=JSON_VALUES, cut=st.integers(0, 200))
def test_a_mutated_answer_is_a_decision_or_a_correction_never_a_crash(row: str, key: str, value: Any, cut: int) -> None:
    found = {**LEGAL[row]}
    names = sorted(found)
    found[key if key not in names and len(key) % 2 else names[len(key) % len(names)]] = value
    text = json.dumps(found, ensure_ascii=False)
    for answer in (text, text[:cut]):
        with contextlib.suppress(DecisionError):
            assert ExecuteDecision.read(read_object(answer)).action


def chat(**found: Any) -> ChatDecision:
    return ChatDecision.read(found, PACKS)


def test_flags_count_only_with_execute_and_refine_only_with_a_build() -> None:
    flags = {"needs_rough_build": True, "needs_refine_after_rough_build": False}
    assert chat(route="plan", **flags).needs_rough_build is False
    assert chat(route="execute", **flags).refine is False
    assert chat(route="execute", needs_rough_build=True).refine is None
    assert chat(route="execute", needs_refine_after_rough_build=True).refine is None


@pytest.mark.parametrize(
    "found",
    [
        {"route": "direct_reply"},
        {"route": "direct_reply", "speak": " "},
        {"route": "somewhere"},
        {"speak": "hi"},
        {"route": "execute", "needs_rough_build": "maybe"},
        {"route": "execute", "task_class_ids": [{"id": True}]},
        {"route": "execute", "task_class_ids": [True]},
        {"route": "execute", "context_hook": {"domain": "school"}},
        {"route": "execute", "context_hook": {"domain": "schedule", "packs": ["core"]}},
        {"route": "execute", "context_hook": {"domain": "taskclass", "packs": ["mutation"]}},
        {"route": "execute", "context_hook": {"domain": "schedule", "packs": "everything"}},
        {"route": "execute", "context_hook": "school"},
    ],
)
def test_it_refuses_a_chat_decision_outside_its_contract(found: dict[str, Any]) -> None:
    with pytest.raises(DecisionError) as refused:
        ChatDecision.read(found, PACKS)
    assert refused.value.kind == "contract"


STEP = {"content": "排好概率论", "done_when": "初稿写入"}


@pytest.mark.parametrize(
    "found",
    [
        {"action": "continue"},
        {"action": "ask_user", "speak": "哪些天？", "options": [{"id": "a_1", "label": "周末"}]},
        {"action": "plan_done", "steps": [STEP], "needs_rough_build": True, "task_class_ids": [5]},
        {"action": "plan_done", "steps": [STEP], "needs_refine": False},
        {"action": "plan_done", "steps": [STEP] * 12, "context_hook": {"domain": "schedule", "packs": ["analyze"]}},
    ],
)
def test_it_accepts_each_plan_action(found: dict[str, Any]) -> None:
    assert PlanDecision.read(found, PACKS).action == found["action"]


@pytest.mark.parametrize(
    "found",
    [
        {"action": "plan_done", "steps": []},
        {"action": "plan_done", "steps": [STEP] * 13},
        {"action": "plan_done", "steps": [{"content": "排"}]},
        {"action": "plan_done", "steps": ["排"]},
        {"action": "plan_done", "steps": [STEP], "options": [{"id": "a", "label": "b"}]},
        {"action": "continue", "steps": [STEP]},
        {"action": "continue", "needs_rough_build": True},
        {"action": "continue", "options": [{"id": "a", "label": "b"}]},
        {"action": "ask_user", "speak": "?", "steps": [STEP]},
        {"action": "ask_user", "speak": "?", "task_class_ids": [5]},
        {"action": "ask_user", "speak": "?", "context_hook": {"domain": "schedule"}},
        {"action": "ask_user", "speak": "?", "options": [{"id": "A", "label": "b"}]},
        {"action": "ask_user", "speak": "?", "options": [{"id": "a", "label": ""}]},
        {"action": "ask_user", "speak": "?", "options": [{"id": f"a{n}", "label": "b"} for n in range(7)]},
        {"action": "ask_user", "speak": "?", "options": [{"id": "a", "label": "b"}] * 2},
        {"action": "done"},
    ],
)
def test_it_refuses_a_plan_decision_outside_its_contract(found: dict[str, Any]) -> None:
    with pytest.raises(DecisionError) as refused:
        PlanDecision.read(found, PACKS)
    assert refused.value.kind == "contract"


def test_what_a_question_is_about_is_read_with_it() -> None:
    asks = {"topic": "places", "about": {"item": 8}}
    assert execute({**LEGAL["ask_user"], "asks": asks}).asks == Asked(topic="places", about={"item": 8})
    plan = PlanDecision.read({"action": "ask_user", "speak": "?", "asks": {"topic": "class"}}, PACKS)
    assert plan.asks == Asked(topic="class")


@pytest.mark.parametrize(
    "asks",
    [None, "places", ["places"], {}, {"topic": "Die Orte"}, {"topic": 8}, {"topic": "places", "about": "8"},
     {"topic": "health"}, {"topic": "scope"}],
)  # fmt: skip
def test_anything_else_said_of_a_question_is_passed_over(asks: Any) -> None:
    """A model that invents the key is not corrected, and none may claim the topics of the loop's own questions."""
    assert execute({**LEGAL["ask_user"], "asks": asks}).asks is None


def test_a_step_may_tell_its_kind_and_its_classes() -> None:
    step = {**STEP, "kind": "build", "class_ids": [5]}
    (read,) = PlanDecision.read({"action": "plan_done", "steps": [step]}, PACKS).steps
    assert (read.kind, read.class_ids) == ("build", [5])

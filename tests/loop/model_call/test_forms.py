"""The forms of a call, the marks around an answer, and arguments that are nearly right."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.calls.tool import ToolCall
from agent.calls.values import ToolError
from agent.loop.model_call.decisions import ChatDecision, ExecuteDecision, PlanDecision
from agent.loop.model_call.lenient_json import DecisionError, read_object
from agent.loop.model_call.marks import Restart, ThoughtSplitter, split_thought, strip_control
from agent.loop.outside.model import Reasoning
from tests.kits.loop.chat import REGISTRY
from tests.kits.loop.goals import built
from tests.kits.tools.world import CALENDAR

MARKED = [
    ("<think>why</think>{}", "why", "{}"),
    ("先看看 <b></think>\n{}", "先看看 <b>", "{}"),
    ("<thinking>a</thinking>\n<think>b</think>{}", "ab", "{}"),
    ("<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>{}<|return|>", "hm", "{}"),
    ("好<|im_end|>", "", "好"),
    ("好<｜end▁of▁sentence｜>", "", "好"),
    ("a < b [c] <d>", "", "a < b [c] <d>"),
    ("<think>never closed", "never closed", ""),
    ("一段。<think>再想</think>二段。", "", "一段。二段。"),
    ('{"speak":"<Think>嗯</Think>你好"}', "", '{"speak":"你好"}'),
    ("<think>a</think>{}<think>b</think>", "a", "{}"),
    ("先想 <think>b</think> 再想</think>{}", "先想  再想", "{}"),
    ("写 <think> 就行", "", "写 <think> 就行"),
]


@pytest.mark.parametrize(("text", "thought", "answer"), MARKED)
def test_marks_are_told_from_the_answer(text: str, thought: str, answer: str) -> None:
    assert split_thought(text) == (thought, answer)


@given(row=st.sampled_from(MARKED), cuts=st.lists(st.integers(0, 90), max_size=8))
def test_marks_are_told_alike_wherever_the_text_is_cut(row: Any, cuts: list[int]) -> None:
    text, thought, answer = row
    borders = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    splitter, heard = ThoughtSplitter(), ["", ""]
    for delta in [d for a, b in itertools.pairwise(borders) for d in splitter.feed(text[a:b])] + splitter.end():
        if isinstance(delta, Restart):
            heard = [heard[0] + heard[1], ""]
        else:
            heard[not isinstance(delta, Reasoning)] += delta.text
    assert (heard[0], heard[1].lstrip()) == (thought, answer)


def test_control_tokens_are_nobodys_words() -> None:
    assert strip_control("<s>[INST]好<|eot_id|><｜User｜>的</s>") == "好的"


ARGUMENTS = {"task_id": 8, "new_day": 6, "new_slot_start": 5}
WRITTEN = '{"task_id":8,"new_day":6,"new_slot_start":5}'


@pytest.mark.parametrize(
    "text",
    [
        f'<tool_call>{{"name":"move","arguments":{WRITTEN}}}</tool_call>',
        f'<tool_call>{{"name":"move","arguments":{WRITTEN}}}',
        "<tool_call>move\n<arg_key>task_id</arg_key>\n<arg_value>8</arg_value>\n<arg_key>new_day</arg_key><arg_value>6"
        "</arg_value><arg_key>new_slot_start</arg_key><arg_value>5</arg_value></tool_call>",
        f"<function=move>{WRITTEN}</function>",
        "<tool_call><function=move><parameter=task_id>8</parameter><parameter=new_day>6</parameter>"
        "<parameter=new_slot_start>5</parameter></function></tool_call>",
        '<invoke name="move"><parameter name="task_id">8</parameter><parameter name="new_day">6</parameter>'
        '<parameter name="new_slot_start">5</parameter></invoke>',
        f'[TOOL_CALLS] [{{"name":"move","arguments":{WRITTEN}}}]',
        f'<|python_tag|>{{"name":"move","parameters":{WRITTEN}}}<|eom_id|>',
        f'functools[{{"name":"move","arguments":{WRITTEN}}}]',
        f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>move\n```json\n{WRITTEN}\n```<｜tool▁call▁end｜>",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.move:0<|tool_call_argument_begin|>"
        f"{WRITTEN}<|tool_call_end|><|tool_calls_section_end|>",
        f"<|channel|>commentary to=functions.move <|constrain|>json<|message|>{WRITTEN}<|call|>",
        f'```json\n{{"name":"move","arguments":{WRITTEN}}}\n```',
        f'{{"type":"function","function":{{"name":"move","arguments":{WRITTEN}}}}}',
        f'{{"action":"move","arguments":{WRITTEN}}}',
        f'{{"action":"Move","action_input":{WRITTEN}}}',
        '{"action":"move","task_id":8,"new_day":6,"new_slot_start":5}',
        f'{{"action":"continue","tool_call":"{{\\"name\\":\\"move\\",\\"arguments\\":{WRITTEN}}}"}}'.replace(
            WRITTEN, WRITTEN.replace('"', '\\"')
        ),
    ],
)
def test_a_call_is_read_in_each_form_it_is_written_in(text: str) -> None:
    decision = ExecuteDecision.read(read_object(text), tools={"move"})
    assert decision.action == "continue"
    assert decision.tool_call is not None
    call, dropped = REGISTRY.fit(decision.tool_call.name, decision.tool_call.arguments)
    assert isinstance(call, ToolCall)
    assert (call.name, call.arguments, dropped) == ("move", ARGUMENTS, ())


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ('<tool_call>{"name":"done","arguments":{"goal_check":"好"}}</tool_call>', "done"),
        ('<tool_call>{"name":"ask_user","arguments":{"question":"哪天？"}}</tool_call>', "ask_user"),
        ('{"name":"abort","arguments":{"user_message":"放不下"}}', "abort"),
        ('{"name":"confirm","arguments":{"name":"move","arguments":{}}}', "confirm"),
    ],
)
def test_a_control_action_called_like_a_tool_is_that_action(text: str, action: str) -> None:
    assert ExecuteDecision.read(read_object(text), tools={"move"}).action == action


DOUBTFUL = [
    ({"action": "continue", "tool_calls": [{"name": "move", "arguments": ARGUMENTS}]}, "call_key"),
    ({"action": "continue", "tool": "move", "args": ARGUMENTS}, "call_key"),
    ({"action": "continue", "function_call": {"name": "move", "arguments": ARGUMENTS}}, "call_key"),
    ({"action": "continue", "tool_call": [{"name": "move", "arguments": ARGUMENTS}, {"name": "x"}]}, "several_calls"),
    ({"action": "done", "goal_check": "好", "tool_call": {"name": "move", "arguments": ARGUMENTS}}, "call_beside"),
]


@pytest.mark.parametrize(("found", "code"), DOUBTFUL)
def test_what_may_mean_two_things_is_corrected_once(found: dict[str, Any], code: str) -> None:
    with pytest.raises(DecisionError) as refused:
        ExecuteDecision.read(found, tools={"move"})
    assert (refused.value.kind, refused.value.code) == ("contract", code)
    again = ExecuteDecision.read(found, tools={"move"}, told={code})
    assert again.tool_call is not None
    assert (again.action, again.tool_call.name, again.tool_call.arguments) == ("continue", "move", ARGUMENTS)


@pytest.mark.parametrize(
    ("name", "given", "meant"),
    [
        ("move", {"task_id": "8", "new_day": "6", "new_slot_start": "5"}, ARGUMENTS),
        ("MOVE", {**ARGUMENTS, "task_id": "[8]"}, ARGUMENTS),
        ("query_target_tasks", {"task_ids": 8, "enqueue": "false"}, {"task_ids": [8], "enqueue": False}),
        ("query_target_tasks", {"task_ids": "[8, 9]", "status": "ALL"}, {"task_ids": [8, 9], "status": "all"}),
        ("query_target_tasks", {"status": "待安排"}, {"status": "pending"}),
        ("batch_move", {"moves": {**ARGUMENTS, "new_day": "6"}}, {"moves": [ARGUMENTS]}),
    ],
)
def test_arguments_are_read_as_they_were_meant(name: str, given: dict[str, Any], meant: dict[str, Any]) -> None:
    call, dropped = REGISTRY.fit(name, given)
    assert isinstance(call, ToolCall)
    assert (call.arguments, dropped) == (meant, ())


def test_parameters_that_no_tool_has_are_dropped_and_named() -> None:
    call, dropped = REGISTRY.fit("batch_move", {"moves": [{**ARGUMENTS, "why": "x"}], "note": 1})
    assert isinstance(call, ToolCall)
    assert call.arguments == {"moves": [ARGUMENTS]}
    assert sorted(dropped) == ["moves[0].why", "note"]


def test_a_parameter_that_stands_for_a_missing_one_is_no_extra() -> None:
    error, dropped = REGISTRY.fit("move", {"task_id": 8, "when": 6, "slot": 5})
    assert isinstance(error, ToolError)
    assert dropped == ()


async def test_a_day_an_item_and_a_section_that_are_none_are_told_how_they_are_written() -> None:
    chat = await built()
    given = {"task_id": "那一项", "new_day": "下个好日子", "new_slot_start": "饭后"}
    error, _ = REGISTRY.fit("move", given, chat.schedule, chat.world.calendar)
    assert isinstance(error, ToolError)
    told = {row["field"]: row["expected"] for row in error.listed}
    assert [told[key].partition("（")[0] for key in given] == ["integer"] * 3
    assert "完整名称" in told["task_id"]
    assert "第几周周几" in told["new_day"]


@pytest.mark.parametrize(
    ("name", "given", "meant"),
    [
        ("move", {"task_id": 8, "day": "6", "slot_start": 5}, ARGUMENTS),
        ("batch_move", {"moves": [{"task_id": 8, "day": 6, "slot_start": 5}]}, {"moves": [ARGUMENTS]}),
        ("place", {"task_id": 8, "new_day": 6, "new_slot_start": 5}, {"task_id": 8, "day": 6, "slot_start": 5}),
        ("query_available_slots", {"task_id": 8, "week": 3}, {"for_task_id": 8, "week": 3}),
        ("move", {**ARGUMENTS, "new_day": "2026-03-21"}, ARGUMENTS),
        ("move", {"task_id": 8, "date": "2026/03/21", "slot_start": 5}, ARGUMENTS),
        ("move", {"task_id": 8, "week": 3, "day_of_week": 6, "slot_start": 5}, ARGUMENTS),
        ("move", {"task_id": 8, "date": "3月21日", "slot_start": 5}, ARGUMENTS),
        ("move", {"task_id": 8, "date": "3月21日", "start_section": 5}, ARGUMENTS),
        ("move", {"task_id": 8, "day": "第3周周六", "sections": [5, 6]}, ARGUMENTS),
        ("move", {"task_id": 8, "new_date": "03-21", "time": "第5-6节"}, ARGUMENTS),
        ("query_range", {"date": "2026-03-21T08:00"}, {"day": 6}),
        ("query_available_slots", {"date": "2026-03-21"}, {"day": 6}),
        ("query_target_tasks", {"week": 3, "day_of_week": 6}, {"week": 3, "day_of_week": [6]}),
    ],
)
async def test_a_day_and_an_item_under_the_names_of_another_tool_are_read(
    name: str, given: dict[str, Any], meant: dict[str, Any]
) -> None:
    chat = await built()
    call, dropped = REGISTRY.fit(name, given, chat.schedule, chat.world.calendar)
    assert isinstance(call, ToolCall)
    assert (call.arguments, dropped) == (meant, ())


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ({"start_date": "3月9日", "end_date": "05-31"}, {"start_date": "2026-03-09", "end_date": "2026-05-31"}),
        ({"start_date": "2025-03-09", "end_date": "12月1日"}, {"start_date": "2025-03-09", "end_date": "12月1日"}),
        ({"config": {"excluded_slots": ["晚上"]}}, {"config": {"excluded_slots": [5, 6]}}),
        ({"excluded_slots": ["上午", 6, "3-4"]}, {"config": {"excluded_slots": [1, 2, 6]}}),
        ({"excluded_slots": "evening"}, {"config": {"excluded_slots": [5, 6]}}),
    ],
)
def test_a_class_is_read_by_the_semester(written: dict[str, Any], read: dict[str, Any]) -> None:
    call, _ = REGISTRY.fit("upsert_task_class", {"id": 5, "task_class": written}, None, CALENDAR)
    assert isinstance(call, ToolCall)
    assert call.arguments == {"id": 5, "task_class": read}


@pytest.mark.parametrize("new", [0, "0", "", "none", "new", None, "无"])
def test_a_class_and_items_with_an_id_for_what_is_new_are_new(new: Any) -> None:
    given = {"id": new, "task_class": {"name": "线代"}, "items": [{"id": new, "content": "矩阵", "sections": 2}]}
    call, dropped = REGISTRY.fit("upsert_task_class", given, None, CALENDAR)
    assert isinstance(call, ToolCall)
    items = [{"content": "矩阵", "duration": 2, "order": 1}]
    assert (call.arguments, dropped) == ({"task_class": {"name": "线代"}, "items": items}, ())


@pytest.mark.parametrize("name", ["id", "task_class_id", "class_id", "taskClassId"])
def test_a_class_is_changed_under_each_name_of_its_id(name: str) -> None:
    call, dropped = REGISTRY.fit("upsert_task_class", {name: "5", "allow_filler_course": "是"}, None, CALENDAR)
    assert isinstance(call, ToolCall)
    assert (call.arguments, dropped) == ({"id": 5, "task_class": {"config": {"allow_filler_course": True}}}, ())


@pytest.mark.parametrize("written", ["1. 矩阵\n2. 行列式", "- 矩阵\n- 行列式\n", "1、矩阵；2、行列式", "矩阵、行列式"])
def test_items_in_one_text_are_read_without_their_numbers(written: str) -> None:
    call, _ = REGISTRY.fit("upsert_task_class", {"name": "线代", "items": written}, None, CALENDAR)
    assert isinstance(call, ToolCall)
    assert [item["content"] for item in call.arguments["items"]] == ["矩阵", "行列式"]


@pytest.mark.parametrize("new", [-1, "x", True])
def test_an_id_that_is_none_is_refused(new: Any) -> None:
    assert isinstance(REGISTRY.fit("upsert_task_class", {"id": new, "items": ["矩阵"]}, None, CALENDAR)[0], ToolError)


def test_days_in_short_and_dates_with_their_weekday_or_time_are_read() -> None:
    given = {"start_date": "2026-03-16（周一）", "end_date": "2026-04-12T23:59:59+08:00"}
    config = {"excluded_days_of_week": ["周末", "Wed"]}
    call, _ = REGISTRY.fit("upsert_task_class", {"id": 5, "task_class": {**given, "config": config}}, None, CALENDAR)
    assert isinstance(call, ToolCall)
    assert call.arguments["task_class"] == {
        "start_date": "2026-03-16",
        "end_date": "2026-04-12",
        "config": {"excluded_days_of_week": [3, 6, 7]},
    }


def test_a_part_of_a_day_that_the_semester_has_not_is_refused() -> None:
    short = replace(CALENDAR, section_times=CALENDAR.section_times[:4])
    given = {"id": 5, "task_class": {"excluded_slots": ["晚上"]}}
    assert isinstance(REGISTRY.fit("upsert_task_class", given, None, short)[0], ToolError)


@pytest.mark.parametrize("date", ["2026-06-01", "周六", "6月1日"])
async def test_a_day_that_is_none_of_the_window_is_refused(date: str) -> None:
    chat = await built()
    error, _ = REGISTRY.fit("move", {"task_id": 8, "date": date, "slot_start": 5}, chat.schedule, chat.world.calendar)
    assert isinstance(error, ToolError)


async def test_an_item_by_its_name_or_its_own_id_is_read() -> None:
    chat = await built()
    item = list(chat.schedule.items())[-1]
    place = {"new_day": 6, "new_slot_start": 5}
    for named in (
        {"task_id": item.name}, {"task_id": f"「{item.name}」"}, {"task_item_id": str(item.source_id)},
        {"item_id": item.source_id}, {"itemId": item.state_id}, {"task": item.name}, {"item": str(item.state_id)},
        {"name": item.name}, {"title": f"《{item.name}》"}, {"task": item.name[-3:]}, {"task_id": item.name[1:]},
    ):  # fmt: skip
        call, dropped = REGISTRY.fit("move", {**named, **place}, chat.schedule)
        assert isinstance(call, ToolCall)
        assert (call.arguments, dropped) == ({"task_id": item.state_id, **place}, ())
    error, _ = REGISTRY.fit("move", {"task_id": "别的", **place}, chat.schedule)
    assert isinstance(error, ToolError)


@pytest.mark.parametrize(
    ("text", "route", "speak"),
    [
        ('<tool_call>{"name": "get_overview", "arguments": {}}</tool_call>', "execute", ""),
        ('好的\n<tool_call>{"name": "a"}</tool_call><tool_call>{"name": "b"}</tool_call>', "execute", "好的"),
        ('{"action": "continue", "tool_call": {"name": "move", "arguments": {"task_id": 1}}}', "execute", ""),
        ('{"tool_calls": [{"function": {"name": "move", "arguments": "{}"}}]}', "execute", ""),
        ('{"action": "ask_user", "speak": "哪一门？"}', "direct_reply", "哪一门？"),
        ('<tool_call>{"name": "ask_user", "arguments": {"question": "哪天？"}}</tool_call>', "direct_reply", "哪天？"),
        ('{"action": "done", "speak": "好。", "goal_check": "x"}', "direct_reply", "好。"),
        ('{"action": "abort", "abort": {"code": "x", "user_message": "做不到"}}', "direct_reply", "做不到"),
        ('<tool_call>{"name": "direct_reply", "arguments": {"speak": "你好"}}</tool_call>', "direct_reply", "你好"),
        ('{"action": "plan_done", "steps": [{"content": "a", "done_when": "b"}]}', "plan", ""),
    ],
)
def test_a_decision_of_a_round_chooses_the_way_in_chat(text: str, route: str, speak: str) -> None:
    decision = ChatDecision.read(read_object(text), {"schedule": (), "taskclass": ()})
    assert (decision.route, decision.speak) == (route, speak)


@pytest.mark.parametrize(("speak", "action"), [("都看过了。", "done"), ("挪到哪一天？", "ask_user")])
def test_a_reply_of_chat_ends_a_round(speak: str, action: str) -> None:
    assert ExecuteDecision.read({"route": "direct_reply", "speak": speak}).action == action


@pytest.mark.parametrize(
    ("options", "meant"),
    [
        ([{"id": "YES!", "label": "好"}, {"id": "YES!", "label": "不"}], (("option_1", "好"), ("option_2", "不"))),
        ([{"id": "a", "label": "好"}, {"id": "b", "label": ""}], (("option_1", "好"),)),
        ([f"第{at}周" for at in range(1, 9)], ()),
    ],
)
def test_answers_offered_that_do_not_fit_are_told_once_and_fitted_then(options: Any, meant: Any) -> None:
    found = {"action": "ask_user", "speak": "哪天？", "options": options}
    with pytest.raises(DecisionError) as refused:
        ExecuteDecision.read(found)
    assert refused.value.code == "options"
    assert ExecuteDecision.read(found, told={"options"}).options == meant


@pytest.mark.parametrize("hook", [{"domain": "school"}, {"domain": "schedule", "packs": ["core"]}, "alles", [1, 2]])
def test_packs_that_there_are_not_are_told_once_and_passed_over_then(hook: Any) -> None:
    found = {"route": "execute", "context_hook": hook}
    packs = {"schedule": ("mutation",), "taskclass": ()}
    with pytest.raises(DecisionError) as refused:
        ChatDecision.read(found, packs)
    assert refused.value.code == "context_hook"
    again = ChatDecision.read(found, packs, told={"context_hook"})
    assert (again.route, again.hook) == ("execute", None)


LEFT_OPEN = [
    ({"action": "respond", "speak": "都排好了。"}, "action", ("done", "都排好了。")),
    ({"action": "direct_reply", "answer": "哪一天？"}, "action", ("ask_user", "哪一天？")),
    ({"action": "think", "reason": "先看总览"}, "action", ("continue", "")),
    ({"speak": "都排好了。"}, "action", ("done", "都排好了。")),
    ({"action": "confirm", "speak": "要我移动吗？"}, "no_call", ("ask_user", "要我移动吗？")),
    ({"action": "done", "goal_check": "好", "tool_call": "无需调用工具"}, "tool_call", ("done", "")),
    ({"action": "abort", "speak": "没有空位。"}, "abort", ("abort", "没有空位。")),
    ({"action": "abort", "abort": "没有空位。"}, "abort", ("abort", "没有空位。")),
    ({"action": "abort", "speak": "没有空位。", "abort": {"code": "full"}}, "abort", ("abort", "没有空位。")),
]


@pytest.mark.parametrize(("found", "code", "meant"), LEFT_OPEN)
def test_a_round_that_says_less_than_it_should_is_told_once_and_read_as_what_it_comes_to(
    found: dict[str, Any], code: str, meant: tuple[str, str]
) -> None:
    with pytest.raises(DecisionError) as refused:
        ExecuteDecision.read(found, tools={"move"})
    assert refused.value.code == code
    again = ExecuteDecision.read(found, tools={"move"}, told={code})
    assert (again.action, again.abort.user_message if again.abort else again.speak) == meant


@pytest.mark.parametrize("written", ["list_tasks", "list_tasks()"])
def test_a_call_that_is_a_name_alone_is_told_once_and_made_then(written: str) -> None:
    found = {"action": "continue", "tool_call": written}
    if "(" not in written:
        with pytest.raises(DecisionError):
            ExecuteDecision.read(found, tools={"list_tasks"})
    again = ExecuteDecision.read(found, tools={"list_tasks"}, told={"tool_call"})
    assert again.tool_call is not None
    assert (again.tool_call.name, again.tool_call.arguments) == ("list_tasks", {})


@pytest.mark.parametrize(
    ("found", "works", "meant"),
    [
        ({"speak": "你好。"}, False, ("direct_reply", "你好。")),
        ({"answer": "你好。"}, True, ("direct_reply", "你好。")),
        ({"route": "chat", "speak": "你好。"}, False, ("direct_reply", "你好。")),
        ({"route": "schedule", "speak": "马上。"}, True, ("execute", "马上。")),
        ({"route": "query_timetable"}, False, ("execute", "")),
    ],
)
def test_a_route_that_is_none_is_told_once_and_is_the_work_asked_for_then_or_the_reply(
    found: dict[str, Any], works: bool, meant: tuple[str, str]
) -> None:
    with pytest.raises(DecisionError) as refused:
        ChatDecision.read(found, {}, works=works)
    assert refused.value.code == "route"
    again = ChatDecision.read(found, {}, told={"route"}, works=works)
    assert (again.route, again.speak) == meant


@pytest.mark.parametrize("found", [{}, {"action": "sing"}, {"action": "continue | done", "speak": "…"}])
def test_what_says_nothing_at_all_is_no_decision_however_often(found: dict[str, Any]) -> None:
    with pytest.raises(DecisionError):
        ExecuteDecision.read(found, told={"action"})


def test_ids_of_answers_may_be_numbers() -> None:
    options = [{"id": 1, "label": "周三"}, {"id": 2, "label": "周四"}]
    found = ExecuteDecision.read({"action": "ask_user", "speak": "哪天？", "options": options})
    assert found.options == (("1", "周三"), ("2", "周四"))


STEP = {"content": "排好", "done_when": "初稿写入"}
SLOPPY_PLANS = [
    ({"action": "plan_done", "steps": ["排好", "核对"]}, "steps", ("排好", "核对")),
    ({"action": "plan_done", "steps": [{"content": "排好"}]}, "steps", ("排好",)),
    ({"action": "plan_done", "steps": [STEP], "options": [{"id": "a", "label": "b"}]}, "beside", ("排好",)),
    ({"action": "ask_user", "speak": "哪些天？", "steps": [STEP], "needs_refine": True}, "beside", ()),
    ({"action": "continue", "task_class_ids": [5], "options": ["好"]}, "beside", ()),
]


@pytest.mark.parametrize(("found", "code", "steps"), SLOPPY_PLANS)
def test_a_plan_with_fields_of_another_form_is_told_once_and_read_then(
    found: dict[str, Any], code: str, steps: tuple[str, ...]
) -> None:
    with pytest.raises(DecisionError) as refused:
        PlanDecision.read(found, {})
    assert refused.value.code == code
    again = PlanDecision.read(found, {}, told={code})
    assert (again.action, tuple(step.content for step in again.steps)) == (found["action"], steps)
    assert all(step.done_when for step in again.steps)


def test_steps_and_answers_under_near_names_are_read() -> None:
    found = {"action": "plan_done", "steps": [{"title": "排好", "done": "初稿写入"}]}
    (step,) = PlanDecision.read(found, {}).steps
    assert (step.content, step.done_when) == ("排好", "初稿写入")
    asked = {"action": "ask_user", "speak": "哪天？", "options": [{"value": "mon", "text": "周一"}]}
    assert ExecuteDecision.read(asked).options == (("mon", "周一"),)


@pytest.mark.parametrize("speak", ["none", "无", "N/A", False])
def test_a_word_for_nothing_beside_a_call_is_no_speech(speak: Any) -> None:
    found = {"action": "continue", "speak": speak, "tool_call": {"name": "move", "arguments": ARGUMENTS}}
    assert ExecuteDecision.read(found).speak == ""
    assert ChatDecision.read({"route": "direct_reply", "speak": "无"}, {}).speak == "无"


@pytest.mark.parametrize(
    ("day", "section"), [("周三", 9), ("第30周周三", 9), (10, "19:01"), (10, "10-9"), (10, [9, 11])]
)
async def test_a_time_that_can_mean_nothing_or_two_things_is_refused(day: Any, section: Any) -> None:
    chat = await built()
    item = list(chat.schedule.items())[-1]
    given = {"task_id": item.state_id, "new_day": day, "new_slot_start": section}
    assert isinstance(REGISTRY.fit("move", given, chat.schedule, chat.world.calendar)[0], ToolError)


@pytest.mark.parametrize("named", ["[{id}] 别的名字", "task_999", "item {id} {id}"])
async def test_an_id_that_its_name_denies_is_refused(named: str) -> None:
    chat = await built()
    item = list(chat.schedule.items())[-1]
    given = {"task_id": named.format(id=item.state_id), "new_day": 10, "new_slot_start": 9}
    assert isinstance(REGISTRY.fit("move", given, chat.schedule, chat.world.calendar)[0], ToolError)

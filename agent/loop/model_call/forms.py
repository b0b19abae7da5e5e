"""The forms in which models write one and the same decision, brought to the one that the contracts name.

Nothing here judges: an object goes in, an object with the contract's own keys comes out. What could mean two things
raises `DecisionError` with a code; once the model has been told (`told`), the reading that does least is taken.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, TypeGuard

from agent.calls.tool import plain_name
from agent.loop.model_call.lenient_json import DecisionError, load_lenient
from agent.loop.model_call.text_calls import written_call

Found = Mapping[str, object]
ACTION_NAMES: Mapping[str, str] = {
    "继续": "continue", "继续执行": "continue", "调用工具": "continue", "提问": "ask_user", "询问": "ask_user",
    "询问用户": "ask_user", "问用户": "ask_user", "追问": "ask_user", "确认": "confirm", "请求确认": "confirm",
    "下一步": "next_plan", "下一步骤": "next_plan", "推进": "next_plan", "完成": "done", "已完成": "done",
    "结束": "done", "中止": "abort", "终止": "abort", "放弃": "abort", "计划完成": "plan_done", "规划完成": "plan_done",
    "finish": "done", "finished": "done", "complete": "done", "completed": "done", "final": "done",
    "final_answer": "done", "ask": "ask_user", "question": "ask_user", "clarify": "ask_user", "next": "next_plan",
    "next_step": "next_plan", "proceed": "continue",
}  # fmt: skip
ROUTE_NAMES: Mapping[str, str] = {
    "直接回答": "direct_reply", "直接回复": "direct_reply", "回复": "direct_reply", "回答": "direct_reply",
    "深度回答": "deep_answer", "深入回答": "deep_answer", "计划": "plan", "规划": "plan", "执行": "execute",
    "执行任务": "execute", "执行操作": "execute", "调用工具": "execute", "制定计划": "plan", "reply": "direct_reply",
    "answer": "direct_reply", "respond": "direct_reply", "direct_answer": "direct_reply", "tool_call": "execute",
    "call_tool": "execute", "use_tool": "execute", "tool_use": "execute", "planning": "plan",
}  # fmt: skip
KEY_NAMES: Mapping[str, str] = {
    "动作": "action", "去向": "route", "话": "speak", "说": "speak", "理由": "reason", "原因": "reason",
    "工具调用": "tool_call", "中止": "abort", "步骤": "steps", "选项": "options", "thought": "reason",
    "thoughts": "reason", "rationale": "reason", "analysis": "reason", "message": "speak", "say": "speak",
    "reply": "speak", "speech": "speak", "response": "speak", "toolcall": "tool_call", "goalcheck": "goal_check",
    "toolcalls": "tool_calls", "functioncall": "function_call", "tool_name": "name", "function_name": "name",
    "actions": "tool_calls", "tools": "tool_calls", "calls": "tool_calls", "路由": "route", "操作": "action",
    "行动": "action", "回复": "speak", "回答": "speak", "说话": "speak", "思考": "reason", "分析": "reason",
    "工具": "tool_call", "调用": "tool_call", "调用工具": "tool_call", "名称": "name", "工具名": "name",
    "工具名称": "name", "参数": "arguments", "目标检查": "goal_check", "完成依据": "goal_check",
    "任务类编号": "task_class_ids",
}  # fmt: skip
"""Names near to the right one; a key of the right name beside them wins."""
SPEECH_NAMES = ("question", "answer", "text", "content", "final_answer", "summary", "问题")
"""Names of the words for the student in a decision that calls nothing; in a call they may be arguments."""
CONTROLS = frozenset({"continue", "ask_user", "confirm", "next_plan", "done", "abort"})
"""The actions of a round; a model of native calls writes them like tools."""
TOLD = frozenset({"call_key", "several_calls"})
"""What a model was told of the form of its call, where no call is run."""
CALLING = frozenset({"tool_call", "call_tool", "use_tool", "call", "tool", "tool_calls", "function_call", "function"})
"""Values of `action` that say no more than that a tool is called."""
OUTSIDE_CALL = ("tool_calls", "function_call", "tool")
"""Keys of other protocols: a call that stands there is none of ours."""
ARGUMENTS = (
    "arguments", "parameters", "args", "input", "action_input", "tool_input", "params", "tool_args", "tool_arguments",
    "function_args", "kwargs",
)  # fmt: skip
DECISION_KEYS = frozenset(
    {"speak", "action", "reason", "goal_check", "tool_call", "abort", "asks", "options", "steps", "route", "thinking",
     "needs_rough_build", "needs_refine", "needs_refine_after_rough_build", "task_class_ids", "context_hook", "name",
     "type", "id", "function", *OUTSIDE_CALL, *ARGUMENTS}
)  # fmt: skip
NAME = re.compile(r"[\w./:-]{1,80}")
NOTHING = frozenset({"none", "null", "nil", "undefined", "n/a", "无", "没有", "空"})
"""Words that stand for nothing where an object may be left out."""
ENVELOPES = frozenset(
    {"decision", "decide", "json", "json_tool_call", "output", "respond", "response", "structured_output"}
)
"""Functions that a model makes up to write the decision itself as their arguments."""
PAIR = {"name", "value"}
"""Keys of a row of arguments that are written as a list."""
CALL_FORM = '调用写在 tool_call 里：{"name": "…", "arguments": {…}}'


def is_empty(value: object) -> bool:
    """Tells whether a value says nothing: null, blank, or an object or list of nothing else."""
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, Mapping):
        return all(is_empty(one) for one in value.values())
    if isinstance(value, list):
        return all(is_empty(one) for one in value)
    return value is None


def is_nothing(value: object) -> bool:
    """Tells whether a value says that there is no object: empty, false, or a word for nothing."""
    if isinstance(value, str):
        return value.strip().strip("\"'()（）.。").lower() in {"", *NOTHING}
    if isinstance(value, Mapping):
        return all(is_nothing(one) for one in value.values())
    if isinstance(value, list):
        return all(is_nothing(one) for one in value)
    return value is None or value is False


def unwrap(found: Found, discriminator: str) -> dict[str, object]:
    """Returns the decision itself, out of what it is wrapped in, under the contract's keys."""
    found = _out_of_envelope(_name_keys(found), discriminator)
    for _ in range(3):
        if discriminator in found or "tool_call" in found or _names_a_call(found):
            break
        outer = [value for key, value in found.items() if key not in (*OUTSIDE_CALL, *ARGUMENTS)]
        inner = [_name_keys(value) for value in map(_one_of, outer) if isinstance(value, Mapping)]
        fitting = [value for value in inner if discriminator in value or "tool_call" in value] or inner
        if len(fitting) != 1:
            break
        found = fitting[0]
    return _with_word(dict(found), discriminator)


def _out_of_envelope(found: dict[str, object], discriminator: str) -> dict[str, object]:
    """Returns the decision that was written as the arguments of a function made up for it."""
    call = found.get("tool_call") if "tool_call" in found else found
    name = call.get("name") if isinstance(call, Mapping) else None
    if not isinstance(call, Mapping) or not isinstance(name, str) or plain_name(name) not in ENVELOPES:
        return found
    inner = arguments_of(call)
    inner = _name_keys(inner) if isinstance(inner, Mapping) else {}
    beside = {key: one for key, one in found.items() if key == "speak"}
    return {**beside, **inner} if discriminator in inner or "tool_call" in inner else found


def _with_word(found: dict[str, object], discriminator: str) -> dict[str, object]:
    """Returns the decision with a word where its discriminator is a list of one, or an object: a call is one."""
    value = _one_of(found[discriminator]) if isinstance(found.get(discriminator), list | Mapping) else None
    if isinstance(value, str):
        return {**found, discriminator: value}
    if not isinstance(value, Mapping):
        return found
    inner = _name_keys(value)
    if discriminator == "action" and ("tool_call" in inner or _names_a_call(inner)):
        call = inner.get("tool_call") or inner
        return {**found, "action": "continue", "tool_call": call} if is_nothing(found.get("tool_call")) else found
    word = next((inner[key] for key in ("type", "name", discriminator) if isinstance(inner.get(key), str)), None)
    return {**inner, **found, discriminator: word} if word is not None else found


def _one_of(value: object) -> object:
    """Returns the one object of a value: a list of one object is that object; an object written as text is one too."""
    if isinstance(value, list) and len(value) == 1:
        return value[0]
    if isinstance(value, str) and value.lstrip().startswith(("{", "```")):
        return load_lenient(value)
    return value


def _name_keys(found: Found) -> dict[str, object]:
    named = {_key(key): value for key, value in found.items()}
    for key in list(named):
        right = KEY_NAMES.get(key) or KEY_NAMES.get(key.replace("_", ""))
        if right and right not in named and (right not in ("speak", "reason") or isinstance(named[key], str)):
            named[right] = named.pop(key)
    return named


def _key(key: str) -> str:
    """Returns the plain form of a key: `ToolCall`, `tool-call` and ` TOOL_CALL ` are `tool_call`."""
    key = key.strip()
    if not key.isupper():
        key = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key)
    return re.sub(r"[\s-]+", "_", key).lower()


def _names_a_call(found: Found) -> bool:
    return isinstance(found.get("name"), str) and any(key in found for key in ARGUMENTS)


def choice_word(value: object, names: Mapping[str, str]) -> str:
    """Returns a word of a closed set, whatever its case, its dashes and its language."""
    if not isinstance(value, str):
        return ""
    word = value.strip().strip("\"'`*。.")
    folded = re.sub(r"[\s-]+", "_", word).lower()
    return names.get(word) or names.get(folded) or folded


def chat_form(found: Found) -> dict[str, object]:
    """Returns a chat decision with its route. Where a round's decision was written instead, a call or a step is work,
    and a question or an end is the answer."""
    made = unwrap(found, "route")
    if "route" in made:
        return _with_speech(made)
    word = choice_word(made.get("action"), ROUTE_NAMES)
    if word in ROUTE_NAMES.values():
        return {**made, "route": word}
    made = execute_form(found, (), TOLD)
    call = made.get("tool_call")
    name = plain_name(str(call.get("name") or "")) if isinstance(call, Mapping) else ""
    if isinstance(call, Mapping) and name in ROUTE_NAMES.values():
        fields = arguments_of(call)
        return {**made, **(_name_keys(fields) if isinstance(fields, Mapping) else {}), "route": name}
    abort = made.get("abort")
    if made["action"] == "abort" and isinstance(abort, Mapping) and is_empty(made.get("speak")):
        made["speak"] = abort.get("user_message")
    if call is not None or made["action"] in ("continue", "confirm", "next_plan"):
        made["route"] = "execute"
    elif made["action"] == "plan_done":
        made["route"] = "plan"
    elif made["action"] in CONTROLS:
        made["route"] = "direct_reply"
    return made


def execute_form(found: Found, tools: Collection[str], told: Collection[str]) -> dict[str, object]:
    """Returns an execute decision with its call under `tool_call` and a known action, as far as that can be told."""
    made = unwrap(found, "action")
    action = choice_word(made.get("action"), ACTION_NAMES)
    call = _call_of(made, action, tools, told)
    control = plain_name(str(call.get("name") or "")) if call else ""
    if control in CONTROLS and control not in tools:
        return _of_control(made, control, arguments_of(call or {}), told)
    if call is not None and action not in CONTROLS:
        action = "continue"
    speak = made.get("speak")
    if not action and choice_word(made.get("route"), ROUTE_NAMES) == "direct_reply" and isinstance(speak, str):
        action = "ask_user" if speak.rstrip().endswith(("?", "？")) else "done"
        made["goal_check"] = made.get("goal_check") or speak
    if call is not None and action in ("done", "next_plan", "ask_user") and "call_beside" in told:
        action = "continue"
    if call is None:
        made = _with_speech(made)
        action = "ask_user" if action == "confirm" and "no_call" in told else action
    made["action"] = action or made.get("action")
    made["tool_call"] = call
    if action == "abort" and "abort" in told:
        made = _with_reason(made)
    if is_nothing(made.get("abort")):
        made.pop("abort", None)
    return made


def _with_speech(made: dict[str, object]) -> dict[str, object]:
    """Returns a decision without a call with the words for the student that stand under another key."""
    if not is_empty(made.get("speak")):
        return made
    words = (made.get(key) for key in SPEECH_NAMES)
    return {**made, "speak": next((one for one in words if isinstance(one, str) and one.strip()), made.get("speak"))}


def _with_reason(made: dict[str, object]) -> dict[str, object]:
    """Returns an end with its words for the student, wherever they stand."""
    given = made.get("abort")
    abort = dict(given) if isinstance(given, Mapping) else {"user_message": given if isinstance(given, str) else ""}
    if not is_empty(abort.get("user_message")):
        return {**made, "abort": abort}
    return {**made, "speak": "", "abort": {**abort, "user_message": made.get("speak") or ""}}


def _of_control(made: dict[str, object], action: str, arguments: object, told: Collection[str]) -> dict[str, object]:
    """Returns the decision of a control action that was called like a tool: its arguments are the fields of the
    decision."""
    fields = _name_keys(arguments) if isinstance(arguments, Mapping) else {}
    if action in ("confirm", "continue"):
        inner = fields.get("tool_call") or (fields if "name" in fields else None)
        return {**made, "action": action, "tool_call": one_call(inner, told)}
    for name in ("question", "text"):
        if name in fields and "speak" not in fields:
            fields["speak"] = fields.pop(name)
    speak = fields.get("speak") or made.get("speak") or ""
    if action == "abort" and "abort" not in fields:
        fields["abort"] = {key: fields.get(key) or "" for key in ("code", "user_message", "internal_reason")}
        if is_empty(fields["abort"]):
            fields["abort"] = {"code": "", "user_message": speak}
            speak = ""
    return {**fields, "action": action, "speak": speak, "tool_call": None}


def _call_of(
    made: dict[str, object], action: str, tools: Collection[str], told: Collection[str]
) -> dict[str, Any] | None:
    """Returns the call of a decision, wherever it stands; None when there is none."""
    given = made.get("tool_call")
    if isinstance(given, str) and not given.lstrip().startswith(("{", "[")) and "tool_call" in told:
        given = _named_call(given, action, tools)
    if isinstance(given, str) and NAME.fullmatch(given.strip()) and not is_empty(arguments_of(made)):
        given = {"name": given.strip(), "arguments": arguments_of(made)}
    call = one_call(given, told)
    outside = next((key for key in OUTSIDE_CALL if not is_nothing(made.get(key))), None)
    if call is None and outside is not None:
        if "call_key" not in told:
            raise DecisionError("contract", f"{outside} 不是可用的键，这次调用没有执行", code="call_key",
                                fragment=str(made.get(outside)), expected=CALL_FORM)  # fmt: skip
        value = made.get(outside)
        bare = isinstance(value, str) and NAME.fullmatch(value.strip()) is not None
        call = {"name": value, "arguments": arguments_of(made)} if bare else one_call(value, told)
    if call is None and isinstance(made.get("function"), Mapping):
        call = one_call(made["function"], told)
    if call is None and _names_a_call(made):
        call = {"name": made["name"], "arguments": arguments_of(made)}
    written = any(not is_empty(made.get(key)) for key in ARGUMENTS)
    if call is None and (action in tools or (written and action not in CONTROLS and action not in CALLING)):
        rest = {key: value for key, value in made.items() if key not in DECISION_KEYS}
        call = {"name": action, "arguments": arguments_of(made) if any(key in made for key in ARGUMENTS) else rest}
    if call is not None and is_empty(call.get("name")) and (action in tools):
        call = {**call, "name": action}
    return call


def _named_call(given: str, action: str, tools: Collection[str]) -> object:
    """Returns the call of a tool by its name alone, nothing for words beside an action that calls nothing."""
    name = plain_name(given.strip())
    if name in tools:
        return {"name": name, "arguments": {}}
    return None if action in CONTROLS - {"continue", "confirm"} else given


def one_call(value: object, told: Collection[str]) -> dict[str, Any] | None:
    """Returns `{"name", "arguments"}` out of a list of one, a wrapper, a text; None for what says nothing."""
    if is_nothing(value):
        return None
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        value = load_lenient(value)
    if isinstance(value, str):
        value = written_call(value, load_lenient) or value
    if isinstance(value, list):
        value = _single(value, told)
    if not isinstance(value, Mapping):
        got = "非空字符串" if isinstance(value, str) else "其他类型"
        raise DecisionError("contract", f"tool_call 期望对象，实际收到{got}", code="tool_call", fragment=str(value),
                            expected=CALL_FORM)  # fmt: skip
    inner = value.get("function")
    if isinstance(inner, Mapping):
        value = inner
    elif isinstance(inner, str) and "name" not in value:
        value = {**value, "name": inner}
    elif "name" not in value and isinstance(value.get("tool"), str):
        value = {**value, "name": value["tool"]}
    value = _name_keys(value)
    if "name" not in value and len(value) == 1:
        (name, inner), *_ = value.items()
        if isinstance(inner, Mapping) and name not in ARGUMENTS:
            value = {"name": name, "arguments": inner}
    arguments = arguments_of(value)
    if is_empty(arguments) and not any(key in value for key in ARGUMENTS):
        arguments = {key: one for key, one in value.items() if key not in ("name", "type", "id", "index", "tool")}
    named = value.get("name")
    if isinstance(named, str) and "(" in named and is_empty(arguments) and (call := written_call(named, load_lenient)):
        return dict(call)
    return None if is_empty(named) and is_empty(arguments) else {"name": named, "arguments": arguments}


def _single(value: list[object], told: Collection[str]) -> object:
    rows = [row for row in value if not is_empty(row)]
    if len(rows) > 1 and any(row != rows[0] for row in rows) and "several_calls" not in told:
        raise DecisionError("contract", "tool_call 是数组：每轮只能调用一个工具", code="several_calls",
                            fragment=str(value), expected="每轮只调用一个工具，tool_call 写成一个对象")  # fmt: skip
    return rows[0] if rows else None


def arguments_of(owner: Found) -> object:
    """Returns the first arguments that say something, read from text where they are text, out of their own key said
    twice."""
    for key in ARGUMENTS:
        value = owner.get(key)
        if isinstance(value, str) and value.strip():
            loaded = load_lenient(value)
            value = value if loaded is None else loaded
        if isinstance(value, list) and value and all(isinstance(row, Mapping) and {*row} == PAIR for row in value):
            value = {row["name"]: row["value"] for row in value}
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], Mapping):
            value = value[0]
        if _holds_arguments(value):
            value = arguments_of(value)
        if not is_empty(value) or isinstance(value, Mapping):
            if isinstance(value, Mapping) and not value:
                continue
            return value
    return {}


def _holds_arguments(value: object) -> TypeGuard[Found]:
    """Tells whether arguments are wrapped in their own key once more."""
    if not isinstance(value, Mapping) or len(value) != 1:
        return False
    ((key, inner),) = value.items()
    return key in ARGUMENTS and isinstance(inner, Mapping | str) and not is_empty(inner)

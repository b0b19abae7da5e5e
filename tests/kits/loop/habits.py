"""Habits of real models: each is one way to write the right decision, kept up through a whole job.

A habit takes a decision and gives the steps of the provider's response. `Model` plays a job with one of them: it goes
on to its next decision when the last one was taken up, and repeats itself when it was not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.kits.provider.openai_server import DONE, Head, Raw, Step, chunk, deltas, event, text, usage

Json = dict[str, Any]
Writer = Callable[[Json], str]
REFUSED = "上一次输出未被采纳"


def dumped(found: Any, **options: Any) -> str:
    return json.dumps(found, ensure_ascii=False, **options)


def renamed(found: Json, **names: str) -> Json:
    return {names.get(key, key): value for key, value in found.items()}


def with_call(found: Json, change: Callable[[Json], Any]) -> Json:
    return {**found, "tool_call": change(found["tool_call"])} if found.get("tool_call") else found


def with_arguments(found: Json, change: Callable[[Json], Any]) -> Json:
    return with_call(found, lambda call: {**call, "arguments": change(call["arguments"])})


def without(found: Json, *keys: str) -> Json:
    return {key: value for key, value in found.items() if key not in keys}


def lifted(found: Json, key: str, change: Callable[[Json], Any] = lambda call: call) -> Json:
    """The call under another key at the top level."""
    if not found.get("tool_call"):
        return found
    return {**without(found, "tool_call"), key: change(found["tool_call"])}


def flat(found: Json) -> Json:
    """The call on the top level, its tool as the action."""
    call = found.get("tool_call")
    return {**without(found, "tool_call"), "action": call["name"], "arguments": call["arguments"]} if call else found


def tagged(found: Json) -> str:
    call = found.get("tool_call")
    return f"<tool_call>\n{dumped(call)}\n</tool_call>" if call else dumped(found)


def single_quoted(found: Json) -> str:
    return repr(found)


def wide(found: Json) -> str:
    return dumped(found).replace('": ', '"：').replace(', "', '，"')


def smart(found: Json) -> str:
    pieces = dumped(found).split('"')
    return "".join(piece + "“”"[at % 2] for at, piece in enumerate(pieces[:-1])) + pieces[-1]


def fixed(found: Json) -> Json:
    """The whole template, with nulls where nothing is meant."""
    names = ("speak", "reason", "goal_check", "tool_call", "abort")
    return {**dict.fromkeys(names), **found} if "action" in found else found


def emptied(found: Json) -> Json:
    call: Json = {"name": "", "arguments": {}}
    abort = {"code": "", "user_message": "", "internal_reason": ""}
    hook = {"domain": "", "packs": [], "reason": ""}
    if "route" in found:
        return {"context_hook": hook, "task_class_ids": None, **found}
    return {"tool_call": call, "abort": abort, **found}


def native(found: Json) -> list[Step]:
    """A call as the protocol has it, cut into pieces; a decision without one as text."""
    call = found.get("tool_call")
    if not call:
        return text(dumped(found))
    written = dumped(call["arguments"])
    head = {"index": 0, "id": "call_1", "type": "function", "function": {"name": call["name"], "arguments": ""}}
    pieces = [{"index": 0, "function": {"arguments": written[at : at + 7]}} for at in range(0, len(written), 7)]
    said = [chunk(content=found["speak"])] if found.get("speak") else []
    calls = [chunk(tool_calls=[head]), *(chunk(tool_calls=[piece]) for piece in pieces)]
    return [chunk(role="assistant", content=None), *said, *calls, chunk(finish="tool_calls"), usage(), DONE]


def one_document(found: Json, indent: int | None) -> list[Step]:
    """The whole answer in one document, as endpoints send it that know no streams."""
    message = {"role": "assistant", "content": dumped(found)}
    document = {"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    return [
        Head(200, {"Content-Type": "application/json; charset=utf-8"}),
        Raw(dumped(document, indent=indent).encode()),
    ]


def under_one_index(found: Json) -> list[Step]:
    """Two calls of one turn, told apart by their ids alone."""
    call = found.get("tool_call")
    if not call:
        return text(dumped(found))
    calls = [(call["name"], dumped(call["arguments"])), ("list_tasks", "{}")]
    heads = [
        {"index": 0, "id": f"call_{name}", "type": "function", "function": {"name": name, "arguments": given}}
        for name, given in calls
    ]
    said = chunk(role="assistant", content=found.get("speak"))
    return [said, *(chunk(tool_calls=[head]) for head in heads), chunk(finish="tool_calls"), usage(), DONE]


def as_function(found: Json, name: str) -> list[Step]:
    """The decision itself as the arguments of a function that nobody offered."""
    head = {"index": 0, "id": "call_1", "type": "function", "function": {"name": name, "arguments": dumped(found)}}
    return [chunk(role="assistant", tool_calls=[head]), chunk(finish="tool_calls"), usage(), DONE]


def action_like(word: str) -> Callable[[Json], str]:
    return lambda found: dumped({**found, "action": word} if found.get("tool_call") else found)


def renamed_call(found: Json, name: str, arguments: str) -> Json:
    call = found.get("tool_call")
    return {**without(found, "tool_call"), name: call["name"], arguments: call["arguments"]} if call else found


def named(found: Json, change: Callable[[str], str]) -> Json:
    return with_call(found, lambda call: {**call, "name": change(call["name"])})


def camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


def written(found: Json, form: str) -> str:
    call = found.get("tool_call")
    if not call:
        return dumped(found)
    given = ", ".join(f"{key}={value!r}" for key, value in call["arguments"].items())
    return form.format(name=call["name"], given=given)


def once(found: Json, **changes: Any) -> list[Step]:
    """A native call in one piece, changed in one thing: its name, its arguments as they are written, its index."""
    call = found.get("tool_call")
    if not call:
        return text(dumped(found))
    function = {
        "name": changes.get("name", str)(call["name"]),
        "arguments": changes.get("given", dumped)(call["arguments"]),
    }
    head = {"index": changes.get("index", 0), "type": "function", "function": function}
    said = chunk(role="assistant", content=found.get("speak"))
    return [said, chunk(tool_calls=[head]), chunk(finish="tool_calls"), usage(), DONE]


def beside_nothing(word: Any) -> Writer:
    """The whole template, with a word for nothing where nothing is meant."""
    names = ("speak", "reason", "goal_check", "tool_call", "abort")
    return lambda d: dumped({**dict.fromkeys(names, word), **{k: v for k, v in d.items() if v}} if "action" in d else d)


def in_chat(change: Callable[[Json], Json]) -> Writer:
    """A habit of the decision that chooses the way."""
    return lambda d: dumped(change(d) if "route" in d else d)


def parts_of_call(found: Json, form: str, pair: str) -> str:
    """The words, then the call with a tag for each argument."""
    call = found.get("tool_call")
    if not call:
        return dumped(found)
    given = "".join(pair.format(key=key, value=value) for key, value in call["arguments"].items())
    return found.get("speak", "") + form.format(name=call["name"], given=given)


def chinese_keys(found: Json) -> str:
    keys = {"action": "动作", "route": "路由", "speak": "回复", "tool_call": "工具调用", "goal_check": "目标检查"}
    call = found.get("tool_call")
    inner = {"tool_call": {"名称": call["name"], "参数": call["arguments"]}} if call else {}
    return dumped({keys.get(key, key): value for key, value in {**found, **inner}.items()})


CHINESE = {
    "continue": "继续", "done": "完成", "confirm": "确认", "execute": "执行", "ask_user": "提问",
}  # fmt: skip


def chinese(found: Json) -> str:
    key = "route" if "route" in found else "action"
    return dumped({**found, key: CHINESE.get(found[key], found[key])})


def in_lines(found: Json, indent: str = "") -> str:
    """The fields in lines, those of a mapping further right."""
    rows = []
    for key, value in found.items():
        if isinstance(value, dict) and value:
            rows.append(f"{indent}{key}:\n{in_lines(value, indent + '  ')}")
        else:
            rows.append(f"{indent}{key}: {value if isinstance(value, str) else dumped(value)}\n")
    return "".join(rows)


def in_elements(found: Json) -> str:
    """The fields as elements of XML."""
    inner = {key: in_elements(value) if isinstance(value, dict) else value for key, value in found.items()}
    return "".join(
        f"<{key}>{value if isinstance(value, str) else dumped(value)}</{key}>\n" for key, value in inner.items()
    )


TEXTS: Mapping[str, Writer] = {
    "a fence": lambda d: f"```json\n{dumped(d, indent=1)}\n```",
    "prose before and after": lambda d: f"好的，我的决定是：\n{dumped(d)}\n以上就是我的决定。",
    "prose with braces": lambda d: "I will use {move} for {task 1}: " + dumped(d),
    "an example before": lambda d: '格式例如 {"action": "continue", "speak": "…"}。现在是：\n' + dumped(d),
    "the object twice": lambda d: dumped(d) + "\n" + dumped(d),
    "a byte order mark": lambda d: "\ufeff" + dumped(d),
    "a think block": lambda d: '<think>也许 {"action":"abort"}？不。</think>\n' + dumped(d),
    "a think block without its head": lambda d: '学生要挪一下 {"action":"abort"}，\n好。\n</think>\n\n' + dumped(d),
    "another name of thought": lambda d: "<thinking>\n先看\n</thinking>" + dumped(d),
    "channels": lambda d: (
        "<|channel|>analysis<|message|>先看<|end|><|start|>assistant<|channel|>final<|message|>"
        + dumped(d)
        + "<|return|>"
    ),
    "an end token": lambda d: dumped(d) + "<|im_end|>",
    "a thousand words before": lambda d: "想一想，" * 1_000 + dumped(d),
    "a trailing comma": lambda d: dumped(d)[:-1] + ",}",
    "a comment": lambda d: "{ // 决定\n" + dumped(d)[1:-1] + " /* 完 */ }",
    "raw newlines": lambda d: dumped({**d, "reason": "一@二"}).replace("@", "\n"),
    "single quotes": single_quoted,
    "smart quotes": smart,
    "full width punctuation": wide,
    "the last bracket missing": lambda d: dumped(d)[:-1],
    "one bracket too many": lambda d: dumped(d) + "}",
    "keys without quotes": lambda d: "{" + ", ".join(f"{key}: {dumped(value)}" for key, value in d.items()) + "}",
    "wrapped in decision": lambda d: dumped({"decision": d}),
    "a list of one": lambda d: dumped([d]),
    "a call in a list of one": lambda d: dumped(with_call(d, lambda call: [call])),
    "the function wrapper": lambda d: dumped(with_call(d, lambda call: {"type": "function", "function": call})),
    "arguments as text": lambda d: dumped(with_arguments(d, dumped)),
    "parameters": lambda d: dumped(with_call(d, lambda call: renamed(call, arguments="parameters"))),
    "the call on the top level": lambda d: dumped(flat(d)),
    "the action tool_call": action_like("tool_call"),
    "no action beside a call": lambda d: dumped(without(d, "action") if d.get("tool_call") else d),
    "tool_calls": lambda d: dumped(lifted(d, "tool_calls", lambda call: [call])),
    "tool": lambda d: dumped(lifted(d, "tool")),
    "function_call": lambda d: dumped(
        lifted(d, "function_call", lambda call: {**call, "arguments": dumped(call["arguments"])})
    ),
    "a tag around the call": tagged,
    "a tag after words": lambda d: ("好的，我来处理。\n" if d.get("tool_call") else "") + tagged(d),
    "a fenced call": lambda d: f"```json\n{dumped(d.get('tool_call') or d)}\n```",
    "nulls": lambda d: dumped(fixed(d)),
    "empty objects": lambda d: dumped(emptied(d)),
    "numbers as text": lambda d: dumped(
        with_arguments(d, lambda given: {k: str(v) if isinstance(v, int) else v for k, v in given.items()})
    ),
    "upper case": lambda d: dumped({k: v.upper() if k in ("action", "route") else v for k, v in d.items()}),
    "camel case": lambda d: dumped(renamed(d, tool_call="toolCall", goal_check="goalCheck")),
    "chinese words": chinese,
    "goal_check true": lambda d: dumped({**d, "goal_check": True}) if d.get("action") == "done" else dumped(d),
    "goal_check an object": lambda d: (
        dumped({**d, "goal_check": {"moved": 1}}) if d.get("action") == "done" else dumped(d)
    ),
    "no goal_check": lambda d: dumped(without(d, "goal_check")),
    "an extra argument": lambda d: dumped(with_arguments(d, lambda given: {**given, "why": "学生要求"})),
    "near names": lambda d: dumped({**without(d, "speak"), "thought": "t", "message": d.get("speak") or ""}),
    "args": lambda d: dumped(with_call(d, lambda call: renamed(call, arguments="args"))),
    "done beside a call": lambda d: dumped({**d, "action": "done", "goal_check": "好"} if d.get("tool_call") else d),
    "two calls at once": lambda d: dumped(
        with_call(d, lambda call: [call, {"name": "list_tasks", "arguments": {"limit": 3}}])
    ),
    "a heading and a label before a fence": lambda d: (
        f"## 决策\n\n**JSON：**\n\n```json\n{dumped(d)}\n```\n\n如有需要请告诉我。"
    ),
    "an XML tag around the object": lambda d: f"<output>\n<json>\n{dumped(d)}\n</json>\n</output>",
    "an assignment": lambda d: f"```python\ndecision = {d!r}\n```",
    "a list of the same decision twice": lambda d: dumped([d, d]),
    "a wrapper in a wrapper": lambda d: dumped({"result": {"output": d}}),
    "the decision as a text in a key": lambda d: dumped({"role": "assistant", "content": dumped(d)}),
    "escaped for HTML": lambda d: dumped(d).replace('"', "&quot;"),
    "a thought that is never closed": lambda d: "<think>先想一下\n\n" + dumped(d),
    "arguments in arguments": lambda d: dumped(with_arguments(d, lambda given: {"arguments": given})),
    "arguments as a list of pairs": lambda d: dumped(
        with_arguments(d, lambda given: [{"name": k, "value": v} for k, v in given.items()])
    ),
    "arguments beside the name": lambda d: dumped(
        with_call(d, lambda call: {"name": call["name"], **call["arguments"]})
    ),
    "the tool's name as the key": lambda d: dumped(with_call(d, lambda call: {call["name"]: call["arguments"]})),
    "a name and arguments on the top level": lambda d: dumped(renamed_call(d, "tool_name", "tool_args")),
    "the call as a line of a program": lambda d: written(d, "{name}({given})"),
    "a program that prints the call": lambda d: written(d, "```tool_code\nprint(default_api.{name}({given}))\n```"),
    "thought, action, input": lambda d: (
        f"Thought: 先动手\nAction: {d['tool_call']['name']}\nAction Input: {dumped(d['tool_call']['arguments'])}"
        if d.get("tool_call")
        else dumped(d)
    ),
    "a name space before the tool": lambda d: dumped(named(d, lambda name: "functions." + name)),
    "the server before the tool": lambda d: dumped(named(d, lambda name: "mcp__smartmate__" + name)),
    "a tool in camel case": lambda d: dumped(named(d, camel)),
    "parameters in camel case": lambda d: dumped(
        with_arguments(d, lambda given: {camel(key): value for key, value in given.items()})
    ),
    "a tool by its label": lambda d: dumped(
        named(d, lambda name: {"move": "移动任务", "get_task_info": "查看任务信息"}.get(name, name))
    ),
    "numbers with their unit": lambda d: dumped(
        with_arguments(
            d, lambda given: {k: f"第{v}{'天' if 'day' in k else '节'}" if "new" in k else v for k, v in given.items()}
        )
    ),
    "numbers in Chinese": lambda d: dumped(
        with_arguments(d, lambda given: {k: "〇一二三四五六七八九十"[v] if "new" in k else v for k, v in given.items()})
    ),
    "an id in a list": lambda d: dumped(
        with_arguments(d, lambda given: {k: [v] if k == "task_id" else v for k, v in given.items()})
    ),
    "another word for the action": lambda d: dumped(
        {**d, "action": "act" if d.get("tool_call") else "finished"} if "action" in d else d
    ),
    "speech in lines": lambda d: dumped({**d, "speak": [d["speak"]]} if d.get("speak") else d),
    "the end in words alone": lambda d: "已经移动完成。" if d.get("action") == "done" else dumped(d),
    "a tag with fields around the call": lambda d: (
        f"<tool_call><name>{d['tool_call']['name']}</name><arguments>{dumped(d['tool_call']['arguments'])}</arguments></tool_call>"
        if d.get("tool_call")
        else dumped(d)
    ),
    "the word none": beside_nothing("none"),
    "the word for nothing in Chinese": beside_nothing("无"),
    "not available": beside_nothing("N/A"),
    "false for nothing": beside_nothing(False),
    "an abort of nothing": lambda d: dumped(
        {**d, "abort": {"code": "none", "user_message": "无", "internal_reason": ""}} if d.get("tool_call") else d
    ),
    "a call of no tool": lambda d: dumped(
        {**d, "tool_call": {"name": "none", "arguments": {}}} if d.get("action") == "done" else d
    ),
    "undefined": lambda d: dumped({**d, "abort": "@"} if "action" in d else d).replace('"@"', "undefined"),
    "keys in Chinese": chinese_keys,
    "the action as an object": lambda d: dumped({**d, "action": {"type": d["action"]}} if "action" in d else d),
    "the call as the action": lambda d: dumped(
        {**without(d, "tool_call"), "action": d["tool_call"]} if d.get("tool_call") else d
    ),
    "a call within the action": lambda d: dumped(
        {**without(d, "tool_call"), "action": {"type": "tool_call", "tool_call": d["tool_call"]}}
        if d.get("tool_call")
        else d
    ),
    "the call in its name": lambda d: dumped(
        with_call(d, lambda call: {"name": f"{call['name']}({dumped(call['arguments'])})"})
    ),
    "the route in a list": in_chat(lambda d: {**d, "route": [d["route"]]}),
    "the route as an object": in_chat(lambda d: {**d, "route": {"name": d["route"]}}),
    "a route that calls": in_chat(lambda d: {**d, "route": "tool_call"}),
    "a route with its reason": in_chat(lambda d: {**d, "route": f"{d['route']}（需要改动）"}),
    "flags as numbers": in_chat(lambda d: {**d, "needs_rough_build": 0, "needs_refine_after_rough_build": 0}),
    "flags in words": in_chat(lambda d: {**d, "needs_rough_build": "不需要"}),
    "classes as objects": in_chat(lambda d: {**d, "task_class_ids": [{"id": 5, "name": "概率论复习"}]}),
    "classes in one text": in_chat(lambda d: {**d, "task_class_ids": "5, 5"}),
    "no classes in words": in_chat(lambda d: {**d, "task_class_ids": "none"}),
    "no packs in words": in_chat(lambda d: {**d, "context_hook": {"domain": "none", "packs": []}}),
    "packs that there are not": in_chat(lambda d: {**d, "context_hook": {"domain": "calendar", "packs": ["move"]}}),
    "the next decision behind the first": lambda d: (
        dumped(d)
        + (
            "\n"
            + dumped({"action": "continue", "speak": "先看", "tool_call": {"name": "get_overview", "arguments": {}}})
            if "route" in d
            else ""
        )
    ),
    "marks within the tags": lambda d: parts_of_call(
        d,
        '\n\n<｜DSML｜function_calls>\n<｜DSML｜invoke name="{name}">\n{given}</｜DSML｜invoke>'
        "\n</｜DSML｜function_calls>",
        '<｜DSML｜parameter name="{key}" string="false">{value}</｜DSML｜parameter>\n',
    ),
    "calls as a list of a program": lambda d: written(d, "[{name}({given}), list_tasks()]"),
    "a day by week and weekday": lambda d: dumped(
        with_arguments(d, lambda given: {k: "第4周周三" if k == "new_day" else v for k, v in given.items()})
    ),
    "a day as an object": lambda d: dumped(
        with_arguments(
            d, lambda given: {k: {"week": 4, "day_of_week": 3} if k == "new_day" else v for k, v in given.items()}
        )
    ),
    "a span of sections": lambda d: dumped(
        with_arguments(d, lambda given: {k: "第9-10节" if k == "new_slot_start" else v for k, v in given.items()})
    ),
    "sections in a list": lambda d: dumped(
        with_arguments(d, lambda given: {k: [9, 10] if k == "new_slot_start" else v for k, v in given.items()})
    ),
    "a clock time": lambda d: dumped(
        with_arguments(d, lambda given: {k: "19:00" if k == "new_slot_start" else v for k, v in given.items()})
    ),
    "an id with the name behind it": lambda d: dumped(
        with_arguments(
            d, lambda given: {k: f"[{v}] 概率论复习第3章" if k == "task_id" else v for k, v in given.items()}
        )
    ),
    "an id with a word before it": lambda d: dumped(
        with_arguments(d, lambda given: {k: f"task_{v}" if k == "task_id" else v for k, v in given.items()})
    ),
    "YAML": in_lines,
    "YAML in a fence, words around it": lambda d: f"我的决定：\n\n```yaml\n{in_lines(d)}```\n请确认。",
    "a Markdown list of the fields": lambda d: "\n".join(
        f"- **{key}**: {value if isinstance(value, str) else dumped(value)}" for key, value in d.items()
    ),
    "an element for each field": lambda d: f"<decision>\n{in_elements(d)}</decision>",
    "an object without its braces": lambda d: dumped(d)[1:-1],
    "unknown keys": lambda d: dumped({**d, "confidence": 0.9, "next": ["…"], "id": "1"}),
}
"""How a decision is written, by the habit's name."""
HABITS: Mapping[str, Callable[[Json], Sequence[Step]]] = {
    **{name: (lambda found, write=write: text(write(found))) for name, write in TEXTS.items()},
    "native calls": native,
    "a call in place of the route": lambda found: native(
        {"speak": found["speak"], "tool_call": {"name": "get_overview", "arguments": {}}} if "route" in found else found
    ),
    "native calls without a role": lambda found: [step for step in native(found) if b'"role"' not in step.data],  # type: ignore[union-attr]
    "native arguments without their last bracket": lambda found: once(found, given=lambda given: dumped(given)[:-1]),
    "native arguments in a fence": lambda found: once(found, given=lambda given: f"```json\n{dumped(given)}\n```"),
    "native calls with a name space": lambda found: once(found, name=lambda name: f"functions.{name}:0", index=None),
    "native arguments twice": lambda found: once(found, given=lambda given: dumped(given) * 2),
    "native calls under one index": under_one_index,
    "a function made up for the decision": lambda found: as_function(found, "json_tool_call"),
    "one document in one line": lambda found: one_document(found, None),
    "one document in many lines": lambda found: one_document(found, 2),
    "everything so far again in each piece": lambda found: deltas(
        [dumped(found)[:at] for at in range(20, len(dumped(found)), 20)] + [dumped(found)]
    ),
    "the answer among the thoughts": lambda found: deltas([], reasoning=[dumped(found)]),
    "the fields of plain completion": lambda found: [
        event({"choices": [{"index": 0, "text": dumped(found)}]}),
        event({"choices": [{"index": 0, "text": "", "finish_reason": "stop"}]}),
        DONE,
    ],
    "chunks without their field name": lambda found: [
        Raw(step.data.removeprefix(b"data: ")) if isinstance(step, Raw) else step for step in text(dumped(found))
    ],
    "pings without data": lambda found: [Raw(b"data:\n\n"), Raw(b": ping\n\n"), *text(dumped(found))],
    "no finish reason": lambda found: deltas([dumped(found)], finish=None),
    "reasoning in its own field": lambda found: deltas([dumped(found)], reasoning=["先想", "再做"]),
    "one character at a time": lambda found: text(dumped(found), size=1),
}


class Model:
    """Plays `decisions` in their order, each written by `habit`, then sums up."""

    def __init__(self, habit: Callable[[Json], Sequence[Step]], decisions: Sequence[Json], summary: str) -> None:
        self.habit, self.decisions, self.summary = habit, decisions, summary
        self.at, self.refused = -1, 0

    def __call__(self, body: Json) -> Sequence[Step]:
        if REFUSED in body["messages"][-1]["content"]:
            self.refused += 1
        else:
            self.at += 1
        if self.at >= len(self.decisions):
            return text(self.summary)
        return self.habit(self.decisions[self.at])

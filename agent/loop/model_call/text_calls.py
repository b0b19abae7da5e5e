"""Tool calls that a model wrote as text, in the forms that chat templates teach.

Read: `<tool_call>{...}</tool_call>` (Hermes, Qwen), the same with `<arg_key>` pairs (GLM), `<function=name>` with JSON
or `<parameter=...>` (Qwen coder, Llama), `<invoke name="...">` (MiniMax, Claude), `[TOOL_CALLS] [...]` (Mistral),
`functools[...]`, `<|python_tag|>{...}` (Llama), and the marks of DeepSeek, Kimi and gpt-oss.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from agent.calls.kinds import Json

_LONGEST_CALL = 8_000
Load = Callable[[str], object]
"""Reads the JSON of a call, None when it is none."""

_BLOCK = re.compile(r"<(tool_call|function_call|tool_use|tool_code)>\s*(.*?)\s*(?:</\1>|(?=<\1>)|\Z)", re.DOTALL)
_FUNCTION = re.compile(r"<function=([\w.-]+)>\s*(.*?)\s*(?:</function>|\Z)", re.DOTALL)
_INVOKE = re.compile(r"<(?:invoke|tool) name=[\"']?([\w.-]+)[\"']?>\s*(.*?)\s*(?:</(?:invoke|tool)>|\Z)", re.DOTALL)
_FIELDS = re.compile(r"<name>\s*([\w.-]+)\s*</name>\s*<(arguments|parameters)>\s*(.*?)\s*(?:</\2>|\Z)", re.DOTALL)
_NAMED = re.compile(r"\[TOOL_CALLS\]\s*([\w.-]+)\s*(?:\[CALL_ID\][\w-]*)?\[ARGS\]\s*(\{.*)", re.DOTALL)
_REACT = re.compile(
    r"(?:^|\n)\**Action\**[:：]\**[ \t]*([\w.-]+)[ \t]*\n\s*\**Action Input\**[:：]\**\s*(\{.*)", re.DOTALL
)
_PYTHON = re.compile(r"\[?(?:print\()?\s*([A-Za-z_][\w.]{1,79})\((.*)\)\s*\)?\]?", re.DOTALL)
"""A call as a line of a program, which is then the whole answer."""
_PARAMETER = re.compile(r"<parameter(?:=| name=)[\"']?([\w.-]+)[\"']?[^>]*>\s*(.*?)\s*</parameter>", re.DOTALL)
_PAIR = re.compile(r"<arg_key>\s*(.*?)\s*</arg_key>\s*<arg_value>\s*(.*?)\s*</arg_value>", re.DOTALL)
_LISTED = re.compile(r"(?:\[TOOL_CALLS\]|functools|<\|python_tag\|>|<\|tool_calls?\|>)\s*([\[{].*)", re.DOTALL)
_DEEPSEEK = re.compile(
    r"<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?([\w.-]+)(?:<｜tool▁sep｜>)?\s*(?:```json)?\s*(\{.*?)\s*(?:```)?\s*"
    r"(?:<｜tool▁call▁end｜>|\Z)",
    re.DOTALL,
)
_KIMI = re.compile(
    r"<\|tool_call_begin\|>\s*([\w.:-]+)\s*<\|tool_call_argument_begin\|>\s*(\{.*?)\s*(?:<\|tool_call_end\|>|\Z)",
    re.DOTALL,
)
_HARMONY = re.compile(
    r"(?:<\|channel\|>)?commentary to=([\w.-]+)[^{]*<\|message\|>\s*(\{.*?)\s*(?:<\|call\|>|<\|end\|>|\Z)", re.DOTALL
)
_DSML = re.compile(r"[|｜]\s*DSML\s*[|｜]")
"""A mark within the tags of DeepSeek's calls."""
_HINTS = (
    "<tool_",
    "<function",
    "<invoke",
    "TOOL_CALLS",
    "functools",
    "python_tag",
    "tool▁call",
    "<|tool_",
    " to=",
    "<tool name",
    "Action Input",
)


CALL_BEGINS = re.compile(
    r"<(?:tool_call|function_call|tool_use|tool_code|function=|invoke name|tool name|｜?tool▁calls?)|\[TOOL_CALLS\]"
    r"|functools\[|<\|(?:python_tag|tool_call)|<[|｜]\s*DSML|(?:^|\n)\**Action Input\**[:：]"
)
"""How a call begins that nobody asked for: in a text for the student it ends what is said."""


@dataclass(frozen=True)
class TextCalls:
    """Holds the calls of an answer, each as `{"name", "arguments"}`, and what was said before them."""

    calls: tuple[Json, ...]
    speech: str


def find_calls(text: str, load: Load) -> TextCalls | None:
    """Finds the calls written in a text, None when it holds none."""
    program = _FENCED.sub(r"\1", text.strip())
    written = written_call(program, load)
    listed = (written,) if written is not None else _written_list(program)
    if listed:
        return TextCalls(listed, "")
    text = _DSML.sub("", text)
    if not any(hint in text for hint in _HINTS):
        return None
    found = list(_find_written(text, load))
    if not found:
        return None
    calls = [call for _, call in found]
    return TextCalls(tuple(calls), _spoken(text[: min(at for at, _ in found)]))


def _find_written(text: str, load: Load) -> Iterator[tuple[int, Json]]:
    for pattern in (_HARMONY, _KIMI, _DEEPSEEK, _NAMED, _REACT):
        for match in pattern.finditer(text):
            yield match.start(), {"name": _bare(match.group(1)), "arguments": match.group(2)}
    blocks = list(_BLOCK.finditer(text))
    for block in blocks:
        call = _call_of(block.group(2), load)
        if call is not None:
            yield block.start(), call
    if blocks:
        return
    for pattern in (_FUNCTION, _INVOKE):
        for match in pattern.finditer(text):
            yield match.start(), {"name": match.group(1), "arguments": _arguments(match.group(2), load)}
    listed = _LISTED.search(text)
    if listed is not None:
        loaded = load(listed.group(1))
        for one in loaded if isinstance(loaded, list) else [loaded]:
            if isinstance(one, dict):
                yield listed.start(), one


def _call_of(inner: str, load: Load) -> Json | None:
    """Returns what stands between the tags of one call."""
    for pattern in (_FUNCTION, _INVOKE, _FIELDS):
        match = pattern.search(inner)
        if match is not None:
            return {"name": match.group(1), "arguments": _arguments(match.group(match.lastindex or 2), load)}
    if inner[:1] not in ("{", "["):
        first = inner.partition("\n")[0].strip()
        named = re.fullmatch(r"[\w.-]{1,64}", first) or re.match(r"([\w.-]{1,64})\s*(?=<arg_key>|\{)", inner)
        return {"name": named.group().strip(), "arguments": _arguments(inner[named.end() :], load)} if named else None
    loaded = load(inner)
    if isinstance(loaded, list) and len(loaded) == 1:
        loaded = loaded[0]
    return loaded if isinstance(loaded, dict) else None


def _arguments(inner: str, load: Load) -> object:
    pairs = _PARAMETER.findall(inner) or _PAIR.findall(inner)
    if pairs:
        return {name: _value(value, load) for name, value in pairs}
    return inner.strip() or {}


def _value(text: str, load: Load) -> object:
    """Reads a value written between tags: JSON where it is some, else the text."""
    if text[:1] in ("{", "["):
        loaded = load(text)
        return text if loaded is None else loaded
    return {"true": True, "false": False, "null": None}.get(text.lower(), text)


_FENCED = re.compile(r"^```(?:tool_code|tool_call|python|py)\s*\n(.*?)\n?\s*```$", re.DOTALL)


def written_call(text: str, load: Load) -> Json | None:
    """Reads `move(task_id=8, new_day=6)` and `move({"task_id": 8})` as the call they are; None for any other text."""
    match = _PYTHON.fullmatch(text.strip()) if len(text) < _LONGEST_CALL else None
    if match is None:
        return None
    name, inside = match.group(1), match.group(2).strip().removesuffix(")") if "print(" in text else match.group(2)
    if inside.strip().startswith("{"):
        loaded = load(inside)
        return {"name": _bare(name), "arguments": loaded} if isinstance(loaded, dict) else None
    try:
        call = ast.parse(f"f({inside})", mode="eval").body
        if not isinstance(call, ast.Call) or call.args or (inside.strip() and not call.keywords):
            return None
        arguments = {row.arg: ast.literal_eval(row.value) for row in call.keywords if row.arg}
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    return {"name": _bare(name), "arguments": arguments}


def _written_list(text: str) -> tuple[Json, ...]:
    """Reads `[move(task_id=8), list_tasks()]`, calls of a program in a list; nothing for any other text."""
    if not (text.startswith("[") and text.endswith(")]") and len(text) < _LONGEST_CALL):
        return ()
    try:
        found = ast.parse(text, mode="eval").body
        calls = found.elts if isinstance(found, ast.List) else []
        return tuple(_of_program(call) for call in calls)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return ()


def _of_program(call: ast.expr) -> Json:
    if not isinstance(call, ast.Call) or call.args:
        raise ValueError("no call by names")
    return {
        "name": _bare(ast.unparse(call.func)),
        "arguments": {row.arg: ast.literal_eval(row.value) for row in call.keywords if row.arg},
    }


def _bare(name: str) -> str:
    """Returns the bare name of a tool: `functions.move:0` -> `move`."""
    return name.removeprefix("functions.").partition(":")[0]


def _spoken(text: str) -> str:
    text = re.sub(
        r"<[|｜]?[^<>]{0,48}$|```(?:json)?\s*$|<｜tool▁calls▁begin｜>|<\|tool_calls_section_begin\|>", "", text
    )
    text = re.sub(r"(?:<[\w:|-]{1,48}>\s*)+$|(?:^|\n)\s*(?:Thought|Action)[:：].*", "", text, flags=re.DOTALL)
    return text.strip()

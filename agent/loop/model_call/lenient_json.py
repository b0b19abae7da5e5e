"""From the text of an answer to one JSON object: lenient to read, strict to accept.

What surrounds the object (blocks of thought, channels, control tokens, fences, talk) is passed over, calls written as
text and decisions written as fields are read, and JSON whose form is broken is repaired where that loses nothing: every
word of the answer must be found in what was made of it. Two different decisions are ambiguous, a key with two different
values is an error.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Literal, NoReturn

from json_repair import repair_json

from agent.loop.model_call.field_lines import read_fields
from agent.loop.model_call.incremental_json import clean, kept_escape
from agent.loop.model_call.marks import split_thought, strip_control
from agent.loop.model_call.text_calls import find_calls

FRAGMENT = 400
REPAIRED = 64_000
"""Characters of an answer that are repaired; a longer one that is broken is no slip of the form."""
DEEP = 64
"""Levels of brackets that are repaired; no decision has ten."""
TELLING = frozenset(
    {"action", "route", "tool_call", "tool_calls", "function_call", "function", "tool", "decision", "name", "speak"}
)
"""Keys by which an object among talk is known for the decision."""
Kind = Literal["parse", "contract", "truncated"]
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}]', re.DOTALL)
"""A string, closed or not, or a brace."""
_FENCE = re.compile(r"^\s*```[A-Za-z0-9_-]*\s*\n?(.*?)\n?\s*```\s*$", re.DOTALL)
_QUOTED = re.compile(r"""("[^"\\]*(?:\\.[^"\\]*)*")|“[^“”]*”|'(?:[^'\\\n]|\\.|'(?!\s*[,:}\]]))*'""", re.DOTALL)
"""A string; in one between single quotes an apostrophe is one that no punctuation follows."""
_WIDE = str.maketrans({"：": ":", "，": ",", "｛": "{", "｝": "}", "［": "[", "］": "]", "＂": '"'})
_COMMENT = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*")|//[^\n]*|/\*.*?\*/|(?<=[\s,{])#[^\n]*', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([bfnrt])|(.))", re.DOTALL)
_DECIDES = re.compile(r'"(?:name|action|route|tool_calls?|function)"\s*:')
"""What an object holds that can be a decision or a call."""
_SPACED = re.compile(r"\\+[nrt]|[\s\\]")
"""What tells no two objects apart: white space, also as JSON writes it in a text, and backslashes before quotes."""
_JSON_ESCAPE = re.compile(r"\\(?:([\"\\/bfnrt]|u[0-9a-fA-F]{4})|(.))", re.DOTALL)
_LITERAL = re.compile(r"\b(?:none|null|true|false)\b")
_EXAMPLE = re.compile(
    r"例如|比如|示例|例子|样例|格式|模板|for example|e\.g\.|example|template|format|such as", re.IGNORECASE
)
_PLACEHOLDER = re.compile(r'"(?:[^"]*\s\|\s[^"]*|\.\.\.|…|<[^">]+>)"')


class DecisionError(Exception):
    """Tells of an answer that is not taken up. `error` and `expected` are written for the model; `fragment` <= 400
    characters. `code` names the habit, for the reminder that stays."""

    def __init__(self, kind: Kind, error: str, *, fragment: str = "", expected: str = "", code: str = "") -> None:
        super().__init__(error)
        self.kind = kind
        self.error = error
        self.fragment = fragment[:FRAGMENT]
        self.expected = expected
        self.code = code


def read_object(
    text: str, *, truncated: bool = False, told: Collection[str] = (), wanted: str = "", given: str = ""
) -> dict[str, object]:
    """Reads the one object of an answer. Raises `DecisionError` (codes `truncated`, `no_json`, `ambiguous`,
    `duplicate_key`, `several_calls`). `told` are the codes the model was reminded of and keeps to: what is then the
    nearest reading is taken. `wanted` is the key that tells a decision of this stage from those of others, which a
    model that runs ahead writes behind it. `given` is what the model was given: an object among words that stands there
    is a quotation."""
    _, answer = split_thought(clean(text))
    for candidate in (answer, _strip_fence(answer)):
        found = _load_object(candidate)
        if found is not None:
            return found
    bare = _SPACED.sub("", given)
    answer = _without_quotations(answer, bare)
    fields = None if truncated else read_fields(strip_control(answer), load_lenient, lambda part: _stands(part, bare))
    if fields is not None:
        return _cleaned_object(fields)
    written = find_calls(_without_decisions(answer), load_lenient)
    if written is not None:
        whole = _repair(answer) if answer.startswith("{") and not truncated else None
        return whole if whole is not None else _of_calls(written.calls, written.speech, text)
    answer = strip_control(answer)
    if "&quot;" in answer and '"' not in answer:
        answer = html.unescape(answer)
    chosen = _choose(list(_objects(answer)), text, told, wanted)
    if chosen is not None:
        return chosen
    repaired = None if truncated else _repair(answer)
    if repaired is not None:
        return repaired
    if truncated:
        raise DecisionError("truncated", "输出在结束前被截断", fragment=text[-FRAGMENT:], code="truncated",
                            expected="缩短 speak 与 reason，重新输出一个完整的 JSON 对象")  # fmt: skip
    raise DecisionError("parse", "没有找到完整合法的 JSON 对象", fragment=text, code="no_json",
                        expected="只输出一个 JSON 对象，不要其他文字")  # fmt: skip


def is_whole(text: str) -> bool:
    """Tells whether the answer, as it stands, holds a complete object."""
    try:
        return bool(read_object(text, truncated=True))
    except DecisionError:
        return False


def _stands(part: str, bare: str) -> bool:
    """Tells whether a part stands in what was given, of which `bare` is all but what tells nothing apart."""
    return _SPACED.sub("", part) in bare if part and bare else False


def _without_quotations(text: str, bare: str) -> str:
    """Returns the text without the objects that look like a decision or a call and stand in what was given."""
    start = text.find("{") if bare else -1
    while start >= 0:
        end = _end_of(text, start)
        span = text[start:end]
        if end and _DECIDES.search(span) and _stands(span, bare):
            text, end = text[:start] + text[end:], start
        start = text.find("{", end) if end else -1
    return text


def _without_decisions(text: str) -> str:
    """Returns the text without its whole decisions: a call that a name within one looks like is none."""
    if not any(f'"{key}"' in text for key in ("action", "route")):
        return text
    spans = [(at, at + len(span)) for at, span, found in _objects(text) if "action" in found or "route" in found]
    kept, at = [], 0
    for start, end in spans:
        kept.append(text[at:start])
        at = end
    return "".join([*kept, text[at:]])


def _of_calls(calls: tuple[dict[str, Any], ...], speech: str, text: str) -> dict[str, object]:
    distinct = list({json.dumps(call, sort_keys=True, default=str): call for call in calls}.values())
    spoken = {} if not speech or speech.startswith("{") else {"speak": speech}
    return {**spoken, "tool_call": distinct[0] if len(distinct) == 1 else distinct}


def _strip_fence(text: str) -> str:
    text = strip_control(text).strip()
    fenced = _FENCE.match(text)
    return fenced.group(1) if fenced else text


def _objects(text: str) -> Iterator[tuple[int, str, dict[str, object]]]:
    """Yields (where, span, object) of every balanced top-level `{...}` that is one; braces in strings do not count."""
    start = text.find("{")
    while start >= 0:
        end = _end_of(text, start)
        found = _load_object(text[start:end]) if end else None
        if found is not None:
            yield start, text[start:end], found
        start = text.find("{", end) if end else -1


def _end_of(text: str, start: int) -> int:
    """Returns one past the brace that closes the one at `start`, 0 when none does."""
    depth = 0
    for token in _TOKEN.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(token.group(), 0)
        if depth == 0:
            return token.end()
    return 0


def _choose(
    found: list[tuple[int, str, dict[str, object]]], text: str, told: Collection[str], wanted: str
) -> dict[str, object] | None:
    """Chooses the decision among the objects of an answer: the only one, the same one said twice, the one beside
    examples."""
    telling = [row for row in found if TELLING & {key.lower() for key in row[2]}] or found
    distinct = {json.dumps(row[2], sort_keys=True): row for row in telling}
    if len(distinct) > 1:
        distinct = {key: row for key, row in distinct.items() if not _is_example(row, text)} or distinct
    rows = list(distinct.values())
    fitting = [row for row in rows if wanted in row[2]]
    rows = fitting if len(fitting) == 1 else rows
    if len(rows) > 1 and "ambiguous" not in told:
        raise DecisionError(
            "parse", "出现了多个 JSON 对象", fragment=text, code="ambiguous", expected="每轮只输出一个 JSON 对象"
        )
    calling = [row for row in rows if row[2].get("tool_call")] if len(rows) > 1 else []
    return (calling or rows[::-1])[0][2] if rows else None


def _is_example(row: tuple[int, str, dict[str, object]], text: str) -> bool:
    """Tells whether an object is shown, not meant: it copies the template, or the words before it say so."""
    at, span, _ = row
    where = text.find(span)
    before = text[max(0, (where if where >= 0 else at) - 40) : where if where >= 0 else at]
    return bool(_PLACEHOLDER.search(span) or _EXAMPLE.search(before.rpartition("}")[2]))


def _repair(text: str) -> dict[str, object] | None:
    """Returns the object of a broken answer, when repairing it loses nothing."""
    at = text.find("{")
    if at < 0 or len(text) > REPAIRED:
        return None
    for start in [at, *(match.start() for match in re.finditer(r"\{(?=\s*[\"'“])", text) if match.start() > at)][:4]:
        span = _until_last_bracket(text[start:])
        loaded = _repair_span(span)
        if isinstance(loaded, dict) and TELLING & {str(key).lower() for key in loaded}:
            return _cleaned_object(loaded)
    return None


def _until_last_bracket(text: str) -> str:
    """Returns the text without the talk or the fence behind its last bracket."""
    end = max(text.rfind("}"), text.rfind("]"))
    rest = text[end + 1 :].strip().strip("`").strip()
    return text[: end + 1] if end >= 0 and not re.search(r"[\"”':]", rest) else text


def load_lenient(text: str) -> object:
    """Loads a JSON value in a text field, repaired where that loses nothing; None when it is none."""
    text = _strip_fence(text).strip()
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant, strict=False)
    except (ValueError, RecursionError):
        return _repair_span(text) if len(text) <= REPAIRED else None


def _repair_span(span: str) -> object:
    """Returns what the repair of a broken span says, None when words would be lost or the text stops inside a value."""
    if span.count("{") + span.count("[") > 40 * DEEP or re.search(r"[\[{]\s*(?:\"[^\"]*\"\s*:\s*)?" * 20, span):
        return None
    narrow = _drop_comments(_narrow_punctuation(span))
    if not re.search(r"(?:[}\]\"'”]|true|false|null|None|True|False)\s*$", narrow):
        return None
    try:
        made: object = repair_json(narrow, return_objects=True)
        written = json.dumps(made, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        return None
    return made if _words(narrow) == _words(written) else None


def _narrow_punctuation(text: str) -> str:
    """Returns punctuation of full width outside strings in its ASCII form, curly quotes around strings as straight
    ones."""
    out, at = [], 0
    for match in _QUOTED.finditer(text):
        quoted = match.group()
        straight = match.group(1) or json.dumps(_drop_escapes(quoted[1:-1]), ensure_ascii=False)
        out += [text[at : match.start()].translate(_WIDE), straight]
        at = match.end()
    return "".join([*out, text[at:].translate(_WIDE)])


def _drop_comments(text: str) -> str:
    return _COMMENT.sub(lambda match: match.group(1) or " ", text)


def _drop_escapes(text: str) -> str:
    def char(match: re.Match[str]) -> str:
        code, short, other = match.groups()
        return chr(int(code, 16)) if code else " " if short else str(other)

    return _ESCAPE.sub(char, text)


def _words(text: str) -> str:
    """Returns the letters and digits of a text, without the literals that languages spell differently."""
    return "".join(re.findall(r"\w", _LITERAL.sub(" ", clean(_drop_escapes(text)).lower())))


def _load_object(text: str) -> dict[str, object] | None:
    """Loads the object that `text` is, or None when it is no JSON object. Raises for a key with two values."""
    text = text.strip().lstrip("\ufeff")
    for written in (text, _with_backslashes(text)) if "\\" in text else (text,):
        try:
            found: object = json.loads(written, object_pairs_hook=_unique, parse_constant=_no_constant, strict=False)
            if isinstance(found, list) and len(found) == 1:
                found = found[0]
            return _cleaned_object(found) if isinstance(found, dict) else None
        except (ValueError, RecursionError):
            continue
    return None


def _with_backslashes(text: str) -> str:
    """Returns JSON whose backslashes are escaped where they begin no escape of JSON."""

    def escape(match: re.Match[str]) -> str:
        valid, other = match.groups()
        return match.group() if valid else kept_escape(other).replace("\\", "\\\\")

    return _JSON_ESCAPE.sub(escape, text)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = [name for name, times in Counter(names).items() if times > 1]
        for name in twice:
            values = [value for key, value in pairs if key == name]
            if any(value != values[0] or type(value) is not type(values[0]) for value in values):
                raise DecisionError("contract", f"键 {clean(name)[:60]} 出现了两次", code="duplicate_key",
                                    fragment=clean(str(names)), expected="每个键只写一次")  # fmt: skip
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _clean_value(value: object) -> object:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_clean_value(item) for item in value]
    if isinstance(value, dict):
        return _cleaned_object(value)
    return value


def _cleaned_object(value: Mapping[str, object]) -> dict[str, object]:
    return {clean(str(key)): _clean_value(item) for key, item in value.items()}

"""From the text of an answer to one JSON object: a ladder of readings.

Lenient to read: byte order mark, think block, code fences and talk around the object are passed over. Strict to accept:
nothing broken is repaired, a duplicate key is an error, two objects are ambiguous.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Literal, NoReturn

from agent.loop.model_call.incremental_json import THINK_CLOSE, THINK_OPEN, AnswerReader, clean

FRAGMENT = 400
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}]', re.DOTALL)
"""A string, closed or not, or a brace."""
Kind = Literal["parse", "contract", "truncated"]
_FENCE = re.compile(r"^\s*```[A-Za-z0-9_-]*\s*\n?(.*?)\n?\s*```\s*$", re.DOTALL)


class DecisionError(Exception):
    """An answer that is not taken up. `error` and `expected` are written for the model; `fragment` <= 400
    characters."""

    def __init__(self, kind: Kind, error: str, *, fragment: str = "", expected: str = "", code: str = "") -> None:
        super().__init__(error)
        self.kind = kind
        self.error = error
        self.fragment = fragment[:FRAGMENT]
        self.expected = expected
        self.code = code


def read_object(text: str, *, truncated: bool = False) -> dict[str, object]:
    """The one object of an answer. Raises `DecisionError` (codes `truncated`, `no_json`, `ambiguous`,
    `duplicate_key`)."""
    text = clean(text)
    for candidate in (text, _strip_wrapping(text)):
        found = _load_object(candidate)
        if found is not None:
            return _spoken_alike(found, text)
    objects = [found for span in _spans(_without_think(text)) if (found := _load_object(span)) is not None]
    if len(objects) == 1:
        return _spoken_alike(objects[0], text)
    if len(objects) > 1:
        raise _ambiguous(text)
    if truncated:
        raise DecisionError("truncated", "输出在结束前被截断", fragment=text[-FRAGMENT:], code="truncated",
                            expected="缩短 speak 与 reason，重新输出一个完整的 JSON 对象")  # fmt: skip
    raise DecisionError("parse", "没有找到完整合法的 JSON 对象", fragment=text, code="no_json",
                        expected="只输出一个 JSON 对象，不要其他文字")  # fmt: skip


def _ambiguous(text: str) -> DecisionError:
    return DecisionError(
        "parse", "出现了多个 JSON 对象", fragment=text, code="ambiguous", expected="每轮只输出一个 JSON 对象"
    )


def _spoken_alike(found: dict[str, object], text: str) -> dict[str, object]:
    """What was streamed while the answer arrived has to be what the object says."""
    reader = AnswerReader()
    reader.feed(text)
    speak = found.get("speak")
    if (isinstance(speak, str) and speak != reader.spoken) or (not isinstance(speak, str) and reader.spoken):
        raise _ambiguous(text)
    return found


def _strip_wrapping(text: str) -> str:
    text = _without_think(text.lstrip("\ufeff")).strip()
    fenced = _FENCE.match(text)
    return fenced.group(1) if fenced else text


def _without_think(text: str) -> str:
    """Text after the think blocks that come before the first object; nothing when a block is never closed."""
    kept, at = "", 0
    while (start := text.find(THINK_OPEN, at)) >= 0 and text.find("{", at, start) < 0:
        end = text.find(THINK_CLOSE, start)
        if end < 0:
            return ""
        kept += text[at:start]
        at = end + len(THINK_CLOSE)
    return kept + text[at:]


def _spans(text: str) -> list[str]:
    """Balanced top-level `{...}` spans; braces in strings do not count."""
    spans: list[str] = []
    start = text.find("{")
    while start >= 0 and (end := _end_of(text, start)):
        spans.append(text[start:end])
        start = text.find("{", end)
    return spans


def _end_of(text: str, start: int) -> int:
    """One past the brace that closes the one at `start`, 0 when none does."""
    depth = 0
    for token in _TOKEN.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(token.group(), 0)
        if depth == 0:
            return token.end()
    return 0


def _load_object(text: str) -> dict[str, object] | None:
    """The object `text` is, or None when it is no JSON object. Raises for a duplicate key."""
    try:
        found: object = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
        return _cleaned_object(found) if isinstance(found, dict) else None
    except (ValueError, RecursionError):
        return None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = Counter(names).most_common(1)[0][0]
        raise DecisionError("contract", f"键 {clean(twice)[:60]} 出现了两次", code="duplicate_key",
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
    return {clean(key): _clean_value(item) for key, item in value.items()}

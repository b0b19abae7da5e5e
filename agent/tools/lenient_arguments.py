"""Reads arguments as they were meant where they can mean one thing only: numbers and lists as text, words of another
case or language. What the schema says stays the judge; see `Registry.fit`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from agent.calls.kinds import Json
from agent.calls.tool import plain_name
from agent.tools.argument_schema import Args, bare
from agent.tools.words.labels import STATUS, WORDS

WHOLE = re.compile(
    r"\s*(?:[\[#(]|第|周|day|week|section)?\s*([+-]?\d{1,10})(?:\.0+)?\s*(?:[\])]|[天日节周]|sections?)?\s*", re.I
)
HAN = re.compile(r"第?([一二三四五六七八九十]{1,3})[天日节周]?")
DIGITS = {digit: at for at, digit in enumerate("一二三四五六七八九", 1)}
FLAGS: Mapping[str, bool] = {"true": True, "yes": True, "是": True, "false": False, "no": False, "否": False}


@lru_cache(maxsize=128)
def _document(schema: type[Args]) -> Json:
    return schema.model_json_schema()


def mend_arguments(schema: type[Args], given: Mapping[str, object]) -> Json:
    """Returns the arguments with each value in the type that its parameter has, as far as that can be told."""
    document = _document(schema)
    known = document.get("properties", {})
    spelled = {key: key if key in known or key in schema.aliases else plain_name(key) for key in given}
    if len({*spelled.values()}) == len(spelled) and {*spelled.values()} - {*given} <= {*known}:
        given = {spelled[key]: value for key, value in given.items()}
    named = {schema.aliases.get(key, key): key for key in given}
    found = {key: given[key] for key in given}
    for name, one in known.items():
        key = named.get(name)
        if key is not None:
            found[key] = _mend(given[key], one, document.get("$defs", {}))
    return found


def drop_path(given: Json, path: str) -> Json:
    """Returns the arguments without the key at a path such as `moves[0].note`."""
    head, _, rest = re.sub(r"\[(\d+)\]", r".\1", path).partition(".")
    if not rest:
        return {key: value for key, value in given.items() if key != head}
    return {key: _without(value, rest) if key == head else value for key, value in given.items()}


def _without(value: Any, path: str) -> Any:
    if isinstance(value, list):
        head, _, rest = path.partition(".")
        if not head.isdigit():
            return value
        return [_without(one, rest) if at == int(head) and rest else one for at, one in enumerate(value)]
    return drop_path(value, path) if isinstance(value, dict) else value


def _mend(value: object, document: Json, definitions: Json) -> object:
    document = bare(document)
    if "$ref" in document:
        document = definitions[document["$ref"].rsplit("/", 1)[1]]
    mend = MENDERS.get(str(document.get("type", "object")))
    return value if mend is None or value is None else mend(value, document, definitions)


def _integer(value: object, document: Json, definitions: Json) -> object:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, str):
        return value
    found, written = WHOLE.fullmatch(value), HAN.fullmatch(value.strip())
    return int(found.group(1)) if found else _number(written.group(1), value) if written else value


def _number(han: str, otherwise: str) -> int | str:
    """Reads a number: `十二` is 12; what is no number up to 99 stays as it is."""
    tens, ten, ones = han.rpartition("十")
    if len(tens) > 1 or len(ones) > 1:
        return otherwise
    return (DIGITS.get(tens, 1) * 10 if ten else 0) + (DIGITS[ones] if ones else 0)


def _boolean(value: object, document: Json, definitions: Json) -> object:
    return FLAGS.get(value.strip().lower(), value) if isinstance(value, str) else value


def _string(value: object, document: Json, definitions: Json) -> object:
    allowed = document.get("enum")
    if not isinstance(value, str) or not allowed or value in allowed:
        return value
    word = value.strip()
    alike = [one for one in allowed if str(one).lower() == word.lower()]
    named = [one for one in allowed if word and _label(str(one)).startswith(word)]
    return (alike or (named if len(named) == 1 else []) or [value])[0]


def _label(word: str) -> str:
    return WORDS.get(word) or STATUS.get(word, "")


def _array(value: object, document: Json, definitions: Json) -> object:
    if isinstance(value, str):
        value = _load_value(value, list, value if value.strip() else [])
    rows = value if isinstance(value, list) else [value]
    return [_mend(one, document.get("items", {}), definitions) for one in rows]


def _object(value: object, document: Json, definitions: Json) -> object:
    if isinstance(value, str):
        value = _load_value(value, dict, value)
    if not isinstance(value, Mapping):
        return value
    known = document.get("properties", {})
    return {key: _mend(one, known[key], definitions) if key in known else one for key, one in value.items()}


def _load_value(text: str, kind: type, otherwise: object) -> object:
    try:
        found: object = json.loads(text)
    except ValueError:
        return otherwise
    return found if isinstance(found, kind) else otherwise


MENDERS = {"integer": _integer, "boolean": _boolean, "string": _string, "array": _array, "object": _object}

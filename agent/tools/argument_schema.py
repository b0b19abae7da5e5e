"""Closed argument schemas: what a model may send to a tool, and how a wrong call is explained.

Values are cleaned the same way for every tool (`null` = absent, strings trimmed, integral numbers are integers) and
then judged by pydantic in strict mode. All violations of a call are reported together, each as
`{field, problem, expected, got}` with problem missing | unknown | type | range | enum | conflict.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ConfigDict, PrivateAttr, ValidationError

from agent.calls.kinds import Json
from agent.calls.phrase import Phrase, clip_text, say
from agent.calls.values import ToolError
from agent.tools.words.labels import ARGUMENTS

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from schedules.planner.draft.state import ScheduleState
    from schedules.planner.grid import Calendar

INT_MAX = 2**31 - 1
"""Largest id and number that is taken at all; the database holds no larger one."""
NESTING_MAX = 12
"""Levels of lists and objects inside one argument; the deepest schema has three."""
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""NUL and lone surrogates: JSON can spell them, but no database or UTF-8 stream takes them."""


class Args(BaseModel):
    """Base of all argument schemas. `aliases` maps an accepted second name to the field's own name."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    aliases: ClassVar[Mapping[str, str]] = {}
    _normalized: tuple[Json, ...] = PrivateAttr(default=())

    @property
    def normalized(self) -> tuple[Json, ...]:
        """Returns what `prepare` changed, each as {field, from, to}."""
        return self._normalized

    @classmethod
    def in_term(cls, values: Json, calendar: Calendar) -> Json:
        """Returns the values with what only the semester can tell read by it."""
        return values

    @classmethod
    def prepare(cls, values: Json) -> tuple[Json, list[Json]]:
        """Returns the values with the widenings that are accepted before the schema judges, and a note of each."""
        return values, []

    @classmethod
    def conflicts(cls, values: Json) -> list[Json]:
        """Returns violations between fields, found on the cleaned values whatever else is wrong with them."""
        return []

    def bounds(self, draft: ScheduleState) -> list[Json]:
        """Returns violations that only the draft can tell: days outside the window, sections the semester has not."""
        return []


class NoArgs(Args):
    """A tool without arguments."""


def violation(field: str, problem: str, expected: object, got: object) -> Json:
    return {"field": UNSTORABLE.sub("�", field), "problem": problem, "expected": expected, "got": short(got)}


def short(value: object) -> object:
    """Returns a received value as it may stand in an answer: JSON, and never longer than the question."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    try:
        return clip_text(UNSTORABLE.sub("�", str(value)), 80)
    except RecursionError:
        return "…"


def read_arguments(schema: type[Args], given: object) -> tuple[Args, Json] | ToolError:
    """Returns the typed value and the cleaned arguments, or every violation at once."""
    if not isinstance(given, Mapping):
        return invalid([violation("arguments", "type", "object", given)])
    # Models that were trained to say why they call add it to the arguments; the card says it in words of its own.
    given = {key: value for key, value in given.items() if key != "intent"}
    if found := unreadable(given):
        return invalid(found)
    values, found = resolve_aliases(schema, clean_object(given))
    found += schema.conflicts(values)
    values, notes = schema.prepare(values)
    try:
        value = schema.model_validate(values)
    except ValidationError as error:
        found = [*(from_pydantic(schema, values, one) for one in error.errors()), *found]
        return invalid(found)
    value._normalized = tuple(notes)
    return invalid(found) if found else (value, values)


def unreadable(given: Mapping[Any, Any]) -> list[Json]:
    """Returns violations that come before any schema: nesting nobody means, text that can be neither stored nor
    sent."""
    found = []
    for key, argument in given.items():
        waiting: list[tuple[object, int]] = [(key, 0), (argument, 0)]
        while waiting:
            value, depth = waiting.pop()
            if depth > NESTING_MAX or (isinstance(value, str) and UNSTORABLE.search(value)):
                expected = "string" if isinstance(value, str) else f"最多 {NESTING_MAX} 层"
                found.append(violation(str(key), "type", expected, value))
                break
            inner = [*value, *value.values()] if isinstance(value, Mapping) else value
            if isinstance(inner, list):
                waiting += [(one, depth + 1) for one in inner]
    return found


def invalid(found: list[Json]) -> ToolError:
    """Returns all violations as one error: key names for the model, labels for the student."""
    told = "；".join(sentence(one) for one in found)
    if len(found) > 1:
        told = f"{len(found)} 处需要修正：{told}"
    lines = tuple(for_student(one) for one in found)
    details: Json = {"details": found}
    reason = say("参数不符合要求")
    return ToolError("invalid_args", reason, told=told, lines=lines, listed=tuple(found), details=details)


SENTENCES: dict[str, str] = {
    "missing": "缺少 {field}",
    "unknown": "{field} 不是这个工具的参数，相近的有：{expected}",
    "type": "{field} 的类型不对，应为 {expected}",
    "range": "{field} 超出范围，应为 {expected}",
    "enum": "{field} 不存在，可选：{expected}",
    "conflict": "{field} 冲突：{expected}",
}
PROBLEMS: dict[str, str] = {
    "missing": "{label}：缺少",
    "unknown": "{label}：不能识别",
    "type": "{label}：类型不对",
    "range": "{label}：超出范围",
    "enum": "{label}：没有这个选项",
    "conflict": "{label}：互相冲突",
}


def sentence(one: Json) -> str:
    expected = one["expected"]
    listed = "、".join(str(v) for v in expected) if isinstance(expected, list) else str(expected)
    return SENTENCES[one["problem"]].format(field=one["field"], expected=listed)


def for_student(one: Json) -> Phrase:
    keys = [part.partition("[")[0] for part in one["field"].split(".")]
    known = next((ARGUMENTS[key] for key in reversed(keys) if key in ARGUMENTS), "参数")
    return say(PROBLEMS[one["problem"]], label=say(known))


def clean_value(value: object) -> object:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [clean_value(one) for one in value]
    if isinstance(value, Mapping):
        return clean_object(value)
    return value


def clean_object(values: Mapping[Any, Any]) -> Json:
    return {str(key): clean_value(value) for key, value in values.items() if value is not None}


def resolve_aliases(schema: type[Args], values: Json) -> tuple[Json, list[Json]]:
    """Returns values under their own names; an alias next to its name is a conflict."""
    result, found = dict(values), []
    for alias, name in schema.aliases.items():
        if alias not in result:
            continue
        value = result.pop(alias)
        if name in result:
            found.append(violation(alias, "conflict", f"{name} 与 {alias} 只能给一个", value))
        else:
            result[name] = value
    return result, found


def path_of(location: tuple[int | str, ...]) -> str:
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path


def from_pydantic(schema: type[BaseModel], values: Json, error: ErrorDetails) -> Json:
    kind, field = error["type"], path_of(error["loc"])
    got, context = error.get("input"), error.get("ctx", {})
    if kind == "missing":
        return violation(field, "missing", expected_at(schema, error["loc"]), None)
    if kind == "extra_forbidden":
        return violation(field, "unknown", nearest(schema, error["loc"]), got)
    if kind == "literal_error":
        problem = "enum" if isinstance(got, str) else "type"
        return violation(field, problem, list_of_literals(schema, error["loc"]), got)
    if kind in RANGES:
        return violation(field, "range", RANGES[kind](context), got)
    return violation(field, "type", TYPES.get(kind, str(context.get("expected", kind))), got)


RANGES: dict[str, Callable[[dict[str, Any]], str]] = {
    "greater_than_equal": lambda c: f">= {c['ge']}",
    "less_than_equal": lambda c: f"<= {c['le']}",
    "string_too_short": lambda c: f">= {c['min_length']} 个字符",
    "string_too_long": lambda c: f"<= {c['max_length']} 个字符",
    "string_pattern_mismatch": lambda c: f"格式 {c['pattern']}",
    "too_short": lambda c: f">= {c['min_length']} 项",
    "too_long": lambda c: f"<= {c['max_length']} 项",
}
TYPES = {
    "int_type": "integer", "int_from_float": "integer", "int_parsing": "integer", "int_parsing_size": "integer",
    "string_type": "string", "bool_type": "boolean", "bool_parsing": "boolean", "list_type": "array",
    "tuple_type": "array", "model_type": "object", "dict_type": "object", "model_attributes_type": "object",
}  # fmt: skip


def model_at(schema: type[BaseModel], location: tuple[int | str, ...]) -> type[BaseModel]:
    """Returns the (nested) schema that owns the last key of a location."""
    owner = schema
    for part in location[:-1]:
        if isinstance(part, str) and part in owner.model_fields:
            inner = inner_model(owner.model_fields[part].annotation)
            owner = inner or owner
    return owner


def inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        found = inner_model(argument)
        if found:
            return found
    return None


def nearest(schema: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    """Returns the nearest known keys."""
    owner = model_at(schema, location)
    known = list(owner.model_fields)
    wanted = str(location[-1])
    near = difflib.get_close_matches(wanted, known, n=3, cutoff=0.5)
    return near or difflib.get_close_matches(wanted, known, n=3, cutoff=0.0)


def property_at(schema: type[BaseModel], location: tuple[int | str, ...]) -> Json:
    owner = model_at(schema, location)
    names = [part for part in location if isinstance(part, str)]
    document: Json = owner.model_json_schema()["properties"].get(names[-1], {}) if names else {}
    return bare(document)


def bare(document: Json) -> Json:
    """Returns a property without its `null` branch."""
    options = [one for one in document.get("anyOf", []) if one.get("type") != "null"]
    return {**document, **options[0]} if options else document


def expected_at(schema: type[BaseModel], location: tuple[int | str, ...]) -> str:
    return str(property_at(schema, location).get("type", "object"))


def list_of_literals(schema: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    found = property_at(schema, location)
    found = found.get("items", found)
    return list(found.get("enum", [found["const"]] if "const" in found else []))


def json_schema(schema: type[Args]) -> Json:
    """Returns the JSON Schema of the arguments, closed; aliases are accepted but not advertised."""
    document: Json = schema.model_json_schema()
    document.pop("title", None)
    document.pop("description", None)
    document.setdefault("properties", {})
    return document

"""The tool catalogue as the prompt shows it, generated from the registry's schemas."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from typing import Any

from agent.calls.kinds import Json
from agent.tools.argument_schema import Args, bare
from agent.tools.arguments.filters import CalendarArgs, SectionArgs
from agent.tools.types import Tool

TYPES = {"integer": "整数", "string": "字符串", "boolean": "布尔", "array": "数组", "object": "对象"}
LEGEND = "（带 * 的参数必填；a..b 是范围，=x 是默认值）"
GROUPS: dict[str, type[Args]] = {"日期条件": CalendarArgs, "节次条件": SectionArgs}
"""Parameters that several tools share are written once, under a name."""


def catalogue(tools: Iterable[Tool]) -> str:
    """Returns one entry per tool under the heading of its pack, sorted by domain, pack and name; context tools come
    first."""
    return _catalogue_of(tuple(sorted(tools, key=lambda tool: (tool.domain or "", tool.pack or "", tool.name))))


@lru_cache(maxsize=64)
def _catalogue_of(ordered: tuple[Tool, ...]) -> str:
    """Writes the catalogue once: prompts are built every round, schemas never change."""
    lines = [LEGEND, *(f"{name}：{'；'.join(_write_parameters(group))}" for name, group in _groups_of(ordered))]
    for (domain, pack), entries in groupby(ordered, key=lambda tool: (tool.domain, tool.pack)):
        lines.append(f"〔{domain}/{pack}〕" if domain else "〔随时可用〕")
        lines += [entry(tool) for tool in entries]
    return "\n".join(lines)


def entry(tool: Tool) -> str:
    """Returns the entry of one tool."""
    aliases = f"（别名 {'、'.join(tool.aliases)}）" if tool.aliases else ""
    lines = [f"- {tool.name}{aliases}：{tool.purpose}"]
    parameters = parameters_of(tool)
    lines.append("  参数：" + ("；".join(parameters) or "无"))
    lines.append(f"  返回：{tool.returns}")
    if tool.sample:
        lines.append(f"  示例：{tool.sample}")
    return "\n".join(lines)


def _groups_of(tools: Iterable[Tool]) -> list[tuple[str, type[Args]]]:
    used = {name for tool in tools for name, group in GROUPS.items() if issubclass(tool.args, group)}
    return [(name, group) for name, group in GROUPS.items() if name in used]


def parameters_of(tool: Tool) -> list[str]:
    """Returns its own parameters, then the names of the groups it shares with others."""
    groups = _groups_of([tool])
    shared = {key for _, group in groups for key in group.model_fields}
    return [*_write_parameters(tool.args, leaving_out=shared), *(name for name, _ in groups)]


def _write_parameters(args: type[Args], *, leaving_out: Iterable[str] = ()) -> list[str]:
    document: Json = args.model_json_schema()
    required = set(document.get("required", []))
    definitions = document.get("$defs", {})
    return [
        f"{name}{'*' if name in required else ''} {describe_type(resolve_ref(one, definitions), definitions)}"
        for name, one in document.get("properties", {}).items()
        if name not in set(leaving_out)
    ]


def resolve_ref(document: Json, definitions: Json) -> Json:
    found = bare(document)
    if "$ref" in found:
        found = {**found, **definitions[found["$ref"].rsplit("/", 1)[1]]}
    return found


def describe_type(document: Json, definitions: Json) -> str:
    """Describes type and allowed values of one parameter: `整数 1..60 =12`."""
    kind = document.get("type", "object")
    parts = [] if "enum" in document else [TYPES[kind]]
    if kind == "array":
        inner = resolve_ref(document.get("items", {}), definitions)
        parts = [f"数组<{describe_type(inner, definitions)}>"]
        parts += bounds(document, "minItems", "maxItems", "项")
    if kind == "object" and document.get("properties"):
        required = set(document.get("required", []))
        parts = ["{" + ", ".join(keys_of(document, required, definitions)) + "}"]
    if "enum" in document:
        parts.append("|".join(str(value) for value in document["enum"]))
    parts += bounds(document, "minimum", "maximum", "") + bounds(document, "minLength", "maxLength", "字符")
    if document.get("default") not in (None, "", []):
        parts.append(f"={default_text(document['default'])}")
    return " ".join(parts)


def keys_of(document: Json, required: set[str], definitions: Json) -> list[str]:
    return [
        f"{name}{'*' if name in required else ''} {describe_type(resolve_ref(one, definitions), definitions)}"
        for name, one in document["properties"].items()
    ]


def default_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def bounds(document: Json, low: str, high: str, unit: str) -> list[str]:
    """Returns `1..60`; the technical upper bound of ids is not worth telling, nor that a number is positive."""
    first, last = document.get(low), document.get(high)
    if last is not None and last >= 2**31 - 1:
        last = None
    if last is None and (first is None or (first == 1 and low != "minItems")):
        return []
    if last is None:
        return [f">={first}{unit}"]
    return [f"{first or 0}..{last}{unit}"]

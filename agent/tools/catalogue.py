"""The tool catalogue as the prompt shows it, generated from the registry's schemas."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from agent.calls.kinds import Json
from agent.tools.argument_schema import bare
from agent.tools.types import Tool

TYPES = {"integer": "整数", "string": "字符串", "boolean": "布尔", "array": "数组", "object": "对象"}


def catalogue(tools: Iterable[Tool]) -> str:
    """One entry per tool, sorted by domain, pack and name; context tools come first."""
    ordered = sorted(tools, key=lambda tool: (tool.domain or "", tool.pack or "", tool.name))
    return "\n".join(entry(tool) for tool in ordered)


@lru_cache(maxsize=128)
def entry(tool: Tool) -> str:
    """The entry of one tool; prompts are built every round, schemas never change."""
    aliases = f"（别名 {'、'.join(tool.aliases)}）" if tool.aliases else ""
    lines = [f"- {tool.name}{aliases}：{tool.purpose}"]
    parameters = parameters_of(tool)
    lines.append("  参数：" + ("；".join(parameters) or "无"))
    lines.append(f"  返回：{tool.returns}")
    if tool.sample:
        lines.append(f"  示例：{tool.sample}")
    return "\n".join(lines)


def parameters_of(tool: Tool) -> list[str]:
    document: Json = tool.args.model_json_schema()
    required = set(document.get("required", []))
    definitions = document.get("$defs", {})
    return [
        f"{name}({'必填' if name in required else '可选'}, {describe_type(resolve_ref(one, definitions), definitions)})"
        for name, one in document.get("properties", {}).items()
    ]


def resolve_ref(document: Json, definitions: Json) -> Json:
    found = bare(document)
    if "$ref" in found:
        found = {**found, **definitions[found["$ref"].rsplit("/", 1)[1]]}
    return found


def describe_type(document: Json, definitions: Json) -> str:
    """Type and allowed values of one parameter: `整数, 1..60, 默认 12`."""
    kind = document.get("type", "object")
    parts = [TYPES[kind]]
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
        parts.append(f"默认 {default_text(document['default'])}")
    return ", ".join(parts)


def keys_of(document: Json, required: set[str], definitions: Json) -> list[str]:
    return [
        f"{name}{'' if name in required else '?'}: {describe_type(resolve_ref(one, definitions), definitions)}"
        for name, one in document["properties"].items()
    ]


def default_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def bounds(document: Json, low: str, high: str, unit: str) -> list[str]:
    """`1..60`; the technical upper bound of ids is not worth telling."""
    first, last = document.get(low), document.get(high)
    if last is not None and last >= 2**31 - 1:
        last = None
    if first is None and last is None:
        return []
    if last is None:
        return [f">={first}{unit}"]
    return [f"{first or 0}..{last}{unit}"]

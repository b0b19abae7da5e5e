"""The handbook page of the tools (`docs/tools.md`), written from the registry alone.

`python -m agent.tools.handbook` prints it; a test holds the stored page against the registry.
"""

from __future__ import annotations

import sys

from agent.calls.kinds import Json
from agent.tools.argument_schema import bare
from agent.tools.default import default_registry
from agent.tools.registry import Registry
from agent.tools.types import Tool

HEAD = """# Tools

Written by `python -m agent.tools.handbook > docs/tools.md`; do not edit by hand.

A call is validated, checked for visibility and policy, run dry, allowed by the student where it writes, and applied.
Every executed call ends in exactly one result with two texts: the observation (for the model, always Chinese) and the
card (for the student, in the language of the conversation).
"""
PERMISSION = {"draft_write": "asks", "sql_write": "asks"}


def handbook(registry: Registry) -> str:
    """Writes Markdown: one table of all tools, one section of arguments per tool that has any."""
    rows = [row(registry, tool) for tool in registry.tools]
    table = ["| tool | card title | domain / pack | kind | permission | view |", "|---|---|---|---|---|---|", *rows]
    sections = [arguments(tool) for tool in registry.tools if tool.args.model_fields]
    return "\n".join([HEAD, *table, "", *sections])


def row(registry: Registry, tool: Tool) -> str:
    names = "`" + "`, `".join((tool.name, *tool.aliases)) + "`"
    area = f"{tool.domain}/{tool.pack}" if tool.domain else "always on"
    title = f"{tool.label} / {registry.label(tool.name, 'en')}"
    permission = PERMISSION.get(tool.kind, "never")
    if tool.writes and tool.improves:
        permission = "asks, except for an offered candidate"
    if tool.always_asks:
        permission = "asks, also with `always_execute`"
    return f"| {names} | {title} | {area} | {tool.kind} | {permission} | `{tool.view_type}` |"


def arguments(tool: Tool) -> str:
    document: Json = tool.args.model_json_schema()
    required = set(document.get("required", []))
    lines = [f"## {tool.name}", "", f"{tool.purpose}。", ""]
    for name, one in document["properties"].items():
        lines.append(f"- `{name}` {describe_argument(bare(one))}{', required' if name in required else ''}")
    if tool.sample:
        lines += ["", f"Sample: `{tool.sample}`"]
    return "\n".join([*lines, ""])


def describe_argument(found: Json) -> str:
    """Describes type, choices, bounds and default of one argument."""
    if "$ref" in found:
        return "object"
    kind = str(found.get("type", "object"))
    if kind == "array":
        kind = f"array of {describe_argument(bare(found.get('items', {})))}"
    parts = [kind]
    if "enum" in found:
        parts.append(" or ".join(f"`{value}`" for value in found["enum"]))
    for low, high in (("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems")):
        first, last = found.get(low), found.get(high)
        if last is not None and last < 2**31 - 1:
            parts.append(f"{first or 0}..{last}")
        elif first is not None:
            parts.append(f"from {first}")
    if found.get("default") not in (None, "", []):
        parts.append(f"default `{str(found['default']).lower()}`")
    return " ".join(parts)


if __name__ == "__main__":
    sys.stdout.write(handbook(default_registry()))

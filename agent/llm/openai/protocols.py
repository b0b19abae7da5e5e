"""The forms in which a decision is asked for: functions to call, the schema of the decision, any object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agent.calls.kinds import Json
from agent.loop.model_call.decisions import EXECUTE_ACTIONS, PLAN_ACTIONS, ROUTES
from agent.loop.outside.model import ModelRequest

DECIDE = "decide"
"""The one function of the stages that call no tools: its arguments are the decision."""
TEXT: Json = {"type": "string"}
FLAG: Json = {"type": "boolean"}
IDS: Json = {"type": "array", "items": {"type": "integer"}}


def _object(properties: Mapping[str, Any], *required: str) -> Json:
    return {"type": "object", "properties": dict(properties), "required": list(required), "additionalProperties": False}


HOOK = _object({"domain": {"type": "string", "enum": ["schedule", "taskclass"]},
                "packs": {"type": "array", "items": TEXT}, "reason": TEXT}, "domain")  # fmt: skip
OPTIONS: Json = {"type": "array", "items": _object({"id": TEXT, "label": TEXT}, "id", "label")}
STEPS: Json = {"type": "array", "items": _object({"content": TEXT, "done_when": TEXT}, "content", "done_when")}
ABORT = _object({"code": TEXT, "user_message": TEXT, "internal_reason": TEXT}, "user_message")
CHAT = _object({"route": {"type": "string", "enum": list(ROUTES)}, "speak": TEXT, "needs_rough_build": FLAG,
                "needs_refine_after_rough_build": FLAG, "thinking": FLAG, "task_class_ids": IDS, "context_hook": HOOK,
                "reason": TEXT}, "route")  # fmt: skip
PLAN = _object({"action": {"type": "string", "enum": list(PLAN_ACTIONS)}, "speak": TEXT, "reason": TEXT,
                "options": OPTIONS, "steps": STEPS, "needs_rough_build": FLAG, "needs_refine": FLAG,
                "task_class_ids": IDS, "context_hook": HOOK}, "action")  # fmt: skip
CONTROLS: Mapping[str, tuple[str, Json]] = {
    "next_plan": ("当前步骤已完成，进入下一步", _object({"goal_check": TEXT, "speak": TEXT}, "goal_check")),
    "done": ("目标已完成；goal_check 写明哪条结果证明", _object({"goal_check": TEXT, "speak": TEXT}, "goal_check")),
    "ask_user": ("向学生提问", _object({"speak": TEXT, "options": OPTIONS}, "speak")),
    "confirm": (
        "提出一个要学生同意的调用",
        _object({"name": TEXT, "arguments": {"type": "object"}}, "name", "arguments"),
    ),
    "abort": ("结束目标并告诉学生原因", ABORT),
}


def functions_of(request: ModelRequest) -> list[Json]:
    """Returns the functions a call of native tools offers: tools and control actions in a round, else the decision
    itself."""
    if request.stage != "execute":
        schema = CHAT if request.stage == "chat" else PLAN
        return [_function(DECIDE, "给出本阶段的决策", schema)]
    tools = [_function(str(tool["name"]), str(tool["description"]), tool["parameters"]) for tool in request.tools]
    return [*tools, *(_function(name, purpose, schema) for name, (purpose, schema) in CONTROLS.items())]


def _function(name: str, purpose: str, schema: object) -> Json:
    return {"type": "function", "function": {"name": name, "description": purpose, "parameters": schema}}


def response_schema(request: ModelRequest) -> Json:
    """Returns the `response_format` of a decision by its schema, in the strict form: every key required, optional ones
    null."""
    schema = {"chat": CHAT, "plan": PLAN}.get(request.stage) or _round(_open(request))
    return {
        "type": "json_schema",
        "json_schema": {"name": f"{request.stage}_decision", "strict": True, "schema": strict_schema(schema)},
    }


def _open(request: ModelRequest) -> list[Mapping[str, Any]]:
    """Returns the tools that may be called now."""
    return [tool for tool in request.tools if not request.open_tools or tool["name"] in request.open_tools]


def _round(tools: Sequence[Mapping[str, Any]]) -> Json:
    calls = [_object({"name": {"type": "string", "enum": [tool["name"]]}, "arguments": tool["parameters"]}, "name",
                     "arguments") for tool in tools]  # fmt: skip
    call: Json = {"anyOf": calls} if calls else _object({"name": TEXT, "arguments": {"type": "object"}}, "name")
    fields = {"speak": TEXT, "action": {"type": "string", "enum": list(EXECUTE_ACTIONS)}, "reason": TEXT,
              "goal_check": TEXT, "tool_call": call, "abort": ABORT, "options": OPTIONS}  # fmt: skip
    return _object(fields, "action")


KEPT = ("type", "enum", "description", "minimum", "maximum")


def strict_schema(schema: Mapping[str, Any]) -> Json:
    """Returns a schema as strict endpoints take it: no references, no defaults, all keys required, optional ones
    nullable."""
    return _strict(schema, schema.get("$defs", {}))


def _strict(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Json:
    if "$ref" in schema:
        return _strict(definitions[schema["$ref"].rsplit("/", 1)[1]], definitions)
    definitions = {**definitions, **schema.get("$defs", {})}
    if "anyOf" in schema:
        return {"anyOf": [_strict(one, definitions) for one in schema["anyOf"]]}
    made: Json = {key: schema[key] for key in KEPT if key in schema}
    if "const" in schema:
        made |= {"type": "string", "enum": [schema["const"]]}
    if schema.get("type") == "array":
        made["items"] = _strict(schema.get("items", TEXT), definitions)
    if schema.get("type") == "object":
        required = set(schema.get("required", ()))
        rows = schema.get("properties", {})
        made["properties"] = {
            key: _strict(one, definitions) if key in required else _nullable(_strict(one, definitions))
            for key, one in rows.items()
        }
        made |= {"required": list(rows), "additionalProperties": False}
    return made


def _nullable(schema: Json) -> Json:
    options = schema.get("anyOf", [schema])
    return {"anyOf": [*(one for one in options if one.get("type") != "null"), {"type": "null"}]}

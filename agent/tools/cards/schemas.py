"""JSON Schemas of everything a call shows: the result views, the argument view and a change.

They are served beside the event schemas; the tests hold every emitted card against them. Shapes are closed where the
protocol is ours alone and open where a payload belongs to a tool.
"""

from __future__ import annotations

from typing import Any

from agent.calls.kinds import Json

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEXT: Json = {"type": "string"}
WORDS: Json = {"type": "string", "minLength": 1}
OBJECT: Json = {"type": "object"}
STATUSES = ["done", "failed", "blocked"]


def object_schema(required: dict[str, Any], optional: dict[str, Any] | None = None) -> Json:
    properties = {**required, **(optional or {})}
    return {"type": "object", "properties": properties, "required": [*required], "additionalProperties": False}


def array_schema(of: Json) -> Json:
    return {"type": "array", "items": of}


def integer(minimum: int) -> Json:
    return {"type": "integer", "minimum": minimum}


def nullable(of: Json) -> Json:
    return {"anyOf": [of, {"type": "null"}]}


METRIC = object_schema({"label": WORDS, "value": WORDS})
ITEM = object_schema(
    {"title": WORDS, "subtitle": TEXT, "tags": array_schema(WORDS), "detail_lines": array_schema(WORDS), "meta": OBJECT}
)
SECTION: Json = {
    "oneOf": [
        object_schema(
            {"type": {"const": "items"}, "title": WORDS, "items": {**array_schema(ITEM), "minItems": 1}},
            {"summary": WORDS},
        ),
        object_schema({"type": {"const": "kv"}, "title": WORDS, "fields": {**array_schema(METRIC), "minItems": 1}}),
        object_schema(
            {
                "type": {"const": "callout"},
                "title": WORDS,
                "subtitle": TEXT,
                "tone": {"enum": ["info", "success", "warning", "danger"]},
                "detail_lines": array_schema(WORDS),
            }
        ),
    ]
}
PLACE = object_schema(
    {
        "day": {"type": "integer"},
        "week": integer(1),
        "day_of_week": {"type": "integer", "minimum": 1, "maximum": 7},
        "section_from": integer(1),
        "section_to": integer(1),
        "embed_course_event_id": nullable(integer(1)),
    }
)
CHANGE = object_schema(
    {
        "op": {"enum": ["place", "move", "unplace", "class_create", "class_update", "class_delete"]},
        "task_id": nullable(integer(1)),
        "task_item_id": nullable(integer(1)),
        "task_class_id": nullable(integer(1)),
        "name": TEXT,
        "before": nullable(PLACE),
        "after": nullable(PLACE),
    }
)
COLLAPSED: Json = {
    "title": WORDS,
    "subtitle": TEXT,
    "status": {"enum": STATUSES},
    "status_label": WORDS,
    "metrics": array_schema(METRIC),
}
EXPANDED: Json = {
    "items": array_schema(ITEM),
    "sections": array_schema(SECTION),
    "raw_text": TEXT,
    "machine_payload": OBJECT,
}
OPERATION: Json = {
    "operation": TEXT,
    "operation_label": TEXT,
    "changes": array_schema(CHANGE),
    "affected_days": array_schema({"type": "integer"}),
}
CUT: Json = {"truncated": {"const": True}}
"""Stands in what was too long for one event."""
PLAIN_VIEWS = (
    "schedule.read_result",
    "schedule.analysis_result",
    "web.search_result",
    "web.fetch_result",
    "taskclass.write_result",
    "tool.context_result",
)


def view(view_type: str, collapsed: Json, expanded: Json) -> Json:
    body = object_schema(
        {"view_type": {"const": view_type}, "version": {"const": 1}, "collapsed": collapsed, "expanded": expanded}
    )
    return {"$schema": DIALECT, "title": view_type, **body}


def view_schemas() -> dict[str, Json]:
    """Returns schema by view type, `tool.arguments` and `tool.change` included."""
    found = {name: view(name, object_schema(COLLAPSED), object_schema(EXPANDED, CUT)) for name in PLAIN_VIEWS}
    found["schedule.operation_result"] = view(
        "schedule.operation_result",
        object_schema(COLLAPSED),
        object_schema({**EXPANDED, **OPERATION}, {"failure_reason": TEXT, "queue_snapshot": OBJECT, **CUT}),
    )
    found["legacy_text"] = view(
        "legacy_text",
        object_schema({**COLLAPSED, "tool": TEXT, "tool_label": TEXT}),
        object_schema(
            {"items": array_schema(ITEM), "sections": array_schema(SECTION), "raw_text_label": WORDS, "raw_text": TEXT},
            CUT,
        ),
    )
    found["tool.arguments"] = view(
        "tool.arguments",
        object_schema({"summary": WORDS, "args_count": integer(0)}),
        object_schema(
            {
                "args": OBJECT,
                "fields": array_schema(object_schema({"key": WORDS, "label": WORDS, "value": {}, "display": TEXT})),
            }
        ),
    )
    found["tool.change"] = {"$schema": DIALECT, "title": "tool.change", **CHANGE}
    return found

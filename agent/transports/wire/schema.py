"""JSON Schema of the events, of the three framings and of the views they carry.

Generated from the code that emits them (wire.md 2.7).
"""

from __future__ import annotations

from functools import lru_cache

from agent.calls.kinds import Json
from agent.loop.events import EVENT, VERSION
from agent.tools.cards.schemas import view_schemas
from agent.transports.wire.frames import FRAMES

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_COMMON: Json = {
    "v": {"const": VERSION},
    "idx": {"type": "integer", "minimum": 0},
    "ts": {"type": "number"},
    "run_id": {"type": "string", "format": "uuid"},
    "conversation_id": {"type": "string", "format": "uuid"},
}


@lru_cache(maxsize=1)
def events_schema() -> Json:
    """Returns the document served at `/api/v1/schema/events.json`."""
    typed = EVENT.json_schema(mode="serialization", ref_template="#/$defs/{model}")
    defs = typed.pop("$defs")
    for name in typed["discriminator"]["mapping"].values():
        _stamp(defs[name.rsplit("/", 1)[1]])
    defs["SseChunk"] = _chunk()
    defs["SseError"] = _error()
    defs["Envelope"] = _envelope()
    return {
        "$schema": DIALECT,
        "title": "SmartMate events",
        "version": VERSION,
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in ("Event", "SseChunk", "SseError", "Envelope")],
        "framings": {
            "typed": {"$ref": "#/$defs/Event"},
            "sse": {"anyOf": [{"$ref": "#/$defs/SseChunk"}, {"$ref": "#/$defs/SseError"}]},
            "poll": {"$ref": "#/$defs/Envelope"},
            "websocket": {"$ref": "#/$defs/Envelope"},
        },
        "views": view_schemas(),
        "$defs": {"Event": typed, **defs},
    }


def _stamp(definition: Json) -> None:
    """Adds the common fields: a stored event has them too, and every field of its own is always written."""
    definition["properties"] = {**_COMMON, **definition["properties"]}
    definition["required"] = list(definition["properties"])


def _chunk() -> Json:
    return _object_schema(
        {
            "id": {"type": "string"},
            "object": {"const": "chat.completion.chunk"},
            "created": {"type": "integer"},
            "model": {"type": "string"},
            "choices": {"type": "array", "maxItems": 1, "items": _choice()},
            "extra": {"anyOf": [_extra(*frame[:3]) for kind, frame in FRAMES.items() if kind != "run.failed"]},
        }
    )


def _choice() -> Json:
    texts = {name: {"type": "string"} for name in ("role", "content", "reasoning_content")}
    delta = {"type": "object", "properties": texts, "additionalProperties": False}
    return _object_schema({"index": {"const": 0}, "delta": delta, "finish_reason": {"enum": [None, "stop"]}})


def _extra(kind: str, display_mode: str, key: str) -> Json:
    fields: Json = {
        "kind": {"const": kind},
        "block_id": {"type": "string"},
        "stage": {"type": "string"},
        "display_mode": {"const": display_mode},
    }
    if key:
        fields[key] = {"type": "object"}
    return _object_schema(fields)


def _error() -> Json:
    texts = {"message": {"type": "string"}, "type": {"const": "server_error"}, "code": {"type": "string"}}
    return _object_schema({"error": _object_schema(texts)})


def _envelope() -> Json:
    data = {
        "type": "object",
        "properties": {"block_id": {"type": "string"}, "stage": {"type": "string"}},
        "required": ["block_id", "stage"],
    }
    kinds = list(dict.fromkeys(frame[3] for frame in FRAMES.values()))
    return _object_schema({"idx": _COMMON["idx"], "type": {"enum": kinds}, "data": data, "ts": _COMMON["ts"]})


def _object_schema(properties: Json) -> Json:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }

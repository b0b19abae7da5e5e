"""The OpenAPI document: every endpoint answers the envelope; the streams are plain views and are added by hand."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from taskclasses.errors import CODES

ENVELOPE: dict[str, Any] = {
    "type": "object",
    "required": ["status", "info", "data"],
    "properties": {
        "status": {"type": "string", "pattern": "^[0-9]{5}$"},
        "info": {"type": "string"},
        "data": {"description": "object, array or null"},
    },
}
ERROR = {
    **ENVELOPE,
    "properties": {**ENVELOPE["properties"], "status": {"type": "string", "enum": [str(code) for code in CODES]}},
}
KEY = OpenApiParameter("Idempotency-Key", str, OpenApiParameter.HEADER, description="1-128 visible ASCII characters")


class ApiSchema(AutoSchema):
    """Operations whose answers need no serializer: the envelope stands for all of them."""

    def get_operation_id(self) -> str:
        parts = [part for part in self.path.removeprefix("/api/v1/").split("/") if part]
        words = [
            f"by_{part[1:-1]}" if part.startswith("{") else part.replace("-", "_").replace(".", "_") for part in parts
        ]
        return "_".join([*words, self.method.lower()])

    def get_description(self) -> str:  # type: ignore[override]
        # A view without a docstring of its own would show the one of its base.
        return self.view.__class__.__doc__ or "" if "__doc__" in vars(type(self.view)) else ""

    def map_parsers(self) -> list[str]:
        return ["application/json"]

    def get_request_serializer(self) -> Any:
        return None

    def get_response_serializers(self) -> Any:
        return {"200": OpenApiResponse(ENVELOPE), "default": OpenApiResponse(ERROR, description="a coded refusal")}

    def get_override_parameters(self) -> list[Any]:
        return [] if self.method == "GET" else [KEY]

    def get_auth(self) -> list[dict[str, list[str]]]:
        return [{"bearer": []}, {"session": []}]


def add_streams(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """spectacular hook: the plain streaming views and what is shared by all paths."""
    stream = {"description": "server-sent events", "content": {"text/event-stream": {"schema": {"type": "string"}}}}
    refused = {"description": "a coded refusal", "content": {"application/json": {"schema": ERROR}}}
    security: list[dict[str, list[str]]] = [{"bearer": []}, {"session": []}]
    result["paths"]["/api/v1/agent/chat"] = {
        "post": {
            "operationId": "agent_chat_post",
            "tags": ["agent"],
            "security": security,
            "requestBody": {"required": True, "content": {"application/json": {"schema": CHAT}}},
            "responses": {"200": stream, "default": refused},
        }
    }
    result["paths"]["/api/v1/agent/runs/{run_id}/stream"] = {
        "get": {
            "operationId": "agent_runs_by_run_id_stream_get",
            "tags": ["agent"],
            "security": security,
            "parameters": [
                {"in": "path", "name": "run_id", "required": True, "schema": {"type": "string"}},
                {"in": "query", "name": "from", "schema": {"type": "integer", "minimum": 0}},
                {"in": "header", "name": "Last-Event-ID", "schema": {"type": "string"}},
            ],
            "responses": {"200": stream, "204": {"description": "nothing is left"}, "default": refused},
        }
    }
    schemes = result.setdefault("components", {}).setdefault("securitySchemes", {})
    schemes["bearer"] = {"type": "http", "scheme": "bearer"}
    schemes["session"] = {"type": "apiKey", "in": "cookie", "name": "sessionid"}
    result["paths"] = dict(sorted(result["paths"].items()))
    return result


CHAT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "conversation_id": {"type": ["string", "null"]},
        "message": {"type": "string", "maxLength": 8000},
        "model": {"type": ["string", "null"]},
        "thinking": {"oneOf": [{"type": "boolean"}, {"enum": ["true", "false", "auto"]}]},
        "extra": {
            "type": ["object", "null"],
            "properties": {
                "task_class_ids": {"type": ["array", "null"], "items": {"type": "integer"}, "maxItems": 20},
                "always_execute": {"type": ["boolean", "null"]},
                "resume": {
                    "type": ["object", "null"],
                    "required": ["interaction_id", "action"],
                    "properties": {
                        "interaction_id": {"type": "string"},
                        "type": {"enum": ["confirm", "ask_user", "connection_recover", None]},
                        "action": {"enum": ["approve", "reject", "cancel", "reply", "resume"]},
                        "option": {"type": ["string", "null"]},
                    },
                },
            },
        },
    },
}

"""One typed event -> one SSE chunk, or one poll / WebSocket envelope (wire.md 6.1, 6.3, 6.4).

Two framings, one mapping: both are pure functions of the stored event, so live and archived bytes are equal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from agent.calls.kinds import Json
from agent.loop.events import (
    ConfirmRequested,
    Event,
    InterruptRaised,
    ReasoningDelta,
    RunFailed,
    RunFinished,
    Stamped,
    TextDelta,
)
from agent.shapes import EventEnvelope

MODEL_NAME = "worker"
DONE = b"data: [DONE]\n\n"
PING = b": ping\n\n"
RETRY = b"retry: 2000\n\n"

# type -> (extra.kind, display_mode, key of the own fields or "" when they travel in `choices`, poll type)
FRAMES: dict[str, tuple[str, str, str, str]] = {
    "message.started": ("ai_message_start", "append", "message", "ai_message_start"),
    "status.changed": ("status", "card", "status", "status"),
    "reasoning.started": ("thinking_start", "append", "", "thinking_start"),
    "reasoning.delta": ("reasoning_text", "append", "", "thinking_chunk"),
    "reasoning.ended": ("thinking_end", "replace", "reasoning", "thinking_end"),
    "text.started": ("text_start", "append", "", "text_start"),
    "text.delta": ("assistant_text", "append", "", "text_chunk"),
    "text.ended": ("text_end", "replace", "text", "text_end"),
    "tool.preparing": ("tool_preparing", "card", "tool", "tool_preparing"),
    "tool.intent": ("tool_intent", "card", "tool", "tool_intent"),
    "tool.dropped": ("tool_dropped", "card", "tool", "update_action"),
    "tool.started": ("tool_call", "card", "tool", "tool_start"),
    "tool.progressed": ("tool_progress", "card", "tool", "update_action"),
    "tool.finished": ("tool_result", "card", "tool", "update_action"),
    "draft.updated": ("draft_updated", "card", "draft", "draft_updated"),
    "confirm.requested": ("confirm_request", "card", "confirm", "confirm_request"),
    "interrupt.raised": ("interrupt", "card", "interrupt", "interrupt"),
    "interaction.resolved": ("interaction_resolved", "card", "interaction", "interaction_resolved"),
    "schedule.completed": ("schedule_completed", "card", "schedule", "schedule_completed"),
    "system.message": ("system_message", "card", "system", "system_message"),
    "stream.reset": ("stream_reset", "replace", "reset", "stream_reset"),
    "run.failed": ("error", "replace", "error", "error"),
    "run.finished": ("finish", "replace", "finish", "task_complete"),
}
LINE_SEPARATORS = re.compile("[\x85\u2028\u2029]")
"""Characters that end a line for `str.splitlines` though JSON and server-sent events leave them in it."""
_STATUS_OF_RESULT = {"done": "completed", "failed": "failed", "blocked": "blocked"}


def dumps(document: Any) -> str:
    """Writes one line of JSON: characters as they are, but those escaped at which a client's line reader would cut."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return LINE_SEPARATORS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def sse_frame(stamped: Stamped, *, created: int) -> bytes:
    """Returns the bytes of one event on an SSE stream. `created` = creation of the run, UNIX seconds."""
    frame: bytes | None = stamped.encoded.get("sse")
    if frame is None:
        frame = f"id: {stamped.idx}\ndata: {dumps(sse_chunk(stamped, created=created))}\n\n".encode()
        stamped.encoded["sse"] = frame
    return frame


def socket_frame(stamped: Stamped) -> str:
    """Returns the text of one event on a WebSocket."""
    frame: str | None = stamped.encoded.get("socket")
    if frame is None:
        frame = stamped.encoded["socket"] = dumps(envelope(stamped))
    return frame


def sse_chunk(stamped: Stamped, *, created: int) -> Json:
    """Returns the chat-completion chunk of one event; the error object for `run.failed`."""
    event = stamped.event
    if isinstance(event, RunFailed):
        return {"error": {"message": event.message, "type": "server_error", "code": event.code}}
    return {
        "id": stamped.run_id,
        "object": "chat.completion.chunk",
        "created": created,
        "model": MODEL_NAME,
        "choices": _choices(event),
        "extra": _extra(stamped),
    }


def _choices(event: Event) -> list[Json]:
    if isinstance(event, RunFinished):
        return [{"index": 0, "delta": {}, "finish_reason": "stop"}]
    said = _delta_of_event(event)
    if said is None:
        return []
    opening = getattr(event, "index", 1) == 1
    delta = {"role": "assistant", **said} if opening else said
    return [{"index": 0, "delta": delta, "finish_reason": None}]


def _delta_of_event(event: Event) -> Json | None:
    if isinstance(event, TextDelta):
        return {"content": event.content}
    if isinstance(event, ReasoningDelta):
        return {"reasoning_content": event.content}
    if isinstance(event, ConfirmRequested):
        return {"content": event.summary + "\n"}
    if isinstance(event, InterruptRaised) and not event.streamed:
        return {"content": event.question + "\n"}
    return None


def _frame_of(event: Event) -> tuple[str, str, str, str]:
    """Returns the row of an event; one of a newer version is called by its type, which clients ignore."""
    return FRAMES.get(event.type) or (event.type, "card", "", event.type)


def _extra(stamped: Stamped) -> Json:
    event = stamped.event
    kind, display_mode, key, _ = _frame_of(event)
    extra: Json = {"kind": kind, "block_id": event.block_id, "stage": event.stage, "display_mode": display_mode}
    if key:
        extra[key] = _sse_fields(stamped)
    return extra


def _sse_fields(stamped: Stamped) -> Json:
    fields = _rename_type(stamped.event.own())
    match stamped.event.type:
        case "message.started":
            return {"run_id": stamped.run_id, **fields}
        case "tool.started":
            return _after(fields, "name", status="start")
        case "tool.progressed":
            return _after(fields, "name", status="running")
    return fields


def envelope(stamped: Stamped) -> EventEnvelope:
    """Returns `{idx, type, data, ts}` as polling and the WebSocket carry it."""
    event = stamped.event
    data = {**_poll_fields(stamped), "block_id": event.block_id, "stage": event.stage}
    return {"idx": stamped.idx, "type": _frame_of(event)[3], "data": data, "ts": stamped.ts}


def envelopes(events: Iterable[Stamped]) -> list[EventEnvelope]:
    return [envelope(event) for event in events]


def _poll_fields(stamped: Stamped) -> Json:
    own = _rename_type(stamped.event.own())
    of_conversation = {"conversation_id": stamped.conversation_id}
    match stamped.event.type:
        case "message.started":
            return {"run_id": stamped.run_id, **of_conversation, **own}
        case "tool.preparing" | "tool.intent":
            return {**_rename_keys(own, preparing_id="id"), **of_conversation}
        case "tool.dropped":
            return {**_rename_keys(own, preparing_id="id"), "status": "cancelled"}
        case "tool.started":
            head = {"id": own.pop("call_id"), "name": own.pop("name"), "arguments": own.pop("arguments")}
            link = {"preparing_id": own.pop("preparing_id"), "monitor_snapshot": None}
            return {**head, **link, **of_conversation, **own}
        case "tool.progressed":
            return _after(_rename_keys(own, call_id="id"), "name", status="running")
        case "tool.finished":
            own["status"] = _STATUS_OF_RESULT[own["status"]]
            return _after(_rename_keys(own, call_id="id", result_view="result"), "status", message=own["summary"])
        case "run.failed":
            return {"message": own["message"], "code": own["code"], "type": "server_error"}
    return own


def _rename_type(fields: Json) -> Json:
    return _rename_keys(fields, interaction_type="type")


def _rename_keys(fields: Json, **names: str) -> Json:
    return {names.get(key, key): value for key, value in fields.items()}


def _after(fields: Json, anchor: str, **added: Any) -> Json:
    """Returns `fields` with `added` put right behind the key `anchor`."""
    placed: Json = {}
    for key, value in fields.items():
        placed[key] = value
        if key == anchor:
            placed.update(added)
    return placed

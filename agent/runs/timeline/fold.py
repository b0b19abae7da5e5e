"""What a run's events leave on the page: the items that its events complete, one by one (wire.md 7).

One function for the timeline's rows, for `stream.reset` and for replay. A superseded text leaves nothing; the message
of the student is not an event and gets its row when the run is created.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from agent.calls.kinds import Json
from agent.loop.events import (
    ConfirmRequested,
    Event,
    InterruptRaised,
    ReasoningDelta,
    ReasoningEnded,
    ReasoningStarted,
    RunFailed,
    ScheduleCompleted,
    Stamped,
    SystemMessage,
    TextDelta,
    TextEnded,
    TextStarted,
    ToolDropped,
    ToolFinished,
    ToolIntent,
    ToolPreparing,
    ToolStarted,
)

_OPENS = (ReasoningStarted, TextStarted, ToolPreparing, ToolIntent, ToolStarted)
_CLOSES = (ReasoningEnded, TextEnded, ToolFinished, ToolDropped)


@dataclass(frozen=True)
class Item:
    """Holds one drawn thing, without its `seq`: `idx_from`..`idx_to` are the events it stands for."""

    kind: str
    role: str
    stage: str
    block_id: str
    content: str
    payload: Json
    idx_from: int
    idx_to: int
    at: float

    @property
    def created_at(self) -> datetime:
        return datetime.fromtimestamp(int(self.at), UTC)


@dataclass
class Open:
    """Holds a text or reasoning block that has not ended, with what arrived so far."""

    kind: str
    block_id: str
    content: str = ""
    index: int = 0

    def to_json(self) -> Json:
        return {"kind": self.kind, "block_id": self.block_id, "content": self.content, "index": self.index}


@dataclass
class Folder:
    """Folds one run's events as they come."""

    since: dict[str, int] = field(default_factory=dict)
    open: Open | None = None
    tools: dict[str, ToolStarted] = field(default_factory=dict)
    announced: dict[str, ToolPreparing | ToolIntent] = field(default_factory=dict)

    def feed(self, stamped: Stamped) -> Item | None:
        """Returns the item that this event completes, if it completes one."""
        event = stamped.event
        if isinstance(event, _OPENS):
            self.since.setdefault(event.block_id, stamped.idx)
        self._track(event)
        start = self.since.pop(event.block_id, stamped.idx) if isinstance(event, _CLOSES) else stamped.idx
        drawn = _item_of_event(event)
        if drawn is None:
            return None
        kind, role, content, payload = drawn
        place = {"stage": event.stage, "block_id": event.block_id, "idx_from": start, "idx_to": stamped.idx}
        return Item(kind=kind, role=role, content=content, payload=payload, at=stamped.ts, **place)  # type: ignore[arg-type]

    def _track(self, event: Event) -> None:
        match event:
            case TextStarted():
                self.open = Open("assistant_text", event.block_id)
            case ReasoningStarted():
                self.open = Open("reasoning_text", event.block_id)
            case TextDelta() | ReasoningDelta() if self.open is not None:
                self.open.content += event.content
                self.open.index = event.index
            case TextEnded() | ReasoningEnded():
                self.open = None
            case ToolPreparing() | ToolIntent():
                self.announced[event.preparing_id] = event
            case ToolDropped():
                self.announced.pop(event.preparing_id, None)
            case ToolStarted():
                self.announced.pop(event.preparing_id or "", None)
                self.tools[event.call_id] = event
            case ToolFinished():
                self.tools.pop(event.call_id, None)


def _item_of_event(event: Event) -> tuple[str, str, str, Json] | None:
    """Returns (kind, role, content, payload) of the item an event completes."""
    match event:
        case ReasoningEnded():
            return "reasoning_text", "assistant", event.full_content, {"duration_ms": event.duration_ms}
        case TextEnded() if not event.superseded:
            return "assistant_text", "assistant", event.full_content, {}
        case ToolFinished():
            return "tool_result", "tool", event.summary, event.own()
        case ConfirmRequested():
            return "confirm_request", "assistant", event.summary, event.own()
        case InterruptRaised():
            return "interrupt", "assistant", event.question, event.own()
        case ScheduleCompleted():
            return "schedule_completed", "assistant", "", {"revision": event.revision}
        case SystemMessage():
            return "system_message", "system", event.content, {"code": event.code, "level": event.level}
        case RunFailed():
            return "error", "system", event.message, {"code": event.code}
    return None

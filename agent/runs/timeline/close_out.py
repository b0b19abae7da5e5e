"""How a run that stopped in the middle is brought to an orderly end: nothing stays open (wire.md 5.5).

What was saved has happened, whether or not it was told: the document a write was saved with holds the events that tell
of it (`RunPart.outbox`), and those missing in the log come first. A tool without one is closed as failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from agent.calls.phrase import say
from agent.calls.values import ToolError
from agent.loop.errors import RUN_CANCELLED
from agent.loop.events import (
    EVENT,
    Event,
    ReasoningEnded,
    Stamped,
    TextEnded,
    ToolDropped,
    ToolFinished,
    ToolStarted,
)
from agent.loop.output.tool_events import tool_finished
from agent.runs.timeline.fold import Folder
from agent.tools.registry import Registry

Reason = Literal["run_cancelled", "worker_lost"]
_REASONS: dict[Reason, str] = {RUN_CANCELLED: "已停止本次任务", "worker_lost": "处理被中断"}


def close_out(
    events: Sequence[Stamped],
    registry: Registry,
    *,
    reason: Reason,
    locale: str,
    now: float,
    outbox: Sequence[Event] = (),
    withdraw: bool = False,
) -> list[Event]:
    """Returns the events that close every block and tool `events` left open, with what they have. `registry` makes the
    cards of the tools; `now` in UNIX seconds; `withdraw` takes open speech back, for it will be said anew."""
    folder = Folder()
    started: dict[str, float] = {}
    for stamped in events:
        folder.feed(stamped)
        started.setdefault(stamped.event.block_id, stamped.ts)
    untold = _untold(folder, events, outbox)
    ended = {event.call_id for event in untold if isinstance(event, ToolFinished)}
    lost = [tool for call_id, tool in folder.tools.items() if call_id not in ended]
    return [
        *_open_block(folder, events, started, now, withdraw),
        *untold,
        *(_compose_dropped(event) for event in folder.announced.values()),
        *(_compose_failed(registry, tool, reason, locale, now - started[tool.block_id]) for tool in lost),
    ]


def read_outbox(documents: Sequence[dict[str, Any]]) -> list[Event]:
    """Reads the events of a stored outbox."""
    return [EVENT.validate_python(document) for document in documents]


def _untold(folder: Folder, events: Sequence[Stamped], outbox: Sequence[Event]) -> list[Event]:
    """Returns the events of the outbox that the log lacks; a result without its start (a lost log) has no card to
    close."""
    known = [stamped.event for stamped in events]
    missing = [event for event in outbox if event not in known]
    return [event for event in missing if not isinstance(event, ToolFinished) or event.call_id in folder.tools]


def _open_block(
    folder: Folder, events: Sequence[Stamped], started: dict[str, float], now: float, withdraw: bool
) -> list[Event]:
    block = folder.open
    if block is None:
        return []
    stage = next(stamped.event.stage for stamped in events if stamped.event.block_id == block.block_id)
    if block.kind == "assistant_text":
        said = block.content
        return [TextEnded(stage=stage, block_id=block.block_id, full_content=said, superseded=withdraw)]
    lasted = max(0, int((now - started[block.block_id]) * 1000))
    return [ReasoningEnded(stage=stage, block_id=block.block_id, full_content=block.content, duration_ms=lasted)]


def _compose_dropped(event: Event) -> ToolDropped:
    return ToolDropped(
        stage=event.stage,
        block_id=event.block_id,
        preparing_id=event.preparing_id,  # type: ignore[attr-defined]
        name=event.name,  # type: ignore[attr-defined]
    )


def _compose_failed(registry: Registry, tool: ToolStarted, reason: Reason, locale: str, seconds: float) -> ToolFinished:
    error = ToolError(reason, say(_REASONS[reason]))
    result = registry.lost(tool.call_id, tool.name, error, arguments=tool.argument_view, locale=locale)
    return tool_finished(tool.stage, result, duration_ms=int(seconds * 1000))

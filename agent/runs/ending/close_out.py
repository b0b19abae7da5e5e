"""How a run that stopped in the middle is brought to an orderly end: nothing stays open (api.md 5.5).

What was saved has happened, whether or not it was told: the document a write was saved with holds the events that tell
of it (`RunPart.outbox`), and those missing in the log come first. A tool without one is closed as failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

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
from agent.runs.timeline.fold import Folder
from taskclasses.kernel.i18n import text

Reason = Literal["run_cancelled", "worker_lost"]
_SUBTITLES: dict[Reason, str] = {RUN_CANCELLED: "已停止本次任务", "worker_lost": "处理被中断"}


def close_out(
    events: Sequence[Stamped], *, reason: Reason, locale: str, now: float, outbox: Sequence[Event] = ()
) -> list[Event]:
    """The events that close every block and tool `events` left open, with what they have. `now` in UNIX seconds."""
    folder = Folder()
    started: dict[str, float] = {}
    for stamped in events:
        folder.feed(stamped)
        started.setdefault(stamped.event.block_id, stamped.ts)
    untold = _untold(folder, events, outbox)
    ended = {event.call_id for event in untold if isinstance(event, ToolFinished)}
    lost = [tool for call_id, tool in folder.tools.items() if call_id not in ended]
    return [
        *_open_block(folder, events, started, now),
        *untold,
        *(_dropped(event) for event in folder.announced.values()),
        *(_failed(tool, reason, locale, now - started[tool.block_id]) for tool in lost),
    ]


def read_outbox(documents: Sequence[dict[str, Any]]) -> list[Event]:
    """The events of a stored outbox."""
    return [EVENT.validate_python(document) for document in documents]


def _untold(folder: Folder, events: Sequence[Stamped], outbox: Sequence[Event]) -> list[Event]:
    """The events of the outbox that the log lacks; a result without its start (a lost log) has no card to close."""
    known = [stamped.event for stamped in events]
    missing = [event for event in outbox if event not in known]
    return [event for event in missing if not isinstance(event, ToolFinished) or event.call_id in folder.tools]


def _open_block(folder: Folder, events: Sequence[Stamped], started: dict[str, float], now: float) -> list[Event]:
    block = folder.open
    if block is None:
        return []
    stage = next(stamped.event.stage for stamped in events if stamped.event.block_id == block.block_id)
    if block.kind == "assistant_text":
        return [TextEnded(stage=stage, block_id=block.block_id, full_content=block.content)]
    lasted = max(0, int((now - started[block.block_id]) * 1000))
    return [ReasoningEnded(stage=stage, block_id=block.block_id, full_content=block.content, duration_ms=lasted)]


def _dropped(event: Event) -> ToolDropped:
    return ToolDropped(
        stage=event.stage,
        block_id=event.block_id,
        preparing_id=event.preparing_id,  # type: ignore[attr-defined]
        name=event.name,  # type: ignore[attr-defined]
    )


def _failed(tool: ToolStarted, reason: Reason, locale: str, seconds: float) -> ToolFinished:
    subtitle = text(_SUBTITLES[reason], locale)
    finished = _finished(tool, text("{label}失败", locale, label=tool.summary), subtitle, locale, success=False)
    rest = {"error_code": reason, "error_message": subtitle, "duration_ms": max(0, int(seconds * 1000))}
    return finished.model_copy(update=rest)


def class_written(tool: ToolStarted, answer: dict[str, Any], locale: str) -> ToolFinished:
    """The result of a class write that was committed but not told: `answer` is what was stored with it."""
    title = "任务类已创建" if answer["created"] else "任务类已更新"
    return _finished(tool, text(title, locale), text("处理被中断", locale), locale, success=True)


def _finished(tool: ToolStarted, title: str, subtitle: str, locale: str, *, success: bool) -> ToolFinished:
    """A result with the plainest card there is."""
    status: Literal["done", "failed"] = "done" if success else "failed"
    card = {
        "title": title,
        "subtitle": subtitle,
        "status": status,
        "status_label": text("已完成" if success else "失败", locale),
        "metrics": [],
    }
    expanded = {"items": [], "sections": [], "raw_text": "", "machine_payload": {}}
    return ToolFinished(
        stage=tool.stage,
        block_id=tool.block_id,
        call_id=tool.call_id,
        name=tool.name,
        status=status,
        success=success,
        summary=title,
        arguments_preview=tool.arguments_preview,
        argument_view=tool.argument_view,
        result_view={"view_type": view_type_of(tool.name), "version": 1, "collapsed": card, "expanded": expanded},
    )


def view_type_of(tool: str) -> str:
    """The card family of a tool's result (tools.md 4)."""
    if tool in ("web_search", "web_fetch"):
        return f"web.{tool.removeprefix('web_')}_result"
    if tool.startswith("analyze_"):
        return "schedule.analysis_result"
    if tool == "upsert_task_class":
        return "taskclass.write_result"
    if tool.startswith("context_"):
        return "tool.context_result"
    if tool.startswith(("get_", "query_", "find_", "list_", "queue_status", "queue_pop")):
        return "schedule.read_result"
    return "schedule.operation_result"

"""How a run that stopped in the middle is brought to an orderly end: nothing stays open (api.md 5.5). PURE."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from agent.fold import Folder
from agent.loop.events import (
    Event,
    ReasoningEnded,
    Stamped,
    TextEnded,
    ToolDropped,
    ToolFinished,
    ToolStarted,
)
from taskclasses.i18n import text

Reason = Literal["run_cancelled", "worker_lost"]
_SUBTITLES: dict[Reason, str] = {"run_cancelled": "已停止本次任务", "worker_lost": "处理被中断"}


def close_out(events: Sequence[Stamped], *, reason: Reason, locale: str, now: float) -> list[Event]:
    """The events that close every block and tool `events` left open, with what they have. `now` in UNIX seconds."""
    folder = Folder()
    started: dict[str, float] = {}
    for stamped in events:
        folder.feed(stamped)
        started.setdefault(stamped.event.block_id, stamped.ts)
    return [
        *_open_block(folder, events, started, now),
        *(_dropped(event) for event in folder.announced.values()),
        *(_failed(tool, reason, locale, now - started[tool.block_id]) for tool in folder.tools.values()),
    ]


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
    title, subtitle = text("{label}失败", locale, label=tool.summary), text(_SUBTITLES[reason], locale)
    card = {
        "title": title,
        "subtitle": subtitle,
        "status": "failed",
        "status_label": text("失败", locale),
        "metrics": [],
    }
    expanded = {"items": [], "sections": [], "raw_text": "", "machine_payload": {}}
    return ToolFinished(
        stage=tool.stage,
        block_id=tool.block_id,
        call_id=tool.call_id,
        name=tool.name,
        status="failed",
        success=False,
        summary=title,
        arguments_preview=tool.arguments_preview,
        argument_view=tool.argument_view,
        result_view={"view_type": view_type_of(tool.name), "version": 1, "collapsed": card, "expanded": expanded},
        error_code=reason,
        error_message=subtitle,
        duration_ms=max(0, int(seconds * 1000)),
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

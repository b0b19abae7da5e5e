"""Composes the two events of a tool's card: its start and its result."""

from __future__ import annotations

from agent.calls.kinds import Json
from agent.calls.size import EVENT_LIMIT, ROOM, fit, size_of
from agent.calls.tool import ToolAnnouncement, ToolResult
from agent.loop.events import ToolFinished, ToolStarted
from agent.loop.interactions import NodeName


def tool_started(
    stage: NodeName, call_id: str, arguments: Json, shown: ToolAnnouncement, *, preparing_id: str | None = None
) -> ToolStarted:
    """Composes the event of a call that begins to run. Its arguments stay whole: a write that was lost is known again
    by them."""
    view = fit(shown.argument_view, limit=EVENT_LIMIT - ROOM - size_of(arguments))
    return ToolStarted(
        stage=stage,
        block_id=call_id,
        call_id=call_id,
        preparing_id=preparing_id,
        name=shown.name,
        arguments=arguments,
        summary=shown.summary,
        arguments_preview=shown.arguments_preview,
        argument_view=view,
    )


def tool_finished(stage: NodeName, result: ToolResult, *, duration_ms: int) -> ToolFinished:
    """Composes the event of a call that has ended; the observation travels inside the card's raw text."""
    return ToolFinished(
        stage=stage,
        block_id=result.call_id,
        call_id=result.call_id,
        name=result.tool,
        status=result.status,
        success=result.success,
        summary=result.summary,
        arguments_preview=result.arguments_preview,
        argument_view=result.argument_view,
        result_view=result.result_view,
        changes=list(result.changes),
        draft_revision=result.draft_revision,
        error_code=result.error_code,
        error_message=result.error_message,
        duration_ms=max(0, duration_ms),
    )

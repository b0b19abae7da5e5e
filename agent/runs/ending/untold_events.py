"""What a run has written and not told: a worker that goes between the two leaves it to whoever takes the run."""

from __future__ import annotations

from collections.abc import Sequence

from agent.calls.tool import ToolCall
from agent.loop.events import Event, Stamped, ToolFinished, ToolStarted
from agent.loop.output.tool_events import tool_finished
from agent.loop.state.agent_state import AgentState
from agent.loop.tool_call.pipeline import effect_key
from agent.models import Run
from agent.runs.timeline.close_out import read_outbox
from agent.tools.default import default_registry
from taskclasses.selectors import task_class_write_answer


def class_claim(state: AgentState, effect: str) -> str:
    """Names one class write for ever: the conversation, its goal and the effect within."""
    return f"{state.conversation.id}.{state.conversation.goals}:{effect}"


def untold_events(run: Run, saved: AgentState | None, events: Sequence[Stamped]) -> list[Event]:
    """Returns the events that tell of the writes this run committed: those of the draft are saved with their events,
    those of a class under a claim of their own."""
    if saved is None or saved.run.run_id != str(run.pk):
        return []
    outbox = read_outbox(saved.run.outbox)
    finished = {event.call_id for event in outbox if isinstance(event, ToolFinished)}
    started = [stamped.event for stamped in events if isinstance(stamped.event, ToolStarted)]
    return outbox + [
        told for tool in started if tool.call_id not in finished and (told := _find_written(run, saved, tool))
    ]


def _find_written(run: Run, saved: AgentState, tool: ToolStarted) -> ToolFinished | None:
    """Returns the result of a write of rows that was committed; None for any other call."""
    registry = default_registry()
    entry, call = registry.resolve(tool.name), registry.validate(tool.name, tool.arguments)
    if entry is None or not isinstance(call, ToolCall) or call.tool.kind != "sql_write":
        return None
    claim = class_claim(saved, effect_key(saved, tool.name, tool.arguments))
    answer = task_class_write_answer(user_id=run.conversation.user_id, claim=claim)
    if not answer:
        return None
    arguments = tool.argument_view
    result = registry.compose_committed(
        tool.call_id, entry, created=answer.get("created"), arguments=arguments, locale=run.locale
    )
    return tool_finished(tool.stage, result, duration_ms=0)

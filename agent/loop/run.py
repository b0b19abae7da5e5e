"""The one loop. PURE.

`run_loop(state, request, deps)` drives the nodes from a request to a pause or an end. What happens where:

- The caller appends `message.started` (idx 0) and, when the request answers an interaction,
  `interaction.resolved` (idx 1)
  when it creates the run. The loop emits everything else through `deps.emit`, in order, except the closing events.
- To pause: the state is saved and `deps.open_interaction` has written the row before `run_loop` returns. The
  caller then
  commits the run row and frees the conversation's claim, and appends `LoopEnd.after_commit` in order:
  `confirm.requested` or `interrupt.raised`, the status events after it, and the terminal event. An end or a
  failure returns
  the same way (failure in plan or execute: `interrupt.raised`, `run.failed`).
- `state` is changed in place and is the value to archive in SQL. A failed run leaves the last saved step, so that a
  `connection_recover` resumes it: a step either happened whole or is done again on the unchanged draft.
- `LeaseLost` (raised by `save` or `emit`) passes through: another worker owns the run, stop without another word.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from agent.loop.deps import Deps
from agent.loop.events import Event, RunStatus
from agent.loop.interactions import PendingInteraction
from agent.loop.request import Request
from agent.loop.state import AgentState, Outcome


@dataclass(frozen=True)
class LoopEnd:
    """How the run left the loop.

    `run_status` is the value for the run row; `outcome` the word of `run.finished`; `code` the outcome or failure code;
    `interaction` the row opened by a pause or a failure, else None; `result` the goal's outcome when it ended.
    """

    run_status: RunStatus
    outcome: Literal["completed", "paused", "aborted", "exhausted", "failed"]
    code: str
    after_commit: list[Event] = field(default_factory=list)
    interaction: PendingInteraction | None = None
    result: Outcome | None = None
    iterations: int = 0
    tool_calls: int = 0
    corrections: int = 0


async def run_loop(state: AgentState, request: Request, deps: Deps) -> LoopEnd:
    """Runs to the next pause or end. Raises only `LeaseLost` and `asyncio.CancelledError`."""
    from agent.loop.machine import drive

    return await drive(state, request, deps)


__all__ = ["Deps", "LoopEnd", "Request", "run_loop"]

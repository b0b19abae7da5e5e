"""Commits a write of the loop: the change, its save together with the events that tell of it, then the telling."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agent.loop.draft.goal_changes import remember_change
from agent.loop.draft.sync import save_or_adopt
from agent.loop.events import Event
from agent.loop.outside.deps import Deps
from agent.loop.state.agent_state import AgentState

Write = Callable[[], Sequence[Event]]
"""Changes the state and answers the events that will tell of it."""


async def commit_write(state: AgentState, deps: Deps, write: Write) -> bool:
    """Makes a change, saves it, tells it; a worker that dies after the save leaves the telling to the sweep.

    False when the student's newer draft won: that one is in place then, and of the change nothing is left.
    """
    checkpoint = state.checkpoint()
    told = write()
    remember_change(state)
    state.run.outbox = [event.model_dump(mode="json") for event in told]
    if not await save_or_adopt(state, deps):
        _take_back(state, checkpoint)
        return False
    for event in told:
        await deps.emit(event)
    state.run.outbox = []
    return True


def _take_back(state: AgentState, checkpoint: AgentState) -> None:
    """Undoes a write that lost against the student's: everything but the draft, which is theirs now, and its news."""
    draft, news, revision = state.draft, state.run.news, state.revision
    state.restore(checkpoint)
    state.draft, state.run.news, state.revision = draft, news, revision

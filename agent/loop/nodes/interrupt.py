"""Interrupt: the state is saved and the row written before anybody hears of it. PURE."""

from __future__ import annotations

from typing import ClassVar

from agent.loop.deps import Deps
from agent.loop.draft.sync import store
from agent.loop.interactions import NodeName
from agent.loop.nodes.base import Next, Pause
from agent.loop.state import AgentState


class Interrupt:
    name: ClassVar[NodeName] = "interrupt"

    async def step(self, state: AgentState, deps: Deps) -> Next:
        pending = state.run.pending
        assert pending is not None, "something is asked"
        state.run.phase = "interrupted"
        await store(state, deps)
        await deps.open_interaction(pending)
        return Pause(pending)

"""Confirm: the card for a plan, or for a call whose dry run is at hand. PURE."""

from __future__ import annotations

from typing import ClassVar

from agent.loop.asked import plan_card
from agent.loop.deps import Deps
from agent.loop.flow import Next
from agent.loop.interactions import NodeName
from agent.loop.state import AgentState


class Confirm:
    name: ClassVar[NodeName] = "confirm"

    async def step(self, state: AgentState, deps: Deps) -> Next:
        state.run.phase = "waiting_confirm"
        if state.run.pending is None:
            state.run.pending = plan_card(state, deps)
        return "interrupt"

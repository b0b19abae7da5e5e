"""Confirm: the card for a plan, or for a call whose dry run is at hand. PURE."""

from __future__ import annotations

from typing import ClassVar

from agent.loop.deps import Deps
from agent.loop.interactions import NodeName
from agent.loop.nodes.base import Next
from agent.loop.state import AgentState
from agent.loop.tool_call.questions import plan_card


class Confirm:
    name: ClassVar[NodeName] = "confirm"

    async def step(self, state: AgentState, deps: Deps) -> Next:
        state.run.phase = "waiting_confirm"
        if state.run.pending is None:
            state.run.pending = plan_card(state, deps)
        return "interrupt"

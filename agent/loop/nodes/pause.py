"""Pause: makes the card of a plan where none is pending, and stops the run for what is asked."""

from __future__ import annotations

from typing import ClassVar

from agent.loop.interactions import NodeName
from agent.loop.nodes.base import Next, Pause
from agent.loop.output.questions import plan_card
from agent.loop.outside.deps import Deps
from agent.loop.state.agent_state import AgentState


class ConfirmNode:
    name: ClassVar[NodeName] = "confirm"

    async def step(self, state: AgentState, deps: Deps) -> Next:
        state.run.phase = "waiting_confirm"
        if state.run.pending is None:
            state.run.pending = plan_card(state, deps)
        return "interrupt"


class InterruptNode:
    name: ClassVar[NodeName] = "interrupt"

    async def step(self, state: AgentState, deps: Deps) -> Next:
        pending = state.run.pending
        assert pending is not None, "something is asked"
        state.run.phase = "interrupted"
        return Pause(pending)

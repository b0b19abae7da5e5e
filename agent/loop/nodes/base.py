"""What a node hands back to the loop.

A node's `step` returns the name of the next node, `Pause` (the student has to answer) or `End` (the goal is over).
Names instead of instances keep the graph free of import cycles and are what a recovery continues at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

from agent.loop.interactions import NodeName, OpenInteraction
from agent.loop.outside.deps import Deps
from agent.loop.state.agent_state import AgentState
from agent.loop.state.run import Outcome


@dataclass(frozen=True)
class Pause:
    """Tells that the run stops and waits for the student."""

    interaction: OpenInteraction


@dataclass(frozen=True)
class End:
    """Tells that the run is over."""

    outcome: Outcome


Next = NodeName | Pause | End


class Node(Protocol):
    name: ClassVar[NodeName]

    async def step(self, state: AgentState, deps: Deps) -> Next: ...

"""The part of the state that lives as long as a plan: its steps and what they wait for."""

from __future__ import annotations

from pydantic import Field

from agent.loop.state.part import StatePart


class GoalStep(StatePart):
    """Holds one step of a plan. `kind` and `class_ids` are given by a backend that plans by fixed steps."""

    content: str
    done_when: str
    kind: str = ""
    class_ids: list[int] = Field(default_factory=list)


class Hook(StatePart):
    """Opens tool packs before the next execute round, once."""

    domain: str
    packs: list[str] = Field(default_factory=list)
    reason: str = ""


class PlanPart(StatePart):
    """Holds the plan, dropped whole when the goal ends or the student refuses the plan. No steps = a plan of one step,
    index 0."""

    steps: list[GoalStep] = Field(default_factory=list)
    current: int = 0
    hook: Hook | None = None
    needs_rough_build: bool = False
    build_after_write: bool = False
    """The build is for a class that has to be written first."""
    needs_refine: bool | None = None

    @property
    def build_due(self) -> bool:
        """Tells whether a rough build is wanted and nothing has to come before it."""
        return self.needs_rough_build and not self.build_after_write

    @property
    def last(self) -> bool:
        return self.current >= len(self.steps) - 1

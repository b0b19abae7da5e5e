"""Every budget of the loop, in one table. The values are injected; reading the environment is the composition
root's job."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from agent.loop.outside.model import Stage


@dataclass(frozen=True, slots=True)
class StageSettings:
    """Tells how one kind of model call is made; `thinking` None means "as the goal asks".

    `deadline_s` bounds the whole call; `model` empty means the backend's common one.
    """

    temperature: float
    max_tokens: int
    thinking: bool | None
    deadline_s: float
    model: str = ""


STAGE_SETTINGS: Mapping[Stage, StageSettings] = MappingProxyType(
    {
        "chat": StageSettings(0.3, 1_500, False, 45),
        "deep_answer": StageSettings(0.5, 4_000, True, 120),
        "plan": StageSettings(0.2, 8_000, None, 120),
        "execute": StageSettings(0.2, 8_000, None, 120),
        "deliver": StageSettings(0.5, 1_200, False, 60),
        "compact": StageSettings(0.1, 2_000, False, 60),
    }
)


@dataclass(frozen=True)
class RunLimits:
    """Holds every budget; counts are per goal, times in seconds, sizes in estimated tokens."""

    rounds: int = 60
    corrections_per_kind: int = 3
    corrections_in_a_row: int = 6
    plan_calls: int = 3
    plan_steps: int = 12
    questions: int = 6
    same_question: int = 2
    idle_rounds_hint: int = 6
    idle_rounds: int = 10
    repeated_reads: int = 2
    first_delta_s: float = 30.0
    silence_s: float = 60.0
    thinking_s: float = 120.0
    """How much longer a call may take whose model thinks first."""
    run_s: float = 900.0
    context_tokens: int = 80_000
    output_reserve: int = 8_000
    web_searches: int = 5
    web_fetches: int = 8
    web_bytes: int = 4 * 1024 * 1024
    """Bytes taken from the network by the fetches of a goal."""
    interaction_days: float = 7.0
    cancel_poll_s: float = 0.25
    """How long a silent model may keep a cancel unseen."""
    stages: Mapping[Stage, StageSettings] = field(default_factory=lambda: STAGE_SETTINGS)

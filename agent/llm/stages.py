"""How the environment changes what each stage asks of a model (the defaults are the loop's).

`AGENT_<STAGE>_MODEL | TEMPERATURE | MAX_TOKENS | THINKING | DEADLINE`, stage one of CHAT, DEEP_ANSWER, PLAN, EXECUTE,
DELIVER, COMPACTION. An empty value keeps the default; one that is no number is a `ValueError` that names the variable.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from agent.loop.outside.limits import STAGE_SETTINGS, StageSettings
from agent.loop.outside.model import Stage

SETTINGS = ("MODEL", "TEMPERATURE", "MAX_TOKENS", "THINKING", "DEADLINE")
VARIABLE_PART: dict[Stage, str] = {"compact": "COMPACTION"}
THINKING: dict[str, bool | None] = {
    "true": True,
    "on": True,
    "1": True,
    "false": False,
    "off": False,
    "0": False,
    "auto": None,
}


def stage_settings(environment: Mapping[str, str]) -> dict[Stage, StageSettings]:
    """Returns the settings of every stage, read from an environment-like mapping."""
    return {stage: _read_stage(stage, default, environment) for stage, default in STAGE_SETTINGS.items()}


def stage_prefix(stage: Stage) -> str:
    return f"AGENT_{VARIABLE_PART.get(stage, stage.upper())}_"


def _read_stage(stage: Stage, default: StageSettings, environment: Mapping[str, str]) -> StageSettings:
    prefix = stage_prefix(stage)

    def value(name: str) -> str:
        return str(environment.get(prefix + name, "") or "").strip()

    def number(name: str, fallback: float) -> float:
        if not value(name):
            return fallback
        try:
            found = float(value(name))
        except ValueError:
            raise ValueError(f"{prefix}{name} is not a number") from None
        if not 0 <= found < math.inf:
            raise ValueError(f"{prefix}{name} is not a number from 0 on")
        return found

    thinking = value("THINKING").lower()
    if thinking and thinking not in THINKING:
        raise ValueError(f"{prefix}THINKING is none of {', '.join(THINKING)}")
    return StageSettings(
        temperature=number("TEMPERATURE", default.temperature),
        max_tokens=int(number("MAX_TOKENS", default.max_tokens)),
        thinking=THINKING[thinking] if thinking else default.thinking,
        deadline_s=number("DEADLINE", default.deadline_s),
        model=value("MODEL"),
    )

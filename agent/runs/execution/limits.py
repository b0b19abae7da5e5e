"""The loop's budgets with what the environment overrides: `AGENT_LIMIT_<FIELD>`, and the stages' own variables."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from agent.llm.stages import stage_settings
from agent.loop.outside.limits import RunLimits

PREFIX = "AGENT_LIMIT_"


def limits_from(environment: Mapping[str, Any]) -> RunLimits:
    """Raises `ValueError` naming the variable that is no number, or one that nothing can be measured by."""
    defaults = RunLimits()
    changed: dict[str, Any] = {}
    for field in fields(defaults):
        raw = str(environment.get(PREFIX + field.name.upper(), "")).strip()
        default = getattr(defaults, field.name)
        if raw and isinstance(default, int | float):
            changed[field.name] = _number(PREFIX + field.name.upper(), raw, type(default))
    return replace(defaults, stages=stage_settings(environment), **changed)


def _number(name: str, raw: str, kind: type[int] | type[float]) -> int | float:
    try:
        number = kind(raw)
    except ValueError:
        raise ValueError(f"{name} is not a number") from None
    if not 0 <= number < math.inf:
        raise ValueError(f"{name} is not a number from 0 on")
    return number

"""The loop's budgets with what the environment overrides: `AGENT_LIMIT_<FIELD>`, and the stages' own variables."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from agent.llm.stages import stage_settings
from agent.loop.outside.limits import RunLimits

PREFIX = "AGENT_LIMIT_"


def limit_names() -> list[str]:
    """Returns the names of all variables that change a budget."""
    return [PREFIX + budget.upper() for budget in _numbers()]


def _numbers() -> dict[str, int | float]:
    """Returns the default of every budget."""
    return {field.name: field.default for field in fields(RunLimits) if isinstance(field.default, int | float)}


def limits_from(environment: Mapping[str, Any]) -> RunLimits:
    """Raises `ValueError` naming the variable that is no number, or one that nothing can be measured by."""
    defaults = RunLimits()
    changed: dict[str, Any] = {}
    for budget, default in _numbers().items():
        name = PREFIX + budget.upper()
        raw = str(environment.get(name, "")).strip()
        if raw:
            changed[budget] = _number(name, raw, type(default))
    return replace(defaults, stages=stage_settings(environment), **changed)


def _number(name: str, raw: str, kind: type[int] | type[float]) -> int | float:
    try:
        number = kind(raw)
    except ValueError:
        raise ValueError(f"{name} is not a number") from None
    if not 0 <= number < math.inf:
        raise ValueError(f"{name} is not a number from 0 on")
    return number

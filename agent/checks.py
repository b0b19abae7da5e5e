"""System checks: settings of the agent that no run could work with are named at start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core import checks


def agent_settings_check(**_: Any) -> list[checks.CheckMessage]:
    """Checks that the backend, the model profiles, the stages, the limits and the web can be read."""
    from agent.llm.factory import backend_of
    from agent.llm.openai.profiles import read_profiles
    from agent.outbound.setup import check_web
    from agent.runs.execution.deps import environment
    from agent.runs.execution.limits import limits_from

    values = environment()
    readers = (
        lambda: _check_door(values, backend_of(values)),
        lambda: read_profiles(str(values.get("AGENT_MODEL_PROFILES") or "")),
        lambda: limits_from(values),
        lambda: check_web(values),
    )
    found: list[checks.CheckMessage] = []
    for read in readers:
        try:
            read()
        except ValueError as error:
            found.append(checks.Error(str(error), id="agent.E001"))
    return found


def _check_door(values: Mapping[str, Any], backend: str) -> None:
    """Raises `ValueError` for a backend that would ask nobody."""
    if backend == "openai" and not (values.get("OPENAI_API_KEY") or values.get("OPENAI_BASE_URL")):
        raise ValueError("AGENT_BACKEND is openai, and neither OPENAI_API_KEY nor OPENAI_BASE_URL is set")

"""System checks: settings of the agent that no run could work with are named at start."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from django.conf import settings
from django.core import checks


def agent_settings_check(**_: Any) -> list[checks.CheckMessage]:
    """Checks that the backend, the model profiles, the stages, the limits and the web can be read, and that no name is
    mistyped."""
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
    found += [checks.Warning(told, id="agent.W001") for told in _unknown_names(os.environ)]
    return found


def _unknown_names(names: Iterable[str]) -> Iterator[str]:
    """Yields a sentence for each name that looks like one of ours and is none: its value would be ignored. Other
    programs have names that begin with `AGENT_` too."""
    from agent.llm.stages import SETTINGS, stage_prefix
    from agent.loop.outside.limits import STAGE_SETTINGS
    from agent.runs.execution.limits import PREFIX, limit_names

    prefixes = [stage_prefix(stage) for stage in STAGE_SETTINGS]
    known = {"AGENT_MODEL_PROFILES", *limit_names(), *(prefix + setting for prefix in prefixes for setting in SETTINGS)}
    known |= {name for name in dir(settings) if name.startswith("AGENT_")}
    for name in sorted(set(names) - known):
        near = get_close_matches(name, known, n=1, cutoff=0.9) if name.startswith("AGENT_") else []
        if near or name.startswith((PREFIX, *prefixes)):
            yield f"{name} is no setting and is ignored" + (f"; is {near[0]} meant?" if near else "")


def _check_door(values: Mapping[str, Any], backend: str) -> None:
    """Raises `ValueError` for a backend that would ask nobody."""
    if backend == "openai" and not (values.get("OPENAI_API_KEY") or values.get("OPENAI_BASE_URL")):
        raise ValueError("AGENT_BACKEND is openai, and neither OPENAI_API_KEY nor OPENAI_BASE_URL is set")

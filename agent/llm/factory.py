"""The model that the settings ask for."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Any

from agent.llm.openai.profiles import read_profiles
from agent.llm.stages import stage_settings
from agent.loop.model import Cause, Delta, Model, ModelError, ModelRequest

BACKENDS = ("auto", "openai", "offline")


def backend_of(settings: Mapping[str, Any]) -> str:
    """`openai` or `offline`; `auto` is openai if a key or a base URL is set. Raises ValueError for another name."""
    backend = str(settings.get("AGENT_BACKEND") or "auto").strip().lower()
    if backend not in BACKENDS:
        raise ValueError(f"AGENT_BACKEND is none of {', '.join(BACKENDS)}")
    if backend == "auto":
        return "openai" if settings.get("OPENAI_API_KEY") or settings.get("OPENAI_BASE_URL") else "offline"
    return backend


def model_from_settings(settings: Mapping[str, Any]) -> Model:
    """A new model from settings or environment variables.

    Reads AGENT_BACKEND, OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL, AGENT_MODEL_PROFILES, the loop's own
    AGENT_LIMIT_FIRST_DELTA_S and AGENT_LIMIT_SILENCE_S, and the stage variables of `stages`. The client library is
    imported only for `openai`.
    """
    if backend_of(settings) == "offline":
        from agent.llm.offline.backend import OfflineModel

        return OfflineModel()
    from agent.llm.openai.backend import Endpoint, OpenAIModel, Timing

    endpoint = Endpoint(
        model=str(settings.get("OPENAI_MODEL") or "gpt-4o-mini"),
        base_url=str(settings.get("OPENAI_BASE_URL") or ""),
        api_key=str(settings.get("OPENAI_API_KEY") or ""),
    )
    return OpenAIModel(
        endpoint,
        stages=stage_settings(settings),
        profiles=read_profiles(str(settings.get("AGENT_MODEL_PROFILES") or "")),
        timing=Timing(
            first_delta=float(settings.get("AGENT_LIMIT_FIRST_DELTA_S") or 30.0),
            silence=float(settings.get("AGENT_LIMIT_SILENCE_S") or 60.0),
        ),
    )


class NoModel:
    """Stands where the settings name no usable model: every call fails with a code."""

    name = "none"

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        raise ModelError("llm_unavailable", Cause("no_model"))
        yield  # makes this a generator

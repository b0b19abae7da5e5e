"""The model that the settings ask for."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agent.llm.fallback import FallbackModel
from agent.llm.stages import stage_settings
from agent.loop.outside.model import Cause, Delta, Model, ModelError, ModelRequest

if TYPE_CHECKING:
    from agent.llm.openai.knowledge import FactStore

BACKENDS = ("auto", "openai", "offline")


def backend_of(settings: Mapping[str, Any]) -> str:
    """Returns `openai` or `offline`; `auto` is openai if a key or a base URL is set. Raises ValueError for another
    name."""
    backend = str(settings.get("AGENT_BACKEND") or "auto").strip().lower()
    if backend not in BACKENDS:
        raise ValueError(f"AGENT_BACKEND is none of {', '.join(BACKENDS)}")
    if backend == "auto":
        return "openai" if settings.get("OPENAI_API_KEY") or settings.get("OPENAI_BASE_URL") else "offline"
    return backend


def model_from_settings(settings: Mapping[str, Any], *, facts: FactStore | None = None) -> Model:
    """Makes a new model from settings or environment variables.

    Reads AGENT_BACKEND, OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL, the same with OPENAI_FALLBACK_ for a second
    endpoint, AGENT_MODEL_PROFILES, the loop's own AGENT_LIMIT_FIRST_DELTA_S and AGENT_LIMIT_SILENCE_S, and the stage
    variables of `stages`. With a second endpoint the policy of fixed rules stands behind both; OPENAI_FALLBACK_MODEL
    `offline` names the policy alone. The client library is imported only for `openai`. `facts` is where processes
    share what models taught.
    """
    from agent.llm.offline.backend import OfflineModel

    if backend_of(settings) == "offline":
        return OfflineModel()
    first = _endpoint_model(settings, "OPENAI_", facts)
    if not any(settings.get(f"OPENAI_FALLBACK_{name}") for name in ("BASE_URL", "API_KEY", "MODEL")):
        return first
    if str(settings.get("OPENAI_FALLBACK_MODEL") or "").strip().lower() == "offline":
        return FallbackModel([first, OfflineModel()])
    return FallbackModel([first, _endpoint_model(settings, "OPENAI_FALLBACK_", facts), OfflineModel()])


def _endpoint_model(settings: Mapping[str, Any], prefix: str, facts: FactStore | None) -> Model:
    """Returns the model that the settings with this prefix name; what they leave out is as with the first endpoint."""
    from agent.llm.openai.backend import Endpoint, OpenAIModel, Timing
    from agent.llm.openai.knowledge import Knowledge
    from agent.llm.openai.profiles import read_profiles

    def value(name: str) -> str:
        return str(settings.get(prefix + name) or settings.get(f"OPENAI_{name}") or "")

    own_host = prefix == "OPENAI_" or settings.get("OPENAI_FALLBACK_BASE_URL")
    stages = stage_settings(settings)
    if prefix != "OPENAI_":
        stages = {stage: replace(one, model="") for stage, one in stages.items()}
    key = str(settings.get(prefix + "API_KEY") or "") if own_host else value("API_KEY")
    return OpenAIModel(
        Endpoint(model=value("MODEL") or "gpt-4o-mini", base_url=value("BASE_URL"), api_key=key),
        stages=stages,
        profiles=read_profiles(str(settings.get("AGENT_MODEL_PROFILES") or "")),
        timing=Timing(
            first_delta=float(settings.get("AGENT_LIMIT_FIRST_DELTA_S") or 30.0),
            silence=float(settings.get("AGENT_LIMIT_SILENCE_S") or 60.0),
        ),
        knowledge=Knowledge(facts),
    )


class NoModel:
    """Stands where the settings name no usable model: every call fails with a code."""

    name = "none"

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        raise ModelError("llm_unavailable", Cause("no_model"))
        yield  # makes this a generator

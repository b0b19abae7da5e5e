"""What differs between models behind the same protocol. A model without a profile gets the safe one.

`AGENT_MODEL_PROFILES` may hold a JSON object `{name prefix: {field: value}}`; the longest prefix that fits wins, and it
goes before the built-in table.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Profile:
    """How to speak with one model.

    `echo_reasoning` can only be false: every prompt is rendered anew from the state, which holds no reasoning.

    `reasoning`: `none` drops it, `field` reads `reasoning_content` or `reasoning`, `inline_think` says that the model
    is known to think in a `<think>` block before its answer, which both read.
    `extra_body` goes with every call, `thinking_on` or `thinking_off` on top of it. Some models accept no
    `temperature`.
    """

    reasoning: Literal["none", "field", "inline_think"] = "field"
    echo_reasoning: bool = False
    json_mode: bool = False
    max_tokens_param: str = "max_tokens"
    stream_usage: bool = True
    temperature: bool = True
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    thinking_on: Mapping[str, Any] = field(default_factory=dict)
    thinking_off: Mapping[str, Any] = field(default_factory=dict)


SAFE = Profile()
_OPENAI = Profile(json_mode=True)
_OPENAI_REASONING = Profile(json_mode=True, max_tokens_param="max_completion_tokens", temperature=False)
_DEEPSEEK = Profile(json_mode=True)
_SWITCHABLE: dict[str, Any] = {
    "thinking_on": {"thinking": {"type": "enabled"}},
    "thinking_off": {"thinking": {"type": "disabled"}},
}
BUILT_IN: dict[str, Profile] = {
    "gpt-4": _OPENAI,
    "gpt-5": _OPENAI_REASONING,
    "o1": _OPENAI_REASONING,
    "o3": _OPENAI_REASONING,
    "o4": _OPENAI_REASONING,
    "deepseek": _DEEPSEEK,
    "deepseek-reasoner": Profile(temperature=False),
    "deepseek-r1": Profile(reasoning="inline_think"),
    "qwq": Profile(reasoning="inline_think"),
    "qwen": Profile(json_mode=True),
    "qwen3": Profile(
        reasoning="inline_think", thinking_on={"enable_thinking": True}, thinking_off={"enable_thinking": False}
    ),
    "glm": Profile(json_mode=True, **_SWITCHABLE),
    "doubao": Profile(**_SWITCHABLE),
    "kimi": Profile(json_mode=True),
    "moonshot": Profile(json_mode=True),
}


def read_profiles(document: str) -> dict[str, Profile]:
    """Profiles from the JSON text of the setting. Raises ValueError that names the model and the field."""
    try:
        loaded = json.loads(document) if document.strip() else {}
    except json.JSONDecodeError:
        raise ValueError("AGENT_MODEL_PROFILES is not JSON") from None
    if not isinstance(loaded, dict):
        raise ValueError("AGENT_MODEL_PROFILES is not an object")
    return {name.lower(): _profile(name, given) for name, given in loaded.items()}


def _profile(name: str, given: Any) -> Profile:
    known = {entry.name: type(getattr(SAFE, entry.name)) for entry in fields(Profile)}
    if not isinstance(given, dict):
        raise ValueError(f"profile {name} is not an object")
    for key, value in given.items():
        if key not in known or not isinstance(value, known[key]):
            raise ValueError(f"profile {name}: {key} is unknown or of the wrong type")
    if given.get("reasoning", "field") not in ("none", "field", "inline_think"):
        raise ValueError(f"profile {name}: reasoning is none of none, field, inline_think")
    if given.get("echo_reasoning"):
        raise ValueError(f"profile {name}: echo_reasoning can only be false")
    return replace(SAFE, **given)


def profile_for(model: str, custom: Mapping[str, Profile] | None = None) -> Profile:
    """The profile of the longest prefix of `model`, without the vendor part of names such as `vendor/model`."""
    full = model.lower()
    names = (full, full.rsplit("/", 1)[-1])
    for table in (custom or {}, BUILT_IN):
        fitting = [prefix for prefix in table if any(name.startswith(prefix) for name in names)]
        if fitting:
            return table[max(fitting, key=len)]
    return SAFE

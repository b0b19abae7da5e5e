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
    """Tells how to speak with one model.

    `echo_reasoning` can only be false: every prompt is rendered anew from the state, which holds no reasoning.

    `protocol`: how decisions are asked for; empty is `json_object` with `json_mode`, else what a check has learned,
    else `plain`. `native_tools` offers the tools and the control actions as functions, `json_schema` asks for the
    decision by its schema, `json_object` for any object, `plain` asks in words alone.
    `thinking`: whether it reasons `always`, when it is `switched` on, or `never`; its thoughts have `thinking_tokens`
    of room beside the answer's. `shown`: how much of them the student sees.
    `reasoning`: `none` drops it, `field` reads `reasoning_content` or `reasoning`, `inline_think` says that the model
    is known to think in a `<think>` block before its answer, which both read.
    `vision`: it reads pictures.
    `extra_body` goes with every call, `thinking_on` or `thinking_off` on top of it. Some models accept no
    `temperature`.
    """

    reasoning: Literal["none", "field", "inline_think"] = "field"
    echo_reasoning: bool = False
    json_mode: bool = False
    protocol: Literal["", "native_tools", "json_schema", "json_object", "plain"] = ""
    thinking: Literal["never", "switched", "always"] = "never"
    thinking_tokens: int = 8_000
    shown: Literal["full", "summary", "off"] = "full"
    vision: bool = False
    max_tokens_param: str = "max_tokens"
    stream_usage: bool = True
    temperature: bool = True
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    thinking_on: Mapping[str, Any] = field(default_factory=dict)
    thinking_off: Mapping[str, Any] = field(default_factory=dict)


SAFE = Profile()
CHOICES: Mapping[str, tuple[str, ...]] = {
    "reasoning": ("none", "field", "inline_think"),
    "protocol": ("", "native_tools", "json_schema", "json_object", "plain"),
    "thinking": ("never", "switched", "always"),
    "shown": ("full", "summary", "off"),
}
_OPENAI = Profile(json_mode=True)
_OPENAI_REASONING = Profile(
    json_mode=True,
    max_tokens_param="max_completion_tokens",
    temperature=False,
    thinking="always",
    thinking_tokens=16_000,
    thinking_on={"reasoning_effort": "medium"},
    thinking_off={"reasoning_effort": "low"},
)
_OPENAI_OLD_REASONING = replace(_OPENAI_REASONING, thinking_on={}, thinking_off={})
_THINKER = Profile(reasoning="inline_think", thinking="always", thinking_tokens=16_000)
_JSON = Profile(json_mode=True)
_SWITCHED = Profile(
    json_mode=True,
    thinking="switched",
    thinking_on={"thinking": {"type": "enabled"}},
    thinking_off={"thinking": {"type": "disabled"}},
)
_EFFORT = Profile(
    json_mode=True,
    thinking="always",
    thinking_on={"reasoning_effort": "high"},
    thinking_off={"reasoning_effort": "low"},
)
BUILT_IN: dict[str, Profile] = {
    "gpt-3.5": _OPENAI,
    "gpt-4": _OPENAI,
    "gpt-4o": replace(_OPENAI, vision=True),
    "gpt-4.1": replace(_OPENAI, vision=True),
    "chatgpt": _OPENAI,
    "gpt-5": replace(_OPENAI_REASONING, vision=True),
    "gpt-5-chat": replace(_OPENAI, max_tokens_param="max_completion_tokens"),
    "gpt-oss": replace(_EFFORT, json_mode=False, thinking_tokens=8_000),
    "o1": _OPENAI_OLD_REASONING,
    "o3": _OPENAI_REASONING,
    "o4": _OPENAI_REASONING,
    "deepseek": _JSON,
    "deepseek-reasoner": replace(_THINKER, reasoning="field", temperature=False),
    "deepseek-r1": _THINKER,
    "deepseek-v3.1": _SWITCHED,
    "deepseek-v3.2": _SWITCHED,
    "qwq": _THINKER,
    "qwen": _JSON,
    "qwen3": Profile(
        reasoning="inline_think",
        thinking="switched",
        thinking_on={"enable_thinking": True},
        thinking_off={"enable_thinking": False},
    ),
    "qwen3-coder": _JSON,
    "qwen3-max": _JSON,
    "qwen-vl": replace(_JSON, vision=True),
    "qwen2.5-vl": replace(_JSON, vision=True),
    "qwen3-vl": replace(_JSON, vision=True),
    "glm": _SWITCHED,
    "glm-4": _JSON,
    "glm-4.5": _SWITCHED,
    "glm-4.6": _SWITCHED,
    "glm-z1": _THINKER,
    "doubao": replace(_SWITCHED, json_mode=False),
    "kimi": _JSON,
    "kimi-thinking": replace(_THINKER, reasoning="field"),
    "kimi-k2-thinking": replace(_THINKER, reasoning="field", json_mode=True),
    "moonshot": _JSON,
    "claude": Profile(protocol="native_tools"),
    "gemini": Profile(json_mode=True),
    "gemini-2.5": replace(_EFFORT, thinking_off={"reasoning_effort": "low"}),
    "gemini-3": _EFFORT,
    "grok": _JSON,
    "grok-3-mini": _EFFORT,
    "grok-4": replace(_THINKER, reasoning="field", json_mode=True),
    "mistral": _JSON,
    "ministral": _JSON,
    "magistral": _THINKER,
    "minimax": Profile(protocol="native_tools"),
    "minimax-m": Profile(protocol="native_tools", reasoning="inline_think", thinking="always"),
    "hunyuan-t1": replace(_THINKER, reasoning="field"),
}


def protocol_of(profile: Profile, learned: str = "") -> str:
    """Returns the protocol a model is spoken to by: the table's, else the one a check has learned, else words alone."""
    return profile.protocol or ("json_object" if profile.json_mode else "") or learned or "plain"


def read_profiles(document: str) -> dict[str, Profile]:
    """Reads profiles from the JSON text of the setting. Raises ValueError that names the model and the field."""
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
    for key, allowed in CHOICES.items():
        if key in given and given[key] not in allowed:
            raise ValueError(f"profile {name}: {key} is none of {', '.join(filter(None, allowed))}")
    if given.get("echo_reasoning"):
        raise ValueError(f"profile {name}: echo_reasoning can only be false")
    return replace(SAFE, **given)


def profile_for(model: str, custom: Mapping[str, Profile] | None = None) -> Profile:
    """Returns the profile of the longest prefix of `model`, without the vendor part of names such as `vendor/model`."""
    full = model.lower()
    names = (full, full.rsplit("/", 1)[-1])
    for table in (custom or {}, BUILT_IN):
        fitting = [prefix for prefix in table if any(name.startswith(prefix) for name in names)]
        if fitting:
            return table[max(fitting, key=len)]
    return SAFE

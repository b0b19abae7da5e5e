"""Asks a model a few small things to find out what it can do, and keeps the protocol that works best."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Literal

from agent.llm.openai.backend import Endpoint, OpenAIModel
from agent.llm.openai.knowledge import Knowledge, Learned, key_of
from agent.llm.openai.profiles import SAFE, Profile
from agent.loop.model_call.lenient_json import DecisionError, read_object
from agent.loop.outside.model import ModelError, ModelRequest, Reasoning, Text, Usage

Protocol = Literal["native_tools", "json_schema", "json_object", "plain"]
BEST_FIRST: tuple[Protocol, ...] = ("json_schema", "json_object", "native_tools", "plain")
REFUSED_BY: dict[Protocol, frozenset[str]] = {
    "native_tools": frozenset({"tools"}),
    "json_schema": frozenset({"json_schema", "response_format"}),
    "json_object": frozenset({"response_format"}),
    "plain": frozenset(),
}
ASKED: tuple[dict[str, str], ...] = (
    {"role": "system", "content": 'Answer with one JSON object: {"route": "direct_reply", "speak": "..."}.'},
    {"role": "user", "content": "Say hello. Output JSON."},
)


@dataclass(frozen=True)
class Finding:
    """Holds one line of the check: what was tried, whether it works, and more about it in an operator's words."""

    name: str
    works: bool
    detail: str = ""


@dataclass
class _Heard:
    text: str = ""
    usage: bool = False
    thought: bool = False
    pieces: int = 0
    first_ms: int = 0
    failure: ModelError | None = None


async def check_model(endpoint: Endpoint, knowledge: Knowledge, profile: Profile = SAFE) -> list[Finding]:
    """Checks everything that is worth knowing before a student asks; raises nothing. Stores the protocol found to
    work."""
    plain = await _ask(endpoint, replace(profile, protocol="plain", json_mode=False), Knowledge())
    if plain.failure is not None:
        return [Finding("answer", False, str(plain.failure.cause))]
    found = [
        Finding("answer", True, f"{plain.first_ms} ms to the first word"),
        Finding("streaming", plain.pieces > 1, f"{plain.pieces} pieces"),
        Finding("usage", plain.usage),
        Finding("thinking", plain.thought),
    ]
    works: dict[Protocol, bool] = {"plain": _decides(plain.text)}
    learned = Learned(thinks=plain.thought)
    for protocol in ("json_object", "json_schema", "native_tools"):
        own = Knowledge()
        heard = await _ask(endpoint, replace(profile, protocol=protocol), own)
        refused = (await own.of(key_of(endpoint.base_url, endpoint.model))).refused
        works[protocol] = heard.failure is None and not REFUSED_BY[protocol] & {*refused} and _decides(heard.text)
        learned = replace(learned, refused=tuple(dict.fromkeys((*learned.refused, *refused))))
        found.append(Finding(protocol, works[protocol], ", ".join(refused) and f"refused: {', '.join(refused)}"))
    best = next((protocol for protocol in BEST_FIRST if works[protocol]), "plain")
    await knowledge.put(key_of(endpoint.base_url, endpoint.model), replace(learned, protocol=best))
    return [*found, Finding("protocol", True, best)]


def _decides(text: str) -> bool:
    try:
        return "route" in read_object(text)
    except DecisionError:
        return False


async def _ask(endpoint: Endpoint, profile: Profile, knowledge: Knowledge) -> _Heard:
    model = OpenAIModel(endpoint, profiles={endpoint.model.lower(): profile}, knowledge=knowledge)
    heard, began = _Heard(), time.monotonic()
    try:
        async for delta in model.stream(ModelRequest(stage="chat", messages=ASKED, max_tokens=1_000)):
            if isinstance(delta, Text | Reasoning) and not heard.first_ms:
                heard.first_ms = max(1, round((time.monotonic() - began) * 1000))
            heard.thought = heard.thought or isinstance(delta, Reasoning)
            heard.usage = heard.usage or isinstance(delta, Usage)
            if isinstance(delta, Text):
                heard.text, heard.pieces = heard.text + delta.text, heard.pieces + 1
    except ModelError as error:
        heard.failure = error
    finally:
        await model.aclose()
    return heard

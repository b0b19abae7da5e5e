"""The body of a call: what the stage asks for, as the profile says and as the model is known to take it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from agent.calls.kinds import Json
from agent.llm.openai.knowledge import Learned
from agent.llm.openai.profiles import Profile, protocol_of
from agent.llm.openai.protocols import functions_of, response_schema
from agent.loop.outside.limits import StageSettings
from agent.loop.outside.model import ModelRequest
from agent.loop.prompt.tokens import sizes_of

OTHER_TOKENS = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
LEAST_ANSWER = 256
SUSPICIOUS = ("response_format", "tools", "stream_options", "parallel_tool_calls", "temperature")
"""Parameters that endpoints refuse, the likeliest first; those of the profile's `extra_body` come after."""
WORDS: Mapping[str, tuple[str, ...]] = {
    "response_format": ("response_format", "response format", "json_object", "json_schema", "json mode"),
    "parallel_tool_calls": ("parallel_tool_calls", "parallel tool"),
    "tools": ("tools", "tool_choice", "tool use", "tool call", "function call"),
    "stream_options": ("stream_options", "include_usage"),
    "temperature": ("temperature",),
    "max_tokens": ("max_tokens",),
    "max_completion_tokens": ("max_completion_tokens",),
}
"""How errors name a parameter."""


def request_body(
    request: ModelRequest, settings: StageSettings, profile: Profile, learned: Learned, *, left_out: frozenset[str]
) -> Json:
    """Returns the arguments of the client's call. `left_out` are parameters that are not sent."""
    extra = {**profile.extra_body, **_switch(request, settings, profile)}
    body: Json = {"extra_body": {"messages": _messages(request, left_out), **extra}, "messages": []}
    body["extra_body"] |= _tokens(request, settings, profile, learned, left_out)
    if profile.temperature:
        body["temperature"] = request.temperature if request.temperature is not None else settings.temperature
    if profile.stream_usage:
        body["stream_options"] = {"include_usage": True}
    if request.decides:
        body |= _form(request, protocol_of(profile, learned.protocol), left_out)
    for name in left_out:
        body.pop(name, None)
        body["extra_body"].pop(name, None)
    return body


def _messages(request: ModelRequest, left_out: frozenset[str]) -> list[Json]:
    """Returns the messages as an extra field: the client would walk through each of them to rename keys that none has.
    Some templates take turns in alternation only: neighbours of one role are then one message."""
    messages = [dict(message) for message in request.messages]
    if "neighbours" not in left_out:
        return messages
    joined: list[Json] = []
    for message in messages:
        if joined and joined[-1]["role"] == message["role"]:
            joined[-1]["content"] += "\n\n" + message["content"]
        else:
            joined.append(message)
    return joined


def wants_thinking(request: ModelRequest, settings: StageSettings) -> bool | None:
    return request.thinking if request.thinking is not None else settings.thinking


def _switch(request: ModelRequest, settings: StageSettings, profile: Profile) -> Mapping[str, Any]:
    thinking = wants_thinking(request, settings)
    return {} if thinking is None else profile.thinking_on if thinking else profile.thinking_off


def _tokens(
    request: ModelRequest, settings: StageSettings, profile: Profile, learned: Learned, left_out: frozenset[str]
) -> Json:
    """Returns the room of the answer and of its thoughts, within the window where that is known."""
    tokens = request.max_tokens if request.max_tokens is not None else settings.max_tokens
    switched = profile.thinking == "switched" and wants_thinking(request, settings) is not False
    if profile.thinking == "always" or switched or learned.thinks:
        tokens += profile.thinking_tokens
    if learned.context:
        tokens = max(LEAST_ANSWER, min(tokens, learned.context - sum(sizes_of(request.messages)) - 64))
    name = profile.max_tokens_param
    if name in left_out and name in OTHER_TOKENS:
        name = OTHER_TOKENS[name]
    return {} if name in left_out else {name: tokens}


def _form(request: ModelRequest, protocol: str, left_out: frozenset[str]) -> Json:
    if protocol == "native_tools" and "tools" not in left_out:
        choice = "required" if request.stage == "execute" and "tool_choice" not in left_out else "auto"
        return {"tools": functions_of(request), "parallel_tool_calls": False, "tool_choice": choice}
    if protocol == "json_schema" and "json_schema" not in left_out:
        return {"response_format": response_schema(request)}
    return {} if protocol == "plain" else {"response_format": {"type": "json_object"}}


def named_parameter(said: str, parameter: str, body: Mapping[str, Any]) -> str:
    """Returns the parameter of the body that an error names, "" when it names none. A refused schema is not the refusal
    of every form, and turns that must alternate are `neighbours`."""
    said = said.lower()
    if re.search(r"roles? must alternate|must alternate|consecutive .{0,20}(?:user|messages|role)", said):
        return "neighbours"
    sent = {*body, *body["extra_body"]} - {"messages", "extra_body"}
    schema = (body.get("response_format") or {}).get("type") == "json_schema"
    given = parameter.lower().partition(".")[0].partition("[")[0]
    for name in sorted(sent, key=len, reverse=True):
        if name == given or any(word in said for word in WORDS.get(name, (name.lower(),))):
            if name == "tools" and "tool_choice" in said and "required" in said:
                return "tool_choice"
            return "json_schema" if name == "response_format" and schema else name
    return ""


def suspects_of(body: Mapping[str, Any]) -> tuple[str, ...]:
    """Returns what an error that names nothing may be about."""
    extra = [name for name in body["extra_body"] if name not in ("messages", *OTHER_TOKENS)]
    return tuple(name for name in SUSPICIOUS if name in body) + tuple(extra)

"""The scenarios of this directory may be played through a real OpenAI-compatible endpoint as well."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from agent.llm.openai.backend import Endpoint, OpenAIModel
from agent.llm.scripted import ScriptedModel
from agent.loop.outside.model import Delta, Finish, ModelRequest, Reasoning, Text, Usage
from tests.kits.loop import chat as kit
from tests.kits.provider.openai_server import OpenAIServer, Step, chunk, text, usage


def steps(answer: Any) -> list[Step]:
    """A scripted answer as the body of a response."""
    if isinstance(answer, Mapping):
        return text(json.dumps(answer, ensure_ascii=False))
    return text(answer) if isinstance(answer, str) else [step_of(delta) for delta in answer]


def step_of(delta: Delta) -> Step:
    match delta:
        case Text():
            return chunk(content=delta.text)
        case Reasoning():
            return chunk(reasoning_content=delta.text)
        case Usage():
            return usage(delta.prompt, delta.completion, delta.cached, delta.reasoning)
        case Finish():
            return chunk(finish=delta.reason)


class OverHttp(ScriptedModel):
    """Plays its script through the real client against a server on loopback."""

    def __init__(self, server: OpenAIServer) -> None:
        super().__init__()
        self._server = server
        self._backend = OpenAIModel(Endpoint("m", server.base_url, "key"))

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        self.requests.append(request)
        answer: Any = self._take(request)
        while callable(answer):
            answer = answer(request)
        if isinstance(answer, BaseException):
            raise answer
        self._server.script([steps(answer)])
        async for delta in self._backend.stream(request):
            yield delta


@pytest.fixture(params=["scripted", "openai"])
def each_backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every conversation of the test talks to the scripted model, then to the server."""
    if request.param == "openai":
        server = request.getfixturevalue("openai_server")
        monkeypatch.setattr(kit, "new_model", lambda: OverHttp(server))

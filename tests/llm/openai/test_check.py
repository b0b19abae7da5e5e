"""What a model can do is found by asking it, and the best protocol that works is kept."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent.llm.openai.backend import Endpoint
from agent.llm.openai.check import check_model
from agent.llm.openai.knowledge import Knowledge, key_of
from tests.kits.provider.openai_server import OpenAIServer, chunk, status, text

ANSWER = json.dumps({"route": "direct_reply", "speak": "hello"})


def server(*takes: str) -> Any:
    """A model that knows some protocols and refuses the others by name."""

    def answer(body: dict[str, Any]) -> Any:
        form = (body.get("response_format") or {}).get("type")
        if form and form not in takes:
            return status(400, body={"error": {"message": f"response_format {form} is not supported"}})
        if "tools" in body:
            if "native_tools" not in takes:
                return status(400, body={"error": {"message": "tools are not supported", "param": "tools"}})
            call = {"index": 0, "id": "c", "function": {"name": "decide", "arguments": ANSWER}}
            return [chunk(tool_calls=[call]), chunk(finish="tool_calls")]
        return text(ANSWER)

    return answer


@pytest.mark.parametrize(
    ("takes", "best"),
    [
        (("json_object", "json_schema", "native_tools"), "json_schema"),
        (("json_object",), "json_object"),
        (("native_tools",), "native_tools"),
        ((), "plain"),
    ],
)
async def test_the_best_protocol_that_works_is_kept(provider: OpenAIServer, takes: tuple[str, ...], best: str) -> None:
    provider.fallback = server(*takes)
    knowledge, endpoint = Knowledge(), Endpoint("m", provider.base_url, "key")
    rows = {row.name: row for row in await check_model(endpoint, knowledge)}
    assert {name for name in ("json_object", "json_schema", "native_tools") if rows[name].works} == {*takes}
    assert [rows[name].works for name in ("answer", "streaming", "usage", "thinking")] == [True, True, True, False]
    assert (await knowledge.of(key_of(provider.base_url, "m"))).protocol == best == rows["protocol"].detail


async def test_a_key_that_is_refused_is_told(provider: OpenAIServer) -> None:
    provider.fallback = lambda body: status(401)
    (row,) = await check_model(Endpoint("m", provider.base_url, "key"), Knowledge())
    assert (row.works, row.detail.split()[0]) == (False, "unauthorized")

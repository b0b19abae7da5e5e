"""Every dialect of the wire with its end, and what refusals teach about one model of one endpoint."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from agent.llm.openai.backend import Endpoint, OpenAIModel
from agent.llm.openai.knowledge import KEPT_S, Knowledge, Learned
from agent.llm.openai.profiles import Profile
from agent.llm.openai.protocols import functions_of, response_schema
from agent.loop.model_call.decisions import ExecuteDecision
from agent.loop.model_call.lenient_json import read_object
from agent.loop.outside.model import Finish, ModelError, ModelRequest, Reasoning, Text, Waiting
from tests.kits.loop.chat import REGISTRY
from tests.kits.provider.openai_server import (
    DONE,
    Head,
    OpenAIServer,
    Raw,
    chunk,
    decision,
    deltas,
    event,
    status,
    text,
    usage,
)

MOVE = {"name": "move", "arguments": {"task_id": 8, "new_day": 6, "new_slot_start": 5}}
DECISION = {"action": "continue", "tool_call": MOVE}
WRITTEN = json.dumps(DECISION)
TOOLS = tuple(REGISTRY.schemas(["move", "get_overview"]))


def ask(stage: Any = "execute", **fields: Any) -> ModelRequest:
    return ModelRequest(stage=stage, messages=[{"role": "user", "content": "提示"}], tools=TOOLS, **fields)


def model_of(
    provider: OpenAIServer, name: str = "m", knowledge: Knowledge | None = None, **profile: Any
) -> OpenAIModel:
    profiles = {name: Profile(**profile)} if profile else None
    return OpenAIModel(Endpoint(name, provider.base_url, "key"), profiles=profiles, knowledge=knowledge)


async def told(model: OpenAIModel, request: ModelRequest | None = None) -> str:
    answer = [delta async for delta in model.stream(request or ask())]
    assert isinstance(answer[-1], Finish) or any(isinstance(delta, Finish) for delta in answer)
    return "".join(delta.text for delta in answer if isinstance(delta, Text))


def called(**piece: Any) -> Any:
    return chunk(tool_calls=[piece])


def function(name: str | None, arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


GIVEN = json.dumps(MOVE["arguments"])
NATIVE = {
    "in one piece": [called(index=0, id="c", function=function("move", GIVEN)), chunk(finish="tool_calls")],
    "in pieces": [
        called(index=0, id="c", function=function("move", "")),
        *(called(index=0, function={"arguments": char}) for char in GIVEN),
        chunk(finish="tool_calls"),
    ],
    "without an index": [called(id="c", function=function("move", GIVEN)), chunk(finish="tool_calls")],
    "arguments as an object": [called(index=0, function=function("move", MOVE["arguments"])), chunk(finish="stop")],
    "the older function_call": [
        chunk(function_call=function("move", "")),
        chunk(function_call={"arguments": GIVEN}),
        chunk(finish="function_call"),
    ],
    "without a finish reason": [called(index=0, id="c", function=function("move", GIVEN)), DONE],
    "the name again in every piece": [
        called(index=0, id="c", function=function("move", GIVEN[:9])),
        called(index=0, id="c", function=function("move", GIVEN[9:])),
        chunk(finish="tool_calls"),
    ],
}


@pytest.mark.parametrize("form", NATIVE)
@pytest.mark.parametrize("speech", ["", "好的，我来。"])
async def test_a_native_call_is_the_decision_it_means(provider: OpenAIServer, form: str, speech: str) -> None:
    provider.script([[*([chunk(content=speech)] if speech else []), *NATIVE[form], DONE]])
    model = model_of(provider)
    decided = ExecuteDecision.read(read_object(await told(model)), tools={"move"})
    await model.aclose()
    assert decided.tool_call is not None
    assert (decided.action, decided.tool_call.name, decided.speak) == ("continue", "move", speech)
    assert decided.tool_call.arguments == MOVE["arguments"]


async def test_native_calls_in_a_stage_that_decides_nothing_are_no_words(provider: OpenAIServer) -> None:
    provider.script([[chunk(content="先学条件概率。"), *NATIVE["in one piece"], DONE]])
    model = model_of(provider)
    assert await told(model, ask("deep_answer")) == "先学条件概率。"
    await model.aclose()


async def test_native_tools_are_offered_one_call_at_a_time(provider: OpenAIServer) -> None:
    model = model_of(provider, protocol="native_tools")
    provider.script([[called(index=0, id="c", function=function("done", '{"goal_check":"好"}')), chunk(finish="stop")]])
    assert ExecuteDecision.read(read_object(await told(model))).action == "done"
    body = provider.requests[0]
    names = [tool["function"]["name"] for tool in body["tools"]]
    assert names == ["move", "get_overview", "next_plan", "done", "ask_user", "confirm", "abort"]
    assert (body["parallel_tool_calls"], "response_format" in body) == (False, False)
    provider.script(
        [[called(index=0, id="c", function=function("decide", '{"route":"execute"}')), chunk(finish="stop")]]
    )
    assert json.loads(await told(model, ask("chat"))) == {"route": "execute"}
    provider.script([text("你好，有什么可以帮你？")])
    assert json.loads(await told(model, ask("chat"))) == {"route": "direct_reply", "speak": "你好，有什么可以帮你？"}
    await model.aclose()


async def test_a_schema_is_asked_for_in_the_strict_form(provider: OpenAIServer) -> None:
    model = model_of(provider, protocol="json_schema")
    provider.script([decision(DECISION)])
    await told(model)
    await model.aclose()
    asked = provider.requests[0]["response_format"]
    assert asked == json.loads(json.dumps(response_schema(ask())))
    waiting = [asked["json_schema"]["schema"]]
    while waiting:
        node = waiting.pop()
        waiting += node.get("anyOf", [])
        if node.get("type") == "array":
            waiting.append(node["items"])
        if node.get("type") == "object":
            assert node["required"] == list(node["properties"])
            assert node["additionalProperties"] is False
            waiting += node["properties"].values()


def test_every_tool_can_be_offered_in_both_forms() -> None:
    everything = ModelRequest(stage="execute", messages=[], tools=REGISTRY.schemas())
    assert len(functions_of(everything)) == len(REGISTRY.tools) + 5
    assert "$ref" not in json.dumps(response_schema(everything))


def refuses(*names: str, tells: bool = True) -> Callable[[dict[str, Any]], Any]:
    """An endpoint that does not know some parameters, and says which, or not."""

    def answer(body: dict[str, Any]) -> Any:
        wrong = [name for name in names if name in body]
        said = (
            f"Unsupported parameter: '{wrong[0]}' is not supported with this model." if wrong and tells else "invalid"
        )
        return status(400, body={"error": {"message": said}}) if wrong else text(WRITTEN)

    return answer


FULL: dict[str, Any] = {"json_mode": True, "extra_body": {"top_k": 5}}
OPTIONAL = ("response_format", "stream_options", "temperature", "top_k", "max_tokens")


@pytest.mark.parametrize("name", OPTIONAL)
async def test_a_refused_parameter_is_dropped_alone_and_remembered(provider: OpenAIServer, name: str) -> None:
    provider.fallback = refuses(name)
    model = model_of(provider, **FULL)
    assert (await told(model), await told(model)) == (WRITTEN, WRITTEN)
    await model.aclose()
    sent = [{key for key in OPTIONAL if key in body} for body in provider.requests]
    assert sent == [set(OPTIONAL), {*OPTIONAL} - {name}, {*OPTIONAL} - {name}]
    assert name != "max_tokens" or "max_completion_tokens" in provider.requests[-1]


@pytest.mark.parametrize("name", ["response_format", "stream_options", "temperature", "top_k"])
async def test_a_parameter_that_no_error_names_is_found_by_halves(provider: OpenAIServer, name: str) -> None:
    provider.fallback = refuses(name, tells=False)
    model = model_of(provider, **FULL)
    for _ in range(5):
        assert await told(model) == WRITTEN
    await model.aclose()
    assert {key for key in OPTIONAL if key in provider.requests[-1]} == {*OPTIONAL} - {name}
    assert len(provider.requests) <= 5 + 4


async def test_one_model_that_refuses_takes_nothing_from_another(provider: OpenAIServer) -> None:
    knowledge = Knowledge()
    provider.fallback = lambda body: refuses("response_format")(body) if body["model"] == "old" else text(WRITTEN)
    models = [model_of(provider, name, knowledge, json_mode=True) for name in ("old", "new")]
    for model in (*models, *models):
        assert await told(model) == WRITTEN
        await model.aclose()
    asked = [(body["model"], "response_format" in body, "stream_options" in body) for body in provider.requests]
    assert asked == [("old", True, True), ("old", False, True), ("new", True, True), ("old", False, True),
                     ("new", True, True)]  # fmt: skip


class Shelf:
    """A store in memory, shared by two processes of a test."""

    def __init__(self) -> None:
        self.kept: dict[str, dict[str, Any]] = {}

    async def read(self, key: str) -> dict[str, Any] | None:
        return self.kept.get(key)

    async def write(self, key: str, document: Any, seconds: float) -> None:
        self.kept[key] = json.loads(json.dumps(document))


async def test_what_a_refusal_taught_is_shared_and_forgotten_in_time(provider: OpenAIServer) -> None:
    shelf, now = Shelf(), [1_000.0]
    provider.fallback = refuses("response_format")
    for _ in range(2):
        model = model_of(provider, knowledge=Knowledge(shelf, clock=lambda: now[0]), json_mode=True)
        await told(model)
        await model.aclose()
    assert ["response_format" in body for body in provider.requests] == [True, False, False]
    now[0] += KEPT_S + 1
    model = model_of(provider, knowledge=Knowledge(shelf, clock=lambda: now[0]), json_mode=True)
    await told(model)
    await model.aclose()
    assert "response_format" in provider.requests[3]


async def test_a_store_that_fails_fails_no_call(provider: OpenAIServer) -> None:
    class Broken:
        async def read(self, key: str) -> None:
            raise ConnectionError

        async def write(self, key: str, document: Any, seconds: float) -> None:
            raise ConnectionError

    provider.fallback = refuses("response_format")
    model = model_of(provider, knowledge=Knowledge(Broken()), json_mode=True)
    assert (await told(model), await told(model)) == (WRITTEN, WRITTEN)
    await model.aclose()
    assert len(provider.requests) == 3


async def test_turns_that_must_alternate_are_joined(provider: OpenAIServer) -> None:
    said = {"error": {"message": "Conversation roles must alternate user/assistant/user/assistant/..."}}
    provider.script([status(400, body=said), text(WRITTEN)])
    model = model_of(provider)
    messages = [{"role": role, "content": role} for role in ("system", "user", "user", "user")]
    await told(model, ModelRequest(stage="execute", messages=messages))
    await model.aclose()
    joined = provider.requests[1]["messages"]
    assert [message["role"] for message in joined] == ["system", "user"]
    assert joined[1]["content"] == "user\n\nuser\n\nuser"


async def test_thinking_has_room_of_its_own(provider: OpenAIServer) -> None:
    provider.fallback = lambda body: deltas([WRITTEN], reasoning=["想"])
    model = model_of(provider, thinking="always", thinking_tokens=5_000)
    await told(model, ask("chat"))
    await model.aclose()
    assert provider.requests[0]["max_tokens"] == 6_500
    learner = model_of(provider, "unknown")
    await told(learner, ask("chat"))
    await told(learner, ask("chat"))
    await learner.aclose()
    assert [body["max_tokens"] for body in provider.requests[1:]] == [1_500, 9_500]


@pytest.mark.parametrize(("headers", "pause"), [({"Retry-After": "0.2"}, 0.2), ({"retry-after-ms": "150"}, 0.15)])
async def test_the_providers_own_time_is_waited_for(provider: OpenAIServer, headers: Any, pause: float) -> None:
    provider.script([[Head(429, headers), Raw(b"{}")], text(WRITTEN)])
    model = model_of(provider)
    answer = [delta async for delta in model.stream(ask())]
    await model.aclose()
    assert [delta.seconds for delta in answer if isinstance(delta, Waiting)] == [pytest.approx(pause)]


async def test_an_overflow_tells_the_window(provider: OpenAIServer) -> None:
    said = {"error": {"message": "This model's maximum context length is 4096 tokens. However, you requested 9000."}}
    provider.script([status(400, body=said), text(WRITTEN)])
    knowledge = Knowledge()
    model = model_of(provider, knowledge=knowledge)
    with pytest.raises(ModelError) as caught:
        await told(model)
    assert (caught.value.cause.kind, caught.value.cause.context) == ("context_overflow", 4096)
    await told(model)
    await model.aclose()
    assert provider.requests[1]["max_tokens"] < 4096


DIALECTS: dict[str, list[Any]] = {
    "no finish reason but a whole object": [chunk(content=WRITTEN), DONE],
    "an empty finish reason": [chunk(content=WRITTEN), chunk(finish=""), DONE],
    "the finish reason tool_calls": [chunk(content=WRITTEN), chunk(finish="tool_calls"), DONE],
    "no role": [chunk(content=WRITTEN), chunk(finish="stop")],
    "usage without choices": [chunk(content=WRITTEN), chunk(finish="stop"), usage(), DONE],
    "usage in every chunk": [event({"choices": [{"delta": {"content": WRITTEN}}], "usage": {"prompt_tokens": 1}}),
                             chunk(finish="stop"), DONE],
    "line feeds of another kind": [
        Raw(step.data.replace(b"\n", b"\r\n") + b": ping\r\n\r\n") for step in text(WRITTEN) if isinstance(step, Raw)
    ],
    "a whole message in one chunk": [event({"choices": [{"message": {"content": WRITTEN}, "finish_reason": "stop"}]})],
    "typed parts": [chunk(content=[{"type": "text", "text": WRITTEN}]), chunk(finish="stop")],
    "null choices before": [event({"choices": None}), chunk(content=WRITTEN), chunk(finish="stop")],
    "sixty kilobytes of reasoning": deltas([WRITTEN], reasoning=["想一想" * 200] * 40),
    "a byte at a time": [Raw(bytes([byte])) for step in text(WRITTEN) for byte in getattr(step, "data", b"")],
}  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_each_dialect_of_the_wire_is_understood(provider: OpenAIServer, dialect: str) -> None:
    provider.script([DIALECTS[dialect]])
    model = model_of(provider)
    assert read_object(await told(model)) == DECISION
    await model.aclose()


ENDINGS = {
    "a text without a finish reason": ("deliver", [chunk(content="好"), DONE], "llm_truncated"),
    "half an object without a finish reason": ("execute", [chunk(content=WRITTEN[:-4]), DONE], "llm_truncated"),
    "an object without its last word": ("execute", [chunk(content=WRITTEN)], "llm_truncated"),
    "filtered": ("execute", [chunk(content=WRITTEN), chunk(finish="content_filter")], "llm_filtered"),
}


@pytest.mark.parametrize("ending", ENDINGS)
async def test_an_answer_that_may_be_cut_is_none(provider: OpenAIServer, ending: str) -> None:
    stage, steps, code = ENDINGS[ending]
    provider.script([steps])
    model = model_of(provider)
    with pytest.raises(ModelError) as caught:
        await told(model, ask(stage))
    await model.aclose()
    assert caught.value.code == code


async def test_reasoning_alone_is_an_answer_cut_at_its_limit(provider: OpenAIServer) -> None:
    provider.script([deltas([], reasoning=["想" * 50], finish="length")])
    model = model_of(provider)
    answer = [delta async for delta in model.stream(ask())]
    await model.aclose()
    assert [delta for delta in answer if isinstance(delta, Finish)] == [Finish("length")]
    assert any(isinstance(delta, Reasoning) for delta in answer)


def test_suspects_are_halved_until_one_is_left() -> None:
    learned = Learned(suspects=("a", "b", "c"))
    assert learned.trial() == ("a", "b")
    assert learned.blame(("a", "b")).suspects == ("a", "b")
    assert learned.blame(("a", "b")).blame(("a",)) == Learned(refused=("a",))
    assert learned.clear(("a", "b")).suspects == ("c",)

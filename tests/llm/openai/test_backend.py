"""The openai backend through the real client against a scripted provider: what it streams and how it fails."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import aclosing
from dataclasses import replace

import pytest

from agent.llm.factory import model_from_settings
from agent.llm.openai.backend import Endpoint, OpenAIModel, Timing
from agent.llm.openai.profiles import Profile
from agent.llm.stages import stage_settings
from agent.loop.outside.model import Finish, ModelError, ModelRequest, Reasoning, Text, Usage
from agent.runs.execution.limits import limits_from
from tests.kits.provider.faults import FAULTS
from tests.kits.provider.openai_server import (
    DONE,
    Head,
    Raw,
    chunk,
    cut,
    decision,
    deltas,
    event,
    silence,
    status,
    text,
    usage,
)

SECRET = "sk-test-1234567890abcdef"
SHORT = Timing(first_delta=1.0, silence=0.4, tail=0.2)


@pytest.fixture
async def model(provider):
    made = OpenAIModel(Endpoint("any-model", provider.base_url, SECRET))
    yield made
    await made.aclose()


@pytest.fixture
async def hasty(provider):
    """Waits a second for the first word."""
    made = OpenAIModel(Endpoint("any-model", provider.base_url, SECRET), timing=SHORT)
    yield made
    await made.aclose()


@pytest.fixture
async def listening(provider):
    """Waits long for the first word and less than half a second for the next one."""
    made = OpenAIModel(Endpoint("any-model", provider.base_url, SECRET), timing=replace(SHORT, first_delta=30.0))
    yield made
    await made.aclose()


def ask(stage="execute", **fields):
    return ModelRequest(stage=stage, messages=[{"role": "user", "content": "提示"}], **fields)


async def read(model, request=None):
    return [delta async for delta in model.stream(request or ask())]


def joined(answer, kind=Text):
    return "".join(delta.text for delta in answer if isinstance(delta, kind))


async def failure(model, request=None):
    async with asyncio.timeout(20):
        with pytest.raises(ModelError) as caught:
            await read(model, request)
    return caught.value


async def test_it_streams_the_answer_and_the_usage(model, provider):
    provider.script([decision({"action": "done", "speak": "好了"})])
    answer = await read(model)
    assert json.loads(joined(answer)) == {"action": "done", "speak": "好了"}
    assert Usage(prompt=100, completion=10) in answer
    assert answer[-1] == Finish("stop")


@pytest.mark.parametrize("pieces", [["哈哈哈哈哈哈哈哈"] * 4, ["la la la la "] * 3, ["哈", "哈", "哈哈", "哈哈"]])
async def test_a_word_said_again_stays(pieces, model, provider):
    provider.script([deltas(pieces)])
    assert joined(await read(model, ask("deliver"))) == "".join(pieces)


async def test_it_sends_the_settings_of_the_stage(model, provider):
    provider.script([text("ok")])
    await read(model, ask("chat"))
    body = provider.requests[0]
    assert (body["temperature"], body["max_tokens"], body["stream"]) == (0.3, 1500, True)
    assert body["stream_options"] == {"include_usage": True}
    assert "response_format" not in body


async def test_a_stage_may_have_a_model_of_its_own(provider):
    stages = stage_settings({"AGENT_EXECUTE_MODEL": "gpt-5-large"})
    model = OpenAIModel(Endpoint("small", provider.base_url), stages=stages)
    provider.script([text("ok"), text("ok")])
    await read(model, ask("chat"))
    await read(model, ask("execute"))
    await model.aclose()
    assert [body["model"] for body in provider.requests] == ["small", "gpt-5-large"]
    assert "temperature" not in provider.requests[1]


async def test_the_request_wins_over_the_settings_of_the_stage(model, provider):
    provider.script([text("ok")])
    await read(model, ask("chat", temperature=0.9, max_tokens=7))
    assert (provider.requests[0]["temperature"], provider.requests[0]["max_tokens"]) == (0.9, 7)


@pytest.mark.parametrize(("stage", "asked"), [("execute", True), ("deliver", False)])
async def test_it_asks_for_json_where_the_profile_allows_and_a_decision_is_due(provider, stage, asked):
    model = OpenAIModel(Endpoint("m", provider.base_url), profiles={"m": Profile(json_mode=True)})
    provider.script([text("{}")])
    await read(model, ask(stage))
    await model.aclose()
    assert ("response_format" in provider.requests[0]) is asked


@pytest.mark.parametrize(("thinking", "sent"), [(True, {"on": 1}), (False, {"off": 1}), (None, {})])
async def test_it_switches_thinking_as_the_profile_says(provider, thinking, sent):
    profile = Profile(thinking_on={"on": 1}, thinking_off={"off": 1}, max_tokens_param="max_completion_tokens")
    model = OpenAIModel(Endpoint("m", provider.base_url), profiles={"m": profile})
    provider.script([text("ok")])
    await read(model, ask("execute", thinking=thinking))
    await model.aclose()
    body = provider.requests[0]
    assert {key: body[key] for key in ("on", "off") if key in body} == sent
    assert body["max_completion_tokens"] == 8000


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
async def test_it_tells_reasoning_from_the_answer(model, provider, key):
    provider.script([[chunk(**{key: "想"}), chunk(content="答"), chunk(finish="stop"), DONE]])
    answer = await read(model)
    assert (joined(answer, Reasoning), joined(answer)) == ("想", "答")


@pytest.mark.parametrize(("reasoning", "thought"), [("field", "先想"), ("inline_think", "先想"), ("none", "")])
async def test_a_think_block_before_the_answer_is_reasoning_with_every_profile(provider, reasoning, thought):
    model = OpenAIModel(Endpoint("m", provider.base_url), profiles={"m": Profile(reasoning=reasoning)})
    provider.script([deltas(["<th", "ink>先", "想</thi", "nk>\n{", "}"])])
    answer = await read(model)
    await model.aclose()
    assert (joined(answer, Reasoning), joined(answer)) == (thought, "{}")


@pytest.mark.parametrize(("shown", "seen"), [("full", "想" * 500), ("summary", "想" * 300 + "…"), ("off", "")])
async def test_thoughts_are_shown_as_the_profile_says(provider, shown, seen):
    model = OpenAIModel(Endpoint("m", provider.base_url), profiles={"m": Profile(shown=shown)})
    provider.script([deltas(["{}"], reasoning=["想" * 100] * 5)])
    assert joined(await read(model), Reasoning) == seen
    await model.aclose()


async def test_it_reads_a_hundred_kilobytes_of_reasoning(model, provider):
    provider.script([deltas(["答"], reasoning=["思" * 1000] * 100)])
    assert len(joined(await read(model), Reasoning)) == 100_000


async def test_it_ignores_comments_empty_choices_and_unknown_fields(model, provider):
    steps = [Raw(b": ping\n\n"), event({"choices": []}), event({"choices": None, "x": 1}), chunk(content="a")]
    provider.script([[*steps, chunk(finish="stop"), usage(), DONE]])
    assert joined(await read(model)) == "a"


async def test_it_joins_characters_that_were_cut_between_chunks(model, provider):
    whole = chunk(content="排程").data
    at = whole.index("排".encode()) + 1
    parts = [
        Raw(b'data: {"choices":[{"delta":{"content":"\xe6\x8e"}}]}\n\n'),
        Raw(b'data: {"choices":[{"delta":{"content":"\x92"}}]}\n\n'),
        event('{"choices":[{"delta":{"content":"\\ud83d"}}]}'),
        event('{"choices":[{"delta":{"content":"\\ude00"}}]}'),
        Raw(whole[:at]),
        Raw(whole[at:]),
    ]
    provider.script([[*parts, chunk(finish="stop"), DONE]])
    assert joined(await read(model)) == "排😀排程"


async def test_it_replaces_bytes_that_are_no_text(model, provider):
    provider.script([[Raw(b'data: {"choices":[{"delta":{"content":"a\xff"}}]}\n\n'), chunk(finish="stop"), DONE]])
    assert joined(await read(model)) == "a�"


async def test_a_cut_at_the_token_limit_is_told_and_the_text_kept(model, provider):
    provider.script([text('{"action":"con', finish="length")])
    answer = await read(model)
    assert (joined(answer), answer[-1]) == ('{"action":"con', Finish("length"))


async def test_a_silent_tail_after_the_finish_reason_is_the_end(listening, provider):
    provider.script([silence(chunk(content="a"), chunk(finish="stop"))])
    assert joined(await read(listening)) == "a"


@pytest.mark.parametrize("fault", FAULTS)
async def test_each_fault_has_its_code_in_bounded_time(hasty, listening, provider, fault):
    script, code, requests = FAULTS[fault]
    provider.script(script)
    error = await failure(hasty if fault == "silent from the start" else listening)
    assert (error.code, len(provider.requests)) == (code, requests)
    assert "provider text" not in f"{error} {error.cause} {error.__cause__}"


CAUSES = {
    "401": (
        [status(401, body={"error": {"code": "invalid_api_key"}})],
        "unauthorized status=401 provider_code=invalid_api_key",
    ),
    "403": ([status(403)], "forbidden status=403 provider_code=error"),
    "a page": ([[Head(200, {"Content-Type": "text/html"}), Raw(b"\n<!doctype html>")]], "wrong_address"),
    "404": ([status(404)], "not_found status=404 provider_code=error"),
    "400": ([status(400)] * 2, "bad_request status=400 provider_code=error"),
    "429": ([status(429)] * 3, "rate_limited status=429 provider_code=error"),
    "500": ([status(500)] * 3, "server_error status=500 provider_code=error"),
    "504": ([status(504)] * 3, "no_answer status=504 provider_code=error"),
    "418": ([status(418)], "other_status status=418 provider_code=error"),
    "filtered": ([text("a", finish="content_filter")], "filtered"),
    "lost before it answers": ([cut()] * 3, "disconnected"),
    "lost in the middle": ([cut(chunk(content="a"))], "truncated"),
    "no finish reason": ([[chunk(content="a"), DONE]], "truncated"),
    "no JSON": ([[event("{")]] * 3, "malformed"),
    "an error in the stream": (
        [[event({"error": {"type": "overloaded_error"}})]] * 3,
        "error_in_stream provider_code=overloaded_error",
    ),
    "a key refused with 200": (
        [[event({"error": {"code": "invalid_api_key"}})]],
        "unauthorized provider_code=invalid_api_key",
    ),
    "no money within the stream": (
        [[event({"error": {"code": "insufficient_quota"}})]],
        "unpaid provider_code=insufficient_quota",
    ),
    "withheld as sensitive": ([text("a", finish="sensitive")], "filtered"),
    "silent from the start": ([silence()], "no_answer"),
    "silent in the middle": ([silence(chunk(content="a"))], "silence"),
}


@pytest.mark.parametrize("fault", CAUSES)
async def test_each_fault_has_its_cause(hasty, listening, provider, fault):
    script, cause = CAUSES[fault]
    provider.script(script)
    error = await failure(hasty if fault == "silent from the start" else listening)
    assert (str(error.cause), error.cause.attempts) == (cause, len(provider.requests))


async def test_the_providers_id_of_a_request_is_kept(model, provider):
    head = Head(401, {"Content-Type": "application/json", "x-request-id": "req_0af1b2"})
    provider.script([[head, Raw(b"{}")]])
    assert (await failure(model)).cause.request_id == "req_0af1b2"


RECOVERABLE = {
    "500": status(500),
    "429 with a short time": status(429, retry_after="0.1"),
    "a lost connection": cut(),
    "a malformed first chunk": [event("{")],
    "a field the endpoint does not know": status(400),
}


@pytest.mark.parametrize("fault", RECOVERABLE)
async def test_it_tries_once_more_before_the_first_delta(model, provider, fault):
    provider.script([RECOVERABLE[fault], text("ok")])
    assert joined(await read(model)) == "ok"


async def test_nobody_listening_is_a_refused_connection(unused_tcp_port):
    model = OpenAIModel(Endpoint("m", f"http://127.0.0.1:{unused_tcp_port}/v1"), timing=SHORT)
    error = await failure(model)
    assert (error.code, error.cause.kind) == ("llm_unavailable", "refused")
    await model.aclose()


async def test_an_address_that_speaks_no_tls_is_a_failure_of_tls(unused_tcp_port):
    async def answer(reader, writer):
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    model = OpenAIModel(Endpoint("m", f"https://127.0.0.1:{unused_tcp_port}/v1"))
    async with await asyncio.start_server(answer, "127.0.0.1", unused_tcp_port):
        assert (await failure(model)).cause.kind == "tls"
    await model.aclose()


async def test_the_whole_call_has_a_deadline(model, provider):
    provider.script([[chunk(content="a")] * 50 + silence()])
    error = await failure(model, ask(deadline_s=0.2))
    assert (error.code, error.cause.kind) == ("llm_timeout", "deadline")


async def test_pings_do_not_count_as_an_answer(hasty, provider):
    provider.script([silence(*[Raw(b": ping\n\n")] * 20)])
    assert (await failure(hasty)).code == "llm_timeout"


async def test_one_variable_sets_the_patience_of_the_backend_and_of_the_loop(provider):
    environment = {"OPENAI_BASE_URL": provider.base_url, "AGENT_LIMIT_FIRST_DELTA_S": "0.3"}
    made = model_from_settings(environment)
    provider.script([silence()])
    assert (await failure(made)).code == "llm_timeout"
    assert limits_from(environment).first_delta_s == 0.3
    await made.aclose()


async def test_words_before_a_call_are_held_and_are_a_sign_of_life(model, provider):
    provider.script([silence(chunk(content="我先看看"))])
    async with asyncio.timeout(20), aclosing(model.stream(ask())) as stream:
        assert await anext(stream) == Text("")


async def test_leaving_closes_the_stream(model, provider):
    provider.script([silence(chunk(content="{"))])
    stream = model.stream(ask())
    assert await anext(stream) == Text("{")
    await stream.aclose()
    assert await asyncio.to_thread(provider.closed_early.wait, 5)


async def test_cancelling_closes_the_stream(model, provider):
    provider.script([silence(chunk(content="{"))])
    heard = asyncio.Event()

    async def follow():
        async for _ in model.stream(ask()):
            heard.set()

    task = asyncio.create_task(follow())
    hearing = asyncio.create_task(heard.wait())
    await asyncio.wait((task, hearing), return_when=asyncio.FIRST_COMPLETED)
    assert heard.is_set()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(provider.closed_early.wait, 5)


KEYS = (SECRET, "sk-123", "ghp_16C7e42F292c", "AKIAIOSFODNN7EXAMPLE")


@pytest.mark.parametrize("key", KEYS)
async def test_no_word_of_a_provider_that_may_be_a_key_is_kept(model, provider, caplog, key):
    told = {"error": {"message": f"Incorrect API key provided: {key}", "code": key, "type": f"bad {key}"}}
    head = Head(401, {"Content-Type": "application/json", "x-request-id": key})
    provider.script([[head, Raw(json.dumps(told).encode())], [event({"error": told["error"]})], [event(f"{{{key}")]])
    with caplog.at_level(logging.DEBUG, logger="agent.llm"):
        errors = [await failure(model) for _ in range(2)]
    assert caplog.records
    assert key not in caplog.text + "".join(f"{error} {error.cause}" for error in errors)


async def test_the_key_reaches_the_provider(model, provider):
    provider.script([text("ok")])
    await read(model)
    assert provider.headers[0]["authorization"] == f"Bearer {SECRET}"


def test_it_serves_several_event_loops(provider):
    model = OpenAIModel(Endpoint("m", provider.base_url))

    async def once():
        answer = joined(await read(model))
        await model.aclose()
        return answer

    provider.script([text("one"), text("two")])
    assert [asyncio.run(once()), asyncio.run(once())] == ["one", "two"]


@pytest.mark.parametrize(
    "piece",
    [{"content": "哈" * 9_000}, {"tool_calls": [{"index": 0, "function": {"name": "move", "arguments": "9" * 9_000}}]}],
)
async def test_an_answer_without_an_end_is_left_long_before_its_time(model, provider, piece):
    provider.fallback = [chunk(content='{"speak":"'), *[chunk(**piece)] * 200, *silence()]
    assert (await failure(model)).code == "llm_truncated"


async def test_a_long_thought_is_no_long_answer(model, provider):
    provider.script([deltas(["{}"], reasoning=["想" * 10_000] * 200)])
    assert joined(await read(model)) == "{}"

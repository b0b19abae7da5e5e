"""The loop on a real endpoint: what it sends, what it counts, and every fault of a provider to its end."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import pytest

from agent.llm.fallback import FallbackModel
from agent.llm.offline.backend import OfflineModel
from agent.llm.openai.backend import Endpoint, OpenAIModel, Timing
from agent.llm.openai.profiles import Profile
from agent.loop.events import Event
from agent.loop.interactions import OpenInteraction
from agent.loop.output.blocks import add_turn
from agent.loop.prompt.tokens import sizes_of
from tests.kits.loop.chat import DONE, Chat, build, call, execute, route, told, world
from tests.kits.loop.goals import built
from tests.kits.provider.faults import FAULTS, document
from tests.kits.provider.openai_server import DONE as END
from tests.kits.provider.openai_server import (
    Head,
    OpenAIServer,
    Raw,
    chunk,
    cut,
    decision,
    deltas,
    event,
    status,
    text,
    usage,
)

PATIENT, HASTY = Timing(), Timing(first_delta=3.0, silence=1.0)
READ = decision(call("get_overview"))
FINISHED = decision(DONE)


def client_of(server: OpenAIServer, timing: Timing = PATIENT) -> OpenAIModel:
    """The real client; its endpoint takes native JSON."""
    profiles = {"m": Profile(json_mode=True)}
    return OpenAIModel(Endpoint("m", server.base_url, "sk-secret-123456"), profiles=profiles, timing=timing)


@pytest.fixture
async def endpoint(openai_server: OpenAIServer) -> AsyncIterator[OpenAIModel]:
    model = client_of(openai_server)
    yield model
    await model.aclose()


def wrote(chat: Chat) -> list[dict[str, Any]]:
    """The statistics of every model call so far."""
    return [row for row in chat.world.journal if row["kind"] == "context_stats"]


async def with_draft(endpoint: OpenAIModel) -> Chat:
    chat = await built()
    chat.model, chat.world.journal[:] = endpoint, []
    return chat


@pytest.mark.parametrize("fault", FAULTS)
async def test_each_fault_ends_the_run_with_its_code_and_is_taken_up_again(
    openai_server: OpenAIServer, fault: str
) -> None:
    script, code, requests = FAULTS[fault]
    endpoint = client_of(openai_server, HASTY if code == "llm_timeout" else PATIENT)
    chat = await with_draft(endpoint)
    before = chat.schedule
    openai_server.script([decision(route("execute")), *script])
    end = await chat.says("看看")
    assert (end.run_status, end.code) == ("failed", code)
    assert 2 <= len(openai_server.requests) <= 1 + max(requests, 1)
    assert told(chat)[-2:] == ["interrupt", "run.failed"]
    assert all(event.superseded for event in chat.of("text.ended"))
    assert "provider text" not in spoken_of(chat.events)
    assert "sk-secret" not in spoken_of(chat.events)
    assert wrote(chat)[-1]["finish_reason"] == code
    assert (chat.schedule, type(end.interaction)) == (before, OpenInteraction)
    openai_server.reset()
    openai_server.script([READ, FINISHED, text("好。")])
    end = await chat.answers("resume")
    assert (end.outcome, openai_server.left) == ("completed", 0)
    await endpoint.aclose()


def spoken_of(events: list[Event]) -> str:
    return "".join(event.model_dump_json() for event in events)


async def test_a_decision_cut_at_the_token_limit_is_a_correction(
    endpoint: OpenAIModel, openai_server: OpenAIServer
) -> None:
    chat = await with_draft(endpoint)
    half = text('{"action":"continue","speak":"我先看', finish="length")
    openai_server.script([decision(route("execute")), half, half, READ, FINISHED, text("好。")])
    end = await chat.says("看看")
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 1)
    assert "原因（truncated）" not in openai_server.requests[2]["messages"][3]["content"]
    assert "原因（truncated）" in openai_server.requests[3]["messages"][3]["content"]
    assert [body["max_tokens"] for body in openai_server.requests[1:4]] == [8_000, 24_000, 8_000]
    assert [row["finish_reason"] for row in wrote(chat)] == ["stop", "length", "length", "stop", "stop", "stop"]
    assert all(event.superseded for event in chat.of("text.ended")[:2])


async def test_a_decision_cut_at_the_token_limit_is_asked_for_again_with_more_room(
    endpoint: OpenAIModel, openai_server: OpenAIServer
) -> None:
    chat = await with_draft(endpoint)
    thought = deltas([], reasoning=["想" * 50], finish="length")
    openai_server.script([decision(route("execute")), thought, READ, FINISHED, text("好。")])
    end = await chat.says("看看")
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 0)


TOO_LONG = {"error": {"message": "maximum context length is 9000 tokens", "code": "context_length_exceeded"}}
BY_THE_MINUTE = {"error": {"message": "Request too large for model on tokens per minute: Limit 9000, Requested 12000"}}
OVERFLOWS = {
    "400": status(400, body=TOO_LONG),
    "an error in the stream": [event(TOO_LONG)],
    "a document in place of a stream": document(TOO_LONG),
    "413 of what a minute may take": status(413, body=BY_THE_MINUTE),
}


@pytest.mark.parametrize("overflow", OVERFLOWS)
async def test_a_prompt_that_is_too_long_is_shortened(
    endpoint: OpenAIModel, openai_server: OpenAIServer, overflow: str
) -> None:
    chat = await with_draft(endpoint)
    state = chat.world.state()
    for _ in range(40):
        add_turn(state, "很长的话。" * 60)
    await chat.world.save(state)
    sizes: list[int] = []

    def narrow(body: dict[str, Any]) -> Any:
        sizes.append(sum(sizes_of(body["messages"])))
        return OVERFLOWS[overflow] if sizes[-1] > 6_000 else decision(route("direct_reply", speak="好。"))

    openai_server.fallback = narrow
    end = await chat.says("看看")
    assert end.outcome == "completed"
    assert sizes[0] > 6_000 >= sizes[-1]


LASTING = {
    "a page in place of a model": ([Head(), Raw(b"<!doctype html><title>API</title>")], "地址或名称不对"),
    "a key that is refused": (status(401), "还没有设置好"),
    "a model that is not there": (status(404, body={"error": {"code": "model_not_found"}}), "地址或名称不对"),
    "a quota that is used up": (status(429, body={"error": {"code": "insufficient_quota"}}), "额度已经用完"),
    "an account without money": (status(402, body={"error": {"message": "Insufficient Balance"}}), "额度已经用完"),
}


@pytest.mark.parametrize("cause", LASTING)
async def test_what_another_try_does_not_mend_is_told_with_who_does(
    endpoint: OpenAIModel, openai_server: OpenAIServer, cause: str
) -> None:
    chat = await with_draft(endpoint)
    answer, words = LASTING[cause]
    openai_server.script([answer])
    await chat.says("看看")
    assert words in chat.events[-1].message
    assert "请联系管理员" in chat.events[-1].message
    assert len(openai_server.requests) == 1


async def test_a_talk_that_is_too_long_for_the_model_is_to_be_begun_anew(
    endpoint: OpenAIModel, openai_server: OpenAIServer
) -> None:
    chat = await with_draft(endpoint)
    said = {"error": {"message": "maximum context length is 500 tokens", "code": "context_length_exceeded"}}
    openai_server.fallback = lambda body: status(400, body=said)
    await chat.says("看看")
    assert "新开一个对话" in chat.events[-1].message


async def test_other_models_take_a_goal_over_where_it_stands(openai_server: OpenAIServer) -> None:
    chat = await built()
    second = OpenAIModel(Endpoint("second", openai_server.base_url, "key"))
    gone = [status(503)] * 3
    chat.model = FallbackModel([client_of(openai_server), second, OfflineModel()])
    openai_server.script([decision(route("execute")), *gone, READ, FINISHED, text("好。")])
    end = await chat.says("看看")
    assert end.outcome == "completed"
    (notice,) = chat.of("system.message")
    assert (notice.code, "备用模型" in notice.content) == ("model_switched", True)
    openai_server.reset()
    openai_server.fallback = lambda body: status(500)
    chat.model = FallbackModel([second, OfflineModel()])
    end = await chat.says("看看课表总览")
    assert end.outcome == "completed"
    assert ["固定规则" in event.content for event in chat.of("system.message")] == [True]
    await second.aclose()


async def test_a_summary_without_a_finish_reason_is_replaced_by_a_mechanical_one(
    endpoint: OpenAIModel, openai_server: OpenAIServer
) -> None:
    for broken in (
        cut(chunk(content="三次都")),
        deltas(["三次都"], finish=None),
        text("三次都", finish="content_filter"),
    ):
        chat = Chat(world(), endpoint)
        openai_server.reset()
        openai_server.script([decision(build()), broken])
        end = await chat.says("排好，只要初稿", task_class_ids=(5,))
        assert end.outcome == "completed"
        last = chat.of("text.ended")[-1]
        assert not last.superseded
        assert "概率论复习第1章" in last.full_content
        assert "三次都" not in chat.world.state().conversation.dialogue[-1].text


async def test_a_plan_and_a_round_ask_for_json_and_a_text_does_not(
    endpoint: OpenAIModel, openai_server: OpenAIServer
) -> None:
    chat = Chat(world(), endpoint)
    steps = [{"content": "排", "done_when": "排好"}]
    plan = {"action": "plan_done", "steps": steps, "needs_rough_build": True, "needs_refine": False}
    openai_server.script([decision(route("plan")), decision(plan), FINISHED, text("好。")])
    openai_server.script([decision(route("deep_answer")), text("因为。")])
    await chat.says("先给计划，只要初稿", task_class_ids=(5,), always_execute=True)
    await chat.says("为什么？")
    assert chat.end is not None
    assert chat.end.outcome == "completed"
    asked = [body.get("response_format") for body in openai_server.requests]
    native = {"type": "json_object"}
    assert asked == [native, native, native, None, native, None]
    assert [row["stage"] for row in wrote(chat)] == ["chat", "plan", "execute", "deliver", "chat", "deep_answer"]


async def test_the_tokens_of_every_call_are_those_the_provider_counted(
    endpoint: OpenAIModel, openai_server: OpenAIServer
) -> None:
    chat = await with_draft(endpoint)
    answers = [route("execute"), call("get_overview"), DONE, None]
    for number, answer in enumerate(answers, 1):
        words = "好。" if answer is None else json.dumps(answer)
        counts = usage(prompt=1000 * number, completion=10 * number, cached=900 * number, reasoning=number)
        openai_server.script([[chunk(content=words), chunk(finish="stop"), counts, END]])
    await chat.says("看看")
    names = ("prompt_tokens", "cached_tokens", "completion_tokens", "reasoning_tokens")
    rows = wrote(chat)
    assert [[row[name] for name in names] for row in rows] == [[1000 * n, 900 * n, 10 * n, n] for n in range(1, 5)]
    assert [(row["call_index"], row["model"], row["attempt"]) for row in rows] == [(n, "m", 1) for n in range(1, 5)]
    assert set(rows[0]) == {
        *("kind", "run_id", "call_index", "stage", "model", "msg0", "msg1", "msg2", "msg3", "total", "budget"),
        *names,
        *("first_delta_ms", "latency_ms", "finish_reason", "compacted", "attempt"),
    }
    assert all(row["total"] <= row["budget"] for row in rows)


async def test_a_provider_can_cache_the_prefix_of_every_round(
    endpoint: OpenAIModel, openai_server: OpenAIServer
) -> None:
    chat = await with_draft(endpoint)
    rounds = [
        call("get_overview"),
        call("list_tasks"),
        execute("continue", speak="想想"),
        call("query_range", {"day": 9}),
    ]
    openai_server.script([decision(answer) for answer in [route("execute"), *rounds, DONE]])
    openai_server.script([text("好。")])
    await chat.says("看看")
    prompts = [body["messages"] for body in openai_server.requests[1:-1]]
    assert len(prompts) == 5
    for earlier, later in pairwise(prompts):
        assert [message["role"] for message in later] == ["system", "user", "user", "user"]
        assert later[0] == earlier[0]
        assert later[1]["content"].startswith(earlier[1]["content"])
    assert [{key for key in body if key not in ("messages", "max_tokens")} for body in openai_server.requests[1:3]] == [
        {"model", "stream", "stream_options", "temperature", "response_format"}
    ] * 2


async def test_the_wish_to_think_reaches_the_provider(openai_server: OpenAIServer) -> None:
    profiles = {"m": Profile(thinking_on={"think": True}, thinking_off={"think": False})}
    model = OpenAIModel(Endpoint("m", openai_server.base_url), profiles=profiles)
    chat = await with_draft(model)
    for wish, expected in (("true", [False, True]), ("false", [False, False]), ("auto", [False, None])):
        openai_server.reset()
        openai_server.script([decision(route("execute")), decision(execute("ask_user", speak=f"{wish}？"))])
        chat.end = None
        await chat.says("看看", thinking=wish)
        assert [body.get("think") for body in openai_server.requests] == expected
    await model.aclose()


async def test_reasoning_of_a_provider_is_shown_and_not_sent_back(
    endpoint: OpenAIModel, openai_server: OpenAIServer
) -> None:
    chat = await with_draft(endpoint)
    thought = json.dumps(call("get_overview"))
    openai_server.script([decision(route("execute")), deltas([thought], reasoning=["先想想", "再看看"]), FINISHED])
    openai_server.script([text("好。")])
    await chat.says("看看")
    assert [event.full_content for event in chat.of("reasoning.ended")] == ["先想想再看看"]
    assert "先想想" not in json.dumps(openai_server.requests, ensure_ascii=False)

"""One model call: deadlines, cancel, reasoning, thinking, the early end of a routing call."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from agent.loop.outside.limits import STAGE_SETTINGS, RunLimits
from agent.loop.outside.model import Delta, Finish, ModelError, Reasoning, Text, Usage
from tests.kits.loop.chat import DONE, Chat, build, call, execute, route, told, world

QUICK = RunLimits(first_delta_s=0.02, silence_s=0.02, cancel_poll_s=0.005)


class Stalling:
    """Says its pieces, then nothing more for ever; `closed` tells that its stream was ended."""

    name = "stalling"

    def __init__(self, *pieces: Delta, on_stall: Any = None) -> None:
        self.pieces, self.closed, self.on_stall = pieces, False, on_stall

    async def stream(self, request: Any) -> AsyncIterator[Delta]:
        try:
            for piece in self.pieces:
                yield piece
            if self.on_stall is not None:
                self.on_stall()
            await asyncio.Event().wait()
        finally:
            self.closed = True


@pytest.mark.parametrize("pieces", [(), (Text('{"route":"exec'),), (Reasoning("想"),)])
async def test_a_model_that_falls_silent_times_out(pieces: tuple[Delta, ...]) -> None:
    model = Stalling(*pieces)
    chat = Chat(world(), model, limits=QUICK)
    end = await chat.says("你好")
    assert (end.run_status, end.code) == ("failed", "llm_timeout")
    assert end.failed_calls[0].cause.kind == ("silence" if pieces else "no_answer")
    assert model.closed


async def test_a_call_that_never_ends_times_out_as_a_whole() -> None:
    class Endless(Stalling):
        async def stream(self, request: Any) -> AsyncIterator[Delta]:
            while True:
                await asyncio.sleep(0)
                yield Text(" ")

    stages = {stage: replace(settings, deadline_s=0.03) for stage, settings in STAGE_SETTINGS.items()}
    end = await Chat(world(), Endless(), limits=RunLimits(stages=stages)).says("你好")
    assert (end.code, end.failed_calls[0].cause.kind) == ("llm_timeout", "deadline")


async def test_a_cancel_is_seen_while_the_model_is_silent() -> None:
    chat = Chat(world(), limits=RunLimits(cancel_poll_s=0.005))

    def cancel() -> None:
        chat.world.cancelled = True

    chat.model = Stalling(Text('{"route":"direct_reply","speak":"我先'), on_stall=cancel)
    end = await chat.says("你好")
    assert (end.run_status, end.code) == ("cancelled", "run_cancelled")
    assert chat.model.closed
    assert told(chat) == ["T chat.speak.1", "T deliver.speak.1", "S deliver/done", "finish"]
    assert chat.of("text.ended")[0].full_content == "我先"


async def test_reasoning_is_shown_and_never_sent_back() -> None:
    answer = [Reasoning("先想"), Reasoning("再想"), Text('{"route":"direct_reply","speak":"你好"}'), Finish()]
    chat = Chat(world()).plays(answer, route("direct_reply", speak="好"))
    await chat.says("你好")
    assert [event.type for event in chat.events[:4]] == [
        "reasoning.started",
        "reasoning.delta",
        "reasoning.delta",
        "reasoning.ended",
    ]
    assert chat.events[3].full_content == "先想再想"
    assert {event.block_id for event in chat.events[:4]} == {"chat.reasoning.1"}
    await chat.says("再说")
    assert "先想" not in "".join(chat.messages)


async def test_a_deep_answer_closes_the_routing_call_and_streams_plain_text() -> None:
    answer = [Text('{"route":"deep_answer",'), Text('"speak":"不要说这句"}'), Finish()]
    chat = Chat(world()).plays(answer, "因为**概率论**更难。")
    end = await chat.says("为什么？")
    assert end.outcome == "completed"
    assert [request.stage for request in chat.model.requests] == ["chat", "deep_answer"]
    assert [event.full_content for event in chat.of("text.ended")] == ["因为**概率论**更难。"]
    assert chat.model.requests[1].thinking is True


async def test_an_empty_deep_answer_says_so() -> None:
    chat = Chat(world()).plays(route("deep_answer"), "")
    await chat.says("为什么？")
    assert "答上来" in chat.of("text.ended")[0].full_content


@pytest.mark.parametrize(
    ("wish", "chat_says", "expected"),
    [("auto", False, None), ("auto", True, True), ("false", True, False), ("true", False, True)],
)
async def test_thinking_is_the_requests_wish_then_the_chats(wish: Any, chat_says: bool, expected: bool | None) -> None:
    chat = Chat(world()).plays(route("execute", thinking=chat_says), execute("ask_user", speak="？"))
    await chat.says("看看", thinking=wish)
    assert chat.model.requests[-1].thinking is expected
    assert chat.model.requests[0].thinking is False


async def test_usage_and_sizes_of_a_call_are_recorded() -> None:
    usage = Usage(prompt=100, cached=60, completion=20, reasoning=5)
    chat = Chat(world()).plays([Text('{"route":"direct_reply","speak":"好"}'), usage, Finish("length")])
    await chat.says("你好")
    row = chat.world.journal[0]
    assert (row["prompt_tokens"], row["cached_tokens"], row["completion_tokens"]) == (100, 60, 20)
    assert row["finish_reason"] == "length"


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ([Text('{"route":"direct_reply","speak":"好"}')], "llm_truncated"),
        ([Reasoning("想")], "llm_truncated"),
        ([], "llm_truncated"),
        ([Text('{"route":"direct_reply","speak":"好"}'), Finish("length")], ""),
    ],
)
async def test_an_answer_has_to_say_that_it_is_finished(answer: list[Delta], code: str) -> None:
    chat = Chat(world()).plays(answer)
    end = await chat.says("你好")
    assert (end.run_status, end.code) == (("failed", code) if code else ("succeeded", ""))
    assert [event.superseded for event in chat.of("text.ended")] == [bool(code)] * len(chat.of("text.ended"))


async def test_the_end_of_every_call_is_recorded() -> None:
    chat = Chat(world()).plays(route("deep_answer"), "因为。", ModelError("llm_timeout"))
    await chat.says("为什么？")
    await chat.says("为什么呢？")
    rows = [row for row in chat.world.journal if row["kind"] == "context_stats"]
    assert [row["finish_reason"] for row in rows] == ["", "stop", "llm_timeout"]


async def test_speech_is_out_before_the_decision_is_complete() -> None:
    chat = Chat(world())
    heard: list[int] = []

    class Watching:
        name = "watching"

        async def stream(self, request: Any) -> AsyncIterator[Delta]:
            for piece in ('{"route":"direct_reply",', '"speak":"第一句', "，第二句", '"}'):
                yield Text(piece)
                heard.append(sum(event.type == "text.delta" for event in chat.world.emitted))
            yield Finish()

    chat.model = Watching()
    await chat.says("你好")
    assert heard == [0, 1, 2, 2]


async def test_a_tool_is_announced_while_its_arguments_arrive() -> None:
    chat = Chat(world())
    seen: list[list[str]] = []
    script = iter([route("execute")])

    class Watching:
        name = "watching"

        async def stream(self, request: Any) -> AsyncIterator[Delta]:
            if request.stage == "chat":
                yield Text(json.dumps(next(script)))
            elif not seen:
                for piece in ('{"action":"continue","tool_call":{"name":"get_overview"', ',"arguments":{}}}'):
                    yield Text(piece)
                    seen.append([event.type for event in chat.world.emitted if event.type.startswith("tool.")])
            else:
                yield Text('{"action":"ask_user","speak":"然后呢？"}')
            yield Finish()

    chat.model = Watching()
    await chat.says("看看")
    assert seen == [["tool.preparing"], ["tool.preparing"]]
    kinds = [event.type for event in chat.events if event.type.startswith("tool.")]
    assert kinds == ["tool.preparing", "tool.intent", "tool.started", "tool.finished"]
    ids = {event.block_id for event in chat.events if event.type.startswith("tool.")}
    assert ids == {"execute.tool.1"}
    assert chat.of("tool.started")[0].preparing_id == "get_overview:0"


async def test_the_number_of_a_corrected_call_is_not_used_again() -> None:
    chat = Chat(world()).plays(build(), "好了。")
    await chat.says("排好，只要初稿", task_class_ids=(5,))
    chat.plays(route("execute"), call("get_task_info", {"task_id": "x"}), call("get_overview"), DONE, "好。")
    await chat.says("看看")
    assert [event.preparing_id for event in chat.of("tool.preparing")] == ["get_task_info:0", "get_overview:1"]
    assert [event.preparing_id for event in chat.of("tool.dropped")] == ["get_task_info:0"]
    assert chat.of("tool.started")[0].call_id == "execute.tool.2"

"""Cancel, failing saves and failing models: the run ends in a known way and nothing stays open."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent.loop.outside.limits import RunLimits
from agent.loop.outside.model import Cause, ModelError, Text
from taskclasses.kernel.errors import NAMED
from tests.kits.loop.chat import DONE, Chat, build, call, route, told, world
from tests.kits.loop.goals import built, last_item, moved
from tests.kits.loop.streams import check_stream


async def test_a_cancel_during_the_stream_stops_with_the_state_saved() -> None:
    chat = await built()

    def cancelling(request: Any) -> Any:
        chat.world.cancelled = True
        return [Text('{"speak":"我在想'), Text("很久")]

    chat.plays(route("execute"), cancelling)
    end = await chat.says("挪一下")
    assert (end.run_status, end.outcome, end.code) == ("cancelled", "aborted", "run_cancelled")
    assert told(chat)[-3:] == ["T deliver.speak.1", "S deliver/done", "finish"]
    assert chat.world.state().run.outcome is not None


async def test_a_save_that_fails_fails_the_run() -> None:
    chat = await built()
    item = last_item(chat)
    chat.world.fail_save = lambda state: state.schedule.by_item(item.source_id).slot.slot_start == 9
    chat.plays(route("execute"), moved(chat))
    end = await chat.says("挪到晚上", always_execute=True)
    assert (end.outcome, end.code) == ("failed", "state_save_failed")
    assert chat.events[-1].code == "50008"
    assert last_item(chat).slot == item.slot
    assert not chat.of("tool.finished")


@pytest.mark.parametrize(
    "code", ["llm_unavailable", "llm_timeout", "llm_rate_limited", "llm_bad_request", "llm_filtered", "llm_truncated"]
)
async def test_a_model_failure_in_execute_can_be_recovered(code: Any) -> None:
    chat = await built()
    chat.plays(route("execute"), ModelError(code))
    end = await chat.says("看看")
    assert (end.run_status, end.code) == ("failed", code)
    assert told(chat)[-2:] == ["interrupt", "run.failed"]
    failed = chat.of("run.failed")[0]
    assert (failed.code, failed.message) == (str(NAMED[code].number), NAMED[code].message)
    assert end.interaction is not None
    assert end.interaction.type == "connection_recover"
    chat.plays(call("get_overview"), DONE, "好。")
    end = await chat.answers("resume")
    assert end.outcome == "completed"
    assert told(chat)[:2] == ["S chat/recovering", "S execute/executing"]
    assert chat.world.state().run.rounds == 2


async def test_a_plain_message_over_a_recovery_opens_a_new_goal() -> None:
    chat = await built()
    chat.plays(route("execute"), ModelError("llm_timeout"))
    await chat.says("看看")
    chat.plays(route("direct_reply", speak="你好"))
    end = await chat.answers("message", "算了，你好")
    assert end.outcome == "completed"
    assert told(chat) == ["T chat.speak.1", "finish"]


async def test_a_failure_in_chat_offers_no_recovery() -> None:
    chat = Chat(world()).plays(ModelError("llm_timeout"))
    end = await chat.says("你好")
    assert (end.run_status, end.interaction) == ("failed", None)
    assert [event.type for event in chat.events] == ["run.failed"]
    assert chat.events[0].block_id == "chat.error"


async def test_a_failed_summary_is_replaced_by_a_mechanical_one() -> None:
    chat = Chat(world()).plays(build(), ModelError("llm_timeout"))
    end = await chat.says("排好，只要初稿", task_class_ids=(5,))
    assert end.outcome == "completed"
    assert "概率论复习第1章" in chat.of("text.ended")[-1].full_content


async def test_a_failure_between_announcing_and_running_leaves_nothing_open() -> None:
    chat = await built()
    chat.plays(route("execute"), moved(chat, speak="我来挪。"))
    reads = iter([None, None])

    async def breaking(state: Any) -> Any:
        if next(reads, "broken") == "broken":
            raise OSError("the store is gone")

    chat.world.read_draft = breaking  # type: ignore[method-assign]
    end = await chat.says("挪一下", always_execute=True)
    assert (end.outcome, end.code) == ("failed", "internal_error")
    check_stream(chat.events)


async def test_a_failing_save_after_a_tool_started_is_left_to_the_caller_to_close() -> None:
    chat = await built()
    item = last_item(chat)
    chat.world.fail_save = lambda state: state.schedule.by_item(item.source_id).slot.slot_start == 9
    chat.plays(route("execute"), moved(chat))
    await chat.says("挪到晚上", always_execute=True)
    assert [event.type for event in chat.events if event.type.startswith("tool.")] == [
        "tool.preparing",
        "tool.intent",
        "tool.started",
    ]


async def test_a_cancel_while_it_is_summed_up_still_tells_what_was_changed() -> None:
    chat = await built()

    def cancelling(request: Any) -> Any:
        chat.world.cancelled = True
        return "我把最后一次"

    chat.plays(route("execute"), moved(chat), DONE, cancelling)
    end = await chat.says("把最后一次挪到晚上", always_execute=True)
    assert end.outcome == "completed"
    assert chat.of("text.ended")[-1].full_content.startswith("核对：移动：")


async def test_a_cancel_drops_a_page_that_does_not_come() -> None:
    chat = await built()
    left = []

    async def endless(url: str, *, max_chars: int) -> Any:
        chat.world.cancelled = True
        try:
            await asyncio.Event().wait()
        finally:
            left.append(url)

    chat.world.tools, chat.limits = {"web_fetch": endless}, RunLimits(cancel_poll_s=0.005)
    chat.plays(route("execute", context_hook={"domain": "schedule", "packs": ["web"]}))
    chat.plays(call("web_fetch", {"url": "https://example.org/a"}))
    end = await chat.says("查一下资料")
    assert (end.run_status, end.code, left) == ("cancelled", "run_cancelled", ["https://example.org/a"])
    shown = ["C web_fetch", "R web_fetch failed", "T deliver.speak.1", "S deliver/done", "finish"]
    assert told(chat)[-5:] == shown
    assert chat.of("tool.finished")[0].error_code == "run_cancelled"
    assert chat.world.state().run.calls[-1].status == "failed"


async def test_a_cancel_drops_a_build_that_takes_its_time() -> None:
    chat = Chat(world(), limits=RunLimits(cancel_poll_s=0.005))

    async def endless(problem: Any) -> Any:
        chat.world.cancelled = True
        await asyncio.Event().wait()

    chat.world.rough_build = endless  # type: ignore[method-assign]
    chat.plays(build())
    end = await chat.says("排好", task_class_ids=(5,))
    assert (end.run_status, end.code) == ("cancelled", "run_cancelled")
    shown = ["C smart_planning", "R smart_planning failed", "T deliver.speak.1", "S deliver/done", "finish"]
    assert told(chat)[-5:] == shown
    assert chat.of("tool.finished")[0].error_code == "run_cancelled"
    assert all(entry.status == "pending" for entry in chat.schedule.items())


async def test_the_end_of_a_run_says_which_calls_failed_and_why() -> None:
    refused = Cause("unauthorized", status=401, request_id="req_1")
    end = await Chat(world()).plays(ModelError("llm_unavailable", refused)).says("你好")
    (failed,) = end.failed_calls
    assert (failed.stage, failed.call_index, failed.code, failed.cause) == ("chat", 1, "llm_unavailable", refused)


async def test_who_hears_nothing_of_what_was_found_is_told_so_beside_what_has_no_place() -> None:
    cut = ModelError("llm_truncated", Cause("truncated"))
    chat = Chat(world()).plays(route("execute"), call("get_overview"), DONE, cut, cut)
    await chat.says("周三有课吗？", task_class_ids=(5,))
    told = chat.of("text.ended")[-1].full_content.split("\n")
    assert told[0].startswith("还没有排的：")
    assert told[1] == "草稿没有变化。结果没能说完，要听可以再问一次。"


async def test_a_summary_whose_stream_was_cut_is_asked_for_once_more() -> None:
    cut = ModelError("llm_truncated", Cause("truncated"))
    chat = Chat(world()).plays(route("execute"), call("get_overview"), DONE, cut, "周三有两节课。")
    end = await chat.says("周三有课吗？")
    assert end.outcome == "completed"
    assert chat.of("text.ended")[-1].full_content == "周三有两节课。"
    chat.plays(route("execute"), call("get_overview"), DONE, cut, cut)
    end = await chat.says("周三有课吗？")
    assert end.outcome == "completed"
    assert chat.of("text.ended")[-1].full_content == "草稿没有变化。结果没能说完，要听可以再问一次。"


async def test_a_failed_call_that_a_run_survives_is_kept_too() -> None:
    chat = await built()
    chat.plays(route("execute"), call("get_overview"), DONE, ModelError("llm_timeout", Cause("silence")))
    end = await chat.says("看看")
    assert end.outcome == "completed"
    assert [(failed.stage, failed.cause.kind) for failed in end.failed_calls] == [("deliver", "silence")]

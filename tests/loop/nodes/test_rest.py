"""What a message wants beside its first request is a goal of its own in the same run, when that one is over."""

from __future__ import annotations

from typing import Any

import pytest

from agent.loop.nodes.rest import DIVIDED, MOST_GOALS
from agent.loop.outside.limits import RunLimits
from agent.loop.outside.model import ModelError
from agent.loop.state.agent_state import AgentState
from tests.kits.loop.chat import DONE, Chat, build, call, route, told, world
from tests.kits.loop.goals import PLAN, built, last_item, moved, narrow_world
from tests.kits.loop.goals import carded as one_carded
from tests.kits.loop.world import World, task_class

pytestmark = pytest.mark.usefixtures("each_backend")

FIRST, SECOND = "把最后一次挪到晚上", "概率论复习有几项？"
MESSAGE = f"{FIRST}，另外{SECOND}"
ASKED = f"这个学期有几周？另外{SECOND}"
LONG = "请把每一项都列出来，要写上名字"
TO_PLAN = ("先做个计划再排概率论复习", "再做个计划排概率论复习")
APART = route("execute") | {"request": FIRST, "rest": SECOND}


def answered(words: str) -> dict[str, object]:
    return route("direct_reply", speak=words)


async def carded() -> Chat:
    chat = await built()
    chat.plays(APART, route("execute"), moved(chat, speak="可以挪。"))
    await chat.says(MESSAGE)
    return chat


async def test_both_requests_are_goals_of_one_run_in_the_order_of_the_words() -> None:
    chat = Chat(world())
    apart = route("direct_reply", speak="好") | {"request": "这个学期有几周？", "rest": SECOND}
    end = await chat.plays(apart, answered("有 20 周。"), answered("有三项。")).says(ASKED)
    assert (end.run_status, end.outcome) == ("succeeded", "completed")
    heard = [event for event in chat.of("text.ended") if not event.superseded]
    assert [event.full_content for event in heard] == ["有 20 周。", "有三项。"]
    assert len({event.block_id for event in chat.of("text.ended")}) == len(chat.of("text.ended"))
    said = [turn.text for turn in chat.world.state().conversation.dialogue if turn.role == "user"]
    assert said == ["这个学期有几周？", SECOND]
    assert "这个学期有几周？" in chat.model.requests[1].messages[-1]["content"]
    assert SECOND not in chat.model.requests[1].messages[-1]["content"]
    assert told(chat).count("finish") == 1


async def test_the_card_of_the_first_request_is_answered_before_the_second_begins() -> None:
    chat = await carded()
    assert chat.end is not None
    assert chat.end.outcome == "paused"
    run = AgentState.from_document(chat.world.document).run  # type: ignore[arg-type]
    assert (run.request, run.rest) == (FIRST, SECOND)
    chat.plays(DONE, "挪好了。", answered("有三项。"))
    await chat.answers("approve")
    assert last_item(chat).slot.slot_start == 9
    heard = [event.full_content.partition("\n")[0] for event in chat.of("text.ended")]
    assert heard == ["挪好了。", "有三项。"]
    assert told(chat).count("schedule.completed") == 1
    assert chat.world.state().run.rest == ""


async def test_what_follows_a_card_that_is_refused_is_still_done() -> None:
    chat = await carded()
    chat.plays({"action": "abort", "abort": {"code": "kept", "user_message": "没有改。"}}, answered("有三项。"))
    await chat.answers("reject")
    assert [event.full_content for event in chat.of("text.ended")][-1] == "有三项。"


async def test_nothing_follows_when_nothing_of_the_message_is_wanted() -> None:
    chat = await carded()
    chat.plays({"action": "abort", "abort": {"code": "all_left", "user_message": "都没有改。"}})
    await chat.answers("message", "都不要了")
    assert chat.end is not None
    assert chat.end.outcome == "aborted"
    assert chat.world.state().conversation.goals == 2


async def test_an_answer_that_is_two_requests_leaves_what_was_said_to_it_in_the_dialogue() -> None:
    chat = await one_carded()
    handed = {"action": "abort", "abort": {"code": "new_request", "user_message": "先不挪了。"}}
    apart = route("execute") | {"request": "这个学期有几周？", "rest": SECOND}
    chat.plays(handed, apart, answered("有 20 周。"), answered("有三项。"))
    await chat.answers("message", ASKED)
    said = [(turn.role, turn.text.partition("\n")[0]) for turn in chat.world.state().conversation.dialogue][-5:]
    assert said == [
        ("user", "这个学期有几周？"),
        ("assistant", "先不挪了。"),
        ("assistant", "有 20 周。"),
        ("user", SECOND),
        ("assistant", "有三项。"),
    ]


async def test_what_is_wanted_beside_a_card_is_done_behind_its_goal() -> None:
    chat = await one_carded()
    state = chat.world.state()
    request, state.run.rest = state.run.request, ""
    await chat.world.save(state)
    handed = {"action": "abort", "abort": {"code": "request_beside", "user_message": "好的。"}}
    kept = {"action": "abort", "abort": {"code": "kept", "user_message": "先不挪。"}}
    chat.plays(handed, route("execute"), kept, answered("有三项。"))
    await chat.answers("message", SECOND)
    said = [(turn.role, turn.text.partition("\n")[0]) for turn in chat.world.state().conversation.dialogue][-5:]
    assert said == [
        ("user", request),
        ("assistant", "好的。"),
        ("assistant", "先不挪。"),
        ("user", SECOND),
        ("assistant", "有三项。"),
    ]


async def test_each_goal_of_a_run_shows_its_plan_in_a_block_of_its_own() -> None:
    planning = (route("plan"), PLAN, DONE, DONE)
    chat = Chat(world()).plays(route("plan") | {"request": TO_PLAN[0], "rest": TO_PLAN[1]}, *planning, "排好了。")
    chat.plays(route("plan"), PLAN, {"action": "abort", "abort": {"code": "kept", "user_message": "不用再排。"}})
    await chat.says("。".join(TO_PLAN), always_execute=True, task_class_ids=(5,))
    plans = [event.block_id for event in chat.of("text.ended") if event.block_id.startswith("plan.summary")]
    assert plans == ["plan.summary", "plan.summary.2"]
    assert told(chat)[-1] == "finish"


async def test_a_failure_before_the_second_request_was_read_is_taken_up_there() -> None:
    chat = Chat(world()).plays(
        route("execute") | {"request": "这个学期有几周？", "rest": SECOND},
        answered("有 20 周。"),
        ModelError("llm_unavailable"),
    )
    end = await chat.says(ASKED)
    assert end.run_status == "failed"
    assert end.interaction is not None
    assert end.interaction.type == "connection_recover"
    chat.plays(answered("有三项。"))
    await chat.answers("resume")
    assert [event.full_content for event in chat.of("text.ended")] == ["有三项。"]


async def test_a_goal_that_is_cancelled_takes_what_comes_after_it_along() -> None:
    chat = await carded()
    calls = len(chat.model.requests)
    await chat.answers("cancel")
    assert chat.end is not None
    assert chat.end.run_status == "cancelled"
    assert len(chat.model.requests) == calls
    assert [event.full_content for event in chat.of("text.ended")][-1] == f"后面说的「{SECOND}」没有做。"


async def test_a_run_whose_time_is_over_begins_nothing_more_and_says_what_it_leaves() -> None:
    chat = await carded()
    chat.limits = RunLimits(run_s=-1)
    end = await chat.answers("approve")
    assert (end.outcome, end.code) == ("exhausted", "run_deadline")
    assert [event.full_content for event in chat.of("text.ended")][-1] == f"后面说的「{SECOND}」没有做。"
    assert chat.world.state().run.request == FIRST


async def test_a_stop_while_the_first_goal_is_told_begins_nothing_more_and_says_what_it_leaves() -> None:
    chat = await built()

    def stopping(request: Any) -> str:
        chat.world.cancelled = True
        return "看完了。"

    apart = route("execute") | {"request": "看看我的安排", "rest": "还有几周考试？"}
    chat.plays(apart, route("execute"), call("get_overview"), DONE, stopping)
    end = await chat.says("看看我的安排，还有几周考试？")
    assert (end.outcome, end.code) == ("aborted", "run_cancelled")
    assert [event.full_content for event in chat.of("text.ended")][-1] == "后面说的「还有几周考试？」没有做。"
    assert chat.world.state().run.request == "看看我的安排"


async def test_a_message_is_divided_into_so_many_goals_at_most() -> None:
    left = "。".join(f"第 {number} 个问题" for number in range(40))

    def first_and_rest(request: Any) -> dict[str, object]:
        first, _, rest = request.view["request"].partition("。")
        return answered("好。") | ({"request": first, "rest": rest} if rest else {})

    chat = Chat(world()).plays(*[first_and_rest] * 60)
    await chat.says(left)
    assert chat.world.state().conversation.goals == MOST_GOALS
    assert len(chat.model.requests) == 2 * MOST_GOALS - 1


async def test_a_message_that_a_goal_gives_way_to_is_divided_whatever_was_divided_before() -> None:
    chat = await carded()
    state = chat.world.state()
    state.run.counters[DIVIDED], state.run.rest = MOST_GOALS - 1, ""
    await chat.world.save(state)
    handed = {"action": "abort", "abort": {"code": "new_request", "user_message": "这一项先不动。"}}
    chat.plays(
        handed,
        answered("七门。") | {"request": "有几门课？", "rest": "考试呢？"},
        answered("七门。"),
        answered("三门。"),
    )
    await chat.answers("message", "有几门课？考试呢？")
    assert [event.full_content for event in chat.of("text.ended")][-2:] == ["七门。", "三门。"]


async def two_builds(second: dict[str, object], *more: object) -> Chat:
    """The first class does not fit; what comes after it in the same run is about two others."""
    two = ("把大学物理复习排进课表，只要初稿", "再看看别的两门，只要初稿")
    others = [task_class(one, name, "2026-03-30", "2026-04-19") for one, name in ((5, "概率论复习"), (6, "英语复习"))]
    narrow = narrow_world()
    chat = Chat(World(classes=[*narrow.classes, *others], events=narrow.events))
    chat.plays(build() | {"request": two[0], "rest": two[1]}, build(), second, *more)
    await chat.says("。".join(two))
    assert "4 接受风险" in chat.of("text.ended")[0].full_content
    return chat


async def test_an_option_is_the_one_that_was_told_whatever_the_second_goal_is_about() -> None:
    chat = await two_builds(route("execute", task_class_ids=[5, 6]), call("get_overview"), DONE, "两门都还没排。")
    chat.plays(DONE, "")
    await chat.says("4")
    state = chat.world.state()
    assert state.draft.accepted_risk is not None
    assert state.draft.accepted_risk.gap_sections == 6
    assert {entry.task_class_id for entry in chat.schedule.items() if entry.slots} >= {7}


async def test_a_build_that_succeeded_meanwhile_makes_the_options_void() -> None:
    chat = await two_builds(build(task_class_ids=[5, 6]), "排好了。")
    planned = [entry for entry in chat.schedule.items() if entry.slots]
    assert len(planned) == 6
    chat.plays(answered("第 4 个什么？"))
    await chat.says("4")
    assert [entry for entry in chat.schedule.items() if entry.slots] == planned
    assert chat.world.state().conversation.scope == [5, 6]


@pytest.mark.parametrize(
    ("request_", "rest"),
    [
        ("这个学期有几周？", "删掉概率论复习"),
        ("删掉概率论复习", SECOND),
        ("", "名字"),
        (ASKED + LONG, LONG),
        ("这个学期有几周？", "名字"),
    ],
)
async def test_words_that_are_not_the_beginning_and_the_end_of_the_message_divide_nothing(
    request_: str, rest: str
) -> None:
    chat = Chat(world()).plays(answered("有 20 周。") | {"request": request_, "rest": rest})
    await chat.says(ASKED + LONG)
    assert chat.end is not None
    assert chat.end.outcome == "completed"
    assert chat.world.state().conversation.goals == 1
    assert len(chat.model.requests) == 1


async def test_a_reply_without_words_is_corrected_whatever_stands_beside_it() -> None:
    chat = Chat(world()).plays(answered("") | {"request": "x", "rest": "y"}, answered("有 20 周。"))
    await chat.says("这个学期有几周？")
    assert [event.full_content for event in chat.of("text.ended")] == ["有 20 周。"]


async def test_a_version_that_knows_no_rest_reads_the_state_of_a_message_that_has_none() -> None:
    chat = Chat(world()).plays(answered("你好。"))
    await chat.says("你好")
    assert chat.world.document is not None
    assert "rest" not in chat.world.document["run"]

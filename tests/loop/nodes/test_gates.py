"""The phrases that decide without a model, and the rows of the resume table that end a goal."""

from __future__ import annotations

from typing import Any

import pytest

from agent.loop import phrases
from agent.loop.capacity.gate import OPTIONS
from agent.loop.capacity.scope import classes_to_build, wants_global, wants_partial, wants_refine
from agent.loop.outside.model import ModelError
from agent.loop.phrases import chosen_option, classes_named, language_of_message, says, writes_a_class
from agent.loop.state.agent_state import AgentState
from agent.loop.state.conversation import Turn
from tests.kits.loop.chat import DONE, Chat, build, execute, route, told, world
from tests.kits.loop.goals import built, narrow_world


def goal(message: str, *, scope: tuple[int, ...] = (5,), built_before: tuple[int, ...] = ()) -> AgentState:
    state = AgentState.fresh(conversation_id="c", user_id=1)
    state.run.turns = [Turn(role="user", text=message)]
    state.conversation.scope, state.draft.built = list(scope), list(built_before)
    return state


@pytest.mark.parametrize("phrase", phrases.DRAFT_ONLY)
def test_draft_only_beats_every_other_wish(phrase: str) -> None:
    state = goal(f"请{phrase}，再全局优化")
    state.run.refine = True
    assert wants_refine(state, [5]) is False


def test_a_first_build_is_refined_and_a_later_one_as_the_model_says() -> None:
    assert wants_refine(goal("排好"), [5]) is True
    again = goal("重新粗排", built_before=(5,))
    assert wants_refine(again, [5]) is False
    again.run.refine = True
    assert wants_refine(again, [5]) is True


@pytest.mark.parametrize("phrase", phrases.SECOND_BUILD)
def test_only_a_phrase_builds_a_class_again(phrase: str) -> None:
    assert classes_to_build(goal("排好", built_before=(5,))) == ([], False)
    assert classes_to_build(goal(f"{phrase}吧", built_before=(5,))) == ([5], True)
    assert classes_to_build(goal("排", scope=(5, 6), built_before=(5,))) == ([6], False)


@pytest.mark.parametrize("phrase", phrases.ACCEPT_PARTIAL)
def test_a_phrase_accepts_a_partial_plan(phrase: str) -> None:
    assert wants_partial(goal(phrase))
    assert not wants_partial(goal("全部排好"))


@pytest.mark.parametrize("phrase", phrases.GLOBAL)
def test_a_phrase_asks_for_a_look_at_the_whole_plan(phrase: str) -> None:
    assert wants_global(goal(phrase.upper()))


def test_messages_are_folded_before_they_are_compared() -> None:
    assert says("ＤＲＡＦＴ　ＯＮＬＹ", phrases.DRAFT_ONLY)
    assert not says("draft", phrases.DRAFT_ONLY)


def test_words_about_classes_are_recognised() -> None:
    assert writes_a_class("帮我新建一个任务类")
    assert writes_a_class("Create a study plan")
    assert not writes_a_class("看看任务类")


@pytest.mark.parametrize(
    ("message", "language"),
    [
        ("排好", "zh"),
        ("Plan it", "en"),
        ("把 Probability 排好", "zh"),
        ("12:30", "zh"),
        ('Move "期中真题两套与错题整理" to Sat 7-8', "en"),
        ("把「Chapter two of the book」挪到周六", "zh"),
        ("「期中」", "zh"),
        ("put 实现最小生成树与快速排序 on week 4 Tuesday", "en"),
        ("where is 性能测试与改进", "en"),
        ("plan 概率论", "zh"),
        ("ok", "zh"),
        ("把 Plan of the week 排进第四周", "zh"),
    ],
)
def test_the_language_is_that_of_the_letters(message: str, language: str) -> None:
    assert language_of_message(message) == language


@pytest.mark.parametrize(
    ("reply", "option"),
    [("expand_window", 0), ("扩大时间窗", 0), ("1", 0), ("选 2", 1), ("第3个", 2), ("4", None), ("周三", None)],
)
def test_an_option_is_named_by_id_label_or_number(reply: str, option: int | None) -> None:
    assert chosen_option(reply, OPTIONS) == (None if option is None else OPTIONS[option][0])


def test_classes_are_found_by_name() -> None:
    classes = [{"id": 5, "name": "概率论复习"}, {"id": 6, "name": "英语阅读"}]
    assert classes_named("先排英语阅读", classes) == [6]
    assert classes_named("全部重排", classes) == []
    assert classes_named("随便", classes) == []


@pytest.mark.parametrize(
    ("answer", "ids"),
    [
        ("概率论", [5]),
        ("那就英语吧", [6]),
        ("六级和概率论", [5, 7]),
        ("复习", []),
        ("the CET one please", [7]),
        ("论", []),
    ],
)
def test_an_answer_may_name_a_class_in_part(answer: str, ids: list[int]) -> None:
    classes = [{"id": 5, "name": "概率论复习"}, {"id": 6, "name": "英语阅读复习"}, {"id": 7, "name": "六级 CET 冲刺"}]
    assert classes_named(answer, classes) == ids


def test_everything_may_be_named_at_once() -> None:
    assert all(phrases.means_all(words) for words in ("all", "ALL ", "全部", "两门都排"))
    assert not phrases.means_all("small one")


async def test_cancelling_a_question_ends_the_goal() -> None:
    chat = await built()
    chat.plays(route("execute"), execute("ask_user", speak="哪一天？"))
    await chat.says("挪一下")
    end = await chat.answers("cancel")
    assert (end.run_status, end.code) == ("cancelled", "user_cancelled")
    assert told(chat) == ["S chat/cancelled", "T deliver.speak.1", "S deliver/done", "finish"]


async def test_cancelling_a_recovery_ends_the_goal_and_keeps_the_draft() -> None:
    chat = await built()
    before = chat.schedule
    chat.plays(route("execute"), ModelError("llm_timeout"))
    await chat.says("挪一下")
    end = await chat.answers("cancel")
    assert (end.run_status, end.code) == ("cancelled", "user_cancelled")
    assert chat.schedule == before


async def test_a_question_of_the_model_is_streamed_and_a_reply_is_evidence() -> None:
    chat = await built()
    chat.plays(route("execute"), execute("ask_user", speak="哪一天？"))
    await chat.says("挪一下")
    asked = chat.of("interrupt.raised")[0]
    assert (asked.question, asked.streamed) == ("哪一天？", True)
    assert told(chat)[-3:] == ["interrupt", "S interrupt/ask_user", "finish"]
    chat.plays(execute("done", goal_check="学生说不用了"), "好的。")
    end = await chat.answers("reply", "不用了")
    assert end.outcome == "completed"
    assert told(chat)[0] == "S chat/resumed"


@pytest.mark.parametrize(("way", "asks"), [("execute", execute("ask_user")), ("plan", {"action": "ask_user"})])
async def test_a_model_that_asks_without_words_asks_in_ours(way: str, asks: dict[str, Any]) -> None:
    chat = await built()
    chat.plays(route(way), asks)
    end = await chat.says("挪一下")
    asked = chat.of("interrupt.raised")[0]
    assert (asked.question, asked.streamed) == ("我还缺一点信息才能继续，可以再说说你的要求吗？", False)
    assert end.counts.auto_fix_attempts == 0


async def test_an_option_of_a_plan_question_is_a_choice_and_not_words() -> None:
    options = [{"id": "weekday", "label": "只用工作日"}]
    chat = await built()
    chat.plays(route("plan"), {"action": "ask_user", "speak": "周末可以吗？", "options": options})
    await chat.says("先给计划")
    chat.plays({"action": "ask_user", "speak": "还有呢？"})
    await chat.answers("reply", option="weekday")
    assert "用户：只用工作日" not in chat.messages[1]
    assert "学生选择了：只用工作日" in chat.messages[3]


async def test_dropping_a_class_frees_its_places_and_the_rest_is_built() -> None:
    start = narrow_world()
    start.classes.append({**start.classes[0], "id": 8, "name": "有机化学"})
    start.classes[1]["items"] = [{**item, "id": item["id"] + 100} for item in start.classes[0]["items"]]
    start.classes[0] = {**start.classes[0], "items": start.classes[0]["items"][:5], "total_slots": 10}
    chat = Chat(start).plays(build())
    end = await chat.says("两门都排进去，只要初稿", task_class_ids=(7, 8))
    assert end.code == "rough_build_pending_remaining"
    assert "先不排「有机化学」" in chat.of("text.ended")[0].full_content
    chat.plays("好了。")
    end = await chat.says("先不排「有机化学」")
    state = chat.world.state()
    assert state.conversation.scope == [7]
    assert chat.of("tool.started")[0].name == "smart_planning"
    assert [entry.status for entry in chat.schedule.items()] == ["suggested"] * 5


async def test_a_first_build_is_refined_even_if_it_is_called_a_rebuild() -> None:
    chat = Chat(world()).plays(build(), DONE, "好了。")
    await chat.says("从头排", task_class_ids=(5,))
    assert "S rough_build/rough_build_done" in told(chat)


ALL_WAYS = "可以：1 扩大时间窗 2 放宽限制 3 缩小范围 4 接受风险"


@pytest.mark.parametrize(("asked", "topic"), [(ALL_WAYS, "health"), ("哪天？", "")])
async def test_a_question_of_the_model_that_lists_the_options_is_answered_by_them(asked: str, topic: str) -> None:
    chat = Chat(narrow_world()).plays(build())
    await chat.says("排好", task_class_ids=(7,))
    chat.plays(route("execute"), execute("ask_user", speak=asked))
    end = await chat.says("全局优化一下")
    assert end.interaction is not None
    assert end.interaction.topic == topic
    chat.plays(execute("done", goal_check="好了"), "好了。")
    await chat.answers("message", "4")
    assert (chat.world.state().draft.accepted_risk is not None) == (topic == "health")

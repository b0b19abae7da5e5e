"""A loop that a bad model cannot hold: rounds, repeats, questions, time, the size of its log."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agent.calls.ports import WebFailure
from agent.loop.outside.limits import RunLimits
from tests.kits.loop.chat import DONE, LEFT, Chat, call, execute, route, told, world
from tests.kits.loop.goals import CLASS, built, last_item, moved

pytestmark = pytest.mark.usefixtures("each_backend")


async def test_a_model_that_moves_back_and_forth_ends_without_progress() -> None:
    chat = await built()
    item = last_item(chat)
    there = call("move", {"task_id": item.state_id, "new_day": 10, "new_slot_start": 9})
    back = call("move", {"task_id": item.state_id, "new_day": 10, "new_slot_start": item.slot.slot_start})
    chat.plays(route("execute"), *[there, back] * 30)
    end = await chat.says("来回挪", always_execute=True)
    assert (end.outcome, end.code) == ("exhausted", "no_progress")
    assert end.counts.total_iterations <= 13


@pytest.mark.parametrize(
    ("asked", "ended", "rounds"),
    [("看看", ("completed", ""), 5), ("把最后一次挪到晚上", ("aborted", "correction_exhausted"), 7)],
)
async def test_a_model_that_repeats_a_read_is_corrected_and_then_stopped(
    asked: str, ended: tuple[str, str], rounds: int
) -> None:
    """What was wished to be changed is not done by looking."""
    chat = await built()
    chat.plays(route("execute"), *[call("get_overview")] * (rounds if rounds == 5 else 30), "你有三项。")
    end = await chat.says(asked)
    assert (end.outcome, end.code) == ended
    assert [event.status for event in chat.of("tool.finished")] == ["done"] * 3
    assert end.counts.total_iterations == rounds
    assert [row.repeated for row in chat.world.state().run.calls] == [False, True, True]


async def test_a_model_that_repeats_what_it_wrote_ends_with_what_was_done() -> None:
    chat = await built()
    chat.plays(route("execute"), *[moved(chat)] * 3, "挪好了。")
    end = await chat.says("把最后一次挪到晚上", always_execute=True)
    assert (end.outcome, end.code, end.counts.auto_fix_attempts) == ("completed", "", 1)
    assert [event.status for event in chat.of("tool.finished")] == ["done"]
    assert chat.of("text.ended")[-1].full_content.startswith("挪好了。")


async def test_a_model_that_repeats_what_it_wrote_may_still_do_the_next_thing() -> None:
    chat = await built()
    chat.plays(route("execute"), moved(chat), moved(chat), call("get_overview"), DONE, "挪好了。")
    end = await chat.says("把最后一次挪到晚上", always_execute=True)
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 1)
    assert [event.status for event in chat.of("tool.finished")] == ["done", "done"]


@pytest.mark.parametrize(
    ("words", "outcome"), [("没有查到考试安排，网页打不开。", "completed"), ("考试在六月三日。", "aborted")]
)
async def test_words_that_nothing_was_found_stand_where_the_web_was_closed(words: str, outcome: str) -> None:
    chat = await built()

    async def fetch(url: str, *, max_chars: int) -> Any:
        raise WebFailure("web_blocked_url", reason="address")

    chat.world.tools["web_fetch"] = fetch
    done = {"action": "done", "speak": words, "goal_check": words}
    chat.plays(route("execute", context_hook={"domain": "schedule", "packs": ["web"]}))
    chat.plays(call("web_fetch", {"url": "http://10.0.0.1/"}), *[done] * 4, words)
    end = await chat.says("上网查一下期末考试时间")
    assert end.outcome == outcome
    assert [event.status for event in chat.of("tool.finished")] == ["blocked"]


async def test_a_model_that_always_asks_ends_within_its_questions() -> None:
    chat = await built()
    chat.plays(route("execute"), *[execute("ask_user", speak=f"第 {number} 个问题？") for number in range(1, 20)])
    end = await chat.says("排一下")
    for _ in range(5):
        assert end.outcome == "paused"
        end = await chat.answers("reply", "随便")
    end = await chat.answers("reply", "随便")
    assert (end.outcome, end.code) == ("aborted", "correction_exhausted")


async def test_the_same_question_is_asked_at_most_twice() -> None:
    chat = await built()
    chat.plays(route("execute"), *[execute("ask_user", speak="哪一天？")] * 3, call("get_overview"), LEFT, "好。")
    await chat.says("挪一下")
    await chat.answers("reply", "随便")
    end = await chat.answers("reply", "都行")
    assert end.outcome == "completed"
    assert end.counts.auto_fix_attempts == 1


async def test_the_rounds_of_a_goal_are_bounded_and_the_next_goal_has_its_own() -> None:
    chat = await built()
    chat.limits = RunLimits(rounds=5, idle_rounds=50)
    chat.plays(route("execute"), *[execute("continue", speak="再想想")] * 5, "先到这里。")
    end = await chat.says("想一想")
    assert (end.outcome, end.code, end.counts.total_iterations) == ("exhausted", "round_exhausted", 5)
    chat.plays(route("execute"), call("get_overview"), DONE, "好。")
    end = await chat.says("继续")
    assert end.outcome == "completed"
    assert chat.world.state().run.rounds == 2


async def test_six_idle_rounds_are_told_to_the_model() -> None:
    chat = await built()
    chat.plays(route("execute"), *[execute("continue")] * 10, "先停在这里。")
    await chat.says("想一想")
    hints = ["连续多轮没有新的结果" in request.messages[3]["content"] for request in chat.model.requests[-11:-1]]
    assert hints.index(True) == 5


async def test_a_goal_that_ran_out_of_rounds_is_summed_up_by_the_model() -> None:
    chat = await built()
    chat.limits = RunLimits(rounds=2, idle_rounds=50)
    chat.plays(route("execute"), *[execute("continue")] * 2, "先到这里，还差一步。")
    await chat.says("想一想")
    assert (
        chat.of("text.ended")[-1].full_content
        == "先到这里，还差一步。\n这次任务的步数用完了，先停在这里。继续说一声就可以接着做。"
    )
    assert chat.model.requests[-1].stage == "deliver"


async def test_questions_of_a_plan_count_with_those_of_its_rounds() -> None:
    chat = await built()
    chat.limits = RunLimits(questions=2)
    chat.plays(route("plan"), *[{"action": "ask_user", "speak": f"第 {n} 问？"} for n in (1, 2, 3)])
    chat.plays({"action": "plan_done", "steps": [{"content": "看", "done_when": "看到"}]})
    await chat.says("先给计划")
    await chat.answers("reply", "随便")
    end = await chat.answers("reply", "随便")
    assert (end.counts.auto_fix_attempts, chat.of("confirm.requested") != []) == (1, True)
    chat.plays(execute("ask_user", speak="再问一个？"), call("get_overview"), DONE, "好。")
    end = await chat.answers("approve")
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 1)


async def test_a_failed_write_is_not_repeated() -> None:
    chat = await built()
    wrong = call("move", {"task_id": last_item(chat).state_id, "new_day": 1, "new_slot_start": 1})
    chat.plays(route("execute"), wrong, wrong, call("get_overview"), DONE, "没挪成。")
    end = await chat.says("挪到第一天", always_execute=True)
    assert end.outcome == "completed"
    assert "repeated_call" in chat.model.requests[-3].messages[3]["content"]
    assert [event.status for event in chat.of("tool.finished")] == ["failed", "done"]


async def test_a_place_that_one_queued_task_could_not_take_is_open_to_the_next() -> None:
    chat = await built()
    late = call("queue_apply_head_move", {"new_day": 14, "new_slot_start": 11})
    chat.plays(route("execute", context_hook={"domain": "schedule", "packs": ["queue"]}))
    chat.plays(call("query_target_tasks", {"enqueue": True}), call("queue_pop_head"), late, late)
    for _ in range(2):
        chat.plays(call("queue_skip_head"), call("queue_pop_head"))
    chat.plays(late, DONE, "好。")
    end = await chat.says("逐个往后挪", always_execute=True)
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 1)
    moves = [event.status for event in chat.of("tool.finished") if event.name == "queue_apply_head_move"]
    assert moves == ["failed", "done"]


async def test_a_class_that_could_not_be_stored_may_be_written_again() -> None:
    chat = Chat(world())
    write, refusals = chat.world.upsert_task_class, iter([OSError("the database is gone")])

    async def flaky(values: Any, *, call_id: str) -> Any:
        for refusal in refusals:
            raise refusal
        return await write(values, call_id=call_id)

    chat.world.tools = {"upsert_task_class": flaky}
    chat.plays(route("execute", context_hook={"domain": "taskclass", "packs": []}))
    chat.plays(*[call("upsert_task_class", CLASS)] * 2, DONE, "好。")
    end = await chat.says("新建一个任务类", always_execute=True)
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 0)
    assert [event.error_code for event in chat.of("tool.finished")] == ["persist_failed", ""]
    assert len(chat.world.classes) == 2


async def test_a_class_is_made_once_by_a_model_that_makes_it_again_in_other_words() -> None:
    chat = Chat(world()).plays(route("execute", context_hook={"domain": "taskclass", "packs": []}))
    again = {**CLASS, "items": [{"content": name} for name in ("行列式与矩阵", "特征值")]}
    chat.plays(call("upsert_task_class", CLASS), call("upsert_task_class", CLASS), call("upsert_task_class", again))
    await chat.says("新建任务类「线性代数复习」")
    chat.plays("建好了。")
    end = await chat.answers("approve")
    assert (end.outcome, end.code, end.counts.auto_fix_attempts) == ("completed", "", 1)
    assert "confirm" not in told(chat)
    made = [row for row in chat.world.classes if row["name"] == "线性代数复习"]
    assert [len(row["items"]) for row in made] == [6]
    prompts = [request.messages[-1]["content"] for request in chat.model.requests]
    assert sum(f"要改它就带上 id {made[0]['id']}" in prompt for prompt in prompts) >= 1


async def test_a_class_that_was_made_and_is_changed_then_has_a_card_of_its_own() -> None:
    chat = Chat(world()).plays(route("execute", context_hook={"domain": "taskclass", "packs": []}))
    chat.plays(call("upsert_task_class", CLASS))
    chat.plays(lambda request: call("upsert_task_class", {"id": 6, "task_class": {"end_date": "2026-04-05"}}))
    await chat.says("新建任务类「线性代数复习」")
    end = await chat.answers("approve")
    assert (end.outcome, told(chat).count("confirm")) == ("paused", 1)


async def test_a_class_that_can_never_be_stored_ends_without_progress() -> None:
    chat = Chat(world())

    async def gone(values: Any, *, call_id: str) -> Any:
        raise OSError("the database is gone")

    chat.world.tools = {"upsert_task_class": gone}
    chat.plays(route("execute", context_hook={"domain": "taskclass", "packs": []}))
    chat.plays(*[call("upsert_task_class", CLASS)] * 20)
    end = await chat.says("新建一个任务类", always_execute=True)
    assert (end.outcome, end.code, end.counts.total_iterations) == ("exhausted", "no_progress", 10)


async def test_the_run_deadline_ends_the_goal_as_exhausted() -> None:
    chat = await built()
    ticks = iter(range(0, 100_000, 400))
    chat.plays(route("execute"), *[call("get_overview")] * 3)
    deps_of = chat.world.deps
    chat.world.deps = lambda *args, **more: replace(deps_of(*args, **more), timer=lambda: next(ticks))  # type: ignore[method-assign]
    end = await chat.says("看看")
    assert (end.outcome, end.code) == ("exhausted", "run_deadline")
    assert "deliver" not in [request.stage for request in chat.model.requests[2:]]
    assert chat.of("text.ended")[-1].full_content


async def test_the_stored_log_of_a_long_goal_is_bounded() -> None:
    chat = await built()
    chat.limits = RunLimits(rounds=58, idle_rounds=100)
    pages = [call("query_range", {"day": 1 + n % 14, "slot_start": 1 + n // 14, "slot_end": 12}) for n in range(56)]
    chat.plays(route("execute"), *pages, DONE, "看完了。")
    end = await chat.says("逐天看看")
    assert end.outcome == "completed"
    calls = chat.world.state().run.calls
    assert len(calls) == 56
    assert [bool(row.data) for row in calls].count(True) == 24

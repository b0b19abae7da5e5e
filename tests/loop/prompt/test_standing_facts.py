"""What a model is told beside the request: it knows the hours, the exams, the wishes, and what was there before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, time

from agent.loop.prompt.standing_facts import clock_line, wish_lines
from schedules.planner.facts import EventFact, Facts
from schedules.planner.grid import day_number
from schedules.planner.soft_limits import SoftLimit
from tests.kits.loop.chat import DONE, REGISTRY, Chat, call, route, world
from tests.kits.loop.goals import MOVE, built, drag, last_item, moved
from tests.kits.loop.world import CALENDAR, course

TAKE_BACK = "还是刚才那样好，改回去"
CHANGED = "之前的任务改过"


def facts(chat: Chat, beginning: str) -> str:
    """The line of the last message that begins so; empty without one."""
    lines = chat.messages[-1].split("\n")
    return next((line for line in lines if line.startswith(beginning)), "")


async def test_sections_are_told_with_their_hours_in_every_stage() -> None:
    chat = Chat(world()).plays(route("execute"), call("get_overview"), DONE, "好。")
    await chat.says("晚上七点以后有空吗？")
    told = [request.messages[-1]["content"] for request in chat.model.requests]
    assert len(told) == 4
    assert all("每节 45 分钟：1=08:00 " in words and " 9=19:00 " in words for words in told)


def test_sections_of_unlike_lengths_are_told_with_their_ends() -> None:
    times = ((time(8), time(8, 45)), (time(9), time(10, 30)))
    assert clock_line(replace(CALENDAR, section_times=times)) == "各节时间：1=08:00-08:45 2=09:00-10:30。"


async def test_exams_within_the_days_of_the_draft_are_told_with_their_dates() -> None:
    chat = await built()
    exam = replace(course(90, "高数期中", day_number(3, 5), 9, 10), type="exam")
    chat.world.events.append(exam)
    chat.world.base_version += 1
    chat.plays(route("direct_reply", speak="3 月 20 日。"))
    await chat.says("高数什么时候考？")
    assert facts(chat, "时间窗内的考试") == "时间窗内的考试：高数期中 2026-03-20（第3周周五）9-10节"


async def test_exams_that_are_over_take_no_room_of_those_to_come() -> None:
    chat = await built()
    over = [replace(course(90 + at, f"小测{at}", day_number(3, 2), at, at), type="exam") for at in range(1, 9)]
    ahead = replace(course(99, "高数期中", day_number(3, 5), 9, 10), type="exam")
    chat.world.events += [*over, ahead]
    chat.world.base_version += 1
    chat.world.now = datetime(2026, 3, 18, 4, 0, tzinfo=UTC)
    chat.plays(route("direct_reply", speak="3 月 20 日。"))
    await chat.says("下一门考什么？")
    assert facts(chat, "时间窗内的考试") == "时间窗内的考试：高数期中 2026-03-20（第3周周五）9-10节"


async def test_wishes_are_told_in_words_and_by_the_names_of_classes() -> None:
    chat = Chat(world(wishes=[SoftLimit("light_weekday", 7), SoftLimit("earliest_section", 3, class_id=5)]))
    chat.plays(route("execute", needs_rough_build=True), "排好了。", route("direct_reply", speak="有两条。"))
    await chat.says("把概率论复习排好，只要初稿", task_class_ids=(5,))
    await chat.says("我定过哪些愿望？")
    told = facts(chat, "学生记下的愿望")
    assert "周日少排学习任务" in told
    assert "「概率论复习」不早于第3节" in told


async def test_what_counts_as_missed_is_told_by_name() -> None:
    chat = await built()
    missed, late = list(chat.schedule.items())[:2]
    facts_of = chat.world.load_facts

    async def standing(class_ids: Sequence[int]) -> Facts:
        """The rows once both stand on the timetable."""
        found = await facts_of(class_ids)
        rows = [
            replace(row, items=tuple(replace(item, applied=True) for item in row.items)) for row in found.task_classes
        ]
        events = [
            EventFact(900 + entry.source_id, entry.name, "task", entry.source_id, False, chat.schedule.place_of(entry))
            for entry in (missed, late)
        ]
        return replace(found, base_version=9, events=(*found.events, *events), task_classes=tuple(rows))

    async def missed_items(item_ids: Sequence[int]) -> list[int]:
        return [one for one in item_ids if one == missed.source_id]

    chat.world.load_facts = standing  # type: ignore[method-assign]
    chat.world.tools["missed_items"] = missed_items
    chat.plays(route("direct_reply", speak="漏了一项。"))
    await chat.says("我漏了哪几项？")
    told = facts(chat, "时间已过、算作没做的")
    assert told == f"时间已过、算作没做的 1 项：[{missed.state_id}]「{missed.name}」"


async def test_what_the_goal_before_moved_is_told_with_where_it_was() -> None:
    chat = await built()
    item = last_item(chat)
    chat.plays(route("execute"), moved(chat), DONE, "挪好了。", route("direct_reply", speak="好。"))
    await chat.says("把最后一次挪到晚上", always_execute=True)
    await chat.says(TAKE_BACK)
    told = facts(chat, CHANGED)
    assert f"[{item.state_id}]「{item.name}」第{item.slot.day}天" in told
    assert f"{item.slot.slot_start}-{item.slot.slot_end}节 → 第{MOVE['new_day']}天" in told
    back = call("move", {"task_id": item.state_id, "new_day": item.slot.day, "new_slot_start": item.slot.slot_start})
    chat.plays(route("execute"), back, DONE, "改回去了。", route("direct_reply", speak="好。"))
    await chat.says(TAKE_BACK, always_execute=True)
    assert last_item(chat).slots == item.slots


async def test_what_stands_elsewhere_by_now_is_not_told() -> None:
    chat = await built()
    chat.plays(route("execute"), moved(chat), DONE, "挪好了。", route("direct_reply", speak="好。"))
    await chat.says("把最后一次挪到晚上", always_execute=True)
    chat.world.drag(drag(last_item(chat), 10, 11))
    await chat.says(TAKE_BACK)
    assert facts(chat, CHANGED) == ""


async def test_what_a_first_plan_placed_is_told() -> None:
    chat = await built()
    chat.plays(route("direct_reply", speak="好。"))
    await chat.says("再说说")
    assert facts(chat, CHANGED).count("→") == 3


async def test_values_of_a_class_are_told_as_they_were() -> None:
    chat = await built()
    change = {"id": 5, "task_class": {"end_date": "2026-04-05"}}
    chat.plays(route("execute", context_hook={"domain": "taskclass", "packs": []}), call("upsert_task_class", change))
    chat.plays(DONE, "改好了。", route("direct_reply", speak="好。"))
    await chat.says("概率论复习延到 4 月 5 日", always_execute=True)
    await chat.says(TAKE_BACK)
    assert '任务类 5 的 end_date "2026-03-29" → "2026-04-05"' in facts(chat, CHANGED)


async def test_of_two_goals_that_changed_something_the_last_one_is_told() -> None:
    chat = await built()
    change = {"id": 5, "task_class": {"end_date": "2026-04-05"}}
    chat.plays(route("execute", context_hook={"domain": "taskclass", "packs": []}), call("upsert_task_class", change))
    chat.plays(DONE, "改好了。", route("execute"), moved(chat), DONE, "挪好了。", route("direct_reply", speak="好。"))
    await chat.says("概率论复习延到 4 月 5 日", always_execute=True)
    await chat.says("把最后一次挪到晚上", always_execute=True)
    await chat.says(TAKE_BACK)
    told = facts(chat, CHANGED)
    assert f"「{last_item(chat).name}」" in told
    assert "end_date" not in told


async def test_a_prompt_that_was_shortened_tells_whose_a_wish_is() -> None:
    wishes = [SoftLimit("earliest_section", 3, class_id=5), SoftLimit("earliest_section", 5, class_id=9)]
    chat = await built(wishes=wishes)
    [told] = wish_lines(chat.world.state(), chat.world.deps(chat.model, REGISTRY), [])
    assert "「概率论复习」不早于第3节；「任务类 9」不早于第5节" in told


async def test_long_names_are_cut() -> None:
    chat = await built()
    item = last_item(chat)
    chat.plays(route("execute"), moved(chat), DONE, "挪好了。", route("direct_reply", speak="好。"))
    await chat.says("把最后一次挪到晚上", always_execute=True)
    for row in chat.world.classes[0]["items"]:
        row["content"] = f"{row['content']}：{'很长的说明' * 30}"
    exam = replace(course(90, "高数期中" * 40, day_number(3, 5), 9, 10), type="exam")
    chat.world.events.append(exam)
    chat.world.base_version += 1
    await chat.says(TAKE_BACK)
    told = facts(chat, CHANGED), facts(chat, "时间窗内的考试")
    assert f"「{item.name}：" in told[0]
    assert all("…" in line and len(line) < 150 for line in told)

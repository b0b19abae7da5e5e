"""What keeps items away, or where they are, is told to a model that looks at the draft: days off, time kept free, the
student's own places, exams."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from agent.calls.ports import Ports
from schedules.planner.draft.load import load_state
from schedules.planner.draft.operations import PlaceOp
from schedules.planner.draft.state import ScheduleState, with_keeping
from schedules.planner.facts import EventFact, Facts
from schedules.planner.grid import Place
from tests.kits.tools.world import FIRST, GRID, call, draft, facts

OFF, KEPT = FIRST + 5, FIRST + 6
SHUT = replace(GRID, closed_days=frozenset({OFF}), kept_free=frozenset((KEPT, section) for section in (5, 6, 7, 8)))


def shut_draft() -> ScheduleState:
    state = draft()
    return replace(state, semester=replace(state.semester, grid=SHUT))


async def observation(name: str, arguments: dict[str, object], state: ScheduleState, **more: object) -> str:
    _, result = await call(name, arguments, state, **more)
    return result.observation_text


async def test_a_day_off_and_time_kept_free_are_told_where_nobody_is() -> None:
    lines = (await observation("get_overview", {}, shut_draft())).split("\n")
    assert "第6天（第3周 周六）：占用0/12，课程0，任务0，放假，不排任务" in lines
    assert "第7天（第3周 周日）：占用0/12，课程0，任务0，留空5-8节" in lines
    assert (await observation("query_range", {"day": 6}, shut_draft())).endswith("空闲12，占用0，放假，不排任务。")
    assert (await observation("query_range", {"day": 7}, shut_draft())).endswith("空闲12，占用0，留空5-8节。")


async def test_the_timetable_tells_a_day_off() -> None:
    async def load_facts(class_ids: Sequence[int]) -> Facts:
        return replace(facts(), grid=SHUT)

    told = await observation(
        "query_timetable", {"week_from": 3, "week_to": 3}, shut_draft(), ports=Ports(load_facts=load_facts)
    )
    assert "第3周周六：课程0节，任务0节，空闲12节，放假，不排任务" in told


async def test_an_exam_is_named_on_its_day() -> None:
    exam = EventFact(90, "高数期中", "exam", None, False, Place(FIRST + 3, 9, 2))
    told = await observation("get_overview", {}, load_state(facts(extra=(exam,)), scope=(5, 6), now=(FIRST, 1)))
    assert "高数期中(固定,9-10节)" in next(line for line in told.split("\n") if line.startswith("第4天"))


async def test_what_the_student_keeps_in_place_and_has_marked_is_told_of_the_item() -> None:
    state = draft()
    pinned, by_hand = state.task(5), state.task(6)
    assert pinned is not None
    assert by_hand is not None
    kept = with_keeping(state, {pinned.source_id: (True, False), by_hand.source_id: (False, True)})
    listed = await observation("list_tasks", {}, kept)
    assert listed.count("学生钉住的，不动") == listed.count("学生自己放的，不动") == 1
    assert "学生钉住的，不动" in await observation("get_task_info", {"task_id": 5}, kept)
    assert "不动" not in await observation("list_tasks", {}, PlaceOp(7, 10, 3).apply(state))


async def test_the_card_of_the_timetable_names_them_in_the_language_of_the_student() -> None:
    async def load_facts(class_ids: Sequence[int]) -> Facts:
        return replace(facts(), grid=SHUT)

    ports = Ports(load_facts=load_facts)
    _, result = await call("query_timetable", {"week_from": 3, "week_to": 3}, shut_draft(), ports=ports, locale="en")
    told = json.dumps(result.result_view["expanded"]["items"], ensure_ascii=False)
    assert "Holiday: 12 periods free" in told
    assert "Kept free" in told
    assert "留空" not in told

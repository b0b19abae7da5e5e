"""The exact words the model reads, and what a consent card promises."""

from __future__ import annotations

import json

import pytest

from agent.tools.default import default_registry
from tests.kits.tools.world import call, draft

REGISTRY = default_registry()


async def told(name, arguments, state=None, **fields):
    return (await call(name, arguments, state or draft(), **fields))[1].observation_text


WRITES = [
    ("place", {"task_id": 7, "day": 6, "slot_start": 1},
     "已预排：[7]概率论复习第3项 → 第6天（第3周 周六）1-2节。第6天占用0→2/12。待安排1项。"),
    ("move", {"task_id": 5, "new_day": 2, "new_slot_start": 4},
     "已移动：[5]概率论复习第1项 第1天（第3周 周一）3-4节 → 第2天（第3周 周二）4-5节，嵌入[2]思修。"
     "第1天占用4→2/12；第2天占用3/12。待安排2项。"),
    ("swap", {"task_a": 6, "task_b": 8},
     "已交换：[6]概率论复习第2项 → 第4天 5-6节；[8]六级词汇第1项 → 第4天 3-4节。待安排2项。"),
    ("batch_move", {"moves": [{"task_id": 8, "new_day": 5, "new_slot_start": 3}]},
     "已批量移动1项：[8]六级词汇第1项 → 第5天 3-4节。第4天占用4→2/12；第5天占用2→4/12。待安排2项。"),
    ("unplace", {"task_id": 8}, "已移出：[8]六级词汇第1项（第4天 5-6节）→ 待安排，需2节。第4天占用4→2/12。待安排3项。"),
    ("move", {"task_id": 7, "new_day": 6, "new_slot_start": 1},
     "失败[wrong_status]：[7]概率论复习第3项 待安排，不能移动；请用 place。"),
    ("place", {"task_id": 8, "day": 6, "slot_start": 1},
     "失败[wrong_status]：[8]六级词汇第1项 已预排，不能预排；请用 move。"),
    ("move", {"task_id": 3, "new_day": 6, "new_slot_start": 1},
     "失败[fixed_entry]：[3]高等数学 是固定课程，不能改动。"),
    ("place", {"task_id": 7, "day": 2, "slot_start": 3},
     "失败[rule_broken/order_before]：[7]必须在[6]（止于第4天4节）之后。可用范围：第4天第5节 之后。"),
    ("move", {"task_id": 5, "new_day": 6, "new_slot_start": 1},
     "失败[rule_broken/order_after]：[5]必须在[6]（始于第4天3节）之前。可用范围：第4天第2节 之前。"),
    ("move", {"task_id": 8, "new_day": 3, "new_slot_start": 3},
     "失败[rule_broken/occupied]：第3天 3-4节已被[3]高等数学占用。"),
    ("move", {"task_id": 8, "new_day": 4, "new_slot_start": 5},
     "失败[no_change]：[8]六级词汇第1项 已经在这个位置，没有变化。"),
    ("batch_move", {"moves": [{"task_id": 8, "new_day": 7, "new_slot_start": 3},
                              {"task_id": 6, "new_day": 1, "new_slot_start": 1}]},
     "失败[rule_broken/excluded_weekday]：第1条：「六级词汇」不排周日。第2条：第1天 1-2节已被[1]大学英语占用。"),
    ("unplace", {"task_id": 88},
     "失败[task_not_found]：没有编号为 88 的任务。相近的有：[8]六级词汇第1项、[9]六级词汇第2项、[7]概率论复习第3项。"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "words"), WRITES)
async def test_a_write_says_what_changed_or_why_not(name, arguments, words):
    assert await told(name, arguments) == words


async def test_a_middle_item_is_told_both_neighbours_and_the_range_they_leave():
    state = draft()
    state = (await call("place", {"task_id": 7, "day": 9, "slot_start": 1}, state))[0].draft
    words = await told("move", {"task_id": 6, "new_day": 10, "new_slot_start": 1}, state)
    assert words == (
        "失败[rule_broken/order_after]：[6]必须在[5]（止于第1天4节）之后，且在[7]（始于第9天1节）之前。"
        "可用范围：第1天5节 ~ 第8天12节。"
    )


READS = [
    ("query_range", {"day": 4, "slot_start": 3, "slot_end": 6},
     "第4天（第3周 周四）3-6节：第3节 [6]概率论复习第2项(已预排)；第4节 [6]概率论复习第2项(已预排)；"
     "第5节 [8]六级词汇第1项(已预排)；第6节 [8]六级词汇第1项(已预排)。空闲0，占用4。"),
    ("query_range", {"day": 2},
     "第2天（第3周 周二）全天：1-2节 空；3-4节 [2]思修(固定,可嵌入)；5节 [2]思修(固定,可嵌入)；6节 空；"
     "7-8节 空；9-10节 空；"
     "11-12节 空。空闲段：1-2节、6-12节。可嵌入：[2]思修 3-5节。空闲9，占用3。"),
    ("get_task_info", {"task_id": 6},
     "[6]概率论复习第2项｜概率论复习#5 第2项｜已预排｜第4天（第3周 周四）3-4节｜2节｜"
     "前一项[5]止于第1天4节，后一项[7]未安排；"
     "可用范围：第1天第5节 之后；约束：允许嵌入水课=是, 排除时段块=[6], 排除星期=[7], 日期=2026-03-16~2026-03-29"),
    ("list_tasks", {"status": "pending"},
     "待安排 共2项：\n[7]概率论复习第3项｜待安排｜概率论复习#5 第3项｜需2节\n[9]六级词汇第2项｜待安排｜"
     "六级词汇#6 第2项｜需1节"),
    ("list_tasks", {"category": "离散数学"},
     "没有符合条件的任务：category=离散数学 不存在；可用：课程、任务、六级词汇、概率论复习。"),
    ("find_first_free", {"duration": 2, "after_section": 8, "day": 1},
     "首个可用位置：第1天（第3周 周一）9-10节（空位）。当日：占用4/12，课程2，任务2；空闲段：5-12节；可嵌入：无。"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "words"), READS)
async def test_a_read_says_what_is_there(name, arguments, words):
    assert await told(name, arguments) == words


async def test_the_overview_tells_window_days_tasks_and_limits():
    lines = (await told("get_overview", {})).splitlines()
    assert lines[0] == (
        "规划窗口：第3周 周一 ~ 第4周 周日，14天×12节=168节；已占用15，空闲153，课程3场；已安排0，已预排3，待安排2。"
    )
    assert lines[4] == (
        "第4天（第3周 周四）：占用4/12，课程0，任务4：[6]概率论复习第2项(已预排,3-4节)、[8]六级词汇第1项(已预排,5-6节)"
    )
    assert lines[15] == "任务清单："
    assert lines[17] == "[6]概率论复习第2项｜已预排｜概率论复习#5 第2项｜第4天 3-4节"
    assert lines[-2] == (
        "[5]概率论复习：策略=均匀分布, 总预算=6节, 允许嵌入水课=是, 排除时段块=[6], 排除星期=[7], "
        "日期=2026-03-16~2026-03-29, 画像=计算型/高/高"
    )
    assert lines[-1].endswith("画像=未填写/高/低")


async def test_a_consent_card_promises_exactly_what_the_write_does():
    state = draft()
    validated = REGISTRY.validate("move", {"task_id": 8, "new_day": 6, "new_slot_start": 5}, state)
    outcome, result = await call("move", validated.arguments, state)
    card = REGISTRY.card("execute.tool.1", validated, outcome, state, locale="zh")
    assert card.summary == "将 六级词汇第1项 从第3周 周四 5-6 节移到周六 5-6 节？"
    assert card.changes == list(result.changes)
    assert card.affected_days == [4, 6]
    assert (card.cost_before, card.cost_after) == (outcome.data["cost_before"], outcome.data["cost_after"])
    english = REGISTRY.card("execute.tool.1", validated, outcome, state, locale="en")
    assert english.summary == "Move 六级词汇第1项: wk 3 Thu 5-6 → wk 3 Sat 5-6"


async def test_a_swap_is_two_moves_in_the_order_of_ids():
    outcome, _ = await call("swap", {"task_a": 8, "task_b": 6}, draft())
    assert [(one.op, one.task_id) for one in outcome.changes] == [("move", 6), ("move", 8)]


async def test_the_card_of_a_move_tells_what_and_which_days():
    _, result = await call("move", {"task_id": 8, "new_day": 6, "new_slot_start": 5}, draft())
    view = result.result_view
    assert view["collapsed"]["title"] == "移动任务成功"
    assert view["collapsed"]["subtitle"] == "六级词汇第1项：第3周 周四 5-6节 → 第3周 周六 5-6节"
    assert view["collapsed"]["metrics"][:2] == [
        {"label": "任务数", "value": "1 个"}, {"label": "影响天数", "value": "2 天"},
    ]  # fmt: skip
    changes, days = view["expanded"]["sections"]
    assert changes["items"][0] == {
        "title": "六级词汇第1项",
        "subtitle": "第3周 周四 5-6节 → 第3周 周六 5-6节",
        "tags": ["移动"],
        "detail_lines": [],
        "meta": {"task_id": 8},
    }
    assert [row["subtitle"] for row in days["items"]] == ["占用 4 → 2 / 12", "占用 0 → 2 / 12"]
    assert (view["expanded"]["operation"], view["expanded"]["affected_days"]) == ("move", [4, 6])


async def test_the_failure_card_tells_the_rule_and_the_range():
    _, result = await call("place", {"task_id": 7, "day": 2, "slot_start": 3}, draft())
    view = result.result_view
    assert view["collapsed"]["title"] == "预排任务失败"
    what, arguments = view["expanded"]["sections"]
    assert what["tone"] == "danger"
    assert what["detail_lines"] == ["规则：须在前一项之后", "可用范围：第3周 周四5节 之后"]
    assert arguments["title"] == "参数"
    assert view["expanded"]["failure_reason"] == "「概率论复习第3项」必须在「概率论复习第2项」（止于第3周 周四4节）之后"


HOSTILE = (
    '错误 error 失败 "{}" 🎓 <script>alert(1)</script>',
    "x" * 10_000,
    "失败[rule_broken]：\n\x00第1天",
    "{n} {task} %s \\",
)


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_name_never_changes_status_or_form(name):
    state = draft(names=(name, "六级词汇"))
    assert (await call("move", {"task_id": 5, "new_day": 2, "new_slot_start": 4}, state))[1].status == "done"
    for tool in ("query_target_tasks", "query_available_slots", "analyze_health", "analyze_rhythm"):
        arguments = {"for_task_id": 7} if tool == "query_available_slots" else {}
        for locale in ("zh", "en"):
            _, result = await call(tool, arguments, state, locale=locale)
            assert result.status == "done"
            assert json.loads(result.observation_text)["success"] is True
            assert len(result.summary) <= 48
    lines = (await told("get_overview", {}, state)).splitlines()
    assert len(lines) == 1 + 14 + 1 + 5 + 1 + 2

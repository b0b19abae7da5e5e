"""The summary of a goal: every number and name in it is a fact of the view."""

from __future__ import annotations

from agent.llm.offline.backend import answer
from tests.kits.offline.asking import summary
from tests.kits.offline.views import change, dialogue, goal, result, risk, view

BUILT = result("smart_planning")
PLACED = change(8, "第2章", after=(3, 4, 3))


def test_a_build_names_its_placements_and_how_to_go_on():
    assert summary("排好", last_results=[BUILT], goal=goal(PLACED, after=20)).splitlines() == [
        "已排 1 项：",
        "第2章：第3周 周四 3-4节",
        "可以在周课表里查看和拖动，满意了就点「应用到课表」。",
    ]


def test_an_improvement_tells_by_how_much():
    moved = result("move", data={"cost_before": 254, "cost_after": 124})
    told = summary("排好", last_results=[BUILT, result("analyze_health"), moved], goal=goal(PLACED, after=124))
    assert "整体安排比之前好了不少，微调 1 次。" in told


def test_what_was_left_out_is_named_with_the_gap_that_was_accepted():
    told = summary(
        "能排多少排多少",
        last_results=[BUILT],
        goal=goal(PLACED, after=20, left=["第8章", "第9章"]),
        accepted_risk=risk(4),
    )
    assert told.startswith("已排 1 项；未排：第8章、第9章（缺 4 节，你已接受）")


def test_a_draft_only_build_says_that_nothing_was_optimised():
    told = summary("Plan it, draft only", locale="en", last_results=[BUILT], goal=goal(PLACED, after=20))
    assert told.splitlines()[0] == "1 step placed on wk 3 Thu; a first draft, not optimised yet."


def test_a_move_tells_from_where_to_where():
    told = summary("移动", goal=goal(change(8, "第2章", before=(3, 4, 3), after=(3, 3, 5)), before=20, after=21))
    assert told.splitlines()[:2] == ["第2章：第3周 周四 3-4节 → 第3周 周三 5-6节", "整体安排比之前差了一些。"]


def test_a_plan_of_another_class_than_before_is_no_comparison():
    written = result("upsert_task_class", data={"task_class_id": 5})
    moved = change(8, "第2章", before=(3, 4, 3), after=(3, 3, 5))
    told = summary("加一章", last_results=[written, result("replan")], goal=goal(moved, before=20, after=40))
    assert "比之前" not in told


def test_what_could_not_be_improved_is_told():
    decision = {
        "is_forced_imperfection": True,
        "primary_issue_id": "issue_load_overfull_day_8",
        "problem_scope": {"day_range": [8]},
    }
    verdict = {"verdict": "close", "stale": False, "decision": decision}
    told = summary("排好", last_results=[BUILT], goal=goal(PLACED, after=20), verdict=verdict)
    assert "还有一处没有找到更好的安排：当天安排过满（第4周 周一）。" in told


def test_the_price_of_unplaced_items_is_no_comparison():
    cost = {"total": 20_000_016, "parts": {"unplaced": 20_000_000}}
    told = summary("移出", goal=goal(change(8, "第2章", before=(3, 4, 3)), before=20) | {"cost_after": cost})
    assert "整体安排" not in told


def test_a_check_up_without_changes_tells_its_result():
    verdict = {"verdict": "close", "stale": False, "decision": {"is_forced_imperfection": False}}
    told = summary("体检", last_results=[result("analyze_health")], goal=goal(after=20), verdict=verdict)
    holds, checked = told.splitlines()
    assert holds.startswith("还差一些，一共 4 项里：1 项没有位置（第3章 大数定律）。")
    assert checked == "体检完成：没有一步就能变好的改动。要整个重新排，请说「重新粗排」。"


def test_a_new_class_is_told_with_the_next_step():
    written = result("upsert_task_class", {"task_class": {"name": "英语"}}, data={"created": True, "task_class_id": 9})
    assert summary("新建", last_results=[written]) == "任务类「英语」已创建。要排进课表，请说「把英语排好」。"


def test_nothing_done_is_said_to_be_nothing():
    assert summary("算了") == "没有改动。"


def test_an_old_conversation_shrinks_to_its_first_and_last_request():
    said = dialogue("一" * 200, {"speak": "好"}, "再见")
    told = answer(view("再见", stage="compact", dialogue=said))
    assert told.splitlines() == [f"最早的要求：{'一' * 120}", "最近的要求：再见", "共 2 次发言。"]


def test_an_old_conversation_shrinks_whole_where_the_present_request_needs_none_of_it():
    request = "排一下线性代数"
    said = dialogue("概率论复习排一下", {"speak": "好"}, request)
    told = answer(view(request, stage="compact", dialogue=said))
    assert told.splitlines() == ["最早的要求：概率论复习排一下", f"最近的要求：{request}", "共 2 次发言。"]

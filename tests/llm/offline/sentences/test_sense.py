"""What a student would call silly: these answers make sense instead."""

from __future__ import annotations

import pytest

from agent.llm.offline.goals.items.obstacles import rank_rules
from agent.llm.offline.language.spans.classes.item_list import items_of
from tests.kits.offline.asking import REQUEST, WEDNESDAY, answered, called
from tests.kits.offline.asking import summary as told_by_deliver
from tests.kits.offline.views import BASE, chat, decide, dialogue, execute, result, shortage, task, view

PLACES = [
    {"day": day, "week": 3, "day_of_week": day, "slot_start": 5, "slot_end": 6, "slot_type": "empty"}
    for day in (1, 2, 3, 4, 5)
]


def looked_up(state_id=8, **data):
    return result("query_available_slots", {"for_task_id": state_id}, data={"slots": PLACES, **data})


def nothing(**blocked):
    """No room on the Wednesday of the item's own week, nor on any other."""
    hours = {"section_from": 5, "section_to": 8}
    asked = (WEDNESDAY, {"for_task_id": 8, "day_of_week": [3], **hours})
    return [result("find_first_free", one, data={"found": False, "blocked_by": blocked}) for one in asked]


def test_a_place_that_is_refused_is_told_with_the_rule():
    decision = execute(REQUEST, last_results=[*nothing(occupied=9, excluded_weekday=2), looked_up()])
    assert decision["speak"].startswith("那个时间放不下：那个位置已被占用。第2章 随机变量 可以放在：")


def test_an_empty_place_that_only_the_order_forbids_is_not_called_taken():
    decision = execute(
        REQUEST, last_results=[*nothing(occupied=9, order_before=2, outside_class_window=30), looked_up()]
    )
    assert decision["speak"].startswith(
        "那个时间放不下：第2章 随机变量必须排在第1章 随机事件（第3周 周二 3-4节）之后。第2章 随机变量 可以放在："
    )


def test_time_that_was_never_to_be_used_decides_only_alone():
    assert rank_rules({"outside_class_window": 40, "occupied": 2, "excluded_block": 3}) == [
        "excluded_block",
        "occupied",
        "outside_class_window",
    ]


def test_a_second_wish_for_other_times_shows_other_places():
    rows = [*nothing(), looked_up()]
    first = execute(REQUEST, last_results=rows)
    again = execute(REQUEST, "别的时间", last_results=rows, dialogue=dialogue(REQUEST, first))
    assert all(f"第3周 周{day}" in first["speak"] for day in "二三四")
    assert all(f"第3周 周{day}" in again["speak"] for day in "一五")
    shown = dialogue(REQUEST, first, "别的时间", again)
    picked = execute(REQUEST, "别的时间", "1", last_results=rows, dialogue=shown)
    assert called(picked) == ("move", {"task_id": 8, "new_day": 1, "new_slot_start": 5})
    last = execute(REQUEST, "别的时间", "还有吗", last_results=rows, dialogue=shown)
    assert (last["action"], last["abort"]["code"]) == ("abort", "no_place")


def test_a_later_turn_about_another_item_leaves_the_first_one_and_is_a_request_of_its_own():
    decision = execute("第2章移到周三下午", "把[7]移到第4周周三5-6节", last_results=[*nothing(), looked_up()])
    assert (decision["action"], decision["abort"]["code"]) == ("abort", "new_request")


def test_a_number_picks_no_place_that_was_offered_for_another_item():
    rows = [looked_up(8)]
    decision = execute("第2章移到别的时间", "把[7]移到别的时间", "1", last_results=rows)
    assert called(decision) == ("query_available_slots", {"for_task_id": 7})


def test_taking_it_out_instead_is_understood():
    assert called(execute("第2章移到周三下午", "那直接移出吧", last_results=[*nothing(), looked_up()])) == (
        "unplace",
        {"task_id": 8},
    )


@pytest.mark.parametrize("turn", ["从头排", "体检一下", "周五有空吗", "why?"])
def test_a_request_of_another_kind_over_a_card_is_not_taken_for_an_objection(turn):
    rejected = answered("reject", turn, arguments={"task_id": 8, "new_day": 3, "new_slot_start": 5})
    decision = execute(REQUEST, turn, interaction=rejected, last_results=[*nothing()])
    asks = turn in ("周五有空吗", "why?")  # the card comes back behind the answer
    assert (decision["action"], decision["abort"]["code"]) == ("abort", "same_request" if asks else "new_request")


def test_an_item_without_a_place_is_not_taken_out_but_asked_about():
    decision = execute("把[9]移出")
    assert decision["action"] == "ask_user"
    assert "第3章 大数定律 还没有排进草稿" in decision["speak"]
    assert len(decision["options"]) == 2


def test_putting_an_item_back_is_a_request_to_place_it():
    assert chat("把第3章放回去")["route"] == "execute"


def test_items_end_where_the_next_order_begins():
    items, tail = items_of("items: Fourier, Laplace, Sampling; then schedule it")
    assert items == ("Fourier", "Laplace", "Sampling")
    assert "schedule" in tail
    assert items_of("内容：分6次")[0] == ()
    assert items_of("items: a, b; c, d")[0] == ("a, b", "c, d")


def test_an_explanation_does_not_price_what_is_unplaced():
    draft = {**BASE["draft"], "cost": {"total": 20_000_254, "parts": {"unplaced": 20_000_000, "target": 254}}}
    assert "现在主要的不足：偏离均匀目标。" in chat("为什么这样排", draft=draft)["speak"]
    empty = {**draft, "suggested": 0, "placed": 0, "tasks": [task(9, "第3章", 3, status="pending")]}
    assert "主要的不足" not in chat("为什么这样排", draft=empty)["speak"]


def test_as_many_as_fit_after_a_finished_build_says_that_it_is_built():
    assert "已经排过初稿" in chat("能排多少排多少", scope=[5], already_built=[5])["speak"]


def test_a_plan_has_no_step_that_could_not_be_carried_out():
    steps = decide(view("先列步骤再排课", stage="plan", scope=[5], already_built=[5]))["steps"]
    assert [step["content"] for step in steps] == ["体检并微调", "核对结果"]
    steps = decide(view("先列步骤，从头排课", stage="plan", scope=[5], already_built=[5]))["steps"]
    assert steps[0]["content"] == "生成初稿：「概率论复习」"


def test_a_plan_that_was_refused_is_not_shown_again():
    first = decide(view("先列步骤再排课", stage="plan", scope=[5]))["steps"]
    rejected = answered("reject", "先建任务类", subject="plan") | {"steps": first}
    again = decide(view("先列步骤再排课", "先建任务类", stage="plan", scope=[5], interaction=rejected))
    assert again["action"] == "ask_user"


def test_an_unknown_class_is_said_to_be_unknown():
    decision = execute("排一下", "把大学物理排进课表", scope=[])
    assert decision["abort"]["code"] == "unknown_class"
    assert "「概率论复习」、「线性代数」" in decision["abort"]["user_message"]


def test_a_week_that_is_asked_for_shows_only_that_week():
    entries = [{"slot_start": 1, "slot_end": 2, "name": "第2章", "status": "suggested"}]
    days = [
        {"week": week, "day_of_week": 1, "entries": entries if week == 4 else [], "courses": 0, "tasks": 2, "free": 10}
        for week in (3, 4)
    ]
    data = {"week_from": 4, "week_to": 4, "days": days, "courses": 0, "tasks": 2, "free": 10}
    text = told_by_deliver("看看第4周的安排", last_results=[result("query_timetable", data=data)])
    assert "第4周 周一" in text
    assert "第3周" not in text


def test_a_build_that_changed_nothing_says_so():
    text = told_by_deliver("从头排", last_results=[result("smart_planning", data={"placed": 3})])
    assert text.startswith("排程结果和之前一样，没有改动。")


def test_problems_of_a_class_are_told_in_the_students_language():
    data = {
        "validation": {
            "ok": False,
            "issues": [{"field": "total_slots", "code": "range", "severity": "error", "message": "总节数不对"}],
        },
        "shown_issues": [
            {"field": "total_slots", "code": "range", "severity": "error", "message": "the total is wrong"}
        ],
    }
    refused = result("upsert_task_class", status="failed", data=data, error_code="validation_failed")
    request = 'create a task class "Signals", week 3 to 6, 30 sections, items: Fourier, Laplace'
    assert execute(request, last_results=[refused])["speak"] == "Please correct: the total is wrong"


def relaxed(way, *answers):
    rows = [{"id": n, "order": n, "content": f"第{n}章"} for n in range(1, 7)]
    classes = [{**BASE["classes"][0], "items": rows}]
    return execute(way, *answers, classes=classes, scope=[5], rough_build=shortage(6))


def test_the_answer_to_what_may_be_relaxed_is_no_new_name():
    decision = relaxed("放宽限制", "晚上可以排")
    assert called(decision) == ("upsert_task_class", {"id": 5, "task_class": {"config": {"excluded_slots": []}}})


def test_a_smaller_total_keeps_the_items_there_is_room_for():
    name, arguments = called(relaxed("缩小范围", "共4节"))
    assert name == "upsert_task_class"
    assert arguments["items"] == [{"content": "第1章"}, {"content": "第2章"}]


def test_the_dates_of_a_class_are_an_edit_of_the_class():
    _, arguments = called(execute("把线性代数的日期改到第5周到第6周"))
    assert arguments["task_class"] == {"start_date": "2026-03-30", "end_date": "2026-04-12"}
    assert arguments["id"] == 6


def test_the_name_of_the_class_picks_the_item():
    assert called(execute("第1章移到第4周周三5-6节", "线性代数的")) == (
        "move",
        {"task_id": 12, "new_day": 10, "new_slot_start": 5},
    )


def test_words_that_name_no_time_over_a_card_ask_for_another_one():
    arguments = {"task_id": 8, "new_day": 3, "new_slot_start": 5}
    rejected = {"rejected": [{"name": "move", "arguments": arguments}]}
    found = result("find_first_free", WEDNESDAY, data={"found": True, "place": PLACES[2]})
    decision = execute(
        REQUEST, "换一个", interaction=answered("reject", "换一个"), last_results=[found, looked_up()], **rejected
    )
    assert decision["speak"].startswith("那就换个时间。第2章 随机变量 可以放在：")
    assert "周三" not in decision["speak"]


def test_the_ways_out_are_numbered_as_the_loop_numbers_them():
    infeasible = {
        "verdict": "infeasible",
        "stale": False,
        "metrics": {"feasibility": {"capacity_gap": 6}},
        "decision": {"candidates": []},
    }
    asked = execute("体检", mode="global_reopt", verdict=infeasible, scope=[6, 5])["speak"]
    assert asked.splitlines()[4:] == ["4 先不排「线性代数」", "5 先不排「概率论复习」", "6 接受风险"]


def test_the_class_with_items_left_is_the_one_to_change():
    decision = execute("放宽限制", "周日可以排", scope=[5, 6], rough_build=shortage(2))
    assert called(decision)[1]["id"] == 5


def test_an_item_of_a_class_outside_the_scope_brings_its_class_along():
    assert chat("把[12]移出", scope=[5])["task_class_ids"] == [5, 6]


def test_the_last_operation_counts_while_the_item_is_unknown():
    decision = execute("把第1章移出", "还是把第1章移到第4周周三5-6节", "1")
    assert called(decision) == ("move", {"task_id": 7, "new_day": 10, "new_slot_start": 5})

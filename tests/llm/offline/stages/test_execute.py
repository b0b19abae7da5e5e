"""The rules of the execute stage, one view each: which decision follows from what is known."""

from __future__ import annotations

import pytest

from tests.kits.offline.asking import REQUEST, WEDNESDAY, answered, called
from tests.kits.offline.views import chat, dialogue, execute, result, risk, view

SLOT = {"day": 3, "week": 3, "day_of_week": 3, "slot_start": 5, "slot_end": 6, "slot_type": "empty"}
OTHER = {"day": 6, "week": 3, "day_of_week": 6, "slot_start": 1, "slot_end": 2, "slot_type": "empty"}
MOVE = {"task_id": 8, "new_day": 3, "new_slot_start": 5}


def verdict(kind, candidates=(), gap=0):
    row = [{"tool": tool, "arguments": arguments, "summary": f"候选 {tool}"} for tool, arguments in candidates]
    return {
        "verdict": kind,
        "stale": False,
        "metrics": {"feasibility": {"capacity_gap": gap}, "cost": {"total": 100}},
        "decision": {"candidates": [*row, {"tool": "", "arguments": {}, "summary": "保持现状并收口"}]},
    }


def test_a_vague_target_is_looked_up_first():
    assert called(execute(REQUEST)) == ("find_first_free", WEDNESDAY)


def test_the_place_found_is_the_place_asked_for():
    found = result("find_first_free", WEDNESDAY, data={"found": True, "place": SLOT})
    assert called(execute(REQUEST, last_results=[found])) == ("move", MOVE)


def test_an_exact_target_needs_no_look_up():
    assert called(execute("把[8]移到第4周周三5-6节")) == ("move", {"task_id": 8, "new_day": 10, "new_slot_start": 5})


def test_a_shift_is_counted_from_where_the_item_is():
    assert called(execute("把[8]往后挪一天")) == ("move", {"task_id": 8, "new_day": 5, "new_slot_start": 3})


def test_an_item_without_a_place_is_placed():
    assert called(execute("把[9]放到第4周周三5-6节")) == ("place", {"task_id": 9, "day": 10, "slot_start": 5})


def test_words_over_the_card_change_the_target():
    found = result("find_first_free", WEDNESDAY, data={"found": True, "place": SLOT})
    decision = execute(
        REQUEST, "还是周四下午吧", last_results=[found], interaction=answered("reject", "还是周四下午吧")
    )
    assert called(decision) == ("find_first_free", WEDNESDAY | {"day": 4})


def test_a_silent_rejection_is_asked_about():
    decision = execute(REQUEST, interaction=answered("reject"))
    assert (decision["action"], decision["speak"]) == ("ask_user", "换个时间，还是保持不变？")


def test_what_the_student_refused_is_not_asked_again():
    found = result("find_first_free", WEDNESDAY, data={"found": True, "place": SLOT})
    refused = [{"name": "move", "arguments": MOVE}]
    said = answered("reject", "换一换")
    decision = execute(REQUEST, "换一换", last_results=[found], rejected=refused, interaction=said)
    assert called(decision) == ("query_available_slots", {"for_task_id": 8})


def test_an_item_of_a_class_without_a_draft_is_not_taken_from_another_class():
    assert execute("线性代数第3章移到周三")["action"] == "ask_user"


def test_keeping_it_ends_the_goal():
    decision = execute(
        REQUEST, "保持不变", interaction=answered("reply", "保持不变", subject="question", kind="ask_user")
    )
    assert (decision["action"], decision["abort"]["code"]) == ("abort", "kept")


def test_an_approved_call_that_was_made_ends_the_goal():
    decision = execute(REQUEST, last_results=[result("move", MOVE)], interaction=answered("approve"))
    assert decision["action"] == "done"


def test_a_refused_place_is_explained_and_others_offered():
    refused = result("move", {"task_id": 8, "new_day": 10, "new_slot_start": 5}, status="failed", rule="occupied")
    asked = ("query_available_slots", {"for_task_id": 8})
    assert called(execute("把[8]移到第4周周三5-6节", last_results=[refused])) == asked
    offered = result(*asked, data={"slots": [SLOT, OTHER]})
    decision = execute("把[8]移到第4周周三5-6节", last_results=[refused, offered])
    assert decision["action"] == "ask_user"
    assert "那个位置已被占用" in decision["speak"]
    assert "1. 第3周 周三 5-6节" in decision["speak"]


def test_a_number_picks_from_the_offered_places():
    offered = result("query_available_slots", {"for_task_id": 8}, data={"slots": [SLOT, OTHER]})
    asked = execute("把[8]挪一下", last_results=[offered])
    said = dialogue("把[8]挪一下", asked)
    decision = execute("把[8]挪一下", "2", last_results=[offered], dialogue=said)
    assert called(decision) == ("move", {"task_id": 8, "new_day": 6, "new_slot_start": 1})


def test_several_items_that_fit_are_listed_and_a_number_picks_one():
    asked = execute("第1章移到周三下午")
    assert asked["action"] == "ask_user"
    assert "2. 第1章 行列式" in asked["speak"]
    assert called(execute("第1章移到周三下午", "2"))[1]["for_task_id"] == 12


def test_an_applied_block_leaves_the_timetable_before_it_gets_another_place():
    made = view(REQUEST, stage="execute")
    made["draft"]["tasks"][1]["status"] = "existing"
    looked = execute(REQUEST, draft=made["draft"])
    name, arguments = called(looked)
    assert name == "find_first_free"
    place = {"day": 9, "slot_start": 5, "slot_end": 6, "week": 4, "day_of_week": 2}
    decision = execute(REQUEST, draft=made["draft"], last_results=[result(name, arguments, data={"place": place})])
    assert called(decision)[0] == "unplace"
    assert "写入课表" in decision["speak"]


def test_a_hidden_tool_is_opened_first():
    decision = execute(REQUEST, tools=["context_tools_add", "get_overview"])
    assert called(decision) == ("context_tools_add", {"domain": "schedule", "mode": "merge", "packs": ["detail_read"]})


def test_a_tool_that_cannot_be_opened_ends_the_goal():
    opened = result("context_tools_add", {"domain": "schedule"})
    decision = execute(REQUEST, tools=["context_tools_add"], last_results=[opened])
    assert decision["action"] == "abort"


def test_the_best_candidate_is_taken():
    decision = execute(
        "排好",
        mode="first_full",
        active_optimize_only=True,
        verdict=verdict("continue", [("move", MOVE), ("swap", {})]),
    )
    assert called(decision) == ("move", MOVE)
    assert decision["speak"].startswith("采用候选 1：")


def test_a_candidate_is_told_in_english_too():
    decision = execute("check my plan", locale="en", mode="global_reopt", verdict=verdict("continue", [("move", MOVE)]))
    assert decision["speak"] == "Taking option 1: move 第2章 随机变量 to wk 3 Wed 5-6"


def test_a_rejected_candidate_is_not_taken_again():
    decision = execute(
        "体检",
        mode="global_reopt",
        verdict=verdict("continue", [("move", MOVE), ("swap", {"task_a": 7, "task_b": 8})]),
        rejected=[{"name": "move", "arguments": MOVE}],
    )
    assert called(decision)[0] == "swap"


def test_close_ends_the_goal():
    assert execute("体检", mode="global_reopt", verdict=verdict("close"))["action"] == "done"


def test_a_stale_verdict_decides_nothing():
    stale = verdict("close") | {"stale": True}
    assert called(execute("体检", mode="global_reopt", verdict=stale)) == ("analyze_health", {})


def test_an_infeasible_plan_offers_four_ways():
    decision = execute("体检", mode="global_reopt", verdict=verdict("infeasible", gap=6))
    assert decision["action"] == "ask_user"
    assert [line[:1] for line in decision["speak"].splitlines()[1:]] == ["1", "2", "3", "4"]
    assert "6 节" in decision["speak"]


def test_an_infeasible_plan_tells_the_week_and_the_rule():
    shortage = ["到第3周结束仍排不完。", "「概率论复习」的日期内占去最多的是：时段已被占用（72 节）。"]
    decision = execute("体检", mode="global_reopt", verdict=verdict("infeasible", gap=6), shortage=shortage)
    assert decision["speak"].splitlines()[0] == "时间不够，还缺 6 节。" + "".join(shortage) + "可以："


def test_an_accepted_risk_is_not_asked_about_again():
    decision = execute("体检", mode="global_reopt", verdict=verdict("infeasible", gap=6), accepted_risk=risk(6))
    assert decision["action"] == "done"


def test_items_without_a_place_are_asked_about_then_placed_one_by_one():
    context = {"mode": "global_reopt", "verdict": verdict("ask_user")}
    asked = execute("体检", **context)
    assert "第3章 大数定律" in asked["speak"]
    reply = answered("reply", "放进空位", subject="question", kind="ask_user") | {"topic": asked["asks"]["topic"]}
    wanted = ("query_available_slots", {"for_task_id": 9, "limit": 3})
    assert called(execute("体检", "放进空位", interaction=reply, **context)) == wanted
    found = result(*wanted, data={"slots": [OTHER]})
    decision = execute("体检", "放进空位", interaction=reply, last_results=[found], **context)
    assert called(decision) == ("place", {"task_id": 9, "day": 6, "slot_start": 1})


def test_items_left_out_end_the_goal():
    context = {"mode": "global_reopt", "verdict": verdict("ask_user")}
    asked = execute("体检", **context)
    reply = answered("reply", "先不排", subject="question", kind="ask_user") | {"topic": asked["asks"]["topic"]}
    assert execute("体检", "先不排", interaction=reply, **context)["action"] == "done"


def test_what_a_class_lacks_is_asked_one_thing_at_a_time():
    decision = execute("新建任务类「英语」")
    assert decision["action"] == "ask_user"
    assert decision["speak"].startswith("还缺内容")
    assert "结束日期" not in decision["speak"]


def test_any_other_failure_of_the_write_ends_the_goal_in_words():
    failed = result("upsert_task_class", status="failed", error_code="internal_error")
    decision = execute("新建任务类「英语」，第3周到第5周，共6节", last_results=[failed])
    assert decision["abort"]["user_message"] == "保存没有成功，请稍后再试。"


def test_the_same_refused_class_is_not_sent_again():
    first = execute("新建任务类「英语」，第3周到第5周，共6节")
    sent = first["tool_call"]["arguments"] | {"source": "chat"}
    issue = {"field": "end_date", "code": "past", "severity": "error", "message": "结束日期早于今天"}
    failed = result("upsert_task_class", sent, status="failed", data={"validation": {"issues": [issue]}})
    reply = answered("reply", "嗯", subject="question", kind="ask_user", at=1)
    decision = execute("新建任务类「英语」，第3周到第5周，共6节", "嗯", last_results=[failed], interaction=reply)
    assert decision["action"] == "ask_user"


def test_answers_complete_the_class():
    decision = execute("新建任务类「英语」", "第3周到第5周", "听力、阅读、写作")
    name, arguments = called(decision)
    assert name == "upsert_task_class"
    assert [item["content"] for item in arguments["items"]] == ["听力", "阅读", "写作"]
    assert arguments["task_class"]["config"]["total_slots"] == 6


def test_problems_of_the_class_are_asked_about():
    issue = {"field": "end_date", "code": "past", "severity": "error", "message": "结束日期早于今天"}
    failed = result("upsert_task_class", status="failed", data={"validation": {"ok": False, "issues": [issue]}})
    decision = execute("新建任务类「英语」，第3周到第5周，共6节", last_results=[failed])
    assert (decision["action"], decision["speak"]) == ("ask_user", "还需要修正：结束日期早于今天")


def test_an_edit_sends_only_what_was_said():
    arguments = called(execute("修改任务类线性代数，总节数改成16节"))[1]
    assert arguments == {"id": 6, "task_class": {"config": {"total_slots": 16}}}


def test_a_build_without_any_class_asks_for_one_with_an_example():
    decision = execute("帮我排课", classes=[], needs_rough_build=True, notes=["no_classes"])
    assert decision["action"] == "ask_user"
    assert "例如：新建任务类" in decision["speak"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("看看周四的安排", (1, 1)),
        ("看看课表", (1, 1)),
        ("周五有空吗", (1, 1)),
        ("第3周哪里有空闲", (3, 3)),
        ("第2周到第4周有什么", (2, 4)),
        ("看看还有哪些没排", (1, 1)),
        ("Show my Thursday", (1, 1)),
    ],
)
def test_a_look_reads_the_weeks_it_is_about(text, wanted):
    name, weeks = called(execute(text))
    assert (name, weeks["week_from"], weeks["week_to"]) == ("query_timetable", *wanted)


def test_the_same_question_is_not_asked_a_third_time():
    question = execute("新建任务类「英语」")
    assert execute("新建任务类「英语」", dialogue=dialogue(question))["action"] == "ask_user"
    assert execute("新建任务类「英语」", dialogue=dialogue(question, question))["action"] == "abort"


def test_a_correction_ends_the_goal_instead_of_repeating_it():
    assert execute(REQUEST, correction={"kind": "tool_call", "error": "x"})["action"] == "abort"


def test_a_question_is_never_a_dead_end():
    ended = execute("第1章在哪天？", correction={"kind": "tool_call", "error": "x"})["abort"]
    assert ended["code"] == "no_answer"
    assert "做不下去" not in ended["user_message"]


def test_a_class_built_already_is_not_built_again_unasked():
    decision = chat("把概率论复习排好", already_built=[5], scope=[5])
    assert decision["route"] == "direct_reply"
    assert "重新粗排" in decision["speak"]
    assert chat("重新粗排概率论复习", already_built=[5], scope=[5])["needs_rough_build"] is True


def test_the_limits_are_told_plainly():
    told = chat("帮我查一下高数期末考试时间，再写篇复习心得")["speak"]
    assert told == (
        "现在没有配置大模型，我按固定规则工作：可以建任务类、排程、体检、移动或交换任务、查空闲。"
        "考试时间请告诉我具体日期；写文章我做不到。"
    )
    assert "No language model is configured, I follow fixed rules" in chat("Write an essay for me")["speak"]


def test_an_explanation_uses_only_facts_of_the_draft():
    told = chat("为什么第2章在周四？")["speak"]
    assert "第2章 随机变量 在第3周 周四 3-4节" in told
    assert "254" not in told

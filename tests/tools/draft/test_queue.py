"""The queue: one task at a time, three tries, nothing lost."""

from __future__ import annotations

import json

from tests.kits.tools.world import call, draft


class Session:
    """A goal: the draft and the queue as the loop keeps them."""

    def __init__(self):
        self.draft, self.queue = draft(), {}

    async def __call__(self, name, **arguments):
        outcome, result = await call(name, arguments, self.draft, queue=self.queue)
        self.draft = outcome.draft
        self.queue = outcome.queue if outcome.queue is not None else self.queue
        words = result.observation_text
        return outcome, json.loads(words) if words.startswith("{") else words


async def test_tasks_go_through_the_queue_one_by_one():
    goal = Session()
    _, found = await goal("query_target_tasks", enqueue=True)
    assert (found["enqueued"], found["queue"]["pending_count"]) == ([5, 6, 8], 3)
    _, head = await goal("queue_pop_head")
    assert (head["has_head"], head["current"]["task_id"], head["pending_count"]) == (True, 5, 2)
    _, again = await goal("queue_pop_head")
    assert again["current"]["task_id"] == 5
    _, moved = await goal("queue_apply_head_move", new_day=2, new_slot_start=7)
    assert (moved["success"], moved["task_id"], moved["completed_count"]) == (True, 5, 1)
    assert goal.draft.task(5).slots[0].day == 2
    await goal("queue_pop_head")
    _, skipped = await goal("queue_skip_head", reason="没有合适位置")
    assert (skipped["skipped_task_id"], skipped["skipped_count"]) == (6, 1)
    await goal("queue_pop_head")
    await goal("queue_skip_head")
    _, empty = await goal("queue_pop_head")
    assert (empty["success"], empty["has_head"]) == (True, False)
    _, status = await goal("queue_status")
    assert (status["completed_count"], status["skipped_count"], status["next_task_ids"]) == (1, 2, [])
    assert "current" not in status


async def test_the_third_failed_try_exhausts_a_task():
    goal = Session()
    await goal("query_target_tasks", enqueue=True)
    await goal("queue_pop_head")
    codes = []
    for _ in range(4):
        _, told = await goal("queue_apply_head_move", new_day=1, new_slot_start=1)
        codes.append((told["error_code"], told["current_attempt"]))
    assert codes == [("rule_broken", 2), ("rule_broken", 3), ("attempts_exhausted", 3), ("attempts_exhausted", 3)]
    outcome, status = await goal("queue_status")
    assert (outcome.status, status["success"], status["last_error"]) == ("done", True, "rule_broken/occupied")
    _, skipped = await goal("queue_skip_head")
    assert skipped["skipped_task_id"] == 5
    assert "last_error" not in (await goal("queue_status"))[1]


async def test_only_suggested_tasks_enter_and_the_others_are_told_why():
    goal = Session()
    _, told = await goal("query_target_tasks", status="all", task_ids=[1, 5, 7], enqueue=True)
    assert told["enqueued"] == [5]
    assert {row["task_id"]: row["status"] for row in told["not_enqueued"]} == {1: "fixed", 7: "pending"}
    assert all(row["reason"] for row in told["not_enqueued"])
    _, again = await goal("query_target_tasks", task_ids=[5], enqueue=True)
    assert again["not_enqueued"][0]["status"] == "queued"


async def test_a_task_that_lost_its_place_falls_out():
    goal = Session()
    await goal("query_target_tasks", enqueue=True)
    await goal("unplace", task_id=5)
    _, head = await goal("queue_pop_head")
    assert (head["dropped"], head["current"]["task_id"]) == ([5], 6)


async def test_reset_empties_the_queue_or_fills_it_anew():
    goal = Session()
    await goal("query_target_tasks", enqueue=True)
    _, anew = await goal("query_target_tasks", enqueue=True, reset_queue=True, task_ids=[8])
    assert (anew["enqueued"], anew["queue"]["pending_count"]) == ([8], 1)
    _, emptied = await goal("query_target_tasks", reset_queue=True)
    assert emptied["queue"]["pending_count"] == 0


async def test_without_a_current_task_apply_and_skip_say_so():
    goal = Session()
    for name, arguments in (("queue_apply_head_move", {"new_day": 2, "new_slot_start": 7}), ("queue_skip_head", {})):
        outcome, told = await goal(name, **arguments)
        assert (outcome.status, told["error_code"]) == ("failed", "no_current")


async def test_target_tasks_are_filtered_by_every_condition_at_once():
    state = draft()

    async def ids(**arguments):
        outcome, _ = await call("query_target_tasks", arguments, state)
        return [row["task_id"] for row in outcome.data["items"]]

    assert await ids() == [5, 6, 8]
    assert await ids(status="all") == [5, 6, 7, 8, 9]
    assert await ids(status="pending") == [7, 9]
    assert await ids(status="pending", week=3) == []
    assert await ids(status="all", task_class_id=6) == [8, 9]
    assert await ids(status="all", category="概率论复习", day=4) == [6]
    assert await ids(task_item_ids=[501, 602], status="all") == [5, 9]
    assert await ids(task_ids=[5, 6], day_of_week=[4]) == [6]
    assert await ids(limit=1) == [5]


async def test_unknown_ids_and_classes_are_named():
    outcome, _ = await call("query_target_tasks", {"task_ids": [5, 404], "task_item_ids": [501, 9]}, draft())
    assert outcome.data["missing"] == {"task_ids": [404], "task_item_ids": [9]}
    outcome, _ = await call("query_target_tasks", {"category": "离散数学"}, draft())
    assert outcome.data["items"] == []
    assert outcome.data["note"] == "没有任务类 离散数学；可用：概率论复习、六级词汇"

"""The resume table, row by row, over a real socket: what is pending x what the student sends (agent.md 3.2)."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from itertools import product

import pytest

from tests.kits.transports.played import (
    ASK,
    DONE,
    EXECUTE,
    Conversation,
    Played,
    built,
    call,
    carded,
    lost,
    offered,
    plan_of,
    planned,
    questioned,
)
from tests.kits.waiting import until

OPENERS: dict[str, Callable[[Played], Conversation]] = {
    "confirm tool": lambda played: carded(played)[0],
    "confirm plan": lambda played: planned(played, build=True),
    "ask_user": questioned,
    "connection_recover": lost,
}


def test_none_pending_a_message_opens_a_new_goal(played: Played) -> None:
    chat = built(played)
    played.play({"route": "direct_reply", "speak": "你好。"})
    chat.says("你好")
    assert (chat.finish["outcome"], chat.state["phase"]) == ("completed", "done")
    assert chat.extras("ai_message_start")[0]["message"]["continues_run_id"] is None


def test_none_pending_a_resume_is_40074(played: Played) -> None:
    chat = built(played)
    chat.resumes("approve", interaction_id=str(uuid.uuid4()))
    assert chat.refusal == (409, "40074", {"reason": "unknown", "answer": None})


def test_running_everything_but_a_cancel_is_40075(played: Played) -> None:
    played.play(None)
    started = played.student.http.post("/tasks", json={"message": "慢慢想"}).json()["data"]
    chat = Conversation(played)
    chat.id = started["conversation_id"]
    chat.says("再来一个")
    assert chat.refusal[:2] == (409, "40075")
    assert chat.refusal[2]["run_id"] == started["task_id"]
    assert played.student.http.post(f"/tasks/{started['task_id']}/cancel").status_code == 200
    until(lambda: chat.state["last_run"]["status"] == "cancelled")


def test_confirm_tool_approve_applies_once_and_goes_on_in_execute(played: Played) -> None:
    chat, item = carded(played)
    before, revision = chat.places, chat.state["revision"]
    played.play(DONE, "取下来了。")
    chat.resumes("approve")
    assert chat.statuses[:2] == ["chat/confirmed", "execute/executing"]
    assert (chat.tools, chat.finish["outcome"]) == ([("unplace", "done")], "completed")
    assert chat.places == {key: place for key, place in before.items() if key != item}
    assert chat.state["revision"] == revision + 1
    assert chat.said == ["排好，只要初稿", "把最后一项取下来"]


@pytest.mark.parametrize("words", ["", "周五再说"])
def test_confirm_tool_reject_writes_nothing_and_tells_the_model(played: Played, words: str) -> None:
    chat, _ = carded(played)
    before = chat.places
    played.play(ASK)
    chat.resumes("reject", words)
    assert chat.statuses[:2] == ["chat/rejected", "execute/executing"]
    assert (chat.tools, chat.places, chat.pending["type"]) == ([], before, "ask_user")
    dialogue, log = played.asked()[-1][1:3]
    assert "学生拒绝了这个操作" in log
    assert dialogue.count("用户：") == len(chat.said)
    assert chat.said[2:] == ([words] if words else [])
    assert all(f"用户：{turn}" in dialogue for turn in chat.said)


def test_confirm_tool_a_plain_message_is_a_rejection_with_that_message(played: Played) -> None:
    chat, _ = carded(played)
    before, card = chat.places, chat.pending["interaction_id"]
    played.play(ASK)
    chat.says("先别动，看看周五")
    assert chat.extras("interaction_resolved")[0]["interaction"] == {
        "interaction_id": card,
        "type": "confirm",
        "action": "reject",
        "message": "先别动，看看周五",
        "option": None,
    }
    assert (chat.statuses[0], chat.places) == ("chat/rejected", before)
    assert "学生拒绝了这个操作，并说：先别动，看看周五" in played.asked()[-1][2]
    assert "用户：先别动，看看周五" in played.asked()[-1][1]


def test_confirm_plan_approve_with_a_build_goes_to_rough_build(played: Played) -> None:
    chat = planned(played, build=True)
    played.play(DONE, "好了。")
    chat.resumes("approve")
    assert chat.statuses[:2] == ["chat/confirmed", "rough_build/rough_building"]
    assert (chat.tools, chat.finish["outcome"]) == ([("smart_planning", "done")], "completed")


def test_confirm_plan_approve_without_a_build_goes_to_execute(played: Played) -> None:
    chat = planned(played, build=False)
    played.play(call("get_overview"), DONE, "好了。")
    chat.resumes("approve")
    assert chat.statuses[:2] == ["chat/confirmed", "execute/executing"]
    assert (chat.tools, chat.finish["outcome"]) == ([("get_overview", "done")], "completed")


@pytest.mark.parametrize(("how", "words"), [("reject", ""), ("reject", "只看总览"), ("message", "只看总览")])
def test_confirm_plan_reject_or_message_drops_the_plan_and_plans_again(played: Played, how: str, words: str) -> None:
    chat = planned(played, build=True)
    played.play(plan_of(played.task_class, build=False))
    if how == "message":
        chat.says(words)
    else:
        chat.resumes("reject", words)
    assert chat.statuses[:2] == ["chat/rejected", "plan/planning"]
    assert chat.extras("confirm_request")[0]["block_id"] == "plan.confirm.2"
    assert words in played.asked()[-1][3]
    played.play(call("get_overview"), DONE, "好了。")
    chat.resumes("approve")
    assert chat.tools == [("get_overview", "done")], "the build of the dropped plan is gone with it"


@pytest.mark.parametrize("pending", OPENERS)
def test_any_pending_cancel_ends_the_goal_and_keeps_the_draft(played: Played, pending: str) -> None:
    chat = OPENERS[pending](played)
    drafted = chat.state["draft"]["exists"] and pending != "confirm plan"
    before, calls = chat.places if drafted else {}, len(played.asked())
    chat.resumes("cancel")
    finish = chat.finish
    assert (finish["run_status"], finish["outcome"], finish["outcome_code"]) == (
        "cancelled",
        "aborted",
        "user_cancelled",
    )
    assert chat.statuses == ["chat/cancelled", "deliver/done"]
    assert (chat.state["interaction"], chat.state["phase"], len(played.asked())) == (None, "done", calls)
    assert (chat.places if drafted else {}) == before


@pytest.mark.parametrize("how", ["reply", "message"])
def test_ask_user_words_are_a_turn_and_evidence_for_the_node_that_asked(played: Played, how: str) -> None:
    chat = questioned(played)
    played.play({**DONE, "goal_check": "学生已回答"}, "好的。")
    if how == "message":
        chat.says("概率论")
    else:
        chat.resumes("reply", "概率论")
    assert chat.statuses[:2] == ["chat/resumed", "execute/executing"]
    assert (chat.finish["outcome"], chat.finish["auto_fix_attempts"]) == ("completed", 0)
    assert "用户：概率论" in played.asked()[-1][1]
    assert chat.said[-1] == "概率论"


def test_ask_user_option_is_a_choice_and_no_words_of_the_student(played: Played) -> None:
    chat = offered(played)
    played.play(plan_of(played.task_class, build=False))
    chat.resumes("reply", option="weekday")
    assert chat.statuses[:2] == ["chat/resumed", "plan/planning"]
    assert chat.extras("interaction_resolved")[0]["interaction"]["option"] == "weekday"
    prompt = played.asked()[-1]
    assert "学生选择了：只用工作日" in prompt[3]
    assert "用户：只用工作日" not in prompt[1]
    assert chat.said == ["先给计划"]


def test_ask_user_reply_with_neither_is_40005_naming_message_and_stays_open(played: Played) -> None:
    chat = questioned(played)
    for words in ("", "  "):
        chat.resumes("reply", words)
        assert (chat.refusal[1], chat.fields) == ("40005", {"message"})
        assert chat.pending["status"] == "open"


def test_ask_user_an_option_that_was_not_offered_is_40005_and_stays_open(played: Played) -> None:
    chat = offered(played)
    chat.resumes("reply", "好", option="never")
    assert (chat.refusal[1], chat.fields) == ("40005", {"extra.resume.option"})
    assert chat.pending["status"] == "open"


def test_connection_recover_resume_goes_on_at_the_saved_node(played: Played) -> None:
    chat = lost(played)
    run = chat.state["last_run"]["run_id"]
    played.play(call("get_overview"), DONE, "好了。")
    chat.resumes("resume")
    assert chat.extras("ai_message_start")[0]["message"]["continues_run_id"] == run
    assert chat.statuses[:2] == ["chat/recovering", "execute/executing"]
    assert (chat.tools, chat.finish["outcome"]) == ([("get_overview", "done")], "completed")


def test_connection_recover_a_plain_message_opens_a_new_goal_on_the_saved_draft(played: Played) -> None:
    chat = lost(played)
    before, offer = chat.places, chat.pending["interaction_id"]
    played.play({"route": "direct_reply", "speak": "好。"})
    chat.says("算了")
    assert chat.extras("ai_message_start")[0]["message"]["continues_run_id"] is None
    assert (chat.finish["outcome"], chat.places, chat.pending) == ("completed", before, None)
    chat.resumes("resume", interaction_id=offer)
    assert chat.refusal[2]["reason"] == "superseded"


WRONG: dict[str, list[dict[str, str]]] = {
    "confirm tool": [{"action": "reply"}, {"action": "resume"}, {"action": "approve", "type": "ask_user"}],
    "confirm plan": [{"action": "reply"}, {"action": "resume"}, {"action": "reject", "type": "connection_recover"}],
    "ask_user": [{"action": "approve"}, {"action": "resume"}, {"action": "reply", "type": "confirm"}],
    "connection_recover": [{"action": "approve"}, {"action": "reply"}, {"action": "cancel", "type": "confirm"}],
}


@pytest.mark.parametrize("pending", OPENERS)
def test_any_pending_an_action_or_type_that_does_not_fit_is_40005_and_stays_open(played: Played, pending: str) -> None:
    chat = OPENERS[pending](played)
    opened = chat.pending
    for fields in [*WRONG[pending], {"action": "dance"}, {"action": "cancel", "type": "survey"}]:
        chat.resumes(message="好", **fields)
        assert chat.refusal[1] == "40005", fields
        assert chat.fields <= {"extra.resume.action", "extra.resume.type"}
    assert chat.pending == opened
    chat.resumes("cancel")
    assert chat.finish["outcome_code"] == "user_cancelled"


def test_a_type_that_is_absent_is_that_of_the_interaction(played: Played) -> None:
    for opener, action in ((OPENERS["confirm tool"], "reject"), (questioned, "reply")):
        chat = opener(played)
        played.play({"action": "abort", "abort": {"code": "stop", "user_message": "好。"}})
        chat.resumes(action, "算了")
        assert chat.answer.status_code == 200


def test_an_id_of_another_conversation_is_40074(played: Played) -> None:
    asked, other = questioned(played), questioned(played)
    asked.resumes("reply", "概率论", interaction_id=other.pending["interaction_id"])
    assert asked.refusal == (409, "40074", {"reason": "unknown", "answer": None})
    assert other.pending["status"] == "open"


def test_the_same_answer_again_is_the_stream_of_the_first_and_another_is_40074(played: Played) -> None:
    chat, _ = carded(played)
    card = chat.pending["interaction_id"]
    played.play(DONE, "取下来了。")
    first = chat.resumes("approve")
    revision = chat.state["revision"]
    again = chat.resumes("approve", interaction_id=card)
    assert again.headers["x-run-id"] == first.headers["x-run-id"]
    assert again.headers["idempotent-replayed"] == "true"
    assert [frame.raw for frame in chat.frames][-2:] == first.content.split(b"\n\n")[-3:-1]
    for action, words in (("reject", ""), ("approve", "好"), ("cancel", "")):
        chat.resumes(action, words, interaction_id=card)
        code, status, data = chat.refusal
        assert (code, status, data["reason"]) == (409, "40074", "answered")
        assert data["answer"]["run_id"] == first.headers["x-run-id"]
    assert chat.state["revision"] == revision


def dragged(chat: Conversation, item: int) -> tuple[int, ...]:
    """The student saves one item at the first other place the rules allow; that place."""
    week, _, first, last = before = chat.places[item]
    for day, section in product(range(1, 8), range(1, 12)):
        place = (week, day, section, section + last - first)
        row = dict(zip(("week", "day_of_week", "start_section", "end_section"), place, strict=True))
        body = {"conversation_id": chat.id, "items": [{"task_item_id": item, **row}]}
        if place != before and chat.student.http.post("/agent/schedule-state", json=body).status_code == 200:
            return place
    raise AssertionError("the week has no other place")


def test_a_card_whose_effect_was_dragged_away_is_superseded_by_a_new_one(played: Played) -> None:
    chat, item = carded(played)
    old, place = chat.pending, dragged(chat, item)
    chat.resumes("approve")
    assert (chat.tools, chat.finish["outcome"]) == ([], "paused")
    assert chat.pending["interaction_id"] != old["interaction_id"]
    assert chat.pending["changes"][0]["before"]["section_from"] == place[2]
    new = chat.pending["interaction_id"]
    chat.resumes("approve", "再试", interaction_id=old["interaction_id"])
    assert (chat.refusal[1], chat.places[item]) == ("40074", place)
    played.play(DONE, "取下来了。")
    chat.resumes("approve", interaction_id=new)
    assert item not in chat.places


EXPIRE = """
from agent.models import PendingInteraction as P
from django.utils import timezone
P.objects.filter(pk="{}").update(expires_at=timezone.now())
"""


def test_an_expired_interaction_takes_no_answer_and_is_none_to_a_message(played: Played) -> None:
    chat, _ = carded(played)
    before, card = chat.places, chat.pending["interaction_id"]
    played.student.server.manage("shell", "-v0", "-c", EXPIRE.format(card))
    chat.resumes("approve", interaction_id=card)
    assert chat.refusal[:2] == (409, "40074")
    assert chat.refusal[2]["reason"] == "expired"
    assert chat.pending is None
    played.play({"route": "direct_reply", "speak": "好。"})
    chat.says("你好")
    assert chat.extras("ai_message_start")[0]["message"]["continues_run_id"] is None
    assert (chat.extras("interaction_resolved"), chat.places) == ([], before)
    assert "学生拒绝" not in "".join(played.asked()[-1])


def test_a_plain_message_over_a_question_of_the_backend_may_name_an_option(played: Played) -> None:
    played.play({**EXECUTE, "needs_rough_build": True})
    chat = Conversation(played).says("帮我排一下，只要初稿")
    options = chat.pending["options"]
    assert [option["id"] for option in options][-2:] == ["all", "new"]
    played.play("好了。")
    chat.says("1")
    assert chat.statuses[:2] == ["chat/resumed", "rough_build/rough_building"]
    assert chat.state["draft"]["task_class_ids"] == [int(options[0]["id"].removeprefix("class:"))]

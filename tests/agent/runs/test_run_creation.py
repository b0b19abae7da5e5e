"""One transaction claims the conversation, closes the question and keeps the message (wire.md 2.2, 5.2)."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from agent.models import Conversation, Run, TimelineItem
from agent.runs import Ask, InteractionAnswer
from agent.runs.start import run_create
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskClass
from tests.kits.agent.runs import pause

pytestmark = pytest.mark.django_db


def code_of(refused: pytest.ExceptionInfo[CodedError]) -> int:
    return refused.value.code


def test_it_writes_conversation_run_and_message_together(ask: Callable[..., Any]) -> None:
    run = ask("帮我把概率论复习排进下周，越早越好越早越好越早越好").run
    assert (run.status, run.number, run.active_for_id) == ("queued", 1, run.conversation_id)
    item = TimelineItem.objects.get(run=run)
    assert (item.seq, item.kind, item.role, item.idx_from) == (1, "user_text", "user", None)
    conversation = Conversation.objects.get(pk=run.conversation_id)
    assert len(conversation.title) == 24
    assert conversation.message_count == 1


def test_it_refuses_a_second_run_while_one_is_active(ask: Callable[..., Any]) -> None:
    run = ask().run
    with pytest.raises(CodedError) as refused:
        ask("再来", conversation_id=str(run.conversation_id))
    assert code_of(refused) == 40075
    assert refused.value.data == {"run_id": str(run.pk), "status": "queued", "next_idx": 0}
    assert TimelineItem.objects.count() == 1


@pytest.mark.parametrize("conversation_id", [str(uuid.UUID(int=7)), "nonsense", "'; drop table"])
def test_it_does_not_invent_conversations(ask: Callable[..., Any], conversation_id: str) -> None:
    with pytest.raises(CodedError) as refused:
        ask(conversation_id=conversation_id)
    assert code_of(refused) == 40401
    assert not Run.objects.exists()


def test_it_treats_another_users_conversation_as_unknown(ask: Callable[..., Any], other_user: Any) -> None:
    run = ask().run
    with pytest.raises(CodedError) as refused:
        run_create(other_user.pk, Ask(message="hi", conversation_id=str(run.conversation_id)))
    assert code_of(refused) == 40401


def test_it_refuses_blank_messages_and_foreign_classes(ask: Callable[..., Any], other_user: Any) -> None:
    theirs = TaskClass.objects.create(user=other_user, name="x", mode="manual")
    for fields, expected in (({"message": "  "}, 40005), ({"task_class_ids": (theirs.pk,)}, 40040)):
        with pytest.raises(CodedError) as refused:
            ask(**fields)
        assert code_of(refused) == expected
    assert not Conversation.objects.exists()


def test_it_answers_an_interaction_once(ask: Callable[..., Any]) -> None:
    asked = ask().run
    row = pause(asked)
    answer = {"message": "", "conversation_id": str(asked.conversation_id)}
    first = ask(answer=InteractionAnswer(str(row.pk), "approve", "confirm"), **answer)
    assert first.run.continues_id == asked.pk
    row.refresh_from_db()
    expected = {"action": "approve", "message": "", "option": None, "run_id": str(first.run.pk)}
    assert (row.status, row.answer, row.open_for_id) == ("answered", expected, None)
    asked.refresh_from_db()
    assert asked.status == "succeeded"
    again = ask(answer=InteractionAnswer(str(row.pk), "approve", "confirm"), **answer)
    assert again.replayed
    assert again.run.pk == first.run.pk
    with pytest.raises(CodedError) as refused:
        ask(answer=InteractionAnswer(str(row.pk), "reject", "confirm"), **answer)
    assert code_of(refused) == 40074
    assert refused.value.data == {"reason": "answered", "answer": expected}


def test_it_takes_a_typed_message_over_a_card_as_a_rejection(ask: Callable[..., Any]) -> None:
    asked = ask().run
    row = pause(asked)
    run = ask("周四有社团", conversation_id=str(asked.conversation_id)).run
    row.refresh_from_db()
    assert row.answer["action"] == "reject"
    assert run.request["resume"]["typed"] is True


def test_a_message_over_a_recovery_opens_a_new_goal(ask: Callable[..., Any]) -> None:
    asked = ask().run
    row = pause(asked, "connection_recover")
    Run.objects.filter(pk=asked.pk).update(status="interrupted")
    run = ask("算了，换个事", conversation_id=str(asked.conversation_id)).run
    row.refresh_from_db()
    asked.refresh_from_db()
    assert (row.status, run.request["resume"], run.continues_id) == ("superseded", None, None)
    assert asked.status == "interrupted"


def test_a_cancelled_question_cancels_the_run_that_asked(ask: Callable[..., Any]) -> None:
    asked = ask().run
    row = pause(asked, "ask_user")
    ask("", conversation_id=str(asked.conversation_id), answer=InteractionAnswer(str(row.pk), "cancel"))
    asked.refresh_from_db()
    row.refresh_from_db()
    assert (asked.status, asked.outcome, asked.outcome_code) == ("cancelled", "aborted", "user_cancelled")
    assert row.status == "cancelled"


def test_it_refuses_answers_in_their_documented_order(ask: Callable[..., Any]) -> None:
    asked = ask().run
    row = pause(asked, "ask_user")
    here = {"conversation_id": str(asked.conversation_id)}
    cases = [
        (40004, "", {"answer": InteractionAnswer(str(row.pk), "reply")}),
        (40401, "", {"answer": InteractionAnswer(str(row.pk), "reply"), "conversation_id": str(uuid.uuid4())}),
        (40005, "", {"answer": InteractionAnswer(str(uuid.uuid4()), "dance"), **here}),
        (40074, "", {"answer": InteractionAnswer(str(uuid.uuid4()), "reply"), **here}),
        (40005, "", {"answer": InteractionAnswer(str(row.pk), "approve"), **here}),
        (40005, "", {"answer": InteractionAnswer(str(row.pk), "reply", "confirm"), **here}),
        (40005, "", {"answer": InteractionAnswer(str(row.pk), "reply"), **here}),
        (40005, "x", {"answer": InteractionAnswer(str(row.pk), "reply", option="none"), **here}),
        (40040, "x", {"answer": InteractionAnswer(str(row.pk), "reply"), "task_class_ids": (999,), **here}),
    ]
    for expected, message, fields in cases:
        with pytest.raises(CodedError) as refused:
            ask(message, **fields)
        assert code_of(refused) == expected, fields
    row.refresh_from_db()
    assert row.status == "open"


def test_an_expired_question_counts_as_none_for_a_message(ask: Callable[..., Any]) -> None:
    asked = ask().run
    row = pause(asked, expires_in=timedelta(seconds=-1))
    here = {"conversation_id": str(asked.conversation_id)}
    with pytest.raises(CodedError) as refused:
        ask("", answer=InteractionAnswer(str(row.pk), "approve"), **here)
    assert refused.value.data["reason"] == "expired"
    assert ask("新的事", **here).run.request["resume"] is None


def test_a_key_names_the_run(ask: Callable[..., Any]) -> None:
    first = ask(key="K-1", route="chat", digest="a")
    again = ask(key="K-1", route="chat", digest="a")
    assert (again.replayed, again.run.pk) == (True, first.run.pk)
    assert not ask(key="k-1", route="chat", digest="a").replayed
    with pytest.raises(CodedError) as refused:
        ask(key="K-1", route="chat", digest="b")
    assert code_of(refused) == 40070

"""The resume table, row by row."""

from __future__ import annotations

from typing import Any

import pytest

from agent.loop.interactions import (
    ACTIONS,
    MESSAGE_ACTION,
    RESUME,
    Accepted,
    Answer,
    AnswerOption,
    AnswerRefusal,
    OpenInteraction,
    RepeatedAnswer,
    Resume,
    effect_of,
    judge,
)

SUBJECTS = {"confirm": ("tool", "plan"), "ask_user": ("question",), "connection_recover": ("recover",)}


def pending(kind: Any = "confirm", subject: Any = "tool", **more: Any) -> OpenInteraction:
    times = {"created_at": "2026-03-09T00:00:00Z", "expires_at": "2026-03-16T00:00:00Z"}
    fields = {"id": "i1", "resume_node": "execute", **times}
    return OpenInteraction(type=kind, subject=subject, **{**fields, **more})


@pytest.mark.parametrize("kind", ACTIONS)
def test_each_type_takes_its_actions_and_no_other(kind: Any) -> None:
    every = {action for actions in ACTIONS.values() for action in actions}
    for action in every:
        verdict = judge(pending(kind, SUBJECTS[kind][0]), action=action, message="好")
        if action in ACTIONS[kind]:
            assert verdict == Accepted(action)
        else:
            assert isinstance(verdict, AnswerRefusal)
            assert (verdict.code, verdict.field) == (40005, "extra.resume.action")


def test_every_pair_of_subject_and_action_has_one_effect() -> None:
    for kind, subjects in SUBJECTS.items():
        for subject in subjects:
            for action in (*ACTIONS[kind], "message"):  # type: ignore[index]
                assert (subject, action) in RESUME
    assert len(RESUME) == sum(len(subjects) * (len(ACTIONS[kind]) + 1) for kind, subjects in SUBJECTS.items())  # type: ignore[index]


def test_a_type_that_differs_is_refused_and_an_absent_one_is_the_interactions_own() -> None:
    assert isinstance(judge(pending(), action="approve", type_="ask_user"), AnswerRefusal)
    assert judge(pending(), action="approve", type_=None) == Accepted("approve")
    assert judge(pending(), action="approve", type_="confirm") == Accepted("approve")


def test_a_reply_needs_text_or_an_offered_option() -> None:
    asked = pending("ask_user", "question", options=[AnswerOption(id="all", label="全部")])
    empty = judge(asked, action="reply", message=" ")
    assert isinstance(empty, AnswerRefusal)
    assert (empty.code, empty.field) == (40005, "message")
    assert judge(asked, action="reply", option="all") == Accepted("reply")
    assert isinstance(judge(asked, action="reply", option="none"), AnswerRefusal)


def test_the_same_answer_again_follows_the_first_and_another_is_closed() -> None:
    answered = pending(status="answered", answer=Answer(action="approve", run_id="r1"))
    assert judge(answered, action="approve") == RepeatedAnswer("r1")
    for other in (judge(answered, action="reject"), judge(answered, action="approve", message="行")):
        assert other == AnswerRefusal(40074, "answered")


@pytest.mark.parametrize(
    ("status", "reason"), [("expired", "expired"), ("superseded", "superseded"), ("cancelled", "answered")]
)
def test_a_closed_interaction_takes_no_answer(status: Any, reason: str) -> None:
    assert judge(pending(status=status), action="approve") == AnswerRefusal(40074, reason)


def test_an_open_interaction_past_its_time_is_expired() -> None:
    assert judge(pending(), action="approve", expired=True) == AnswerRefusal(40074, "expired")


@pytest.mark.parametrize(
    ("kind", "subject", "effect"),
    [
        ("confirm", "tool", "reject_call"),
        ("confirm", "plan", "reject_plan"),
        ("ask_user", "question", "reply"),
        ("connection_recover", "recover", "new_goal"),
    ],
)
def test_a_plain_message_over_an_interaction(kind: Any, subject: Any, effect: str) -> None:
    action = MESSAGE_ACTION[kind] or "resume"
    assert effect_of(Resume(interaction=pending(kind, subject), action=action, message="换一天", typed=True)) == effect

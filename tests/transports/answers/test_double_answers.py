"""Many answers to one interaction at the same moment: one of them counts (agent.md 11, C7)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import httpx
import pytest

from tests.kits.transports.played import ASK, Conversation, Played, carded, lost, planned, questioned
from tests.kits.transports.students import without_pings

ANSWERS = 50
CARDS: dict[str, tuple[Callable[[Played], Conversation], dict[str, str]]] = {
    "approve a change": (lambda played: carded(played)[0], {"action": "approve"}),
    "approve a plan": (lambda played: planned(played, build=False), {"action": "approve"}),
    "reject a change": (lambda played: carded(played)[0], {"action": "reject"}),
    "reply to a question": (questioned, {"action": "reply", "message": "概率论"}),
    "resume after a failure": (lost, {"action": "resume"}),
}


def together(chat: Conversation, answers: Sequence[dict[str, str]]) -> list[tuple[str, httpx.Response]]:
    """(action, response) of answers to the open interaction that are all sent at once."""
    card, student = chat.pending["interaction_id"], chat.student
    start, got = threading.Barrier(len(answers)), []

    def send(answer: dict[str, str]) -> None:
        resume = {"interaction_id": card, "action": answer["action"]}
        body = {"conversation_id": chat.id, "message": answer.get("message", ""), "extra": {"resume": resume}}
        start.wait()
        got.append((answer["action"], student.http.post("/agent/chat", json=body)))

    threads = [threading.Thread(target=send, args=(answer,)) for answer in answers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return got


def one_run(responses: Sequence[httpx.Response]) -> str:
    """Equal streams of one run, which one request has started; its id."""
    assert {response.status_code for response in responses} == {200}
    assert len({without_pings(response.content) for response in responses}) == 1
    assert sum("idempotent-replayed" not in response.headers for response in responses) == 1
    (run_id,) = {response.headers["x-run-id"] for response in responses}
    return run_id


def effects(chat: Conversation, run_id: str) -> list[Any]:
    """The changes that a run made to the draft."""
    ended = [event["data"] for event in chat.student.poll_all(run_id) if event["type"] == "update_action"]
    return [change for tool in ended for change in tool.get("changes") or []]


def test_c7_fifty_approvals_at_once_are_one_write_and_fifty_equal_streams(played: Played) -> None:
    chat, item = carded(played)
    card, before, revision, calls = chat.pending, chat.places, chat.state["revision"], len(played.asked())
    played.play(ASK)
    answers = together(chat, [{"action": "approve"}] * ANSWERS)
    run_id = one_run([response for _, response in answers])
    assert len(answers) == ANSWERS
    assert effects(chat, run_id) == card["changes"]
    assert chat.state["revision"] == revision + 1
    assert chat.places == {key: place for key, place in before.items() if key != item}
    assert len(played.asked()) == calls + 1


def test_c7_of_approvals_and_rejections_at_once_one_kind_wins_and_the_other_is_40074(played: Played) -> None:
    chat, item = carded(played)
    card, before, calls = chat.pending, chat.places, len(played.asked())
    played.play(ASK)
    answers = together(chat, [{"action": "approve"}, {"action": "reject"}] * (ANSWERS // 2))
    won = {action for action, response in answers if response.status_code == 200}
    assert len(won) == 1
    run_id = one_run([response for action, response in answers if action in won])
    for action, response in answers:
        if action not in won:
            body = response.json()
            assert (response.status_code, body["status"], body["data"]["reason"]) == (409, "40074", "answered")
            assert (body["data"]["answer"]["action"], body["data"]["answer"]["run_id"]) == (*won, run_id)
    approved = won == {"approve"}
    assert effects(chat, run_id) == (card["changes"] if approved else [])
    assert chat.places == {key: place for key, place in before.items() if key != item or not approved}
    assert len(played.asked()) == calls + 1


@pytest.mark.parametrize("card", CARDS)
def test_c7_every_kind_of_answer_counts_once(played: Played, card: str) -> None:
    opener, answer = CARDS[card]
    chat = opener(played)
    calls = len(played.asked())
    played.play(ASK)
    one_run([response for _, response in together(chat, [answer] * 10)])
    assert len(played.asked()) == calls + 1
    assert chat.pending["type"] == "ask_user"

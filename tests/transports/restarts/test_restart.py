"""A restart in the middle of a conversation loses neither the draft nor the open question (wire.md 3.1, 5.8)."""

from __future__ import annotations

import signal
import threading
from typing import Any

import pytest

from tests.kits.transports.students import Student, without_pings

READERS = 50


@pytest.fixture(scope="module")
def asked(server_factory: Any) -> tuple[Student, str, dict[str, Any]]:
    """A student whose server was killed and started again while a move waited for consent."""
    server = server_factory(AGENT_BACKEND="offline")
    student = Student(server, "li", server.account("li"))
    answer, _ = student.chat("把概率论期中复习排进课表")
    conversation_id = answer.headers["x-conversation-id"]
    entries = student.data("/agent/schedule-preview", conversation_id=conversation_id)["hybrid_entries"]
    item = [entry for entry in entries if entry["status"] == "suggested"][-1]
    student.chat(f"把「{item['name']}」挪到别的时间", conversation_id=conversation_id)
    before = student.data(f"/agent/conversations/{conversation_id}/state")
    if before["interaction"]["type"] == "ask_user":
        resume = {"interaction_id": before["interaction"]["interaction_id"], "type": "ask_user", "action": "reply"}
        student.chat("1", conversation_id=conversation_id, extra={"resume": resume})
        before = student.data(f"/agent/conversations/{conversation_id}/state")
    preview = student.http.get("/agent/schedule-preview", params={"conversation_id": conversation_id}).content
    server.stop(signal.SIGKILL)
    server.start()
    after = student.data(f"/agent/conversations/{conversation_id}/state")
    assert (after["interaction"], after["revision"], after["phase"]) == (
        before["interaction"],
        before["revision"],
        "interrupted",
    )
    assert student.http.get("/agent/schedule-preview", params={"conversation_id": conversation_id}).content == preview
    return student, conversation_id, after["interaction"]


def test_fifty_approvals_after_a_restart_are_one_run_one_effect_and_equal_streams(
    asked: tuple[Student, str, dict[str, Any]],
) -> None:
    student, conversation_id, card = asked
    assert card["type"] == "confirm"
    resume = {"interaction_id": card["interaction_id"], "type": "confirm", "action": "approve"}
    body = {"conversation_id": conversation_id, "message": "", "extra": {"resume": resume}}
    revision = student.data(f"/agent/conversations/{conversation_id}/state")["revision"]
    answers: list[Any] = []

    def approve() -> None:
        answers.append(student.http.post("/agent/chat", json=body))

    threads = [threading.Thread(target=approve) for _ in range(READERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == [200] * READERS
    assert len({answer.headers["x-run-id"] for answer in answers}) == 1
    assert len({without_pings(answer.content) for answer in answers}) == 1
    assert sum("idempotent-replayed" not in answer.headers for answer in answers) == 1
    ended = [e["data"] for e in student.poll_all(answers[0].headers["x-run-id"]) if e["type"] == "update_action"]
    assert [tool["changes"] for tool in ended if tool["changes"]] == [card["changes"]]
    assert student.data(f"/agent/conversations/{conversation_id}/state")["revision"] == revision + 1

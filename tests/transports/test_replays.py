"""What a server has recorded plays again, event by event, in a new process (agent.md 10)."""

from __future__ import annotations

import signal
from typing import Any

from tests.kits.transports.played import ASK, DONE, EXECUTE, Conversation, Played, carded, lost, plan_of, planned
from tests.kits.transports.students import Student
from tests.kits.waiting import until


def cancelled_run(played: Played) -> Conversation:
    """A run that is cancelled while its model says nothing, in the middle of a goal."""
    played.play(EXECUTE, {"action": "continue", "speak": "我想一想"}, None)
    started = played.student.http.post("/tasks", json={"message": "慢慢想"}).json()["data"]
    chat = Conversation(played)
    chat.id = started["conversation_id"]
    until(lambda: len(played.asked()) == 3)
    played.student.http.post(f"/tasks/{started['task_id']}/cancel")
    until(lambda: chat.state["last_run"]["status"] == "cancelled")
    return chat


def answered_card(played: Played) -> Conversation:
    """A card that is approved, with a wrong answer of the model on the way."""
    chat, _ = carded(played)
    played.play({"action": "finish"}, DONE, "取下来了。")
    chat.resumes("approve")
    return chat


def refused_plan(played: Played) -> Conversation:
    """A plan that is refused, made anew and given up."""
    chat = planned(played, build=True)
    played.play(plan_of(played.task_class, build=False))
    chat.resumes("reject", "只看总览")
    chat.resumes("cancel")
    return chat


def recovered_run(played: Played) -> Conversation:
    """A run that failed in the middle and the one that went on."""
    chat = lost(played)
    played.play(ASK)
    chat.resumes("resume")
    return chat


def deep_answer(played: Played) -> Conversation:
    """A routing call that is left as soon as the route is known."""
    played.play({"route": "deep_answer", "speak": "不要说这句"}, "因为概率论更难。")
    return Conversation(played).says("为什么这样排？")


def test_conversations_replay_equal_after_a_restart(played: Played) -> None:
    told = [tell(played) for tell in (cancelled_run, answered_card, refused_plan, recovered_run, deep_answer)]
    server, last = played.student.server, told[-1]
    # The recording of a run is stored after its end has been told.
    recorded = f"/agent/conversations/{last.id}/context-stats"
    until(lambda: (played.student.data(recorded) or {}).get("run_id") == last.state["last_run"]["run_id"])
    server.stop(signal.SIGKILL)
    server.start()
    for chat, runs in zip(told, (1, 3, 3, 3, 1), strict=True):
        lines = server.manage("replay_conversation", chat.id, "--diff").stdout.splitlines()
        assert lines == [f"run {number}: equal" for number in range(1, runs + 1)]


def test_every_recorded_run_of_the_suite_replays_equal(server: Any) -> None:
    """For all servers, and what the tests to come say to this one, the end of `server_factory` looks again."""
    Student(server, "li").chat("你好")
    assert server.prove_replays() > 0

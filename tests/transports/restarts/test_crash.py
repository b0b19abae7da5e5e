"""The server is killed in the middle of a run: nothing is lost but the sentence (wire.md 5.8)."""

from __future__ import annotations

import signal
from typing import Any

from tests.kits.provider.openai_server import chunk, decision, silence
from tests.kits.transports.runs import HALF
from tests.kits.transports.students import Student, parse_frames
from tests.kits.waiting import until

QUICK = {"AGENT_LEASE_S": "2", "AGENT_SWEEP_S": "0.3"}


def test_a_killed_run_is_closed_and_taken_up_again(server_factory: Any, script: Any) -> None:
    server = server_factory(AGENT_BACKEND="openai", OPENAI_BASE_URL=script.base_url, OPENAI_API_KEY="x", **QUICK)
    ming = Student(server, "ming")
    script.script([silence(chunk(content=HALF))])
    started = ming.http.post("/tasks", json={"message": "慢慢想"}).json()["data"]
    run_id, conversation_id = started["task_id"], started["conversation_id"]
    before = until(lambda: (p := ming.data(f"/tasks/{run_id}"))["events"][-1]["type"] == "text_chunk" and p["events"])
    server.stop(signal.SIGKILL)
    server.start()

    page = until(lambda: (p := ming.data(f"/tasks/{run_id}", **{"from": len(before)}))["status"] != "running" and p)
    assert page["status"] == "interrupted"
    frames = parse_frames(ming.http.get(f"/agent/runs/{run_id}/stream", params={"from": len(before)}).content)
    kinds = [frame.kind for frame in frames[:-1]]
    # The embedded log died with the process; a Redis of its own still has it.
    assert kinds == [
        "text_end" if server.environment.get("REDIS_URL") else "stream_reset",
        "interrupt",
        "status",
        "finish",
    ]
    ids = [frame.id for frame in frames[:-1]]
    assert ids == list(range(ids[0], ids[0] + 4))
    assert ids[0] > before[-1]["idx"]
    state = ming.data(f"/agent/conversations/{conversation_id}/state")
    assert (state["interaction"]["type"], state["last_run"]["status"]) == ("connection_recover", "interrupted")

    script.script([decision({"route": "direct_reply", "speak": "想好了。"})])
    resume = {
        "interaction_id": state["interaction"]["interaction_id"],
        "type": "connection_recover",
        "action": "resume",
    }
    _, frames = ming.chat("", conversation_id=conversation_id, extra={"resume": resume})
    assert frames[0].data["extra"]["message"]["continues_run_id"] == run_id
    said = [frame.data["extra"]["text"]["full_content"] for frame in frames[:-1] if frame.kind == "text_end"]
    assert said == ["想好了。"]
    assert frames[-2].data["extra"]["finish"]["outcome"] == "completed"
    seqs = [item["seq"] for item in ming.data(f"/agent/conversations/{conversation_id}/timeline")["items"]]
    assert seqs == list(range(1, len(seqs) + 1))

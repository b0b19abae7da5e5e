"""A web search whose provider never answers is dropped when the student asks to stop (wire.md 5.7)."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.kits.provider.openai_server import decision
from tests.kits.transports.students import Student
from tests.kits.waiting import until

SEARCH = {"action": "continue", "tool_call": {"name": "web_search", "arguments": {"query": "概率论 复习"}}}


@pytest.fixture
def silent_provider() -> Iterator[str]:
    """The address of a port that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def test_a_search_that_hangs_is_dropped_and_the_run_ends_in_words(
    server_factory: Any, script: Any, silent_provider: str
) -> None:
    provider = {"WEB_SEARCH_PROVIDER": "searxng", "WEB_SEARCH_URL": silent_provider}
    server = server_factory(AGENT_BACKEND="openai", OPENAI_BASE_URL=script.base_url, OPENAI_API_KEY="x", **provider)
    student = Student(server, "ming")
    route = {"route": "execute", "context_hook": {"domain": "schedule", "packs": ["web"]}}
    script.script([decision(route), decision(SEARCH)])
    run_id = student.http.post("/tasks", json={"message": "查一下资料"}).json()["data"]["task_id"]

    def page() -> Any:
        return student.data(f"/tasks/{run_id}")

    until(lambda: any(event["type"] == "tool_start" for event in page()["events"]))
    asked = time.monotonic()
    student.http.post(f"/tasks/{run_id}/cancel")
    events = until(lambda: (found := page())["status"] == "cancelled" and found)["events"]
    assert time.monotonic() - asked < 2
    result = next(e["data"] for e in events if e["type"] == "update_action" and e["data"]["status"] != "cancelled")
    assert (result["status"], result["error_code"]) == ("failed", "run_cancelled")
    assert [e["data"]["full_content"] for e in events if e["type"] == "text_end"] == [
        "已停止这次任务，草稿保持现在的样子。"
    ]
    assert events[-1]["data"]["outcome_code"] == "run_cancelled"
    recorded = f"/agent/conversations/{page()['conversation_id']}/context-stats"
    until(lambda: (student.data(recorded) or {}).get("run_id") == run_id)
    assert server.manage("replay_conversation", page()["conversation_id"], "--diff").stdout == "run 1: equal\n"
    student.http.close()

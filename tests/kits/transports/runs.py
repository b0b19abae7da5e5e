"""Runs on the server with the scripted model."""

from __future__ import annotations

from typing import Any

from tests.kits.provider.openai_server import decision
from tests.kits.transports.students import Student

HALF = '{"route":"direct_reply","speak":"我想一想'


def asks(ming: Student, script: Any, text: str = "哪一门？") -> tuple[str, dict[str, Any]]:
    """A conversation that waits for an answer; its id and the open interaction."""
    script.script([decision({"route": "execute"}), decision({"speak": text, "action": "ask_user", "reason": "r"})])
    answer, frames = ming.chat("排一下", extra={"always_execute": False})
    assert frames[-2].data["extra"]["finish"]["run_status"] == "waiting", [f.data for f in frames[-4:]]
    conversation_id = answer.headers["x-conversation-id"]
    return conversation_id, ming.data(f"/agent/conversations/{conversation_id}/state")["interaction"]

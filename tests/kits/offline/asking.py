"""The offline policy asked about one view."""

from __future__ import annotations

from agent.llm.offline.backend import answer
from tests.kits.offline.views import view


def summary(message, **changes):
    return answer(view(message, stage="deliver", **changes))


WEDNESDAY = {"for_task_id": 8, "day": 3, "section_from": 5, "section_to": 8}


REQUEST = "第2章移到周三下午"


def called(decision):
    assert decision["action"] == "continue", decision
    return decision["tool_call"]["name"], decision["tool_call"]["arguments"]


def answered(action, message="", *, subject="tool", kind="confirm", name="move", arguments=None, at=0):
    call = {"name": name, "arguments": arguments or {}} if subject == "tool" else None
    return {
        "type": kind, "subject": subject, "action": action, "message": message, "option": None, "call": call,
        "question": "", "topic": "", "steps": [], "seen": False, "results_at": at,
    }  # fmt: skip

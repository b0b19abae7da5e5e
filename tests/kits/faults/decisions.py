"""The decisions of a run that plans, looks once and ends, whatever happens to the worker meanwhile."""

from __future__ import annotations

CHAT = {"route": "plan", "speak": "先列步骤。", "needs_rough_build": True, "needs_refine_after_rough_build": True}
PLAN = {
    "speak": "就这样做。", "action": "plan_done", "reason": "r", "needs_rough_build": True, "needs_refine": True,
    "steps": [{"content": "体检", "done_when": "体检有结果"}],
}  # fmt: skip
LOOK = {
    "speak": "看一眼。",
    "action": "continue",
    "reason": "r",
    "tool_call": {"name": "get_overview", "arguments": {}},
}
DONE = {"speak": "排好了。", "action": "done", "goal_check": "get_overview：已全部预排", "reason": "r"}

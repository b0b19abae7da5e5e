"""What the check-up offered, what was chosen of it, and what the choice gave away."""

from __future__ import annotations

from collections.abc import Iterable

from agent.calls.kinds import Json
from agent.loop.events import Event, ToolFinished, ToolStarted

CHECK_UP = "analyze_health"
STEPS = ("move", "swap")


def choices_of(events: Iterable[Event], verdict: Json | None = None) -> list[Json]:
    """Returns one row for each step that was chosen from candidates: the offered ids with scores, the chosen one, and
    its regret, which is what the best one would have saved more; None for a step that was not offered.

    `verdict` is the check-up whose step the student was asked about before these events.
    """
    offered = [] if verdict is None or verdict.get("stale") else _steps_in(verdict)
    found: list[Json] = []
    for event in events:
        if isinstance(event, ToolFinished):
            offered = offered_by(event) or offered
        elif isinstance(event, ToolStarted) and event.name in STEPS and offered:
            found.append(_choice(offered, event))
            offered = []
    return found


def offered_by(event: ToolFinished) -> list[Json]:
    """Returns the steps that a check-up offers; none for any other call."""
    if event.name != CHECK_UP or not event.success:
        return []
    payload = ((event.result_view or {}).get("expanded") or {}).get("machine_payload") or {}
    return _steps_in(payload)


def _steps_in(verdict: Json) -> list[Json]:
    rows = (verdict.get("decision") or {}).get("candidates") or []
    return [row for row in rows if row.get("tool")]


def _choice(offered: list[Json], event: ToolStarted) -> Json:
    best = max(int(row["score"]) for row in offered)
    same = [row for row in offered if row["tool"] == event.name and row["arguments"] == event.arguments]
    return {
        "offered": [{"id": row["candidate_id"], "score": row["score"]} for row in offered],
        "chosen": same[0]["candidate_id"] if same else "",
        "regret": best - int(same[0]["score"]) if same else None,
    }

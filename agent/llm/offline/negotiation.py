"""The plan that did not fit: which of the ways out a message takes."""

from __future__ import annotations

from typing import Literal

from agent.llm.offline.brief import Brief
from agent.loop.phrases import chosen_option, folded

Way = Literal["expand_window", "relax_constraints", "reduce_scope", "accept_risk"]
WAYS: tuple[tuple[Way, str, str], ...] = (
    ("expand_window", "扩大时间窗", "Widen the date range"),
    ("relax_constraints", "放宽限制", "Relax constraints"),
    ("reduce_scope", "缩小范围", "Plan less"),
    ("accept_risk", "接受风险", "Accept the risk"),
)


def negotiated(brief: Brief) -> Way | None:
    """The way out that the student took last, while something did not fit: by label, number or id."""
    stuck = bool((brief.rough_build or {}).get("report")) or (brief.verdict or {}).get("verdict") == "infeasible"
    if not stuck:
        return None
    return next((way for turn in reversed(brief.turns) if (way := _way_in(turn)) is not None), None)


def _way_in(turn: str) -> Way | None:
    for labels in ([(way, zh) for way, zh, _ in WAYS], [(way, en) for way, _, en in WAYS]):
        chosen = chosen_option(turn, labels)
        if chosen is not None:
            return next(way for way, _, _ in WAYS if way == chosen)
    text = folded(turn)
    return next((way for way, zh, en in WAYS if zh in text or en.lower() in text), None)


def four_ways(brief: Brief) -> str:
    """The numbered list of the ways out."""
    return "\n".join(f"{n} {brief.say(zh, en)}" for n, (_, zh, en) in enumerate(WAYS, start=1))

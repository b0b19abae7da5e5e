"""The plan that did not fit: which of the ways out a message takes."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.intents import intent_of, label_of
from agent.llm.offline.language.spans.classes.class_sentence import read_class
from agent.loop.phrases import chosen_option, fold_text

Way = tuple[str, str, str]
CHANGES: tuple[Way, ...] = (
    ("expand_window", "扩大时间窗", "Widen the date range"),
    ("relax_constraints", "放宽限制", "Relax constraints"),
    ("reduce_scope", "缩小范围", "Plan less"),
)
_LONGER = re.compile(
    r"(?:时间|日期|期限).{0,4}(?:长|宽|多|久)|延长|延期|多给.{0,3}时间|\b(?:more time|longer|extend|later end)\b"
)
_LESS = re.compile(r"少排|减少|少一?[点些]|太多|砍|精简|\b(?:less|fewer|too (?:much|many)|cut)\b")
ACCEPT: Way = ("accept_risk", "接受风险", "Accept the risk")


def ways(brief: Brief) -> list[Way]:
    """(key, zh, en) of the ways out, in the order in which the loop numbers them."""
    owners = [row for row in brief.classes if row["id"] in brief.scope] if len(brief.scope) > 1 else []
    drops = [(f"drop:{row['id']}", f"先不排「{row['name']}」", f"Leave out “{row['name']}”") for row in owners]
    return [*CHANGES, *sorted(drops, key=lambda way: brief.scope.index(int(way[0][5:]))), ACCEPT]


def find_chosen_way(brief: Brief) -> str | None:
    """The key of the way out that the student took last, while something did not fit: by label, number or id."""
    left_over = brief.rough_build is not None and bool(brief.rough_build["report"])
    if not left_over and (brief.verdict or {}).get("verdict") != "infeasible":
        return None
    taken = next((way for turn in reversed(brief.turns) if (way := _way_in(brief, turn)) is not None), None)
    vague = (
        intent_of(brief.request, brief) in ("other", "optimise", "fits")
        or label_of(brief.request, brief) == "class_dates"
    )
    return taken or (_infer_way(brief) if vague else None)


def _infer_way(brief: Brief) -> str | None:
    """The way out that a request means without its label: new dates, fewer sections, in words or as facts."""
    text, facts = fold_text(brief.request), read_class(brief.request, brief.term)
    if facts.start or facts.end or _LONGER.search(text):
        return "expand_window"
    if facts.total or facts.parts or len(facts.items) > 1 or _LESS.search(text):
        return "reduce_scope"
    return None


def _way_in(brief: Brief, turn: str) -> str | None:
    offered = ways(brief)
    for labels in ([(way, zh) for way, zh, _ in offered], [(way, en) for way, _, en in offered]):
        chosen = chosen_option(turn, labels)
        if chosen is not None:
            return chosen
    text = fold_text(turn)
    return next((way for way, zh, en in offered if fold_text(zh) in text or fold_text(en) in text), None)


def listed_ways(brief: Brief) -> str:
    """The numbered list of the ways out."""
    return "\n".join(f"{n} {brief.say(zh, en)}" for n, (_, zh, en) in enumerate(ways(brief), start=1))

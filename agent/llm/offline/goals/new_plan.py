"""A plan that would be better if it were made anew: said by how much, and offered as a card."""

from __future__ import annotations

from typing import Any

from agent.llm.offline.goals.decisions import Decision, call, finish
from agent.llm.offline.goals.items.offers import was_rejected
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.texts import PROBLEMS

ANEW = {"kind": "anew"}
SHARES = ((60, "好一大半", "well over half better"), (45, "好将近一半", "about half better"),
          (28, "好约三分之一", "about a third better"), (18, "好约五分之一", "about a fifth better"),
          (0, "好一成多", "more than a tenth better"))  # fmt: skip


def offer_new_plan(brief: Brief) -> Decision | None:
    """The card of a plan made anew, where a check-up found that it is better by more than a tenth."""
    found = new_plan_found(brief)
    done = next((row for row in brief.results if row["tool"] == "replan" and row["arguments"] == ANEW), None)
    if done is not None:
        return finish(brief, f"replan: {done['status']}")
    if found is None or was_rejected(brief, "replan", ANEW):
        return None
    return call(brief, "replan", ANEW, speak=gain_text(brief, found))


def new_plan_found(brief: Brief) -> dict[str, Any] | None:
    """What a check-up found of a plan made anew that is better by more than a tenth."""
    found: dict[str, Any] | None = ((brief.verdict or {}).get("decision") or {}).get("new_plan")
    return found if found and found["moves"] else None


def is_as_good_as_new(brief: Brief) -> bool:
    """Whether a check-up has compared the plan with one that is made anew, and that was no better."""
    return "new_plan" in ((brief.verdict or {}).get("decision") or {}) and new_plan_found(brief) is None


def gain_text(brief: Brief, found: dict[str, Any]) -> str:
    """整个重新排会好约三分之一：安排过满的日子从 3 天减到 0 天."""
    share = next(words for least, *words in SHARES if found["better_percent"] >= least)
    fewer = [row for row in found["problems"] if row["days_after"] < row["days_before"]]
    told = brief.say("；", "; ").join(_fewer(brief, row) for row in fewer[:3])
    return brief.say(
        "没有一步就能变好的改动，但整个重新排一遍会{share}{told}。要动 {moves} 项，同意就确认：",
        "No single change makes it better, but planning it all anew would make it {share}{told}. {moves} items would "
        "move; approve it if you agree:",
        share=brief.say(*share),
        told=brief.say("：", ": ") + told if told else "",
        moves=found["moves"],
    )


def _fewer(brief: Brief, row: dict[str, Any]) -> str:
    values = {"what": brief.say(*PROBLEMS[row["problem"]]), "before": row["days_before"], "after": row["days_after"]}
    return brief.say("{what}从 {before} 天减到 {after} 天", "{what}: {after} days instead of {before}", **values)


def tell_plan_follows(brief: Brief) -> str:
    """That the classes of which nothing is planned are planned when the card is approved, where the goal plans them."""
    placed = {row["class_id"] for row in brief.tasks if row["slot"]}
    waiting = [one for one in brief.scope if one not in placed] if brief.view["needs_rough_build"] else []
    told = ("确认后马上排{names}。", " Once approved, this is planned: {names}.")
    return brief.say(*told, names=brief.names_of(waiting)) if waiting else ""

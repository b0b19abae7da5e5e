"""Why items have no place: each is looked up, and told with what hinders it or where it could go."""

from __future__ import annotations

import re

from agent.llm.offline.goals.decisions import Decision, call, finish
from agent.llm.offline.goals.items.obstacles import obstacles
from agent.llm.offline.goals.questions.suppositions.supposed import tell_unplanned
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.planned_classes import find_waiting_classes
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.items.spoken import spoken_of
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.texts import place_text
from agent.loop.view_document import ResultView, TaskView

NAME = "query_available_slots"
MOST, SHOWN = 5, 2


def look_up_reasons(brief: Brief) -> Decision | None:
    """The look-up for the next item without a place, then the end; None when nobody asked why."""
    if intent_of(brief.request, brief) != "reasons":
        return None
    waiting = [] if tell_refusal(brief) else find_waiting(brief)
    left = next((row for row in waiting if _result_of(brief, row) is None), None)
    return finish(brief, f"{NAME}: done") if left is None else call(brief, NAME, {"for_task_id": left["state_id"]})


_BARE = re.compile(
    r"(?:那|你|这|但是?|可是?|[,，\s])*(?:为什么|为啥|凭什么|怎么)(?:不[行能可]?(?:以|呢)?)?[呢啊?？。!！\s]*"
    r"|(?:but |and |so )?why"
    r"(?: not| (?:can't|won't|isn't|doesn't)(?: (?:you|i|we|it|that))?(?: (?:possible|work|go|fit))?)?[?.! ]*"
)
_REFUSES = re.compile(
    r"什么都没有改|不能这样|放不下|固定|[Nn]othing (?:was changed|fits)|not possible|cannot|are fixed"
)


def tell_refusal(brief: Brief) -> str:
    """The reason that the last answer gave for what it refused, where a message only asks why."""
    last = brief.earlier[-1] if brief.earlier else None
    if last is None or last["role"] == "user" or not _BARE.fullmatch(fold_text(brief.request)):
        return ""
    return brief.say("原因是：", "This is why: ") + last["text"] if _REFUSES.search(last["text"]) else ""


def find_waiting(brief: Brief) -> list[TaskView]:
    """The items without a place that are asked about."""
    named = [row for row in items_in(brief.request, brief) or spoken_of(brief) if not row["slot"]]
    return (named or [row for row in brief.tasks if row["status"] == "pending"])[:MOST]


def _result_of(brief: Brief, row: TaskView) -> ResultView | None:
    rows = (
        one for one in brief.results if one["tool"] == NAME and one["arguments"].get("for_task_id") == row["state_id"]
    )
    return next(rows, None)


def reasons_text(brief: Brief) -> str:
    """One line for each item; empty when nobody asked."""
    if intent_of(brief.request, brief) != "reasons":
        return ""
    if told := tell_refusal(brief):
        return told
    waiting = find_waiting(brief)
    if not waiting:
        waits = find_waiting_classes(brief)
        every = brief.say("所有内容都已经有位置了。", "Every item has a place.")
        return tell_unplanned(brief, waits) if waits else every
    return "\n".join(_reason(brief, row) for row in waiting)


def _reason(brief: Brief, row: TaskView) -> str:
    found = _result_of(brief, row)
    slots = (found["data"] or {}).get("slots") or [] if found else []
    values = {"name": row["name"], "n": row["duration"]}
    if slots:
        shown = (place_text(brief, s["week"], s["day_of_week"], s["slot_start"], s["slot_end"]) for s in slots[:SHOWN])
        return brief.say(
            "{name} 现在没有位置，但放得下，要 {n} 节。\n可以放在：{where}。",
            "{name} has no place now, but it does fit; it takes {n} sections.\nPossible places: {where}.",
            where=brief.say("、", ", ").join(shown), **values,
        )  # fmt: skip
    why = obstacles(brief, row, found, most=2) if found else ""
    told = brief.say("{name} 放不下，要 {n} 节", "{name} does not fit, it takes {n} sections", **values)
    return told + (why or brief.say("。", "."))

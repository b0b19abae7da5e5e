"""The goal of a wish about every plan: set_preferences, once."""

from __future__ import annotations

from typing import Any

from agent.llm.offline.goals.decisions import Decision, call, finish, give_up
from agent.llm.offline.goals.items.offers import was_rejected
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.planned_classes import find_planned_classes
from agent.llm.offline.language.spans.wishes import taken_back_in, wishes_beside, wishes_in

NAME = "set_preferences"


def set_wishes(brief: Brief) -> Decision | None:
    intent = intent_of(brief.request, brief)
    planned = intent in ("build", "class") and bool(wishes_of_plan(brief))
    if intent != "wish" and not planned:
        return None
    tried = [row for row in brief.results if row["tool"] == NAME]
    wishes = (
        wishes_of_plan(brief) if planned else taken_back_in(brief.request, brief) or wishes_in(brief.request, brief)
    )
    arguments = {"wishes": wishes}
    if planned and tried:
        return None
    if was_rejected(brief, NAME, arguments):
        return finish(brief, brief.say("按你的决定不记下", "not kept, as decided"))
    if not tried:
        return call(brief, NAME, arguments)
    if tried[-1]["status"] == "done":
        return finish(brief, f"{NAME}: done")
    return give_up("wish_not_kept", wish_text(brief) or brief.say("没有记下。", "It was not kept."))


def wishes_of_plan(brief: Brief) -> list[dict[str, Any]]:
    """What a request for a plan wishes of it, besides what its classes are to keep to."""
    said = Features(brief.request, brief)
    if not said.builds or said.slots.described:
        return []
    ids = find_planned_classes(brief.request, brief) or [row["id"] for row in brief.classes]
    found = wishes_beside(brief.request, brief)
    owner = {"task_class_id": ids[0]} if len(ids) == 1 < len(brief.classes) else {}
    return [{**owner, **wish} for wish in found if wish.get("task_class_id") in (None, *ids)]


def wish_text(brief: Brief) -> str:
    """What became of the wish."""
    tried = [row for row in brief.results if row["tool"] == NAME]
    if not tried:
        return ""
    if tried[-1]["status"] != "done":
        if (tried[-1].get("error_code") or "") == "no_change":
            return brief.say("这和已经记下的一样，没有变化。", "That holds already; nothing changed.")
        return brief.say("没有保存成功，请稍后再试。", "It could not be saved, please try again later.")
    if any(row["tool"] == "smart_planning" and row["status"] == "done" for row in brief.results):
        return brief.say("愿望已记下，这次就是按它排的。", "The wish is noted, and this plan was made by it.")
    return brief.say(
        "已记下。以后排程和体检会尽量照办；已经排好的要按它重排，请说「重新粗排」。",
        'Noted. Plans and check-ups will heed it where they can; to plan again by it, say "rebuild".',
    )

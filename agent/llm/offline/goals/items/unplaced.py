"""Items without a place: asking about them, and placing them one by one when the student wants that."""

from __future__ import annotations

from agent.llm.offline.goals.decisions import Decision, ask_which, call, finish
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.offers import choice_in
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.intents import OPERATIONS, intent_of
from agent.llm.offline.language.normalize import fold_text, words
from agent.llm.offline.language.spans.items.arrangements import read_arrangement
from agent.llm.offline.language.spans.mentions import items_in

PLACE = (
    "放进", "排进", "放入", "排上", "要排", "安排", "放空位", "place", "put", "fit", "yes", "好", "可以", "是",
)  # fmt: skip
LEAVE = ("不排", "先不", "不用", "算了", "留着", "保持", "不要", "leave", "no", "skip", "keep")
TOPIC = "unplaced"
NUMBERED = {"1": "place", "2": "leave"}


def question(brief: Brief) -> Decision:
    """The question of a check-up that found items without a place."""
    rows = [row for row in brief.tasks if row["status"] == "pending"]
    pending = [row["name"] for row in rows]
    asked = brief.say(
        "还有 {n} 项没有位置：{names}。要放进空位，还是先不排？",
        "No place yet ({n}): {names}. Place them in free slots, or leave them out?",
        n=len(pending),
        names=brief.say("、", ", ").join(pending[:5]) + ("…" if len(pending) > 5 else ""),
    )
    ways = [brief.say("放进空位", "Place them"), brief.say("先不排", "Leave them out")]
    return ask_which(brief, TOPIC, asked, ways, items=[row["item_id"] for row in rows])


def read_answer(brief: Brief) -> str:
    """`place`, `leave`, or nothing when the question has not been answered; a place for one item is a request."""
    text, wanted = fold_text(brief.request), read_arrangement(brief.request, brief)
    if wanted is not None and (wanted.goes or wanted.spared):
        return ""
    if says("fill", text) or (says("anywhere", text) and intent_of(brief.request, brief) == "optimise"):
        return "place"
    replied = next((turn["text"] for turn in reversed(brief.view["turns"]) if turn["via"] == "reply"), "")
    asked = [turn["asks"]["topic"] for turn in brief.view["dialogue"] if turn["asks"]]
    if brief.interaction:
        asked.append(brief.interaction["topic"])
    if not replied or TOPIC not in asked:
        return ""
    if intent_of(replied, brief) in OPERATIONS and items_in(replied, brief):
        return ""
    text = fold_text(replied).strip()
    number = choice_in(replied, len(NUMBERED))
    if number is not None:
        return NUMBERED[str(number)]
    return "leave" if words(text, *LEAVE) else "place" if words(text, *PLACE) else ""


def ask_about_unplaced(brief: Brief) -> Decision:
    """The answer to a verdict that needs the student's decision."""
    if read_answer(brief) == "leave":
        return finish(brief, brief.say("其余内容按你的决定先不排", "the rest is left out, as decided"))
    return place_unplaced(brief) or question(brief)


def place_unplaced(brief: Brief) -> Decision | None:
    """The next item without a place goes to its first free place; None when nobody asked for that."""
    if read_answer(brief) != "place":
        return None
    tried = {row["arguments"].get("for_task_id") for row in brief.results if not (row["data"] or {}).get("slots")}
    pending = [row for row in brief.tasks if row["status"] == "pending" and row["state_id"] not in tried]
    if not pending:
        return finish(brief, brief.say("能放的都放了", "everything that fits is placed"))
    wanted = {"for_task_id": pending[0]["state_id"], "limit": 3}
    last = brief.results[-1] if brief.results else None
    if last and (last["tool"], last["arguments"]) == ("query_available_slots", wanted):
        slot = last["data"]["slots"][0]
        place = {"task_id": pending[0]["state_id"], "day": slot["day"], "slot_start": slot["slot_start"]}
        return call(brief, "place", place)
    return call(brief, "query_available_slots", wanted)

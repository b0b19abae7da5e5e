"""The five things the policy can answer in the execute stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.class_batches import WRITE, WRITE_ALL
from agent.llm.offline.language.dialogue.offers import CHOICE, NO, YES
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.texts import CARD_AGAIN
from agent.loop.model_call.decisions import MAX_OPTIONS
from agent.loop.nodes.enter import READING, SAME_REQUEST
from agent.loop.view_document import AskedView

Decision = dict[str, Any]
PACKS = {
    "detail_read": (
        "query_range",
        "get_task_info",
        "preview_replan",
        "query_timetable",
        "list_tasks",
        "find_first_free",
    ),
    "mutation": ("place", "move", "swap", "batch_move", "unplace", "batch_unplace"),
    "analyze": ("analyze_health",),
    "deep_analyze": ("analyze_rhythm",),
    "progress": ("replan", "mark_items"),
}
WRITES = (
    "place", "move", "swap", "unplace", "batch_move", "batch_unplace", "queue_apply_head_move", WRITE, WRITE_ALL,
    "delete_task_class", "replan", "mark_items", "set_preferences",
)  # fmt: skip
_OF_CLASSES = (WRITE, WRITE_ALL, "delete_task_class")
MOST_ASKED = 2
NOT_USED = ("没有用上：「{said}」。", 'Not taken into account: "{said}".')


def call(brief: Brief, name: str, arguments: Mapping[str, Any], *, speak: str = "") -> Decision:
    """Calls a tool; one that is not open yet is opened first, one that the student refused is asked about."""
    if name not in brief.tools:
        return _open(brief, name)
    if any(row["name"] == name and within(arguments, row["arguments"]) for row in brief.view["rejected"]):
        if (said := find_words_beside(brief)) != "":
            return give_up(SAME_REQUEST, "\n".join((brief.say(*NOT_USED, said=said), brief.say(*CARD_AGAIN))))
        told = brief.say("这和你刚才没有同意的一样。要改成什么？", "That is what you just refused. What instead?")
        return ask(brief, "refused_call", told)
    return {
        "speak": speak,
        "action": "continue",
        "reason": "fixed_rules",
        "tool_call": {"name": name, "arguments": dict(arguments)},
    }


def find_words_beside(brief: Brief) -> str:
    """The words over a card that change nothing of it and do not refuse it either."""
    over = brief.last_answer("tool", "reject")
    said = over["message"].strip() if over else ""
    refusing = ("correction", "keep", "never_mind", *(() if says("not_so", fold_text(said)) else ("unwanted",)))
    return "" if any(says(concept, fold_text(said)) for concept in refusing) else said


def within(given: Any, sent: Any) -> bool:
    """Whether `sent` is `given`, apart from defaults that were filled in."""
    if isinstance(given, Mapping) and isinstance(sent, Mapping):
        return all(key in sent and within(value, sent[key]) for key, value in given.items())
    if isinstance(given, list) and isinstance(sent, list):
        return len(given) == len(sent) and all(within(*pair) for pair in zip(given, sent, strict=True))
    return bool(given == sent)


def _open(brief: Brief, name: str) -> Decision:
    if not brief.tools:  # where nothing can be called, what would be is only told
        return {"speak": "", "action": "continue", "reason": "open"}
    opened = bool(brief.results) and brief.results[-1]["tool"] == "context_tools_add"
    if opened or "context_tools_add" not in brief.tools:
        return stuck(brief)
    domain = "taskclass" if name in _OF_CLASSES else "schedule"
    arguments: dict[str, Any] = {"domain": domain, "mode": "merge"}
    packs = [pack for pack, tools in PACKS.items() if name in tools]
    return {
        "speak": "",
        "action": "continue",
        "reason": "open",
        "tool_call": {"name": "context_tools_add", "arguments": {**arguments, **({"packs": packs} if packs else {})}},
    }


def ask(brief: Brief, topic: str, question: str, **about: Any) -> Decision:
    """Asks in words; the same question is not asked a third time. `topic` and `about` tell which question it is."""
    asks = AskedView(topic=topic, about=about)
    if brief.asked.count(asks) >= MOST_ASKED:
        return stuck(brief)
    return {"speak": question.strip(), "action": "ask_user", "reason": "fixed_rules", "asks": asks}


def ask_readings(brief: Brief, topic: str, question: str, readings: list[str]) -> Decision:
    """A question whose buttons are whole requests."""
    ids = [f"{READING}{number}" for number in range(1, len(readings) + 1)]
    return with_buttons(ask(brief, topic, question, readings=readings), ids, readings)


def ask_which(brief: Brief, topic: str, question: str, entries: list[str], **about: Any) -> Decision:
    """A question whose buttons are the entries of its numbered list."""
    ids = [f"{CHOICE}{number}" for number in range(1, len(entries) + 1)]
    return with_buttons(ask(brief, topic, question, **about), ids, entries)


def ask_class(brief: Brief, topic: str, question: str, **about: Any) -> Decision:
    """A question whose buttons are the task classes."""
    ids, names = [f"class_{row['id']}" for row in brief.classes], [row["name"] for row in brief.classes]
    return with_buttons(ask(brief, topic, question, **about), ids, names)


def ask_whether(brief: Brief, topic: str, question: str, **about: Any) -> Decision:
    """A question whose buttons are a yes and a no."""
    return with_buttons(
        ask(brief, topic, question, **about), [YES, NO], [brief.say("是", "Yes"), brief.say("不是", "No")]
    )


def with_buttons(decision: Decision, ids: list[str], labels: list[str]) -> Decision:
    """The decision with the buttons of its question, where it is one and they are not too many to choose from."""
    if decision["action"] != "ask_user" or len(ids) > MAX_OPTIONS:
        return decision
    return {**decision, "options": [{"id": key, "label": label} for key, label in zip(ids, labels, strict=True)]}


def finish(brief: Brief, proof: str) -> Decision:
    """Ends the step, and the goal with its last step. `proof` is the goal check."""
    action = "next_plan" if brief.steps_left else "done"
    return {"speak": "", "action": action, "goal_check": proof, "reason": "fixed_rules"}


def give_up(code: str, message: str) -> Decision:
    """Ends the goal with words for the student."""
    return {
        "speak": "",
        "action": "abort",
        "abort": {"code": code, "user_message": message, "internal_reason": "fixed_rules"},
    }


_MOST_NAMED = 4


def say_after_that(brief: Brief, rest: Sequence[str]) -> str:
    """The sentence that tells what comes after a card."""
    listed = brief.say("、", ", ").join(rest[:_MOST_NAMED])
    listed += brief.say("等", ", ...") if len(rest) > _MOST_NAMED else ""
    return brief.say("接下来：{listed}。", "After that: {listed}.", listed=listed)


def stuck(brief: Brief) -> Decision:
    """The rules lead no further."""
    return give_up(
        "fixed_rules",
        brief.say(
            "按固定规则我做不下去了，已完成的改动都保留。请换一种说法，例如「第2章移到第4周周三5-6节」。",
            "My fixed rules lead no further here; what was done is kept. Please put it differently, for example "
            '"Move chapter 2 to week 4 Wednesday 5-6".',
        ),
    )

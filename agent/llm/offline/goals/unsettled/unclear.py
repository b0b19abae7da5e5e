"""A request inside the trade that no line of the grammar understands: asked back with a few readings to choose from.

A reading is a whole request in the student's language, so that the answer begins a goal of its own.
"""

from __future__ import annotations

import re

from agent.llm.offline.goals.decisions import Decision, ask_readings, give_up
from agent.llm.offline.goals.questions.nothing_there import not_begun_text
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import affirms, form_of
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.grammar import WRITES, Intent
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.paraphrase.paraphrase import find_likely
from agent.llm.offline.language.spans.classes.class_changes import (
    divides_items,
    read_content_changes,
    tells_only_contents,
)
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.dates import TIMES, weekdays_in
from agent.llm.offline.language.spans.happenings import days_in
from agent.llm.offline.language.spans.items.arrangements import read_arrangement
from agent.llm.offline.language.spans.mentions import classes_in, items_in
from agent.llm.offline.language.spans.targets import target_in
from agent.llm.offline.language.texts import is_about_something_else

TOPIC = "unclear"
OF_RULES: tuple[Intent, ...] = ("build", "class", "wish", "limit", "replan", "plan_first", "optimise", "delete_class")
"""Intents about how everything is planned, which one sentence may come to in several ways."""
OF_PLACES: tuple[Intent, ...] = ("move", "place", "try", "swap", "keep")
"""Intents about where an item is to be, which one sentence may come to in several ways."""
DOUBTED: tuple[Intent, ...] = (*WRITES, *OF_RULES, "mark")
"""Intents that change something: what the models take for something else is asked about first."""
OPEN_TOPICS = frozenset(["item", "other_item", "class_to_change", "change_of_class", "not_understood"])
"""Questions of the grammar what is to be changed at all."""
MOST = 3
_LONG = 120
"""Characters of a message that may be asked about; a longer one is a text, not a request."""
OF_ITEM = (
    ("把{name}移到别的时间", "Move {name} to another time"),
    ("{name}在哪天", "When is {name}?"),
    ("先把{name}移出来", "Take {name} out"),
)
OF_ITEM_THEN = (("把{name}移到{time}", "Move {name} to {time}"), *OF_ITEM[1:])
OF_CLASS = (
    ("把{name}排好", "Plan my {name}"),
    ("{name}什么时候学完", "When will I finish {name}?"),
    ("{name}有多少项", "How many items does {name} have?"),
)
OF_TIME = (
    ("{time}有什么安排", "What is on {time}?"),
    ("{time}有空吗", "Am I free {time}?"),
)
OF_DAY_OFF = (
    ("这{time}空出来", "Keep this {time} free"),
    ("下{time}空出来", "Keep next {time} free"),
    ("每个{time}都不排", "Nothing on {time}, every week"),
)
OF_PLAN = (
    ("这周有什么安排", "What is on this week?"),
    ("还有哪些没排", "What is left unplaced?"),
    ("检查一下我的计划", "Check my plan"),
)


def can_be_asked(brief: Brief) -> bool:
    """Whether the message is about something that is known here."""
    return bool(find_readings(brief, brief.message))


def ask_what_is_meant(brief: Brief) -> Decision | None:
    """The question with its readings as buttons."""
    if brief.view["plan"] or intent_of(brief.request, brief) != "other":
        return None
    return _ask(brief, find_readings(brief, brief.message) or find_readings(brief, brief.request))


def is_doubted(brief: Brief) -> bool:
    """Whether the grammar would change something that the models do not take the request for."""
    return bool(_find_doubts(brief))


def ask_what_is_doubted(brief: Brief) -> Decision | None:
    """The question what is meant where the grammar and the models differ."""
    return _ask(brief, _find_doubts(brief))


def ask_by_readings(brief: Brief, decision: Decision) -> Decision:
    """The question of a decision; what the models may take the request for instead, where that question only tells
    that the grammar found nothing to change."""
    if (decision.get("asks") or {}).get("topic") not in OPEN_TOPICS or _goes_on(brief):
        return decision
    return _ask(brief, [one for one in brief.likely if intent_of(one, brief) != "other"]) or decision


def _goes_on(brief: Brief) -> bool:
    """Whether more than the first words of the request has been said, or it is a part of a plan."""
    return len(brief.view["turns"]) > 1 or bool(brief.view["plan"])


_NUMBERED_OF = re.compile(r"\b(?:item \d{1,2}|(?:last|final) item) (?:of|in|from)\b")
_CLEARS = re.compile(r"的都移走$|^move everything on ")


def _find_doubts(brief: Brief) -> list[str]:
    """What the models may take a request for, where the grammar would change something else."""
    if not brief.likely or brief.completed or _goes_on(brief) or not_begun_text(brief):
        return []
    if brief.done("upsert_task_class"):
        return []  # which has done what the request was taken for, and made what it names
    if brief.view["resumes"] or (brief.completed and form_of(brief.view["request"], brief) == "item"):
        return []  # which alone would be something else than by the words before it
    intent, wanted = intent_of(brief.request, brief), read_arrangement(brief.request, brief)
    if wanted is not None and wanted.items and (wanted.avoided or (wanted.spared and wanted.goes)):
        return []  # what stays and where the others go, or when it is not to be, is told in full
    if intent == "limit" and any(one.items for one in read_conditions(brief.request, brief).counted):
        return []  # items are named, with how far apart they are to be
    if intent in OF_PLACES and _NUMBERED_OF.search(fold_numbers(brief.request)) and items_in(brief.request, brief):
        return []  # the models know no number of an item, and take its class for what is meant
    if intent == "class" and (divides_items(brief.request, brief) or tells_only_contents(brief.request, brief)):
        return []  # of which the models know no form
    if intent == "class" and {one.kind for one in read_content_changes(brief.request, brief).told} == {"drop"}:
        return []  # what is told to be gone is out of the plan as well
    meant = {reading: intent_of(reading, brief) for reading in brief.likely}
    if intent == "replan" and all(map(_CLEARS.search, brief.likely)) and days_in(brief.request, brief.term):
        return []  # a day that is kept free is cleared as well
    if Features(brief.request, brief).plans_unplanned and {*meant.values()} <= {*OF_RULES, *OF_PLACES}:
        return []  # what has no place yet gets one by its plan
    alike = next((kind for kind in (OF_RULES, OF_PLACES) if intent in kind), (intent,))
    known = [reading for reading, told in meant.items() if told != "other"]
    changes = [reading for reading in known[:1] if meant[reading] in DOUBTED]
    return known if changes and intent in DOUBTED and not {*alike} & {*meant.values()} else []


def _ask(brief: Brief, labels: list[str]) -> Decision | None:
    labels = [one for one in labels if one != brief.request]  # which was offered before, and chosen
    if not labels:
        return None
    if brief.asked and brief.asked[-1]["topic"] == TOPIC and affirms(brief.view["turns"][-1]["text"]):
        which = brief.say("是哪一个？请直接说其中一句。", "Which one of them? Please say it in full.")
        return give_up("no_answer", which)
    told = brief.say(
        "这句话我没有完全看懂，是想{listed}？也可以换个说法。",
        "I did not fully understand that. Did you mean: {listed}? You can also put it differently.",
        listed=brief.say("、", ", ").join(brief.say(f"「{label}」", f'"{label}"') for label in labels),
    )
    return ask_readings(brief, TOPIC, told, labels)


def find_readings(brief: Brief, message: str) -> list[str]:
    """What a message may mean, most likely first; empty for one that is about nothing of the trade."""
    if len(message) > _LONG or is_about_something_else(message):
        return []
    names = [item["content"] for row in brief.classes for item in row["items"]]
    likely = find_likely(message, [row["name"] for row in brief.classes], names, MOST)
    if meant := [reading for reading in likely if intent_of(reading, brief) != "other"]:
        return meant
    items, classes = items_in(message, brief), classes_in(message, brief.classes)
    time = _time_said(brief, message)
    if 0 < len(items) <= MOST:
        rows = OF_ITEM_THEN if time else OF_ITEM
        if len(items) > 1:
            return [brief.say(*rows[0], name=row["name"], time=time) for row in items]
        return [brief.say(*row, name=items[0]["name"], time=time) for row in rows]
    if classes:
        if len(classes) > 1:
            return [brief.say(*OF_CLASS[0], name=brief.name_of(class_id)) for class_id in classes[:MOST]]
        return [brief.say(*row, name=brief.name_of(classes[0])) for row in OF_CLASS]
    if (
        time
        and weekdays_in(message)
        and (says("keep_free", fold_text(message)) or says("busy_then", fold_text(message)))
    ):
        return [brief.say(*row, time=time) for row in OF_DAY_OFF]
    if time:
        return [brief.say(*row, time=time) for row in OF_TIME]
    return [brief.say(*row) for row in OF_PLAN] if brief.tasks and says("trade", fold_text(message)) else []


def _time_said(brief: Brief, message: str) -> str:
    """The student's own words for a time; empty when none is named."""
    if not target_in(message, brief).said:
        return ""
    found = [match.group().strip() for match in TIMES.finditer(fold_text(message))]
    return brief.say("", " ").join(found)

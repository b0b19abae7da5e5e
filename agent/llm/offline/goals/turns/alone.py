"""Requests that are whole by themselves: what is said around them or before them tells nothing more of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.llm.offline.goals.plain_words.known import read_as_meant
from agent.llm.offline.goals.turns.resumption import read_in_context
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.class_batches import WRITE
from agent.llm.offline.language.dialogue.pointing.to_answers import may_point
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import affirms, form_of
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.grammar import Intent
from agent.llm.offline.language.meaning.intents import intent_of, line_of
from agent.llm.offline.language.meaning.pieces import (
    ALONE,
    CONSEQUENCE,
    TOGETHER,
    is_about_something,
    names_items,
)
from agent.llm.offline.language.meaning.planned_classes import unknown_class
from agent.llm.offline.language.meaning.requests import LEADS, frees_all
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text, without_courtesies
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.classes.class_times import find_owners
from agent.llm.offline.language.spans.classes.new_class import opens_class
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.conditions.rates import read_rate
from agent.llm.offline.language.spans.items.groups import is_exception
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.loop.view_document import DialogueTurnView, GoalTurnView, View

_POINTS = re.compile(
    r"这样|(?<!周[一二三四五六日天])那[个天两些门]|这[个些两门](?!周|月|星期|礼拜)|都(?:给我)?(?:安?排)|一起安?排"
    r"|\b(?:that(?! day)|those|these)\b|\b(?:plan|schedule) (?:both|all|them|everything)\b",
    re.IGNORECASE,
)
"""Words for something in front of a text, or for it and what the text names."""
_THAT_DAY = re.compile(r"[那当]天|\bthat day\b", re.IGNORECASE)
_STANDS_FOR = re.compile(
    r"其[他余它]|剩下|余下|同一天|它们?|\b(?:rest|others?|it|them|they|same|instead|else|too|either)\b", re.IGNORECASE
)
"""Words for something in front of them, in the text or before it."""
_GOES_ON = re.compile(
    r"^(?:如果|要是|万一|假如|因为|所以|但|不过|除了|不然|否则|不行|实在|先|[^,，。]{0,6}的话|[做学完]+了?[就的])"
    r"|^(?:if|unless|but|because|so|except|or|nor|yet|otherwise)\b|^(?:[一二三四五六七]、|\d[.)、])"
    r"|^which\b(?! \w+ (?:is|are|was|has|have|do|does)\b)",
    re.IGNORECASE,
)
"""The beginning of what says more about what stands before it, or of one line of a list."""
_CLAUSE = re.compile(r"^[^,，。;；!！?？\n]{2,}?(?=[,，。;；!！?？\n]|\.\s|$)")
_BACK = re.compile(
    r"[那这](?!个?月|[个一]?周|个?学期|几天)|[它他也同另]|第[一二两三四五六七八九十\d]+[个项次](?!月)|^[^,，]{0,2}就|(?<![别不])再(?!加|添)"
    r"|^(?:[只仅没还]|名字|时间|时长|长度|截止|位置|顺序)|还是|跟着|一样|照旧|不用|可以排|只[要有改动是]|^不(?![想能排学])|没有|没做完|刚"
    r"|过[去来]|回[来去]|放回|改回|恢复|不对|[搞弄看说]错|(?:^|像|跟)之前|先前|原来|本来|我是说|其实|算了|撤|取消|[前后]一[天周]"
    r"|最[前后]面|[后前]面$|里面?$"
    r"|\b(?:then|there|that|those|these|ones?|the (?:two|three|four)|as (?:many|much|far|long|well)|same|it|too|also"
    r"|likewise|again|back|only|just|still|except|but|not|isn't|isnt|after all|actually|never ?mind|sorry|i meant?"
    r"|wait|oops|undo|cancel(?:led)?|freed|so|did you|(?:is|are) fine|can stay)\b"
    r"|^(?:and|or|no|ok(?:ay)?|yes|yeah|sure|oh|all|don't|dont)\b"
    r"|\bthis\b(?! (?:week|month|term|semester|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend))",
    re.IGNORECASE,
)
"""Words by which the first clause of a message goes on about what was said before it, or takes some of it back. Rather
a word too many: what leans on nothing is only read as it was before."""
_CHANGES: frozenset[Intent] = frozenset(
    {"move", "place", "remove", "swap", "mark", "replan", "class", "build", "wish", "delete_class"}
)
"""What changes something: a question may be about what was said before, however much it names."""
WANTED: frozenset[Intent] = _CHANGES | {"limit"}
OBJECTS = frozenset({"items", "items:out", "swap", "class", "build", "wish", "delete_class"})
"""What is wanted of something that has a name."""


def leave_out_before(view: View) -> View:
    """The view without what was said before its goal, where the goal's request is whole by itself and answers no
    question: nothing said before it may lend it a class, an item or a limit."""
    turns, said = view["dialogue"], view["request"]
    begin = max((at for at, turn in enumerate(turns) if (turn["role"], turn["text"]) == ("user", said)), default=0)
    if view["stage"] == "compact":  # what was said before is what is summed up
        return view
    if not begin or turns[begin - 1]["asks"] is not None or view["resumes"]:
        return view
    if any(turn["option"] is not None for turn in view["turns"][:1]) or _goes_on(view) or _has_made(turns[:begin]):
        return view
    found = Brief(view).found
    if "alone" not in found:
        start = Brief(view).before_goal.before_added.view  # what the goal does changes nothing of what its words mean
        plain = without_courtesies(said)
        own: list[DialogueTurnView] = [{**turns[begin], "text": plain}]
        found["alone"] = _stands_alone(plain, {**start, "dialogue": own, "last_results": []})
    return {**view, "dialogue": turns[begin:]} if found["alone"] else view


def _goes_on(view: View) -> bool:
    """Whether the student has typed more in the goal, which may be about something that was said before it."""
    return len(view["turns"]) > 1 and view["turns"][-1]["option"] is None


def _has_made(turns: Sequence[DialogueTurnView]) -> bool:
    """Whether a class was made right before: what is told of no class then may be told of that."""
    said = next((turn["text"] for turn in reversed(turns) if turn["role"] == "user" and not affirms(turn["text"])), "")
    return bool(turns) and WRITE in turns[-1]["wrote"] and opens_class(said)


def _stands_alone(said: str, view: View) -> bool:
    points = goes_back(said) or may_point(fold_text(said)) or leans(said, Brief(view))
    if LEADS.match(said) or fold_text(said).rstrip().endswith("?") or points:
        return False
    alone = read_alone(said, view)
    classes = classes_in(said, alone.classes)
    named = items_in(said, alone, among=all_items(alone)) or 0 < len(classes) < len(alone.classes)
    told = line_of(said, alone) is not None and bool(named or _names_other_class(said, alone))
    return told and is_whole(alone) and intent_of(alone.request, alone) in _CHANGES


def goes_back(said: str) -> bool:
    """Whether the first clause of a message goes on about what was said before it, or takes some of it back."""
    text = fold_text(said)
    first = _CLAUSE.search(text)
    return says("correction", text) or _BACK.search(first.group() if first else text) is not None


def leans(text: str, brief: Brief) -> bool:
    """Whether a text says more about what stands before it, or means something of it by a word that stands for it."""
    if read_rate(text, brief):
        return False
    if _GOES_ON.search(fold_text(text)) or _POINTS.search(fold_text(text)) or is_exception(text):
        return True
    thing, day = _STANDS_FOR.search(text), _THAT_DAY.search(text)
    before = text[: thing.start()] if thing else ""
    named = items_in(before, brief, among=all_items(brief)) or find_owners(before, brief)
    dated = day is None or read_times(fold_text(text[: day.start()]), brief.term)
    return (thing is not None and not named) or not dated


def read_alone(text: str, view: View) -> Brief:
    """The brief of a text as if it were all that the student says."""
    turn = GoalTurnView(text=text, via="message", option=None)
    return read_in_context(read_as_meant({**view, "message": text, "request": text, "turns": [turn]}))


def is_whole(brief: Brief) -> bool:
    """Whether a text wants something, and tells of what it wants it."""
    text = brief.request
    if read_rate(text, brief) or asks_of_all(brief) or _rules_all(brief):
        return True
    form, times = form_of(text, brief), read_times(fold_text(text), brief.term)
    bare = form == "time" and not _asks(text, brief)
    if intent_of(text, brief) not in (*ALONE, "limit") or bare or (form in ("item", "class") and not times):
        return False
    named = names_items(text, brief) or bool(read_content_changes(text, brief).told) or _names_other_class(text, brief)
    told = named or (kind_of(brief) not in OBJECTS and (bool(times) or is_about_something(text, brief)))
    return told and not CONSEQUENCE.search(fold_text(text).strip(" ?？.。!！"))


def _rules_all(brief: Brief) -> bool:
    """Whether a text is a rule, or a limit, of everything that is planned."""
    text = brief.request
    limits = intent_of(text, brief) in ("wish", "limit") and bool(read_conditions(text, brief).said)
    return frees_all(text, brief) or (limits and not names_items(text, brief) and not leans(text, brief))


def asks_of_all(brief: Brief) -> bool:
    """Whether a text asks something of the plan as a whole, so that nothing has to be named: any clashes?"""
    text = brief.request
    if not _asks(text, brief) or leans(text, brief) or CONSEQUENCE.search(fold_text(text).strip(" ?？.。!！")):
        return False
    return not (form_of(text, brief) or names_items(text, brief) or read_times(fold_text(text), brief.term))


def _asks(text: str, brief: Brief) -> bool:
    """Whether a text asks how the plan is, not how it would be."""
    asks = Features(text, brief).has("asking") or asks_whether(text)
    return asks and intent_of(text, brief) in _ASKED and not _WOULD.search(fold_text(text))


_ASKED: frozenset[Intent] = frozenset({"optimise", "load", "show", "free", "next", "past", "due", "classes"})
_WOULD = re.compile(r"[会能](?!议)|那[天时]|[做学弄搞]完|\b(?:will|would|could|can|then|finish(?:ed)?|done)\b")
"""How it would be, then, or when something is done, which is what stands before it."""


def kind_of(brief: Brief) -> str:
    if read_rate(brief.request, brief):
        return "limit"
    intent = intent_of(brief.request, brief)
    return "items:out" if intent == "remove" else TOGETHER.get(intent, intent)


def _names_other_class(text: str, brief: Brief) -> bool:
    """Whether a text wants a class to be planned by a name that is none of them."""
    return intent_of(text, brief) == "build" and unknown_class(text) != ""

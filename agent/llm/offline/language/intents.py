"""What a message wants: one table, first match."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.class_sentence import ClassSlots, read_class, wished_name
from agent.llm.offline.language.cues import (
    BARE_BUILD,
    BARE_VERB,
    BUILD_LOOSELY,
    BUILD_STRONG,
    BUILD_WEAK,
    BUTTONS,
    CHANGED,
    CLASS_DATES,
    CLASS_NOUN,
    CLASS_VERB,
    EDIT_CLASS,
    EDIT_VERB,
    EXPLAIN,
    FREE,
    MOVE,
    MOVE_CLASS,
    NO_BUILD,
    NOT_NOW,
    ONE_AGO,
    OPTIMISE_WEAK,
    PLACE,
    PLACE_VERB,
    PLACE_WEAK,
    PLAN_FIRST,
    REMOVE,
    REMOVE_WEAK,
    RENAME,
    SHOW,
    SWAP,
    SWAP_WEAK,
    UNWANTED,
    WHAT_IS_ON,
    WISH,
)
from agent.llm.offline.language.dates import SemesterDates
from agent.llm.offline.language.ellipsis import adds_nothing, form_of, says_it
from agent.llm.offline.language.normalize import words
from agent.llm.offline.language.revert import find_former_place, says_back
from agent.llm.offline.language.slots import classes_in, items_in, target_in
from agent.loop.phrases import GLOBAL, fold_text

Intent = Literal[
    "explain", "class", "plan_first", "build", "optimise", "remove", "swap", "place", "move", "show", "free", "changes",
    "class_facts", "other",
]  # fmt: skip

OPERATIONS: tuple[Intent, ...] = ("remove", "swap", "place", "move")
Rule = Callable[[str, str, Brief], bool]


def _cues(*cues: str) -> Rule:
    return lambda text, message, brief: words(text, *cues)


def _writes_class(text: str, message: str, brief: Brief) -> bool:
    if words(text, *CLASS_NOUN) and CLASS_VERB.search(text):
        return True
    if words(text, *CLASS_DATES) and EDIT_VERB.search(text) and not items_in(message, brief):
        return True
    slots = read_class(message, SemesterDates.of(brief.view))
    return slots.described or _edits_named(text, message, brief, slots)


def _edits_named(text: str, message: str, brief: Brief, slots: ClassSlots) -> bool:
    """修改六级词汇冲刺，周末不排: a known class, a verb of change and something about the class, not about an item."""
    if _wishes(message, brief, slots):
        return True
    moved = slots.start and slots.end and MOVE_CLASS.search(text)
    if not moved and not (EDIT_CLASS.search(text) and (slots.said_anything or RENAME.search(text))):
        return False
    return len(classes_in(message, brief.classes)) == 1 and not items_in(message, brief)


def _wishes(message: str, brief: Brief, slots: ClassSlots) -> bool:
    """晚上别排: times to keep free, of the class that is named or spoken of."""
    told = slots.excludes and not slots.name and not items_in(message, brief)
    named = classes_in(message, brief.classes)
    of_one = len(named) == 1 or (not named and (len(brief.scope) == 1 or len(brief.classes) == 1))
    return told and of_one and (WISH.search(fold_text(message)) is not None or not form_of(message, brief))


def _plans_with_wishes(text: str, message: str, brief: Brief) -> bool:
    """把概率论排好，晚上别排: what is to be kept free belongs to the class and comes first."""
    slots = read_class(message, SemesterDates.of(brief.view))
    builds = words(NO_BUILD.sub(" ", text), *BUILD_STRONG, *BUILD_WEAK)
    return builds and slots.excludes and not slots.described and len(classes_in(message, brief.classes)) == 1


def _builds_loosely(text: str, message: str, brief: Brief) -> bool:
    return BUILD_LOOSELY.search(NO_BUILD.sub(" ", text)) is not None


def _declines(text: str, message: str, brief: Brief) -> bool:
    return NOT_NOW.fullmatch(text) is not None


def _moves_back(text: str, message: str, brief: Brief) -> bool:
    before = find_former_place(brief) if says_back(text) else None
    return before is not None and before.target is not None


def _takes_out_again(text: str, message: str, brief: Brief) -> bool:
    before = find_former_place(brief) if says_back(text) else None
    return before is not None and before.target is None


def _builds(*cues: str) -> Rule:
    """One of the cues, unless it is what the student does not want."""
    return lambda text, message, brief: words(NO_BUILD.sub(" ", text), *cues)


def _builds_named(text: str, message: str, brief: Brief) -> bool:
    """把概率论复习排了, 第5周排概率论复习: a class and the bare verb."""
    text = NO_BUILD.sub(" ", text)
    timed = target_in(message, SemesterDates.of(brief.view)).said
    bare = BARE_BUILD.search(text) or (BARE_VERB.search(text) if timed else None)
    return bare is not None and bool(classes_in(message, brief.classes))


def _removes(text: str, message: str, brief: Brief) -> bool:
    return words(text, *REMOVE) or (words(text, *REMOVE_WEAK) and bool(items_in(message, brief)))


def _swaps(text: str, message: str, brief: Brief) -> bool:
    weakly = SWAP_WEAK.search(text) is not None and not target_in(message, SemesterDates.of(brief.view)).said
    return words(text, *SWAP) or weakly


def _wants_to_learn(text: str, message: str, brief: Brief) -> bool:
    """我想复习线性代数: a class that is not there yet."""
    return wished_name(message) != "" and not classes_in(message, brief.classes) and not brief.tasks


def _wants_to_learn_known(text: str, message: str, brief: Brief) -> bool:
    return wished_name(message) != "" and bool(classes_in(message, brief.classes)) and not items_in(message, brief)


def _places(text: str, message: str, brief: Brief) -> bool:
    if words(text, *PLACE):
        return True
    return _places_weakly(text, message, brief)


def _places_weakly(text: str, message: str, brief: Brief) -> bool:
    return words(text, *PLACE_WEAK) and not words(text, *UNWANTED) and _names_an_item(message, brief)


def _places_by_verb(text: str, message: str, brief: Brief) -> bool:
    """第4周排第2章, 第2章放周五: an item, a time and the bare verb."""
    return PLACE_VERB.search(text) is not None and not words(text, *UNWANTED) and _names_an_item(message, brief)


def _asks_what_is_on(text: str, message: str, brief: Brief) -> bool:
    """周一有哪些, which of them is on Monday: a day or a week and a question word."""
    target = target_in(message, SemesterDates.of(brief.view))
    return bool(target.week or target.days or target.part) and WHAT_IS_ON.search(text) is not None


def _asks_what_changed(text: str, message: str, brief: Brief) -> bool:
    return CHANGED.search(text) is not None and not target_in(message, SemesterDates.of(brief.view)).said


def _names_an_item(message: str, brief: Brief) -> bool:
    return target_in(message, SemesterDates.of(brief.view)).said and bool(items_in(message, brief))


TABLE: tuple[tuple[Intent, Rule], ...] = (
    ("other", _cues(*BUTTONS)),
    ("other", _declines),
    ("explain", _cues(*EXPLAIN)),
    ("changes", _asks_what_changed),
    ("move", _moves_back),
    ("remove", _takes_out_again),
    ("class", _writes_class),
    ("plan_first", _cues(*PLAN_FIRST)),
    ("class", _plans_with_wishes),
    ("place", _places_weakly),
    ("place", _places_by_verb),
    ("build", _builds(*BUILD_STRONG)),
    ("build", _builds_named),
    ("optimise", _cues(*GLOBAL)),
    ("remove", _removes),
    ("swap", _swaps),
    ("place", _places),
    ("move", _cues(*MOVE)),
    ("free", _cues(*FREE)),
    ("show", _cues(*SHOW)),
    ("show", _asks_what_is_on),
    ("optimise", _cues(*OPTIMISE_WEAK)),
    ("build", _builds_loosely),
    ("build", _builds(*BUILD_WEAK)),
    ("build", _wants_to_learn_known),
    ("class", _wants_to_learn),
)


def intent_of(message: str, brief: Brief) -> Intent:
    """The first row of the table that fits; `other` when none does."""
    text = _without_item_names(fold_text(message), brief)
    return next((intent for intent, fits in TABLE if fits(text, message, brief)), None) or _short(message, brief)


def _without_item_names(text: str, brief: Brief) -> str:
    """词根词缀总览 is the name of an item and no wish for an overview."""
    for row in brief.tasks:
        name = fold_text(row["name"])
        text = text.replace(name, " ") if len(name) > 2 else text
    return text


def _short(message: str, brief: Brief) -> Intent:
    """A sentence without a verb: an item with a time is to go there, an item is asked about, and a time alone means
    what was asked before: 周六下午 after a move is another time for the same item."""
    form = form_of(message, brief)
    if form == "both":
        return "move"
    if message != brief.request or not form:
        return "other"
    if form == "class":
        return "class_facts"
    if form == "item" or says_it(message):
        return "show"
    said = [str(turn["text"]) for turn in brief.earlier if turn["role"] == "user"]
    before = next((turn for turn in reversed(said) if not adds_nothing(turn, brief)), "")
    intent = intent_of(before, brief) if before else "other"
    return intent if intent in ONE_AGO else "other"


def wants_build(message: str) -> bool:
    """Whether the message also asks for a timetable (or only for the task class)."""
    text = fold_text(message)
    return words(NO_BUILD.sub(" ", text), *BUILD_STRONG, "安排", "schedule", "arrange", "fit", "plan it")


def edits(message: str, brief: Brief) -> bool:
    """Whether a task class is to be changed rather than created."""
    said = read_class(message, SemesterDates.of(brief.view))
    if _plans_with_wishes(fold_text(message), message, brief):
        return True
    return EDIT_VERB.search(fold_text(message)) is not None or _wishes(message, brief, said)

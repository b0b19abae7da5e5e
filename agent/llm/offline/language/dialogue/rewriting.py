"""A fragment completed by the request before it: each of its spans takes the place of the last one of its kind.

打错了，是周三 after 周二晚上别排 means 周三晚上别排. A span of a kind that the request has not is added to it. What
points to a day, a week or an item that was just talked about ("that day", "the one after it") is spelled out first.
"""

from __future__ import annotations

import re
from itertools import takewhile

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.classifier.labels import INTENTS
from agent.llm.offline.language.dialogue.filling import CLAUSE
from agent.llm.offline.language.dialogue.slots import find_bare_count, find_spans
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.aims import SURER, aims_of
from agent.llm.offline.language.meaning.ellipsis import form_of
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import OPERATIONS, Intent, intent_of, line_of
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.classes.added_contents import find_written_class
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.conditions.wishes import takes_back_rule
from agent.llm.offline.language.spans.items.groups import find_group, is_exception
from agent.llm.offline.language.spans.items.spoken import named_items
from agent.llm.offline.language.spans.mentions import LABEL, all_items, items_in
from agent.llm.offline.language.spans.revert import find_changes
from agent.llm.offline.language.spans.targets import shift_in, target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.loop.view_document import TaskView

_SPARES = re.compile(
    r"别|不[要动移挪改换变算用]|留[着下在]|保持|除[了外]|算了|例外"
    r"|\b(?:not|don't|leave|keep|except|without|stays?|skip|forget|never mind|spare)\b"
)
"""What says that something is left as it is."""
_ONLY = re.compile(r"只|就(?![算不别留先])|\b(?:just|only)\b")
_ALSO = re.compile(r"[呢也]|\b(?:and|also|too|either|what about|how about|as well)\b")
_ADDS = re.compile(
    r"也|还有|以及|加上|顺便|另外|同样|^再(?!晚|早|往|推|提|挪)|^(?:然后|接着)|^then\b"
    r"|^(?:oh |ok |btw )*and\b|\b(?:same for|also|too|as well|plus|neither|n?or(?! (?:no|rather|better|actually)))\b"
)
_ASKS = re.compile(r"啥|什么|哪|多少|\b(?:what|how)(?! about)\b|\b(?:when|where|which|why)\b")
"""A question of its own."""
LIKELY = 0.3
"""The probability from which a message that is no fragment by its form is one by the classifier."""
LOOKING: tuple[Intent, ...] = (
    "explain", "class_facts", "classes", "end_asked", "next", "past", "due", "load", "fits", "show", "free", "reasons",
)  # fmt: skip
CHANGING: tuple[Intent, ...] = (*OPERATIONS, "class", "wish", "replan", "mark", "delete_class")
LONGEST = 60
"""Characters of the longest fragment."""


def corrects_request(message: str, brief: Brief) -> bool:
    """Whether a later message of a goal only says otherwise what its request says of a time, a thing or a number."""
    kinds = [{one.kind for one in find_spans(fold_text(text), brief)} for text in (message, brief.request)]
    return bool(kinds[0]) and kinds[0] <= kinds[1] and is_fragment(message, brief.request, brief)


def makes_write_of_question(message: str, whole: str, brief: Brief) -> bool:
    """Whether a message that asks for something to be looked up would change something as the whole that it was read
    as: of what a student asks nothing is written."""
    said = Features(message, brief)
    if message == whole or not said.has("question") or said.has("polite_form"):
        return False
    return intent_of(message, brief) in LOOKING and intent_of(whole, brief) in (*CHANGING, "build", "optimise")


def adds_more(message: str) -> bool:
    """Whether a message wants something beside what was said before."""
    return _ADDS.search(fold_text(message)) is not None


def find_items(request: str, brief: Brief) -> list[TaskView]:
    """The items that a request is about, or that a piece of it names."""
    group = find_group(request, brief) if not is_exception(request) else None
    return (group.items if group else []) or named_items(request, brief) or items_in(request, brief)


def select_items(message: str, request: str, brief: Brief) -> str:
    """That of several items which were moved already those go back that a message spares, or does not want: actually
    not lab 1; 实验一不用挪; just the last two."""
    text = fold_text(message)
    told = request and len(text) <= LONGEST and not (target_in(text, brief).said or shift_in(text))
    if not told or intent_of(request, brief) not in OPERATIONS:
        return ""
    meant = find_items(request, brief)
    clauses = CLAUSE.split(text)
    spared = [row for one in clauses if _SPARES.search(one) for row in find_items(one, brief)]
    chosen = [row for one in clauses if _ONLY.search(one) for row in find_items(one, brief)]
    if chosen:
        spared = [row for row in meant if row not in chosen] if all(row in meant for row in chosen) else []
    if not spared or len(spared) == len(meant) or any(row not in meant for row in spared):
        return ""
    names = "、".join(row["name"] for row in spared)
    return brief.say(f"{names}不用了", f"never mind {names}") if count_changes(meant, brief) else ""


def count_changes(items: list[TaskView], brief: Brief) -> int:
    """How many of the last changes of the draft were of these items alone; a plan that was made counts as none."""
    last, ids = brief.view["last_change"], {row["item_id"] for row in items}
    if last is None or last["kind"] == "build":
        return 0
    own = takewhile(lambda entry: {one["item_id"] for one in entry} <= ids, reversed(find_changes(brief)))
    return len(list(own))


def is_fragment(message: str, base: str, brief: Brief, said: str = "") -> bool:
    """Whether a message only makes sense by the request before it; `said` are its own words, where it was resolved."""
    if len(message) > LONGEST or Features(message, brief).has("declines") or takes_back_rule(fold_text(message), brief):
        return False
    form, (label, chance) = form_of(message, brief), aims_of(said or message, brief, later=True)[0]
    folded = fold_text(message)
    counted = find_bare_count(folded)
    if form == "both" and items_in(message, brief) and not (_ALSO.search(folded) or says("correction", folded)):
        return False
    if form == "time" and not says("correction", folded) and read_content_changes(base, brief).told:
        return False  # what a class has is at no time
    kept = not form and says("keep_free", folded) and not says("correction", folded)
    if kept and intent_of(message, brief) in ("limit", "replan") and intent_of(base, brief) in OPERATIONS:
        return False  # days that are kept free are no place for an item
    if (label == "amend" and chance > LIKELY and not _ASKS.search(folded)) or counted:
        return True
    corrects = says("correction", folded)
    if form == "both" or line_of(message, brief) or (INTENTS[label] in LOOKING and chance > SURER):
        return False
    if not form:
        return corrects
    return form == "time" or corrects or _ALSO.search(folded) is not None or intent_of(base, brief) in LOOKING


_ONE_MORE = re.compile(
    r"^(?:(?:and|also|plus|then)[,\s]+)+(?:add )?(?!(?:to|in|for|it|that|them)\b)|^(?:还有|再加上?|另外|以及)(?:一?个)?"
)


def add_one_more(said: str, request: str, brief: Brief) -> str:
    """Another thing with its whole name for the class to which a request added one: and lab 5 diffraction."""
    told = read_content_changes(request, brief).told
    name = _ONE_MORE.sub("", said.strip(" .。!！")).strip()
    if [(one.kind, len(one.names)) for one in told] != [("add", 1)] or not _ONE_MORE.match(said) or len(name) > LONGEST:
        return ""
    label, of = (LABEL.match(fold_numbers(one)) for one in (name, told[0].names[0]))
    known = items_in(name, brief, among=all_items(brief)) or read_times(fold_text(name), brief.term)
    owner = brief.class_of((*told[0].classes, *find_written_class(brief), 0)[0])
    if known or owner is None or label is None or of is None or label[1] != of[1] or says("asking", fold_text(said)):
        return ""
    return brief.say(f"给{owner['name']}加上「{name}」", f'add "{name}" to {owner["name"]}')

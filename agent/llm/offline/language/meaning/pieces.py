"""The pieces of a message and what each of them wants, so that it is told which are requests of their own."""

from __future__ import annotations

import re
from itertools import pairwise

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.classifier.labels import CARRIED_OUT_BY, INTENTS
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.clauses import (
    BREAK,
    aim_of,
    tells_stayers,
)
from agent.llm.offline.language.meaning.ellipsis import form_of
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.grammar import OPERATIONS, Intent
from agent.llm.offline.language.meaning.intents import intent_of, told_intent
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.classes.class_times import divide_softly
from agent.llm.offline.language.spans.conditions.wishes import wishes_beside
from agent.llm.offline.language.spans.dates import dates_in
from agent.llm.offline.language.spans.happenings import days_in, progress_in
from agent.llm.offline.language.spans.items.arrangements import read_arrangement
from agent.llm.offline.language.spans.items.groups import find_group
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.targets import target_in
from agent.llm.offline.language.spans.times.reading import read_times

_VERB = (
    r"(?:tell|show|let|check|is|are|am|what|when|where|how|why|add|delete|plan|move|take|put|swap|remove|mark"
    r"|rename|keep"
    r"|shift|push|create|drop)\b"
)
_JOINT = re.compile(
    r"[,，;；、]?\s*(?:然后|接着|之?后再|顺便|顺带|另外|此外|(?<=[,，;；])还有(?![几多哪什])就?是?"
    r"|最后(?![面那几一二两三四五六七八九十\d])再?|并且?|同时"
    r"|(?<=[,，;；])(?:再|也))(?!一)"
    r"|[,，;；]\s*(?=(?:帮我|给我|告诉我|看看|查一?下|把|将|要是|还有))|[。!！?？;；]\s*"
    r"|\s*[,;]?\s*\b(?:and then|and also|then(?= \w+ \w)|plus|besides|while you're at it,?)\s+|(?:^|[,;]\s*)also\s+"
    rf"|\s*[,;]?\s*\band (?={_VERB})|[,;] (?={_VERB})|[.!?;]\s+",
    re.IGNORECASE,
)
QUOTED = re.compile(r"[《「『“\"][^》」』”\"]*[》」』”\"]|```.*?(?:```|$)", re.DOTALL)
LONGEST = 300
TOGETHER: dict[Intent, str] = dict.fromkeys(OPERATIONS, "items") | {
    "swap": "swap",
    "class": "class",
    "mark": "happened",
    "replan": "happened",
}
ALONE: tuple[Intent, ...] = (
    "move", "place", "remove", "swap", "show", "free", "load", "fits", "mark", "replan", "class", "build", "explain",
    "classes", "class_facts", "end_asked", "changes", "next", "past", "due", "wish", "delete_class", "optimise",
    "reasons", "undo",
)  # fmt: skip
CONSEQUENCE = re.compile(
    r"^(?:请|麻烦|帮我|再|那|这|会|看看?|看下|并)*(?:检查(?:一下)?$|(?:检查[并和]?)?(?:相应)?(?:地|的)?(?:(?:重新)?(?:调整|安排|规划|改|处理|修正)(?:一下|好|下)?"
    r"|(?:哪些|什么|有没有|有哪些)[^,，。?？]{0,12}(?:影响|要(?:动|改|换|挪|变))[^,，。?？]*|(?:有|会有?)影响吗|怎么(?:改|办|调|弄|安排)"
    r"|要怎么(?:改|办|调|弄)|(?:超出|超过|后面|之后|晚于)[^,，。]{0,8}(?:重新)?(?:安排|排|调整)))[吧了呢]?$"
    r"|^(?:and |so |please |then |also )*(?:(?:which|what) [\w ]{0,24}(?:affected|have to move|has to move"
    r"|must move|too late)"
    r"|(?:does|will|do|would) (?:that|this|it) (?:change|affect|matter)[\w ]*|is (?:anything|something) affected"
    r"|(?:fix|adjust|update|sort|change|rearrange) (?:it|that|this|things|the plan|my plan|the rest"
    r"|accordingly)(?: out)?"
    r"(?: accordingly)?|(?:re-?plan|re-?arrange|move) (?:what|whatever|the ones?|everything"
    r"|anything)[\w ]*(?:later|late|after|affected)[\w ]*"
    r"|(?:so )?what now|what (?:do|should) i do(?: now)?|what has to (?:move|change)|sort it out)$"
)
"""What follows from other dates is done and told with them: which units are affected? please fix it."""
_GOES_AHEAD = re.compile(
    r"(?:照常|照旧|如期|正常|按原计划)(?:进行|举行|上课)?[。!]?$|不受影响"
    r"|\b(?:go(?:es)?|going) ahead\b|\bas (?:planned|usual|scheduled)\b",
    re.IGNORECASE,
)
"""What stays as it was, beside a change of a class."""


def pieces_of(message: str, brief: Brief) -> tuple[list[tuple[str, str]], bool]:
    """The pieces between the joints with what each asks for, those whose clauses are surely of several kinds divided,
    and whether any was left out that asks for nothing more."""
    pieces: list[tuple[str, str]] = []
    for piece in _divide(message):
        apart = _divide_by_kind(piece, brief)
        pieces += apart if len(apart) > 1 else [(_kind_of_piece(piece, brief), piece)]
    if Features(message, brief).plans_unplanned:
        pieces = [("" if _wishes_softly(piece, brief) else kind, piece) for kind, piece in pieces]
    if (wanted := read_arrangement(message, brief)) is not None and wanted.items and wanted.target.run and wanted.way:
        pieces = [("" if _tells_bound(piece, brief) else kind, piece) for kind, piece in pieces]
    reasons = [at for at, (one, two) in enumerate(pairwise(pieces)) if gives_reason(one, two, brief)]
    told = [at for at, piece in enumerate(pieces) if at and _tells_more(pieces[at - 1][0], piece, brief)]
    told += [at for at, (one, two) in enumerate(pairwise(pieces), 1) if _finds_nothing(one, two, brief)]
    changed = [at for at, (kind, _) in enumerate(pieces) if kind == "class"]
    follows = [CONSEQUENCE.search(fold_text(text).strip(" ?？.。!！,，")) is not None for _, text in pieces]
    follows = [after or _GOES_AHEAD.search(text) is not None for after, (_, text) in zip(follows, pieces, strict=True)]
    told += [at for at, after in enumerate(follows) if changed and after and at > changed[0]]
    return [piece for at, piece in enumerate(pieces) if at not in (*reasons, *told)], bool(reasons or told)


def _tells_bound(piece: str, brief: Brief) -> bool:
    """Whether a piece only tells by when what is moved is to be done: 第四章提前一点，清明前学完."""
    times = read_times(piece, brief.term)
    bounds = bool(times) and all(one.side in ("until", "before") for one in times)
    return bounds and says("wish_finish", fold_text(piece)) and not find_mentioned(piece, brief)


def _wishes_softly(piece: str, brief: Brief) -> bool:
    """Whether a piece only tells the times that a plan beside it would like."""
    return all(soft for _, soft in divide_softly(piece, brief)) and bool(wishes_beside(piece, brief))


_CHANGING = frozenset({"items", "items:out", "swap", "happened", "undo"})
"""What is told of at its end without being asked for."""


def _tells_more(before: str, piece: tuple[str, str], brief: Brief) -> bool:
    """Whether a piece asks for nothing more: to be told of the change, or that what goes was done already."""
    kind, text = piece
    if kind == "changes":
        return before in _CHANGING
    return before in ("class", "items:out") and kind.startswith("mark:") and not names_items(text, brief)


def _kind_of_piece(piece: str, brief: Brief) -> str:
    """What a piece between joints asks for: as it surely does by itself, else by its words."""
    if tells_stayers(piece, brief) or form_of(piece, brief) == "class":
        return ""  # a name alone goes on about what is before
    kind = _sure_kind(piece, brief)
    return kind if kind not in ("", "whole") else _kind_of(piece, brief)


def _divide_by_kind(piece: str, brief: Brief) -> list[tuple[str, str]]:
    """The runs of clauses of one kind; a clause that is not sure, or tells what stays, goes with the one before."""
    if len(piece) > LONGEST or QUOTED.search(piece):
        return []
    found: list[tuple[str, int]] = []
    begin = 0
    joints = [
        one for one in BREAK.finditer(piece) if not _is_inside_list(piece[: one.start()], piece[one.end() :], brief)
    ]
    for end in [*(joint.start() for joint in joints), len(piece)]:
        kind = _sure_kind(piece[begin:end].strip(" ,，;；。.!！?？"), brief)
        if kind == "whole":
            return []
        if not found or (kind and found[-1][0] and kind != found[-1][0]):
            found.append((kind, begin))
        elif kind:
            found[-1] = (kind, found[-1][1])
        joint = BREAK.match(piece, end)
        begin = joint.end() if joint else end
    ends = [*(begin for _, begin in found[1:]), len(piece)]
    runs = [(kind, piece[begin:end]) for (kind, begin), end in zip(found, ends, strict=True)]
    return [(kind, re.sub(rf"(?:{BREAK.pattern})+$", "", text).strip()) for kind, text in runs]


def _is_inside_list(before: str, behind: str, brief: Brief) -> bool:
    """Whether two pieces of a text are divided inside a list of times."""
    ends = any(one.end == len(before.rstrip()) for one in read_times(before, brief.term))
    return ends and any(one.start == len(behind) - len(behind.lstrip()) for one in read_times(behind, brief.term))


_WHOLE = frozenset({"build", "plan_first", "class_create", "wish", "class_times"})
"""Labels of clauses that belong to a plan or a class as a whole, with all that stands beside them."""
_LOOKING = frozenset({"show", "free", "load", "fits", "next", "past", "due", "end_asked", "class_facts", "changes"})
_CONDITIONAL = re.compile(
    r"^(?:要是|如果|假如|万一|只要|除非|前提|否则|不然|(?:实在)?不行|放不下)|(?:没关系|也行|就算了|也可以|无所谓)$"
    r"|^(?:only if|even if|if|unless|as long as|provided|otherwise|or else|in case)\b"
)
_CONCLUDES = re.compile(
    r"^(?:所以|因此|也就是|这样|意味着)|^(?:and )?(?:so|thus|therefore|hence|(?:which|that) means|meaning)\b"
)
"""What only tells the date that the clause before it comes to."""


def _sure_kind(clause: str, brief: Brief) -> str:
    """What a clause surely asks for by itself; empty for one that goes with its neighbours, `whole` for one that
    binds them all."""
    label = aim_of(clause, brief)
    if _CONCLUDES.search(fold_text(clause)) and dates_in(clause, brief.term) and not Features(clause, brief).asks:
        return ""
    if label in _WHOLE:
        return "whole"
    if label in ("", "keep", "reasons") or _CONDITIONAL.search(fold_text(clause)) or tells_stayers(clause, brief):
        return ""
    intent = intent_of(clause, brief)
    if intent not in ALONE or (INTENTS[label] != intent and intent not in CARRIED_OUT_BY.get(label, ())):
        return ""
    if label in _LOOKING or label in ("optimise", "undo"):
        return TOGETHER.get(intent, intent) if label in _LOOKING or not names_items(clause, brief) else ""
    if intent == "mark":
        return f"mark:{progress_in(clause)}" if progress_in(clause) else ""
    if intent == "class":
        return intent
    if intent in OPERATIONS:
        return _kind_of(clause, brief) if names_items(clause, brief) else ""
    return TOGETHER.get(intent, intent) if is_about_something(clause, brief) else ""


def names_items(clause: str, brief: Brief) -> bool:
    """Whether a clause names items, or picks them: by its words alone, whatever was done with them meanwhile."""
    named = (
        items_in(clause, brief) or items_in(clause, brief, among=all_items(brief)) or classes_in(clause, brief.classes)
    )
    return bool(named) or find_group(clause, brief) is not None


def gives_reason(first: tuple[str, str], then: tuple[str, str], brief: Brief) -> bool:
    """Whether what happens at a time is only why items of that time are to go elsewhere: 周六有事，周六的挪到周日."""
    if first[0] != "happened" or then[0] != "items":
        return False
    days = days_in(first[1], brief.term)
    group = find_group(then[1], brief)
    slots = [row["slot"] for row in (group.items if group else items_in(then[1], brief)) if row["slot"]]
    stand = [brief.day_of(slot) for slot in slots]
    return bool(days and stand) and all(any(run.first <= day <= run.last for run in days) for day in stand)


def _finds_nothing(first: tuple[str, str], then: tuple[str, str], brief: Brief) -> bool:
    """Whether what is on at a time that is kept free is to go elsewhere, and nothing is on then."""
    group = find_group(then[1], brief) if first[0] == "happened" and then[0] == "items" else None
    days = days_in(first[1], brief.term)
    if group is None or not group.timed or group.there.week or group.there.run or not days:
        return False
    weekdays = {run.first.isoweekday() for run in days} | {run.last.isoweekday() for run in days}
    return bool(group.there.days) and {*group.there.days} <= weekdays and not gives_reason(first, then, brief)


def _divide(message: str) -> list[str]:
    """The pieces between the joints; what is quoted stays whole."""
    masked = QUOTED.sub(lambda quoted: "x" * len(quoted.group()), message)
    pieces, begin = [], 0
    for joint in _JOINT.finditer(masked):
        pieces.append(message[begin : joint.start()])
        begin = joint.end()
    return [piece.strip() for piece in (*pieces, message[begin:]) if piece.strip()]


def tells_of_each(message: str, brief: Brief) -> list[str]:
    """实验二做完了，第2章只看了一半: each clause its own item and what became of it."""
    pieces = [piece.strip() for piece in re.split(r"[,，;；]|但是?|不过|\bbut\b", message) if piece.strip()]
    kinds = [_kind_of(piece, brief) for piece in pieces]
    apart = len(pieces) > 1 and all(kind.startswith("mark:") for kind in kinds) and len(set(kinds)) == len(kinds)
    return pieces if apart else []


def _kind_of(piece: str, brief: Brief) -> str:
    """What a piece asks for by its own words; empty when it only goes on about what is before."""
    intent = told_intent(piece, brief)
    if intent == "undo":
        return intent
    if intent not in ALONE or not is_about_something(piece, brief):
        return ""
    if intent == "remove" and names_items(piece, brief):
        return "items:out"
    return f"mark:{progress_in(piece)}" if intent == "mark" else TOGETHER.get(intent, intent)


def is_about_something(piece: str, brief: Brief) -> bool:
    """Whether a piece names an item, a class or a time of its own."""
    items = items_in(piece, brief) or items_in(piece, brief, among=all_items(brief))
    return bool(items) or bool(classes_in(piece, brief.classes)) or target_in(piece, brief).said

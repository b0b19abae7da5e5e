"""A message with several requests of different kinds, divided: 第3章改到周三，顺便看看周五有没有空.

A part begins where a word joins it to what is before, or where a sentence ends, and where its own words ask for
something of another kind. What only gives a reason or goes on about the same stays with its request.
"""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.memory import Memory
from agent.llm.offline.language.dialogue.pointing.pointed_times import spell_week_asked, spell_weekdays
from agent.llm.offline.language.dialogue.references import points_back
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.aims import aims_of
from agent.llm.offline.language.meaning.clauses import (
    BREAK,
    divide_questions,
    put_subject,
    share_subject,
)
from agent.llm.offline.language.meaning.ellipsis import form_of
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.grammar import OPERATIONS, Intent
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.marks_apart import tells_in_turn, tells_only_done
from agent.llm.offline.language.meaning.pieces import (
    ALONE,
    CONSEQUENCE,
    LONGEST,
    QUOTED,
    gives_reason,
    is_about_something,
    names_items,
    pieces_of,
    tells_of_each,
)
from agent.llm.offline.language.meaning.planned_classes import WAITING_SAID, find_waiting_classes
from agent.llm.offline.language.meaning.standing_rules import spell_refused_days
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.remember import remember_found
from agent.llm.offline.language.spans.alternatives import alternatives_in, condition_in, divide_at_unless, is_chain
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes, tells_only_contents
from agent.llm.offline.language.spans.classes.class_times import excludes, find_owners
from agent.llm.offline.language.spans.classes.exam_days import ends_before_exam, read_exam_ahead, without_exam_day
from agent.llm.offline.language.spans.classes.item_lengths import read_lengths, tells_length
from agent.llm.offline.language.spans.classes.new_class import find_count
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.conditions.suppositions import only_supposes, read_supposition
from agent.llm.offline.language.spans.dates import dates_in
from agent.llm.offline.language.spans.happenings import days_in, is_absence_ahead
from agent.llm.offline.language.spans.items.arrangements import read_arrangement, without_spared
from agent.llm.offline.language.spans.items.groups import is_exception
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.lesson_moves import says_lesson
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.targets import target_in
from agent.llm.offline.language.spans.times.reading import read_times

_ASKED_FIRST = re.compile(
    r"^(?P<asks>(?=.*(?:哪|什么|几|多少|吗|有没有))[^。;；]{4,40}?)[?？,，]+\s*(?:另外|顺便|然后|还有)?(?:也)?(?P<wants>(?:请|麻烦|帮我|给我)[^?？]+)$"
    r"|^(?P<asks2>(?:which|what|how many|when|where|is|are|do|does)\b[^?]{6,80}?)(?:\?|,)\s*(?:and |also "
    r"|and also )*(?P<wants2>please [^?]+)$",
    re.IGNORECASE,
)
"""A question, and behind it what is asked to be done."""
LEADS = re.compile(
    r"^(?:(?:and|then|also|plus|oh|btw|by the way)\b[ ,]*)+"
    r"|^(?:再就是|对了|再|另外|顺[便带]|然后|还有(?![几多哪什])|此外|接着|最后|同时|并且?|也|[,，])+[ ,，]*",
    re.IGNORECASE,
)
"""Words that begin another request and say nothing of it."""
_THEN_AT_LAST = re.compile(r",? then(?=\W*$)", re.IGNORECASE)
_TELL_ME = re.compile(
    r"^请?(?:告诉我|(?:跟我)?说(?:一下|说)?)(?=[这那].*什么)|^(?:please )?tell me (?=what|when|which|how|where|who)",
    re.IGNORECASE,
)
_OF_SOMETHING: tuple[Intent, ...] = ("show", "free", "load", "fits", "class_facts")
_ASKED_OF_PLAN: tuple[Intent, ...] = (*_OF_SOMETHING, "next", "end_asked", "due", "past")
"""What is asked of the plan, whatever stands in front of it."""
_OF_CHANGE = re.compile(
    r"[那当]天(?!气)|[来赶][得不][及上]|\b(?:(?:that|the same) day|make it|(?:in|on) time|on track)\b"
)
"""What is asked of the day or of the plan that a change in front of it makes."""
_WANTED: tuple[Intent, ...] = (*OPERATIONS, "class", "wish", "limit", "replan", "mark", "build", "delete_class")


def _ask_plainly(said: str, brief: Brief) -> str:
    """A question without the words that ask for its answer: 告诉我那天还有什么."""
    plain = _TELL_ME.sub("", said)
    return said if plain == said else plain.rstrip("?？。.") + brief.say("？", "?")


@remember_found
def divide_surely(message: str, brief: Brief) -> list[str]:
    """The requests of a message that have nothing to do with each other: a question behind what is wanted, and times
    that everything leaves free beside what is named. Empty for any other."""
    if len(message) > LONGEST or APART in message or QUOTED.search(message) or only_supposes(message, brief):
        return []
    if Features(message, brief).opens_class or read_exam_ahead(message, brief) is not None:
        return []
    if limits := _divide_limits(message, brief):
        return limits
    if intent_of(message, brief) == "class" and Features(message, brief).plans_each:
        return []
    of_lesson = says_lesson(message)
    for joint in reversed([*_PLAN_JOINT.finditer(message)]):
        first, rest = message[: joint.start()].strip(), message[joint.end() :].strip()
        then = _THEN_AT_LAST.sub("", LEADS.sub("", rest))
        joined = then != rest or "and" in joint.group().lower() or says("keep_free", fold_text(first))
        if not first or not then or is_exception(then) or (not joined and read_supposition(message, brief)):
            continue
        asks = _asks_beside(first, then, brief) and not says_lesson(first)
        if of_lesson and not (asks and _OF_CHANGE.search(fold_text(then))):
            continue
        beside = _lengthens_beside(first, then, brief) or _plans_beside(first, then, brief)
        if asks or beside or _frees_beside(first, then, brief, joined=joined):
            return [*(divide_surely(first, brief) or [first]), _ask_plainly(then, brief) if asks else then]
        if plan := _plan_behind(first, then, brief) or ("" if joined else _keep_another_day_free(first, then, brief)):
            return [*(divide_surely(first, brief) or [_spell_dropped(first, brief)]), plan]
    return []


_THEM = re.compile(r"它们(?:全部|都)?|\b(?:all of (?:it|them)|(?:them|it)(?: all)?)\b", re.IGNORECASE)


_REST = re.compile(
    r"(?:其[他余它]|剩下|余下)的?|全部|整个|(?<![\w首])都(?=[排放安])"
    r"|\b(?:all )?the (?:rest|others?)(?: of (?:it|them))?\b(?! (?:two|three|four|\d))"
    r"|\b(?:it|them) all\b|\ball of (?:it|them)\b|\beverything\b"
    r"|\bthe whole (?:thing|lot|class|course)\b",
    re.IGNORECASE,
)
"""What is left of a class, or all of it, behind a change of its contents."""
_PLAN_JOINT = re.compile(rf"{BREAK.pattern}|[,，;；]\s*(?={_REST.pattern})", re.IGNORECASE)


def _spell_dropped(first: str, brief: Brief) -> str:
    """What is to be taken out of its class, which is named or has no plan yet, as a content that is deleted of it."""
    rows = items_in(first, brief, among=all_items(brief)) if intent_of(first, brief) in ("remove", "class") else []
    waits = bool(rows) and not any(row["slot"] for row in items_in(first, brief))
    drops = [one.kind for one in read_content_changes(first, brief).told] == ["drop"]
    if not (drops and rows and (waits or classes_in(first, brief.classes))):
        return first
    names, owner = brief.say("、", " and ").join(row["name"] for row in rows), brief.name_of(rows[0]["class_id"])
    return brief.say("从{owner}删掉{names}", "delete {names} from {owner}", names=names, owner=owner)


_WITHIN = re.compile(r"个?(?:天|日|周|星期|礼拜)[之以]?内|\b(?:with)?in (?:an?|one|two|three|\d+) (?:days?|weeks?)\b")
"""That a plan is to take no longer than so many days or weeks."""
_AT_END = re.compile(r"^(?:放在?|排在?)?(?:最后|末尾)|\b(?:last|at the end)\W*$")
"""A place among the contents of a class, not in the week."""


def _plan_behind(first: str, then: str, brief: Brief) -> str:
    """A plan behind other contents, or another last day, of one class, which is the one to plan where none is named;
    empty for any other."""
    told, said = read_content_changes(first, brief).told, Features(first, brief)
    owners = {row["class_id"] for row in items_in(first, brief, among=all_items(brief))}
    owners = owners or {one for change in told for one in change.classes} or {*find_owners(first, brief)}
    rest, times = _REST.search(then), read_times(then, brief.term)
    dated = not told and len(owners) == 1 and _dates_class(first, brief)
    if len(owners) != 1 or not (told or dated or said.has("sets_length")) or (times and not (rest or dated)):
        return ""
    name = next(row["name"] for row in brief.classes if row["id"] in owners)
    timed = rest and (times or _WITHIN.search(fold_text(then)))
    own = f"{then[: rest.start()]}{name}{then[rest.end() :]}" if rest and timed else ""
    plans = Features(then, brief).builds or intent_of(then, brief) in ("build", "place")
    plans = plans or (dated and {*find_waiting_classes(brief)} >= owners and bool(Features(then, brief).limits))
    planned = intent_of(own, brief) in ("build", "class", "limit", "place") or _is_due_ahead(own, brief)
    plans = plans or (own != "" and planned)
    if not plans or said.builds or intent_of(_spell_dropped(first, brief), brief) != "class":
        return ""
    made = {(row["data"] or {}).get("task_class_id") for row in brief.results if (row["data"] or {}).get("created")}
    whole = f"{first}{brief.say('，', ', ')}{then}"
    if owners & made or _AT_END.search(fold_text(then)) or (told and not read_content_changes(whole, brief).left):
        return ""
    if own:
        return own
    named = items_in(then, brief, among=all_items(brief)) or {*classes_in(_THEM.sub(" ", then), brief.classes)} - owners
    if dated:
        return "" if named else _name_planned(then, name, brief)
    return then if named else brief.say("把{name}排好", "plan {name}", name=name)


def _is_due_ahead(text: str, brief: Brief) -> bool:
    """Whether something is to be done by a day that is still to come, or within so many days."""
    return bool(_WITHIN.search(fold_text(text))) or read_conditions(text, brief).finishes_ahead(brief.term.today)


def _dates_class(text: str, brief: Brief) -> bool:
    """Whether a text tells another last day of the one class that it names, and nothing else."""
    said = Features(text, brief)
    dated = says("deadline", said.folded) or aims_of(text, brief)[0][0] == "class_dates"
    told = said.changes_end or (dated and bool(dates_in(text, brief.term)))
    return told and not (said.builds or said.any_items or find_count(text)) and intent_of(text, brief) == "class"


def _name_planned(text: str, name: str, brief: Brief) -> str:
    """What is told of the class that was spoken of before, with its name."""
    if find_owners(text, brief):
        return text
    named = _THEM.sub(name, text, count=1)
    return named if named != text else brief.say(f"{name}{text}", f"{name}: {text}")


def _asks_beside(first: str, then: str, brief: Brief) -> bool:
    """Whether the second of two pieces asks something of the plan by itself, and the first wants something."""
    asks = Features(then, brief).has("asking") or says("show", fold_text(then))
    asks = asks_whether(then) or (asks and not _is_due_ahead(then, brief))
    if not asks or form_of(then, brief) or excludes(fold_text(then)):
        return False  # a name alone goes on about what is before; what is to stay free is wanted
    if CONSEQUENCE.search(fold_text(then).strip(" ?？.。!！")) or asks_whether(first) or Features(first, brief).asks:
        return False
    intent, of_change = intent_of(then, brief), _OF_CHANGE.search(fold_text(then)) is not None
    if intent in _WANTED or (intent not in _ASKED_OF_PLAN and not of_change):
        return False
    if intent in _OF_SOMETHING and not of_change and not is_about_something(then, brief):
        return False
    told = is_about_something(first, brief) or bool(read_conditions(first, brief).said)
    return (told and form_of(first, brief) != "time") and all(
        intent_of(one, brief) in _WANTED for one in requests_in(first, brief)
    )


def _frees_beside(first: str, then: str, brief: Brief, *, joined: bool) -> bool:
    """Whether one of two pieces keeps times free of everything, and the other changes what it names."""
    frees = [frees_all(piece, brief) for piece in (first, then)] if joined else []
    other = first if frees == [False, True] else then
    if sum(frees) != 1 or not names_items(other, brief) or Features(other, brief).asks:
        return False
    if frees[1] and Features(other, brief).builds:
        return False  # that is what the plan is to keep to
    return intent_of(other, brief) in _WANTED and not gives_reason(("happened", first), ("items", then), brief)


_LIMIT_JOINT = re.compile(r"[,，;；。]\s*(?:and |also |而且|还有|并且|另外)?|\s+and\s+|(?:，|,)?但是?")


def _divide_limits(message: str, brief: Brief) -> list[str]:
    """The times of every week, or the day, that everything leaves free, and the limits of each day beside them, in the
    order of the words; empty for a message that has not both, or anything else."""
    told: dict[str, list[str]] = {}
    kind = joint = ""
    for piece in _LIMIT_JOINT.split(message.strip(" .。!！")):
        text = f"{told[kind][-1]}{joint}{piece}" if kind and not _kind_of_limit(piece, brief) else piece
        goes_on = text != piece
        if not (now := _kind_of_limit(text, brief)) or (goes_on and now != kind):
            return []
        told[now] = [*told.get(now, ())[: -1 if goes_on else None], text]
        kind, joint = now, brief.say("和", " and ")
    if len(told) < _BOTH or "count" not in told or names_items(message, brief) or Features(message, brief).builds:
        return []
    if times := told.get("free"):
        free = brief.say("，", ", ").join(spell_refused_days(piece, brief) or piece for piece in times)
        several = len(times) > 1 and intent_of(free, brief) != "class"
        told["free"] = [brief.say("以后都要", "from now on ") + free if several else free]
    return [brief.say("，", ", ").join(pieces) for pieces in told.values()]


_BOTH = 2


def _kind_of_limit(piece: str, brief: Brief) -> str:
    """Whether a piece leaves times of every week free, or days, or limits each day; empty for any other."""
    found = read_conditions(piece, brief)
    bound = found.once or found.spared or found.narrowed or found.recurs or found.finishes
    if not found.said or bound or any(one.owners or one.items for one in found.said):
        return ""
    names = {name for one in found.said for name in one.values}
    if any({"from_date", "to_date"} & {*row} for one in found.said for row in one.times):
        return "day" if names == {"without"} and frees_all(piece, brief) and not target_in(piece, brief).run else ""
    return "count" if names <= {"a_day", "sections_a_day"} else "free" if names <= {"without", "within"} else ""


def _plans_beside(first: str, then: str, brief: Brief) -> bool:
    """Whether the second of two pieces plans classes that have no plan, and the first changes items of others."""
    owners = find_owners(then, brief)
    if not owners or not {*owners} <= {*find_waiting_classes(brief)} or items_in(then, brief, among=all_items(brief)):
        return False
    plans = Features(then, brief).builds and intent_of(then, brief) in ("build", "class")
    return plans and intent_of(first, brief) in (*OPERATIONS, "mark") and bool(items_in(first, brief))


def _lengthens_beside(first: str, then: str, brief: Brief) -> bool:
    """Whether the second of two pieces tells how long other items are to be than those that the first one moves."""
    items = [row for rows, _ in read_lengths(then, brief) for row in rows]
    if not items or read_times(then, brief.term) or intent_of(first, brief) not in (*OPERATIONS, "replan"):
        return False
    return not any(row in items for row in items_in(first, brief)) and target_in(first, brief).said


_OF_ALL = re.compile(
    r"空[着出]|留空|东西|任何|什么都|\b(?:keep|leave)\b.*\b(?:free|empty|clear)\b|\b(?:nothing|anything)\b"
)


def _keep_another_day_free(first: str, then: str, brief: Brief) -> str:
    """That a day is to be free of everything, behind a move of an item to another one; empty for other pieces."""
    goes, free, text = target_in(first, brief), target_in(then, brief), fold_text(then)
    moves = goes.days and _MOVES.search(fold_text(first)) and not says("keep_free", fold_text(first))
    times = read_times(text, brief.term)
    if not moves or {*goes.days} & {*free.days} or [one.kind for one in times] != ["weekday"]:
        return ""
    when = text[times[0].start : times[0].end]
    alone = (
        _OF_ALL.search(text) and names_items(first, brief) and not (names_items(then, brief) or says("pronoun", text))
    )
    return brief.say(f"这次{when}不要安排", f"just this once nothing on {when}") if alone else ""


_MOVES = re.compile(r"[挪移调改放排换]到|\b(?:move|put|shift|push)\b")


def frees_all(piece: str, brief: Brief) -> bool:
    """Whether a piece wants times to be left free by everything, and nothing else."""
    said, text = Features(piece, brief), fold_text(piece)
    if said.any_items or said.classes or said.asks or says("pronoun", text) or not read_times(piece, brief.term):
        return False
    frees = says("keep_free", text) or says("away", text) or said.weekly_off or bool(said.standing)
    return frees and intent_of(piece, brief) in ("class", "wish", "limit", "replan")


_CHANGES = re.compile(r"把|将|移|挪|删|\b(?:move|put|swap|delete|remove)\b")
APART = "\u2063"
"""An invisible sign that stands between requests which are known to be several."""
_MOST = 4
_ABSENCE = 2
"""Clauses that tell of an absence and of what follows it."""
_SURE_OF_DATES = 0.95
"""The probability from which a message about the dates of one class is one request."""


@remember_found
def requests_in(message: str, brief: Brief) -> list[str]:
    """The requests of a message, each a part of its words, questions with the week that the one before asks about; one
    for a message that asks for one kind of thing."""
    first, *rest = _divide_requests(message, brief)
    said = [first]
    for text in rest:
        asked = Memory.after(said[-1], [], brief)
        week = asked.exchanges[-1].whole_week and intent_of(text, brief) in _ASKED_OF_PLAN
        told = spell_week_asked(spell_weekdays(text, asked), asked) if week else _name_asked(text, said[-1], brief)
        if plan := _plan_within(said[-1], told, brief):
            said[-1] = plan
        else:
            said.append(told)
    return said


_SUBJECTLESS = re.compile(r"(?:must|should|may|can|cannot|not|never|only)\b|[只别不]", re.IGNORECASE)
"""The beginning of what goes on about the class in front of it."""


def _plan_within(first: str, then: str, brief: Brief) -> str:
    """A class with another last day and, behind that, its plan or the times that it leaves free, as one request: what
    its plan keeps to is written before it is made. Empty for any other two."""
    owners = find_owners(first, brief)
    if len(owners) != 1 or not _dates_class(first, brief) or items_in(then, brief, among=all_items(brief)):
        return ""
    if frees_all(then, brief) and not _SUBJECTLESS.match(then):
        return ""  # of every class
    named = _name_planned(then, brief.name_of(owners[0]), brief)
    if find_owners(named, brief) != owners or Features(named, brief).asks:
        return ""
    wanted = Features(named, brief).builds or owners[0] in Features(named, brief).limits
    joint = brief.say("，", ", ")
    return f"{first.strip(' .。,，')}{joint}{named}" if wanted else ""


def _name_asked(text: str, before: str, brief: Brief) -> str:
    """A question whether something can go elsewhere that names nothing, with the item that the question before names:
    when is chapter 5, can it be earlier?"""
    asks = asks_whether(text) or text.endswith(("?", "？", "吗"))
    goes = asks and intent_of(text, brief) in (*OPERATIONS, "other") and intent_of(before, brief) in _ASKED_OF_PLAN
    rows = items_in(before, brief, among=all_items(brief)) if goes else []
    named = put_subject(text, rows[0]["name"], brief) if len(rows) == 1 else text
    return named if intent_of(named, brief) in OPERATIONS else text


def _divide_requests(message: str, brief: Brief) -> list[str]:
    if APART in message:
        return share_subject([piece for said in message.split(APART) if (piece := said.strip(" ,，;；.。"))], brief)
    if asked := divide_questions(message, brief):
        return asked
    if is_absence_ahead(message, brief.term) and len(re.split("[,，;；。]", message.strip(" 。.,"))) <= _ABSENCE:
        return [message]  # that it is made up for afterwards is no request of its own
    if several := _divide_new(message) or divide_added(message, brief):
        return several
    if is_chain(message, brief):
        return [message]
    if apart := divide_surely(message, brief):
        return [one for piece in apart for one in requests_in(piece, brief)]
    if (plan := _drop_waiting(message, brief)) and len(requests_in(plan, brief)) == 1:
        return [message]
    if tells_only_contents(message, brief, tells_length) and intent_of(message, brief) == "class":
        return [message]
    beside_exam = without_exam_day(message, brief.term) != message or ends_before_exam(message)
    if beside_exam and intent_of(message, brief) == "class":
        return [message]
    if steps := _steps_of(message, brief):
        return steps
    moves = divide_at_unless(message)
    if len(moves) > 1 and all(items_in(one, brief) and intent_of(one, brief) in OPERATIONS for one in moves):
        return moves
    depends = alternatives_in(message, brief) or condition_in(message, brief) or moves
    if depends and intent_of(message, brief) in OPERATIONS:
        return [message]
    if says("that_day", fold_text(message)) and intent_of(message, brief) == "replan":
        return [message]
    if len(message) > LONGEST or intent_of(message, brief) in ("plan_first", "try"):
        return [message]
    if (alone := without_spared(message, brief)) and len(requests_in(alone, brief)) == 1:
        return [message]
    if Features(message, brief).opens_class and intent_of(message, brief) == "class":
        return [message]
    if apart := _divide_plan(message, brief):
        return apart
    if Features(message, brief).plan_dates and Features(message, brief).plans_with_limits:
        return [message]
    held = read_conditions(message, brief) if intent_of(message, brief) in ("build", "limit", "wish", "class") else None
    if (
        held
        and held.said
        and not any(says(verb, held.left) for verb in ("move", "swap", "remove", "delete", "finished"))
    ):
        return [message]
    label, chance = aims_of(message, brief)[0]
    if label == "class_dates" and chance > _SURE_OF_DATES and len(Features(message, brief).classes) == 1:
        return [message]
    if (
        apart := _tells_rule_beside(message, brief)
        or tells_only_done(message, brief)
        or tells_in_turn(message, brief)
        or tells_of_each(message, brief)
    ):
        return apart
    found: list[tuple[str, str]] = []
    pieces, dropped = pieces_of(message, brief)
    for kind, piece in pieces:
        if found and (not kind or not found[-1][0] or kind == found[-1][0]):
            before, text = found[-1]
            found[-1] = (kind or before, f"{text}，{piece}" if not piece.isascii() else f"{text}, {piece}")
        else:
            found.append((kind, piece))
    parts = [text for kind, text in found if kind]
    whole = (len(found) < 2 and not dropped) or len(parts) < len(found) or len(found) > _MOST
    return [message] if whole or any(intent_of(text, brief) not in ALONE for text in parts) else parts


def _drop_waiting(message: str, brief: Brief) -> str:
    """A request for a plan without the clause in front of it that only tells of a class that it has none yet."""
    first, _, rest = message.partition(next(iter(re.findall(r"[?？,，。;；.]", message)), "\n"))
    tells = WAITING_SAID.search(fold_text(first)) is not None and bool(find_owners(first, brief))
    return rest.strip() if tells and rest.strip() and Features(message, brief).plans_unplanned else ""


_CLAUSE = re.compile(r"[,，;；。]\s*(?:and |另外|还有|然后)?|\s+and\s+(?:can you |please )?")


def _divide_plan(message: str, brief: Brief) -> list[str]:
    """A class that is to be planned, with the times that follow, and the last day of another one: what names no class
    is a limit of the plan. Empty where it is not so."""
    plan, dated = list[str](), list[str]()
    wanted, ended = set[int](), set[int]()
    for piece in filter(None, map(str.strip, _CLAUSE.split(message))):
        said, owners = Features(piece, brief), find_owners(piece, brief)
        if not owners:
            plan.append(piece)
        elif said.has("build") or said.has("build_weakly"):
            plan.append(piece)
            wanted |= {*owners}
        elif dates_in(piece, brief.term) and not said.any_items:
            dated.append(piece)
            ended |= {*owners}
        else:
            return []
    joint = "，" if not message.isascii() else ", "
    return [joint.join(dated), joint.join(plan)] if wanted and ended and not wanted & ended else []


_FOR_GOOD = re.compile(r"以后|今后|从此|每个?(?:周|星期)|\b(?:from now on|never|always|every \w+day)\b")
_RULE_BESIDE = re.compile(r"[,，。;；]\s*(?:and |而且|还有)?|\s+and (?=never|always|from now on|nothing|no\b)")


def _tells_rule_beside(message: str, brief: Brief) -> list[str]:
    """An absence on certain days, and beside it what holds from now on: both are wanted."""
    pieces = [piece.strip() for piece in _RULE_BESIDE.split(message) if piece.strip()]
    lasting = [_FOR_GOOD.search(fold_text(piece)) is not None for piece in pieces]
    if len(pieces) != 2 or sum(lasting) != 1:
        return []
    rule, absence = (pieces[lasting.index(told)] for told in (True, False))
    away = intent_of(absence, brief) == "replan" and bool(days_in(absence, brief.term))
    return pieces if away and intent_of(rule, brief) in ("class", "wish", "limit") else []


_STEP = re.compile(
    r"[,，;；。.]?\s*(?:然后|接着|之?后再|最后再?|再(?=[把将给让]|[^,，;；。]{1,16}(?:放|移|挪|排|推|提|换)))"
    r"|\s*[,;.]?\s*\b(?:and )?(?:then|finally|lastly|afterwards)\b,?\s+"
    r"|[,;.]\s*(?:and )?(?:after that|next)\b,?\s+(?!day|week)",
    re.IGNORECASE,
)
_FIRST = re.compile(r"^(?:先|首先|第一步|first(?:ly| of all)?,?\s+)", re.IGNORECASE)


def _steps_of(message: str, brief: Brief) -> list[str]:
    """The steps of a message that carries out one after the other, where a later one tells its place by an earlier."""
    pieces = [piece.strip(" ,，;；。.") for piece in _STEP.split(message) if piece.strip(" ,，;；。.")]
    if not 1 < len(pieces) <= _MOST or not any(map(points_back, pieces[1:])):
        return []
    steps = [_as_step(_FIRST.sub("", piece), brief) for piece in pieces]
    return steps if all(steps) else []


def split_first_step(message: str, brief: Brief) -> tuple[str, str]:
    """The first of several steps, and the rest of the message with what joins it; no rest where there is but one."""
    joint = next((one for one in _STEP.finditer(message) if one.start() > 0), None)
    if joint is None or not _steps_of(message, brief):
        return message, ""
    return message[: joint.start()], message[joint.start() :]


def _as_step(piece: str, brief: Brief) -> str:
    """A piece of a message as a request of its own, with the verb that it lacks; empty for none about items."""
    if intent_of(piece, brief) in (*OPERATIONS, "undo"):
        return piece
    named = find_mentioned(piece, brief)
    if named and (points_back(piece) or target_in(piece, brief).said or _beside_another(piece, brief)):
        return f"move {piece}" if piece.isascii() else f"把{piece}" if "到" in piece else f"{piece}移过去"
    return ""


def _beside_another(piece: str, brief: Brief) -> bool:
    wanted = read_arrangement(piece, brief)
    return wanted is not None and wanted.beside is not None


_SEVERAL_NEW = re.compile(
    r"\b(?:create|add|make|set up) (?:two|three|2|3) (?:new )?(?:task |study )?classes\s*[:,]?\s*(?P<en>.+)$"
    r"|(?:新建|创建|建立|添加|建|加)(?:两|三|2|3)[个门](?:新的?)?(?:任务类|课程?|科目)?\s*[:：,，]\s*(?P<zh>.+)$",
    re.IGNORECASE,
)
_NEW_WITH = re.compile(
    r"(?:^|[,，;；、和与]|\band\b)?\s*(?P<name>[^(),，;；（）]{2,40}?)\s*[(（](?P<rest>[^)）]+)[)）]"
)


def _divide_new(message: str) -> list[str]:
    """Create two classes: A (..., due 26 April) and B (...): each a request of its own; empty for any other."""
    found = _SEVERAL_NEW.search(message)
    parts = [*_NEW_WITH.finditer(found["en"] or found["zh"])] if found else []
    form = "create a class called {}: {}" if found and found["en"] else "新建一个任务类叫{}，{}"
    names = [re.sub(r"^(?:and|和|与)\s*", "", part["name"].strip()) for part in parts]
    return [form.format(name, part["rest"]) for name, part in zip(names, parts, strict=True)] if len(parts) > 1 else []


def divide_added(message: str, brief: Brief) -> list[str]:
    """A new content of a class, and when it is to be learnt: the place follows when the class has it."""
    masked = QUOTED.sub(lambda quoted: "x" * len(quoted.group()), message)
    for joint in BREAK.finditer(masked):
        first, then = message[: joint.start()].strip(), message[joint.end() :].strip()
        if then and (placed := place_added(then, first, brief)):
            return [first, placed]
    return []


def place_added(text: str, request: str, brief: Brief) -> str:
    """The move of the one thing that a request adds to a class, where a text that names nothing tells when it is to be
    learnt; empty for other words."""
    folded = fold_text(text)
    times = read_times(folded, brief.term)
    if not target_in(text, brief).dated or any(one.side for one in times) or says("deadline", folded):
        return ""
    if items_in(text, brief, among=all_items(brief)) or classes_in(text, brief.classes) or says("asking", folded):
        return ""
    added = _find_added(request, brief)
    places = says("place", folded) or says("move", folded) or form_of(text, brief) == "time"
    if len(added) != 1 or not (places or intent_of(text, brief) in ("place", "move", "build")):
        return ""
    when = folded[times[0].start : times[-1].end]
    return brief.say(f"把{added[0]}移到{when}", f"move {added[0]} to {when}")


def _find_added(request: str, brief: Brief) -> list[str]:
    """What a request adds to a class, or has added to it in this goal."""
    if Features(request, brief).opens_class:
        return []  # a class of its own, of which times are the dates
    told, results = read_content_changes(request, brief).told, (brief.whole or brief).results
    wrote = any(row["tool"] == "upsert_task_class" and row["status"] == "done" for row in results)
    made = [row["name"] for row in all_items(brief) if wrote and fold_text(row["name"]) in fold_text(request)]
    return made or [name for one in told if one.kind == "add" for name in one.names]


def question_before(message: str) -> str:
    """The question of a message that goes on with what is to be done; empty where it does not."""
    asked = _ASKED_FIRST.search(message)
    asks = str(asked["asks"] or asked["asks2"]).strip() if asked else ""
    return "" if _CHANGES.search(fold_text(asks)) else asks

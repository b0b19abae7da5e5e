"""A class in some weeks alone: plan the labs in week 4 only, and then spread over more of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from math import ceil

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.entities import join_names
from agent.llm.offline.language.dialogue.memory import Exchange, Memory
from agent.llm.offline.language.dialogue.pointing.pointed_times import name_day
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.clauses import clauses_of
from agent.llm.offline.language.meaning.ellipsis import strip_known
from agent.llm.offline.language.meaning.requests import APART
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.paraphrase.frames import frame_of
from agent.llm.offline.language.spans.classes.class_times import excludes, find_owners, is_kept_to
from agent.llm.offline.language.spans.lesson_moves import says_lesson
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in, without_items
from agent.llm.offline.language.spans.targets import PlaceTarget, target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.loop.view_document import ClassView, TaskView

SPREADS = re.compile(r"分散|分摊|摊[开到]|铺开|匀[一到]|散开|\bspread\b|\bstretch\b")
_BARE_WEEKS = re.compile(r"(?<![\d第])(\d{1,2})\s*[到至~-]\s*(\d{1,2})周")
_TO_WEEKS = re.compile(r"[到在至](?=第\d)")
_FIRST, _LAST = 1, 7
_SEVERAL = 2
_PLANS = re.compile(r"[安]?排(?!除|序|名)|放|\b(?:plan|schedule|put|fit|do|place|go(?:es)?)\b")
_ASKS = re.compile(r"[?？]|吗|(?<=.)(?:能不能|可不可以)|\b(?:(?:can|could|will|would)(?! you)|is|are|does)\b")
_ONLY = re.compile(r"只能?|仅|就[行好]|\b(?:only|just)\b")


_N = r"[\d一二两三四五六七]"
_DAYS_APART = re.compile(
    r"[,，]?\s*(?:\b(?:all |each |one )*(?:on|over|across) (?:\w+ )?(?:different|separate|own) days?\b"
    r"|\b(?:on|over|across) (?:\d|two|three|four|five|six) days(?: (?:of|in)(?= (?:week|the)\b))?"
    r"|\b(?:no two|not|never)\b[^,.;]*\bon the same day\b"
    rf"|[分放排在到]*(?:{_N}个?)?不[同1一]样?的?(?:{_N}个?)?(?:天|日子)里?|分(?:成|散?[在到])?{_N}天"
    r"|[各每]个?[排放占在]?[1一]天(?!都)|[1一]天(?:排|放|做)?[1一][个项次]|(?:不要?|别)(?:都)?[放排挤在到]*同[1一]天)"
)
"""That of several items no two are to be on one day."""


_DOES = re.compile(rf"{SPREADS.pattern}|[做学][完掉]?")


def put_on_days_apart(text: str, brief: Brief) -> str:
    """The items of a class, or those that are named, into a week of which they are to take as many days."""
    folded = fold_numbers(text)
    found = _DAYS_APART.search(folded)
    rest = f"{folded[: found.start()]} {folded[found.end() :]}" if found else ""
    rest = _DOES.sub(brief.say("排", "plan"), rest)
    if not found or _ASKS.search(rest):
        return ""
    if planned := plan_class_in_weeks(rest, brief):
        return planned + brief.say("，仅这一次排在不同的日子", ", just this once on different days")
    named, days = classes_in(rest, brief.classes), _read_days(rest, brief)
    rows = items_in(rest, brief) or [row for row in brief.tasks if named == [row["class_id"]]]
    more = strip_known(_PLANS.sub(" ", without_items(rest, rows)), brief).strip(" ,，.。")
    if days is None or more or len(rows) < 2 or not all(row["slot"] for row in rows):
        return ""
    names, span = join_names(rows, brief), _say_days(brief, *days)
    return brief.say(f"{names}放到{span}，每天最多一项", f"put {names} in {span}, at most one a day")


def plan_class_in_weeks(text: str, brief: Brief) -> str:
    """The plan of a class without any that is to be in some weeks alone, or outside of them, with the other limits and
    what is only wished told behind it."""
    head, _, limits = (*_LIMITS.split(text, maxsplit=1), "", "")[:3]
    timed = [one for one in read_times(limits, brief.term) if one.kind in ("week", "day", "days")]
    told = _read_side(fold_text(limits), brief) if limits and not classes_in(limits, brief.classes) else ""
    if told and not timed:
        planned = plan_class_in_weeks(head, brief)
        pieces = (limits.strip(), planned) if told == "softly" else (planned, limits.strip())
        return planned and brief.say("，", ", ").join(pieces)  # what is only liked is no part of the week behind it
    row = _find_planned(head if told == "not" else text, brief)
    piece = _NOT_THEN.sub(" ", fold_text(limits)) if told == "not" else fold_text(text)
    days = _read_days(piece, brief, least=1 if told == "not" else _SEVERAL)
    if row is None or days is None or (told != "not" and _NOT_THEN.search(fold_text(text))):
        return ""
    first, last = max(days[0], _day_of(row["start_date"], days[0])), min(days[1], _day_of(row["end_date"], days[1]))
    if first > last:
        return ""
    only, avoided = (
        ("只在{span}排{name}", "plan {name} in {span} only"),
        ("排{name}，避开{span}", "plan {name}, avoid {span}"),
    )
    return brief.say(*(avoided if told == "not" else only), name=row["name"], span=_say_days(brief, first, last))


_LIKED = re.compile(rf"[,，]?\s*(?:{pattern('softly').pattern})")
_LIMITS = re.compile(r"([,，;；]|\bbut\b|(?=\b(?:except|without)\b))")
_NOT_THEN = re.compile(
    r"不(?:要|用|想|能|行|可以)?|别|跳过|避开?|[空留让](?:出来?|着)|除了?"
    r"|\b(?:no|not|nothing|never|none|skip|avoid|without|except|leave|out)\b|\b\w+n't\b|\bdont\b"
)
"""What refuses a time."""


def _read_side(limits: str, brief: Brief) -> str:
    """How a clause limits a plan beside it: by times that it refuses, that it keeps to, or that it only likes."""
    if says("softly", limits):
        return "softly" if read_times(limits, brief.term) else ""
    if _NOT_THEN.search(limits):
        return "not"
    return "only" if is_kept_to(limits, brief) or not strip_known(limits, brief).strip(" .") else ""


def _find_planned(text: str, brief: Brief) -> ClassView | None:
    """The one class without a plan of which a text asks for one, and nothing else but times."""
    folded, named = fold_text(text), classes_in(text, brief.classes)
    rows = [row for row in all_items(brief) if row["class_id"] in named]
    placed = {row["item_id"] for row in brief.tasks if row["slot"]}
    if len(named) != 1 or not rows or placed & {row["item_id"] for row in rows} or items_in(folded, brief):
        return None
    rest = _LIKED.sub(" ", _ONLY.sub(" ", _PLANS.sub(" ", folded)))
    if not _PLANS.search(folded) or _ASKS.search(folded) or len(strip_known(rest, brief).split()) > 1:
        return None
    return brief.class_of(named[0])


def plan_at_weekdays(text: str, brief: Brief) -> str:
    """The plan of classes without any, each of which is to be on certain weekdays or at certain hours of every week:
    labs go on friday afternoons, vocab on tuesday evenings; what is asked behind them stays."""
    told, clauses, left = list[tuple[str, str]](), clauses_of(text), list[str]()
    plans = _PLANS.search(fold_text(text))
    while clauses and not _ASKS.search(fold_text(clauses[0])):
        left.append(fold_text(clauses.pop(0)))
        clause = brief.say("和", " and ").join(left)
        if plans and (found := _read_weekdays(clause, brief)):
            told.append(found)
            left = []
        elif _PLANS.search(clause):
            break  # else a name alone goes with the one behind it: labs and vocab in the evenings
    behind = [*left, *clauses]
    if not told or any(read_times(one, brief.term) or not says("asking", one) for one in map(fold_text, behind)):
        return ""
    names = brief.say("和", " and ").join(name for name, _ in told)
    keeps = [brief.say(f"{name}只排在{when}", f"{name} only {when}") for name, when in told]
    joint = brief.say("，", ", ")
    plan = joint.join([brief.say(f"排{names}", f"plan {names}"), *keeps])
    return (APART + joint).join(filter(None, (plan, joint.join(behind))))


def _read_weekdays(clause: str, brief: Brief) -> tuple[str, str] | None:
    """The names of the classes without a plan that a clause wants at some weekdays or hours of every week, and these;
    None for any other clause."""
    named, times = find_owners(clause, brief), read_times(clause, brief.term)
    placed = {row["class_id"] for row in brief.tasks if row["slot"]}
    rows = [row for row in all_items(brief) if row["class_id"] in named]
    picked = items_in(clause, brief, among=all_items(brief))
    several = named and not placed & {*named} and len(named) < len(rows) == len(picked or rows)
    every = times and all(one.kind in _OF_WEEK and not (one.week or one.role or one.side) for one in times)
    other = any(says(verb, clause) for verb in ("softly", "remove", "delete", "away")) or excludes(clause)
    if not (several and every) or other or says_lesson(clause):
        return None
    if strip_known(_ALL.sub(" ", _ONLY.sub(" ", _PLANS.sub(" ", clause))), brief).strip(" ,，。."):
        return None
    start, end = min(one.start for one in times), max(one.end for one in times)
    lead = brief.say("", "on " if times[0].weekdays else "in the ")
    return brief.say("和", " and ").join(map(brief.name_of, named)), f"{lead}{clause[start:end]}"


_ALL = re.compile(
    r"统统|一律|通通|全部|[都全做学背上]"
    r"|\b(?:all|both|every|whole|thing|stuff|should|always|me|(?:can|could|would|will) you)\b"
)
_OF_WEEK = ("weekday", "part", "sections")


def _day_of(told: str | None, otherwise: date) -> date:
    return date.fromisoformat(told) if told else otherwise


_SAME_SPAN = re.compile(
    r"在?(?:同样|同|相同)的?[这那]?[两2-8]个?(?:周|星期|礼拜)[里内]?"
    r"|\b(?:(?:in|within|over|during|into) )?(?:the|those|these) same (?:(?:[2-8]|two|three|four|five|six) )?"
    r"(?:weeks|dates)(?: as (?:for )?(?:my |the )?[\w ]+?(?=[?.,;]|$))?"
)


def spell_same_span(text: str, memory: Memory) -> str:
    """A message with the dates of the classes that it names, or of those that are planned, for the same weeks."""
    brief, folded = memory.brief, fold_numbers(text)
    if (found := _SAME_SPAN.search(folded)) is None:
        return text
    ids = classes_in(folded, brief.classes) or {row["class_id"] for row in brief.tasks if row["slot"]}
    spans = {(row["start_date"], row["end_date"]) for row in brief.classes if row["id"] in ids and row["end_date"]}
    if len(spans) != 1:
        return text
    first, last = (name_day(date.fromisoformat(day or ""), brief) for day in spans.pop())
    span = brief.say(f"{first}到{last}", f"from {first} to {last}")
    return f"{folded[: found.start()]}{span}{folded[found.end() :]}"


def spread_over_weeks(text: str, last: Exchange, brief: Brief) -> str:
    """The items that were planned just before, or named, over all the weeks that a turn names, as many in each."""
    folded = fold_text(text)
    weeks = _read_weeks(folded, brief) if SPREADS.search(folded) else None
    if weeks is None or items_in(folded, brief) or classes_in(folded, brief.classes):
        return ""
    ids = {row["item_id"] for row in last.listed if last.wrote} or {
        row["item_id"] for row in items_in(last.said, brief)
    }
    rows = [row for row in brief.tasks if row["item_id"] in ids]
    if len(rows) < 2 or len({row["class_id"] for row in rows}) != 1 or not weeks[1] > weeks[0]:
        return ""
    return _tell(brief, rows, weeks, ceil(len(rows) / (weeks[1] - weeks[0] + 1)))


_THEM = re.compile(r"[它他]们|这些|那些|\b(?:them|they|these|those|it all)\b")
_WIDER = re.compile(
    rf"{SPREADS.pattern}|隔开|拉开|松散|\bspace\b[^,.;]*\b(?:out|apart)\b|\b(?:further|farther) apart\b"
)
_GO = re.compile(r"[挪移换改放排]到|\b(?:move|put|shift)\b")


def change_planned(text: str, last: Exchange, brief: Brief) -> str:
    """What is planned just before wider apart, or on other weekdays alone, where "them" are all of its items."""
    folded = fold_text(text)
    ids = dict.fromkeys(row["class_id"] for row in last.listed) if "build" in (last.intent, *last.wrote) else {}
    if not ids or not _THEM.search(folded) or items_in(text, brief) or classes_in(text, brief.classes):
        return ""
    names = tuple(brief.name_of(one) for one in ids)
    if _WIDER.search(folded):
        return frame_of("even", {"class": names}).say(brief.language)
    moved = next((one for one in reversed(clauses_of(folded)) if _GO.search(one) and _THEM.search(one)), "")
    times = [one for one in read_times(moved, brief.term) if one.kind == "weekday" and one.week is None]
    if len(times) != 1 or len(times[0].weekdays) < _SEVERAL:
        return ""
    slots = {"class": names, "time": (moved[times[0].start : times[0].end],)}
    return frame_of("only_on_of", slots).say(brief.language)


def _read_weeks(text: str, brief: Brief) -> tuple[int, int] | None:
    """The first and the last of the whole weeks that a text names, and nothing else of a time."""
    told = _TO_WEEKS.sub("", _BARE_WEEKS.sub(r"第\1周到第\2周", text), count=1)
    target = target_in(told, brief)
    listed = {one.week for one in read_times(told, brief.term) if one.kind == "week" and not one.side}
    if len(listed) > 1 or target.days or target.sections or target.part:
        return None
    if target.run:
        (first, begin), (last, end) = target.run
        return (first, last) if (begin, end) == (_FIRST, _LAST) else None
    return (target.week, target.week) if target.week and target != PlaceTarget() else None


def _read_days(text: str, brief: Brief, *, least: int = _SEVERAL) -> tuple[date, date] | None:
    """The first and the last of the days one after the other that a text names, at least so many, a week of weeks
    alone."""
    told, term = _TO_WEEKS.sub("", _BARE_WEEKS.sub(r"第\1周到第\2周", text), count=1), brief.term
    target, times = target_in(told, brief), read_times(told, term)
    weeks = sorted({one.week for one in times if one.kind == "week" and one.week and not one.side})
    if target.sections or target.part or any(one.side or one.role for one in times):
        return None
    if len(weeks) > 1:
        return (term.day(weeks[0], _FIRST), term.day(weeks[-1], _LAST)) if len(weeks) > weeks[-1] - weeks[0] else None
    if target.run:
        first, last = (term.day(*end) for end in target.run)
        return first, last
    if target.week is None or (target.days and list(target.days) != [*range(target.days[0], target.days[-1] + 1)]):
        return None
    ends = (target.days[0], target.days[-1]) if target.days else (_FIRST, _LAST)
    return None if 0 < len(target.days) < least else (term.day(target.week, ends[0]), term.day(target.week, ends[1]))


def _tell(brief: Brief, rows: Sequence[TaskView], weeks: tuple[int, int], a_week: int = 0) -> str:
    """The request to bring items to some weeks, at most so many of them to each."""
    span = _say_weeks(brief, weeks)
    goes = ("把{names}移到{span}", "move {names} to {span}")
    told = goes if rows[0]["slot"] else ("把{names}放到{span}", "place {names} in {span}")
    most = brief.say("，每周最多{n}项", ", at most {n} a week", n=a_week) if a_week else ""
    return brief.say(*told, names=join_names(rows, brief), span=span) + most


def _say_weeks(brief: Brief, weeks: tuple[int, int]) -> str:
    return _say_days(brief, brief.term.day(weeks[0], _FIRST), brief.term.day(weeks[1], _LAST))


def _say_days(brief: Brief, first: date, last: date) -> str:
    (week, begin), (other, end) = brief.term.week_day(first), brief.term.week_day(last)
    if (week, begin, end) == (other, _FIRST, _LAST):
        return brief.say("第{n}周", "week {n}", n=week)
    return brief.say("到", " to ").join(name_day(day, brief) for day in (first, last))

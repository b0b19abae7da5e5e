"""Other hours of a time that is to stay free: when what is on then begins, how long it takes, when it is over, or that
it comes every week. Each gives the whole request again with the hours in the place of its own.
"""

from __future__ import annotations

import re
from functools import reduce

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.slots import COUNT
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.ellipsis import only_tells_time, strip_fillers, strip_known
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.requests import APART
from agent.llm.offline.language.meaning.standing_rules import read_closed
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.classes.class_times import excludes
from agent.llm.offline.language.spans.conditions.limit_forms import EVERY, FREES
from agent.llm.offline.language.spans.conditions.wishes import wishes_in
from agent.llm.offline.language.spans.happenings import days_in
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.times.hours import SECTION_MINUTES, section_at, section_from
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import SemesterDates, weekday_names
from agent.llm.offline.language.spans.times.spelling import spell_out_lists
from agent.llm.offline.language.spans.times.stretches import Hours, clock_of, read_hours, say_hours, settle

EACH_WEEK = re.compile(
    r"每个?(?:周|星期|礼拜)|一直|\b(?:every|each) (?:week|\w+day)\b|\b(?:always|weekly)\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b"
)
"""That something holds for each week."""
_LONGEST = 60
_FREEING = ("replan", "limit", "wish", "class")
_OF_DAY = ("part", "clock", "sections")
_DENIED = re.compile(r"不是[^,，。;；是]+|[,，]?\s*\bnot (?:an?|one|two|three|\d)\b[^,.;]*$")
_TELLS = re.compile(
    r"开始|结束|下[班课]|散[场会]?|完[事了]?|持续|时长|小时|半|左右|要?到|从|以后|之后|[之以]?前|[都就也只才是有要会得可以行去]|没问题|那个?|[这那]样|如此|估计|整个?|1?[下上]午|晚上|1|一"
    r"|\b(?:it|that|this|ends?|ending|finish(?:es|ing)?|starts?|starting|begins?|over|only|just|takes?|lasts?|runs?|goes|will"
    r"|be|is|should|usually|about|around|onwards?|ok(?:ay)?|fine|too|long|each|every|always|weekly|week|until|till?|then"
    r"|happens?|think|probably|instead|and|i|i'm|i'll|it's|it'll|need|my|the|which|past|after|before|up|by|no|though|more|would|could|might"
    r"|as well|(?:whole|entire|day)|real(?:ly)?|all|like|than|not|make|me|really|also|actually|been|has|got)\b"
)
_ENDS = re.compile(r"结束|散[场会]|下[班课]|\b(?:over|ends?|ending|finish\w*|done|takes?|lasts?)\b")
_TAKES = re.compile(r"[要得占花]|持续|\b(?:takes?|lasts?|goes on)\b")
"""That what is on then takes a part of the day."""
_ENDS_ITSELF = re.compile(
    r"移|挪|排(?!练)|学|复习|\b(?:mov|shift|put|plan|schedul|stud|revis|learn|swap|add|remov|delet|keep|block|free)\w*"
)
Bounds = tuple[int | None, int | None]


def tell_hours_anew(said: str, request: str, brief: Brief, *, opens: bool) -> str:
    """The whole request for a time that is to stay free with the hours that words give it, or for every week; empty
    for other words. `opens`: whether these tell what is possible."""
    text, base = (spell_out_lists(fold_text(one)) for one in (_DENIED.sub("", fold_text(said)), request))
    if not request or len(text) > _LONGEST or says("asking", text) or not _frees(request, brief):
        return ""
    if items_in(said, brief, among=all_items(brief)) or classes_in(said, brief.classes):
        return ""
    told, weekly = read_hours(text), EACH_WEEK.search(text) is not None and not EVERY.search(base)
    timed, days = bool(told.told or told.length), {day for one in read_times(text, brief.term) for day in one.weekdays}
    weekly = weekly and not (days and days < {day for day, _ in read_closed(request, brief)})  # only some of them
    whole = _part_of(text, brief.term) if _TAKES.search(text) and not timed else None
    if not (timed or weekly or whole) or _says_more(text, told, brief) or _names_other_days(text, request, brief):
        return ""
    own = _Own(base, brief.term)
    opens = opens and not _ENDS.search(text)
    begin, end = own.change(told, brief.term, opens=opens) if timed else own.bounds
    if whole and begin is not None:
        end = whole[1]
    if (timed and (begin, end) == (None, None)) or (begin is not None and end is not None and begin >= end):
        return ""
    if weekly:
        return _spell_weekly(request, begin, end, brief)
    if not (timed or (whole and begin is not None)):
        return ""
    changed = own.put_in(begin, end, brief, single=told.of("at", "start") is not None)
    kept = intent_of(changed, brief) in _FREEING or not read_closed(request, brief)
    return changed if kept or None in (begin, end) else _spell_weekly(request, begin, end, brief)


_MOVED = re.compile(
    r"(?:现在)?(?:改|换|调|挪)(?:到|成|在)了?|\b(?:moved|changed|switched|shifted|rescheduled) to\b|\bnow\b"
)
"""That what is on then is on another day."""


_HAPPENED = re.compile(r"了|现在|\b(?:moved|now|been|got|has)\b|'s\b")


def tell_day_anew(said: str, request: str, brief: Brief) -> str:
    """The days that words tell in the place of those of a time that is to stay free; empty for other words."""
    text = fold_text(said)
    times = read_times(text, brief.term)
    days = times and all(one.kind in ("weekday", "day") and not one.side for one in times)
    if (
        not days
        or not (_MOVED.search(text) and _HAPPENED.search(text))
        or says("asking", text)
        or not _frees(request, brief)
    ):
        return ""
    more = items_in(said, brief, among=all_items(brief)) or classes_in(said, brief.classes)
    if more or _says_more(_MOVED.sub(" ", text), Hours(()), brief):
        return ""
    return text[times[0].start : times[-1].end]


def _frees(request: str, brief: Brief) -> bool:
    """Whether a request leaves times free of everything."""
    intent = intent_of(request, brief)
    if items_in(request, brief) or intent not in _FREEING:
        return False
    if intent == "replan":
        return bool(days_in(request, brief.term))
    text = fold_text(request)
    return bool(read_closed(request, brief)) or excludes(text) or FREES.search(text) is not None or "n't" in text


def _says_more(text: str, told: Hours, brief: Brief) -> bool:
    """Whether words tell more than hours: what ends or takes so long may be named once more."""
    cuts = [*told.spans, *((one.start, one.end) for one in told.told)]
    for start, end in sorted(cuts, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    rest = strip_fillers(strip_known(_TELLS.sub(" ", EACH_WEEK.sub(" ", text)), brief))
    named = told.length or told.of("end")
    return rest != "" and not (named and len(rest) <= _NAME and not _ENDS_ITSELF.search(text))


_NAME = 12
"""Letters of the name of what ends."""


def _names_other_days(text: str, request: str, brief: Brief) -> bool:
    times = [one for one in read_times(text, brief.term) if one.kind not in (*_OF_DAY, "every")]
    days = {day for one in read_times(fold_text(request), brief.term) for day in one.weekdays}
    runs = days_in(request, brief.term) if times else []
    days |= {run.first.isoweekday() for run in runs}
    return any(one.kind != "weekday" or not {*one.weekdays} <= days for one in times)


class _Own:
    """The hours of a request (`bounds`), and where it tells them."""

    def __init__(self, base: str, term: SemesterDates) -> None:
        self._base, self._term = base, term
        self._hours = read_hours(base)
        self._part = None if self._hours.told else _part_of(base, term)
        self.bounds: Bounds = self._part or settle(self._hours)
        self._bound = not self._part and bool(self._hours.of("from", "before", "end")) and None in self.bounds

    def change(self, told: Hours, term: SemesterDates, *, opens: bool) -> Bounds:
        """The hours where words tell these of them."""
        begin, end = self.bounds
        first, last = told.of("from", "start", "at"), told.of("end", "before")
        if told.length and not told.told:
            return settle(Hours((), told.length), self.bounds) if self._part is None else (None, None)
        if first and last:
            return (None, None) if opens else settle(told, self.bounds)
        hour = first or last
        if hour is None:
            return self.bounds
        new = clock_of(hour, begin if begin is not None else end)
        if self._bound and (opens or hour.role == "at"):
            return _round(new, begin, end, term, opens=opens)
        if opens and hour.role != "at":
            return (begin, new) if hour.role == "from" else (new, end)
        if hour.role in ("end", "before"):
            return settle(told, self.bounds)
        if told.length:
            return settle(told, self.bounds)
        if hour.role == "at":
            long = end - begin if begin is not None and end is not None and self._part is None else None
            return new, new + long if long else None
        new = settle(told, self.bounds)[0] or new
        return new, end if end is not None and end > new else None

    def put_in(self, begin: int | None, end: int | None, brief: Brief, *, single: bool) -> str:
        """The request with these hours in the place of its own; `single`: whether an hour alone is no bound."""
        single = not self._bound and (single or self.bounds != (None, None))
        said = say_hours(begin, end, zh=brief.language == "zh", single=single)
        times = read_times(self._base, self._term)
        own = [one for one in times if one.kind in _OF_DAY]
        if not times:
            return ""
        first, *others = sorted(own, key=lambda one: one.start) or [times[-1]]
        text = self._base
        for one in reversed(others):
            text = _LEAD.sub("", text[: one.start]) + _TAIL.sub("", text[one.end :])
        head, rest = text[: first.start if own else first.end], text[first.end :]
        head, rest = (_LEAD.sub("", head), _TAIL.sub("", rest)) if own else (head, rest)
        whole = f"{head}{said}{rest}" if brief.language == "zh" else f"{head} {said} {rest}"
        return re.sub(r" {2,}", " ", whole).strip()


_LEAD = re.compile(
    r"(?:\b(?:ends?|from|at|until|till?|by|before|after|past|between|in|around|about|starting|the)\s+){1,4}$|[从到在]$"
)
_TAIL = re.compile(r"^\s*(?:之前|以前|之后|以后|开始|起|前|后(?!天)|左右|结束|onwards?\b)")


def _part_of(base: str, term: SemesterDates) -> Bounds | None:
    """The hours of the one part of the day that a request names."""
    parts = {one.part for one in read_times(base, term) if one.part is not None}
    if len(parts) != 1 or not term.starts:
        return None
    first, last = term.day_parts[parts.pop()]
    begin, end = (60 * int(term.starts[at - 1][:2]) + int(term.starts[at - 1][3:]) for at in (first, last))
    return begin, end + SECTION_MINUTES


def _round(new: int, begin: int | None, end: int | None, term: SemesterDates, *, opens: bool) -> Bounds:
    """The bound of a day moved to an hour; what is possible from an hour on is so from the section that begins near."""
    clock = f"{new // 60:02}:{new % 60:02}"
    near = section_at(clock, term)
    if begin is None and opens and near and near < (section_from(clock, term) or near):
        new = 60 * int(term.starts[near - 1][:2]) + int(term.starts[near - 1][3:])
    return (None, new) if begin is None else (new, None)


def _spell_weekly(request: str, begin: int | None, end: int | None, brief: Brief) -> str:
    """The request for times of every week that stay free, as those of a request for certain days."""
    days = {day for one in read_times(fold_text(request), brief.term) if not one.week for day in one.weekdays}
    days |= {run.first.isoweekday() for run in days_in(request, brief.term) if run.first == run.last}
    if not days or classes_in(request, brief.classes):
        return ""
    zh = brief.language == "zh"
    hours = "" if (begin, end) == (None, None) else say_hours(begin, end, zh=zh, single=True)
    names = brief.say("、", " and ").join(weekday_names(sorted(days), brief.language))
    told = ("以后每{names}{hours}都不要安排", "always nothing on {names} {hours}")
    return brief.say(*told, names=names, hours=hours).strip()


def limit_some_days(said: str, request: str, brief: Brief) -> str:
    """A wish for so many a day with fewer on some weekdays, to which the plan as it is keeps: but 1 on weekends."""
    text = fold_text(said)
    times = [one for one in read_times(text, brief.term) if one.kind != "sections" or not one.loose]  # so many of them
    bare = reduce(lambda left, one: f"{left[: one.start]} {left[one.end :]}", reversed(times), text)
    number, most = (COUNT.search(fold_numbers(one)) for one in (bare, request))
    days = times and all(one.kind in ("weekday", "days") and one.weekdays and not one.first for one in times)
    wished = intent_of(request, brief) == "wish"
    wished = wished and any(one["kind"] == "blocks_a_day" for one in wishes_in(request, brief))
    if not (days and wished and number and most) or says("asking", text) or says("more_of_it", text):
        return ""
    counts = [int(_DIGITS.get(one["number"], one["number"])) for one in (number, most)]
    unit = number["unit"] or most["unit"] or brief.say("项", "items")
    rest = pattern("pronoun").sub(" ", _OF_LIMIT.sub(" ", COUNT.sub(" ", fold_numbers(bare))))
    if counts[0] >= counts[1] or strip_fillers(rest):
        return ""
    weekdays = weekday_names(sorted({day for one in times for day in one.weekdays}), brief.language)
    told = ("{when}每天最多{n}{unit}", "at most {n} {unit} a day on {when}")
    unit = unit if counts[0] > 1 else unit.removesuffix("s")
    limit = brief.say(*told, when=brief.say("、", " and ").join(weekdays), n=counts[0], unit=unit)
    return APART.join((request, limit))


def keep_wished_days(said: str, request: str, brief: Brief) -> str:
    """A wish of one class with a rule for the weekdays that words tell beside it, which no wish takes: not on Fridays
    though; 周二周四就行."""
    wishes, text = (wishes_in(request, brief) if intent_of(request, brief) == "wish" else []), fold_text(said)
    owners = {one.get("task_class_id") for one in wishes if one["kind"] != "light_weekday"}
    times = read_times(text, brief.term)
    days = times and all(one.kind in ("weekday", "days") and one.weekdays and not one.first for one in times)
    bare = pattern("only").sub(" ", _OF_RULE.sub(" ", text))
    if not days or len(owners) != 1 or None in owners or says("asking", text) or says("correction", text):
        return ""
    if classes_in(said, brief.classes) or not only_tells_time(bare, brief):
        return ""
    refuses = excludes(text) or says("wish_nothing", text)
    told = ("以后{name}{days}不排", "always no {name} on {days}") if refuses else (
        "以后{name}只在{days}", "always {name} only on {days}")  # fmt: skip
    rule = brief.say(*told, name=brief.name_of(owners.pop()), days=text[times[0].start : times[-1].end])
    return APART.join((request, rule))


_OF_RULE = re.compile(r"排|学|就(?:行|好|可以)|\b(?:though|tho|ever|really|days?)\b")
"""What tells a rule for weekdays beside them."""
_DIGITS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "a": "1", "an": "1"}
_OF_LIMIT = re.compile(
    r"最多|只[要能排有]?|的话|改成?|[每一1]天|\b(?:only|just|max(?:imum)?|at most|make (?:it|that)|a day"
    r"|each|though|tho)\b"
)

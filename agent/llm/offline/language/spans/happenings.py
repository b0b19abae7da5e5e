"""What happened in the term, in a sentence: which days, which part of a day, which week, how many sections."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta

from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.dates import choose_sections, dates_in, join_parts, week_in
from agent.llm.offline.language.spans.times.bounds import BOUNDS, run_of, side_of
from agent.llm.offline.language.spans.times.hours import section_at, section_from, section_running
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.semester import SemesterDates

_COUNT = re.compile(
    r"(\d{1,2})\s*(?:个)?(?:节|课时)|\b(\d{1,2}|one|two|three|four)\s*(?:more\s+)?(?:sections?|periods?|classes)\b"
)
_SOME_DAYS = re.compile(r"(?<![第\d])(\d{1,2})\s*(?:天|days?\b)")
"""So many days, from today on."""
_ENGLISH = {"one": 1, "two": 2, "three": 3, "four": 4}
_AHEAD = re.compile(r"[下要会将]|明|后|\b(?:will|going to|next|tomorrow|am away|be)\b")


_BEHIND = re.compile(
    r"[了过]|没(?!空|时间|法|办法|课|事|什么事)"
    r"|\b(?:was|were|had|did|didn't|missed|fell|got (?:ill|sick|stuck|held|called|hit|hurt|nothing|no))\b"
)
_UNTIL_NOW = re.compile(r"到(?:现在|今天|目前)|至今|以来|\b(?:been|have|haven't|has|'ve)\b[^,.;]*\bsince\b")
"""Up to today, behind when it began."""
_POINTED_TO = re.compile(r"[这那](?:几|些|两|三)天|[这那]段(?:时间|日子)|\b(?:these|those) days\b")
"""The days that are named beside it."""
END_OF_DAYS = re.compile(r"(?:the )?(?P<en>(?:first|last) \w+ days)\W*|(?P<zh>最?[前后头末]面?\w天)[吧。]*")
"""The first days of a week that was told, or its last ones."""
_STILL_FREE = re.compile(
    r"[,，;；]?\s*(?:但是?|不过|只有)[^,，。;；]*(?:可以|能|有空|行)[^,，。;；]*"
    r"|[,;]?\s*\b(?:but|though)\b[^.;]*\b(?:fine|ok|okay|free|works?|can|possible|available)\b[^.;]*"
    r"|除[了非]?[^,，。;；]{1,12}?(?:以外|之外|外)|除[了非][^,，。;；]+|[^,，。;；]*(?:除外|例外|不算)"
    r"|[,，;；](?![^,，。;；]*[空别不])[^,，。;；]*"
    r"(?:没事|没问题|有空|在(?:家|学校)?的?|(?:可以|能)(?:的|学习?|做|看|背|用|复习|干活|排|安排)*)(?=了?(?:[,，。;；!！]|$))了?"
    r"|[,;]?\s*\b(?:unless|except|apart from|other than)\b[^,.;]*"
    r"|(?:^|[,;])(?:(?!\b(?:but|though)\b)[^,.;])*"
    r"(?:\b(?:is|are|its)|'s)\s+(?:still |totally |all |now )*(?:fine|ok|okay|alright|usable|possible|available"
    r"|free (?:again|now|after all))\b[^,.;]*"
)
"""What is possible although one is away, and what is left out of it."""
SPARED = re.compile(
    r"\b(?:without|don't (?:touch|use|wreck|ruin|mess))\b[^,.;]*|(?:不|别)要?再?(?:占|动|毁|影响|牺牲|破坏)[^,，。;；]*"
)
"""What is not to be touched by what is asked for."""
_ALL_WEEK = re.compile(
    r"(?<![上下这那本第\d])(?:一?整|1整)个?周"
    r"|\b(?:all|the whole|the entire) week\b(?! (?:of|after|before|next|from|starting|beginning|commencing))"
)
"""The week that runs, where no other one is said."""
ROUND_TRIP = re.compile(r"走|出发|回来|\b(?:leave|leaving|back|return)\b")
"""From the first day that is named to the last."""


@dataclass(frozen=True)
class Days:
    """A run of dates, and the sections of each that are meant; None for the whole day."""

    first: date
    last: date
    sections: tuple[int, int] | None = None


def name_this_week(text: str) -> str:
    """A folded text with the week that runs where all of it is said: busy all week."""
    return _ALL_WEEK.sub(lambda whole: "这周" if "周" in whole.group() else "this week", text)


def days_in(message: str, term: SemesterDates) -> list[Days]:
    """The runs of dates that a sentence is about, without what it says is possible all the same: 但18号晚上可以."""
    message = name_this_week(fold_text(message))
    text = fold_text(message)
    if (rest := _POINTED_TO.sub(" ", text)) != text and (days := days_in(rest, term)):
        return days
    still = _STILL_FREE.search(text)
    if still is None:
        return _days_said(message, term)
    runs = _days_said(_STILL_FREE.sub(" ", text), term)
    times = read_times(still.group(), term)
    numbers = {one.number for one in times if one.number} | {one.first.day for one in times if one.first}
    weekdays = {day for one in times if one.kind == "weekday" for day in one.weekdays}
    sections = next((found for one in times if (found := _sections([one], "", term))), None)
    days = [Days(day, day, run.sections) for run in runs for day in _each(run)]
    every = sections is not None and not numbers and not weekdays
    named = [day for day in days if every or day.first.day in numbers or day.first.isoweekday() in weekdays]
    left = [one for day in named for one in _without(day, sections, term)]
    return _merge(sorted([*(day for day in days if day not in named), *left], key=lambda day: day.first))


def find_exception(text: str) -> tuple[int, int] | None:
    """Where a folded text says what is possible although one is away, or what is left out of it."""
    found = _STILL_FREE.search(text)
    return found and found.span()


def leaves_days_out(clause: str, message: str, term: SemesterDates) -> bool:
    """Whether a clause of a message only says which of its days are not meant: 除了周三以外."""
    told = progress_in(message) == "missed" or says("lighter", fold_text(message))
    excepts = _STILL_FREE.search(fold_text(clause)) is not None and bool(read_times(clause, term))
    return excepts and not told and bool(days_in(message, term))


def _each(run: Days) -> list[date]:
    return [run.first + timedelta(days=ahead) for ahead in range((run.last - run.first).days + 1)]


def _without(day: Days, sections: tuple[int, int] | None, term: SemesterDates) -> list[Days]:
    """A day without some of its sections; nothing of it where no sections are said."""
    first, last = day.sections or (1, term.sections)
    begin, end = sections or (1, term.sections)
    parts = ((first, min(last, begin - 1)), (max(first, end + 1), last))
    return [replace(day, sections=part) for part in parts if part[0] <= part[1]]


def _days_said(message: str, term: SemesterDates) -> list[Days]:
    """The runs of dates that a sentence is about; a weekday alone is the nearest one, behind when it tells of the past.

    Where some times are told not to be had, these are meant.
    """
    times = [one for one in read_times(message, term) if one.role != "origin" and not one.impossible]
    text = fold_text(message)
    groups = [(one, run) for one in times for run in _runs(one, text, term)]
    refused = [(one, run) for one, run in groups if one.role == "avoided"]
    groups = _without_wider_weeks(refused or groups, text)
    if not groups:
        count = _SOME_DAYS.search(fold_numbers(message))
        return [Days(term.today, term.today + timedelta(days=max(1, int(count[1])) - 1))] if count else []
    runs = [run for _, run in groups]
    if ROUND_TRIP.search(text) and runs[0].first != runs[-1].last:
        return [Days(min(run.first for run in runs), max(run.last for run in runs))]
    starts = [one.start for one, _ in groups]
    within = [[one for one in times if _owner(one, starts) == at] for at in range(len(groups))]
    said = [_sections(group, text, term) for group in within]
    shared = said[-1] if not any(said[:-1]) else None
    return _merge([replace(run, sections=own or shared) for run, own in zip(runs, said, strict=True)])


def _without_wider_weeks(groups: list[tuple[Time, Days]], text: str) -> list[tuple[Time, Days]]:
    """The runs but for a week of which days are named beside it, and of which nothing is told."""
    days = [run for one, run in groups if one.kind != "week"]

    def is_wider(one: Time, run: Days) -> bool:
        holds = one.kind == "week" and any(run.first <= day.first and day.last <= run.last for day in days)
        clause = re.split(r"[,，。;；和]", text[one.end :])[0]
        return holds and not any(says(concept, clause) for concept in ("away", "keep_free", "busy_then"))

    return [(one, run) for one, run in groups if not is_wider(one, run)]


def _runs(one: Time, text: str, term: SemesterDates) -> list[Days]:
    """The days of one time; an open bound begins today or is that day."""
    since = one.side in ("from", "after") and _UNTIL_NOW.search(text) is not None
    if since and len(one.weekdays) == 1 and not one.first:
        back = (term.today.isoweekday() - one.weekdays[0]) % 7
        return [Days(term.today - timedelta(days=back), term.today)]
    if since and one.first and not one.last and one.first <= term.today:
        return [Days(one.first, term.today)]
    if one.first or one.last:
        first = one.first or min(term.today, one.last or term.today)
        strict = one.strict and one.first is None and one.last is not None and one.last > first
        return [Days(first, (one.last or first) - timedelta(days=1 if strict else 0))]
    if one.kind != "weekday" or not one.weekdays:
        return []
    near = [term.day(term.week, day) for day in one.weekdays]
    if one.side == "until":
        last = near[-1] - timedelta(days=one.strict)  # the day before which something is to be is not meant
        return [Days(term.today, last + timedelta(days=7 * (last < term.today)))]
    past = _BEHIND.search(text) is not None
    behind = near[0] > term.today and past and _AHEAD.search(text) is None
    shift = timedelta(days=7 * (near[-1] < term.today and not past) - 7 * behind)
    return _merge([Days(day + shift, day + shift) for day in near])


def _owner(one: Time, starts: list[int]) -> int:
    """To which of the days that start there a time of the day belongs: the last before it."""
    return max((at for at, start in enumerate(starts) if start <= one.start), default=0)


def _sections(times: list[Time], text: str, term: SemesterDates) -> tuple[int, int] | None:
    """The sections that are meant by times of a text; of a bound that is kept to those beyond it: tomorrow not before
    10, on 20 March I have to stop by 4pm."""
    for one in times:
        if text and side_of(one, text) and (run := run_of(one, text, term)):
            first, last = run
            beyond = (last + 1, term.sections) if first == 1 else (1, first - 1)
            return beyond if BOUNDS.search(text) and not _BEHIND.search(text) and beyond[0] <= beyond[1] else run
    times = [one.taken for one in times]
    hours = (_section_of(one, times, term) for one in times if one.kind == "clock")
    said = choose_sections(times) or next(filter(None, hours), None)
    if said is not None:
        return said[0], said[1] or said[0]
    return join_parts([term.day_parts[part] for part in sorted({one.part for one in times if one.part is not None})])


def _section_of(one: Time, times: list[Time], term: SemesterDates) -> tuple[int, int | None] | None:
    """The sections of an hour, or the one after it where none begins then; of an hour whose half of the day is not told
    nothing beside a part of it."""
    if one.loose and not one.side and any(other.part for other in times):
        return None
    if one.sections or one.side or one.until:
        return one.sections
    later = f"{int(one.clock[:2]) + _HALF_DAY:02}{one.clock[2:]}"
    clock = later if one.loose and term.starts and one.clock < term.starts[0] else one.clock
    at = section_at(clock, term) or section_from(clock, term) or section_running(clock, term)
    return (at, None) if at else None


_HALF_DAY = 12


def _merge(runs: list[Days]) -> list[Days]:
    """Runs in the order of time, those that meet in one."""
    merged: list[Days] = []
    for run in sorted(runs, key=lambda run: run.first):
        before = merged[-1] if merged else None
        if before and before.sections == run.sections and run.first <= before.last + timedelta(days=1):
            merged[-1] = replace(before, last=max(before.last, run.last))
        else:
            merged.append(run)
    return merged


def is_dated(message: str, term: SemesterDates) -> bool:
    """Whether single dates are meant, not a weekday of every week."""
    return bool(dates_in(message, term)) or week_in(message, term) is not None


def count_in(message: str) -> int | None:
    """A number of sections."""
    match = _COUNT.search(fold_numbers(message))
    if match is None:
        return None
    return int(match[1]) if match[1] else _ENGLISH.get(match[2]) or int(match[2])


_COUNTS_AS_MISSED = re.compile(
    r"(?:算|当|记|标)(?:作|成|为)?(?:没做|没完成|错过|缺)"
    r"|\b(?:(?:treat|count|mark|log|record)(?: (?:it|that|this))?(?: as)?|counts as) (?:missed|not done|undone)\b"
)
"""What a half is to be taken for."""


_CAUGHT_UP_AFTER = re.compile(
    r"回[来去][^,，。;；]{0,6}[补学做赶]|[补赶学][^,，。;；]{0,4}(?:等|到)?回来|(?:之后|以后|完了?)再[补学做赶]|(?:之后|以后|过后|回头)补|落下的[^,，。;；]{0,4}回来"
    r"|\b(?:catch(?:ing)? (?:it |that )?up|mak(?:e|ing) (?:it|that|up)(?: up)?(?: for it)?|do (?:it|that))\b[^.;]*"
    r"\b(?:back|return|after(?:wards?)?|later)\b"
)
"""That what an absence costs is made up behind it."""


_ANYWHERE = re.compile(
    r"[,，。;；]\s*(?:就|把|请)?(?:那[天段]|当天)的?[^,，。;；]{0,8}?(?:随便|任意|找个|哪)[^,，。;；]*$"
    r"|[,;.]\s*(?:just |so |please |and )*(?:stick|put|shove|move|throw|chuck|place)\b[^,.;]*"
    r"\b(?:that day'?s|(?:on|for) it|then|that day)\b[^,.;]*"
    r"\b(?:anywhere|wherever|somewhere(?: else)?|any other time)\b[^,.;]*$",
    re.IGNORECASE,
)
"""Behind a day one has no time on: that its items may go anywhere, as they do."""


_NAMED_DAYS = re.compile(
    r"(?:[一-鿿]{1,6}?(?:那(?:[1一]?周|[1一]?天|几天)|(?<![1一每上下这那本几两整])周)|考)(?:前[1一几两](?:周|天))?(?=[^,，]*[别不空留])"
    r"|\b(?:the )?(?:(?:week|days?) before (?:the |my )?(?:[a-z]+ (?:week|day)|exams?|finals?|midterms?)"
    r"|(?!(?:every|each|any|an?|one|next|this|that|same|whole|all|per|last|first|the|of|in|on|study|work|my)\b)"
    r"[a-z]+ (?:week|day))\b"
)
_LEAVES_FREE = re.compile(
    r"[空留]|[别不](?!错|知)|\b(?:keep|leave|free|nothing|off|(?:don't|do not) (?:plan|put|schedule|want|study|give))\b"
)


def find_named_days(message: str, term: SemesterDates) -> str:
    """The words for days of no date that are to stay free: 考试那周别排, nothing on sports day; empty for none."""
    text = fold_text(message)
    found = None if read_times(text, term) or not _LEAVES_FREE.search(text) else _NAMED_DAYS.search(text)
    return found.group() if found and len(found.group()) > 1 else ""


def drop_open_end(message: str) -> str:
    """A message without what it says of the items of its day where these may go anywhere."""
    return _ANYWHERE.sub("", message)


def is_absence_ahead(message: str, term: SemesterDates) -> bool:
    """Whether days ahead are told after which one catches up: what is on then was not missed, it has to move."""
    after = _CAUGHT_UP_AFTER.search(fold_text(message))
    days = days_in(message, term) if after else []
    return bool(days) and all(run.first > term.today for run in days)


_ANOTHER_TIME = re.compile(
    r"补|[找换][^,，]{0,4}(?:时间|时候|时段|位置)|重新[排安找]|另[找排安]"
    r"|\b(?:catch up|make up|reschedul\w*|(?:new|another|other) (?:time|slot|day|place)s?|somewhere else)\b"
)


def wants_another_time(turn: str) -> bool:
    """Whether what was not done is to get another time."""
    return _ANOTHER_TIME.search(fold_text(turn)) is not None


def counts_as_missed(message: str) -> bool:
    return _COUNTS_AS_MISSED.search(fold_text(message)) is not None


def progress_in(message: str) -> str:
    """What a sentence says of an item: open, done, partial or missed; empty for nothing."""
    text = fold_text(message)
    if counts_as_missed(message):
        return "missed"
    for progress, concept in (
        ("open", "unmark"),
        ("partial", "partly"),
        ("done", "finished"),
        ("missed", "missed"),
        ("missed", "not_done"),
        ("missed", "did_nothing"),
    ):
        if says(concept, text):
            return progress
    return ""

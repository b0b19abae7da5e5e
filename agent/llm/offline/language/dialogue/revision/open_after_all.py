"""Times that stay open after all: an exception to what a request leaves free, or what is possible beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import groupby
from typing import NamedTuple

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.pointing.pointed_times import spell_in_week
from agent.llm.offline.language.dialogue.revision.hours_anew import EACH_WEEK, tell_hours_anew
from agent.llm.offline.language.dialogue.slots import OF_DAY
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import strip_fillers, strip_known
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.requests import APART
from agent.llm.offline.language.meaning.standing_rules import (
    cells_of_row,
    excluded_of,
    read_closed,
    read_weekly,
    stands_in,
)
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.classes.class_times import ONLY_TIMES, Cells
from agent.llm.offline.language.spans.conditions.limit_forms import LASTING
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.dates import TIMES, weekdays_in
from agent.llm.offline.language.spans.happenings import Days, days_in
from agent.llm.offline.language.spans.items.arrangements import read_spared
from agent.llm.offline.language.spans.mentions import all_items, blank_names, classes_in, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.semester import WEEKDAYS, weekday_names
from agent.llm.offline.language.texts import date_text, say_sections
from agent.loop.view_document import ClassView

EXCEPTS = re.compile(
    r"除外|例外|除[了非]|不算|不包括"
    r"|\b(?:except(?:ion)?|excluding|apart from|other than|bar|unless)\b|(?:n't|not) count\b"
)
_OPENS = re.compile(
    r"照[常旧样]|没(?:关系|事|问题)|无所谓|可以|(?<!可)能|算了(?!，?还是)|取消|去掉|不用了"
    r"|\b(?:works?|can|possible|allowed|all ?right|still)\b"
    r"|^(?:(?:wait|no|oh|ok|actually|sorry)[,\s]+)*(?:scratch|forget|drop|cancel|take back)\b"
)
_PRESENT = re.compile(r"(?<![不没])在(?:学?校|家|的|[呢了吧]?\W*$)|有空|没事|\b(?:here|around|free|available)\b")
"""What tells of a day that one is not away on it."""
_DENIES = re.compile(r"不(?!错|用了|过)|没(?!关系|事|问题)|别|\b(?:not|no)\b|n't\b")
_ONSET = re.compile(
    r"^(?:(?:hm+|oh|no|wait|sorry|actually)[,\s]+)+(?=i\b|the\b|it|that|\d)|^(?:哦|不对|不是?的?|[,，])+(?=\d|周|星期)"
)
"""What only says that something else was wrong."""
_CLAUSE = re.compile(
    r"[,，。;；!！]\s*|\.(?:\s+|$)|(?=\b(?:except|apart from|other than) (?:for |on |at )?)|(?=\bbut\b)"
)
_IS_OFF = re.compile(r"不[^,，]{0,4}了$|取消了?$|没有?了$|\b(?:off|cancell?ed|over|not on|no longer|moved)\b")
"""Why a time is open after all: what was on then is not."""
_NOT_THEN = re.compile(
    r"^(?:(?:but|just|well|oh|wait|no|actually|ok)[, ]+)*not (?:on |in |at )?"
    r"(?=(?:the |that )?(?:\d{1,2}(?:st|nd|rd|th)|week \d{1,2}|(?:this |next )?week"
    r"|(?:\w+ )?(?:morning|afternoon|evening|night|\w+day|weekend)s?(?: (?:morning|afternoon|evening)s?)?)"
    r"(?: (?:though|tho|please|itself))*\W*$)"
)
_NOT_KEPT_ZH = re.compile(r"^(?:但是?)?(.{1,8}?)(?:就|可以)?不用(?:空|留|避)(?:出来|着|开)?[了吧]?$")
"""What is not kept free after all, where nothing but a time is told: not the afternoon though."""
NOT_THAT = re.compile(r"^(?:but |just |well )*not (?:for )?(?:\w+ ?){1,4}\W*$|^[^,，。;；]{2,10}不要[了吧]?$")
"""That what is named is not meant: not vocab."""
_IS_FREE = re.compile(r"\bi(?:'m| am|'ll be)? (?:\w+ )?(?:free|available)\b|我[^,，]{0,8}有空")
_ONLY = re.compile(
    r"^\s*(?:就?只[有是]?|就)(?=[^,，]*(?:不|没|别|空))|^\s*(?:(?:actually|hm+|well|no|oh|wait|it'?s|but|and)\b[,\s]*)*(?:only|just)\b"
)
_NO_MORE = re.compile(
    r"算了|不用了?$|^(?:不对?|不是|等等|其实|还是|哦|噢|啊|嗯|哎|等下|说错了|记错了)+$"
    r"|^(?:(?:never ?mind|actually|wait|sorry|no|hm+|well|oh|ok|(?:on )?second thoughts?)\b\W*)+$"
)
"""What says nothing of its own beside what is opened."""


class OpenAfterAll(NamedTuple):
    """What is left of a request whose times are opened in part: empty where nothing is; `touched`: whether it leaves
    any of them free at all; `dated`: whether that is a matter of dates, which no rule of every week holds."""

    whole: str
    touched: bool
    dated: bool = False


def open_after_all(said: str, request: str, brief: Brief) -> OpenAfterAll | None:
    """Answers what words that open times make of a request that leaves times free; None where they do not, or where
    other times are meant in the place of those."""
    if told := retime(said, request, brief):
        return OpenAfterAll(told, touched=True)
    text = fold_text(said)
    if ONLY_TIMES.search(fold_text(request)) and ONLY_TIMES.search(text) and not opens_days(text):
        return None  # weekends only, behind Tuesdays only
    if tells_once_more(said, request, brief):
        return None
    found = _narrow(said, request, brief) or _open(said, request, brief)
    return None if found and not found.touched and _INSTEAD.search(text) else found


def tells_once_more(said: str, request: str, brief: Brief) -> bool:
    """Whether words only say again that one is away on the very days on which the request says so."""
    if {intent_of(one, brief) for one in (said, request)} != {"replan"} or _opens(fold_text(said)):
        return False
    days = [[(run.first, run.last) for run in days_in(one, brief.term)] for one in (said, request)]
    return days[0] == days[1] != [] and not _PRESENT.search(fold_text(said))


def retime(said: str, request: str, brief: Brief) -> str:
    """The whole request for a time that is to stay free with the hours that words give it; empty for other words."""
    return tell_hours_anew(said, request, brief, opens=_opens(fold_text(said)))


_INSTEAD = re.compile(r"改|换|更|\b(?:better|instead|rather|prefer\w*|actually|mean|meant)\b")


def _open(said: str, request: str, brief: Brief) -> OpenAfterAll | None:
    clauses = [
        _NOT_KEPT_ZH.sub(r"除了\1", _NOT_THEN.sub("except ", one))
        for one in _CLAUSE.split(fold_text(said))
        if one and one.strip()
    ]
    named, owners = items_in(said, brief, among=all_items(brief)), classes_in(said, brief.classes)
    if says("asking", fold_text(said)) or named:
        return None
    if not any(_opens(one) or opens_days(one) or _ONLY.search(one) for one in clauses):
        return None
    away = intent_of(request, brief) == "replan"
    opening = [one for one in clauses if _opens(one) or (away and opens_days(one))]
    rest = [one for one in clauses if one not in opening and not _NO_MORE.search(one)]
    rest = [one for one in rest if read_times(one, brief.term) or says("wants_change", one) or not _IS_OFF.search(one)]
    stays = [one for one in rest if _ONLY.search(one)]  # only sunday is off: what is left, told again
    rest = [one for one in rest if one not in stays]
    if stays and not (opening or rest or owners) and (closed := read_closed(request, brief)):
        left = {cell for one in stays for cell in read_weekly(one, brief.term)}  # only that of it
        of = classes_in(request, brief.classes)
        return OpenAfterAll(_close_still(left, of, brief), True) if left < closed else None
    if not opening or rest or owners:
        return None
    if closed := read_closed(request, brief):
        opening = [one for one in opening if not any(time.first for time in read_times(one, brief.term))]
        opened, spared = (
            {
                cell
                for one in opening
                for cell in _read_within(one, closed, brief)
                if bool(EXCEPTS.search(one)) is excepts
            }
            for excepts in (False, True)
        )
        if spared & opened and EXCEPTS.search(opening[0]):  # except wednesdays, evenings are fine then
            opened &= spared
        else:  # weekends are fine, except sundays
            opened = opened - spared if spared < opened else opened | spared
        left = closed - opened
        if not opened or not all({*read_weekly(one, brief.term)} <= left for one in stays):
            return None
        of = classes_in(request, brief.classes)
        whole = _close_still(left, of, brief) if left != closed else ""
        return OpenAfterAll(_join(_open_written(opened & closed, of, brief), whole), left != closed)
    runs, times = days_in(request, brief.term) if away else [], [(one, read_times(one, brief.term)) for one in opening]
    when = brief.say("和", " and ").join(one[found[0].start : found[-1].end] for one, found in times if found)
    joined = f"{request}{brief.say(f'，{when}除外', f', except {when}')}"
    if not (runs and when):
        return None
    left_runs = days_in(joined, brief.term)
    told = [run for one in stays for run in days_in(one, brief.term)]
    if not all(any(run.first <= one.first and one.last <= run.last for run in left_runs) for one in told):
        return None
    return OpenAfterAll(joined if len(left_runs) == 1 else _spell_dates(left_runs, brief), left_runs != runs)


def _read_within(clause: str, closed: Cells, brief: Brief) -> Cells:
    """The times of every week in a clause; hours without a half of the day are those that are kept free, after noon."""
    cells = read_weekly(clause, brief.term)
    if cells & closed or not any(one.loose for one in read_times(clause, brief.term) if one.kind == "clock"):
        return cells
    return read_weekly(f"晚上{clause}" if "点" in clause else _HOUR.sub(r"\1pm", clause), brief.term)


_HOUR = re.compile(r"(?<![\d:])(\d{1,2}(?::\d\d)?)(?![\d:])")


def is_written(request: str, brief: Brief) -> bool:
    """Whether some class keeps to a request that leaves times of every week free already."""
    closed = read_closed(request, brief)
    return bool(closed) and any(closed <= excluded_of(row, brief.term) for row in brief.classes)


def _open_written(cells: Cells, owners: Sequence[int], brief: Brief) -> str:
    """The words that open the times again which classes keep free already, by a card before; of all where none are
    named."""
    rows = [row for row in brief.classes if row["id"] in owners or not owners]
    held = {row["id"]: excluded_of(row, brief.term) & cells for row in rows}
    of = [row for row in rows if owners and held[row["id"]]]
    when = _tell_times({cell for one in held.values() for cell in one}, brief)
    names = brief.say("和", " and ").join(row["name"] for row in of)
    whose = f" for {names}" if of else ""
    told = [brief.say(f"{one}又可以排", f"{one.removeprefix('on ')} are fine again{whose}") for one in when]
    return brief.say(names, "") + brief.say("，", ", ").join(told) if told else ""


def _join(*requests: str) -> str:
    return APART.join(filter(None, requests))


def _narrow(said: str, request: str, brief: Brief) -> OpenAfterAll | None:
    """What a request that leaves times free is where words tell that it is for some classes alone, in some weeks, on
    fewer of its days, or for each week."""
    text = _NOT_ONLY.sub(" ", fold_text(brief.read_words(said)))
    if len(said) > _LONGEST or says("asking", text):
        return None
    if items_in(said, brief, among=all_items(brief)):
        return _spare(text, request, brief)
    times, owners = read_times(text, brief.term), classes_in(said, brief.classes)
    if owners and not times and not EACH_WEEK.search(text):
        return _leave_out_classes(said, owners, request, brief)
    if not (times or EACH_WEEK.search(text)) or _says_more(text, brief):
        return None
    if told := _repeat(text, request, brief) or _come_back(text, request, brief):
        return told
    if owners:
        return _open_for(text, owners, request, brief)
    if (once := spell_once(said, request, brief)) and not (_lasts(request, brief) or is_written(request, brief)):
        return OpenAfterAll(once, touched=True, dated=True)
    times = tuple(one for one in times if one.kind != "every")
    bounds = [one for one in times if one.side in ("from", "until") and one.kind in ("day", "days", "week")]
    of = classes_in(request, brief.classes)
    if holds_every_week(text, request, brief):
        return None
    if len(bounds) == len(times) == 1 and not of and (cells := _find_weekly(request, brief)):
        first, last = bounds[0].first, bounds[0].last
        whole = _spell_between(cells, first, last, brief)
        return OpenAfterAll(_join(_open_written(cells, [], brief), whole), touched=True, dated=True)
    closed, dated = read_closed(request, brief), [one for one in times if one.first and one.last]
    if not closed or not _ALONE.search(text):
        return None
    if dated and intent_of(request, brief) in ("move", "remove"):
        return None  # the items of that day alone are to go
    if dated and not of and read_weekly(text, brief.term) <= closed:
        runs = [run for one in dated for run in _dates_of(closed, one, brief)]
        kept = [_spell_between(closed, *ends, brief) for ends in _join_stretches(dated)]
        whole = _spell_dates(runs, brief) or brief.say("，", ", ").join(kept)
        return OpenAfterAll(_join(_open_written(closed, [], brief), whole), touched=True, dated=not runs)
    if not (fewer := read_weekly(text, brief.term)) or not fewer < closed:
        return None
    opened = _open_written(closed - fewer, of, brief)
    return OpenAfterAll(_join(opened, _close_still(fewer, of, brief)), touched=True)


def _join_stretches(times: Sequence[Time]) -> list[tuple[date, date]]:
    """The first and last days of stretches of dates, of those that follow each other at once as of one."""
    joined = list[tuple[date, date]]()
    for first, last in sorted((one.first, one.last) for one in times if one.first and one.last):
        touches = joined and joined[-1][1] + timedelta(days=1) >= first
        joined = [*joined[:-1], (joined[-1][0], last)] if touches else [*joined, (first, last)]
    return joined


def _close_still(cells: Cells, owners: Sequence[int], brief: Brief) -> str:
    """The request that leaves times of every week free; empty where all classes that it is for keep to it already."""
    rows = [row for row in brief.classes if row["id"] in owners or not owners]
    kept = rows and all(cells <= excluded_of(row, brief.term) for row in rows)
    return "" if kept else spell_cells(cells, owners, brief)


def holds_every_week(text: str, request: str, brief: Brief) -> bool:
    """Whether words only tell that what a request leaves free is so every week, or up to the end of the term."""
    days = {day for one in read_times(text, brief.term) for day in one.weekdays}
    if days and not days <= {day for day, _ in read_closed(request, brief)}:
        return False
    times = [one for one in read_times(text, brief.term) if one.kind not in ("every", "weekday") or one.week]
    ends = all(one.side == "until" and one.last and one.last >= brief.term.day(brief.term.weeks, 1) for one in times)
    told = EACH_WEEK.search(text) or (times and ends)
    other = says("asking", text) or says("correction", text)
    return bool(told) and ends and not other and not _says_more(text, brief)


def _spare(text: str, request: str, brief: Brief) -> OpenAfterAll | None:
    """A request that leaves times free without the items that words name as an exception of it."""
    spared = read_spared(text, brief)
    named = items_in(text, brief, among=all_items(brief))
    alone = spared and all(row["item_id"] in {one["item_id"] for one in spared} for row in named)
    if not alone or read_times(text, brief.term) or not read_closed(request, brief) or is_written(request, brief):
        return None
    names = brief.say("、", ", ").join(row["name"] for row in spared)
    whole = brief.say(f"{request}，{names}不动", f"{request}, don't touch {names}")
    return OpenAfterAll(whole, touched=True, dated=True)


def _open_for(text: str, owners: Sequence[int], request: str, brief: Brief) -> OpenAfterAll | None:
    """What a request that leaves times free of all classes is where words open some of them for these."""
    closed, opened = read_closed(request, brief), read_weekly(text, brief.term)
    if not (closed & opened) or classes_in(request, brief.classes) or not _opens(text) or EXCEPTS.search(text):
        return None
    others = [row["id"] for row in brief.classes if row["id"] not in owners]
    left = [
        _close_still(cells, of, brief) for cells, of in ((closed, others), (closed - opened, owners)) if cells and of
    ]
    return OpenAfterAll(_join(_open_written(closed & opened, owners, brief), *left), touched=True)


def _says_more(text: str, brief: Brief) -> bool:
    """Whether words hold more than times and classes, and whom and when a request is for."""
    bare = blank_names(text, [row["name"] for row in brief.classes])
    return bool(strip_fillers(strip_known(_NARROWS.sub(" ", bare), brief)))


def _find_weekly(request: str, brief: Brief) -> Cells:
    """The times of every week that a request leaves free, from some day on or up to one as well."""
    rows = [row for one in read_conditions(request, brief).said for row in one.values.get("without", ())]
    bare = [{key: value for key, value in row.items() if key not in ("from_date", "to_date")} for row in rows]
    return read_closed(request, brief) or {cell for row in bare if row for cell in cells_of_row(row, brief.term)}


def _come_back(text: str, request: str, brief: Brief) -> OpenAfterAll | None:
    """The days on which one is away up to the last one that is told, or to the one on which one is back, be it later
    than was told: only until wednesday; 其实23号就回来了; back on friday."""
    runs = days_in(request, brief.term) if intent_of(request, brief) == "replan" else []
    told = spell_in_week(text, brief.term.week_day(runs[0].first)[0], brief) if len(runs) == 1 else ""
    back = BACK.search(text) is not None
    times = read_times(told, brief.term) if back or _ALONE.search(text) else []
    day = (times[0].last or times[0].first) if len(times) == 1 else None
    if day and day <= runs[0].first and times[0].weekdays and back:
        day += timedelta(days=7)  # away on friday, back on monday
    last = day and day - timedelta(days=back)
    ends = last and (back or times[0].side == "until") and runs[0].first <= last
    if not last or not ends or not (back or last < runs[0].last):
        return None
    until = [replace(runs[0], last=min(last, runs[0].last))]
    more = [Days(runs[0].last + timedelta(days=1), last)] if last > runs[0].last else []
    return OpenAfterAll(
        _spell_dates([*until, *more] if runs[0].sections else [replace(runs[0], last=last)], brief), True
    )


BACK = re.compile(r"回来|回[学到]?校|到家|回(?=[了吧呀。!！]*$)|\b(?:back|home|return(?:s|ing)?)\b")
_LONGEST = 60
_ALONE = re.compile(r"只|仅|就(?!算)|够|\b(?:only|just|enough)\b")
_NOT_ONLY = re.compile(r"不(?:光|止|只|仅)是?[^,，。]{0,6}[,，]?|\bnot (?:just|only) [^,.;]{0,20}[,.;]?(?: but)?")
_NARROWS = re.compile(
    rf"{EXCEPTS.pattern}|{BACK.pattern}|可以|从|才|{_ALONE.pattern}|{EACH_WEEK.pattern}|我?只?是说|限[于制]?|针对|对于?|是给|这样|如此|[是要有]|[以之]?后[面来]?|今后|其[他它余]|[不别]?管|随便|无所谓|正常|固定|开始|起|为止|直到|其实|不过|但是?|而且?"
    r"|没(?:问题|关系|事)|照常|放假|排|学习?|去|空[着出]?来?|[那当这]一?天|[都全还]|别"
    r"|\b(?:but|though|unless|for|during|starting|start|beginning|onwards?|till?|through|from now|ever|not|that|one"
    r"|days?|week|study|off|free|keep|leave|possible|available|alone|those|this|these|good|all ?right|however|can"
    r"|stays?|used?|after(?:wards)?|then|rest|normal|usual|as|whatever|it'?s|fine)\b"
)
"""What words hold that only tell whom a request is for, and when."""


def _lasts(request: str, brief: Brief) -> bool:
    """Whether a request says that it is for each week, or nothing of the plan stands in the times that it leaves free:
    then only a rule keeps them so."""
    typed, closed = fold_text(brief.spoken.get(request, request)), read_closed(request, brief)
    return bool(LASTING.search(typed) or _EVERY_WEEK.search(typed)) or not stands_in(closed, brief)


_EVERY_WEEK = re.compile(r"以后|今后|每|\b(?:every|each)\b")


def spell_once(said: str, request: str, brief: Brief) -> str:
    """Words that open certain days of what a request leaves free every week, as that request up to them and from then
    on, for the plan as it is; empty where they do not, or it is of some classes."""
    clauses = _CLAUSE.split(_NOT_THEN.sub("except ", fold_text(said)))
    times = [one for clause in clauses if _opens(clause) for one in read_times(clause, brief.term)]
    dated = [(one.first, one.last) for one in times if one.first and one.last and not one.side]
    named = items_in(said, brief) or classes_in(request, brief.classes)
    closed = read_closed(request, brief) if intent_of(request, brief) in _LIMITING and not named else set()
    if len(dated) != 1 or says("asking", fold_text(said)) or not closed:
        return ""
    opened = {cell for clause in clauses for cell in read_weekly(clause, brief.term)}
    if any(one.kind in OF_DAY for one in times) and not closed <= opened:
        return ""  # only hours of that day
    return spell_around(closed, *dated[0], brief)


def spell_around(cells: Cells, first: date, last: date, brief: Brief) -> str:
    """Spells times of every week as the request that leaves them free but for these dates."""
    day = timedelta(days=1)
    parts = [_spell_between(cells, None, first - day, brief), _spell_between(cells, last + day, None, brief)]
    return brief.say("，", ", ").join(parts[first <= brief.term.today :])


def _spell_between(cells: Cells, first: date | None, last: date | None, brief: Brief) -> str:
    """Times of every week as the request that leaves them free between two dates."""
    begin, end = (date_text(brief, day) if day else "" for day in (first, last))
    zh = f"{begin}到{end}" if begin and end else f"从{begin}开始" if begin else f"{end}为止" if end else ""
    en = (f" from {begin}" if begin else "") + (f" until {end}" if end else "")
    told = [brief.say(f"{zh}每{one}别排", f"nothing {one}{en}") for one in _tell_times(cells, brief)]
    return brief.say("，", ", ").join(told)


def _dates_of(cells: Cells, time: Time, brief: Brief) -> list[Days]:
    """The dates within a stretch of them on which times of every week lie, with their sections."""
    first, last, runs = time.first or brief.term.today, time.last or brief.term.today, list[Days]()
    for at in range((last - first).days + 1 if last - first < _LONG else 0):
        day = first + timedelta(days=at)
        blocks = sorted(block for weekday, block in cells if weekday == day.isoweekday())
        if not blocks or day < brief.term.today or (time.weekdays and day.isoweekday() not in time.weekdays):
            continue
        hours = 2 * blocks[0] - 1, min(2 * blocks[-1], brief.term.sections)
        runs.append(Days(day, day, None if hours == (1, brief.term.sections) else hours))
    return runs if len(runs) <= _MOST_RUNS else []


_LONG, _MOST_RUNS = timedelta(days=14), 4


def _repeat(text: str, request: str, brief: Brief) -> OpenAfterAll | None:
    """The days of one week on which one is away as what is left free each week."""
    runs = days_in(request, brief.term) if intent_of(request, brief) == "replan" and EACH_WEEK.search(text) else []
    days = [run.first + timedelta(days=at) for run in runs for at in range((run.last - run.first).days + 1)]
    told = {day for one in read_times(text, brief.term) for day in one.weekdays}
    if len(runs) != 1 or len(days) > len(WEEKDAYS) or not told <= {day.isoweekday() for day in days}:
        return None
    first, last = runs[0].sections or (1, brief.term.sections)
    cells = {(day.isoweekday(), block) for day in days for block in range((first + 1) // 2, (last + 1) // 2 + 1)}
    return OpenAfterAll(spell_cells(cells, [], brief), touched=True)


def close_more(said: str, request: str, brief: Brief) -> str:
    """The request that leaves times free with those that words add to it and tell nothing else of, at its hours where
    they tell none: 周日也不行; neither do Thursday evenings; the same for friday week 4."""
    text = _AT_FIRST.sub("", fold_text(brief.spoken.get(said, said)))
    rest = _ADDED.sub(" ", WHOLE_DAY.sub(" ", TIMES.sub(" ", text)))
    wanted = opens_days(text) or _WANTED.search(text)
    if wanted or not _ALSO.search(text) or strip_fillers(rest) or not read_times(text, brief.term):
        return ""
    lasting = intent_of(request, brief) in ("class", "wish", "limit") and not Features(request, brief).plans_with_limits
    closed, more = read_closed(request, brief) if lasting else set(), read_weekly(text, brief.term)
    if closed and more:
        return spell_cells(closed | give_hours_of(closed, more, text, brief), classes_in(request, brief.classes), brief)
    if intent_of(request, brief) != "replan" or not (before := days_in(request, brief.term)):
        return ""
    week, _ = brief.term.week_day(before[-1].first)
    hours = {run.sections for run in before}
    bare = not any(one.kind in OF_DAY for one in read_times(text, brief.term)) and not WHOLE_DAY.search(text)
    told = _at_days_of(before, days_in(spell_in_week(text, week, brief), brief.term))
    told = [replace(run, sections=next(iter(hours))) if bare and len(hours) == 1 else run for run in told]
    return _spell_dates(sorted([*before, *told], key=lambda run: run.first), brief) if told else ""


def _at_days_of(before: Sequence[Days], told: Sequence[Days]) -> list[Days]:
    """Runs of days with the weekdays of those before for a week that is told as a whole."""
    monday = before[0].first - timedelta(days=before[0].first.isoweekday() - 1)
    alike = all(run.last - monday < _WEEK for run in before)
    found = list[Days]()
    for run in told:
        whole, ahead = alike and run.last - run.first == timedelta(days=6), run.first - monday
        same = [replace(one, first=one.first + ahead, last=one.last + ahead) for one in before]
        found += same if whole else [run]
    return found


_WEEK = timedelta(days=7)


WHOLE_DAY = re.compile(
    r"[一1]?[整全]天|[一1]天到晚|\b(?:the )?(?:all|whole|entire) day\b|\ball of\b|\ball(?= \w+days?\b)"
)


def give_hours_of(closed: Cells, more: Cells, text: str, brief: Brief) -> Cells:
    """More times of every week, told without hours or without weekdays, at those of others."""
    times = [one for one in read_times(text, brief.term) if one.kind in OF_DAY]
    days, blocks = {day for day, _ in closed}, {block for _, block in closed}
    alike = len(days) < 7 and closed == {(day, block) for day in days for block in blocks}
    if times and not weekdays_in(text):
        return {(day, block) for day, block in more if day in days}
    bare = not times and not WHOLE_DAY.search(text)
    return {(day, block) for day, _ in more for block in blocks} if alike and bare else more


_AT_FIRST = re.compile(r"^(?:(?:哦|噢|啊|嗯|对了|oh|ah|hm+|wait|btw|actually)[\s,，]*)+")
_ALSO = re.compile(r"也|同样|一样|^(?:还有|再加|加上)|^and\b|\b(?:neither|nor|either|also|too|as well|same|plus)\b")
_WANTED = re.compile(r"(?<!不)(?:想|要(?!\W*$))|\b(?:prefer|like|want|would|could)\b")
_ADDED = re.compile(
    r"[也别不没是]|同样|一样|还有|再?加上?|[都全]|排|学习?|有[空时]间?|空[着出]?来?|留|休息|能|算上?|[,，。.!]"
    r"|\b(?:neither|nor|either|also|too|as well|same|goes|for|don't|doesn't|do|does|work|plan"
    r"|study|no|not|out|are|is|off|free|and|plus|on|thing)\b"
)


def leave_out_exceptions(message: str, brief: Brief) -> str:
    """Answers a message without the times that one of its clauses opens of those which the others leave free; empty
    for one that opens none, and for single dates."""
    clauses = [one for one in _CLAUSE.split(fold_text(message)) if one and one.strip()]
    opening = [one for at, one in enumerate(clauses) if EXCEPTS.search(one) or (at and _opens(one))]
    alone = [one for one in clauses[1:] if one not in opening and _ALONE.search(one) and not _says_more(one, brief)]
    opening += [one for one in alone if any(time.first for time in read_times(one, brief.term))]
    rest = brief.say("，", ", ").join(one for one in clauses if one not in opening)
    if opening and _IS_FREE.search(rest):  # what one has time on is not to stay free, but what is left out of it
        not_free = {cell for one in opening for cell in read_weekly(one, brief.term)} & read_weekly(rest, brief.term)
        return spell_cells(not_free, [], brief) if not_free else ""
    if not opening or not rest or not read_closed(rest, brief):
        return ""
    bare: list[ClassView] = [
        {**row, "excluded_days": [], "excluded_blocks": [], "excluded_cells": []} for row in brief.classes
    ]  # the message says the same before and after it is carried out
    opened, left = (
        open_after_all(", ".join(opening), rest, one)
        for one in (brief, replace(brief, view={**brief.view, "classes": bare}))
    )
    told = opened.whole if opened and opened.touched else ""
    still = left.whole if left and left.touched else ""
    return told if still in told else _join(told, still)


def opens_days(text: str) -> bool:
    """Whether words tell that one is not away then, or free for study."""
    return _opens(text) or (_PRESENT.search(text) is not None and not _DENIES.search(_ONSET.sub("", text)))


def _opens(clause: str) -> bool:
    possible = _OPENS.search(clause) or says("open_up", clause) or says("opens_times", clause)
    denies = _DENIES.search(_ONSET.sub("", clause))
    return EXCEPTS.search(clause) is not None or (bool(possible) and not denies)


def _spell_dates(runs: list[Days], brief: Brief) -> str:
    """Runs of dates as those on which one is away; empty for none."""
    told = list[str]()
    for run in runs:
        ends = [date_text(brief, day) for day in dict.fromkeys((run.first, run.last))]
        first, last = run.sections or (0, 0)
        told.append(brief.say("到", " to ").join(ends) + (say_sections(brief, first, last) if run.sections else ""))
    told = told if any(run.sections for run in runs) else [*filter(None, [brief.say("和", " and ").join(told)])]
    return APART.join(brief.say(f"我{when}没空", f"I am away on {when}") for when in told)


def _leave_out_classes(said: str, owners: Sequence[int], request: str, brief: Brief) -> OpenAfterAll | None:
    """What is left of a request that limits everything where these classes are left out of it, or are all that it is
    for."""
    text, rest = fold_text(said), [one for one in _CLAUSE.split(fold_text(said)) if not classes_in(one, brief.classes)]
    told = " ".join(one for one in _CLAUSE.split(text) if classes_in(one, brief.classes))
    spares = EXCEPTS.search(text) or _opens(told) or says("left_alone", told) or NOT_THAT.search(told)
    alone = not spares and _ALONE.search(told) and not _says_more(_ELSE.sub(" ", " ".join([told, *rest])), brief)
    of = classes_in(request, brief.classes) or [row["id"] for row in brief.classes]
    kept = [one for one in of if (one in owners) is bool(alone)]
    if not (spares or alone) or kept == of or intent_of(request, brief) not in _LIMITING:
        return None
    if closed := read_closed(request, brief):
        opened = _open_written(closed, [one for one in of if one not in kept], brief)
        return OpenAfterAll(_join(opened, _close_still(closed, kept, brief) if kept else ""), touched=True)
    names = brief.say("和", " and ").join(row["name"] for row in brief.classes if row["id"] in kept)
    counted = alone and read_conditions(request, brief).counted and not classes_in(request, brief.classes)
    return OpenAfterAll(brief.say(f"{names}{request}", f"{names}: {request}"), touched=True) if counted else None


_LIMITING = ("class", "wish", "limit")
_ELSE = re.compile(
    r"其[他它余](?:的|任务类)?|别的|照[旧样]|不[变管动用要]|不需要|随便"
    r"|\b(?:others?|rest|stays?|as|they|are|whatever)\b"
)
"""What words tell of all the others."""


def spell_cells(cells: Cells, owners: Sequence[int], brief: Brief) -> str:
    """Times of every week as the request that leaves them free, of these classes; of all where there are none."""
    names = brief.say("和", " and ").join(row["name"] for row in brief.classes if row["id"] in owners)
    told = [brief.say(f"以后{one}都别排", f"from now on nothing {one}") for one in _tell_times(cells, brief)]
    return names + brief.say("", ": " if names else "") + brief.say("，", ", ").join(told)


def _tell_times(cells: Cells, brief: Brief) -> list[str]:
    """Times of every week as their weekdays and hours, those of alike days together: 周六、周日晚上."""
    blocks: dict[int, tuple[int, ...]] = {}
    for day, block in sorted(cells):
        blocks[day] = (*blocks.get(day, ()), block)
    told = list[str]()
    for held in dict.fromkeys(blocks.values()):
        days = [day for day in blocks if blocks[day] == held]
        runs = [[one for _, one in run] for _, run in groupby(enumerate(held), lambda pair: pair[1] - pair[0])]
        told += [_tell_run(days, 2 * run[0] - 1, min(2 * run[-1], brief.term.sections), brief) for run in runs]
    return told


def _tell_run(days: list[int], first: int, last: int, brief: Brief) -> str:
    """One stretch of sections on these weekdays."""
    parts = dict(zip(brief.term.day_parts, _PARTS, strict=False))
    zh, en = (
        ("", "") if (first, last) == (1, brief.term.sections) else (f"{first}-{last}节", f"sections {first}-{last}")
    )
    zh, en = parts.get((first, last), (zh, en))
    if brief.language == "zh":
        named = "工作日" if days == _WORKING else "、".join(weekday_names(days, "zh"))
        return f"{named if len(days) < len(WEEKDAYS) else ''}{zh}"
    names = ["weekdays"] if days == _WORKING else weekday_names(days, "en")
    when = f"on {' and '.join([name[:-1] for name in names] if en else names)}" if len(days) < len(WEEKDAYS) else "in"
    return f"{when} {en}".rstrip()


_PARTS = (("上午", "mornings"), ("下午", "afternoons"), ("晚上", "evenings"))
_WORKING = [1, 2, 3, 4, 5]

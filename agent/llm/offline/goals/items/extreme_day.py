"""An item that is to go to the emptiest or fullest day: it is looked up, then the request is read with its date."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from agent.llm.offline.goals.decisions import Decision, call
from agent.llm.offline.goals.questions.timetable import BESIDE_ITEMS
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.spans.targets import may_be_on
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import date_text, dated_text
from agent.loop.view_document import TaskView

TIMETABLE = "query_timetable"
_LEAST_EN = r"(?:emptiest|freest|lightest|quietest|easiest|least (?:busy|full|crowded|loaded))"
_MOST_EN = r"(?:busiest|fullest|heaviest|most (?:busy|full|crowded|loaded))"
_ITS_WEEK_ZH = r"(?:它?(?:那一?|所在的?|本)个?(?:周|星期|礼拜)(?:里|内|中)?的?)"
_ITS_WEEK_EN = r"(?: (?:of|in) (?:its|that|the same) week)"
_THINGS_EN = r"(?:tasks?|items?|lessons?|sections?|work|load|stuff|to do|things?)"
_WITH_EN = (
    rf"(?:with|that has|has|having) (?:the )?(?P<en2>least|fewest|most)(?: {_THINGS_EN})?(?: (?:on|to do))*(?: it)?"
)
_SAID = re.compile(
    rf"{_ITS_WEEK_ZH}?(?:里|内|中)?的?(?:任务|内容|安排|课|课程|事情?|负担)?最(?P<zh>空闲?|闲|轻松|少|松|忙|满|多|重)的?(?:那|[一1])?(?:[一1])?[天日]"
    rf"|\b(?:the |whichever day is (?:the )?)(?P<en>{_LEAST_EN}|{_MOST_EN})(?: (?:week)?day)?(?: (?:then"
    rf"|there))?{_ITS_WEEK_EN}?"
    rf"|\b(?:the|whichever|whatever|any) (?:week)?day(?: (?:of|in) (?:its|that"
    rf"|the) week)?(?P<mid>(?: (?:next week|this week|in week \d+|of week \d+))?)"
    rf" {_WITH_EN}{_ITS_WEEK_EN}?"
)
_ASKED = re.compile(
    r"哪一?天(?:的?(?:任务|内容|安排|课|事))?(?:比较|最)(?P<zh>空闲?|闲|轻松|少|松|忙|满|多|重)"
    rf"|\b(?:which|what) (?:week)?day\b[^?.;]*?\b(?:(?P<en>{_LEAST_EN}|{_MOST_EN})|{_WITH_EN})"
)
_THAT_DAY = re.compile(
    r"(?:到|在|去|至)?那一?[天日](?:去)?|\b(?:to |on |for )?(?:that|this|the) (?:very )?(?:day|one)\b|\bthere\b"
)
_ONCE_MORE = re.compile(r"那一?[天日]|\bthat day\b")
_SENTENCE = re.compile(r"[。;；?？!！]\s*|\. ")
_THAT_DAY_ALONE = re.compile(r"那一?天|(?:\bon |\bto )?\bthat day\b")
_WHICH_DAYS = re.compile(r"哪[些几]天|\bwhich days\b")
_ACTS = re.compile(
    r"[移挪放换调改推排塞安](?:到|去|成|在|至|进|排)|把|\b(?:move|put|place|shift|schedule|push|reschedule|plan|fit)\b"
)
_BUSY = re.compile(r"忙|满|多|重|bus(?:y|iest)|full|heav|most|crowded|loaded")
_LEAST = re.compile(r"least|fewest")


@dataclass(frozen=True)
class ExtremeDay:
    """The words for the day at `start` to `end`, whether the fullest is meant, and the words of an earlier question."""

    start: int
    end: int
    fullest: bool
    question: str = ""
    by_items: bool = False


def read_extreme_day(text: str) -> ExtremeDay | None:
    """The emptiest or fullest day to which something is to go; None where none is said."""
    asked = _ASKED.search(text)
    if asked and (pointed := next((one for one in _THAT_DAY.finditer(text, asked.end())), None)):
        begin = max((one.end() for one in re.finditer(r"[,，。;；?？]", text[: asked.start()])), default=0)
        found, place, question = asked, pointed, text[begin : asked.end()]
    else:
        match = _SAID.search(text)
        if match is None or (asked and asked.start() <= match.start() < asked.end()):
            return None
        found, place, question = match, match, ""
    if not _ACTS.search(text[: found.start()] + " " + text[found.end() :]):
        return None
    word = next(value for key, value in found.groupdict().items() if value and key != "mid")
    fullest = _BUSY.search(word) is not None and not _LEAST.search(word)
    return ExtremeDay(
        place.start(),
        place.end(),
        fullest,
        question,
        re.search(
            r"任务|内容|tasks?"
            r"|items?",
            found.group(),
        )
        is not None,
    )


def find_extreme_day(brief: Brief) -> tuple[ExtremeDay, list[date]] | None:
    """The day that is meant, and the days in question for the first item that is to go there."""
    text = fold_text(brief.request)
    wanted = read_extreme_day(text)
    meant = {row["state_id"] for row in items_in(brief.request, brief)} if wanted else ()
    rows = [row for row in brief.tasks_before if row["state_id"] in meant]
    if wanted is None or not rows:
        return None
    days = _days_in_question(text, wanted, rows, brief)
    return (wanted, days) if days else None


def _days_in_question(text: str, wanted: ExtremeDay, rows: Sequence[TaskView], brief: Brief) -> list[date]:
    """The days of the stretch that is said, of the item's own week where none is, that its order leaves it."""
    term, slot = brief.term, rows[0]["slot"]
    times = [one for one in read_times(wanted.question or text, term) if (one.first and one.last) or one.week]
    if times:
        one = times[0]
        first, last = one.first or term.day(one.week or 1, 1), one.last or term.day(one.week or 1, 7)
    elif slot:
        first, last = term.day(slot["week"], 1), term.day(slot["week"], 7)
    else:
        first, last = term.day(term.week, 1), term.day(term.week, 7)
    days = [date.fromordinal(n) for n in range(max(first, term.today).toordinal(), last.toordinal() + 1)]
    return [day for day in days if all(may_be_on(row, day, brief) for row in rows[:1])] or days


def _weeks(days: Sequence[date], brief: Brief) -> dict[str, int]:
    return {"week_from": brief.term.week_day(days[0])[0], "week_to": brief.term.week_day(days[-1])[0]}


def look_up_extreme_day(brief: Brief) -> Decision | None:
    """The look-up of how full the days are; None where no such day is meant, or it was looked up."""
    found = find_extreme_day(brief)
    return call(brief, TIMETABLE, _weeks(found[1], brief)) if found else None


def with_said_day(brief: Brief) -> Brief:
    """The brief with the date in the place of "that day", where an earlier sentence of the request names one day."""
    text = fold_text(brief.request)
    days = [one for one in read_times(text, brief.term) if one.first and one.first == one.last]
    if len({one.first for one in days}) != 1 or not days[0].first:
        return brief
    begin = next((one.end() for one in _SENTENCE.finditer(text) if one.start() >= days[0].end), len(text))
    said = date_text(brief, days[0].first)
    rest = _THAT_DAY_ALONE.sub(brief.say(said, f"on {said}"), text[begin:])
    return brief if rest == text[begin:] else replace(brief, completed=text[:begin] + rest)


def with_extreme_day(brief: Brief) -> Brief:
    """The brief with the date in the place of the emptiest day, once the timetable was looked up."""
    looked_up = bool(brief.done(TIMETABLE))
    found = find_extreme_day(brief) if looked_up else None
    if found is None:
        return brief
    wanted, days = found
    weeks = _weeks(days, brief)
    looked = (one for one in brief.results if one["tool"] == TIMETABLE and weeks.items() <= one["arguments"].items())
    data = next((one["data"] for one in looked), None)
    if data is None:
        return brief
    day, told = _choose(brief, wanted, days, data)
    text, said = fold_text(brief.request), date_text(brief, day)
    at = brief.say(f"到{said}", f"to {said}") if wanted.question else said
    request = text[: wanted.start] + at + _ONCE_MORE.sub(said, text[wanted.end :])
    if wanted.question:
        request = request.replace(wanted.question, "").lstrip(" ,，。;；?？")
    return replace(brief, completed=request, found_day=told)


def _choose(brief: Brief, wanted: ExtremeDay, days: Sequence[date], data: Json) -> tuple[date, str]:
    """The day, as it was when the days were looked up, and how full it is."""
    loads: dict[date, tuple[int, int, int]] = {}
    for row in data["days"]:
        items = sum(one["status"] not in BESIDE_ITEMS for one in row["entries"])
        loads[brief.day_of(row)] = (row["courses"] + row["tasks"], items, row["courses"])

    def measure(day: date) -> tuple[int, int, int]:
        total, items, _ = loads[day]
        full = (items, total) if wanted.by_items else (total, items)
        return (-full[0], -full[1], day.toordinal()) if wanted.fullest else (*full, day.toordinal())

    asked = [day for day in days if day in loads]
    best = min(asked, key=measure)
    most = brief.say("最满" if wanted.fullest else "最空", "fullest" if wanted.fullest else "emptiest")
    told = brief.say(
        "可以放的日子里{most}的是{line}", "Of the days in question the {most} is {line}", most=most,
        line=_load_line(brief, best, loads[best]),
    )  # fmt: skip
    if not _WHICH_DAYS.search(fold_text(brief.request)):
        return best, told
    others = [_load_line(brief, day, loads[day]) for day in asked if day != best]
    return best, "\n".join([told, brief.say("其余：", "The others:"), *others])


def _load_line(brief: Brief, day: date, load: tuple[int, int, int]) -> str:
    told = ("{day}：课 {lessons} 节，任务 {items} 项。", "{day}: {lessons} sections of lessons, items: {items}.")
    return brief.say(*told, day=dated_text(brief, *brief.term.week_day(day)), lessons=load[2], items=load[1])

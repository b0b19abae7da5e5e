"""What a question is about: its days, the hours of a day, the classes and the items."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import says_it
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.items.groups import EXCEPTION
from agent.llm.offline.language.spans.items.spoken import named_items, spoken_of
from agent.llm.offline.language.spans.mentions import KINDS, classes_in, items_in
from agent.llm.offline.language.spans.targets import blank_calendar_names
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.loop.view_document import SlotView, TaskView

Run = tuple[date, date]
WEEK_DAYS = 7
_WHICH = re.compile(
    r"哪[一几些]?个?(?:周末|周|星期|礼拜|天|日)|周几|星期几|礼拜几"
    r"|\b(?:which|what|any) (?:week|day|weekday|weekend)s?\b|\b(?:are|is|all|only) (?:on )?weekdays\b"
)
"""Days that are asked for, not said."""
_EVERY = re.compile(
    r"每|平时|(?<![这下上本个])周末(?=加起来|一?共|总共|都|里|有几|有多少)|\b(?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)(?:days|day (?:morning|afternoon|evening|night)s)\b|\bweekends\b|\b(?:every|each)\b"
    r"|在(?:周|星期|礼拜)[一二三四五六日天末](?:[上下]午|晚上|早上)?的"
    r"|\ban? (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend)\b"
    r"|(?<![这下上本个])(?:周|星期|礼拜)[一二三四五六日天]总?一?共(?!几节课)"
)
"""Any such day of the plan: a Sunday, 还有在周末的吗."""
_WHICH_ONES = re.compile(
    r"哪[些几]门|哪[些几](?!天|课)|哪[一1]?[个项章](?!星期|礼拜|周|月)"
    r"|\bwhich (?:of|classes|subjects|courses|items?|ones?|chapters?|labs?|units?|tasks?|topics?)\b"
)
_WHETHER = re.compile(r"是不是|会不会|有没有|能不能|不是|\b(?:is|was|are|were|do|does|did|have|has)n't\b")
"""A question, not a refusal."""
_SO_FAR = re.compile(r"到(?:今天|现在|目前)为止|截至(?:今天|现在|目前)|\bas of (?:today|now)\b|\buntil now\b")
"""Up to now: no days of their own."""
_COMPARES = re.compile(r"比|\b(?:compared?|than|versus|vs)\b")
_NEXT_TO_IT = re.compile(r"前后|附近|左右|旁边|那一?天|当天|\b(?:around|near|that day|same day|next to|on the day)\b")
_KIND = re.compile(
    r"(?:[几哪多所些]\S{0,2}|都|剩\S{0,2}|的)(?P<zh>章|单元|实验|讲)|\b(?P<en>chapter|unit|lab|lecture"
    r"|lesson)s\b(?!\s*\d)"
)
_NOT_OF_KIND = re.compile(
    r"(?:不是|除了)(?P<zh>章|单元|实验|讲)(?![一二三四五六七八九十\d])|\b(?:isn't|aren't|not|except|other than) (?:an? "
    r"|the )?(?P<en>chapter|unit|lab|lecture|lesson)s?\b"
)
"""The items but those of a kind."""


@dataclass(frozen=True)
class Inquiry:
    """Days and hours without which nothing was said of them; `items` are named, `classes` too or by a kind of item."""

    runs: tuple[Run, ...] = ()
    hours: tuple[tuple[int, int], ...] = ()
    classes: tuple[int, ...] = ()
    items: tuple[TaskView, ...] = ()
    kind: tuple[str, ...] = ()

    @property
    def first(self) -> date | None:
        return min((run[0] for run in self.runs), default=None)

    @property
    def last(self) -> date | None:
        return max((run[1] for run in self.runs), default=None)

    @property
    def timed(self) -> bool:
        return bool(self.runs or self.hours)

    def has_day(self, day: date) -> bool:
        return not self.runs or any(first <= day <= last for first, last in self.runs)

    def meets(self, first: int, last: int) -> bool:
        """Whether sections lie in the hours, in part at least."""
        return not self.hours or any(first <= end and begin <= last for begin, end in self.hours)

    def covers(self, slot: SlotView, brief: Brief) -> bool:
        day = brief.day_of(slot)
        return self.has_day(day) and self.meets(slot["slot_start"], slot["slot_end"])


def asked_in(message: str, brief: Brief, *, whole: str = "") -> Inquiry:
    """What a question says; `whole`: its words, where those that tell what is asked for are taken out of them."""
    text = _SO_FAR.sub(" ", _WHETHER.sub(" ", fold_text(message)))
    text = _WHICH.sub(" ", blank_calendar_names(EXCEPTION.sub(" ", text), brief))
    classes, kind = _classes(message, brief)
    said = [turn["text"] for turn in brief.earlier if turn["role"] == "user"]
    compared = brief.completed == message and said and _COMPARES.search(fold_text(brief.view["request"]))
    text = f"{said[-1]}；{text}" if compared else text
    times = [one for one in read_times(text, brief.term) if not one.impossible]
    times = [one for one in times if one.role != "avoided"] or times
    every = _WHICH_ONES.search(whole or text) is not None or _EVERY.search(text) is not None
    runs = _weekdays_within(times, brief) or _narrowest(
        tuple(run for one in times for run in _runs_of(one, text, brief, every=every))
    )
    hours = _closest(
        tuple(
            dict.fromkeys(stretch for one in _without_halves(times, text) if (stretch := _hours_of(one, text, brief)))
        )
    )
    items = tuple(named_items(message, brief) or items_in(message, brief))
    items = tuple(row for row in items if row not in _left_out(message, brief))
    if not items and says_it(message) and not runs:
        items = tuple(spoken_of(brief))
    if len(items) == 1 and (slot := items[0]["slot"]) and _NEXT_TO_IT.search(fold_text(message)) and not runs:
        day = brief.day_of(slot)
        return Inquiry(((day, day),), hours, items=items)
    return Inquiry(runs, hours, classes, items if len(items) < len(brief.tasks) else (), kind)


def _weekdays_within(times: list[Time], brief: Brief) -> tuple[Run, ...]:
    """The weekdays from or until a day or a week: my Sundays after week 4; none where one of these is not said."""
    term = brief.term
    bounds = [one for one in times if one.kind in ("day", "days", "week") and (one.first is None) != (one.last is None)]
    days = {day for one in times if one.kind == "weekday" and not (one.side or one.first) for day in one.weekdays}
    if len(bounds) != 1 or not days:
        return ()
    first = max(term.today, bounds[0].first or term.today)
    last = bounds[0].last or term.day(last_week(brief), WEEK_DAYS)
    within = (first + timedelta(days=ahead) for ahead in range((last - first).days + 1))
    return tuple((day, day) for day in within if day.isoweekday() in days)


def _narrowest(runs: tuple[Run, ...]) -> tuple[Run, ...]:
    """The days of stretches of which one lies in another: this week, from today until Sunday."""
    return tuple(
        run for run in runs
        if not any(other != run and run[0] <= other[0] and other[1] <= run[1] for other in runs)
    )  # fmt: skip


def _closest(hours: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """The hours without a part of the day in which another of them lies: 早上8点."""
    return tuple(
        one for one in hours if not any(other != one and one[0] <= other[0] and other[1] <= one[1] for other in hours)
    )


def _left_out(message: str, brief: Brief) -> list[TaskView]:
    return [row for match in EXCEPTION.finditer(fold_text(message)) for row in items_in(match.group(), brief)]


def _classes(message: str, brief: Brief) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The classes that are named, or those that have items of the kind that is named: 还剩几章, are all labs done."""
    if (left_out := _NOT_OF_KIND.search(fold_text(message))) is not None:
        kinds = next((kinds for kinds in KINDS if left_out["zh"] in kinds or left_out["en"] in kinds), ())
        owners = {row["class_id"] for row in brief.tasks if not (kinds and is_of_kind(row, kinds, brief))}
        return tuple(sorted(owners)), ()
    named = classes_in(message, brief.classes)
    if named and (len(named) < len(brief.classes) or len(brief.classes) == 1):
        return tuple(named), ()
    match = _KIND.search(fold_numbers(message))
    if match is None:
        return (), ()
    word = match["zh"] or match["en"]
    kind = next(kinds for kinds in KINDS if word in kinds)
    owners = {row["class_id"] for row in brief.tasks if is_of_kind(row, kind, brief)}
    return (tuple(sorted(owners)), kind) if owners else ((), ())


def is_of_kind(row: TaskView, kind: tuple[str, ...], brief: Brief) -> bool:
    """Whether an item is of a kind: by its name, by that of its class, or by the one that it had until lately."""
    owner, name = brief.class_of(row["class_id"]), fold_text(row["name"])
    typed = (turn["text"] for turn in brief.earlier if turn["role"] == "user")
    said = (fold_text(brief.spoken.get(text, text)) for text in typed)
    renamed = (text for text in said if name in text and says("rename", text))
    form = "|".join(rf"(?<![a-z]){one}s?(?![a-z])" if one.isascii() else one for one in kind)
    return any(re.search(form, text) for text in (name, fold_text(owner["name"]) if owner else "", *renamed))


ONWARDS = re.compile(
    r"\d\s*节\s*(?:课)?(?:开始|起|以后|之后|往后)"
    r"|\b(?:from|after) (?:section|period)|\d (?:onwards?|and (?:after|later"
    r"|up)|or later)\b"
)


_OF_HALF = re.compile(r"\s*(?:的|in the|on|at|,)?\s*")


def _without_halves(times: list[Time], text: str) -> list[Time]:
    """The times of a text without a half of the day that only tells which hour is meant: 早上8点, 8 in the morning."""
    clocks = [one for one in times if one.kind == "clock" and one.sections]
    told = (
        one for one in times if one.kind == "part"
        and any(_OF_HALF.fullmatch(text[min(one.end, at.end) : max(one.start, at.start)]) for at in clocks)
    )  # fmt: skip
    halves = {one.start for one in told}
    return [one for one in times if one.kind != "part" or one.start not in halves]


def _hours_of(one: Time, text: str, brief: Brief) -> tuple[int, int] | None:
    if one.part is not None:
        return brief.term.day_parts[one.part]
    if one.kind == "clock" and one.sections and one.sections[1] is None:
        first = one.sections[0]  # an hour at which a block begins is asked of all of it
        return first, min(first + first % 2, brief.term.sections)
    if one.kind in ("sections", "clock") and one.sections:
        open_ = one.kind == "sections" and one.sections[1] is None and ONWARDS.search(fold_numbers(text))
        return one.sections[0], brief.term.sections if open_ else one.sections[1] or one.sections[0]
    return None


def _runs_of(one: Time, text: str, brief: Brief, *, every: bool) -> Iterator[Run]:
    """The days of a time: what is open begins today or ends with the term; a weekday is the nearest one."""
    term = brief.term
    if one.kind in ("part", "sections", "clock", "every"):
        return
    dated = one.last and (one.first or one.side == "until")
    if one.kind == "weekday" and not dated and one.week is None:
        yield from _weekdays(one, text, brief, every=every)
        return
    week = (term.day(one.week, 1), term.day(one.week, WEEK_DAYS)) if one.week is not None and not one.first else None
    if week:
        yield week
    elif one.first and one.last:
        yield one.first, one.last
    elif one.last:
        strict = one.kind in ("day", "weekday") and re.search(r"\bbefore (?:the )?$", text[: one.start]) is not None
        strict = strict and not _END_OF.search(text[one.start : one.end])
        last = one.last - timedelta(days=strict)
        yield min(term.today, last), last
    elif one.first:
        yield one.first, max(one.first, term.last_day)


_END_OF = re.compile(r"\bend of\b|\bis ove?")
"""The last days of a month, which lie before its end."""


def _weekdays(one: Time, text: str, brief: Brief, *, every: bool) -> Iterator[Run]:
    term = brief.term
    days = tuple(sorted(one.weekdays))
    if one.side:
        days = tuple(range(1, days[-1] + 1)) if one.side == "until" else tuple(range(days[0], WEEK_DAYS + 1))
    if one.every or (every and not one.side and not looks_back(text)):
        weeks = range(max(1, term.week), last_week(brief) + 1)
        found = [term.day(week, day) for week in weeks for day in days]
        yield from ((day, day) for day in found if day >= term.today)
        return
    begin = one.weekdays[0]
    run = list(one.weekdays)
    week = term.week
    if looks_back(text):
        week -= begin > term.today.isoweekday()
    elif max(days) < term.today.isoweekday():
        week += 1
    previous = 0
    for day in run if not one.side else days:
        week += day < previous
        previous = day
        if one.side != "until" or term.day(week, day) >= term.today or looks_back(text):
            yield term.day(week, day), term.day(week, day)


def looks_back(text: str) -> bool:
    """Whether a question is told of the past."""
    return says("past", text) or re.search(r"\b(?:did i|had|was|were)\b", text) is not None


def last_week(brief: Brief) -> int:
    """The week in which the plan or the last class ends."""
    weeks = [row["slot"]["week"] for row in brief.tasks if row["slot"]]
    ends = [brief.term.week_day(date.fromisoformat(row["end_date"]))[0] for row in brief.classes if row["end_date"]]
    return min(max([*weeks, *ends, brief.term.week]), brief.term.weeks)

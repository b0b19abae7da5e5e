"""Where and when something is to be: a target in the calendar, a shift from where it is, a day of the window."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_numbers, fold_text, words
from agent.llm.offline.language.remember import remember_of_plan
from agent.llm.offline.language.spans.dates import choose_hours, choose_sections, join_parts, weeks_in
from agent.llm.offline.language.spans.mentions import blank_names, said_names, without_mistakes
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.semester import SemesterDates
from agent.loop.view_document import SlotView, TaskView

_SHIFTED = "挪|移|推|调|放|动|排|延|改|赶|拉|提|拖"
SHIFT = re.compile(
    rf"(?P<zh_way>[往向][后前]|[推延拖顺]+[长期后迟延]?|提[前早]|[后前][移推延]|晚|早)\s*(?:{_SHIFTED}|拖|移|到"
    rf"|了|考|个|上)*\s*"
    r"(?P<zh_n>\d{1,2})\s*个?(?P<zh_unit>天|日(?!期)|周|星期|礼拜|大?节|小时|钟头)"
    rf"|(?:{_SHIFTED})\s*(?:到)?\s*(?P<zh_n2>\d{{1,2}})\s*个?(?P<zh_unit2>天|周|星期|礼拜"
    rf"|大?节|小时|钟头)\s*(?P<zh_way2>之?后|之?前)"
    r"|(?P<next>(?:第二|第2|(?<!最)后面?[一1]|下一|下1|次)[天日]|next day|following day"
    r"|\bday after\b(?! (?:tomorrow|(?:the )?\d|[a-z]{3,9} \d))|\bday after(?= chapter| unit| lab))"
    r"|(?P<previous>(?:前面?[一1]|上一|上1)[天日]|previous day|\bday before\b(?! (?:yesterday|(?:the )?\d"
    r"|[a-z]{3,9} \d)))"
    r"|\b(?P<en_n>\d{1,2})\s+(?:more\s+)?(?P<en_unit>day|week|section|period|block|hour)s?\s+"
    r"(?P<en_way>later|earlier|forward|back|after|before|sooner)(?! (?:the|my|an?|it|that)\b)"
    r"|\b(?:back|forward|by|up)\s+(?:by\s+)?(?P<en_n2>\d{1,2})\s+(?P<en_unit2>day|week|section|period|block|hour)s?"
    r"|\b(?:delay|postpone|defer|push|extend|shift|move|bump|drag|slide|slip|slid)(?:e?d|e?s"
    r"|ing)?\b[^,.;]{1,60}?\b(?P<en_n3>\d{1,2})\s+(?P<en_unit3>day|week|section|period)s?\b"
    r"(?:\s+(?P<en_way3>later|earlier|forward|back|after|before|sooner)\b)?"
    r"|\b(?:for (?P<en_n4>\d{1,2}) more|another (?P<en_n5>\d{1,2})) (?P<en_unit4>day|week)s?\b"
)
_EARLIER = ("早", "提早", "earlier", "before", "sooner", "up")
_VAGUE = re.compile(r"\b(?:a )?couple (?:of )?(?:more )?|\ba few (?=day)|(?<!最早)(?<!最晚)(?<=[后前推迟早晚])几(?=天)")
"""Two, where no number is said."""
_DAY = timedelta(days=1)
_WEEK = 7
"""Days that are a week as a whole, so that a weekday beside them is one of it."""
_COUNTS = {"a": "1", "an": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5"}
THAT_WEEK = re.compile(
    r"(?:那|(?<![和跟与])同)[一1]?个?(?:周|星期|礼拜)(?![一二三四五六日天末\d])"
    r"|\b(?:that|(?:the )?same) week\b(?! (?:as|with)\b)"
)
"""The week that was spoken of, of the item where none was: 那周周五, friday that week."""
_SUNDAY = 7
_LATER_IN_IT = re.compile(
    rf"(?:{THAT_WEEK.pattern}|第\d+周)[里内的]*(?:晚(?:[些点]|\W*$)|靠后|往后|后[面半])"
    rf"|\blater (?:on )?(?:in )*(?:{THAT_WEEK.pattern}|(?:the )?week\b)"
)
_CALENDAR = re.compile(r"[0-9一二三四五六日天周月末节]|day|week|may|sat|sun|mon", re.IGNORECASE)
"""What may be taken for a date inside a name."""


@dataclass(frozen=True)
class PlaceTarget:
    """Where something should go; whatever was not said is None or empty."""

    week: int | None = None
    days: tuple[int, ...] = ()
    sections: tuple[int, int | None] | None = None
    part: tuple[int, int] | None = None
    run: tuple[tuple[int, int], tuple[int, int]] | None = None
    """Week and weekday of the first and the last of days that no one week holds."""

    @property
    def said(self) -> bool:
        return bool(self.dated or self.sections or self.part)

    @property
    def dated(self) -> bool:
        """Whether days are said, not only a time of the day."""
        return bool(self.week or self.days or self.run)

    def covers(self, slot: SlotView) -> bool:
        """Whether a place lies inside what is said: on the days, in the part of the day."""
        first, last = self.part or (1, 99)
        if self.run and not self.run[0] <= (slot["week"], slot["day_of_week"]) <= self.run[1]:
            return False
        in_week = self.week in (None, slot["week"])
        return in_week and (not self.days or slot["day_of_week"] in self.days) and first <= slot["slot_start"] <= last

    def meets(self, slot: SlotView) -> bool:
        """Whether a place lies in what is said, and shares a section with it where sections are said."""
        first, last = self.sections or (1, 99)
        return self.covers(slot) and first <= slot["slot_end"] and slot["slot_start"] <= (last or first)

    def then(self, later: PlaceTarget) -> PlaceTarget:
        """This target changed by what was said later: a new day keeps the time, a new time keeps the day."""
        merged = self
        if later.dated:
            merged = replace(
                merged, week=later.week, days=later.days or (() if later.run else self.days), run=later.run
            )
        if later.sections or later.part:
            merged = replace(merged, sections=later.sections, part=later.part)
        return merged


def blank_calendar_names(message: str, brief: Brief) -> str:
    """A message without the names in which a date could be read."""
    names = [row["name"] for row in brief.classes] + [row["name"] for row in brief.tasks]
    names += said_names(fold_text(message), brief)
    held = [name for name in names if _CALENDAR.search(name)]
    return blank_names(fold_text(message), held, least=1) if held else message


@remember_of_plan
def target_in(message: str, brief: Brief) -> PlaceTarget:
    """The target that a message names; known names are taken out first, so that 下周六级词汇 is next week."""
    target = read_target(blank_calendar_names(message, brief), brief.term)
    if target.week is None and THAT_WEEK.search(fold_text(message)):
        told = (weeks_in(turn["text"], brief.term) for turn in reversed(brief.earlier))
        return replace(target, week=next((weeks.pop() for weeks in told if len(weeks) == 1), None))
    return target


def tells_time(message: str, brief: Brief) -> bool:
    """Whether a message tells a time, by itself or by what was spoken of: later that week, a week later."""
    text = fold_text(message)
    return target_in(message, brief).said or THAT_WEEK.search(text) is not None or shift_in(message) is not None


def target_from(message: str, slot: SlotView, brief: Brief) -> PlaceTarget:
    """The target that a message names for what stands at a place; that week is its week: later that week."""
    said, text = target_in(message, brief), fold_text(message)
    week, day = slot["week"], slot["day_of_week"]
    if said.run or said.week not in (None, week):
        return said
    if _LATER_IN_IT.search(fold_numbers(message)) and not said.days and day < _SUNDAY:
        return replace(said, week=None, run=((week, day + 1), (week, _SUNDAY)))
    return replace(said, week=week) if THAT_WEEK.search(text) else said


def avoided_in(message: str, term: SemesterDates) -> PlaceTarget:
    """The times that are named because they are not wanted: 我周二有社团, not in the evening."""
    return place_of([one for one in read_times(message, term) if one.role == "avoided"], term)


def read_target(message: str, term: SemesterDates) -> PlaceTarget:
    """The target in a text without names."""
    return place_of([one for one in read_times(without_mistakes(message), term) if not one.role], term)


_BESIDE = re.compile(r"\s*(?:的|on|in|at|the|,|\s)*\s*")


_LISTED = re.compile(r"\s*(?:的|和|与|及|、|on|in|at|the|and|,|\s)*\s*")


def join_times(text: str, brief: Brief, *, listed: bool = False) -> list[tuple[int, int, list[Time]]]:
    """Where the times of a text begin and end, those side by side as one: 下周三的下午; `listed`: also 周二和周四."""
    found: list[tuple[int, int, list[Time]]] = []
    for one in read_times(text, brief.term):
        first, last, times = found[-1] if found else (0, 0, [])
        between = (_LISTED if listed else _BESIDE).fullmatch(text[last : one.start])
        if times and (one.start == times[-1].start or (between and one.start >= last)):
            found[-1] = (first, max(last, one.end), [*times, one])
        else:
            found.append((one.start, one.end, [one]))
    return found


def place_of(times: list[Time], term: SemesterDates) -> PlaceTarget:
    """Where all these times are: the dates that are said, else weekdays and the week; then the time of the day."""
    times = [one for one in times if not one.impossible]
    at, hours = choose_hours(times)
    parts = sorted({one.part for one in times if one.part is not None})
    part = hours or join_parts([term.day_parts[part] for part in parts])
    return replace(_days(times, term), sections=choose_sections(times) or at, part=part)


def _days(times: list[Time], term: SemesterDates) -> PlaceTarget:
    dated = [_ends(one, term) for one in times if one.kind in ("day", "days")]
    named = {day for one in times if one.kind == "weekday" for day in one.weekdays}
    if dated:
        weeks = {week for ends in dated for week, _ in ends}
        if len(weeks) == 1:
            days = {day for (_, first), (_, last) in dated for day in range(first, last + 1)}
            named = named if len(days) == _WEEK else set()
            return PlaceTarget(week=weeks.pop(), days=tuple(sorted(named or days)))
        first, last = dated[-1]
        run = PlaceTarget(run=(first, last), days=tuple(sorted(named)))
        return PlaceTarget(week=last[0], days=(last[1],)) if first == last else run
    weeks_said = [one for one in times if one.kind == "week" or (one.kind == "weekday" and one.week)]
    days = {day for one in times if one.kind == "weekday" for day in _weekdays(one)}
    bound = next((one for one in times if one.kind == "weekday" and one.strict and not one.week), None)
    if bound is not None and not weeks_said:
        ahead = (bound.weekdays[-1] - term.today.isoweekday()) % 7 - bound.strict
        ends = term.today + timedelta(days=ahead if ahead >= 0 else 6)
        return PlaceTarget(run=(term.week_day(term.today), term.week_day(ends)))
    if weeks_said and not days and (weeks_said[0].side or weeks_said[0].week is None):
        return PlaceTarget(run=_ends(weeks_said[0], term))
    return PlaceTarget(week=weeks_said[0].week if weeks_said else None, days=tuple(sorted(days)))


def _weekdays(one: Time) -> Sequence[int]:
    """The weekdays that are meant; until or from one of them, those of its week."""
    if one.side == "until":
        return range(1, one.weekdays[-1] + (not one.strict))
    return range(one.weekdays[0], 8) if one.side == "from" else one.weekdays


def _ends(one: Time, term: SemesterDates) -> tuple[tuple[int, int], tuple[int, int]]:
    """Week and weekday of the first and the last day; what is open begins today and ends with the semester."""
    first = one.first or min(term.today, one.last or term.today)
    last = one.last - timedelta(days=one.strict and one.last > first) if one.last else max(first, term.last_day)
    return term.week_day(first), term.week_day(last)


@dataclass(frozen=True)
class Shift:
    """A place relative to the present one: days and sections, negative for earlier."""

    days: int = 0
    sections: int = 0
    minutes: int = 0


@lru_cache(maxsize=4096)
def _spell_counts(message: str) -> str:
    text = _VAGUE.sub("2 ", fold_numbers(message))
    return re.sub(r"\b(?:an?|one|two|three|four|five)\b", lambda match: _COUNTS[match.group()], text)


def leave_out_shift(message: str) -> str:
    """A folded message without by how much something is to be moved."""
    return SHIFT.sub(" ", _spell_counts(message))


def shift_in(message: str) -> Shift | None:
    """By how much something is to be moved from where it is; None when nothing of that kind is said."""
    text = _spell_counts(message)
    match = SHIFT.search(text)
    if not match:
        return None
    if match["next"] or match["previous"]:
        return Shift(days=1 if match["next"] else -1)
    number, unit, way = (match[f"zh_{key}"] or match[f"zh_{key}2"] for key in ("n", "unit", "way"))
    if number is None:
        number = next(filter(None, (match[f"en_n{at}"] for at in ("", "2", "3", "4", "5"))))
        unit = next(filter(None, (match[f"en_unit{at}"] for at in ("", "2", "3", "4"))))
        way = match["en_way"] or match["en_way3"] or ("up" if words(match.group(), "up", "forward") else "later")
        brought = re.search(r"\bbr(?:ing|ought)\b", text) is not None
        way = ("earlier" if brought else "later") if way == "forward" and (match["en_way"] or match["en_way3"]) else way
    count = -int(number) if way in _EARLIER or "前" in way else int(number)
    if unit in ("节", "section", "period", "block", "大节"):
        return Shift(sections=count * (2 if unit in ("block", "大节") else 1))
    if unit in ("小时", "钟头", "hour"):
        return Shift(minutes=60 * count)
    return Shift(days=count * (7 if unit in ("周", "星期", "礼拜", "week") else 1))


_AS_CAN = r"as (?:possible|(?:i|you|we|it|they) can(?: go)?)\b"
_AS_FAR_ZH = r"尽(?:量|可能)(?:[地的给我安排放学做弄挪移推拖往向靠提得在到]|一些)*"
_NO_SHIFT = r"(?![上晨间饭]|[移挪推]?(?:\d+|[一两几])[天周个小])"
_LATER = re.compile(
    rf"{_AS_FAR_ZH}[晚迟后]{_NO_SHIFT}|\bas late {_AS_CAN}|\bas far back {_AS_CAN}"
    r"|越晚越好|[往向朝]后(?!一[天周])|后[移挪推延靠](?!到)|[推延](?:后|迟)(?!到)|延期|顺延|[晚迟]一?[点些](?!名)|晚几?天|缓[一几]"
    r"|拖[一几延后]|再?往下拖|压后|\b(?:later|postpone\w*|delay\w*|defer\w*|put (?:\w+ ){0,3}off"
    r"|push(?:ed|ing)? (?:\w+ ){0,3}(?:back|out)"
    r"|further (?:back|down))\b"
)
_SOONER = re.compile(
    rf"{_AS_FAR_ZH}[早前]{_NO_SHIFT}|尽早|越早越好|提到最前|\bas (?:early|soon) {_AS_CAN}|\basap\b"
    r"|[往向朝]前(?!一[天周])|前[移挪靠提](?!到)|提[前早](?!到)|早一?[点些](?![结完学])|赶早|早几?天"
    r"|\b(?:earlier|sooner|(?:bring|pull|move|shift|push|drag)\w* (?:\w+ ){0,3}(?:forward|ahead|up))\b"
)


_LATER_TO = re.compile(
    r"(?:推|延|拖|往后\S?|后[移挪推延])(?:迟|后|延)?到(?!期)"
    r"|\b(?:push|postpon|delay|defer)\w*\b(?![^,.;]*\b(?:forward|ahead|up|earlier)\b)[^,.;]{1,60}\b(?:to|until|till)\b"
    r"|\bput (?:\w+ ){0,4}off\b[^,.;]{0,40}\b(?:to|until|till)\b"
)
_SOONER_TO = re.compile(
    r"(?:提[前早]|往前\S?|前[移挪提])到"
    r"|\b(?:bring|brought|pull|move|shift|push|drag)\w*\b[^,.;]{1,60}\b(?:forward|ahead|up)(?: from [^,.;]{1,20})? to\b"
)


def way_to(message: str) -> int:
    """Whether the time to which something is to go is later (1) or earlier (-1) than it is; 0 where neither is said."""
    text = fold_text(message)
    return 1 if _LATER_TO.search(text) else -1 if _SOONER_TO.search(text) else 0


_FARTHEST = re.compile(
    rf"{_AS_FAR_ZH}[早晚迟前后]{_NO_SHIFT}|尽早|越[早晚]越好|最[早晚前后]|\bas far(?: \w+)? {_AS_CAN}"
    r"|\b(?:as (?:early|late|soon) as|asap|(?:earli|lat)est possible)\b"
)


def is_farthest(message: str) -> bool:
    """Whether something is to go as early or as late as it can."""
    return _FARTHEST.search(fold_text(message)) is not None


def way_in(message: str) -> int:
    """Whether something is to be later (1) or earlier (-1) than it is; 0 when nothing of that kind is said."""
    text = fold_text(message)
    return 1 if _LATER.search(text) else -1 if _SOONER.search(text) else 0


def choose_week(target: PlaceTarget, here: SlotView, way: int, brief: Brief) -> tuple[PlaceTarget, PlaceTarget]:
    """Weekdays behind a place, or the nearest ones before it, by the `way`; and what where these have no room."""
    term, own = brief.term, brief.day_of(here)
    if way > 0:
        return replace(target, run=(term.week_day(own + _DAY), term.week_day(term.last_day))), PlaceTarget()
    days = tuple(day for day in target.days if day < here["day_of_week"])
    week = here["week"] if days else here["week"] - 1
    if term.day(week, max(days or target.days)) <= term.today:
        return target, PlaceTarget()
    before = replace(target, run=(term.week_day(term.today), term.week_day(own - _DAY)))
    return replace(target, week=week, days=days or target.days), before


def list_standing(target: PlaceTarget, rows: Iterable[TaskView]) -> list[TaskView]:
    """The items that stand in a time, in the order of their places."""
    return sorted((row for row in rows if row["slot"] and target.covers(row["slot"])), key=stands_at)


def stands_at(row: TaskView) -> tuple[int, ...]:
    """Week, day and section of the place of an item, to sort by."""
    slot = row["slot"]
    return (slot["week"], slot["day_of_week"], slot["slot_start"]) if slot else ()


def index_of(brief: Brief, week: int, day_of_week: int) -> int | None:
    """Day index of the draft's window, None outside it."""
    if not brief.draft:
        return None
    window = brief.draft["window"]
    first = window["first"]
    index = 7 * (week - first["week"]) + day_of_week - first["day_of_week"] + 1
    return index if 1 <= index <= window["total_days"] else None


def window_of(brief: Brief, target: PlaceTarget) -> tuple[int, int] | None:
    """Day indices of the draft's window that a run of days reaches; None where it reaches none."""
    if not (brief.draft and target.run):
        return None
    first, last = brief.draft["window"]["first"], brief.draft["window"]["total_days"]
    begin, end = (7 * (week - first["week"]) + day - first["day_of_week"] + 1 for week, day in target.run)
    return (max(1, begin), min(last, end)) if begin <= last and end >= 1 else None


def day_at(brief: Brief, index: int) -> tuple[int, int]:
    """Week and weekday of a day of the draft's window."""
    first = brief.draft["window"]["first"] if brief.draft else {"week": 1, "day_of_week": 1}
    offset = 7 * first["week"] + first["day_of_week"] - 1 + index - 1
    return offset // 7, offset % 7 + 1


def may_be_on(row: TaskView, day: date, brief: Brief) -> bool:
    """Whether a day lies between those of the items before and behind an item, and within the dates of its class."""
    own = brief.class_of(row["class_id"])
    if own and own["start_date"] and not own["start_date"] <= day.isoformat() <= own["end_date"]:
        return False
    beside = (one for one in brief.tasks_before if one["class_id"] == row["class_id"])
    others = [
        (one["order"], brief.day_of(slot))
        for one in beside
        if one["state_id"] != row["state_id"] and (slot := one["slot"])
    ]
    return all(there <= day if order < row["order"] else day <= there for order, there in others)

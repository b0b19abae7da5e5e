"""Questions about the timetable itself: how full a week is, what is on outside the plan, whether something fits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from agent.llm.offline.goals.classes.described_class import described_class
from agent.llm.offline.goals.questions.inquiry import WEEK_DAYS, Inquiry, asked_in, last_week
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import says_it
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.classes.class_sentence import read_class
from agent.llm.offline.language.spans.dates import dates_in, range_in
from agent.llm.offline.language.spans.items.spoken import named_items
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.targets import target_in
from agent.llm.offline.language.spans.times.words import number_of
from agent.llm.offline.language.texts import dated_slot_text, dated_text, day_and_date, run_text
from agent.loop.view_document import ClassView, TaskView

NAME = "query_timetable"
BESIDE_ITEMS = ("fixed", "kept")
"""The status of lessons and of time that is kept free."""
MOST_LINES = 21
MOST_WEEKS = 12
MOST_ALIKE = 5
_MOST = re.compile(
    r"(?:加起来|课和任务|任务和课|总共)[^,，。;；]*最[多少]|"
    r"最(?![后近早晚先多少]|终)|\b(?:busiest|heaviest|fullest|lightest|quietest|emptiest|freest|easiest|hardest|worst)\b"
    r"|\bmore (?:on|to do|tasks|items|work)\b.{0,30}\bor\b"
    r"|\b(?:fewest|most|least)\b[^,.;]{0,12}\b(?:items|tasks|sections|work|load|to do|to study)\b"
    r"|\b(?:which|what) (?:week|day)s?\b[^,.;]{0,24}"
    r"\b(?:(?!latest|earliest|soonest|nearest|closest|next|best|rest)\w{3,}est|worst|most|least)\b"
    r"|\b(?:most|least) (?:busy|crowded|packed|free|full|work|time|tasks|items)\b"
    r"|(?:哪[一几]?个?[天周]|哪一?个?(?:星期|礼拜))[^,，。;；]{0,8}(?:重|忙|累|挤|紧|轻松|(?<!空)闲|满|(?:比较|更|相对)空)(?!不)"
    r"|\b(?:which|what) (?:week|day)s?\b.{0,30}\b(?:too much|heavy|crowded|packed|overloaded|busy|quiet|light|full)\b"
)
_NO_LOAD = re.compile(
    r"最近(?![^,，]{0,4}哪几?一?天[^,，]{0,3}(?:比较|更|相对|稍微?|(?<!空)闲|轻))|急|截止|ddl|先|重要|紧急"
    r"|\b(?:due|deadlines?|urgent|important)\b"
)
_LIGHT = re.compile(r"闲|空|轻|松|少|\b(?:light\w*|free\w*|empt\w*|quiet\w*|eas\w+|least|few\w*)\b")
_BUSY = re.compile(r"忙|满|累|重|挤|紧|\b(?:bus(?:y|ier|iest)|full\w*|heav\w+|packed|crowded)\b")
_A_DAY = re.compile(r"[哪一几那]天|\bdays?\b")
_A_WEEK = re.compile(r"周|星期|礼拜|\bweeks?\b")
_THIS_WEEK = re.compile(
    r"[这本下上]一?个?(?:周|星期|礼拜)|第\s*\S{1,3}\s*周|周[一二三四五六日天末]"
    r"|\b(?:this|next|last|week \d+) ?(?:week)?\b"
)
_OPEN = re.compile(r"从|起|以后|之后|开始|\b(?:from|after|since|onwards?|starting)\b", re.IGNORECASE)
_SO_MANY_WEEKS = re.compile(r"(\d{1,2})\s*个?(?:周|星期|礼拜)(?!\S?[一二三四五六日末])|\b(\d{1,2}) weeks\b")
_DAILY = re.compile(
    r"(?:每天|一天|每日)[^,，。;；\d]{0,8}(\d{1,2})\s*(?:项|个|件)"
    r"|\b(\d{1,2}|one|two|three|four)\s+(?:items?|things?|tasks?|of them)?\s*(?:a|per|each|every) day"
)
"""How many items a day may have: no number of what is to fit."""
"""Before the days that alone are meant."""
_ONE_MORE = re.compile(r"\b(?:another|(?:an|one) (?:more|extra)) (?:item|task|thing|chapter|unit|lab|session)\b")
_ITEMS = re.compile(
    r"(\d{1,3})[- ](?:part|item|unit|chapter|lecture)\b"
    r"|(?<![第\d])(?<!第\s)(\d{1,3})\s*(?:个)?(?:章|项|次|讲|单元|个任务|节课)"
    r"|\b(\d{1,3})\s*(?:items|chapters|units|lectures|parts|sessions)\b"
    r"|\bof (\d{1,3})\b"
)
_OF_LENGTH = re.compile(
    r"(?<![第\d])(?<![2-9][个项门次])(?P<zh>\d{1,2})\s*小?节(?:长)?的(?!课)"
    r"|\b(?P<en>\d{1,2})[- ](?:section|period)s?(?: long)? (?:item|task|thing|session|block|step)\b"
)
"""How many sections the one thing takes that is to fit: 一个2节的任务."""


def _period(brief: Brief) -> tuple[date, date]:
    """The days in which something is to fit: said, those of the class that is named, else what is left of the term."""
    row, today = _class_asked(brief), brief.term.today
    first, last = _days_said(brief)
    begin = first or (date.fromisoformat(row["start_date"]) if row and row["start_date"] else today)
    ends = [date.fromisoformat(one["end_date"]) for one in ([row] if row else brief.classes) if one["end_date"]]
    new = (row is None and _sections_asked(brief) > 0) or _TERM.search(fold_text(brief.message)) is not None
    weeks = _SO_MANY_WEEKS.search(fold_numbers(brief.message))
    end = last or (today + timedelta(days=7 * int(weeks[1] or weeks[2]) - 1) if weeks and not first else None)
    end = end or (max(ends) if ends and not new else brief.term.last_day)
    begin = max(begin, today, brief.term.first_monday)
    return (begin, min(end, brief.term.last_day)) if begin <= end else (end, end)


_TERM = re.compile(r"学期|\b(?:term|semester)\b")


def _days_said(brief: Brief) -> tuple[date | None, date | None]:
    """The days that the question names; one day alone begins and ends it, a weekday alone is the next one."""
    first, last = range_in(brief.message, brief.term)
    if first and not last and not _OPEN.search(brief.message):
        return first, first
    target = target_in(brief.message, brief)
    limited = says("only", fold_text(brief.message))
    if dates_in(brief.message, brief.term) or limited or ((first or last) and not target.days):
        return first, last
    today = brief.term.today
    weeks = [target.week] if target.week else range(max(1, brief.now["week"]), brief.term.weeks + 1)
    days = [brief.term.day(week, day) for week in weeks for day in target.days]
    day = next((day for day in sorted(days) if day >= today), None)
    return day, day


def _class_asked(brief: Brief) -> ClassView | None:
    named = classes_in(brief.message, brief.classes)
    ids = named or (brief.scope if not _sections_asked(brief) else [])
    return brief.class_of(ids[0]) if len(ids) == 1 else None


def _sections_asked(brief: Brief) -> int:
    """How many sections something new would take; an item takes two."""
    total = read_class(brief.message, brief.term).total
    if (
        says_it(brief.message)
        and not classes_in(brief.message, brief.classes)
        and (new := described_class(brief)).total
    ):
        return new.total or 0
    if sized := _OF_LENGTH.search(fold_numbers(brief.message).replace("两", "2")):
        return int(sized["zh"] or sized["en"])
    items = _ITEMS.search(_ONE_MORE.sub("1 item", _DAILY.sub(" ", fold_numbers(brief.message))))
    return total or (2 * int(next(filter(None, items.groups()))) if items else 0)


def limits_what_fits(brief: Brief) -> bool:
    """Whether a question names the days, or how much a day, within which something is to fit."""
    text = fold_numbers(brief.message)
    return bool(_DAILY.search(text) or (says("only", text) and target_in(brief.message, brief).days))


def _free_on(brief: Brief, days: list[Json]) -> int:
    """The free sections of the days that are meant, of each no more than it may have: two for an item."""
    text = fold_numbers(brief.message)
    weekdays = target_in(brief.message, brief).days if says("only", text) else ()
    meant = [one for one in days if not weekdays or one["day_of_week"] in weekdays]
    said = _DAILY.search(text)
    number = next(filter(None, said.groups()), "") if said else ""
    most = 2 * number_of(number) if number else brief.term.sections
    return sum(min(_free_in_hours(brief, one), most) for one in meant)


def _free_in_hours(brief: Brief, day: Json) -> int:
    """The free sections of a day, of the hours alone to which a question limits it: only in the afternoons."""
    hours = asked_in(brief.message, brief).hours if says("only", fold_text(brief.message)) else ()
    if not hours:
        return int(day["free"])
    taken = (range(one["slot_start"], one["slot_end"] + 1) for one in entries_of(brief, day))
    busy = {section for run in taken for section in run}
    meant = {section for first, last in hours for section in range(first, last + 1)}
    return len(meant - busy)


def entries_of(brief: Brief, row: Json) -> list[Json]:
    """What is on at a day: lessons of the timetable, items as the draft has them."""
    names = {task["name"] for task in brief.tasks}
    kept = brief.say("留空", "kept free")
    entries = [{**one, "name": kept} if one["status"] == "kept" else one for one in row["entries"]]
    entries = [one for one in entries if one["status"] in BESIDE_ITEMS or one["name"] not in names]
    day = (row["week"], row["day_of_week"])
    own = [
        {"slot_start": s["slot_start"], "slot_end": s["slot_end"], "name": task["name"], "status": "suggested"}
        for task in brief.tasks
        if (s := task["slot"]) and (s["week"], s["day_of_week"]) == day
    ]
    return sorted([*entries, *own], key=lambda one: (one["slot_start"], one["status"]))


def stretches_of(brief: Brief, row: Json, asked: Inquiry) -> list[tuple[int, int]]:
    """First and last section of each free stretch of a day, within the hours that are meant, not before now."""
    busy = {section for one in entries_of(brief, row) for section in range(one["slot_start"], one["slot_end"] + 1)}
    begun = brief.now["section"] if brief.day_of(row) == brief.term.today else 0
    hours = asked.hours or ((1, brief.term.sections),)
    return [one for begin, end in hours for one in free_stretches(busy, end, max(begun, begin - 1))]


def free_stretches(busy: set[int], last: int, begun: int = 0) -> list[tuple[int, int]]:
    """First and last section of each stretch that is not busy, after those that have begun."""
    found: list[tuple[int, int]] = []
    for section in (one for one in range(begun + 1, last + 1) if one not in busy):
        if found and found[-1][1] == section - 1:
            found[-1] = (found[-1][0], section)
        else:
            found.append((section, section))
    return found


def sections_text(brief: Brief, first: int, last: int) -> str:
    return (f"{first}-{last}" if last > first else f"{first}") + brief.say("节", "")


def compares(brief: Brief) -> bool:
    """Whether the fullest or emptiest of several days or weeks is asked for: 哪天最忙, the lightest week."""
    text = fold_text(brief.message)
    return _MOST.search(text) is not None and not items_in(text, brief) and not _NO_LOAD.search(text)


def weeks_of_load(brief: Brief, intent: str) -> tuple[int, int]:
    """The weeks that an answer needs; without a time this one, and all that are left where they are compared."""
    term = brief.term
    if intent == "fits":
        begin, end = _period(brief)
        return term.week_day(begin)[0], term.week_day(end)[0]
    asked = asked_in(brief.message, brief)
    if asked.first and asked.last:
        return term.week_day(asked.first)[0], term.week_day(asked.last)[0]
    week = term.week_day(term.next_day)[0]
    several = compares(brief) or EACH_WEEK.search(fold_text(brief.message))
    return (week, min(last_week(brief), week + MOST_WEEKS - 1)) if several else (week, week)


EACH_WEEK = re.compile(r"[每一]个?(?:周|星期|礼拜)(?![一二三四五六日天末])|\b(?:per|a|each|every) week\b")


def load_text(brief: Brief, data: Json) -> str:
    """How full the days or weeks are that are asked about, or which of them is the fullest."""
    asked, text = asked_in(brief.message, brief), fold_text(brief.message)
    days = [_load(brief, row) for row in data["days"] if asked.has_day(brief.day_of(row))]
    if len(asked.runs) == 2 and (compares(brief) or _PAIR.search(text)):
        return _pair_text(
            brief, [[one for one in days if first <= one.day <= last] for first, last in asked.runs], text
        )
    if compares(brief):
        today = brief.term.today
        ahead = [one for one in days if one.day >= today] or days
        lead, text = _full_text(brief, days, text), _ASKS_FULL.sub(" ", text)
        return lead + _most_text(brief, _by_week(brief, days) if _unit_is_week(text) else ahead, text)
    weeks = _by_week(brief, days)
    if len(days) == 1:
        return _full_text(brief, days, text) + _load_line(brief, days[0])
    if len(asked.runs) > 1 and len(weeks) > 1 and len(days) > WEEK_DAYS:
        return _most_text(brief, weeks, text)
    lead = _full_text(brief, days, text)
    total = _sum(days, run_text(brief, days[0].day, days[-1].day))
    if len(weeks) == 1 and len(days) == WEEK_DAYS:
        total = weeks[0]
    several = weeks if len(days) > MOST_LINES else [] if lead else days
    return lead + "\n".join([_load_line(brief, total), *(_load_line(brief, one) for one in several)])


_ASKS_FULL = re.compile(
    r"满不满|(?:排|塞)?满(?:了|没)?[吗没么]|满了没|忙不忙|[忙挤][吗么]|\b(?:is|are|am)\b.*\b(?:full|packed|busy|crowded|rammed|crammed)\b"
)


def _full_text(brief: Brief, days: list[Load], text: str) -> str:
    """Yes or no where it is asked whether days are full, by the sections that are still free; empty elsewhere."""
    if not _ASKS_FULL.search(text) or not days:
        return ""
    free, used = sum(one.free for one in days), sum(one.courses + one.tasks for one in days)
    share = round(100 * used / max(1, free + used))
    if not free:
        return brief.say("满了：没有空闲的节次。\n", "Yes, full: no section is free.\n")
    return brief.say(
        "没有满：占了 {share}%，还空 {free} 节。\n", "No, not full: {share}% is taken, {free} sections are free.\n",
        share=share, free=free,
    )  # fmt: skip


@dataclass(frozen=True)
class Load:
    """What a stretch of days holds, in sections, and the number of items."""

    name: str
    day: date
    courses: int
    tasks: int
    items: int
    free: int

    @property
    def measure(self) -> tuple[int, int]:
        return self.courses + self.tasks, self.tasks


_PAIR = re.compile(r"比|哪[个周天]|\b(?:compare\w*|versus|vs|than|or|more|less|fewer|busier)\b")
_BY_ITEMS = re.compile(r"[几多少]项|任务|内容|\b(?:items?|tasks?|to study|to do)\b")


def _pair_text(brief: Brief, runs: list[list[Load]], text: str) -> str:
    """Which of two stretches of days holds more, and by how much."""
    one, other = (_sum(days, run_text(brief, days[0].day, days[-1].day)) for days in runs)
    by_items = _BY_ITEMS.search(text) is not None
    first, second = (one.items, other.items) if by_items else (one.courses + one.tasks, other.courses + other.tasks)
    unit = brief.say("项", "items") if by_items else brief.say("节", "sections")
    more = one if first > second else other
    values: dict[str, Any] = {"name": more.name, "n": abs(first - second) or first, "unit": unit}
    same = ("一样多，都是 {n} {unit}：", "The same, {n} {unit} each:")
    told = same if first == second else ("{name}更满，多 {n} {unit}：", "{name} holds more, by {n} {unit}:")
    lead = brief.say(*told, **values)
    return "\n".join([lead, _load_line(brief, one), _load_line(brief, other)])


def _load(brief: Brief, row: Json) -> Load:
    items = sum(one["status"] not in BESIDE_ITEMS for one in entries_of(brief, row))
    name = dated_text(brief, row["week"], row["day_of_week"])
    return Load(name, brief.day_of(row), row["courses"], row["tasks"], items, row["free"])


def _sum(days: list[Load], name: str) -> Load:
    return Load(
        name, days[0].day, *(sum(getattr(one, key) for one in days) for key in ("courses", "tasks", "items", "free"))
    )


def _by_week(brief: Brief, days: list[Load]) -> list[Load]:
    weeks: dict[int, list[Load]] = {}
    for one in days:
        weeks.setdefault(brief.term.week_day(one.day)[0], []).append(one)
    return [
        _sum(rows, run_text(brief, brief.term.day(week, 1), brief.term.day(week, WEEK_DAYS)))
        for week, rows in weeks.items()
    ]


def _load_line(brief: Brief, one: Load) -> str:
    return brief.say(
        "{name}：课程 {courses} 节，任务 {tasks} 节（{items} 项），空闲 {free} 节。",
        "{name}: {courses} sections of courses, {tasks} of items ({items}), {free} free.",
        name=one.name, courses=one.courses, tasks=one.tasks, items=one.items, free=one.free,
    )  # fmt: skip


def _unit_is_week(text: str) -> bool:
    """Whether weeks are compared, not days."""
    return _A_DAY.search(text) is None and _A_WEEK.search(_THIS_WEEK.sub(" ", text)) is not None


def _most_text(brief: Brief, rows: list[Load], text: str) -> str:
    """The fullest or emptiest of days or weeks, all that are alike; by items alone too where that is another one."""
    if _LIGHT.search(text) and _BUSY.search(text):
        return "\n".join(_most_text(brief, rows, pattern.sub(" ", text)) for pattern in (_LIGHT, _BUSY))
    if not rows:
        return brief.say("后面没有可以比较的日子。", "There are no days ahead to compare.")
    light = _LIGHT.search(text) is not None
    best = (min if light else max)(one.measure[0] for one in rows)
    alike = [one for one in rows if one.measure[0] == best]
    if light:
        alike = [one for one in alike if one.tasks == min(other.tasks for other in alike)]
    tops = [("最空" if light else "最满", "emptiest" if light else "fullest", alike)]
    most = (min if light else max)(one.tasks for one in rows)
    by_tasks = [one for one in rows if one.tasks == most]
    if not light and most and {one.day for one in by_tasks} != {one.day for one in alike}:
        tops.append(("任务最多", "one with most to study", by_tasks))
    lines: list[str] = []
    for zh, en, found in tops:
        many = brief.say(f"（并列 {len(found)} 个）", f" ({len(found)} alike)") if len(found) > 1 else ""
        lines.append(brief.say("{most}的是{many}：", "The {most}{many}:", most=brief.say(zh, en), many=many))
        lines += [_load_line(brief, one) for one in found[:MOST_ALIKE]]
    named = [one for _, _, found in tops for one in found]
    if len(rows) <= MOST_WEEKS and rows[0].name.startswith(("第", "Week")) and "周 周" not in rows[0].name:
        others = [one for one in rows if one not in named]
        lines += [brief.say("其余：", "The others:"), *(_load_line(brief, one) for one in others)] if others else []
    return "\n".join(lines)


def length_of(brief: Brief, item: TaskView) -> int:
    """The sections of an item, planned or not."""
    known = [row["duration"] for row in brief.tasks if row["item_id"] == item["item_id"]]
    owner = brief.class_of(item["class_id"])
    return known[0] if known else owner["sections"] // max(1, owner["item_count"]) if owner else 0


def _dates_of(brief: Brief, owner: ClassView) -> tuple[date, date]:
    """The first and the last day of a class, of the term where it has none."""
    start, end = owner["start_date"], owner["end_date"]
    last = date.fromisoformat(end) if end else brief.term.last_day
    return date.fromisoformat(start) if start else brief.term.today, last


def tell_late_start(brief: Brief, rows: Sequence[ClassView], last: date) -> str:
    """That classes only begin after a day, and how to have one begin earlier; empty where one begins by then."""
    starts = [date.fromisoformat(row["start_date"]) for row in rows if row["start_date"]]
    if not starts or len(starts) < len(rows) or last >= min(starts):
        return ""
    told = (
        "放不下：{names}{first}才开始。要早点开始，请说「{name}从{day}开始」，会先出确认卡片。",
        'It does not fit: {names} only begins on {first}. To begin earlier, say "start {name} on {day}"; a card comes '
        "first.",
    )
    values = {"names": brief.names_of([row["id"] for row in rows]), "name": rows[0]["name"]}
    values["first"] = dated_text(brief, *brief.term.week_day(min(starts)))
    return brief.say(*told, **values, day=day_and_date(brief, brief.term.today))


def _tell_outside(brief: Brief, owner: ClassView, name: str) -> str:
    """That a class runs at another time than the one which is asked about; empty where it reaches that."""
    (begin, end), (starts, ends) = _period(brief), _dates_of(brief, owner)
    if starts <= end and begin <= ends:
        return ""
    if late := tell_late_start(brief, [owner], end):
        return late
    told = (
        "不行：「{owner}」只在{first}到{last}之间，{name}那时候不能排。要的话，请先改它的日期。",
        'No: "{owner}" only runs from {first} to {last}, so {name} cannot be then. To have it then, change its dates '
        "first.",
    )
    dates = {"first": day_and_date(brief, starts), "last": day_and_date(brief, ends)}
    return brief.say(*told, owner=owner["name"], name=name, **dates)


def _fits_of_item(brief: Brief, data: Json) -> str:
    """Whether an item that is named can be at the time that is told, which its class may not reach; empty for none."""
    rows = items_in(brief.message, brief) or items_in(brief.message, brief, among=all_items(brief))
    owner = brief.class_of(rows[0]["class_id"]) if len(rows) == 1 else None
    if owner is None or not asked_in(brief.message, brief).runs:
        return ""
    begin, end = _period(brief)
    name, needed = rows[0]["name"], length_of(brief, rows[0])
    if told := _tell_outside(brief, owner, name):
        return told
    starts, ends = _dates_of(brief, owner)
    within = [(row, brief.day_of(row)) for row in data["days"]]
    days = [row for row, day in within if max(begin, starts) <= day <= min(end, ends)]
    if not any(last - first + 1 >= needed for row in days for first, last in stretches_of(brief, row, asked_in(
        brief.message, brief))):  # fmt: skip
        return brief.say("放不下：{name}要连续 {n} 节，那时候没有。",
                         "It does not fit: {name} needs {n} sections in a row, and there are none then.",
                         name=name, n=needed)  # fmt: skip
    now = [dated_slot_text(brief, slot) for row in rows if (slot := row["slot"])]
    stands = brief.say("（现在在{at}）", " (it is at {at} now)", at=now[0]) if now else ""
    fits = ("放得下：{name}要 {n} 节，那时候空闲 {free} 节{stands}。先后顺序没有算上。",
            "It fits: {name} needs {n} sections, {free} are free then{stands}; the order is not counted.")  # fmt: skip
    return brief.say(*fits, name=name, n=needed, free=_free_on(brief, days), stands=stands)


def _fits_on_day(brief: Brief, day: Json, needed: int) -> str:
    """Whether so many sections in one piece are free on a day."""
    found = stretches_of(brief, day, asked_in(brief.message, brief))
    enough = any(last - first + 1 >= needed for first, last in found)
    told = brief.say("、", ", ").join(sections_text(brief, *one) for one in found)
    free = dated_text(brief, day["week"], day["day_of_week"]) + f" {told or brief.say('没有空', 'none')}"
    head = brief.say("放得下", "It fits") if enough else brief.say("放不下", "It does not fit")
    told = brief.say("：需要连续 {needed} 节，空闲：{free}。", ": {needed} sections in a row are needed, free: {free}.",
                     needed=needed, free=free)  # fmt: skip
    return head + told


def _tell_hours(brief: Brief) -> str:
    """The hours alone in which something is to fit; empty for the whole day."""
    hours = asked_in(brief.message, brief).hours if says("only", fold_text(brief.message)) else ()
    runs = ", ".join(f"{first}-{last}" for first, last in hours)
    return brief.say(f" 第 {runs} 节", f" in sections {runs}") if runs else ""


def _everything(brief: Brief) -> tuple[int, int] | None:
    """Sections and items of all classes that have no place yet; None where a day or a class of its own is asked for."""
    only = says("only", fold_text(brief.message))
    if target_in(brief.message, brief).days and not dates_in(brief.message, brief.term) and not only:
        return None
    sections = items = 0
    for row in brief.classes:
        own = [task for task in brief.tasks if task["class_id"] == row["id"]]
        left = [task for task in own if not task["slot"]]
        sections += sum(task["duration"] for task in left) if own else row["sections"]
        items += len(left) if own else row["item_count"]
    return sections, items


_COUNTS_FREE = re.compile(
    r"(?:几|多少)个?(?:小?节|课时|时段)[^,，。;；]{0,4}[空闲]"
    r"|\bhow many (?:free|empty|open|spare) (?:sections|slots|periods)\b"
)
"""How much time is free in all is asked, not whether something fits."""
_ANY_ROOM = re.compile(
    r"有(?:没有)?(?:什么|多少|点)?(?:空位|空档|空闲|地方)|[挤腾抽匀]得?出[^,，。]{0,4}(?:时间|空)"
    r"|\b(?:any|some|there|much|enough) (?:\w+ )?(?:room|space)\b(?! for (?:it|them|that|all|every|the rest))"
)
"""Room in days that are named, for what is none of the classes."""


LATE_SHOWN = 6
MEND_LATE = (
    "要给排在截止之后的换时间，请说「把排在截止之后的重新安排一下」。",
    'To give what stands after its end another time, say "reschedule what is after its end date".',
)


def tell_late(brief: Brief, class_id: int | None = None) -> str:
    """Which items ahead, of one class or all, stand after the end of theirs, and how they get another time; empty for
    none."""
    rows = [row for row in brief.late if class_id in (None, row["class_id"])]
    if not rows:
        return ""
    told = ("{n} 项排在截止之后（{names}）。", "{n} after their end date ({names}). ")
    names = brief.say("、", ", ").join(row["name"] for row in rows[:LATE_SHOWN])
    return brief.say(*told, n=len(rows), names=names) + brief.say(*MEND_LATE)


def capacity_text(brief: Brief, data: Json) -> str:
    """Whether something fits in its time."""
    row, needed = _class_asked(brief), _sections_asked(brief)
    own = [task for task in brief.tasks if row and task["class_id"] == row["id"]]
    open_ = sum(task["duration"] for task in own if not task["slot"])
    rows = named_items(brief.message, brief) or items_in(brief.message, brief)
    if of_item := _fits_of_item(brief, data):
        return of_item
    if row and asked_in(brief.message, brief).runs and (outside := _tell_outside(brief, row, row["name"])):
        return outside
    needed = needed or sum(one["duration"] for one in rows if not one["slot"])
    text = fold_text(brief.message)
    said = [one for one in _days_said(brief) if one]
    counts_free = _COUNTS_FREE.search(text) is not None or (bool(said) and _ANY_ROOM.search(text) is not None)
    whole = _everything(brief) if row is None and not (needed or counts_free) else None
    settled = (whole is not None and not whole[0]) or bool(own and not open_ and row)
    if settled and (late := tell_late(brief, row["id"] if row else None)):
        return brief.say("还没有全放进去：", "Not all of it fits as it stands: ") + late
    if whole is not None and not whole[0]:
        return brief.say("放得下：所有内容都已经有位置。", "It fits: everything has a place.")
    if own and not open_ and row:
        return brief.say(
            "放得下：「{name}」的内容都已经有位置。", 'It fits: every item of "{name}" has a place.', name=row["name"]
        )
    first, last = _days_said(brief)
    needed = (
        needed
        or (whole[0] if whole else 0)
        or (2 if first and first == last else 0)
        or open_
        or (row["sections"] if row else 0)
    )
    begin, end = _period(brief)
    days = [one for one in data["days"] if begin <= brief.day_of(one) <= end]
    if len(days) == 1 and needed and not whole:
        return _fits_on_day(brief, days[0], needed)
    free = _free_on(brief, days)
    values: dict[str, Any] = {
        "first": day_and_date(brief, begin),
        "last": day_and_date(brief, end),
        "free": free,
        "needed": needed,
    }
    values["hours"] = _tell_hours(brief)
    if not needed or counts_free:
        told = (
            "{first} 到 {last}{hours}还有 {free} 节空闲。",
            "{free} sections are free from {first} to {last}{hours}.",
        )
        return brief.say(*told, **values)
    waiting = [task for task in brief.tasks if not task["slot"]] if _sections_asked(brief) and row is None else []
    if waiting:
        needed += sum(task["duration"] for task in waiting)
        values["needed"] = needed
    enough = brief.say("放得下", "It fits") if free >= needed else brief.say("放不下", "It does not fit")
    beside = brief.say("其中 {n} 项是现在没有位置的。", " {n} items without a place are counted in.", n=len(waiting))
    return (
        enough
        + brief.say(
            "：{first} 到 {last}{hours}空闲 {free} 节，需要 {needed} 节（没有算上不排时段和先后顺序）。",
            ": {free} sections are free from {first} to {last}{hours}, {needed} are needed (days to keep free and the"
            " order of items "
            "are not counted).",
            **values,
        )
        + (beside if waiting else "")
    )

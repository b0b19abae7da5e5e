"""Questions about the timetable itself: how full a week is, what is on outside the plan, whether something fits."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.class_sentence import read_class
from agent.llm.offline.language.spans.dates import dates_in, range_in
from agent.llm.offline.language.spans.happenings import eve_of_month
from agent.llm.offline.language.spans.mentions import classes_in
from agent.llm.offline.language.spans.targets import PlaceTarget, index_of, target_in
from agent.llm.offline.language.texts import day_text
from agent.loop.view_document import ClassView, TaskView

NAME = "query_timetable"
MOST_LINES = 21
MOST_WEEKS = 12
MOST_DAYS = 3
_WHICH_WEEK = re.compile(
    r"哪一?个?(?:周|星期|礼拜)(?![一二三四五六日天])|\b(?:which|what) week\b"
    r"|\b(?:emptiest|busiest|fullest|lightest|quietest|least busy|most busy) week\b"
)
_WHICH_DAY = re.compile(
    r"哪一?几?天|最[^,，。;；]{1,3}的?(?:那|一)[一几]?天|\b(?:which|what) days?\b"
    r"|\b(?:emptiest|busiest|heaviest|fullest|lightest|quietest|(?:least|most) (?:busy|crowded|packed)) days?\b"
)
_BUSY = re.compile(
    r"忙|满|紧|累|挤|重|太?多|\b(?:busiest|heaviest|fullest|busy|full|packed|most|too much|heavy|crowded|overloaded)\b"
)
_OPEN = re.compile(r"从|起|以后|之后|开始|\b(?:from|after|since|onwards?|starting)\b", re.IGNORECASE)
_ITEMS = re.compile(
    r"(\d{1,3})\s*(?:个)?(?:章|项|次|讲|个任务)|\b(\d{1,3})\s*(?:items|chapters|units|lectures|parts|sessions)\b"
    r"|\bof (\d{1,3})\b"
)


def needs_timetable(brief: Brief, intent: str) -> bool:
    """Whether the draft cannot answer: it does not reach the days asked about, or how full they are is asked."""
    if intent in ("load", "fits"):
        return True
    target = target_in(brief.message, brief)
    if _dates_said(brief) is not None:
        return True
    if not brief.draft:
        return target.said or intent == "free"
    days = target.days or tuple(range(1, 8))
    return bool(target.week) and not any(index_of(brief, target.week or 0, day) for day in days)


def weeks_asked(brief: Brief, intent: str) -> dict[str, Any]:
    """The arguments of the look-up; without a week the current one."""
    said = _dates_said(brief)
    first, last = said or (range_in(brief.message, brief.term) if intent != "show" else (None, None))
    if intent == "fits":
        begin, end = _period(brief)
        return {"week_from": brief.term.week_day(begin)[0], "week_to": brief.term.week_day(end)[0]}
    if first and last and first != last:
        return {"week_from": brief.term.week_day(first)[0], "week_to": brief.term.week_day(last)[0]}
    if _compares_weeks(brief) or _compares_days(brief):
        return {"week_from": max(1, brief.now["week"]), "week_to": _last_week(brief)}
    week = target_in(brief.message, brief).week or max(1, brief.now["week"])
    return {"week_from": week, "week_to": week}


def _dates_said(brief: Brief) -> tuple[date, date] | None:
    """The first and the last of several days that a question names: 五一那几天, from 3 to 8 May."""
    days = dates_in(brief.message, brief.term)[:2]
    return (min(days), max(days)) if len(set(days)) > 1 else None


def _period(brief: Brief) -> tuple[date, date]:
    """The days in which something is to fit: said, those of the class that is named, else what is left of the term."""
    row, today = _class_asked(brief), brief.term.today
    first, last = _days_said(brief)
    begin = first or (date.fromisoformat(row["start_date"]) if row and row["start_date"] else today)
    end = last or (date.fromisoformat(row["end_date"]) if row and row["end_date"] else brief.term.last_day)
    begin = max(begin, today, brief.term.first_monday)
    return (begin, min(end, brief.term.last_day)) if begin <= end else (end, end)


def _days_said(brief: Brief) -> tuple[date | None, date | None]:
    """The days that the question names; one day alone begins and ends it, a weekday alone is the next one."""
    first, last = range_in(brief.message, brief.term)
    if first and not last and not _OPEN.search(brief.message):
        return first, first
    target = target_in(brief.message, brief)
    if dates_in(brief.message, brief.term) or ((first or last) and not target.days):
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
    items = _ITEMS.search(fold_numbers(brief.message))
    return total or (2 * int(next(filter(None, items.groups()))) if items else 0)


def timetable_text(brief: Brief, data: Json) -> str:
    """The answer that the days of the timetable give."""
    intent, target = intent_of(brief.request, brief), target_in(brief.message, brief)
    if intent == "fits":
        return _fits(brief, data)
    dates = _dates_said(brief)
    days = [
        row for row in data["days"]
        if (dates[0] <= brief.term.day(row["week"], row["day_of_week"]) <= dates[1] if dates
            else not target.days or row["day_of_week"] in target.days)
    ]  # fmt: skip
    if intent == "load" and _compares_weeks(brief):
        return _compare_weeks(brief, data)
    if intent == "load" and _compares_days(brief):
        return _compare_days(brief, days)
    if intent == "load":
        total = _total(brief, data) if not (target.days or dates) else ""
        return "\n".join(filter(None, [total, *(_load(brief, row) for row in days[:MOST_LINES])]))
    if intent == "free":
        lines = [line for row in days if (line := _free(brief, row, target))]
        head = brief.say("这些时间有空：", "You are free at:")
        return (
            "\n".join([head, *lines[:MOST_LINES]]) if lines else brief.say("没有空闲时段。", "There is no free time.")
        )
    lines = [_entries(brief, row, target) for row in days]
    if any(row["entries"] for row in days):
        return "\n".join(filter(None, lines)) or brief.say("那段时间没有安排。", "Nothing is on then.")
    named = [day_text(brief, row["week"], row["day_of_week"]) for row in days]
    where = brief.say("、", ", ").join(named) if len(named) < 4 else _week(brief, data)
    return brief.say("{where}没有安排。", "Nothing is on: {where}.", where=where)


def _week(brief: Brief, data: Json) -> str:
    first, last = data["week_from"], data["week_to"]
    if first == last:
        return brief.say(f"第{first}周", f"week {first}")
    return brief.say(f"第{first}周到第{last}周", f"weeks {first} to {last}")


def _total(brief: Brief, data: Json) -> str:
    return brief.say(
        "{week}：课程 {courses} 节，任务 {tasks} 节，空闲 {free} 节。",
        "{week}: {courses} sections of courses, {tasks} of tasks, {free} free.",
        week=_week(brief, data)[:1].upper() + _week(brief, data)[1:],
        **{key: data[key] for key in ("courses", "tasks", "free")},
    )


def _compares_weeks(brief: Brief) -> bool:
    """Whether one week of all is asked for: 哪周最闲, the busiest week."""
    return _WHICH_WEEK.search(fold_text(brief.message)) is not None and target_in(brief.message, brief).week is None


def _compares_days(brief: Brief) -> bool:
    """Whether single days of all are asked for: 哪天最忙, the days with too much work."""
    target = target_in(brief.message, brief)
    return _WHICH_DAY.search(fold_text(brief.message)) is not None and target.week is None and not target.days


def _compare_days(brief: Brief, days: list[Json]) -> str:
    """The fullest days from today on, or the emptiest, most of what is planned first."""
    today = (brief.now["week"], brief.now["day_of_week"])
    rows = [row for row in days if (row["week"], row["day_of_week"]) >= today]
    busy = _BUSY.search(fold_text(brief.message)) is not None
    ordered = sorted(rows, key=lambda row: (row["free"], -row["tasks"]) if busy else (-row["free"], row["tasks"]))
    shown = ordered[:MOST_DAYS]
    if not shown:
        return brief.say("后面没有可以比较的日子。", "There are no days ahead to compare.")
    head = brief.say("最满的几天：", "The fullest days:") if busy else brief.say("最空的几天：", "The emptiest days:")
    return "\n".join([head, *(_load(brief, row) for row in shown)])


def _last_week(brief: Brief) -> int:
    """The week in which the last class ends, at most a dozen from now."""
    ends = [date.fromisoformat(row["end_date"]) for row in brief.classes if row["end_date"]]
    last = brief.term.week_day(max(ends, default=brief.term.last_day))[0]
    first = max(1, brief.now["week"])
    return min(max(first, last), first + MOST_WEEKS - 1, brief.term.weeks)


def _compare_weeks(brief: Brief, data: Json) -> str:
    """The weeks with what is on in each, and the one that is asked for."""
    weeks: dict[int, dict[str, int]] = {}
    for row in data["days"]:
        sums = weeks.setdefault(row["week"], dict.fromkeys(("courses", "tasks", "free"), 0))
        for key in sums:
            sums[key] += row[key]
    busy = _BUSY.search(fold_text(brief.message)) is not None
    best = (min if busy else max)(weeks, key=lambda week: (weeks[week]["free"], -week))
    most = brief.say("最满" if busy else "最空", "fullest" if busy else "emptiest")
    head = brief.say(
        "{most}的是第{week}周，空闲 {free} 节：",
        "Week {week} is the {most}, {free} sections free:",
        most=most,
        week=best,
        free=weeks[best]["free"],
    )
    lines = (
        brief.say(
            "第{week}周：课程 {courses} 节，任务 {tasks} 节，空闲 {free} 节。",
            "Week {week}: {courses} sections of courses, {tasks} of tasks, {free} free.",
            week=week,
            **sums,
        )
        for week, sums in weeks.items()
    )
    return "\n".join([head, *lines])


def _load(brief: Brief, row: Json) -> str:
    return brief.say(
        "{day}：课程 {courses} 节，任务 {tasks} 节，空闲 {free} 节。",
        "{day}: {courses} sections of courses, {tasks} of tasks, {free} free.",
        day=day_text(brief, row["week"], row["day_of_week"]),
        **{key: row[key] for key in ("courses", "tasks", "free")},
    )


def _in_part(row: Json, target: PlaceTarget) -> bool:
    return not target.part or target.part[0] <= row["slot_start"] <= target.part[1]


def _entries(brief: Brief, row: Json, target: PlaceTarget) -> str:
    """第5周 周一：1-2节 高等数学、5-6节 第2章."""
    told = [_sections(brief, one) + f" {one['name']}" for one in row["entries"] if _in_part(one, target)]
    head = day_text(brief, row["week"], row["day_of_week"]) + brief.say("：", ": ")
    return head + brief.say("、", ", ").join(told) if told else ""


def _sections(brief: Brief, one: Json) -> str:
    first, last = one["slot_start"], one["slot_end"]
    return (f"{first}-{last}" if last > first else f"{first}") + brief.say("节", "")


def _free(brief: Brief, row: Json, target: PlaceTarget) -> str:
    """The free stretches of a day."""
    stretches = _stretches(brief, row, target)
    told = [_sections(brief, {"slot_start": one, "slot_end": two}) for one, two in stretches]
    return day_text(brief, row["week"], row["day_of_week"]) + " " + brief.say("、", ", ").join(told) if told else ""


def _stretches(brief: Brief, row: Json, target: PlaceTarget) -> list[list[int]]:
    """First and last section of each free stretch of a day, within the part of the day that is meant."""
    busy = {section for one in row["entries"] for section in range(one["slot_start"], one["slot_end"] + 1)}
    first, last = target.part or (1, brief.term.sections)
    stretches: list[list[int]] = []
    for section in (section for section in range(first, last + 1) if section not in busy):
        if stretches and stretches[-1][1] == section - 1:
            stretches[-1][1] = section
        else:
            stretches.append([section, section])
    return stretches


def _fits_on_day(brief: Brief, day: Json, needed: int) -> str:
    """Whether so many sections in one piece are free on a day."""
    target = target_in(brief.message, brief)
    enough = any(last - first + 1 >= needed for first, last in _stretches(brief, day, target))
    free = _free(brief, day, target) or day_text(brief, day["week"], day["day_of_week"]) + brief.say(" 没有空", " none")
    head = brief.say("放得下", "It fits") if enough else brief.say("放不下", "It does not fit")
    told = brief.say("：需要连续 {needed} 节，空闲：{free}。", ": {needed} sections in a row are needed, free: {free}.",
                     needed=needed, free=free)  # fmt: skip
    return head + told


def _everything(brief: Brief) -> tuple[int, int] | None:
    """Sections and items of all classes that have no place yet; None where a day or a class of its own is asked for."""
    if target_in(brief.message, brief).days and not dates_in(brief.message, brief.term):
        return None
    sections = items = 0
    for row in brief.classes:
        own = [task for task in brief.tasks if task["class_id"] == row["id"]]
        left = [task for task in own if not task["slot"]]
        sections += sum(task["duration"] for task in left) if own else row["sections"]
        items += len(left) if own else row["item_count"]
    return sections, items


def _ends_before(brief: Brief, rows: list[TaskView]) -> str:
    """Whether what has its place ends by the last day that is said; empty without one or where nothing stands."""
    last = _days_said(brief)[1] or eve_of_month(brief.message, brief.term)
    days = sorted((brief.term.day(s["week"], s["day_of_week"]), row["name"]) for row in rows if (s := row["slot"]))
    if last is None or not days:
        return ""
    late = [name for day, name in days if day > last]
    if not late:
        return brief.say(
            "可以：内容都有位置，最后一项{name}在 {day}，不晚于 {last}。",
            "It does: everything has a place, the last is {name} on {day}, not after {last}.",
            name=days[-1][1], day=days[-1][0].isoformat(), last=last.isoformat(),
        )  # fmt: skip
    return brief.say(
        "现在还不行：{n} 项排在 {last} 之后（{names}）。要提前，请说「整个计划{last}之前结束」，会先出确认卡片。",
        'Not as it stands: {n} items lie after {last} ({names}). To have it earlier, say "the whole plan ends by '
        '{last}"; a card comes first.',
        n=len(late), last=last.isoformat(), names=brief.say("、", ", ").join(late[:6]) + ("…" if len(late) > 6 else ""),
    )  # fmt: skip


def _fits(brief: Brief, data: Json) -> str:
    row, needed = _class_asked(brief), _sections_asked(brief)
    own = [task for task in brief.tasks if row and task["class_id"] == row["id"]]
    open_ = sum(task["duration"] for task in own if not task["slot"])
    whole = _everything(brief) if row is None and not needed else None
    stands = own if row else brief.tasks
    if not open_ and not (whole and whole[0]) and (told := _ends_before(brief, stands)):
        return told
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
    days = [one for one in data["days"] if begin <= brief.term.day(one["week"], one["day_of_week"]) <= end]
    if len(days) == 1 and needed:
        return _fits_on_day(brief, days[0], needed)
    free = sum(one["free"] for one in days)
    values = {"first": begin.isoformat(), "last": end.isoformat(), "free": free, "needed": needed}
    if not needed:
        return brief.say(
            "{first} 到 {last} 还有 {free} 节空闲。", "{free} sections are free from {first} to {last}.", **values
        )
    enough = brief.say("放得下", "It fits") if free >= needed else brief.say("放不下", "It does not fit")
    return enough + brief.say(
        "：{first} 到 {last} 空闲 {free} 节，需要 {needed} 节（没有算上不排时段和先后顺序）。",
        ": {free} sections are free from {first} to {last}, {needed} are needed (days to keep free and the"
        " order of items "
        "are not counted).",
        **values,
    )

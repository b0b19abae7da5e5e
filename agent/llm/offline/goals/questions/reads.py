"""Requests that only look: the timetable of the weeks that are asked about, and its facts in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from agent.llm.offline.goals.decisions import Decision, call, finish, give_up
from agent.llm.offline.goals.questions.inquiry import WEEK_DAYS, Inquiry, Run, asked_in, is_of_kind
from agent.llm.offline.goals.questions.timetable import (
    BESIDE_ITEMS,
    NAME,
    capacity_text,
    compares,
    entries_of,
    load_text,
    sections_text,
    stretches_of,
    weeks_of_load,
)
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.meaning.intents import Intent, intent_of
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.items.groups import EXCEPTION
from agent.llm.offline.language.spans.items.spoken import spoken_of
from agent.llm.offline.language.spans.mentions import all_items, items_in
from agent.llm.offline.language.spans.times.hours import SECTION_MINUTES
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import RULE_WORDS, dated_slot_text, dated_text, run_text
from agent.loop.view_document import TaskView

READS = (NAME,)
MOST_LINES = 30
FEW_DAYS, MOST_RUNS = 7, 4
LONG_RUN = 14
"""Days of which lessons are told as well."""
MARKS = {"done": ("做完了", "done"), "missed": ("没做", "missed"), "partial": ("做了一部分", "partly done")}
_ITEMS = re.compile(
    r"学(?!期|校)|复习|背|任务|内容|[几哪]项|章|单元|东西|剩|排了|\b(?:stud\w+|learn|revis\w+|items?|tasks?"
    r"|sessions?|left"
    r"|chapters?|units?|put|planned)\b"
)
_LESSONS = re.compile(r"上课|[么些啥几有没节]课|课表|\b(?:lessons?|lectures?|class(?:es)?)\b")
_WHICH_CLASSES = re.compile(r"哪[些几]门课|哪些课(?=在|都|会|排)|\bwhich (?:classes|subjects|courses)\b")
_DONE_ASKED = re.compile(
    r"[做学背看弄搞写练](?:过|完|了)|复习|完成|搞定|结束|标|漏|落下"
    r"|\b(?:do|done|did|finish\w*|complet\w+|stud(?:y|ied)|learn\w*|revis\w+|mark\w*|miss\w*|skip\w*|over)\b"
)
_UNMARKED = (
    "没有标过做没做，有没有学我不知道：", "Not marked as done; whether you studied it I cannot know:"
)  # fmt: skip
_PLACED = re.compile(
    r"排[好上完进]|有位置|[在进](?:计划|草稿|课表)"
    r"|\b(?:placed|planned|scheduled|in (?:the|my) (?:plan|draft|schedule|calendar))\b"
)
ELSE = re.compile(r"别的|其[他它余]|\belse\b")
_HOW_MANY = re.compile(r"几节|多少节|\bhow many (?:sections|periods)\b")
_ALL = re.compile(r"都|全部?|\b(?:all|every|each|only|everything)\b")


def perform_read(brief: Brief) -> Decision | None:
    """The read the request asks for, then the end; None when the goal is no read."""
    intent = looked_for(brief)
    if intent not in ("show", "free", "load", "fits"):
        return None
    first, last = weeks_of_load(brief, intent) if intent in ("load", "fits") else _weeks(brief, intent)
    if last < 1 or first > brief.term.weeks:
        return give_up("outside_semester", brief.say(*RULE_WORDS["outside_semester"]))
    wanted = {"week_from": max(1, first), "week_to": min(brief.term.weeks, max(1, last))}
    done = next((row for row in reversed(brief.results) if row["tool"] == NAME), None)
    if done is None or (done["status"] == "done" and done["arguments"] != wanted):
        return call(brief, NAME, wanted)
    if done["status"] == "done":
        return finish(brief, f"{NAME}: {done['status']}, nothing was changed")
    if done["error_code"] == "outside_semester":
        return give_up("outside_semester", brief.say(*RULE_WORDS["outside_semester"]))
    return give_up("nothing_to_show", brief.say("现在还没有可以查看的计划。", "There is no plan to look at yet."))


def looked_for(brief: Brief) -> Intent:
    """What a goal looks for; the emptiest of all days is asked of how full they are, whichever word is used, and an
    item alone where it is."""
    intent = intent_of(brief.request, brief)
    if intent == "load" and len(items_in(brief.request, brief, among=all_items(brief))) == 1:
        return "load" if asked_in(brief.request, brief).timed else "show"
    return "load" if intent in ("free", "show") and compares(brief) else intent


def _weeks(brief: Brief, intent: Intent) -> tuple[int, int]:
    asked = _asked(brief, intent)
    first, last = asked.first or brief.term.next_day, asked.last or brief.term.next_day
    return brief.term.week_day(first)[0], brief.term.week_day(last)[0]


def _asked(brief: Brief, intent: Intent) -> Inquiry:
    """What is asked; free time without a day is that of the next seven."""
    asked = asked_in(brief.message, brief)
    if intent == "free" and not asked.runs and brief.whole is not None:
        asked = Inquiry(asked_in(brief.whole.request, brief.whole).runs, asked.hours)
    if intent == "free" and not asked.runs:
        today = brief.term.next_day
        return Inquiry(((today, today + timedelta(days=WEEK_DAYS - 1)),), asked.hours)
    return asked


def facts(brief: Brief) -> str:
    """The last read of the goal in words; empty when there was none."""
    done = next((row for row in reversed(brief.results) if row["tool"] == NAME and row["status"] == "done"), None)
    if done is None:
        return ""
    data, intent = done["data"] or {}, looked_for(brief)
    if intent == "fits":
        return capacity_text(brief, data)
    if intent == "load":
        return load_text(brief, data)
    return _free_text(brief, data) if intent == "free" else _show_text(brief, data)


def _show_text(brief: Brief, data: Json) -> str:
    asked, text = asked_in(brief.message, brief), fold_text(brief.message)
    if asked.items:
        return items_text(brief, asked, text)
    if brief.tasks and (waits := _tell_unplanned(brief, asked)):
        return waits
    rows = [row for row in brief.tasks if not asked.classes or row["class_id"] in asked.classes]
    rows = [row for row in rows if not asked.kind or is_of_kind(row, asked.kind, brief)]
    if asked.timed and _WHICH_CLASSES.search(text):
        asked = replace(asked, classes=tuple(row["id"] for row in brief.classes))
    if asked.classes and brief.tasks:
        return rows_text(brief, asked, rows, text)
    if asked.timed:
        return _days_text(brief, asked, data, text)
    return _whole_text(brief)


def rows_in_time(rows: Sequence[TaskView]) -> list[TaskView]:
    """Items in the order of their times, those without a place at the end."""
    far = (99, 0, 0)
    return sorted(rows, key=lambda r: (s["week"], s["day_of_week"], s["slot_start"]) if (s := r["slot"]) else far)


def item_lines(brief: Brief, rows: Sequence[TaskView]) -> list[str]:
    """Each item with its time, and how it was marked."""
    told = [_item(brief, row) for row in rows_in_time(rows)[:MOST_LINES]]
    left = len(rows) - MOST_LINES
    return [*told, brief.say("…另有 {n} 项", "... and {n} more", n=left)] if left > 0 else told


def _item(brief: Brief, row: TaskView) -> str:
    if not row["slot"] and row["mark"] == "done":
        return brief.say("{name}：做完了", "{name}: done", name=row["name"])
    where = dated_slot_text(brief, row["slot"]) if row["slot"] else brief.say("待安排", "unplaced")
    mark = brief.say("，标为「{mark}」", ', marked "{mark}"', mark=brief.say(*MARKS[row["mark"]])) if row[
        "mark"] in MARKS else ""  # fmt: skip
    return brief.say("{name}：{where}{mark}", "{name}: {where}{mark}", name=row["name"], where=where, mark=mark)


def tell_verdict(brief: Brief, *, yes: bool) -> str:
    return brief.say("是的：", "Yes:") if yes else brief.say("不是：", "No:")


def items_text(brief: Brief, asked: Inquiry, text: str) -> str:
    """Where named items are; whether they are then, or were marked, where that is asked; what is before or after."""
    rows = list(asked.items)
    whether = asks_whether(text)
    lead = []
    if whether and asked.timed:
        lead = [tell_verdict(brief, yes=all(_is_then(brief, row, asked, text) for row in rows))]
    elif whether and _PLACED.search(text):
        lead = [tell_verdict(brief, yes=all(row["slot"] for row in rows))]
    elif whether and _DONE_ASKED.search(text):
        marked = all(row["mark"] == "done" for row in rows)
        unmarked = [row for row in rows if not row["mark"]]
        lead = [tell_verdict(brief, yes=True)] if marked else []
        lead += [brief.say(*_UNMARKED)] if unmarked else []
    return "\n".join([*lead, *item_lines(brief, rows)])


def _is_then(brief: Brief, row: TaskView, asked: Inquiry, text: str) -> bool:
    """Whether an item is at the time that is asked about: a weekday of no certain week is any of them."""
    slot, times = row["slot"], read_times(text, brief.term)
    if slot is None:
        return False
    days = {day for one in times for day in one.weekdays if not (one.week or one.first)}
    bare = slot["day_of_week"] in days and asked.meets(slot["slot_start"], slot["slot_end"])
    return bare or asked.covers(slot, brief)


def count_text(brief: Brief, rows: Sequence[TaskView]) -> str:
    sections = sum(row["duration"] for row in rows)
    return brief.say("{n} 项，{m} 节", "{n} items, {m} sections", n=len(rows), m=sections)


def hours_text(brief: Brief, sections: int) -> str:
    """How long so many sections are, after their number."""
    hours = f"{sections * SECTION_MINUTES / 60:.2f}".rstrip("0").rstrip(".")
    return brief.say("，每节 {n} 分钟，共 {h} 小时", ", {h} hours at {n} minutes each", n=SECTION_MINUTES, h=hours)


def _names(brief: Brief, asked: Inquiry) -> str:
    return brief.names_of(list(asked.classes)) if asked.classes else ""


def _span(brief: Brief, asked: Inquiry) -> str:
    """The days that are asked about; of many that lie apart only that they are several."""
    runs: list[Run] = []
    for first, last in sorted(asked.runs):
        if runs and (first - runs[-1][1]).days <= 1:
            runs[-1] = (runs[-1][0], max(last, runs[-1][1]))
        else:
            runs.append((first, last))
    if len(runs) > MOST_RUNS:
        return brief.say("那些天", "on those days")
    return brief.say("、", ", ").join(run_text(brief, *run) for run in runs)


def _nothing_planned(brief: Brief) -> str:
    """That nothing is planned, and how much the classes that were spoken of hold."""
    ids = asked_in(brief.message, brief).classes or brief.scope
    rows = [row for row in brief.classes if not ids or row["id"] in ids]
    head = brief.say("还没有排任何内容。", "Nothing is planned yet.")
    lines = (brief.say("「{name}」：{n} 项", '"{name}": {n} items', name=r["name"], n=r["item_count"]) for r in rows)
    return "\n".join([head, *lines])


def tell_classes_left(brief: Brief, owners: Sequence[int] = ()) -> str:
    """The classes that are not in the plan at all; empty where there are none."""
    planned = {row["class_id"] for row in brief.tasks}
    left = [row for row in brief.classes if row["items"] and row["id"] not in planned]
    left = [row for row in left if not owners or row["id"] in owners]
    told = ("还没有排的任务类：{names}（{n} 项）。", " Not planned yet: {names} (items: {n}).")
    names = brief.names_of([row["id"] for row in left])
    return brief.say(*told, names=names, n=sum(row["item_count"] for row in left)) if left else ""


def tell_items_unplanned(brief: Brief, rows: Sequence[TaskView]) -> str:
    """That these items are not in the plan, with their number."""
    return _say_unplanned(brief, brief.say("、", ", ").join(row["name"] for row in rows), len(rows))


def _say_unplanned(brief: Brief, names: str, count: int) -> str:
    return brief.say("{names}还没有排，共 {n} 项。", "{names}: not planned yet (items: {n}).", names=names, n=count)


def _tell_unplanned(brief: Brief, asked: Inquiry) -> str:
    """That what is asked about is not in the plan at all, with its number; empty where some of it is."""
    known = {row["class_id"] for row in brief.tasks}
    ids = [*asked.classes]
    waiting = [row for row in items_in(brief.message, brief, among=all_items(brief)) if row["class_id"] not in known]
    if known & {*ids} or not (ids or waiting):
        return ""
    if waiting:
        return tell_items_unplanned(brief, waiting)
    count = sum(row["item_count"] for row in brief.classes if row["id"] in ids)
    told = _say_unplanned(brief, _names(brief, asked), count)
    owner = brief.class_of(ids[0]) if len(ids) == 1 else None
    if owner is None or not (owner["start_date"] and owner["end_date"]):
        return told
    ends = [date.fromisoformat(day) for day in (owner["start_date"], owner["end_date"])]
    return told + brief.say("日期是{ends}。", " Its dates: {ends}.", ends=run_text(brief, ends[0], ends[1]))


def rows_text(brief: Brief, asked: Inquiry, rows: Sequence[TaskView], text: str) -> str:
    """The items of classes, those at the time that is asked about."""
    if not rows:
        return _tell_unplanned(brief, asked)
    then = [row for row in rows if not asked.timed or (row["slot"] and asked.covers(row["slot"], brief))]
    lead = []
    if asks_whether(text) and asked.timed:
        lead = [tell_verdict(brief, yes=len(then) == len(rows) if _ALL.search(text) else bool(then))]
        if _ALL.search(text) and then != rows:
            then = [row for row in rows if row not in then]
            lead = [brief.say("不是，这些不在那时候：", "No, these are not:")]
            return "\n".join([*lead, *item_lines(brief, then)])
    span = _span(brief, asked)
    head = brief.say("{names}{span}：{count}", "{names}{span}: {count}", names=_names(brief, asked),
                     span=f" {span}" if span else "", count=count_text(brief, then)).strip()  # fmt: skip
    none = [] if then else [brief.say("那段时间没有安排。", "Nothing of it is on then.")]
    return "\n".join([*lead, head, *item_lines(brief, then), *none])


def _days_text(brief: Brief, asked: Inquiry, data: Json, text: str) -> str:
    """What is on, day by day; a time of the day alone is today's, and told of the whole plan as well."""
    if asked.runs:
        return _dated_text(brief, asked, data, text)
    today = brief.term.today
    told = _dated_text(brief, Inquiry(((today, today),), asked.hours), data, text)
    rows = [row for row in brief.tasks if row["slot"] and brief.is_ahead(row) and asked.covers(row["slot"], brief)]
    if _LESSONS.search(text):
        return told
    hours = _hours_text(brief, asked).strip()
    some, none = ("整个计划里{hours}有：", "In the whole plan ({hours}):"), (
        "整个计划里{hours}都没有任务。", "Nothing to study of the whole plan is at {hours}.")  # fmt: skip
    return "\n".join([told, brief.say(*(some if rows else none), hours=hours), *item_lines(brief, rows)])


def _dated_text(brief: Brief, asked: Inquiry, data: Json, text: str) -> str:
    """What is on at the days that are asked about, day by day."""
    days = [row for row in data["days"] if asked.has_day(brief.day_of(row))]
    left_out = {row["name"] for match in EXCEPTION.finditer(text) for row in items_in(match.group(), brief)}
    beside = ELSE.search(fold_text(dict(brief.written).get(brief.last_said, brief.message))) is not None
    left_out |= {row["name"] for row in spoken_of(brief)} if beside else set()
    long_run = len(days) > LONG_RUN
    items_only = (_ITEMS.search(text) is not None and not _LESSONS.search(text)) or long_run
    shown: list[tuple[Any, list[Json]]] = []
    for row in days:
        entries = [one for one in entries_of(brief, row) if asked.meets(one["slot_start"], one["slot_end"])]
        entries = [one for one in entries if one["name"] not in left_out]
        shown.append((row, [one for one in entries if not (items_only and one["status"] in BESIDE_ITEMS)]))
    every = [one for _, entries in shown for one in entries]
    whether = asks_whether(text)
    lessons = [one for one in every if one["status"] == "fixed"]
    wanted = lessons if _LESSONS.search(text) else [one for one in every if one["status"] != "kept"]
    lead = [(brief.say("有：", "Yes:") if wanted else brief.say("没有。", "No."))] if whether else []
    if not every:
        named = _span(brief, asked) + _hours_text(brief, asked)
        what = brief.say("别的", " else") if beside else brief.say("任务", " to study") if items_only else ""
        none = brief.say("{where}没有安排{what}。", "Nothing{what} is on: {where}.", where=named, what=what)
        held = [(row, [one for one in entries_of(brief, row) if one["name"] not in left_out]) for row in days]
        told = [_day_line(brief, row, entries) for row, entries in held if entries]
        only = [brief.say("只有课：", "Lessons only:"), *told] if items_only and told and not asked.hours else []
        return "\n".join([*lead, none, *(only if len(days) <= FEW_DAYS else ())])
    items = [one for one in every if one["status"] not in BESIDE_ITEMS]
    head = brief.say(
        "{span}：任务 {n} 项，{m} 节", "{span}: {n} items, {m} sections", span=_span(brief, asked),
        n=len(items), m=sum(one["slot_end"] - one["slot_start"] + 1 for one in items),
    )  # fmt: skip
    head += "" if items_only else brief.say("；课 {n} 节次", "; {n} lessons", n=len(lessons))
    if len(days) == 1 and _HOW_MANY.search(text):
        lead.append(_total_text(brief, items, lessons))
    few = len(days) <= FEW_DAYS
    lines = [_day_line(brief, row, entries) for row, entries in shown if entries or few]
    return "\n".join([*lead, *([head] if len(days) > 1 else []), *lines[:MOST_LINES]])


def _total_text(brief: Brief, items: Sequence[Json], lessons: Sequence[Json]) -> str:
    """How many sections of study and of lessons a day has."""
    m, k = (sum(one["slot_end"] - one["slot_start"] + 1 for one in rows) for rows in (items, lessons))
    told = (
        "任务 {n} 项 {m} 节，课 {k} 节，一共 {both} 节。",
        "{m} sections of study ({n} items) and {k} of lessons, {both} in all.",
    )
    return brief.say(*told, n=len(items), m=m, k=k, both=m + k)


def span_text(brief: Brief, asked: Inquiry) -> str:
    """The days and the hours that are asked about; empty where none are."""
    return (_span(brief, asked) + _hours_text(brief, asked)).strip()


def _hours_text(brief: Brief, asked: Inquiry) -> str:
    told = brief.say("、", ", ").join(f"{first}-{last}" if last > first else f"{first}" for first, last in asked.hours)
    return brief.say(" {told}节", " {told}", told=told) if told else ""


def _day_line(brief: Brief, row: Json, entries: list[Json]) -> str:
    """第5周 周一（3月30日）：1-2节 高等数学、5-6节 第2章."""
    told = [f"{sections_text(brief, one['slot_start'], one['slot_end'])} {one['name']}" for one in entries]
    head = dated_text(brief, row["week"], row["day_of_week"]) + brief.say("：", ": ")
    return head + (brief.say("、", ", ").join(told) or brief.say("没有安排", "nothing is on"))


def _whole_text(brief: Brief) -> str:
    if not brief.tasks:
        return _nothing_planned(brief)
    draft = brief.draft
    assert draft is not None
    head = brief.say(
        "共 {count}：已写入课表 {placed} 项，已预排 {suggested} 项，待安排 {pending} 项。",
        "{count}: {placed} applied, {suggested} suggested, {pending} unplaced.",
        count=count_text(brief, brief.tasks), placed=draft["placed"], suggested=draft["suggested"],
        pending=draft["pending"],
    )  # fmt: skip
    return "\n".join([head, *item_lines(brief, brief.tasks), tell_classes_left(brief).strip()]).strip()


_NEAREST = re.compile(
    r"最[近快早先]的?[^,，。]{0,4}(?:哪[1一]?天|[1一]?天|什么时候)|\b(?:next|nearest|soonest|closest|first|earliest)\b[^.;?]{0,16}"
    r"\b(?:day|afternoon|morning|evening|time|slot|gap)\b"
)


def _free_text(brief: Brief, data: Json) -> str:
    asked = _asked(brief, "free")
    if asked.last and asked.last < brief.term.today:
        return brief.say("那段时间已经过去了。", "That time has passed.")
    days = [row for row in data["days"] if asked.has_day(brief.day_of(row))]
    days = [row for row in days if brief.day_of(row) >= brief.term.today]
    lines, total = [], 0
    for row in days:
        found = stretches_of(brief, row, asked)
        total += sum(last - first + 1 for first, last in found)
        told = brief.say("、", ", ").join(sections_text(brief, *one) for one in found)
        if told or len(days) <= WEEK_DAYS:
            none = brief.say("没有空", "not free")
            lines.append(f"{dated_text(brief, row['week'], row['day_of_week'])} {told or none}")
    span = _span(brief, asked) + _hours_text(brief, asked)
    lead = ""
    if total and _NEAREST.search(fold_text(brief.message)):
        free = [line for row, line in zip(days, lines, strict=False) if stretches_of(brief, row, asked)]
        return brief.say("最近的是：", "The nearest: ") + free[0]
    if total and len(days) == 1 and asks_whether(fold_text(brief.message)):
        whole = sum(last - first + 1 for first, last in asked.hours or ((1, brief.term.sections),))
        lead = brief.say("有空。", "Yes. ") if total == whole else brief.say("有一部分时间有空。", "Partly. ")
    if len(days) > 1 and not asked.hours and _WHOLE_DAYS.search(fold_text(f"{brief.message} {brief.own_words}")):
        lead, every = _tell_whole_days(brief, days, asked), sections_text(brief, 1, brief.term.sections)
        lines = [one for one in lines if one.endswith(f" {every}")] or lines
    if not total:
        told = brief.say("{span}没有空闲时段。", "There is no free time: {span}.", span=span)
        return told + _taken_text(brief, days, asked)
    sums = {sum(last - first + 1 for first, last in stretches_of(brief, row, asked)) for row in days}
    each = brief.say(f"，每天 {max(sums)} 节", f", {max(sums)} each day") if len(sums) == 1 and len(days) > 1 else ""
    head = brief.say(
        "这些时间有空（{span}，共 {n} 节{each}）：",
        "You are free at ({span}, {n} sections{each}):",
        span=span,
        n=total,
        each=each,
    )
    return "\n".join([lead + head, *lines[:MOST_LINES]])


_WHOLE_DAYS = re.compile(
    r"[哪几有][一几些]?天[^,，。;；]{0,6}(?:完全|整天|全天|彻底)|[一1]整天|整整?[一1]天|\bdays?\b[^.;?]{0,30}\b(?:completely|totally|entirely|fully)\b"
    r"|\b(?:whole|entire|full) days?\b"
)


def _tell_whole_days(brief: Brief, days: Sequence[Json], asked: Inquiry) -> str:
    """The days of these with nothing on at all, and those with lessons alone."""
    whole = [row for row in days if stretches_of(brief, row, asked) == [(1, brief.term.sections)]]
    bare = [row for row in days if all(one["status"] in BESIDE_ITEMS for one in entries_of(brief, row))]
    free, lessons = (
        brief.say("、", ", ").join(dated_text(brief, row["week"], row["day_of_week"]) for row in rows)
        for rows in (whole, [row for row in bare if row not in whole])
    )
    told = ("完全空的：{free}。只有课的：{lessons}。\n", "Completely free: {free}. With lessons only: {lessons}.\n")
    none = brief.say("没有", "none")
    return brief.say(*told, free=free or none, lessons=lessons or none)


def _taken_text(brief: Brief, days: Sequence[Json], asked: Inquiry) -> str:
    """What takes the hours of the one day that is asked about."""
    if len(days) != 1 or not asked.hours:
        return ""
    held = [one for one in entries_of(brief, days[0]) if asked.meets(one["slot_start"], one["slot_end"])]
    told = [f"{sections_text(brief, one['slot_start'], one['slot_end'])} {one['name']}" for one in held]
    return brief.say("那时候有：{told}。", " On then: {told}.", told=brief.say("、", ", ").join(told)) if told else ""

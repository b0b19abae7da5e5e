"""Requests that only look: which tool answers, and the facts of its answer in words."""

from __future__ import annotations

from typing import Any

from agent.llm.offline.goals import timetable
from agent.llm.offline.goals.decisions import Decision, call, finish, give_up
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import says_it
from agent.llm.offline.language.meaning.features import find_spoken_classes
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_text, words
from agent.llm.offline.language.spans.mentions import classes_in, items_in
from agent.llm.offline.language.spans.spoken import spoken_of
from agent.llm.offline.language.spans.targets import PlaceTarget, index_of, target_in, window_of
from agent.llm.offline.language.texts import RULE_WORDS, day_text, place_text

READS = ("get_overview", "query_range", "query_available_slots", "get_task_info", "list_tasks", timetable.NAME)
ITEMS_ASKED = ("哪些", "哪几", "which", "them", "items", "tasks", "任务")
MOST_LINES = 12


def perform_read(brief: Brief) -> Decision | None:
    """The read the request asks for, then the end; None when the goal is no read."""
    intent = intent_of(brief.request, brief)
    if intent not in ("show", "free", "load", "fits"):
        return None
    if timetable.needs_timetable(brief, intent):
        name, arguments = timetable.NAME, timetable.weeks_asked(brief, intent)
    else:
        name, arguments = _choose_read(brief, free=intent == "free")
    done = next((row for row in reversed(brief.results) if row["tool"] == name), None)
    if done is None:
        return call(brief, name, arguments)
    if done["status"] == "done":
        return finish(brief, f"{name}: {done['status']}, nothing was changed")
    if done["error_code"] == "outside_semester":
        return give_up("outside_semester", brief.say(*RULE_WORDS["outside_semester"]))
    return give_up("nothing_to_show", brief.say("现在还没有可以查看的计划。", "There is no plan to look at yet."))


def _choose_read(brief: Brief, *, free: bool) -> tuple[str, dict[str, Any]]:
    target = target_in(brief.message, brief)
    day = _day(brief, target)
    if free:
        return "query_available_slots", _filters(brief, target, day)
    if target.part and not (target.week or target.days):
        day = index_of(brief, brief.now["week"] or 1, brief.now["day_of_week"])
    items = items_in(brief.message, brief) or (spoken_of(brief) if says_it(brief.message) and not target.said else [])
    if len(items) == 1:
        return "get_task_info", {"task_id": items[0]["state_id"]}
    if says("pending", fold_text(brief.message)) and not target.said:
        return "list_tasks", {"status": "pending"}
    return ("query_range", {"day": day}) if day and not _every(brief, target) else ("get_overview", {})


def _every(brief: Brief, target: PlaceTarget) -> bool:
    """周一有哪些 asks for the items of all Mondays, 周一有什么课 for what is on next Monday."""
    return not target.week and _items_only(brief)


def _items_only(brief: Brief) -> bool:
    text = fold_text(brief.message)
    return words(text, *ITEMS_ASKED) and not words(text, "课", "lessons", "courses", "classes")


def _day(brief: Brief, target: PlaceTarget) -> int | None:
    """The day of the window that the target names; a weekday alone is the next one."""
    if len(target.days) != 1:
        return None
    first = brief.now["week"] or 1
    weeks = [target.week] if target.week else range(first, first + 30)
    for week in weeks:
        past = (week, target.days[0]) < (first, brief.now["day_of_week"]) and not target.week
        index = None if past else index_of(brief, week, target.days[0])
        if index:
            return index
    return None


def _filters(brief: Brief, target: PlaceTarget, day: int | None) -> dict[str, Any]:
    filters: dict[str, Any] = {"allow_embed": False, "limit": 60}
    reach = window_of(brief, target)
    if reach is not None:
        filters |= {"day_start": reach[0], "day_end": reach[1]}
    elif day and (target.week or target.days):
        filters["day"] = day
    elif target.week and any(index_of(brief, target.week, one) for one in range(1, 8)):
        filters["week"] = target.week
    elif target.days:
        filters["day_of_week"] = list(target.days)
    if target.part:
        filters |= {"section_from": target.part[0], "section_to": target.part[1]}
    return filters


def facts(brief: Brief) -> str:
    """The last read of the goal in words; empty when there was none."""
    for row in reversed(brief.results):
        if row["tool"] in READS and row["status"] == "done":
            return RENDERERS[row["tool"]](brief, row["data"] or {})
    return ""


def _overview(brief: Brief, data: Json) -> str:
    counts = data["counts"]
    head = brief.say(
        "规划窗口 {days} 天：占用 {used} 节，空闲 {free} 节，课程 {courses} 场；"
        "已写入课表 {existing} 项，已预排 {suggested} 项，待安排 {pending} 项。",
        "{days} days: {used} sections busy, {free} free, {courses} courses; {existing} applied, {suggested} suggested, "
        "{pending} unplaced items.",
        days=data["total_days"],
        used=data["used"],
        free=data["free"],
        courses=data["course_count"],
        **counts,
    )
    target = target_in(brief.message, brief)
    if not any(counts.values()) and brief.classes:
        return _nothing_planned(brief)
    if not (target.week or target.days):
        return "\n".join([head, *_tasks(brief, data["tasks"])])
    named = {task["state_id"] for task in brief.tasks if task["class_id"] in classes_in(brief.message, brief.classes)}
    tasks = [row for row in data["tasks"] if not named or row["task_id"] in named]
    rows = [row for row in tasks if any(_fits(slot, target) for slot in row.get("slots") or ())]
    if says("left_to_do", fold_text(brief.message)):
        rows = [row for row in rows if _is_ahead(brief, row)]
    none = brief.say("那段时间没有排任务。", "No items are placed then.")
    items_only = _items_only(brief) or says("left_to_do", fold_text(brief.message))
    days = [] if items_only else [_load(brief, row) for row in data.get("days") or () if _covers(target, row)]
    return "\n".join([*days, *(_tasks(brief, rows) or [none])])


def _nothing_planned(brief: Brief) -> str:
    """That nothing is planned, and how much the classes that were spoken of hold."""
    ids = classes_in(brief.message, brief.classes) or find_spoken_classes(brief) or list(brief.scope)
    rows = [row for row in brief.classes if not ids or row["id"] in ids]
    head = brief.say("还没有排任何内容。", "Nothing is planned yet.")
    lines = (brief.say("「{name}」：{n} 项", '"{name}": {n} items', name=r["name"], n=r["item_count"]) for r in rows)
    return "\n".join([head, *lines])


def _is_ahead(brief: Brief, row: Json) -> bool:
    """Whether an item has not begun yet."""
    now = (brief.now["week"], brief.now["day_of_week"], brief.now["section"])
    return any((slot["week"], slot["day_of_week"], slot["slot_start"]) > now for slot in row.get("slots") or ())


def _covers(target: PlaceTarget, row: Json) -> bool:
    return (not target.week or row["week"] == target.week) and (not target.days or row["day_of_week"] in target.days)


def _load(brief: Brief, row: Json) -> str:
    """第3周 周一：课程 4 节，任务 2 节，空闲 6 节."""
    return brief.say(
        "{day}：课程 {courses} 节，任务 {tasks} 节，空闲 {free} 节。",
        "{day}: {courses} sections of courses, {tasks} of tasks, {free} free.",
        day=day_text(brief, row["week"], row["day_of_week"]),
        courses=row["course_sections"],
        tasks=row["task_sections"],
        free=row["sections"] - row["used"],
    )


def _fits(slot: Json, target: PlaceTarget) -> bool:
    in_part = not target.part or target.part[0] <= slot["slot_start"] <= target.part[1]
    in_week = not target.week or slot["week"] == target.week
    return in_week and in_part and (not target.days or slot["day_of_week"] in target.days)


def _tasks(brief: Brief, rows: list[Json]) -> list[str]:
    lines = [_task(brief, row) for row in rows[:MOST_LINES]]
    left = len(rows) - MOST_LINES
    return [*lines, brief.say("…另有 {n} 项", "... and {n} more", n=left)] if left > 0 else lines


def _task(brief: Brief, row: Json) -> str:
    slot = row["slots"][0] if row.get("slots") else None
    where = _slot(brief, slot) if slot else brief.say("待安排", "unplaced")
    return brief.say("{name}：{where}", "{name}: {where}", name=row["name"], where=where)


def _slot(brief: Brief, slot: Json) -> str:
    return place_text(brief, slot["week"], slot["day_of_week"], slot["slot_start"], slot["slot_end"])


def _range(brief: Brief, data: Json) -> str:
    part = target_in(brief.message, brief).part
    lines = [
        f"{row['slot_start']}-{row['slot_end']}{brief.say('节', '')} {row['owner']['name']}"
        + (f"（{row['guest']['name']}）" if row.get("guest") else "")
        for row in data["rows"]
        if row.get("owner") and (not part or (part[0] <= row["slot_end"] and row["slot_start"] <= part[1]))
    ]
    if part:
        none = brief.say("没有安排", "nothing is on")
        where = place_text(brief, data["week"], data["day_of_week"], *part)
        return "\n".join([f"{where}{brief.say('：', ': ')}{'' if lines else none}", *lines[:MOST_LINES]])
    head = place_text(brief, data["week"], data["day_of_week"], data["slot_start"], data["slot_end"])
    counts = {"a": data["free"], "b": data["used"]}
    free = brief.say("空闲 {a} 节，占用 {b} 节", "{a} sections free, {b} busy", **counts)
    return "\n".join([brief.say("{a}：{b}。", "{a}: {b}.", a=head, b=free), *lines[:MOST_LINES]])


def _free(brief: Brief, data: Json) -> str:
    ranges = _merge_places(data["slots"])
    if not ranges:
        return brief.say("没有找到空闲时段。", "There is no free time.")
    head = brief.say("这些时间有空：", "You are free at:")
    return "\n".join([head, *(_slot(brief, slot) for slot in ranges[:MOST_LINES])])


def _merge_places(slots: list[Json]) -> list[dict[str, Any]]:
    """Places that overlap or touch as one stretch; `slots` are ordered by day and first section."""
    merged: list[dict[str, Any]] = []
    for slot in slots:
        last = merged[-1] if merged else None
        if last is not None and last["day"] == slot["day"] and slot["slot_start"] <= last["slot_end"] + 1:
            last["slot_end"] = max(last["slot_end"], slot["slot_end"])
        else:
            merged.append(dict(slot))
    return merged


def _list(brief: Brief, data: Json) -> str:
    if not brief.tasks and brief.classes:
        return _nothing_planned(brief)
    head = brief.say("共 {n} 项：", "{n} items:", n=data["total"])
    return (
        "\n".join([head, *_tasks(brief, data["tasks"])])
        if data["tasks"]
        else brief.say("没有待安排的内容。", "Nothing is waiting for a place.")
    )


RENDERERS = {
    "get_overview": _overview,
    "query_range": _range,
    "query_available_slots": _free,
    "get_task_info": _task,
    "list_tasks": _list,
    timetable.NAME: timetable.timetable_text,
}

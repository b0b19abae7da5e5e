"""What a model is told beside the request: when sections are, exams, the student's wishes, what was changed last."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import time

from agent.calls.kinds import Json
from agent.loop.outside.deps import Deps
from agent.loop.prompt.draft_view import wish_json
from agent.loop.prompt.past_values import MARK, is_standing
from agent.loop.state.agent_state import AgentState
from agent.loop.state.conversation import PastValue
from agent.loop.state.draft import LogEntry
from schedules.planner.draft.state import EXAM, ScheduleState, TaskEntry
from schedules.planner.grid import Calendar, Place, day_number, week_and_weekday
from schedules.planner.soft_limits import KINDS
from taskclasses.kernel.canonical_json import canonical_json
from taskclasses.shapes import ClassObject

LISTED = 8
"""Exams, changes and values that are told one by one."""
MISSED = 20
"""Missed items that are told by name."""
VALUE = 160
"""Characters of a value."""
NAME = 60
"""Characters of a name: the lines stand in every prompt."""
DAYS = "一二三四五六日"


def clock_line(calendar: Calendar) -> str:
    """Tells when each section is: students speak of hours, tools of sections. Where all are of one length, it is told
    once: the line stands in every prompt."""
    times = list(enumerate(calendar.section_times, 1))
    lengths = {_minutes(end) - _minutes(begin) for _, (begin, end) in times}
    if len(lengths) == 1:
        return f"每节 {lengths.pop()} 分钟：{' '.join(f'{n}={begin:%H:%M}' for n, (begin, _) in times)}。"
    return f"各节时间：{' '.join(f'{n}={begin:%H:%M}-{end:%H:%M}' for n, (begin, end) in times)}。"


def _minutes(moment: time) -> int:
    return 60 * moment.hour + moment.minute


def exam_lines(schedule: ScheduleState | None, calendar: Calendar | None) -> list[str]:
    """Names the exams within the draft's days that are not over."""
    if schedule is None or calendar is None:
        return []
    today = schedule.now[0] if schedule.now else 0
    rows = sorted((place.day, place.first, place.last, name) for name, place in _exams(schedule) if place.day >= today)
    told = [
        f"{_cut(name, NAME)} {calendar.date_of(day)}（{_week_and_day(day)}）{first}-{last}节"
        for day, first, last, name in rows
    ]
    return [f"时间窗内的考试：{'；'.join(told[:LISTED])}{_more(told)}"] if told else []


def _exams(schedule: ScheduleState) -> Iterable[tuple[str, Place]]:
    entries = [entry for entry in schedule.tasks if entry.event_type == EXAM]
    return [(entry.name, place) for entry in entries if (place := schedule.place_of(entry)) is not None]


def _week_and_day(day: int) -> str:
    week, weekday = week_and_weekday(day)
    return f"第{week}周周{DAYS[weekday - 1]}"


def _more(rows: list[str]) -> str:
    return f"；另有 {len(rows) - LISTED} 项" if len(rows) > LISTED else ""


def wish_lines(state: AgentState, deps: Deps, classes: Iterable[ClassObject]) -> list[str]:
    """Says what the student wishes of every plan."""
    schedule = state.schedule
    if schedule is None or not schedule.wishes:
        return []
    # A prompt that was too long holds no classes any more.
    names = {one.class_id: f"任务类 {one.class_id}" for one in schedule.wishes if one.class_id is not None}
    names |= {meta.id: meta.name for meta in schedule.task_classes} | {row["id"]: row["name"] for row in classes}
    told = [deps.registry.wish_label({**wish_json(one)}, names, "zh") for one in schedule.wishes]
    return [f"学生记下的愿望（排程时照办）：{'；'.join(told)}"]


def missed_lines(state: AgentState, deps: Deps) -> list[str]:
    """Names what counts as missed, by a mark or because its time is over: on the timetable it looks like the rest."""
    schedule = state.schedule
    if schedule is None:
        return []
    gone = [entry for entry in schedule.items() if entry.status == "existing" and entry.source_id in deps.tally.missed]
    told = [_entry(entry) for entry in gone]
    return (
        [f"时间已过、算作没做的 {len(told)} 项：{'、'.join(told[:MISSED])}{'…' if told[MISSED:] else ''}"]
        if told
        else []
    )


def last_change_lines(state: AgentState, classes: Iterable[ClassObject]) -> list[str]:
    """Tells what the last goal that changed something changed, as far as it still stands, with what was there before: a
    student who takes it back names neither."""
    now = state.conversation.goals
    moves = [one for one in state.draft.log if one.who == "agent" and 0 < one.goal < now and one.changes]
    values = [one for one in state.conversation.past_values if one.goal < now]
    last = max([one.goal for one in moves] + [one.goal for one in values], default=0)
    told = _moved_lines(state, [one for one in moves if one.goal == last])
    told += _written_lines(state, [one for one in values if one.goal == last], list(classes))
    return [f"之前的任务改过（要撤销就改回箭头前）：{'；'.join(told[:LISTED])}{_more(told)}"] if told else []


def _moved_lines(state: AgentState, entries: list[LogEntry]) -> list[str]:
    schedule = state.schedule
    if schedule is None:
        return []
    changes = [change for entry in entries for change in entry.changes]
    before = {change["task_item_id"]: change["before"] for change in reversed(changes)}
    after = {change["task_item_id"]: change["after"] for change in changes}
    rows = [_moved(schedule, item, before[item], place) for item, place in after.items()]
    standing = [row for row in rows if row]
    return standing if len(standing) <= LISTED else [f"{len(standing)} 项的位置"]


def _moved(schedule: ScheduleState, item_id: int, before: Json | None, after: Json | None) -> str:
    """Returns one item's change; "" where it has another place by now."""
    entry = schedule.by_item(item_id)
    if entry is None or before == after:
        return ""
    spot = schedule.spot_of(entry)
    there = None if spot is None else (*week_and_weekday(spot.place.day), spot.place.first)
    if there != (None if after is None else (after["week"], after["day_of_week"], after["section_from"])):
        return ""
    return f"{_entry(entry)}{_place(schedule, before)} → {_place(schedule, after)}"


def _entry(entry: TaskEntry) -> str:
    return f"[{entry.state_id}]「{_cut(entry.name, NAME)}」"


def _place(schedule: ScheduleState, place: Json | None) -> str:
    if place is None:
        return "没有位置"
    day = day_number(place["week"], place["day_of_week"])
    index = f"第{schedule.window.index_of(day)}天" if schedule.window.contains(day) else ""
    return f"{index}（{_week_and_day(day)}）{place['section_from']}-{place['section_to']}节"


def _written_lines(state: AgentState, values: list[PastValue], classes: list[ClassObject]) -> list[str]:
    return [_value_line(one) for one in values if is_standing(one, state, classes)]


def _value_line(value: PastValue) -> str:
    """Returns one value; a class that was made is named, with nothing before it."""
    if value.field == MARK:
        whose = f"任务项 {value.owner} 的进度"
    elif value.field in KINDS:
        whose = f"愿望 {value.field}" + (f"（任务类 {value.owner}）" if value.owner else "")
    elif value.field:
        whose = f"任务类 {value.owner} 的 {value.field}"
    else:
        return f"新建了任务类 {value.owner}"
    before, after = (_cut(canonical_json(one), VALUE) for one in (value.before, value.after))
    return f"{whose} {before} → {after}"


def _cut(words: str, most: int) -> str:
    return words if len(words) <= most else f"{words[: most - 1]}…"

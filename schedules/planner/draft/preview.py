"""The draft as the page shows it: cells of the window, weeks with clock times, what is left over."""

from __future__ import annotations

from operator import itemgetter

from schedules.planner.draft.codec import cell_json
from schedules.planner.draft.state import ScheduleState, TaskEntry
from schedules.planner.facts import exam_of_event
from schedules.planner.grid import Calendar, Place, day_json, week_and_weekday
from schedules.planner.shapes import (
    EntryBadge,
    Guest,
    HybridEntry,
    PreviewOfDraft,
    UnplacedItem,
    WeeklyEventBrief,
    WeekPlan,
)
from schedules.planner.words.badges import course_badge, task_badge
from taskclasses.kernel.i18n import text

CONTEXT_TAGS = {"quantitative": "High-Logic", "memory": "Memory", "reading": "Review"}
"""Subject type -> what the page calls it; mixed and unknown are General."""

Placed = tuple[TaskEntry, Place, EntryBadge]
"""An entry, where it stands, and what it says besides."""


def preview(state: ScheduleState, *, calendar: Calendar, locale: str = "zh") -> PreviewOfDraft:
    """Returns everything of a preview that follows from the draft alone.

    `calendar` gives the clock times of the draft's semester. Equal drafts give equal documents.
    """
    placed = _list_placed(state)
    return {
        "summary": summary(state, locale),
        "candidate_plans": _weeks_of(state, placed, calendar),
        "hybrid_entries": [_hybrid(state, one) for one in placed],
        "task_class_ids": sorted(state.scope),
        "revision": state.revision,
        "window": {"from": day_json(state.window.first_day), "to": day_json(state.window.last_day)},
        "now": cell_json(state.now),
        "unplaced_items": unplaced_items(state),
    }


def summary(state: ScheduleState, locale: str) -> str:
    placed = sum(entry.status == "suggested" for entry in state.tasks)
    left = sum(entry.status == "pending" for entry in state.tasks)
    if not placed and not left:
        return text("当前没有待确认的安排", locale)
    sentence = text("已为你安排了 {n} 个任务", locale, n=placed)
    return sentence + (text("，还有 {m} 个任务没有排下", locale, m=left) if left else "")


def hybrid_entries(state: ScheduleState) -> list[HybridEntry]:
    """Returns one row per event and placed item of the window, by time, courses before tasks."""
    return [_hybrid(state, one) for one in _list_placed(state)]


def unplaced_items(state: ScheduleState) -> list[UnplacedItem]:
    """Returns items without a place and the rule that took it, by class and order."""
    pending = [entry for entry in state.items() if entry.status == "pending"]
    pending.sort(key=lambda entry: (entry.task_class_id, entry.task_order, entry.source_id))
    return [
        {
            **_badge(state, entry),
            "task_item_id": entry.source_id,
            "name": entry.name,
            "order": entry.task_order or 0,
            "sections": entry.duration,
            "rule": entry.rule,
        }
        for entry in pending
    ]


def candidate_plans(state: ScheduleState, *, calendar: Calendar) -> list[WeekPlan]:
    """Returns one week per week the window touches; a guest appears only inside its host."""
    return _weeks_of(state, _list_placed(state), calendar)


def _weeks_of(state: ScheduleState, placed: list[Placed], calendar: Calendar) -> list[WeekPlan]:
    times = [(f"{begin:%H:%M}", f"{end:%H:%M}") for begin, end in calendar.section_times]
    first, last = (week_and_weekday(day)[0] for day in (state.window.first_day, state.window.last_day))
    weeks: dict[int, list[WeeklyEventBrief]] = {week: [] for week in range(first, last + 1)}
    order: dict[int, int] = {}
    for one in placed:
        entry, place, badge = one
        if entry.embed_host is not None:
            continue
        order[place.day] = order.get(place.day, 0) + 1
        week, weekday = week_and_weekday(place.day)
        begin, end = times[place.first - 1][0], times[place.last - 1][1]
        guest = None if entry.embedded_by is None else state.task(entry.embedded_by)
        on_timetable = entry.status == "existing"
        brief: WeeklyEventBrief = {
            **badge,
            "id": max(0, entry.event_id or 0),
            "order": order[place.day],
            "day_of_week": weekday,
            "name": entry.name,
            "start_time": begin,
            "end_time": end,
            "location": entry.location if on_timetable else "",
            "type": "task" if entry.is_item else entry.event_type,
            "span": place.length,
            "status": "interrupted" if on_timetable and entry.interrupted else "normal",
            "embedded_task_info": {} if guest is None else _guest(state, guest),
            "section_from": place.first,
            "section_to": place.last,
            "task_item_id": entry.source_id if entry.is_item else 0,
        }
        weeks[week].append(brief)
    return [{"week": week, "events": events} for week, events in weeks.items()]


def _list_placed(state: ScheduleState) -> list[Placed]:
    """Lists the placed entries of the window by (day, first section), courses before tasks, then id."""
    placed = []
    for entry in state.tasks:
        place = state.place_of(entry)
        if place is not None and state.window.contains(place.day):
            placed.append((place.day, place.first, entry.event_type != "course", entry.source_id, entry, place))
    placed.sort(key=itemgetter(0, 1, 2, 3))
    return [(entry, place, _badge(state, entry)) for *_, entry, place in placed]


def _hybrid(state: ScheduleState, placed: Placed) -> HybridEntry:
    entry, place, badge = placed
    suggested = entry.status == "suggested"
    return {
        **badge,
        **day_json(place.day),
        "section_from": place.first,
        "section_to": place.last,
        "name": entry.name,
        "type": "task" if entry.is_item else entry.event_type,
        "status": entry.status,
        "task_item_id": entry.source_id if suggested else 0,
        "task_class_id": (entry.task_class_id or 0) if suggested else 0,
        "item_id": entry.source_id if entry.is_item else 0,
        "class_id": entry.task_class_id or 0,
        "event_id": max(0, entry.event_id or state.host_event_of(entry) or 0),
        "can_be_embedded": entry.can_embed,
        "block_for_suggested": not entry.can_embed or entry.embedded_by is not None,
        "context_tag": context_tag(state.class_of(entry).rules.subject_type) if suggested else "",
    }


def _badge(state: ScheduleState, entry: TaskEntry) -> EntryBadge:
    if entry.is_item:
        kept = {"pinned": entry.pinned, "by_hand": entry.by_hand}
        return task_badge(state.class_of(entry), entry.source_id, **kept, progress=entry.mark or "open")
    return course_badge(entry.course_id, entry.color_index, exam_of_event(entry.source_id))


def _guest(state: ScheduleState, entry: TaskEntry) -> Guest:
    return {"id": entry.source_id, "name": entry.name, "type": "task", **_badge(state, entry)}


def context_tag(subject_type: str | None) -> str:
    return CONTEXT_TAGS.get(subject_type or "", "General")

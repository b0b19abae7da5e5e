"""What a goal changed so far, measured against the draft at its start."""

from __future__ import annotations

from agent.loop.draft.sync import places_of
from agent.loop.state import AgentState
from agent.loop.view_document import ChangeView, PlaceView
from schedules.planner.draft.state import ScheduleState, TaskEntry
from schedules.planner.grid import week_and_weekday


def goal_changes(state: AgentState) -> list[ChangeView]:
    """Changes from the goal's start to now, sorted by task id."""
    schedule = state.schedule
    if schedule is None:
        return []
    changes: list[ChangeView] = []
    present, before = places_of(schedule), state.run.start_places
    for entry in schedule.items():
        key = str(entry.source_id)
        if before.get(key) != present.get(key):
            changes.append(
                {
                    "op": "place" if key not in before else "unplace" if key not in present else "move",
                    "task_id": entry.state_id,
                    "task_item_id": entry.source_id,
                    "task_class_id": entry.task_class_id or 0,
                    "name": entry.name,
                    "before": _place_json(schedule, before.get(key), entry),
                    "after": _place_json(schedule, present.get(key), entry),
                }
            )
    return sorted(changes, key=lambda change: change["task_id"])


def _place_json(schedule: ScheduleState, place: list[int] | None, entry: TaskEntry) -> PlaceView | None:
    if place is None:
        return None
    day, first, host = place
    week, weekday = week_and_weekday(day)
    return {
        "day": schedule.window.index_of(day),
        "week": week,
        "day_of_week": weekday,
        "section_from": first,
        "section_to": first + entry.duration - 1,
        "embed_course_event_id": host or None,
    }

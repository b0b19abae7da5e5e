"""What a goal changed so far, measured against the draft at its start."""

from __future__ import annotations

from typing import Literal

from agent.loop.draft.sync import places_of
from agent.loop.state.agent_state import AgentState
from agent.loop.state.conversation import GoalChange, WeekPlace
from agent.loop.view_document import ChangeView, PlaceView
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import week_and_weekday


def goal_changes(state: AgentState) -> list[ChangeView]:
    """Returns what the goal changed from its start to now, sorted by task id: not what the student moved meanwhile."""
    moved = _moved_by_student(state)
    return [change for change in all_changes(state) if change["task_item_id"] not in moved]


def _moved_by_student(state: AgentState) -> set[int]:
    """Returns the items that the student, and nobody after, moved since the goal began."""
    last: dict[int, str] = {}
    for entry in state.draft.log:
        if entry.revision > (state.run.start_revision or 0):
            last |= {change["task_item_id"]: entry.who for change in entry.changes}
    return {item_id for item_id, who in last.items() if who == "student"}


def all_changes(state: AgentState) -> list[ChangeView]:
    """Returns the changes from the goal's start to now, whoever made them, sorted by task id."""
    schedule = state.schedule
    if schedule is None:
        return []
    changes: list[ChangeView] = []
    present, before, lengths = places_of(schedule), state.run.start_places, state.run.start_lengths
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
                    "before": _place_json(schedule, before.get(key), lengths.get(key, entry.duration)),
                    "after": _place_json(schedule, present.get(key), entry.duration),
                }
            )
    return sorted(changes, key=lambda change: change["task_id"])


def _place_json(schedule: ScheduleState, place: list[int] | None, length: int) -> PlaceView | None:
    if place is None:
        return None
    day, first, host = place
    week, weekday = week_and_weekday(day)
    return {
        "day": schedule.window.index_of(day),
        "week": week,
        "day_of_week": weekday,
        "section_from": first,
        "section_to": first + length - 1,
        "embed_course_event_id": host or None,
    }


def remember_change(state: AgentState) -> None:
    """Notes what the goal made of the draft so far, for a later wish to hear of it or to take it back."""
    changes = goal_changes(state)
    if not changes:
        state.run.change = None
    elif any(call.kind == "rough_build" and call.status == "done" for call in state.run.calls):
        state.run.change = GoalChange(kind="build")
    elif len(changes) > 1:
        state.run.change = GoalChange(kind="several")
    else:
        state.run.change = _change_of_one(changes[0])


def remember_words(state: AgentState, told: str) -> None:
    """Notes what the student was told of the goal's change."""
    if state.run.change is not None:
        state.run.change = state.run.change.model_copy(update={"told": told})


def _change_of_one(change: ChangeView) -> GoalChange:
    before, after = _week_place(change["before"]), _week_place(change["after"])
    kind: Literal["place", "move", "unplace"] = "place" if before is None else "unplace" if after is None else "move"
    return GoalChange(kind=kind, item_id=change["task_item_id"], before=before, after=after)


def _week_place(place: PlaceView | None) -> WeekPlace | None:
    if place is None:
        return None
    return WeekPlace(
        week=place["week"],
        day_of_week=place["day_of_week"],
        section_from=place["section_from"],
        section_to=place["section_to"],
    )

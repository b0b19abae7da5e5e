"""Items of different classes that have one name: their name alone tells nobody which is meant."""

from __future__ import annotations

from schedules.planner.draft.state import ScheduleState


def owners_of_twins(state: ScheduleState) -> dict[int, str]:
    """Returns state id -> name of the class, of the items that share their name with one of another class."""
    classes: dict[str, set[int]] = {}
    for entry in state.items():
        classes.setdefault(entry.name, set()).add(entry.task_class_id or 0)
    return {entry.state_id: state.class_of(entry).name for entry in state.items() if len(classes[entry.name]) > 1}

"""How much is known about the classes of a draft; unknown counts as medium."""

from __future__ import annotations

from schedules.planner.draft.state import ScheduleState


def profile_metrics(state: ScheduleState) -> dict[str, int]:
    """Counts the classes of the draft and those that lack each field (`metrics.profile`)."""
    every = [meta.rules for meta in state.task_classes]
    rows = [(rules.subject_type, rules.difficulty_level, rules.cognitive_intensity) for rules in every]
    return {
        "total_subjects": len(rows),
        "missing_subject_type_count": sum(row[0] is None for row in rows),
        "missing_difficulty_count": sum(row[1] is None for row in rows),
        "missing_cognitive_count": sum(row[2] is None for row in rows),
        "missing_complete_profile_count": sum(None in row for row in rows),
    }

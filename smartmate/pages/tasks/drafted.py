"""What the draft that waits has of a student's classes, and in which conversation a class is planned on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.drafts.waiting import WaitingDraft
from schedules.models import Semester
from taskclasses.models import TaskClass


def drafted_lengths(draft: WaitingDraft | None, progress: Mapping[int, str]) -> dict[int, int]:
    """Returns item -> its sections in the draft, of those that wait for a place or were missed; `progress` by item."""
    if draft is None:
        return {}
    new = {row["task_item_id"] for row in draft.difference["new"]}
    return {
        row["task_item_id"]: row["sections"]
        for row in draft.placed
        if row["task_item_id"] in new or progress.get(row["task_item_id"]) == "missed"
    }


def draft_told(
    draft: WaitingDraft | None,
    row: TaskClass,
    figures: Mapping[str, Any],
    drafted: Mapping[int, int],
    semester: Semester,
) -> dict[str, Any]:
    """Returns how many sections of a class the draft has and from which week on, whether that is all that waits, and
    the conversation in which it is planned on: one with a draft that is not on the timetable yet, or about the class,
    that goes on in the current semester.
    """
    sections = sum(drafted.get(item.pk, 0) for item in row.items.all())
    placed = [] if draft is None else [one["after"] for one in draft.placed if one["task_class_id"] == row.pk]
    about = draft is not None and (draft.changed > 0 or row.pk in draft.class_ids)
    return {
        "drafted": sections,
        "draft_week": min((place["week"] for place in placed if place), default=None),
        "all_drafted": sections > 0 and figures["left"] == figures["placed"] + sections,
        "conversation": draft.conversation_id if draft and about and draft.goes_on_in(semester.pk) else "",
        "draft": draft.conversation_id if draft is not None else "",
    }

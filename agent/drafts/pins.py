"""USE CASE: the student pins suggestions of a draft, or gives them back to the planner."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User

from agent.drafts.held_draft import SAVE_ATTEMPTS, draft_current, draft_store
from agent.shapes import KeptDraftItem, KeptDraftItems
from schedules.planner.draft.state import ScheduleState, TaskEntry, with_keeping
from taskclasses.kernel.errors import NOT_PLACED, CodedError


def draft_items_pin(
    *, user: User, conversation_id: str, item_ids: Sequence[int], pinned: bool, release: bool = False
) -> KeptDraftItems:
    """Pins placed items of the draft or takes the pin off; with `release` the mark of the student's own hand goes too.

    40058; 40060 for an item that is not in the draft; 40034 for one on the timetable, which has a pin of its own; 40077
    `not_placed` for one without a place.
    """
    for _ in range(SAVE_ATTEMPTS):
        held = draft_current(user, conversation_id)
        entries = _entries(held.schedule, item_ids)
        keeping = {entry.source_id: (pinned, entry.by_hand and not release) for entry in entries}
        after = with_keeping(held.schedule, keeping)
        if after is held.schedule or draft_store(user, held, after, who="student"):
            rows: list[KeptDraftItem] = [
                {"task_item_id": item, "pinned": kept[0], "by_hand": kept[1]} for item, kept in keeping.items()
            ]
            return {"revision": after.revision, "items": rows}
    raise CodedError(50008)


def _entries(schedule: ScheduleState, item_ids: Sequence[int]) -> list[TaskEntry]:
    found = {item: schedule.by_item(item) for item in dict.fromkeys(item_ids)}
    unknown = [item for item, entry in found.items() if entry is None]
    if unknown:
        raise CodedError(40060, {"task_item_ids": unknown})
    entries = [entry for entry in found.values() if entry is not None]
    applied = [entry.source_id for entry in entries if entry.status == "existing"]
    if applied:
        raise CodedError(40034, {"task_item_ids": applied})
    if any(entry.status == "pending" for entry in entries):
        raise CodedError(40077, {"reason": "not_placed", "conflicts": []}, message=NOT_PLACED)
    return entries

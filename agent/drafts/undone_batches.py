"""What an undone apply had put on the timetable comes back into the conversation's draft, as suggestions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from datetime import UTC, datetime
from uuid import UUID

from schedules.models import AppliedBatch
from schedules.planner.draft.rebase import put_back, rebase
from schedules.planner.draft.state import ScheduleState, Spot
from schedules.selectors import facts_load
from schedules.services.images.items import keeping_of, spot_of


def undone_batches(user_id: int, conversation_id: str) -> list[AppliedBatch]:
    """Returns batches of a conversation that were undone, in the order in which they were applied."""
    rows = AppliedBatch.objects.filter(user_id=user_id, conversation=UUID(conversation_id))
    return list(rows.exclude(undone_at=None).select_related("semester").order_by("pk"))


def put_back_undone(
    schedule: ScheduleState, batches: Sequence[AppliedBatch], *, written_at: str, known_ids: Sequence[int]
) -> tuple[ScheduleState, list[int]]:
    """Returns the draft with what those batches had applied that were undone since it was written, and the ids of those
    it then has.

    `known_ids`: those it has already. Times tell whole seconds, within which a batch may be undone before the draft is
    written and another one after. The same list where nothing was undone since.
    """
    written = datetime.fromisoformat(written_at) if written_at else datetime.min.replace(tzinfo=UTC)
    since = [one for one in batches if one.undone_at is not None and one.undone_at >= written]
    since = [one for one in since if one.semester_id == schedule.semester.id]
    news = [one for one in since if one.pk not in known_ids]
    if not news:
        return schedule, list(known_ids)
    spots: dict[int, Spot | None] = {}
    keeping: dict[int, tuple[bool, bool]] = {}
    classes = set(schedule.scope)
    for batch in news:
        spots |= {change["task_item_id"]: spot_of(change["after"]) for change in batch.changes}
        keeping |= {change["task_item_id"]: astuple(keeping_of(change["after"])) for change in batch.changes}
        classes |= {change["task_class_id"] for change in batch.changes}
    facts = facts_load(user_id=schedule.user_id, class_ids=classes | schedule.needed_classes, semester=news[0].semester)
    wide = rebase(schedule, facts, scope=classes).state
    return put_back(wide, spots, keeping), [one.pk for one in since]

"""USE CASES on a draft as a difference: read it, drop single changes, discard all of it."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User

from agent.drafts.held_draft import SAVE_ATTEMPTS, HeldDraft, draft_current, draft_store, refuse_stale, snapshots
from agent.shapes import DiscardedDraft, DraftDifference
from agent.tools.words.labels import RULES
from schedules.planner.draft.diff import diff
from schedules.planner.draft.difference import difference
from schedules.planner.draft.operations import judge
from schedules.planner.draft.state import ScheduleState, Spot, with_spots
from schedules.planner.rules.placement import Situation
from schedules.planner.shapes import Difference
from schedules.presentation.conflicts import conflict_row, refusal
from taskclasses.kernel.errors import CodedError
from taskclasses.kernel.i18n import text


def draft_difference_get(*, user: User, conversation_id: str, locale: str) -> DraftDifference:
    """Returns the draft beside the timetable; 40058 when there is none."""
    return describe_difference(draft_current(user, conversation_id), locale)


def describe_difference(held: HeldDraft, locale: str) -> DraftDifference:
    found = difference_of(held, locale)
    return {"conversation_id": held.state.conversation.id, "revision": held.schedule.revision, **found}


def difference_of(held: HeldDraft, locale: str) -> Difference:
    """Returns the draft beside the timetable, in the language of `locale`."""
    return difference(held.schedule, calendar=held.semester.calendar, reason=lambda rule: rule_text(rule, locale))


def rule_text(rule: str, locale: str) -> str:
    """Tells why a place was lost, in words; a rule without words of its own is told by nothing."""
    return text(RULES[rule], locale) if rule in RULES else ""


def draft_changes_drop(
    *, user: User, conversation_id: str, item_ids: Sequence[int], revision: int | None, locale: str
) -> DraftDifference:
    """Takes single changes out of the draft: those items stand where the timetable has them, or nowhere.

    40062 for an item named twice, 40060 for one that is not in the draft, 40071, and the placement rule where the
    draft has given an old place to another item.
    """
    for _ in range(SAVE_ATTEMPTS):
        held = draft_current(user, conversation_id)
        refuse_stale(held, revision)
        dropped = _drop(held.schedule, item_ids)
        if dropped is held.schedule or draft_store(user, held, dropped, who="student"):
            return draft_difference_get(user=user, conversation_id=conversation_id, locale=locale)
    raise CodedError(50008)


def draft_discard(*, user: User, conversation_id: str, revision: int | None = None) -> DiscardedDraft:
    """Puts the draft away: it shows the timetable again. Answers how many changes went; 40058, 40071."""
    for _ in range(SAVE_ATTEMPTS):
        held = draft_current(user, conversation_id)
        refuse_stale(held, revision)
        bare = with_spots(held.schedule, {entry.source_id: entry.base_spot for entry in held.schedule.items()})
        answer: DiscardedDraft = {"revision": bare.revision, "discarded": len(diff(held.schedule))}
        if bare is held.schedule:
            # An earlier discard may have died between the draft and its durable copy.
            snapshots().keep(user.pk, held.state.conversation.id)
            return answer
        if draft_store(user, held, bare, who="student"):
            return answer
    raise CodedError(50008)


def _drop(state: ScheduleState, item_ids: Sequence[int]) -> ScheduleState:
    """Returns the draft without its changes of these items; what returns to the timetable's place must be legal
    there."""
    twice = sorted({item for item in item_ids if item_ids.count(item) > 1})
    if twice:
        raise CodedError(40062, {"task_item_ids": twice})
    unknown = [item for item in item_ids if state.by_item(item) is None]
    if unknown:
        raise CodedError(40060, {"task_item_ids": unknown})
    entries = [entry for item in item_ids if (entry := state.by_item(item)) is not None]
    back: dict[int, Spot | None] = {entry.source_id: entry.base_spot for entry in entries}
    lifted = with_spots(state, dict.fromkeys(back))
    wishes = {item: (spot.place, spot.host_mode) for item, spot in back.items() if spot is not None}
    # What stands on the timetable may stand in the past and against the wishes of its class.
    _, broken = judge(lifted, wishes, situation=Situation())
    clashes = {item: [one for one in found if one.blocker is not None] for item, found in broken.items()}
    rows = [
        conflict_row(
            item_id=entry.source_id,
            class_id=entry.task_class_id or 0,
            place=wishes[entry.source_id][0],
            violation=violation,
        )
        for entry in entries
        for violation in clashes.get(entry.source_id, ())
    ]
    if rows:
        raise refusal(rows)
    return with_spots(state, back)

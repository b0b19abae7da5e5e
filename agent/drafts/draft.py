"""USE CASES on the draft of a conversation: read its preview, save what the student dragged, put it on the timetable.

The draft lives in the state document of its conversation; a run may write it at the same time. Every write here is a
compare-and-set on that document: after a lost race it starts again from what is stored. Whoever touches the draft
first sets it on the newest rows (domain.md 4.7), so a timetable that changed in between never surprises anybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from agent.drafts.difference import difference_of
from agent.drafts.held_draft import (
    DRAFT_NOT_FOUND,
    SAVE_ATTEMPTS,
    HeldDraft,
    draft_current,
    draft_load,
    draft_rebase,
    draft_renew,
    draft_store,
    refuse_stale,
    snapshots,
)
from agent.runs.start import not_active
from agent.selectors import conversation_get, is_uuid
from agent.shapes import AppliedDraft, DraftPreview
from schedules.planner.advice.offers import offers_for
from schedules.planner.draft.diff import diff
from schedules.planner.draft.operations import Arranged, arrange
from schedules.planner.draft.preview import preview
from schedules.planner.draft.rebase import Rebased
from schedules.planner.draft.state import ScheduleState, Spot
from schedules.planner.grid import Place, day_number
from schedules.planner.rules.placement import broken_rules
from schedules.planner.rules.violations import Rule, Violation
from schedules.presentation.conflicts import conflict_row, refusal, warning_row
from schedules.presentation.offers import describe_offers
from schedules.selectors import semesters_of, timetable_stamps
from schedules.services import schedule_persist_diff, timetable_lock
from schedules.services.terms.exceptions import kept_free_pair
from schedules.terms.exceptions import ExceptionValues
from taskclasses.kernel.errors import CodedError
from taskclasses.shapes import Conflict, PlaceWarning

PREVIEW_NOT_FOUND = 40053


@dataclass(frozen=True)
class WantedPlace:
    """Tells where the student put one item; sections are inclusive, `host_event_id` None means a place of its own.

    `by_hand` False: the place is a suggestion of ours, so that preferences bind it. `from_timetable`: the student means
    to move what is applied already; without it such an item is refused.
    """

    task_item_id: int
    week: int
    day_of_week: int
    start_section: int
    end_section: int
    host_event_id: int | None = None
    by_hand: bool = True
    from_timetable: bool = False

    @property
    def place(self) -> Place:
        day = day_number(self.week, self.day_of_week)
        return Place(day, self.start_section, self.end_section - self.start_section + 1)

    @property
    def spot(self) -> Spot:
        return Spot(self.place, self.host_event_id)


def draft_preview_get(*, user: User, conversation_id: str, locale: str) -> DraftPreview:
    """Returns the draft as the page shows it (wire.md 3): a pure function of the stored draft, 40053 when there is
    none."""
    held = draft_current(user, conversation_id, missing=PREVIEW_NOT_FOUND)
    part = held.state.draft
    return {
        "conversation_id": held.state.conversation.id,
        "semester_id": held.semester.pk,
        "trace_id": f"trace-{part.written_by}",
        **preview(held.schedule, calendar=held.semester.calendar, locale=locale),
        "generated_at": part.written_at,
        "difference": difference_of(held, locale),
    }


def draft_preview_mark(*, user: User, conversation_id: str) -> object | None:
    """Returns what a preview is made of, as numbers that change with it; None when nothing vouches for it."""
    stored = snapshots().mark(user.pk, conversation_id.lower()) if is_uuid(conversation_id) else None
    if stored is None:
        return None
    terms = [(row.pk, row.calendar) for row in semesters_of(user.pk)]
    return stored, timetable_stamps(user.pk), terms


@dataclass(frozen=True)
class SavedDraft:
    """Tells what a save answers: the draft's revision, and the preferences that the places break."""

    revision: int
    warnings: list[PlaceWarning]


def draft_state_save(
    *, user: User, conversation_id: str, items: Sequence[WantedPlace], revision: int | None = None, locale: str = "zh"
) -> SavedDraft:
    """Puts the named items where the student wants them, all or nothing.

    Refusals in this order: 40058, 40062, 40071, per item 40059, 40060, 40034, 40061, then the placement rule over the
    final picture with every rule that forbids a place in `conflicts`. A refused save leaves the draft as it was. A
    place that breaks preferences only is taken with a warning, and a new place is marked as set by hand.
    """
    for _ in range(SAVE_ATTEMPTS):
        held = draft_current(user, conversation_id)
        _check_unique(items)
        refuse_stale(held, revision)
        for item in items:
            _check_item(held.schedule, item)
        planned = [item.task_item_id for item in items if not item.by_hand]
        wanted = [(item.task_item_id, item.place, item.spot.host_mode) for item in items]
        arranged = arrange(held.schedule, wanted, planned=planned)
        if not isinstance(arranged, Arranged):
            raise _build_refusal(held, items, arranged, locale)
        saved = SavedDraft(arranged.state.revision, _describe_warnings(held, items, arranged, locale))
        if arranged.state is held.schedule:
            # An earlier save of the same may have died between the draft and its durable copy.
            snapshots().keep(user.pk, held.state.conversation.id)
            return saved
        if draft_store(user, held, arranged.state, who="student"):
            return saved
    raise CodedError(50008)


def _check_unique(items: Sequence[WantedPlace]) -> None:
    named = Counter(item.task_item_id for item in items)
    twice = sorted(item_id for item_id, count in named.items() if count > 1)
    if twice:
        raise CodedError(40062, {"task_item_ids": twice})


def _check_item(schedule: ScheduleState, item: WantedPlace) -> None:
    """Checks what must hold of one item before its place can be judged."""
    if not schedule.window.contains(item.place.day) or item.end_section > schedule.grid.sections:
        raise refusal([_row(schedule, item, Violation(Rule.OUTSIDE_WINDOW))])
    entry = schedule.by_item(item.task_item_id)
    if entry is None:
        raise CodedError(40060, {"task_item_ids": [item.task_item_id]})
    movable = item.from_timetable and not entry.locked and entry.task_class_id in schedule.scope
    if entry.status == "existing" and not movable:
        raise CodedError(40034, {"task_item_ids": [item.task_item_id]})
    if item.host_event_id is not None:
        host = schedule.by_event(item.host_event_id)
        if host is None or host.event_type != "course":
            raise refusal([_row(schedule, item, Violation(Rule.HOST_UNKNOWN))])


def _build_refusal(
    held: HeldDraft, items: Sequence[WantedPlace], broken: dict[int, list[Violation]], locale: str
) -> CodedError:
    """Returns the conflicts of a save, with the ways out of the one item that is refused."""
    schedule = held.schedule
    rows = [_row(schedule, item, one) for item in items for one in broken.get(item.task_item_id, ())]
    wanted = {item.task_item_id: item.spot for item in items}
    offers = offers_for(schedule, wanted, broken)
    return refusal(rows, describe_offers(offers, schedule, calendar=held.semester.calendar, locale=locale))


def _describe_warnings(
    held: HeldDraft, items: Sequence[WantedPlace], arranged: Arranged, locale: str
) -> list[PlaceWarning]:
    return [
        warning_row(
            item_id=item.task_item_id,
            class_id=entry.task_class_id or 0,
            place=item.place,
            violation=violation,
            calendar=held.semester.calendar,
            locale=locale,
        )
        for item in items
        if (entry := held.schedule.by_item(item.task_item_id)) is not None
        for violation in arranged.warnings.get(item.task_item_id, ())
    ]


def _row(schedule: ScheduleState, item: WantedPlace, violation: Violation) -> Conflict:
    entry = schedule.by_item(item.task_item_id)
    class_id = 0 if entry is None else entry.task_class_id or 0
    return conflict_row(item_id=item.task_item_id, class_id=class_id, place=item.place, violation=violation)


def draft_apply(
    *,
    user: User,
    conversation_id: str,
    revision: int | None = None,
    skip_conflicts: bool = False,
    locale: str = "zh",
    free: ExceptionValues | None = None,
) -> AppliedDraft:
    """Writes the whole difference between draft and timetable (domain.md 8.2); to be called inside a transaction.

    `batch_id` is None when there was nothing to do. With `skip_conflicts` what clashes with the newest rows stays
    behind, where the timetable has it, each with its conflicts in `left`. Time that is `free` is kept free from then on
    by the same batch.
    """
    held = draft_load(user, conversation_id)
    if held is None:
        raise CodedError(DRAFT_NOT_FOUND)
    refuse_stale(held, revision)
    conversation = conversation_get(user.pk, held.state.conversation.id)
    not_active(conversation)
    timetable_lock(user_id=user.pk, semester=held.semester)
    renewed = draft_rebase(user, held)
    left = _describe_drops(held.schedule, renewed)
    if left and not skip_conflicts:
        raise refusal(left)
    written = schedule_persist_diff(
        user=user,
        semester=held.semester,
        changes=diff(renewed.state),
        conversation_id=conversation.pk,
        now=timezone.now(),
        locale=locale,
        rows=None if free is None else {"exceptions": [kept_free_pair(user=user, semester=held.semester, values=free)]},
    )
    after = draft_rebase(user, held).state
    transaction.on_commit(lambda: draft_renew(user, conversation_id, who="apply"))
    told: AppliedDraft = {**written, "revision": after.revision, "left": left}
    if not skip_conflicts:
        del told["left"]
    return told


def _describe_drops(schedule: ScheduleState, renewed: Rebased) -> list[Conflict]:
    """Returns the conflicts of suggestions that the newest rows no longer allow."""
    board, rows = renewed.state.board(), []
    for lost in renewed.dropped:
        board.lift(lost.item_id)
    for lost in renewed.dropped:
        entry = schedule.by_item(lost.item_id)
        spot = None if entry is None else schedule.spot_of(entry)
        if entry is None or spot is None:
            continue
        now = renewed.state.by_item(lost.item_id)
        found = [] if now is None else broken_rules(board, renewed.state.subject(now), spot.place, host=spot.host_mode)
        binding = [one for one in found if not (entry.kept and one.is_preference)]
        for violation in binding or [Violation(Rule(lost.rule))]:
            rows.append(
                conflict_row(
                    item_id=lost.item_id, class_id=entry.task_class_id or 0, place=spot.place, violation=violation
                )
            )
    return rows

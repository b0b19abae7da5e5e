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

from agent.loop.state import AgentState, Author
from agent.runs.start import not_active
from agent.selectors import conversation_get, is_uuid
from agent.shapes import AppliedDraft, DraftPreview
from agent.store.connection import sync_client
from agent.store.snapshots import SnapshotConflict, SnapshotStore
from schedules.conflicts import conflict_row, refusal
from schedules.models import Semester
from schedules.planner.draft.diff import diff
from schedules.planner.draft.operations import arrange
from schedules.planner.draft.preview import preview
from schedules.planner.draft.rebase import Rebased, rebase
from schedules.planner.draft.state import ScheduleState
from schedules.planner.facts import Facts
from schedules.planner.grid import Place, day_number
from schedules.planner.rules.placement import FREE, HostMode, Rule, Violation, broken_rules
from schedules.selectors import facts_load, semester_get
from schedules.services import schedule_persist_diff, timetable_lock
from taskclasses.kernel.errors import CodedError
from taskclasses.kernel.times import rfc3339
from taskclasses.shapes import Conflict

SAVE_ATTEMPTS = 20
PREVIEW_NOT_FOUND, DRAFT_NOT_FOUND = 40053, 40058


@dataclass(frozen=True)
class WantedPlace:
    """Where the student put one item; sections are inclusive, `host_event_id` None means a place of its own."""

    task_item_id: int
    week: int
    day_of_week: int
    start_section: int
    end_section: int
    host_event_id: int | None = None

    @property
    def place(self) -> Place:
        day = day_number(self.week, self.day_of_week)
        return Place(day, self.start_section, self.end_section - self.start_section + 1)

    @property
    def mode(self) -> HostMode:
        return FREE if self.host_event_id is None else self.host_event_id


@dataclass(frozen=True)
class _Held:
    """A stored draft: the whole document it lives in, the document's revision, the draft itself, its semester."""

    state: AgentState
    revision: int
    schedule: ScheduleState
    semester: Semester


def draft_preview_get(*, user: User, conversation_id: str, locale: str) -> DraftPreview:
    """The draft as the page shows it (wire.md 3): a pure function of the stored draft, 40053 when there is none."""
    held = _current(user, conversation_id, missing=PREVIEW_NOT_FOUND)
    part = held.state.draft
    return {
        "conversation_id": held.state.conversation.id,
        "trace_id": f"trace-{part.written_by}",
        **preview(held.schedule, calendar=held.semester.calendar, locale=locale),
        "generated_at": part.written_at,
    }


def draft_state_save(
    *, user: User, conversation_id: str, items: Sequence[WantedPlace], revision: int | None = None
) -> int:
    """Puts the named items where the student wants them, all or nothing; answers the draft's revision.

    Refusals in this order: 40058, 40062, 40071, per item 40059, 40060, 40034, 40061, then the placement rule over the
    final picture with every violation in `conflicts`. A refused save leaves the draft as it was.
    """
    for _ in range(SAVE_ATTEMPTS):
        held = _current(user, conversation_id, missing=DRAFT_NOT_FOUND)
        _check_unique(items)
        _check_revision(held, revision)
        for item in items:
            _check_item(held.schedule, item)
        arranged = arrange(held.schedule, [(item.task_item_id, item.place, item.mode) for item in items])
        if isinstance(arranged, list):
            raise _build_refusal(held.schedule, items, dict(arranged))
        if arranged is held.schedule:
            # An earlier save of the same may have died between the draft and its durable copy.
            _store().keep(user.pk, held.state.conversation.id)
            return arranged.revision
        if _store_draft(user, held, arranged, who="student"):
            return arranged.revision
    raise CodedError(50008)


def _check_unique(items: Sequence[WantedPlace]) -> None:
    named = Counter(item.task_item_id for item in items)
    twice = sorted(item_id for item_id, count in named.items() if count > 1)
    if twice:
        raise CodedError(40062, {"task_item_ids": twice})


def _check_revision(held: _Held, revision: int | None) -> None:
    if revision is not None and revision != held.schedule.revision:
        raise CodedError(40071, {"revision": held.schedule.revision})


def _check_item(schedule: ScheduleState, item: WantedPlace) -> None:
    """What must hold of one item before its place can be judged."""
    if not schedule.window.contains(item.place.day) or item.end_section > schedule.grid.sections:
        raise refusal([_row(schedule, item, Violation(Rule.OUTSIDE_WINDOW))])
    entry = schedule.by_item(item.task_item_id)
    if entry is None:
        raise CodedError(40060, {"task_item_ids": [item.task_item_id]})
    if entry.status == "existing":
        raise CodedError(40034, {"task_item_ids": [item.task_item_id]})
    if item.host_event_id is not None:
        host = schedule.by_event(item.host_event_id)
        if host is None or host.event_type != "course":
            raise refusal([_row(schedule, item, Violation(Rule.HOST_UNKNOWN))])


def _build_refusal(
    schedule: ScheduleState, items: Sequence[WantedPlace], broken: dict[int, list[Violation]]
) -> CodedError:
    rows = [_row(schedule, item, one) for item in items for one in broken.get(item.task_item_id, ())]
    return refusal(rows)


def _row(schedule: ScheduleState, item: WantedPlace, violation: Violation) -> Conflict:
    entry = schedule.by_item(item.task_item_id)
    class_id = 0 if entry is None else entry.task_class_id or 0
    return conflict_row(item_id=item.task_item_id, class_id=class_id, place=item.place, violation=violation)


def draft_apply(*, user: User, conversation_id: str, revision: int | None = None) -> AppliedDraft:
    """Writes the whole difference between draft and timetable (domain.md 8.2); to be called inside a transaction.

    Answers `{"batch_id", "revision", "applied", "moved", "removed"}`; `batch_id` is None when there was nothing to do.
    """
    held = _load(user, conversation_id)
    if held is None:
        raise CodedError(DRAFT_NOT_FOUND)
    _check_revision(held, revision)
    conversation = conversation_get(user.pk, held.state.conversation.id)
    not_active(conversation)
    timetable_lock(user_id=user.pk, semester=held.semester)
    renewed = rebase(held.schedule, _facts(user, held.schedule, held.semester))
    if renewed.dropped:
        raise _build_drop_refusal(held.schedule, renewed)
    written = schedule_persist_diff(
        user=user, semester=held.semester, changes=diff(renewed.state), conversation_id=conversation.pk
    )
    after = rebase(renewed.state, _facts(user, renewed.state, held.semester)).state
    # The rows are the truth: should this save fail, the next reader rebases the draft to the same value.
    transaction.on_commit(lambda: _renew(user, conversation_id, who="apply"))
    return {**written, "revision": after.revision}


def _build_drop_refusal(schedule: ScheduleState, renewed: Rebased) -> CodedError:
    """The conflicts of suggestions that the newest rows no longer allow."""
    board, rows = renewed.state.board(), []
    for lost in renewed.dropped:
        entry = schedule.by_item(lost.item_id)
        spot = None if entry is None else schedule.spot_of(entry)
        if entry is None or spot is None:
            continue
        now = renewed.state.by_item(lost.item_id)
        host = FREE if spot.host_event_id is None else spot.host_event_id
        found = [] if now is None else broken_rules(board, renewed.state.subject(now), spot.place, host=host)
        for violation in found or [Violation(Rule(lost.rule))]:
            rows.append(
                conflict_row(
                    item_id=lost.item_id, class_id=entry.task_class_id or 0, place=spot.place, violation=violation
                )
            )
    return refusal(rows)


def _current(user: User, conversation_id: str, *, missing: int) -> _Held:
    """The stored draft on the newest rows; the coded error `missing` when there is none."""
    held = _renew(user, conversation_id, who="rebase")
    if held is None:
        raise CodedError(missing)
    return held


def _renew(user: User, conversation_id: str, *, who: Author) -> _Held | None:
    """Rebases the stored draft and stores it when that changed something."""
    for _ in range(SAVE_ATTEMPTS):
        held = _load(user, conversation_id)
        if held is None:
            return None
        renewed = rebase(held.schedule, _facts(user, held.schedule, held.semester))
        if not renewed.changed:
            return held
        _store_draft(user, held, renewed.state, who=who)
    raise CodedError(50008)


def _load(user: User, conversation_id: str) -> _Held | None:
    """The draft of a conversation of mine; None when there is none, it expired or its semester is gone."""
    snapshot = _store().load(user.pk, conversation_id.lower()) if is_uuid(conversation_id) else None
    if snapshot is None or snapshot.expired:
        return None
    state = AgentState.from_document(snapshot.document)
    semester = None if state.schedule is None else semester_get(user.pk, state.schedule.semester.id)
    if state.schedule is None or semester is None:
        return None
    return _Held(state, snapshot.revision, state.schedule, semester)


def _facts(user: User, schedule: ScheduleState, semester: Semester) -> Facts:
    """The rows the draft must be seen against: its scope, and every class it has changed an item of."""
    own = {entry.task_class_id for entry in schedule.items() if entry.own_change and entry.task_class_id}
    return facts_load(user_id=user.pk, class_ids={*schedule.scope, *own}, semester=semester)


def _store_draft(user: User, held: _Held, schedule: ScheduleState, *, who: Author) -> bool:
    """Writes the draft, its change for the next run to see, and the durable copy; False after a lost race."""
    held.state.draft.schedule = schedule
    held.state.draft.note_change(held.schedule, who=who, at=rfc3339(timezone.now()))
    conversation_id = held.state.conversation.id
    try:
        _store().save(user.pk, conversation_id, held.state.to_document(), expected=held.revision)
    except SnapshotConflict:
        return False
    _store().keep(user.pk, conversation_id)
    return True


def _store() -> SnapshotStore:
    return SnapshotStore(sync_client())

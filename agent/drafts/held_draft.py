"""A conversation's draft in the hands of a use case: loaded on the newest rows, stored with compare-and-set.

Whoever touches the draft first sets it on the newest rows (domain.md 4.7). What an apply of this conversation had put
on the timetable and was undone since is back in it, as suggestions.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from uuid import UUID

from django.contrib.auth.models import User
from django.core.cache import cache
from django.utils import timezone

from agent.drafts.undone_batches import put_back_undone, undone_batches
from agent.loop.state.agent_state import AgentState
from agent.loop.state.draft import Author, DraftPart
from agent.selectors import is_uuid
from agent.store.connection import sync_client
from agent.store.snapshots import SnapshotConflict, SnapshotStore
from schedules.models import Semester
from schedules.planner.draft.rebase import Rebased, rebase
from schedules.planner.draft.state import ScheduleState
from schedules.planner.facts import Facts
from schedules.selectors import facts_load, semester_get, timetable_stamps
from taskclasses.kernel.entity_tags import release_tag
from taskclasses.kernel.errors import CodedError
from taskclasses.kernel.times import rfc3339

DRAFT_NOT_FOUND = 40058
SAVE_ATTEMPTS = 20
STANDS_S = 3600
"""How long it is remembered that a draft stands on certain rows."""


@dataclass(frozen=True)
class HeldDraft:
    """Holds a stored draft: the whole document it lives in, the document's revision, the draft itself, its semester.

    `undone_batch_ids`: the undone batches whose suggestions came back into it, where that is not stored yet. `digest`
    is that of the document, "" when there is none.
    """

    state: AgentState
    revision: int
    schedule: ScheduleState
    semester: Semester
    undone_batch_ids: list[int] | None = None
    digest: str = ""


def draft_current(user: User, conversation_id: str, *, missing: int = DRAFT_NOT_FOUND) -> HeldDraft:
    """Returns the stored draft on the newest rows; the coded error `missing` when there is none."""
    held = draft_renew(user, conversation_id, who="rebase")
    if held is None:
        raise CodedError(missing)
    return held


def refuse_stale(held: HeldDraft, revision: int | None) -> None:
    """Raises 40071 when the draft is no longer the one that the client saw; None: it does not mind."""
    if revision is not None and revision != held.schedule.revision:
        raise CodedError(40071, {"revision": held.schedule.revision})


def draft_rebase(user: User, held: HeldDraft) -> Rebased:
    """Returns the draft on the newest rows; nothing is stored."""
    return rebase(held.schedule, draft_facts(user, held.schedule, held.semester))


def draft_renew(user: User, conversation_id: str, *, who: Author) -> HeldDraft | None:
    """Rebases the stored draft and stores it when that changed something."""
    for _ in range(SAVE_ATTEMPTS):
        held = draft_load(user, conversation_id)
        if held is None:
            return None
        mark = _mark_of(user, held)
        if mark is not None and cache.get(mark):
            return held
        renewed = draft_rebase(user, held)
        if not renewed.changed and held.undone_batch_ids is None:
            if mark is not None:
                cache.set(mark, 1, STANDS_S)
            return held
        draft_store(user, held, renewed.state, who=who)
    raise CodedError(50008)


def _mark_of(user: User, held: HeldDraft) -> str | None:
    """Returns the name under which it is known that this draft stands on these rows, to be asked for before the rows.

    None when nothing vouches for the document. The name has all that a rebase is made of, so what is known under it
    never gets old, whichever process noted it.
    """
    if not held.digest or held.undone_batch_ids is not None:
        return None
    stored = held.state.conversation.id, held.revision, held.digest
    whole = release_tag(), stored, timetable_stamps(user.pk), held.semester.pk, held.semester.calendar
    return f"draft-stands:{user.pk}:{blake2b(repr(whole).encode(), digest_size=16).hexdigest()}"


def draft_bring_back(user_id: int, conversation_id: str) -> None:
    """Brings back what was undone since the draft was written, before a run reads it."""
    if undone_batches(user_id, conversation_id):
        draft_renew(User.objects.get(pk=user_id), conversation_id, who="rebase")


def draft_load(user: User, conversation_id: str) -> HeldDraft | None:
    """Returns the draft of a conversation of mine; None when there is none, it expired or its semester is gone."""
    snapshot = snapshots().load(user.pk, conversation_id.lower()) if is_uuid(conversation_id) else None
    if snapshot is None or snapshot.expired:
        return None
    state = AgentState.from_document(snapshot.document)
    semester = None if state.schedule is None else semester_get(user.pk, state.schedule.semester.id)
    if state.schedule is None or semester is None:
        return None
    batches = undone_batches(user.pk, str(UUID(conversation_id)))
    draft = state.draft
    known = draft.undone_batch_ids
    schedule, ids = put_back_undone(state.schedule, batches, written_at=draft.written_at, known_ids=known)
    news = None if ids == known else ids
    return HeldDraft(state, snapshot.revision, schedule, semester, news, snapshot.digest)


def draft_fresh(
    user: User, conversation_id: str, schedule: ScheduleState, semester: Semester, locale: str
) -> HeldDraft:
    """Returns a first draft, beside whatever the conversation remembers already; nothing is stored."""
    snapshot = snapshots().load(user.pk, conversation_id)
    if snapshot is None:
        state = AgentState.fresh(conversation_id=conversation_id, user_id=user.pk, locale=locale)
    else:
        state = AgentState.from_document(snapshot.document)
    state.conversation.scope = list(schedule.scope)
    state.draft = DraftPart(schedule=schedule)
    return HeldDraft(state, 0 if snapshot is None else snapshot.revision, schedule, semester)


def draft_facts(user: User, schedule: ScheduleState, semester: Semester) -> Facts:
    """Returns the rows the draft must be seen against: its scope, and every class it has changed an item of."""
    return facts_load(user_id=user.pk, class_ids=schedule.needed_classes, semester=semester)


def draft_store(user: User, held: HeldDraft, schedule: ScheduleState, *, who: Author) -> bool:
    """Writes the draft, its change for the next run to see, and the durable copy; False after a lost race."""
    before = held.state.draft.schedule
    held.state.draft.schedule = schedule
    if held.undone_batch_ids is not None:
        held.state.draft.undone_batch_ids = held.undone_batch_ids
    held.state.draft.note_change(before, who=who, at=rfc3339(timezone.now()))
    conversation_id = held.state.conversation.id
    try:
        snapshots().save(user.pk, conversation_id, held.state.to_document(), expected=held.revision)
    except SnapshotConflict:
        return False
    snapshots().keep(user.pk, conversation_id)
    return True


def snapshots() -> SnapshotStore:
    return SnapshotStore(sync_client())

"""USE CASE: the draft that waits, as screens beside the week tell of it: that of the conversation used last.

It is the one that the week opens by itself, unless the tab has another one open.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from redis import RedisError

from agent.drafts.difference import difference_of
from agent.drafts.held_draft import draft_renew
from agent.loop.errors import UnknownVersion
from agent.selectors import conversations
from schedules.planner.shapes import Difference, DifferenceRow
from taskclasses.kernel.errors import CodedError


@dataclass(frozen=True)
class WaitingDraft:
    """Tells what the draft of a conversation changes, in the semester that it is about.

    `class_ids` are those that the conversation is about; `changed` counts the changes that are not on the timetable.
    """

    conversation_id: str
    semester_id: int
    class_ids: tuple[int, ...]
    difference: Difference

    @property
    def changed(self) -> int:
        return self.difference["changed"]

    @property
    def placed(self) -> list[DifferenceRow]:
        """Returns what has a place in the draft that the timetable does not have."""
        return [*self.difference["new"], *self.difference["moved"]]


def draft_waiting_get(*, user: User, locale: str) -> WaitingDraft | None:
    """Returns the draft of the conversation used last; None when it has none, or it cannot be read just now: what is
    told beside it stands on the timetable and does not wait for it."""
    last = conversations(user.pk).first()
    if last is None:
        return None
    try:
        held = draft_renew(user, str(last.pk), who="rebase")
    except (CodedError, UnknownVersion, RedisError):
        return None
    if held is None:
        return None
    return WaitingDraft(str(last.pk), held.semester.pk, held.schedule.scope, difference_of(held, locale))

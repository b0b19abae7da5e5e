"""USE CASE: the draft that waits, as screens beside the week tell of it: that of the conversation used last.

It is the one that the week opens by itself, unless the tab has another one open.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from django.contrib.auth.models import User
from redis import RedisError

from agent.drafts.difference import difference_of
from agent.drafts.held_draft import draft_renew
from agent.loop.errors import UnknownVersion
from agent.models import Conversation
from agent.selectors import conversations, open_interaction
from schedules.planner.shapes import Difference, DifferenceRow
from taskclasses.kernel.errors import GARBAGE, CodedError

logger = logging.getLogger("agent.drafts")
LOOKED_AT = 5
"""So many conversations that were only the way of a change are looked past."""


@dataclass(frozen=True)
class WaitingDraft:
    """Tells what the draft of a conversation changes, in the semester that it is about.

    `class_ids` are those that the conversation is about; `changed` counts the changes that are not on the timetable.
    `asks`: it waits for an answer, and would take another wish for it.
    """

    conversation_id: str
    asks: bool
    semester_id: int
    class_ids: tuple[int, ...]
    difference: Difference

    @property
    def changed(self) -> int:
        return self.difference["changed"]

    def goes_on_in(self, semester_id: int) -> bool:
        """Tells whether another wish about a semester is for this draft: neither taken for an answer nor, as runs plan
        in the current semester, in its place."""
        return not self.asks and self.semester_id == semester_id

    @property
    def placed(self) -> list[DifferenceRow]:
        """Returns what has a place in the draft that the timetable does not have."""
        return [*self.difference["new"], *self.difference["moved"]]


def draft_waiting_get(*, user: User, locale: str) -> WaitingDraft | None:
    """Returns the draft of the conversation used last; None when it has none, or it cannot be read just now: what is
    told beside it stands on the timetable and does not wait for it.

    One in which nothing was said, and whose draft was applied at once, was only the way of that change: the one before
    it is meant.
    """
    try:
        return _find(user, locale)
    except RedisError:
        return None  # which holds the others, too: none of them is waited for


def _find(user: User, locale: str) -> WaitingDraft | None:
    found = None
    for last in conversations(user.pk)[:LOOKED_AT]:
        found = _draft_of(user, last, locale)
        if last.message_count or (found is not None and found.changed):
            break
    return found


def _draft_of(user: User, row: Conversation, locale: str) -> WaitingDraft | None:
    try:
        held = draft_renew(user, str(row.pk), who="rebase")
    except (CodedError, UnknownVersion):
        return None
    except GARBAGE:
        logger.warning("the draft of conversation %s cannot be read", row.pk, exc_info=True)
        return None
    if held is None:
        return None
    asks = open_interaction(row.pk) is not None
    return WaitingDraft(str(row.pk), asks, held.semester.pk, held.schedule.scope, difference_of(held, locale))

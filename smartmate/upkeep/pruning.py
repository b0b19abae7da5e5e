"""USE CASE: what grows with time and nobody asks for any more goes, in small transactions.

Each kind names its rows that are due; a row that is written to meanwhile is not due any more and stays. Readers of a
run whose events were cut get what is drawn on its timeline and its end, as they do when Redis lost a log.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, QuerySet

from agent.models import ConversationState, DailyMessages, RunArchive, RunJournal
from agent.runs.recording.journal import retention
from agent.store import archive
from agent.store.snapshots import TTL
from smartmate.accounts.deletion import account_delete
from smartmate.accounts.guests import guests_due
from smartmate.middleware.idempotency import KEPT
from smartmate.models import AccessToken, IdempotencyClaim
from taskclasses.kernel.canonical_json import canonical_json
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskClassWrite

DAY = timedelta(days=1)
CLASS_WRITES_KEPT = 30 * DAY
"""A call of the agent is repeated within the life of its run and of the question that it asks: days at most."""
Shed = Callable[[QuerySet[Any], Sequence[Any]], int]


def _delete(due: QuerySet[Any], keys: Sequence[Any]) -> int:
    return int(due.filter(pk__in=keys).delete()[0])


def _cut_archives(due: QuerySet[RunArchive], keys: Sequence[Any]) -> int:
    """Leaves the terminal event of each."""
    return sum(archive.cut(key) for key in keys)


def _drop_drafts(due: QuerySet[ConversationState], keys: Sequence[Any]) -> int:
    """Takes the drafts, whose time is over, out of the durable copies; what was said and for what stays."""
    dropped = 0
    for row in due.filter(pk__in=keys):
        document = json.loads(zlib.decompress(row.document))
        document.pop("draft", None)
        text = canonical_json(document, allow_nan=False)
        same = due.filter(pk=row.pk, revision=row.revision, saved_at=row.saved_at)
        dropped += same.update(document=zlib.compress(text.encode()), without_draft=True)
    return dropped


def _drop_guests(due: QuerySet[User], keys: Sequence[Any]) -> int:
    """Deletes guests whose day is over; one with a run under way stays until the next time."""
    gone = 0
    for guest in due.filter(pk__in=keys):
        with suppress(CodedError):
            account_delete(guest)
            gone += 1
    return gone


@dataclass(frozen=True)
class Kind:
    """Tells of rows of one sort which are due at a moment, and what becomes of them."""

    name: str
    due: Callable[[datetime], QuerySet[Any]]
    shed: Shed = _delete


def _archives(now: datetime) -> QuerySet[Any]:
    # Redis holds the log of a run for a day after its end: an archive is not cut below what readers get there.
    kept = max(timedelta(days=settings.AGENT_ARCHIVE_DAYS), 2 * DAY)
    return RunArchive.objects.filter(count__gt=1, run__closed_at__lt=now - kept)


def _drafts(now: datetime) -> QuerySet[Any]:
    return ConversationState.objects.filter(saved_at__lt=now - TTL - DAY).exclude(without_draft=True)


KINDS = (
    Kind("idempotency claims", lambda now: IdempotencyClaim.objects.filter(created_at__lt=now - KEPT)),
    Kind("class writes", lambda now: TaskClassWrite.objects.filter(created_at__lt=now - CLASS_WRITES_KEPT)),
    Kind("journals", lambda now: RunJournal.objects.filter(created_at__lt=now - retention())),
    Kind("events of runs", _archives, _cut_archives),
    Kind("drafts", _drafts, _drop_drafts),
    # Whatever the clock of the semester says, the day before yesterday is over.
    Kind("message counts", lambda now: DailyMessages.objects.filter(day__lt=(now - 2 * DAY).date())),
    Kind("guests", guests_due, _drop_guests),
    Kind("access tokens", lambda now: AccessToken.objects.filter(expiry__lt=now)),
    Kind("sessions", lambda now: Session.objects.filter(expire_date__lt=now)),
    Kind(
        "devices",
        lambda now: UserSession.objects.filter(
            ~Exists(Session.objects.filter(session_key=OuterRef("session_key"))), last_seen_at__lt=now - DAY
        ),
    ),
)


def prune(kind: Kind, *, now: datetime, batch: int) -> Iterator[int]:
    """Sheds what is due, `batch` rows in a transaction; yields after each how many rows have gone so far.

    It goes through the keys once: a row that could not be shed is not met again.
    """
    last, gone, due = None, 0, kind.due(now)
    while True:
        rows = due if last is None else due.filter(pk__gt=last)
        keys = list(rows.order_by("pk").values_list("pk", flat=True)[:batch])
        if not keys:
            return
        gone += run_transaction(partial(kind.shed, due, keys))
        last = keys[-1]
        yield gone

"""Rows of open questions <-> the loop's `PendingInteraction`, and how one is closed."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime

from agent.loop import interactions
from agent.loop.errors import USER_CANCELLED
from agent.models import Conversation, PendingInteraction, Run


def open_question(run: Run, pending: interactions.OpenInteraction, *, now: datetime) -> PendingInteraction:
    """Writes an open interaction; whatever was open in the conversation is superseded."""
    stale = PendingInteraction.objects.filter(open_for_id=run.conversation_id)
    stale.update(open_for=None, status=PendingInteraction.Status.SUPERSEDED)
    return PendingInteraction.objects.create(
        id=pending.id,
        conversation_id=run.conversation_id,
        open_for_id=run.conversation_id,
        run=run,
        type=pending.type,
        subject=pending.subject,
        question=pending.question,
        details=pending.model_dump(mode="json", exclude={"status", "answer"}),
        created_at=now,
        expires_at=parse_datetime(pending.expires_at) or now,
    )


def find_open(conversation: Conversation, *, now: datetime) -> PendingInteraction | None:
    """Returns the open interaction of a conversation; one past its time counts as none."""
    return PendingInteraction.objects.filter(open_for=conversation, expires_at__gt=now).first()


def answer_question(row: PendingInteraction, run: Run | None, answer: dict[str, Any], *, status: str) -> bool:
    """Moves a question from open to answered, cancelled or superseded, for exactly one caller. The run that asked is
    then over."""
    ending: dict[str, Any] = {"status": Run.Status.SUCCEEDED}
    if status == PendingInteraction.Status.CANCELLED:
        ending = {"status": Run.Status.CANCELLED, "outcome": "aborted", "outcome_code": USER_CANCELLED}
    won = PendingInteraction.objects.filter(pk=row.pk, status=PendingInteraction.Status.OPEN).update(
        status=status, open_for=None, answer=answer or None, answered_by=run
    )
    if won:
        Run.objects.filter(pk=row.run_id, status=Run.Status.WAITING).update(**ending)
    return bool(won)

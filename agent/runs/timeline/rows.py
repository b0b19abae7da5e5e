"""Writing rows of the timeline: `seq` without gaps, in event order (wire.md 7.1)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import F

from agent.models import Conversation, PendingInteraction, Run, TimelineItem
from agent.runs.timeline.fold import Item

_COUNTED = ("user_text", "assistant_text")


def _next_seq(conversation_id: UUID, *, counted: bool) -> int:
    """Takes the next number; the UPDATE holds the row, so two writers cannot take the same one."""
    rows = Conversation.objects.filter(pk=conversation_id)
    rows.update(timeline_seq=F("timeline_seq") + 1, message_count=F("message_count") + int(counted))
    return int(rows.values_list("timeline_seq", flat=True).get())


def add_message(run: Run, message: str, *, now: datetime) -> TimelineItem:
    """Writes the student's words, written with the run they opened."""
    return TimelineItem.objects.create(
        conversation_id=run.conversation_id,
        run=run,
        seq=_next_seq(run.conversation_id, counted=True),
        kind="user_text",
        role="user",
        stage="chat",
        block_id="chat.user",
        content=message,
        created_at=now,
    )


def add_item(run: Run, item: Item, *, interaction: PendingInteraction | None = None) -> None:
    """Adds one folded item; writing the same event twice keeps the first row."""
    with transaction.atomic():
        if TimelineItem.objects.filter(run=run, idx_to=item.idx_to).exists():
            return
        TimelineItem.objects.create(
            conversation_id=run.conversation_id,
            run=run,
            interaction=interaction,
            seq=_next_seq(run.conversation_id, counted=item.kind in _COUNTED),
            kind=item.kind,
            role=item.role,
            stage=item.stage,
            block_id=item.block_id,
            content=item.content,
            payload=item.payload,
            idx_from=item.idx_from,
            idx_to=item.idx_to,
            created_at=item.created_at,
        )

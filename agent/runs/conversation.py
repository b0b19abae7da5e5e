"""USE CASES on a conversation itself."""

from __future__ import annotations

from django.db import transaction

from agent.models import Conversation, Run
from agent.runs.start import not_active
from agent.selectors import conversation_get, conversation_lock
from agent.store import keys
from agent.store.connection import sync_client
from agent.store.snapshots import SnapshotStore


def conversation_rename(*, user_id: int, conversation_id: str, title: str) -> None:
    """Raises 40401."""
    row = conversation_get(user_id, conversation_id)
    Conversation.objects.filter(pk=row.pk).update(title=title, renamed=True)


def conversation_delete(*, user_id: int, conversation_id: str) -> None:
    """Removes runs, timeline and draft; the timetable stays. Raises 40401, and 40075 while a run is active."""
    locked = conversation_lock(user_id, conversation_id)
    not_active(locked)
    runs = [str(pk) for pk in Run.objects.filter(conversation=locked).values_list("pk", flat=True)]
    locked.delete()
    transaction.on_commit(lambda: _forget(user_id, conversation_id, runs))


def _forget(user_id: int, conversation_id: str, runs: list[str]) -> None:
    client = sync_client()
    SnapshotStore(client).forget(user_id, conversation_id)
    for run_id in runs:
        client.delete(keys.events(run_id), keys.meta(run_id), keys.cancel(run_id))

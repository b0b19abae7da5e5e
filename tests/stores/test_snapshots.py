"""The state document: compare-and-set, owner, fencing, restoration."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from agent.models import Conversation, ConversationState
from agent.store import keys
from agent.store.snapshots import SnapshotConflict, SnapshotStore, StaleWriter

pytestmark = pytest.mark.django_db
DOCUMENT = {"version": 2, "conversation": {"scope": [5]}, "draft": {"schedule": None}}


@pytest.fixture
def conversation(user: Any) -> Conversation:
    return Conversation.objects.create(user=user, title="c")


@pytest.fixture
def store(sync: Any) -> SnapshotStore:
    return SnapshotStore(sync)


def saved(store: SnapshotStore, conversation: Conversation, *, expected: int = 0, **fields: Any) -> int:
    document = {**DOCUMENT, **fields}
    return store.save(conversation.user_id, str(conversation.pk), document, expected=expected)


def loaded(store: SnapshotStore, conversation: Conversation, **how: Any) -> Any:
    return store.load(conversation.user_id, str(conversation.pk), **how)


def test_it_gives_back_what_was_saved(store: SnapshotStore, conversation: Conversation) -> None:
    assert saved(store, conversation) == 1
    snapshot = loaded(store, conversation)
    assert snapshot.revision == snapshot.document["revision"] == 1
    assert {key: snapshot.document[key] for key in DOCUMENT} == DOCUMENT
    assert not snapshot.expired


def test_only_one_of_two_writers_wins(store: SnapshotStore, conversation: Conversation) -> None:
    saved(store, conversation)
    assert saved(store, conversation, expected=1, draft={"a": 1}) == 2
    with pytest.raises(SnapshotConflict):
        saved(store, conversation, expected=1, draft={"a": 2})
    assert loaded(store, conversation).document["draft"] == {"a": 1}


def test_what_is_stored_is_confirmed_without_being_sent(
    store: SnapshotStore, conversation: Conversation, sync: Any
) -> None:
    owner, run_id = (conversation.user_id, str(conversation.pk)), str(uuid.uuid4())
    assert not store.confirm(*owner, expected=0)
    saved(store, conversation)
    sync.expire(keys.state(*owner), 60)
    assert store.confirm(*owner, expected=1)
    assert loaded(store, conversation, touch=False).revision == 1
    assert sync.ttl(keys.state(*owner)) > 60
    assert {key: loaded(store, conversation).document[key] for key in DOCUMENT} == DOCUMENT
    saved(store, conversation, expected=1)
    assert not store.confirm(*owner, expected=1)
    sync.hset(keys.meta(run_id), "fence", 2)
    with pytest.raises(StaleWriter):
        store.confirm(*owner, expected=2, fence=(run_id, 1))


def test_a_stalled_worker_cannot_write(store: SnapshotStore, conversation: Conversation, sync: Any) -> None:
    run_id = str(uuid.uuid4())
    sync.hset(keys.meta(run_id), "fence", 2)
    with pytest.raises(StaleWriter):
        store.save(conversation.user_id, str(conversation.pk), DOCUMENT, expected=0, fence=(run_id, 1))
    assert store.save(conversation.user_id, str(conversation.pk), DOCUMENT, expected=0, fence=(run_id, 2)) == 1


def test_another_user_finds_nothing(store: SnapshotStore, conversation: Conversation, other_user: Any) -> None:
    saved(store, conversation)
    store.keep(conversation.user_id, str(conversation.pk))
    store.forget(conversation.user_id, str(conversation.pk))
    assert store.load(other_user.pk, str(conversation.pk)) is None


def test_sql_restores_what_redis_lost(store: SnapshotStore, conversation: Conversation) -> None:
    saved(store, conversation)
    saved(store, conversation, expected=1, draft={"a": 1})
    before = loaded(store, conversation).document
    store.keep(conversation.user_id, str(conversation.pk))
    store.forget(conversation.user_id, str(conversation.pk))
    assert loaded(store, conversation).document == before
    assert saved(store, conversation, expected=2) == 3


def test_an_old_copy_keeps_the_dialogue_but_not_the_draft(store: SnapshotStore, conversation: Conversation) -> None:
    saved(store, conversation)
    store.keep(conversation.user_id, str(conversation.pk))
    store.forget(conversation.user_id, str(conversation.pk))
    ConversationState.objects.update(saved_at=timezone.now() - timedelta(days=8))
    assert loaded(store, conversation).expired


def test_each_use_slides_the_expiry(store: SnapshotStore, conversation: Conversation, sync: Any) -> None:
    user_id, conversation_id = conversation.user_id, str(conversation.pk)
    saved(store, conversation)
    sync.expire(keys.state(user_id, conversation_id), 100)
    assert loaded(store, conversation, touch=False).expires_at < timezone.now() + timedelta(seconds=101)
    loaded(store, conversation)
    assert sync.ttl(keys.state(user_id, conversation_id)) > 600_000


def test_equal_documents_are_equal_bytes(store: SnapshotStore, conversation: Conversation, sync: Any) -> None:
    saved(store, conversation, b=1, a={"y": 1, "x": "课"})
    text = sync.hget(keys.state(conversation.user_id, str(conversation.pk)), "document")
    assert text.index('"a"') < text.index('"b"')
    assert "课" in text

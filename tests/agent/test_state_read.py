"""The state endpoint reads without a lock, and what it reads is of one moment (wire.md 2.3)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from agent.models import PendingInteraction, Run
from agent.selectors import ConversationLook

pytestmark = pytest.mark.django_db


def pause(run: Run) -> None:
    now = timezone.now()
    details = {
        "id": "11111111-1111-4111-8111-111111111111", "type": "ask_user", "subject": "question",
        "resume_node": "execute", "question": "哪一项？", "block_id": "interrupt.ask.1",
        "created_at": "", "expires_at": "",
    }  # fmt: skip
    PendingInteraction.objects.create(
        id=details["id"], conversation=run.conversation, open_for=run.conversation, run=run, type="ask_user",
        subject="question", question="哪一项？", details=details, created_at=now, expires_at=now + timedelta(days=7),
    )  # fmt: skip
    Run.objects.filter(pk=run.pk).update(active_for=None, status="waiting", outcome="paused")


def test_reading_the_state_opens_no_transaction(ask: Callable[..., Any]) -> None:
    run = ask().run
    pause(run)
    said: list[str] = []

    def wrapper(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        said.append(sql.split()[0].upper())
        return execute(sql, *rest)

    with connection.execute_wrapper(wrapper):
        found = ConversationLook(run.conversation.user_id, str(run.conversation_id)).describe()
    assert set(said) == {"SELECT"}
    assert found["interaction"]["question"] == "哪一项？"
    assert found["last_run"]["status"] == "waiting"


@pytest.mark.parametrize("number", [1, 2])
def test_a_pause_between_the_queries_is_seen_whole_or_not_at_all(ask: Callable[..., Any], number: int) -> None:
    run, count = ask().run, 0

    def wrapper(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        nonlocal count
        count += 1
        if count == number:
            pause(run)
        return execute(sql, *rest)

    with connection.execute_wrapper(wrapper):
        found = ConversationLook(run.conversation.user_id, str(run.conversation_id)).describe()
    seen = (found["last_run"]["status"], found["interaction"] is not None)
    assert seen in [("queued", False), ("waiting", True)]


def test_an_expired_question_is_none(ask: Callable[..., Any]) -> None:
    run = ask().run
    pause(run)
    PendingInteraction.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    found = ConversationLook(run.conversation.user_id, str(run.conversation_id)).describe()
    assert found["interaction"] is None

"""How many messages a day the assistant takes from an account, where the installation has a limit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from agent.models import PendingInteraction, Run
from agent.runs.conversation import conversation_delete
from agent.runs.quota import quota_of
from agent.runs.requests import Ask
from agent.runs.start import run_create
from taskclasses.kernel.errors import CodedError

pytestmark = pytest.mark.django_db

QUESTION = "11111111-1111-4111-8111-111111111111"
NOON = datetime(2026, 3, 2, 4, tzinfo=UTC)


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch, semester: Any, settings: Any) -> Any:
    settings.AGENT_DAILY_MESSAGES = 2
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    return settings


def say(user: Any, message: str = "你好", **more: Any) -> Run:
    return run_create(user.pk, Ask(message=message, **more)).run


def test_the_message_beyond_the_limit_is_refused_and_writes_nothing(user: Any, other_user: Any) -> None:
    say(user)
    say(user, key="second")
    with pytest.raises(CodedError) as refused:
        say(user)
    assert (refused.value.code, refused.value.data) == (40092, {"used": 2, "limit": 2})
    assert say(user, key="second").pk in set(Run.objects.values_list("pk", flat=True)), "said again, not once more"
    assert Run.objects.count() == 2
    assert quota_of(user_id=user.pk, now=NOON).left == 0
    assert quota_of(user_id=other_user.pk, now=NOON).left == 2


def test_a_message_stays_counted_when_its_conversation_is_deleted(user: Any, other_user: Any) -> None:
    for _ in range(2):
        said = say(user)
        Run.objects.filter(pk=said.pk).update(active_for=None, status="succeeded")
        with transaction.atomic():
            conversation_delete(user_id=user.pk, conversation_id=str(said.conversation_id))
    assert not Run.objects.exists()
    assert quota_of(user_id=user.pk, now=NOON).left == 0
    with pytest.raises(CodedError) as refused:
        say(user)
    assert (refused.value.code, refused.value.data) == (40092, {"used": 2, "limit": 2})
    say(other_user)


def test_the_day_ends_at_midnight_of_the_semester(user: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    say(user)
    say(user)
    late = datetime(2026, 3, 2, 15, 59, tzinfo=UTC)
    assert quota_of(user_id=user.pk, now=late).used == 2
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 3, 2, 16, tzinfo=UTC))
    assert quota_of(user_id=user.pk, now=timezone.now()).used == 0
    say(user)


def test_an_answer_is_taken_when_nothing_is_left(user: Any, noon: Any) -> None:
    asked = say(user)
    details = {
        "id": QUESTION, "type": "ask_user", "subject": "question", "resume_node": "execute", "question": "哪一项？",
        "block_id": "interrupt.ask.1", "created_at": "", "expires_at": "",
    }  # fmt: skip
    PendingInteraction.objects.create(
        id=QUESTION, conversation=asked.conversation, open_for=asked.conversation, run=asked, type="ask_user",
        subject="question", question="哪一项？", details=details, created_at=NOON, expires_at=NOON + timedelta(days=7),
    )  # fmt: skip
    Run.objects.filter(pk=asked.pk).update(active_for=None, status="waiting", outcome="paused")
    noon.AGENT_DAILY_MESSAGES = 1
    answered = say(user, "第一项", conversation_id=str(asked.conversation_id))
    assert answered.continues_id == asked.pk
    assert quota_of(user_id=user.pk, now=NOON).used == 1
    Run.objects.filter(pk=answered.pk).update(active_for=None, status="succeeded")
    with pytest.raises(CodedError):
        say(user, "下一件事", conversation_id=str(asked.conversation_id))


def test_without_a_limit_as_many_as_one_likes(user: Any, noon: Any) -> None:
    noon.AGENT_DAILY_MESSAGES = 0
    for _ in range(4):
        say(user)
    found = quota_of(user_id=user.pk, now=NOON)
    assert (found.used, found.limit, found.left) == (4, None, None)

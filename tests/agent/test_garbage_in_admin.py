"""A stored document that cannot be read is told on its page of the admin, which shows all the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from agent.models import ConversationState, Run, RunJournal
from schedules.models import AppliedBatch
from schedules.selectors import semester_current
from tests.kits.agent.runs import pause

pytestmark = pytest.mark.django_db
UNREADABLE = "存储的内容无法识别"
FORMS: list[Any] = ["x", 5, [1], [{}], [None], [["a"]], {"a": 1}, [{"cause": None}], [{"before": {}, "after": None}]]


@pytest.fixture
def staff(django_user_model: Any) -> Client:
    client = Client()
    client.force_login(django_user_model.objects.create_superuser("root", password="x"))
    return client


def text_of(staff: Client, path: str, **query: str) -> str:
    answer = staff.get(f"/admin/{path}", query)
    assert answer.status_code == 200, path
    return answer.content.decode()


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_failed_calls_of_another_form(staff: Client, ask: Callable[..., Any], form: Any) -> None:
    run = ask("帮我排课").run
    Run.objects.filter(pk=run.pk).update(failed_calls=form)
    talk = f"agent/conversation/{run.conversation_id}/change/"
    for path in (f"agent/run/{run.pk}/change/", "agent/run/", talk):
        assert UNREADABLE in text_of(staff, path)
    assert "帮我排课" in text_of(staff, talk)


@pytest.mark.parametrize("stored", [b"", b"garbage", b"\x78\x9c\x03\x00\x00\x00\x00\x01"])
def test_journals_and_states_that_are_damaged(staff: Client, ask: Callable[..., Any], stored: bytes) -> None:
    run = ask("帮我排课").run
    pause(run)
    RunJournal.objects.update_or_create(run=run, defaults={"document": stored})
    assert UNREADABLE in text_of(staff, f"agent/run/{run.pk}/change/")
    state = {"revision": 10**9, "document": stored}
    ConversationState.objects.update_or_create(conversation_id=run.conversation_id, defaults=state)
    assert "帮我排课" in text_of(staff, f"agent/conversation/{run.conversation_id}/change/")
    text_of(staff, f"auth/user/{run.conversation.user_id}/week/")


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("column", ["changes", "row_changes"])
def test_batches_of_another_form(staff: Client, user: Any, column: str, form: Any) -> None:
    batch = AppliedBatch.objects.create(
        user=user, semester=semester_current(user.pk), source="apply-batch", **{column: form}
    )
    page = f"schedules/appliedbatch/{batch.pk}/"
    assert UNREADABLE in text_of(staff, f"{page}change/")
    answer = staff.post(f"/admin/{page}undo/", follow=True)
    assert answer.status_code == 200
    batch.refresh_from_db()
    assert batch.undone_at is None

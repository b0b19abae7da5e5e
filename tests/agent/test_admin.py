"""Staff can read, search and walk between the agent's rows."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from typing import Any, get_args

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from agent.admin.causes import SENTENCES
from agent.loop.outside.model import CauseKind
from agent.models import Conversation, PendingInteraction, Run, RunJournal, TimelineItem
from tests.kits.agent.runs import pause

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(django_user_model: Any) -> Client:
    client = Client()
    client.force_login(django_user_model.objects.create_superuser("root", password="x"))
    return client


@pytest.mark.parametrize("model", ["conversation", "run", "pendinginteraction", "timelineitem"])
def test_every_list_and_every_row_opens(staff: Client, ask: Callable[..., Any], model: str) -> None:
    run = ask("帮我排课").run
    pause(run)
    models = {m._meta.model_name: m for m in (Conversation, Run, PendingInteraction, TimelineItem)}
    row = models[model].objects.get()
    listed = staff.get(f"/admin/agent/{model}/", {"q": "li"})
    assert listed.status_code == 200
    opened = staff.get(f"/admin/agent/{model}/{row.pk}/change/")
    assert opened.status_code == 200
    assert staff.post(f"/admin/agent/{model}/{row.pk}/change/", {}).status_code == 403


@pytest.mark.parametrize("model", ["conversation", "run", "pendinginteraction", "timelineitem"])
def test_a_longer_list_needs_no_more_queries(staff: Client, ask: Callable[..., Any], model: str) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            assert staff.get(f"/admin/agent/{model}/", {"q": "li"}).status_code == 200
        return len(seen)

    pause(ask("帮我排课").run)
    queries()
    few = queries()
    for _ in range(12):
        pause(ask("帮我排课").run)
    assert queries() == few <= 12


@pytest.mark.parametrize("model", ["conversation", "run", "pendinginteraction", "timelineitem"])
def test_no_row_is_deleted_alone(staff: Client, ask: Callable[..., Any], model: str) -> None:
    pause(ask("帮我排课").run)
    row = {m._meta.model_name: m for m in (Conversation, Run, PendingInteraction, TimelineItem)}[model].objects.get()
    assert staff.post(f"/admin/agent/{model}/{row.pk}/delete/", {"post": "yes"}).status_code == 403
    assert type(row).objects.count() == 1


def test_a_run_shows_what_was_offered_what_was_chosen_and_what_that_gave_away(
    staff: Client, ask: Callable[..., Any]
) -> None:
    run = ask("帮我排课").run
    page = f"/admin/agent/run/{run.pk}/change/"
    assert staff.get(page).status_code == 200
    offered = [{"id": "move_8_6_5", "score": 90}, {"id": "swap_3_4", "score": 40}]
    choices = [
        {"offered": offered, "chosen": "swap_3_4", "regret": 50},
        {"offered": offered, "chosen": "", "regret": None},
    ]
    document = zlib.compress(json.dumps({"choices": choices}).encode())
    RunJournal.objects.create(run=run, document=document)
    shown = staff.get(page).content.decode()
    assert "move_8_6_5 (90), swap_3_4 (40)" in shown
    assert "<td>swap_3_4</td><td>50</td>" in shown
    assert "<td>-</td><td>-</td>" in shown


def test_every_cause_has_a_sentence_in_both_languages() -> None:
    assert set(SENTENCES) == set(get_args(CauseKind))
    with override("en"):
        assert all(str(sentence).isascii() for sentence in SENTENCES.values())

"""The ways to catch up, told side by side over REST: nothing is stored, and each becomes the draft that it showed."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from agent.models import Conversation
from smartmate.accounts.tokens import token_create
from tests.kits.agent.lived_term import Term, term
from tests.kits.timetable.fixtures import courses
from tests.kits.timetable.helpers import Api, picture

__all__ = ["courses", "term"]


def ways(term: Term, **ask: Any) -> dict[str, Any]:
    status, body = term.api("POST", "agent/catch-up", ask)
    assert status == 200, body
    return dict(body["data"])


@pytest.mark.parametrize(
    "ask", [{"kind": "missed"}, {"kind": "ill", "from_date": "2026-04-17", "to_date": "2026-04-18"}]
)
def test_each_way_becomes_the_draft_that_it_showed(term: Term, ask: dict[str, Any]) -> None:
    term.mark(term.items[0], "missed")
    before = picture(term.user.pk)
    found = ways(term, **ask)
    assert Conversation.objects.count() == 0
    assert picture(term.user.pk) == before
    assert [one["way"] for one in found["ways"]] == ["least_change", "push_on", "set_aside"]
    assert found["missed"] == (term.items[:1] if ask["kind"] == "missed" else [])
    for one in found["ways"]:
        made = term.ask(**ask, way=one["way"])
        told = {name: made["difference"][name] for name in one["difference"]}
        assert (one["difference"], one["stays"]) == (told, made["stays"]), one["way"]


def test_what_was_not_missed_has_no_way(term: Term) -> None:
    assert ways(term, kind="missed") == {"kind": "missed", "missed": [], "kept": [], "ways": []}


def test_only_what_is_pinned_stays_on_the_days_away(term: Term) -> None:
    assert term.api("POST", f"schedule/task-items/{term.items[1]}/pin")[0] == 200
    found = ways(term, kind="ill", from_date="2026-04-17", task_item_ids=None)
    assert found["kept"] == [term.items[1]]


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        ({"kind": "ill"}, "40005"),
        ({"kind": "ill", "from_date": "2026-04-18", "to_date": "2026-04-17"}, "40005"),
        ({"kind": "anew"}, "40005"),
        ({"kind": "missed", "task_item_ids": [10**9]}, "40036"),
    ],
)
def test_an_ask_that_makes_no_sense_is_refused(term: Term, ask: dict[str, Any], code: str) -> None:
    assert term.api("POST", "agent/catch-up", ask)[1]["status"] == code


def test_another_student_s_items_are_unknown(term: Term, other_user: Any) -> None:
    other_api = Api(Client(headers={"Authorization": f"Bearer {token_create(user=other_user)[1]}"}))
    ask = {"kind": "missed", "task_item_ids": term.items[:1]}
    assert other_api("POST", "agent/catch-up", ask)[1]["status"] == "40036"

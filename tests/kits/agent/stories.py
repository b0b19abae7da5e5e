"""The stories of `tests/conversations/stories.json`, and the term in which they happen."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from schedules.planner.draft.load import load_state
from schedules.planner.draft.state import ScheduleState
from schedules.progress.standing_items import standing_classes
from schedules.selectors import facts_load, semester_current
from smartmate.accounts.tokens import token_create
from tests.kits.agent.lived_term import Term
from tests.kits.timetable.helpers import Api

Json = dict[str, Any]
NOW = datetime(2026, 4, 16, 2, tzinfo=UTC)
STORIES: list[Json] = json.loads(
    (Path(__file__).parents[2] / "conversations" / "stories.json").read_text(encoding="utf8")
)


@pytest.fixture
def term(transactional_db: None, user: Any, semester: Any, courses: None, monkeypatch: pytest.MonkeyPatch) -> Term:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    return Term(user, Api(Client(headers={"Authorization": f"Bearer {token_create(user=user)[1]}"})))


def named(story: Json, part: str, ids: dict[str, int]) -> Json:
    """The call or body of a story with ids in place of names."""
    return {
        key: [ids[name] for name in value] if key == "task_ids" else ids[value] if key == "task_class_id" else value
        for key, value in story[part].items()
    }


def draft_now(user: Any) -> ScheduleState:
    """The timetable as a draft without changes."""
    scope = standing_classes(user.pk)
    semester = semester_current(user.pk)
    facts = facts_load(user_id=user.pk, class_ids=scope, semester=semester)
    return load_state(facts, scope=scope, now=semester.calendar.now_cell(NOW))


def apply_and_undo(term: Term, found: Json, before: ScheduleState) -> None:
    """The draft of an ask goes onto the timetable and back."""
    stood = {entry.source_id: entry.base_spot for entry in before.items()}
    batch = term.accept(found)["batch_id"]
    assert {entry.source_id: entry.base_spot for entry in draft_now(term.user).items()} != stood
    assert term.api("POST", f"schedule/batches/{batch}/undo", {})[0] == 200
    assert {entry.source_id: entry.base_spot for entry in draft_now(term.user).items()} == stood

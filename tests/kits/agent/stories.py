"""The stories of `tests/conversations/stories.json`, and the term in which they happen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from schedules.planner.draft.load import load_state
from schedules.planner.draft.state import ScheduleState
from schedules.progress.standing_items import standing_classes
from schedules.selectors import facts_load, semester_current
from tests.kits.agent.lived_term import NOW, Term

Json = dict[str, Any]
STORIES: list[Json] = json.loads(
    (Path(__file__).parents[2] / "conversations" / "stories.json").read_text(encoding="utf8")
)


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

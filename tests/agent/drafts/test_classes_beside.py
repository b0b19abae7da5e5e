"""What a conversation suggests for one class stays while another class is written, marked, re-planned or deleted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from agent.loop.state.agent_state import AgentState
from agent.loop.state.draft import DraftPart
from agent.models import Conversation
from agent.selectors import draft_of
from agent.store.connection import sync_client
from agent.store.snapshots import SnapshotStore
from schedules.planner.draft.load import load_state
from schedules.planner.draft.operations import Arranged, arrange
from schedules.planner.grid import Place, day_number
from schedules.planner.rules.placement import FREE
from schedules.selectors import facts_load
from schedules.services import class_create, schedule_apply_batch, schedule_undo, task_item_undo
from schedules.services.placement.apply import ApplyClass, ApplyItem
from taskclasses.fields import ItemValues
from taskclasses.models import TaskItem
from tests.kits.agent.lived_term import Term, term
from tests.kits.agent.stories import Json
from tests.kits.agent.talks import PROGRESS, scripted, speaks, talk
from tests.kits.timetable.fixtures import courses
from tests.kits.timetable.helpers import class_values

__all__ = ["courses", "speaks", "term"]

PLACES = (Place(day_number(7, 7), 11, 2), Place(day_number(8, 7), 11, 2))


@pytest.fixture
def beside(term: Term) -> Conversation:
    """A conversation about 单词 whose draft places two items of 阅读, which was planned in it before."""
    dates = {"start_date": date(2026, 4, 13), "end_date": date(2026, 4, 26), "excluded_slots": []}
    items = [ItemValues(order, f"第 {order} 篇") for order in (1, 2)]
    reading = class_create(user=term.user, values=class_values(**dates, name="阅读", items=items, total_slots=4))
    ids = [item.pk for item in reading.items.order_by("order")]
    facts = facts_load(user_id=term.user.pk, class_ids=[reading.pk, term.second.pk])
    bare = load_state(facts, scope=(term.second.pk,), now=(day_number(7, 4), 3))
    wide = load_state(facts, scope=(reading.pk, term.second.pk), now=bare.now)
    placed = arrange(wide, [(item, place, FREE) for item, place in zip(ids, PLACES, strict=True)], planned=ids)
    assert isinstance(placed, Arranged), placed
    conversation = Conversation.objects.create(user=term.user, title="排单词")
    state = AgentState.fresh(conversation_id=str(conversation.pk), user_id=term.user.pk)
    state.conversation.scope = [term.second.pk]
    state.draft = DraftPart(schedule=replace(placed.state, scope=bare.scope), written_at="2026-04-12T10:00:01Z")
    SnapshotStore(sync_client()).save(term.user.pk, str(conversation.pk), state.to_document(), expected=0)
    return conversation


def suggested(conversation: Conversation) -> list[Place]:
    schedule = draft_of(conversation)
    assert schedule is not None
    rows = [entry for entry in schedule.items() if entry.name.endswith("篇") and entry.status == "suggested"]
    return [place for entry in rows if (place := schedule.place_of(entry)) is not None]


def calls(term: Term) -> dict[str, list[Json]]:
    second = term.second.pk
    renamed = {"id": second, "task_class": {"name": "六级单词"}}
    return {
        "mark": [{"name": "mark_items", "arguments": {"task_ids": ["第 2 组"], "progress": "done"}}],
        "write": [{"name": "upsert_task_class", "arguments": renamed}],
        "write several": [{"name": "batch_update_task_classes", "arguments": {"classes": [renamed]}}],
        "delete": [{"name": "delete_task_class", "arguments": {"task_class_id": second}}],
        "replan": [
            {"name": "replan", "arguments": {"kind": "deadline", "task_class_id": second, "date": "2026-04-22"}}
        ],
    }


@pytest.mark.parametrize("what", ["mark", "write", "write several", "delete", "replan"])
def test_a_tool_that_is_about_one_class_leaves_the_suggestions_of_another(
    term: Term, beside: Conversation, what: str, speaks: Callable[[Any], None]
) -> None:
    hook = {"domain": "taskclass"} if what in ("write", "write several", "delete") else PROGRESS
    speaks(scripted(*calls(term)[what], hook=hook))
    run = talk(term.user, "改一下单词", [], "zh", conversation_id=str(beside.pk))
    assert (run.status, run.outcome, run.error_code) == ("succeeded", "completed", "")
    assert run.timeline.filter(payload__icontains=calls(term)[what][0]["name"]).exists()
    assert suggested(beside) == list(PLACES)


def test_an_ask_over_rest_leaves_the_suggestions_of_another_class(term: Term, beside: Conversation) -> None:
    found = term.ask("ill", from_date="2026-04-18", to_date="2026-04-18", conversation_id=str(beside.pk))
    assert term.words[0] in [one["task_item_id"] for one in found["moves"]]
    assert suggested(beside) == list(PLACES)


def test_an_undo_that_gives_suggestions_back_leaves_those_of_another_class(term: Term, beside: Conversation) -> None:
    reading = TaskItem.objects.filter(task_class__name="阅读").values_list("pk", flat=True)
    task_item_undo(user=term.user, task_item_id=term.words[2])
    rows = [ApplyClass(term.second.pk, [ApplyItem(term.words[2], 8, 5, 3, 4)])]
    applied = schedule_apply_batch(user=term.user, batches=rows, conversation_id=beside.pk)
    schedule_undo(user=term.user, batch_id=applied["batch_id"])
    assert term.api("GET", f"agent/schedule-preview?conversation_id={beside.pk}")[0] == 200
    assert suggested(beside) == list(PLACES)
    schedule = draft_of(beside)
    assert schedule is not None
    returned = [entry.source_id for entry in schedule.items() if entry.status == "suggested"]
    assert sorted(returned) == sorted([*reading, term.words[2]])

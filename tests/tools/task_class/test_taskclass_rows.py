"""The class write on real rows: the same refusals as REST, one effect per call, buildable at once."""

from __future__ import annotations

import json
from functools import partial

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from agent.calls.ports import Ports
from agent.tools.default import default_registry
from schedules.planner.draft.adapter import apply_plan, problem_of
from schedules.planner.solver.rough_build import plan
from schedules.selectors import facts_load, task_class_book
from schedules.services import class_upsert
from smartmate.accounts.tokens import token_create
from taskclasses.models import TaskClass
from tests.kits.tools.cases import NEW_CLASS
from tests.kits.tools.class_values import BROKEN, NAME, new_class
from tests.kits.tools.world import call

REGISTRY = default_registry()
pytestmark = pytest.mark.django_db(transaction=True)


def desk(user, semester):
    """The ports as the composition root binds them."""

    async def save(values, *, call_id):
        return await sync_to_async(class_upsert)(user_id=user.pk, values=values, claim=f"goal:{call_id}")

    async def book(class_id):
        found = await sync_to_async(task_class_book)(user.pk, class_id)
        return {**found, "today": "2026-03-10"}

    async def facts(class_ids):
        return await sync_to_async(partial(facts_load, user_id=user.pk, class_ids=class_ids, semester=semester))()

    return Ports(upsert_task_class=save, task_class_book=book, load_facts=facts)


async def upsert(user, semester, arguments, state=None, **fields):
    fields = {"scope": (), "calendar": semester.calendar, "now_cell": (9, 1), **fields}
    return await call(NAME, arguments, state, ports=desk(user, semester), **fields)


async def test_a_class_is_written_once_and_can_be_built_at_once(user, semester):
    for _ in range(2):
        outcome, result = await upsert(user, semester, NEW_CLASS, call_id="execute.tool.1")
        assert outcome.error is None, result.observation_text
    assert await TaskClass.objects.acount() == 1
    state = outcome.draft
    assert state.scope == (outcome.data["task_class_id"],)
    built = apply_plan(state, plan(problem_of(state)))
    assert [entry.status for entry in built.items()] == ["suggested", "suggested"]


async def test_an_update_keeps_what_it_does_not_name(user, semester):
    first, _ = await upsert(user, semester, NEW_CLASS, call_id="1")
    class_id = first.data["task_class_id"]
    change = {"id": class_id, "task_class": {"end_date": "2026-04-19"}}
    second, _ = await upsert(user, semester, change, first.draft, call_id="2")
    assert second.error is None
    assert second.data["item_ids"] == first.data["item_ids"]
    row = await TaskClass.objects.aget(pk=class_id)
    assert (row.name, row.end_date.isoformat(), row.excluded_days_of_week) == ("线性代数复习", "2026-04-19", [7])
    assert second.draft.window.total_days == first.draft.window.total_days + 7


async def test_a_removed_suggestion_is_listed(user, semester):
    first, _ = await upsert(user, semester, NEW_CLASS, call_id="1")
    state = apply_plan(first.draft, plan(problem_of(first.draft)))
    keep = {"id": first.data["item_ids"][0], "content": "行列式"}
    change = {"id": first.data["task_class_id"], "items": [keep], "task_class": {"config": {"total_slots": 2}}}
    second, result = await upsert(user, semester, change, state, call_id="2")
    assert second.error is None, result.observation_text
    assert [row["name"] for row in second.data["unplaced"]] == ["矩阵"]


async def test_another_students_class_is_not_found(user, other_user, semester):
    first, _ = await upsert(user, semester, NEW_CLASS, call_id="1")
    change = {"id": first.data["task_class_id"], "task_class": {"name": "x"}}
    second, _ = await upsert(other_user, semester, change, call_id="1")
    assert second.error.code == "class_not_found"


def flat(values):
    """The same class in the flat form of REST."""
    task_class = dict(values.get("task_class", {}))
    config = task_class.pop("config", {})
    items = [{"order": index, **item} for index, item in enumerate(values.get("items", []), 1)]
    defaults = {"mode": "auto", "strategy": "steady", "allow_filler_course": False}
    return {**defaults, **task_class, **config, "items": items}


def test_rest_accepts_and_refuses_what_the_tool_does(user, semester):
    """Only a total of sections and dates around today are the agent's own demands."""
    client = Client(headers={"Authorization": f"Bearer {token_create(user=user)[1]}"})

    def posted(values):
        body = json.dumps(flat(values))
        return client.post("/api/v1/task-class", data=body, content_type="application/json").status_code

    assert posted(NEW_CLASS) == 200
    for changes, field, code in BROKEN:
        if code not in {"in_the_past", "outside_semester"} and not field.endswith("total_slots"):
            assert posted(new_class(**changes)) in (400, 413, 422), changes

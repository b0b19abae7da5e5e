"""POST /agent/schedule-state: what it refuses, in which order, and that a refusal changes nothing."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from agent.models import ConversationState, Run
from agent.store.connection import sync_client
from agent.store.snapshots import SnapshotStore
from tests.kits.agent.draft_world import DraftWorld, client_of, items_of, status_of
from tests.kits.agent.lasting_world import semester, student, user, world, written

__all__ = ["semester", "student", "user", "world", "written"]


def test_it_leaves_the_revision_when_the_preview_comes_back_unchanged(world: DraftWorld) -> None:
    before = world.preview()
    answer = world.save(*items_of(before), revision=before["revision"])
    assert answer.json() == {"status": "10000", "info": "success", "data": None}
    assert answer["X-Draft-Revision"] == str(before["revision"])
    assert world.preview() == before


def test_it_accepts_an_empty_list_as_nothing_to_do(world: DraftWorld) -> None:
    answer = world.save()
    assert (status_of(answer), answer["X-Draft-Revision"]) == ("10000", "1")


def test_it_moves_an_item_and_raises_the_revision(world: DraftWorld) -> None:
    answer = world.save(world.place("大数定律", 4, 3), revision=1)
    assert (status_of(answer), answer["X-Draft-Revision"]) == ("10000", "2")
    preview = world.preview()
    moved = next(e for e in preview["hybrid_entries"] if e["task_item_id"] == world.items["大数定律"])
    assert (moved["day_of_week"], moved["section_from"], moved["status"]) == (4, 3, "suggested")
    assert preview["revision"] == 2
    assert preview["generated_at"] != "2026-04-12T10:00:01Z"
    assert preview["trace_id"].startswith("trace-7b0e4c0a")


def test_it_puts_an_unplaced_item_down(world: DraftWorld) -> None:
    assert [item["name"] for item in world.preview()["unplaced_items"]] == ["中心极限定理"]
    assert status_of(world.save(world.place("中心极限定理", 6, 3))) == "10000"
    assert world.preview()["unplaced_items"] == []


def test_it_lifts_all_named_items_first_so_that_a_whole_row_shifts(world: DraftWorld) -> None:
    answer = world.save(world.place("大数定律", 6, 5), world.place("随机变量", 1, 3), world.place("数字特征", 2, 3))
    assert status_of(answer) == "10000"


def test_it_records_the_move_for_the_next_run_and_keeps_a_durable_copy(world: DraftWorld) -> None:
    world.save(world.place("大数定律", 4, 3))
    fact = world.stored().draft.log[-1]
    assert (fact.who, fact.revision, fact.changes[0]["name"]) == ("student", 2, "大数定律")
    SnapshotStore(sync_client()).forget(world.user.pk, world.id)
    assert ConversationState.objects.filter(conversation=world.conversation).exists()
    assert world.preview()["revision"] == 2


def test_a_running_run_does_not_block_the_save(world: DraftWorld) -> None:
    Run.objects.create(conversation=world.conversation, active_for=world.conversation, number=1, status="running")
    assert status_of(world.save(world.place("大数定律", 4, 3))) == "10000"


def test_a_draft_ends_seven_days_after_its_last_use(world: DraftWorld) -> None:
    world.save(world.place("大数定律", 4, 3))
    SnapshotStore(sync_client()).forget(world.user.pk, world.id)
    rows = ConversationState.objects.filter(conversation=world.conversation)
    rows.update(saved_at=timezone.now() - timedelta(days=7, seconds=1))
    assert status_of(world.save()) == "40058"
    assert status_of(world.client.get("/api/v1/agent/schedule-preview", {"conversation_id": world.id})) == "40053"


def test_it_replays_the_answer_of_a_used_key(world: DraftWorld) -> None:
    body = {"conversation_id": world.id, "items": [world.place("大数定律", 4, 3)], "revision": 1}
    first = world.post("schedule-state", body, **{"Idempotency-Key": "save-1"})
    again = world.post("schedule-state", body, **{"Idempotency-Key": "save-1"})
    assert (first.content, again["Idempotent-Replayed"]) == (again.content, "true")
    assert again["X-Draft-Revision"] == "2"


Defect = Callable[[DraftWorld], dict[str, Any]]
"""One wrong body that only its own check refuses."""


def body(world: DraftWorld, *items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"conversation_id": world.id, "items": list(items), **more}


REFUSED: dict[str, tuple[str, Defect]] = {
    "no conversation": ("40004", lambda w: {"items": []}),
    "blank conversation": ("40004", lambda w: {"conversation_id": " ", "items": []}),
    "null conversation": ("40004", lambda w: {"conversation_id": None, "items": []}),
    "numeric conversation": ("40005", lambda w: {"conversation_id": 5, "items": []}),
    "no items": ("40005", lambda w: {"conversation_id": w.id}),
    "items no list": ("40005", lambda w: {"conversation_id": w.id, "items": {}}),
    "item no object": ("40005", lambda w: {"conversation_id": w.id, "items": [1]}),
    "boolean week": ("40005", lambda w: body(w, {**w.place("大数定律", 4, 3), "week": True})),
    "text week": ("40005", lambda w: body(w, {**w.place("大数定律", 4, 3), "week": "7"})),
    "week 0": ("40005", lambda w: body(w, w.place("大数定律", 4, 3, week=0))),
    "day 8": ("40005", lambda w: body(w, w.place("大数定律", 8, 3))),
    "section 0": ("40005", lambda w: body(w, w.place("大数定律", 4, 0))),
    "end before start": ("40005", lambda w: body(w, w.place("大数定律", 4, 3, length=0))),
    "text revision": ("40005", lambda w: body(w, revision="1")),
    "501 items": ("40006", lambda w: body(w, *[w.place("大数定律", 4, 3)] * 501)),
    "unknown conversation": (
        "40058",
        lambda w: {"conversation_id": "00000000-0000-4000-8000-000000000000", "items": []},
    ),
    "no uuid": ("40058", lambda w: {"conversation_id": "x" * 300, "items": []}),
    "one item twice": ("40062", lambda w: body(w, w.place("大数定律", 4, 3), w.place("大数定律", 4, 7))),
    "stale revision": ("40071", lambda w: body(w, revision=99)),
    "week outside the window": ("40059", lambda w: body(w, w.place("大数定律", 4, 3, week=8))),
    "huge week": ("40059", lambda w: body(w, w.place("大数定律", 4, 3, week=10**30))),
    "section beyond the day": ("40059", lambda w: body(w, w.place("大数定律", 4, 12))),
    "unknown item": ("40060", lambda w: body(w, {**w.place("大数定律", 4, 3), "task_item_id": 10**9})),
    "applied item": ("40034", lambda w: body(w, {**w.place("大数定律", 4, 3), "task_item_id": w.applied_item})),
    "unknown host": ("40061", lambda w: body(w, {**w.place("大数定律", 4, 3), "embed_course_event_id": 10**9})),
    "host elsewhere": ("40061", lambda w: body(w, w.place("大数定律", 5, 5, host="思想政治"))),
    "occupied": ("40026", lambda w: body(w, w.place("大数定律", 4, 5))),
    "on an embeddable course without saying so": ("40026", lambda w: body(w, w.place("随机变量", 3, 5))),
    "host taken": ("40025", lambda w: body(w, w.place("随机变量", 3, 5, host="思想政治"))),
    "host not embeddable": ("40073", lambda w: body(w, w.place("大数定律", 4, 5, host="大学英语"))),
    "order": ("40072", lambda w: body(w, w.place("大数定律", 1, 3))),
    "wrong length": ("40073", lambda w: body(w, w.place("大数定律", 5, 3, length=1))),
    "excluded weekday, a suggestion of ours": (
        "40073",
        lambda w: body(w, {**w.place("大数定律", 7, 3), "by_hand": False}),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_refuses_and_leaves_the_draft_as_it_was(world: DraftWorld, name: str) -> None:
    before = world.stored()
    code, defect = REFUSED[name]
    answer = world.post("schedule-state", defect(world))
    assert status_of(answer) == code, answer.content.decode()
    assert answer["Content-Type"].startswith("application/json")
    assert world.stored() == before


@pytest.mark.parametrize("raw", ["", "{", "[]", "null", "1", '"x"', "\xff", '{"conversation_id": NaN}'])
def test_it_refuses_what_is_no_json_object(world: DraftWorld, raw: str) -> None:
    answer = world.client.post("/api/v1/agent/schedule-state", raw.encode("latin-1"), content_type="application/json")
    assert status_of(answer) == "40005"


def test_it_names_every_violation_in_request_order(world: DraftWorld) -> None:
    answer = world.save({**world.place("大数定律", 7, 3), "by_hand": False}, world.place("随机变量", 4, 5))
    conflicts = json.loads(answer.content)["data"]["conflicts"]
    assert status_of(answer) == "40073"
    assert [(row["task_item_id"], row["rule"]) for row in conflicts] == [
        (world.items["大数定律"], "excluded_weekday"),
        (world.items["随机变量"], "occupied"),
        (world.items["随机变量"], "order_after"),
    ]
    assert conflicts[1]["with"] == {
        "event_id": world.events["大学英语"],
        "task_item_id": 0,
        "name": "大学英语",
        "type": "course",
    }
    assert (conflicts[1]["week"], conflicts[1]["day_of_week"], conflicts[1]["section_to"]) == (7, 4, 6)


STAGES = (
    ("40004", lambda w, b: {**b, "conversation_id": ""}),
    ("40005", lambda w, b: {**b, "revision": "x"}),
    ("40058", lambda w, b: {**b, "conversation_id": "00000000-0000-4000-8000-000000000000"}),
    ("40062", lambda w, b: {**b, "items": [*b["items"], w.place("随机变量", 2, 3), w.place("随机变量", 2, 3)]}),
    ("40071", lambda w, b: {**b, "revision": b["revision"] if b["revision"] == "x" else 99}),
    ("40059", lambda w, b: {**b, "items": [*b["items"], w.place("数字特征", 4, 3, week=9)]}),
    ("40026", lambda w, b: {**b, "items": [*b["items"], w.place("大数定律", 4, 5)]}),
)
"""One way to spoil a body per check, in the order of the checks; they can be combined."""


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations(range(len(STAGES)), 2)))
def test_it_answers_the_earlier_of_two_defects(world: DraftWorld, first: int, second: int) -> None:
    spoiled = {"conversation_id": world.id, "items": [], "revision": 1}
    for index in (second, first):
        spoiled = STAGES[index][1](world, spoiled)
    code = status_of(world.post("schedule-state", spoiled))
    assert code == STAGES[first][0]


def test_it_judges_items_one_by_one_before_it_looks_at_the_picture(world: DraftWorld) -> None:
    unknown = {**world.place("大数定律", 4, 3), "task_item_id": 10**9}
    applied = {**world.place("大数定律", 4, 3), "task_item_id": world.applied_item}
    assert status_of(world.save(world.place("大数定律", 4, 5), unknown)) == "40060"
    assert status_of(world.save(applied, unknown)) == "40034"
    assert status_of(world.save(unknown, world.place("随机变量", 2, 3, week=9))) == "40060"


def test_it_treats_the_draft_of_somebody_else_as_missing(world: DraftWorld, other_user: Any) -> None:
    stranger = client_of(other_user)
    answers = {
        stranger.post(
            "/api/v1/agent/schedule-state",
            {"conversation_id": conversation, "items": []},
            content_type="application/json",
        ).content
        for conversation in (world.id, "00000000-0000-4000-8000-000000000000")
    }
    assert len(answers) == 1
    preview = stranger.get("/api/v1/agent/schedule-preview", {"conversation_id": world.id})
    assert status_of(preview) == "40053"


def test_it_asks_for_an_identity_first(world: DraftWorld) -> None:
    world.client.defaults.pop("HTTP_AUTHORIZATION", None)
    answer = world.client.post(
        "/api/v1/agent/schedule-state", "{", content_type="application/json", headers={"Authorization": "Bearer no"}
    )
    assert status_of(answer) == "40014"

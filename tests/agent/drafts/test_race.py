"""Two tabs save at the same time: every accepted save is in the final draft."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from schedules.models import AppliedBatch
from tests.kits.agent.draft_world import DraftWorld, client_of, make_world, status_of

SAVES = 6


@pytest.fixture
def world(transactional_db: None, user: Any, semester: Any) -> DraftWorld:
    return make_world(user, semester)


def save_back_and_forth(world: DraftWorld, name: str, places: tuple[tuple[int, int], ...]) -> Callable[[], list[str]]:
    def work() -> list[str]:
        client = client_of(world.user)
        codes = []
        for number in range(SAVES):
            body = {"conversation_id": world.id, "items": [world.place(name, *places[number % 2])]}
            codes.append(status_of(client.post("/api/v1/agent/schedule-state", body, content_type="application/json")))
        connection.close()
        return codes

    return work


def test_saves_of_different_items_never_lose_each_other(world: DraftWorld) -> None:
    tabs = [
        save_back_and_forth(world, "大数定律", ((4, 3), (4, 7))),
        save_back_and_forth(world, "随机变量", ((1, 3), (1, 5))),
    ]
    with ThreadPoolExecutor(len(tabs)) as pool:
        codes = [future.result() for future in [pool.submit(tab) for tab in tabs]]
    assert codes == [["10000"] * SAVES] * 2
    preview = world.preview()
    places = {e["name"]: (e["day_of_week"], e["section_from"]) for e in preview["hybrid_entries"]}
    assert (places["大数定律"], places["随机变量"]) == ((4, 7), (1, 5))
    assert preview["revision"] == 1 + 2 * SAVES
    assert [fact.revision for fact in world.stored().draft.log] == list(range(2, 2 + 2 * SAVES))


def test_one_of_many_applies_writes_and_the_others_find_nothing_or_are_stale(world: DraftWorld) -> None:
    def press(number: int) -> tuple[str, Any]:
        try:
            answer = client_of(world.user).post(
                "/api/v1/agent/schedule-apply",
                {"conversation_id": world.id, "revision": 1},
                content_type="application/json",
                headers={"Idempotency-Key": f"k-{number}"},
            )
            return status_of(answer), (answer.json()["data"] or {}).get("batch_id")
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(press, range(6)))
    assert len([batch for code, batch in answers if code == "10000" and batch]) == 1
    assert {code for code, _ in answers} <= {"10000", "40071"}
    assert AppliedBatch.objects.filter(user=world.user, source="schedule-apply").count() == 1

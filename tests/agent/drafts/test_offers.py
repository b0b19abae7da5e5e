"""A refused place comes with ways out that can be posted as they are."""

from __future__ import annotations

from typing import Any

from tests.kits.agent.draft_world import DraftWorld, status_of
from tests.kits.agent.lasting_world import semester, student, user, world, written

__all__ = ["semester", "student", "user", "world", "written"]


def offers(world: DraftWorld, *items: Any) -> list[dict[str, Any]]:
    answer = world.save(*items)
    assert answer.status_code >= 400, answer.content
    found: list[dict[str, Any]] = answer.json()["data"].get("offers", [])
    return found


def test_an_order_conflict_offers_to_shift_the_followers(world: DraftWorld) -> None:
    """The first item goes behind the second: only the second has to give way."""
    [offer] = offers(world, world.place("随机变量", 4, 1))
    assert offer["kind"] == "shift_followers"
    moved = {row["task_item_id"]: row for row in offer["items"]}
    assert moved.keys() == {world.items["随机变量"], world.items["数字特征"]}
    assert not moved[world.items["数字特征"]]["by_hand"]
    assert "「数字特征」移到" in offer["message"]
    assert status_of(world.save(*offer["items"])) == "10000"
    schedule = world.stored().schedule
    assert schedule is not None
    assert schedule.by_item(world.items["随机变量"]).by_hand
    assert not schedule.by_item(world.items["数字特征"]).by_hand


def test_a_pinned_follower_is_never_shifted(world: DraftWorld) -> None:
    world.post("draft-pin", {"conversation_id": world.id, "task_item_ids": [world.items["数字特征"]]})
    assert offers(world, world.place("随机变量", 4, 1)) == []


def test_a_taken_cell_offers_the_nearest_places(world: DraftWorld) -> None:
    found = offers(world, world.place("大数定律", 4, 5))
    assert [offer["kind"] for offer in found] == ["nearest"] * 3
    assert {row["day_of_week"] for offer in found for row in offer["items"]} == {4}
    assert "周四" in found[0]["message"]
    for offer in found:
        assert status_of(world.save(*offer["items"])) == "10000"


def test_a_save_of_several_keeps_the_others_in_the_offer(world: DraftWorld) -> None:
    found = offers(world, world.place("大数定律", 5, 7), world.place("随机变量", 1, 1))
    assert {row["task_item_id"] for row in found[0]["items"]} == {world.items["大数定律"], world.items["随机变量"]}
    assert status_of(world.save(*found[0]["items"])) == "10000"


def test_what_nothing_can_mend_offers_nothing(world: DraftWorld) -> None:
    assert offers(world, world.place("大数定律", 5, 3, length=1)) == []


def test_an_apply_offers_places_on_the_timetable(world: DraftWorld) -> None:
    put = {"content_type": "application/json", "headers": {"Idempotency-Key": "o-1"}}
    address = "/api/v1/task-class/apply-batch-into-schedule"
    body = {"task_class_id": world.task_class.pk, "items": [world.place("大数定律", 4, 5)]}
    refused = world.client.put(address, body, **put)
    assert status_of(refused) == "40026"
    found = refused.json()["data"]["offers"]
    assert [offer["kind"] for offer in found] == ["nearest"] * 3
    again = world.client.put(address, {**body, "items": found[0]["items"]}, **put)
    assert status_of(again) == "10000"

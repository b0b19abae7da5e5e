"""A class that changed is noticed by an open draft at its next reading, save and apply, whoever changed it how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from schedules.services import class_upsert
from taskclasses.models import TaskItem
from tests.kits.agent.draft_world import WEEK, DraftWorld, status_of
from tests.kits.agent.lasting_world import semester, student, user, world, written

__all__ = ["semester", "student", "user", "world", "written"]

Edit = Callable[[DraftWorld, dict[str, Any]], None]


def over_rest(world: DraftWorld, body: dict[str, Any]) -> None:
    address = f"/api/v1/task-class/{world.task_class.pk}"
    answer = world.client.put(address, body, content_type="application/json")
    assert answer.status_code == 200, answer.content


def by_the_agent(world: DraftWorld, body: dict[str, Any]) -> None:
    fields = {key: value for key, value in body.items() if key not in ("id", "items")}
    values = {"id": world.task_class.pk, "task_class": fields, "items": body["items"], "source": "chat"}
    class_upsert(user_id=world.user.pk, values=values, claim="call-1")


def in_the_admin(world: DraftWorld, body: dict[str, Any]) -> None:
    from django.contrib.auth.models import User

    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    form = {name: value for name, value in body.items() if name != "items" and value is not None}
    form |= {"user": world.user.pk, "excluded_slots": str(body["excluded_slots"])}
    form["excluded_days_of_week"] = str(body["excluded_days_of_week"])
    if not form.pop("allow_filler_course"):
        form.pop("allow_filler_course", None)
    else:
        form["allow_filler_course"] = "on"
    rows = body["items"]
    form |= {"items-TOTAL_FORMS": len(rows), "items-INITIAL_FORMS": sum("id" in row for row in rows)}
    for index, row in enumerate(sorted(rows, key=lambda row: "id" not in row)):
        form |= {f"items-{index}-task_class": world.task_class.pk, f"items-{index}-id": row.get("id") or ""}
        for name in ("order", "content", "duration"):
            form[f"items-{index}-{name}"] = "" if row.get(name) is None else row[name]
    page = client.post(reverse("admin:taskclasses_taskclass_change", args=(world.task_class.pk,)), form)
    assert page.status_code == 302, page.context["errors"]


CHANNELS = {"rest": over_rest, "agent": by_the_agent, "admin": in_the_admin}


@pytest.fixture(params=CHANNELS.values(), ids=CHANNELS.keys())
def edit(request: pytest.FixtureRequest, world: DraftWorld) -> Callable[..., None]:
    """Changes the class of the draft through one of the ways there are."""

    def change(**changes: Any) -> None:
        body = world.client.get(f"/api/v1/task-class/{world.task_class.pk}").json()["data"]
        request.param(world, {**body, **changes})

    return change


def items_of(world: DraftWorld) -> list[dict[str, Any]]:
    rows = TaskItem.objects.filter(task_class=world.task_class).order_by("order")
    return [{"id": row.pk, "order": row.order, "content": row.content, "duration": row.duration} for row in rows]


def suggested(world: DraftWorld) -> dict[str, tuple[int, int]]:
    rows = world.preview()["hybrid_entries"]
    return {row["name"]: (row["day_of_week"], row["section_from"]) for row in rows if row["status"] == "suggested"}


def test_a_shorter_window_takes_suggestions_their_place(world: DraftWorld, edit: Any) -> None:
    before = world.preview()["revision"]
    edit(start_date="2026-04-15")
    after = world.preview()
    assert after["revision"] == before + 1
    assert after["window"]["from"] == {"week": WEEK, "day_of_week": 3}
    assert {row["name"]: row["rule"] for row in after["unplaced_items"]}["随机变量"] == "outside_window"


def test_a_new_exclusion_takes_a_suggestion_its_place(world: DraftWorld, edit: Any) -> None:
    world.preview()
    edit(excluded_days_of_week=[5])
    after = world.preview()
    assert {row["name"]: row["rule"] for row in after["unplaced_items"]}["大数定律"] == "excluded_weekday"


def test_a_new_item_waits_for_a_place(world: DraftWorld, edit: Any) -> None:
    before = world.preview()
    edit(items=[*items_of(world), {"order": 5, "content": "极限定理的应用", "duration": 2}], total_slots=10)
    after = world.preview()
    assert after["revision"] == before["revision"] + 1
    assert [row["name"] for row in after["unplaced_items"]] == ["中心极限定理", "极限定理的应用"]


def test_a_renamed_item_has_its_new_name(world: DraftWorld, edit: Any) -> None:
    before = world.preview()["revision"]
    rows = items_of(world)
    rows[0]["content"] = "随机变量与分布"
    edit(items=rows)
    assert suggested(world)["随机变量与分布"] == (2, 3)
    assert world.preview()["revision"] == before + 1


def test_a_longer_item_loses_its_place(world: DraftWorld, edit: Any) -> None:
    rows = items_of(world)
    rows[2]["duration"] = 3
    edit(items=rows)
    assert {row["name"]: row["rule"] for row in world.preview()["unplaced_items"]}["大数定律"] == "wrong_length"


def test_an_exchanged_order_is_judged_again(world: DraftWorld, edit: Any) -> None:
    rows = items_of(world)
    rows[0]["order"], rows[2]["order"] = 3, 1
    edit(items=rows)
    assert len(suggested(world)) < 3


def test_a_save_is_judged_by_the_class_as_it_is_now(world: DraftWorld, edit: Any) -> None:
    edit(excluded_days_of_week=[6])
    answer = world.save(world.place("大数定律", 6, 5))
    assert status_of(answer) == "10000"
    assert [row["rule"] for row in answer.json()["data"]["warnings"]] == ["excluded_weekday"]


def test_an_apply_of_what_the_class_forbids_now_is_refused(world: DraftWorld, edit: Any) -> None:
    edit(excluded_days_of_week=[2])
    answer = world.apply()
    assert status_of(answer) == "40073"
    assert [row["task_item_id"] for row in answer.json()["data"]["conflicts"]] == [world.items["随机变量"]]
    assert TaskItem.objects.filter(task_class=world.task_class, status=2).count() == 0


def test_a_deleted_item_is_out_of_the_draft(world: DraftWorld) -> None:
    over_rest(world, {**world.client.get(f"/api/v1/task-class/{world.task_class.pk}").json()["data"],
                      "items": items_of(world)[1:]})  # fmt: skip
    assert "随机变量" not in suggested(world)
    assert status_of(world.save(world.place("随机变量", 2, 1))) == "40060"


def test_a_deleted_class_leaves_an_empty_draft(world: DraftWorld) -> None:
    assert world.client.delete(f"/api/v1/task-class/{world.task_class.pk}").status_code == 200
    assert suggested(world) == {}
    answer = world.apply()
    assert status_of(answer) == "10000"
    assert answer.json()["data"]["batch_id"] is None


def test_an_unchanged_class_leaves_the_draft_alone(world: DraftWorld, edit: Any) -> None:
    # A class that has no seal yet is given one.
    over_rest(world, world.client.get(f"/api/v1/task-class/{world.task_class.pk}").json()["data"])
    before = world.preview()
    edit()
    assert world.preview() == before

"""Where an item may go, and pins of a draft, over the API."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from smartmate.accounts.tokens import token_create
from tests.kits.agent.draft_world import WEEK, DraftWorld, status_of
from tests.kits.agent.lasting_world import semester, student, user, world, written

__all__ = ["semester", "student", "user", "world", "written"]


def places(world: DraftWorld, name: str, **more: Any) -> dict[str, Any]:
    answer = world.post("legal-places", {"task_item_id": world.items[name], "conversation_id": world.id, **more})
    assert answer.status_code == 200, answer.content
    data: dict[str, Any] = answer.json()["data"]
    return data


def told(data: dict[str, Any], day: int, first: int) -> tuple[str, list[str], int]:
    week = next(one for one in data["weeks"] if one["week"] == WEEK)
    verdict = data["verdicts"][week["cells"][day - 1][first - 1]]
    rules = [data["reasons"][number]["rule"] for number in verdict["reasons"]]
    return verdict["kind"], rules, verdict["embed_course_event_id"]


def test_one_answer_tells_every_place_of_the_term(world: DraftWorld) -> None:
    data = places(world, "大数定律")
    assert len(data["weeks"]) == 20
    assert all(len(week["cells"]) == 7 and len(day) == 11 for week in data["weeks"] for day in week["cells"])
    assert told(data, 5, 7) == ("legal", [], 0)
    assert told(data, 7, 3) == ("warned", ["excluded_weekday"], 0)
    assert told(data, 4, 5) == ("refused", ["occupied"], 0)
    assert told(data, 1, 3)[1] == ["order_before"]
    blocked = next(row for row in data["reasons"] if row["rule"] == "occupied")
    assert "大学英语" in blocked["message"] or "高等数学" in blocked["message"]


def test_a_legal_lecture_is_named(world: DraftWorld) -> None:
    data = places(world, "数字特征")
    assert told(data, 3, 5) == ("legal", [], world.events["思想政治"])


def test_what_is_told_is_what_a_save_answers(world: DraftWorld) -> None:
    """Every start of the week, asked and tried."""
    data = places(world, "大数定律")
    revision = data["revision"]
    for day in range(1, 8):
        for first in range(1, 12):
            kind, rules, host = told(data, day, first)
            name = next((name for name, event in world.events.items() if event == host), "")
            answer = world.save(world.place("大数定律", day, first, host=name))
            body, before, revision = answer.json(), revision, places(world, "大数定律")["revision"]
            if kind == "refused":
                assert body["data"]["conflicts"][0]["rule"] in [*rules, "occupied"]
                assert revision == before
            else:
                warned = [row["rule"] for row in (body["data"] or {"warnings": []})["warnings"]]
                assert (body["status"], warned) == ("10000", rules)


def test_what_is_applied_moves_in_the_draft_when_the_student_means_it(world: DraftWorld) -> None:
    row = {"task_item_id": world.applied_item, "week": WEEK, "day_of_week": 6, "start_section": 3, "end_section": 4}
    assert status_of(world.save(row)) == "40034"
    assert status_of(world.save({**row, "from_timetable": True})) == "40034"  # its class is not in the draft
    opened = world.post("replan", {"kind": "hand", "conversation_id": world.id}).json()["data"]
    assert opened["moves"] == []
    assert status_of(world.save(row)) == "40034"
    assert status_of(world.save({**row, "from_timetable": True})) == "10000"
    moved = world.preview()["difference"]["moved"]
    assert [(one["task_item_id"], one["after"]["section_from"]) for one in moved] == [(world.applied_item, 3)]


def test_siblings_do_not_change_places(world: DraftWorld) -> None:
    """Their order would be broken; what may change places is tried in the browser."""
    assert [places(world, name)["swaps"] for name in world.items] == [[], [], [], []]


def test_without_a_conversation_it_is_about_the_timetable(world: DraftWorld) -> None:
    answer = world.post("legal-places", {"task_item_id": world.items["大数定律"]})
    data = answer.json()["data"]
    assert data["revision"] is None
    assert told(data, 4, 5)[0] == "refused"
    assert told(data, 2, 3)[0] != "refused"


def test_nobody_elses_item_is_told(world: DraftWorld) -> None:
    stranger = User.objects.create_user("wang2")
    other = Client(headers={"Authorization": f"Bearer {token_create(user=stranger)[1]}"})
    body = {"task_item_id": world.items["大数定律"]}
    answers = [
        other.post("/api/v1/agent/legal-places", one, content_type="application/json").json()["status"]
        for one in (body, {**body, "conversation_id": world.id})
    ]
    assert answers == ["40036", "40058"]
    assert status_of(world.post("legal-places", {"task_item_id": 10**9, "conversation_id": world.id})) == "40060"


def test_a_pinned_suggestion_is_kept_until_it_is_unpinned(world: DraftWorld) -> None:
    body = {"conversation_id": world.id, "task_item_ids": [world.items["随机变量"]]}
    answer = world.post("draft-pin", body)
    assert answer.json()["data"]["items"] == [
        {"task_item_id": world.items["随机变量"], "pinned": True, "by_hand": False}
    ]
    rows = {row["item_id"]: row for row in world.preview()["hybrid_entries"]}
    assert rows[world.items["随机变量"]]["pinned"]
    assert answer["X-Draft-Revision"] == str(world.preview()["revision"])
    world.apply()
    week = world.client.get(f"/api/v1/schedule/week?week={WEEK}").json()["data"]["events"]
    assert {row["pinned"] for row in week if row["task_item_id"] == world.items["随机变量"]} == {True}


def test_unpinning_can_give_a_place_back_to_the_planner(world: DraftWorld) -> None:
    world.save(world.place("大数定律", 5, 7))
    body = {"conversation_id": world.id, "task_item_ids": [world.items["大数定律"]]}
    world.post("draft-pin", body)
    assert world.post("draft-unpin", body).json()["data"]["items"][0]["by_hand"]
    freed = world.post("draft-unpin", {**body, "release": True}).json()["data"]["items"][0]
    assert (freed["pinned"], freed["by_hand"]) == (False, False)


def test_only_placed_suggestions_of_the_draft_are_pinned(world: DraftWorld) -> None:
    cases = {world.applied_item: "40034", world.items["中心极限定理"]: "40077", 10**9: "40060"}
    for item, code in cases.items():
        assert status_of(world.post("draft-pin", {"conversation_id": world.id, "task_item_ids": [item]})) == code


def test_one_sentence_says_why_an_item_stands_there(world: DraftWorld) -> None:
    asked = {"task_item_id": world.items["大数定律"], "conversation_id": world.id}
    data = world.post("why", asked).json()["data"]
    assert data["message"].startswith("放在 ")
    assert "10:15–11:55：" in data["message"]
    parts = {row["part"]: row for row in data["parts"]}
    assert parts.keys() >= {"order", "window", "free", "spread", "load"}
    assert "「数字特征」之后" in parts["order"]["message"]
    assert all((row["message"] in data["message"]) == row["decides"] for row in data["parts"])
    world.post("draft-pin", {"conversation_id": world.id, "task_item_ids": [world.items["大数定律"]]})
    assert "你钉住了它" in world.post("why", asked).json()["data"]["message"]


def test_an_item_without_a_place_has_no_why(world: DraftWorld) -> None:
    body = {"task_item_id": world.items["中心极限定理"], "conversation_id": world.id}
    assert status_of(world.post("why", body)) == "40077"
    english = world.post("why", {**body, "task_item_id": world.items["随机变量"]}, **{"Accept-Language": "en"})
    assert english.json()["data"]["message"].startswith("At ")

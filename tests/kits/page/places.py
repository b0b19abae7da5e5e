"""Where the suggestions of a page could go, judged from public data only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

from tests.kits.page.planner import Planner

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "script" / "demo_walk"))
from demo_places import FreePlaces

PLAN = "帮我把选中的任务排好"
CELL = ("week", "day_of_week", "section_from", "section_to")


def plan_all(planner: Planner) -> None:
    planner.show("chat")
    for box in planner.page.locator("#class-list input").all():
        box.check()
    planner.say(PLAN)
    planner.show("week")


def plan_before(planner: Planner) -> str:
    """The same before a page is opened; the conversation."""
    return say_before(planner, PLAN, *sorted(one["id"] for one in planner.api("/task-class?page_size=100")["list"]))


def say_before(planner: Planner, message: str, *classes: int, conversation: str = "") -> str:
    """A message about some tasks before a page is opened, answered; the conversation."""
    asked = {"conversation_id": conversation, "message": message, "thinking": "auto"}
    answer = planner.request("POST", "/agent/chat", {**asked, "extra": {"task_class_ids": classes}})
    assert answer.ok, answer.text()
    return str(answer.headers["x-conversation-id"])


def apply_before(planner: Planner, conversation: str) -> list[dict[str, Any]]:
    """Applies a draft before a page is opened; what stands in it then."""
    revision = planner.preview(conversation)["revision"]
    planner.send("POST", "/agent/schedule-apply", {"conversation_id": conversation, "revision": revision})
    entries: list[dict[str, Any]] = planner.preview(conversation)["hybrid_entries"]
    return entries


def place_of(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: entry[key] for key in CELL}


class Places(FreePlaces):
    """Swaps besides the free places."""

    def __init__(self, planner: Planner) -> None:
        listed = planner.api("/task-class?page_size=100")["list"]
        full = [planner.api(f"/task-class/{one['id']}") for one in listed if one["mode"] == "auto"]
        super().__init__(planner.api("/schedule/semester"), full, planner.preview())

    @property
    def suggested(self) -> list[dict[str, Any]]:
        return [entry for entry in self.preview["hybrid_entries"] if entry["status"] == "suggested"]

    def fits(self, entry: dict[str, Any], place: dict[str, Any]) -> bool:
        """Everything but whether the cells are free: dates, weekday, blocks, order."""
        task_class = self.classes[entry["task_class_id"]]
        blocks = {(section + 1) // 2 for section in range(place["section_from"], place["section_to"] + 1)}
        siblings = self._of_class(entry["task_class_id"])
        at = siblings.index(entry)
        before = tuple(siblings[at - 1][key] for key in ("week", "day_of_week", "section_to")) if at else (0,)
        after = tuple(siblings[at + 1][key] for key in CELL[:3]) if at + 1 < len(siblings) else (99,)
        first, last = (tuple(place[key] for key in ("week", "day_of_week", end)) for end in CELL[2:])
        return (
            (place["week"], place["day_of_week"]) in set(self._days(task_class))
            and not blocks & set(task_class["excluded_slots"])
            and before < first
            and last < after
        )

    def swaps(self) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        """Two free-standing suggestions of different classes that may lie where the other lies."""
        free = [entry for entry in self.suggested if not entry["event_id"]]
        for one, other in permutations(free, 2):
            same_length = one["section_to"] - one["section_from"] == other["section_to"] - other["section_from"]
            differ = one["task_class_id"] != other["task_class_id"]
            if same_length and differ and self.fits(one, place_of(other)) and self.fits(other, place_of(one)):
                yield one, other

    def neighbours(self) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        """Two suggestions of one class and length, the earlier one first."""
        for class_id in self.classes:
            own = [entry for entry in self._of_class(class_id) if not entry["event_id"]]
            for one, other in pairwise(own):
                if one["section_to"] - one["section_from"] == other["section_to"] - other["section_from"]:
                    yield one, other


def moves_apart(planner: Planner) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Two moves of different classes to different days: each is legal with or without the other."""
    moves = other_places(planner)  # one of each class
    pairs = permutations(moves, 2)
    return next([one, other] for one, other in pairs if day_of(one[1]) != day_of(other[1]))


def day_of(place: dict[str, Any]) -> tuple[int, int]:
    return place["week"], place["day_of_week"]


def other_places(planner: Planner) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Suggestions and the free places where they could legally go."""
    return list(Places(planner).moves())


def entry_now(planner: Planner, entry: dict[str, Any]) -> dict[str, Any]:
    """The suggestion of the same item in the draft of now."""
    rows = planner.preview()["hybrid_entries"]
    found: dict[str, Any] = next(row for row in rows if row["task_item_id"] == entry["task_item_id"])
    return found


def free_starts(answer: Any, week: int) -> Iterator[dict[str, Any]]:
    """The free-standing legal places of a week."""
    for day, cells in enumerate(answer["weeks"][week - 1]["cells"], 1):
        for first, number in enumerate(cells, 1):
            verdict = answer["verdicts"][number]
            if verdict["kind"] == "legal" and not verdict["embed_course_event_id"]:
                last = first + answer["sections"] - 1
                yield {"week": week, "day_of_week": day, "section_from": first, "section_to": last}

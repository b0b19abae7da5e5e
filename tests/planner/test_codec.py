"""Reading a problem is strict and names the field; writing gives the documented shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from schedules.planner.codec import placements_from_json, plan_to_json, problem_from_json
from schedules.planner.problem import ProblemError
from schedules.planner.solver.rough_build import plan, plan_with_bound
from tests.kits.planner.examples import example, plan_document

Edit = Callable[[dict[str, Any]], object]


def edited(path: str, value: object) -> Edit:
    """Set a field, given as 'a.0.b'."""

    def edit(document: dict[str, Any]) -> None:
        *road, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        target: Any = document
        for step in road:
            target = target[step]
        target[last] = value

    return edit


ITEM = "task_classes.0.items.0"
PIN = {"week": 1, "day_of_week": 1, "section_from": 3}


@pytest.mark.parametrize(
    ("edit", "field"),
    [
        (lambda d: d.pop("semester"), "semester"),
        (edited("version", 2), "version"),
        (edited("version", True), "version"),
        (edited("semester.weeks", 31), "semester.weeks"),
        (edited("semester.weeks", "20"), "semester.weeks"),
        (edited("semester.sections", 17), "semester.sections"),
        (edited("semester.day_parts", [[1, 4], [6, 12]]), "semester.day_parts[1]"),
        (edited("semester.day_parts", [[1, 4]]), "semester.day_parts"),
        (edited("now", {"week": 1, "day_of_week": 8, "section": 1}), "now.day_of_week"),
        (edited("now", []), "now"),
        (edited("occupied.0.section_to", 13), "occupied[0].section_to"),
        (edited("occupied.1.can_be_embedded", 1), "occupied[1].can_be_embedded"),
        (edited("occupied.2.type", "exam"), "occupied[2].type"),
        (edited("occupied.1.event_id", 901), "occupied"),
        (edited("task_classes", None), "task_classes"),
        (edited("task_classes.0.strategy", "slow"), "task_classes[0].strategy"),
        (edited("task_classes.0.excluded_slots", [7]), "task_classes[0].excluded_slots[0]"),
        (edited("task_classes.0.excluded_days_of_week", None), "task_classes[0].excluded_days_of_week"),
        (edited("task_classes.0.difficulty_level", "hard"), "task_classes[0].difficulty_level"),
        (edited("task_classes.0.end.week", 0), "task_classes[0].end"),
        (edited("task_classes.1.id", 5), "task_classes"),
        (edited(f"{ITEM}.duration", True), "task_classes[0].items[0].duration"),
        (edited(f"{ITEM}.duration", 5), "task_classes[0].items[0].duration"),
        (edited(f"{ITEM}.id", 102), "task_classes.items"),
        (edited(f"{ITEM}.pinned", 5), "task_classes[0].items[0].pinned"),
        (edited(f"{ITEM}.pinned", PIN | {"section_from": 12}), "task_classes[0].items[0].pinned.section_from"),
        (edited(f"{ITEM}.pinned", PIN | {"section_from": 1}), "task_classes[0].items[0].pinned"),
    ],
)
def test_it_names_the_wrong_field(edit: Edit, field: str) -> None:
    document = example()
    edit(document)
    with pytest.raises(ProblemError) as caught:
        problem_from_json(document)
    assert caught.value.field == field


@pytest.mark.parametrize("document", [None, [], 3, "x", {}])
def test_it_refuses_what_is_no_problem_at_all(document: object) -> None:
    with pytest.raises(ProblemError):
        problem_from_json(document)


def test_two_pins_share_neither_a_cell_nor_a_host() -> None:
    document = example()
    document["task_classes"][0]["items"][0]["pinned"] = PIN
    document["task_classes"][1]["items"][0]["pinned"] = PIN
    with pytest.raises(ProblemError, match=r"task_classes\[1\].items\[0\].pinned"):
        problem_from_json(document)
    host = PIN | {"day_of_week": 2}
    document["task_classes"][0]["items"][0] |= {"duration": 1, "pinned": host}
    document["task_classes"][1]["items"][0] |= {"duration": 1, "pinned": host | {"section_from": 4}}
    with pytest.raises(ProblemError, match="already hosts item 101"):
        problem_from_json(document)
    del document["task_classes"][1]["items"][0]
    document["occupied"][2]["guest_task_item_id"] = 777
    with pytest.raises(ProblemError, match="already hosts item 777"):
        problem_from_json(document)


def test_class_dates_are_cut_to_the_semester() -> None:
    document = example()
    document["task_classes"][0] |= {"start": {"week": -3, "day_of_week": 2}, "end": {"week": 40, "day_of_week": 7}}
    task_class = problem_from_json(document).task_classes[0]
    assert (task_class.start_day, task_class.end_day) == (1, 140)
    document["task_classes"][0]["start"] = {"week": 30, "day_of_week": 1}
    problem = problem_from_json(document)
    assert [left.rule for left in plan(problem).unplaced] == ["outside_class_window"] * 2


def test_a_plan_document_has_the_documented_keys_in_order() -> None:
    written = plan_to_json(plan_with_bound(problem_from_json(example())))
    keys = ["version", "placements", "unplaced", "capacity", "cost", "explanations", "bound", "gap"]
    assert list(written) == keys
    assert written["placements"][0] == {
        "task_item_id": 201,
        "task_class_id": 6,
        "week": 1,
        "day_of_week": 1,
        "section_from": 3,
        "section_to": 4,
        "embed_course_event_id": None,
    }
    assert written["capacity"] == [
        {"task_class_id": 5, "needed_sections": 4, "available_sections": 36, "missing_sections": 0},
        {"task_class_id": 6, "needed_sections": 6, "available_sections": 66, "missing_sections": 0},
    ]
    assert sum(one["cost"] for one in written["explanations"]) == written["cost"]["total"] == 65


def test_placements_are_read_back_strictly() -> None:
    problem = problem_from_json(example())
    found = plan_with_bound(problem)
    assert placements_from_json(plan_to_json(found), problem) == found.placements
    with pytest.raises(ProblemError, match="is not in the problem"):
        placements_from_json(plan_document([(999, 1, 3, 4)]), problem)
    with pytest.raises(ProblemError, match="is placed twice"):
        placements_from_json(plan_document([(101, 1, 3, 4), (101, 2, 1, 2)]), problem)

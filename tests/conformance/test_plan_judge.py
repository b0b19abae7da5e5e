"""Plans of random problems before the independent judge, and the judge itself before the worked example."""

from __future__ import annotations

import json
import random

import pytest

from schedules.planner.codec import plan_to_json, problem_from_json
from schedules.planner.solver.rough_build import plan
from tests.conformance.judge import Term, judge, price
from tests.conformance.problems import random_problem


def course(event_id: int, weekday: int, first: int, embeddable: bool = False) -> dict[str, object]:
    return {
        "event_id": event_id,
        "name": str(event_id),
        "week": 1,
        "day_of_week": weekday,
        "section_from": first,
        "section_to": first + 1,
        "type": "course",
        "can_be_embedded": embeddable,
        "guest_task_item_id": None,
    }


def worked_example() -> dict[str, object]:
    def task_class(
        number: int, name: str, strategy: str, last: int, intensity: str, items: list[int]
    ) -> dict[str, object]:
        return {
            "id": number,
            "name": name,
            "strategy": strategy,
            "start": {"week": 1, "day_of_week": 1},
            "end": {"week": 1, "day_of_week": last},
            "allow_filler_course": True,
            "excluded_slots": [6],
            "excluded_days_of_week": [],
            "subject_type": None,
            "difficulty_level": intensity,
            "cognitive_intensity": intensity,
            "items": [
                {"id": i, "order": n, "duration": 2, "name": str(i), "pinned": None} for n, i in enumerate(items, 1)
            ],
        }

    return {
        "version": 1,
        "semester": {"weeks": 20, "sections": 12, "day_parts": [[1, 4], [5, 8], [9, 12]]},
        "now": None,
        "occupied": [course(901, 1, 1), course(902, 1, 5), course(900, 2, 3, embeddable=True)],
        "task_classes": [
            task_class(5, "概率论复习", "steady", 4, "high", [101, 102]),
            task_class(6, "六级词汇", "rapid", 7, "low", [201, 202, 203]),
        ],
    }


def placements(*rows: tuple[int, int, int, int | None]) -> list[dict[str, object]]:
    return [
        {
            "task_item_id": item,
            "task_class_id": 5 if item < 200 else 6,
            "week": 1,
            "day_of_week": weekday,
            "section_from": first,
            "section_to": first + 1,
            "embed_course_event_id": host,
        }
        for item, weekday, first, host in rows
    ]


def test_the_judge_prices_the_worked_example() -> None:
    term = Term(worked_example())
    first = placements((101, 1, 3, None), (102, 3, 3, None), (201, 1, 7, None), (202, 2, 3, 900), (203, 3, 1, None))
    best = placements((101, 2, 5, None), (102, 4, 1, None), (201, 1, 3, None), (202, 1, 7, None), (203, 2, 3, 900))
    assert sum(price(term, {"placements": first, "unplaced": []}).values()) == 146
    assert sum(price(term, {"placements": best, "unplaced": []}).values()) == 65


def test_the_planner_finds_the_optimum_of_the_worked_example() -> None:
    document = plan_to_json(plan(problem_from_json(worked_example())))
    assert judge(worked_example(), document) == []
    assert document["cost"]["total"] == 65


@pytest.mark.parametrize("seed", range(120))
def test_it_builds_a_plan_that_the_judge_accepts(seed: int) -> None:
    problem = random_problem(seed)
    assert judge(problem, plan_to_json(plan(problem_from_json(problem)))) == []


@pytest.mark.parametrize("seed", range(30))
def test_the_order_of_the_input_does_not_matter(seed: int) -> None:
    problem = random_problem(seed)
    shuffled = json.loads(json.dumps(problem))
    dice = random.Random(seed)
    dice.shuffle(shuffled["occupied"])
    dice.shuffle(shuffled["task_classes"])
    for task_class in shuffled["task_classes"]:
        dice.shuffle(task_class["items"])
    plans = [json.dumps(plan_to_json(plan(problem_from_json(p)))) for p in (problem, shuffled)]
    assert plans[0] == plans[1]

"""What no longer stands is repaired with few moves; everything else stays where it is."""

from __future__ import annotations

import copy
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from schedules.planner.codec import problem_from_json
from schedules.planner.problem import Problem
from schedules.planner.replan import plan_keeping
from schedules.planner.rough_build import plan
from schedules.planner.rules import Situation, broken_rules
from tests.planner.examples import example, lesson
from tests.planner.strategies import random_document
from tests.planner.test_rough_build import board_of, subject_of

seeds = st.integers(min_value=0, max_value=10**9)


def disturbed(document: dict[str, Any], problem: Problem, seed: int) -> dict[str, Any]:
    """The problem with a new lesson on top of some placed items."""
    rng = random.Random(seed)
    other = copy.deepcopy(document)
    free = [one for one in plan(problem).placements if problem.item_by_id[one.task_item_id].pinned is None]
    for number, one in enumerate(rng.sample(free, min(2, len(free)))):
        if one.embed_course_event_id is None:
            place = one.place
            other["occupied"].append(
                lesson(5000 + number, "new", (place.day - 1) % 7 + 1, place.first, place.last)
                | {"week": (place.day - 1) // 7 + 1}
            )
    return other


@given(seeds, st.integers(min_value=0, max_value=4))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_it_repairs_within_the_budget_and_breaks_nothing(seed: int, max_moves: int) -> None:
    document = random_document(seed)
    before = plan(problem_from_json(document))
    problem = problem_from_json(disturbed(document, problem_from_json(document), seed))
    done = plan_keeping(problem, keep=before.placements, max_moves=max_moves)
    assert sum(1 for move in done.moves if move.after is not None) <= max_moves
    now = {one.task_item_id: one.place for one in done.plan.placements}
    listed = {move.task_item_id for move in done.moves}
    for one in before.placements:
        assert now.get(one.task_item_id) == one.place or one.task_item_id in listed
    board = board_of(problem, done.plan.placements)
    for one in done.plan.placements:
        item = problem.item_by_id[one.task_item_id]
        if item.pinned is None:
            subject = subject_of(problem.class_of_item[item.id], item)
            situation = Situation(now=problem.now)
            assert broken_rules(board, subject, one.place, situation=situation) == []


@given(seeds)
@settings(max_examples=30, deadline=None, derandomize=True)
def test_a_plan_that_still_stands_is_left_alone(seed: int) -> None:
    problem = problem_from_json(random_document(seed))
    found = plan(problem)
    done = plan_keeping(problem, keep=found.placements, max_moves=9)
    assert (done.plan.placements, done.moves) == (found.placements, ())


def test_a_new_lesson_moves_just_the_item_it_hits_and_says_why() -> None:
    found = plan(problem_from_json(example()))
    document = example()
    document["occupied"].append(lesson(77, "new", 2, 5, 6))
    done = plan_keeping(problem_from_json(document), keep=found.placements, max_moves=3)
    assert [(move.task_item_id, move.reason) for move in done.moves] == [(101, "occupied")]
    assert done.moves[0].after is not None


def test_a_passed_now_without_moves_leaves_the_past_items_over() -> None:
    found = plan(problem_from_json(example()))
    document = example() | {"now": {"week": 1, "day_of_week": 2, "section": 1}}
    done = plan_keeping(problem_from_json(document), keep=found.placements, max_moves=0)
    assert [(move.task_item_id, move.reason, move.after) for move in done.moves] == [
        (201, "in_the_past", None),
        (202, "in_the_past", None),
    ]


def test_siblings_make_room_when_their_moves_are_allowed() -> None:
    document = example()
    document["task_classes"][0] |= {"excluded_slots": [2, 3, 4, 5, 6], "start": {"week": 1, "day_of_week": 2}}
    document["task_classes"][1]["items"] = []
    problem = problem_from_json(document)
    kept = [one for one in plan(problem).placements if one.task_item_id == 102]
    tight = copy.deepcopy(document)
    tight["occupied"].append(lesson(77, "new", 4, 1, 2))
    tight["occupied"].append(lesson(78, "new", 2, 1, 2))
    roomy = plan_keeping(problem, keep=kept, max_moves=2)
    assert len(roomy.plan.placements) == 2
    assert len(plan_keeping(problem_from_json(tight), keep=kept, max_moves=2).plan.placements) == 1

"""What no longer stands is repaired with few moves; everything else stays where it is."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedules.planner.codec import problem_from_json
from schedules.planner.grid import Place
from schedules.planner.problem import Placement, Problem
from schedules.planner.rules.placement import Situation, broken_rules
from schedules.planner.solver.replan import RepairedPlan, plan_keeping
from schedules.planner.solver.rough_build import plan
from tests.kits.budgets import tried
from tests.kits.planner.checking import board_of, subject_of
from tests.kits.planner.examples import example, item, lesson
from tests.kits.planner.least_change import Goal, disturb, least_change, tiny_document
from tests.kits.planner.strategies import random_document

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
@tried(60)
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
@tried(30)
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


def goal_of(problem: Problem, keep: tuple[Placement, ...], done: RepairedPlan) -> Goal:
    had, placed = {one.task_item_id for one in keep}, {one.task_item_id for one in done.plan.placements}
    left = [(one.id in had, one.duration) for _, one in problem.each_item() if one.id not in placed]
    moves = sum(move.after is not None for move in done.moves)
    kept, fresh = (sum(length for was, length in left if was is kept) for kept in (True, False))
    return kept, fresh, moves, done.plan.cost.total


@given(seeds)
@tried(300)
def test_it_finds_the_least_change_that_trying_everything_finds(seed: int) -> None:
    rng = random.Random(seed)
    document = tiny_document(rng)
    keep = plan(problem_from_json(document)).placements
    disturb(document, keep, rng)
    problem, max_moves = problem_from_json(document), rng.randint(0, 4)
    done = plan_keeping(problem, keep=keep, max_moves=max_moves)
    assert goal_of(problem, keep, done) == least_change(problem, keep, max_moves)


def chain_document() -> dict[str, Any]:
    """One day each: class 1 fits on Monday only, class 2 on Monday and Tuesday, class 3 on Tuesday and Wednesday."""
    document = example()
    document["occupied"] = []
    row = document["task_classes"][0] | {"excluded_slots": [2, 3, 4, 5, 6], "allow_filler_course": False}
    document["task_classes"] = [
        {
            **row,
            "id": number,
            "name": f"class {number}",
            "start": {"week": 1, "day_of_week": first},
            "end": {"week": 1, "day_of_week": last},
            "items": [item(100 * number + 1, 1)],
        }
        for number, first, last in ((1, 1, 1), (2, 1, 2), (3, 2, 3))
    ]
    return document


def seat(item_id: int, day: int, first: int = 1, last: int = 2) -> Placement:
    return Placement(item_id, item_id // 100, Place(day, first, last - first + 1))


def where(done: RepairedPlan) -> dict[int, int]:
    return {one.task_item_id: one.place.day for one in done.plan.placements}


def test_items_of_other_classes_are_pushed_on_to_make_room() -> None:
    done = plan_keeping(problem_from_json(chain_document()), keep=[seat(201, 1), seat(301, 2)], max_moves=2)
    assert where(done) == {101: 1, 201: 2, 301: 3}
    assert [(move.task_item_id, move.reason) for move in done.moves] == [(201, "makes_room"), (301, "makes_room")]


def test_a_chain_longer_than_the_moves_is_not_begun() -> None:
    done = plan_keeping(problem_from_json(chain_document()), keep=[seat(201, 1), seat(301, 2)], max_moves=1)
    assert (where(done), done.moves) == ({201: 1, 301: 2}, ())
    assert [left.task_item_id for left in done.plan.unplaced] == [101]


def test_a_broken_item_and_the_one_it_pushes_are_two_moves() -> None:
    document = chain_document()
    document["occupied"] = [lesson(77, "new", 2, 1, 2)]
    document["task_classes"][2] |= {"start": {"week": 1, "day_of_week": 1}, "end": {"week": 1, "day_of_week": 2}}
    document["task_classes"][1] |= {"end": {"week": 1, "day_of_week": 4}}
    document["task_classes"][0]["items"] = []
    problem, keep = problem_from_json(document), [seat(201, 1), seat(301, 2)]
    done = plan_keeping(problem, keep=keep, max_moves=2)
    assert [(move.task_item_id, move.reason) for move in done.moves] == [(201, "makes_room"), (301, "occupied")]
    alone = plan_keeping(problem, keep=keep, max_moves=1)
    assert [(move.task_item_id, move.after) for move in alone.moves] == [(301, None)]


def test_of_two_kept_items_on_one_place_only_one_gives_way() -> None:
    document = chain_document()
    document["task_classes"][0]["items"] = []
    done = plan_keeping(problem_from_json(document), keep=[seat(201, 2), seat(301, 2)], max_moves=1)
    assert len(where(done)) == 2
    assert [move.reason for move in done.moves] == ["occupied"]


def test_of_two_kept_items_on_one_place_the_one_that_can_go_elsewhere_gives_way() -> None:
    document = chain_document()
    document["task_classes"][0]["items"] = []
    document["task_classes"][2] |= {"end": {"week": 1, "day_of_week": 2}}
    done = plan_keeping(problem_from_json(document), keep=[seat(201, 2), seat(301, 2)], max_moves=1)
    assert where(done) == {201: 1, 301: 2}
    assert [(move.task_item_id, move.reason) for move in done.moves] == [(201, "occupied")]


def test_a_kept_item_on_the_wrong_side_of_a_pin_is_moved_behind_it() -> None:
    document = example()
    document["task_classes"][0]["items"][0]["pinned"] = {"week": 1, "day_of_week": 3, "section_from": 1}
    done = plan_keeping(problem_from_json(document), keep=[Placement(102, 5, Place(2, 1, 2))], max_moves=1)
    move = next(one for one in done.moves if one.task_item_id == 102)
    assert (move.reason, move.after is not None and move.after.day >= 3) == ("order_before", True)


def test_many_broken_items_are_all_moved_when_so_many_moves_are_allowed() -> None:
    document = chain_document()
    document["task_classes"] = [document["task_classes"][1] | {"items": [item(200 + k, k) for k in range(1, 16)]}]
    document["task_classes"][0] |= {"excluded_slots": [], "end": {"week": 4, "day_of_week": 7}}
    document["now"] = {"week": 2, "day_of_week": 1, "section": 1}
    keep = [Placement(200 + k, 2, Place(1 + k // 6, 2 * (k % 6) + 1, 2)) for k in range(1, 16)]
    done = plan_keeping(problem_from_json(document), keep=keep, max_moves=15)
    assert [(move.reason, move.after is None) for move in done.moves] == [("in_the_past", False)] * 15
    few = plan_keeping(problem_from_json(document), keep=keep, max_moves=12)
    assert sum(move.after is None for move in few.moves) == 3


def test_room_is_made_also_while_many_others_are_broken() -> None:
    document = chain_document()
    later = {"week": 2, "day_of_week": 1}, {"week": 4, "day_of_week": 7}
    items = [item(400 + k, k) for k in range(1, 13)]
    document["task_classes"].append(document["task_classes"][2] | {"id": 4, "name": "class 4", "items": items})
    document["task_classes"][3] |= {"start": later[0], "end": later[1], "excluded_slots": []}
    keep = [seat(201, 1), seat(301, 2), *(seat(400 + k, 5, k, k + 1) for k in range(1, 12, 2))]
    keep += [seat(400 + k, 6, k - 1, k) for k in range(2, 13, 2)]
    done = plan_keeping(problem_from_json(document), keep=keep, max_moves=14)
    assert len(done.plan.placements) == 15
    reasons = Counter(move.reason for move in done.moves)
    assert reasons == {"outside_class_window": 12, "makes_room": 2}


def test_when_the_order_of_a_class_is_changed_the_fewest_items_give_way() -> None:
    document = chain_document()
    document["task_classes"] = [document["task_classes"][1]]
    document["task_classes"][0] |= {"end": {"week": 1, "day_of_week": 7}}
    document["task_classes"][0]["items"] = [item(201, 4), item(202, 1), item(203, 2), item(204, 3)]
    keep = [seat(200 + number, number) for number in (1, 2, 3, 4)]
    done = plan_keeping(problem_from_json(document), keep=keep, max_moves=4)
    assert [(move.task_item_id, move.reason) for move in done.moves] == [(201, "order_before")]


def test_a_further_class_takes_room_without_moving_what_stands() -> None:
    document = random_document(7)
    before = plan(problem_from_json(document)).placements
    fresh = copy.deepcopy(document["task_classes"][0])
    fresh["id"] = 99
    for one in fresh["items"]:
        one |= {"id": one["id"] + 10_000, "pinned": None}
    document["task_classes"].append(fresh)
    done = plan_keeping(problem_from_json(document), keep=before, max_moves=0)
    assert done.moves == ()
    assert set(before) <= set(done.plan.placements)


def test_a_negative_number_of_moves_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        plan_keeping(problem_from_json(example()), keep=(), max_moves=-1)

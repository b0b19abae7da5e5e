"""The forecast counts what a class may use, names the week that is too small and what takes the room."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from schedules.planner.codec import problem_from_json
from schedules.planner.diagnosis.capacity import capacity_forecast
from schedules.planner.grid import Place, week_and_weekday
from schedules.planner.problem import PlanClass, PlanItem, Problem
from schedules.planner.rules.board import PlacedItem
from schedules.planner.rules.placement import Situation, Subject, broken_rules
from schedules.planner.rules.violations import Rule
from schedules.planner.solver.rough_build import plan
from tests.kits.budgets import tried
from tests.kits.planner.checking import board_of, subject_of
from tests.kits.planner.examples import example, item
from tests.kits.planner.least_change import tiny_document
from tests.kits.planner.strategies import random_document

ORDER = {Rule.ORDER_BEFORE, Rule.ORDER_AFTER}


@given(st.integers(min_value=0, max_value=10**9))
@tried(50)
def test_it_agrees_with_the_capacity_rows_of_the_plan(seed: int) -> None:
    problem = problem_from_json(random_document(seed))
    forecast = capacity_forecast(problem)
    for row, one in zip(plan(problem).capacity, forecast.classes, strict=True):
        assert (row.task_class_id, row.needed_sections) == (one.task_class_id, one.needed_sections)
        assert row.available_sections == one.free_sections
        days = max(0, problem_days(problem, one.task_class_id))
        assert one.free_sections + sum(one.lost_sections.values()) == days * problem.grid.sections


def problem_days(problem: Problem, class_id: int) -> int:
    task_class = next(one for one in problem.task_classes if one.id == class_id)
    return task_class.end_day - task_class.start_day + 1


def test_everything_fits_in_the_example() -> None:
    forecast = capacity_forecast(problem_from_json(example()))
    assert forecast.first_infeasible_week is None
    steady = forecast.classes[0]
    assert (steady.free_sections, steady.missing_sections, steady.infeasible_week) == (36, 0, None)
    assert (steady.costliest_rule, steady.lost_sections) == ("excluded_block", {"excluded_block": 8, "occupied": 4})


def test_it_names_the_week_in_which_the_work_is_left_over() -> None:
    document = example()
    document["task_classes"][0] |= {
        "end": {"week": 2, "day_of_week": 2},
        "excluded_days_of_week": [1, 2, 3, 4, 5, 6],
        "items": [item(100 + k, k) for k in range(1, 8)],
    }
    forecast = capacity_forecast(problem_from_json(document))
    assert forecast.first_infeasible_week == 2
    assert forecast.classes[0].missing_sections == 4
    assert forecast.classes[0].costliest_rule == "excluded_weekday"
    assert forecast.classes[0].free_sections == 10


@given(st.integers(min_value=0, max_value=10**9))
@tried(40)
def test_every_section_of_the_dates_is_free_or_lost_to_the_first_rule_that_a_single_section_breaks(seed: int) -> None:
    problem = problem_from_json(random_document(seed))
    board = board_of(problem, problem.pins)
    for task_class, one in zip(problem.task_classes, capacity_forecast(problem).classes, strict=True):
        subject = Subject(-1, 1, "", 1, task_class)
        free, lost = 0, Counter[str]()
        for day in range(task_class.start_day, task_class.end_day + 1):
            for section in range(1, problem.grid.sections + 1):
                found = broken_rules(board, subject, Place(day, section, 1), situation=Situation(now=problem.now))
                rules = [broken.rule for broken in found if broken.rule not in ORDER]
                free += not rules
                lost.update(rule.value for rule in rules[:1])
        assert (one.free_sections, one.lost_sections) == (free, lost)
        assert max(lost.values(), default=0) == (lost[one.costliest_rule] if one.costliest_rule else 0)


def fortnight(seed: int) -> dict[str, Any]:
    """A tiny problem whose days lie around the Sunday between two weeks."""
    rng = random.Random(seed)
    document = tiny_document(rng)
    document["semester"]["weeks"] = 2
    for task_class in document["task_classes"]:
        first = rng.randint(6, 7)
        task_class |= {"start": day_of(first), "end": day_of(rng.randint(first, 9))}
    days = rng.sample(range(6, 10), len(document["occupied"]))
    for event, day in zip(document["occupied"], days, strict=True):
        event |= day_of(day)
    return document


def day_of(day: int) -> dict[str, int]:
    week, day_of_week = week_and_weekday(day)
    return {"week": week, "day_of_week": day_of_week}


def all_fit(problem: Problem, classes: Sequence[PlanClass]) -> bool:
    """Whether the items of some classes find places beside each other, by trying all of them."""
    board, situation = board_of(problem, ()), Situation(now=problem.now, planner=True)

    def further(rows: list[tuple[PlanClass, PlanItem]]) -> bool:
        if not rows:
            return True
        subject = subject_of(*rows[0])
        for day in range(1, problem.grid.days + 1):
            for first in range(1, problem.grid.sections - subject.length + 2):
                place = Place(day, first, subject.length)
                if broken_rules(board, subject, place, situation=situation):
                    continue
                rank, host = (subject.order, subject.name), board.host_at(place)
                board.put(PlacedItem(subject.item_id, subject.task_class.id, *rank, place, host))
                found = further(rows[1:])
                board.lift(subject.item_id)
                if found:
                    return True
        return False

    return further([(task_class, one) for task_class in classes for one in task_class.items])


@given(st.integers(min_value=0, max_value=10**9))
@tried(150)
def test_the_first_infeasible_week_is_the_first_whose_ending_classes_do_not_fit_together(seed: int) -> None:
    problem = problem_from_json(fortnight(seed))
    ends = {task_class.id: week_and_weekday(task_class.end_day)[0] for task_class in problem.task_classes}
    too_much = (
        week
        for week in sorted(set(ends.values()))
        if not all_fit(problem, [one for one in problem.task_classes if ends[one.id] <= week])
    )
    assert capacity_forecast(problem).first_infeasible_week == next(too_much, None)

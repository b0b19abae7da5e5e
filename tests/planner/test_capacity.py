"""The forecast counts what a class may use, names the week that is too small and what takes the room."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from schedules.planner.capacity import capacity_forecast
from schedules.planner.codec import problem_from_json
from schedules.planner.rough_build import plan
from tests.planner.examples import example, item
from tests.planner.strategies import random_document


@given(st.integers(min_value=0, max_value=10**9))
@settings(max_examples=50, deadline=None, derandomize=True)
def test_it_agrees_with_the_capacity_rows_of_the_plan(seed: int) -> None:
    problem = problem_from_json(random_document(seed))
    forecast = capacity_forecast(problem)
    for row, one in zip(plan(problem).capacity, forecast.classes, strict=True):
        assert (row.task_class_id, row.needed_sections) == (one.task_class_id, one.needed_sections)
        assert row.available_sections == one.free_sections == sum(week.free_sections for week in one.weeks)
        assert sum(week.demand_sections for week in one.weeks) == (one.needed_sections if one.free_sections else 0)
        days = max(0, problem_days(problem, one.task_class_id))
        assert one.free_sections + sum(one.lost_sections.values()) == days * problem.grid.sections


def problem_days(problem, class_id: int) -> int:
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
    assert [(week.week, week.free_sections) for week in forecast.classes[0].weeks] == [(1, 10), (2, 0)]

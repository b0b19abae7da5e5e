"""Exams own their cells: over lessons, over items that stand there, for the rule, the listing and the planner alike."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from schedules.planner.diagnosis.health import analyze_health
from schedules.planner.draft.adapter import apply_plan, problem_of
from schedules.planner.draft.codec import state_from_json, state_to_json
from schedules.planner.draft.invariants import invariant_errors
from schedules.planner.draft.legal import FreeCells
from schedules.planner.draft.load import board_of, load_state, subject_of
from schedules.planner.draft.rebase import rebase
from schedules.planner.draft.state import EXAM, ScheduleState
from schedules.planner.facts import EventFact, Facts, event_of_exam
from schedules.planner.grid import Place
from schedules.planner.problem import check_problem
from schedules.planner.rules.placement import broken_rules
from schedules.planner.solver.rough_build import plan
from tests.kits.planner.worlds import random_facts, random_op, random_state


def with_exams(rng: Random, facts: Facts, count: int = 4) -> Facts:
    exams = []
    for number in range(1, count + 1):
        first = rng.randint(1, facts.grid.sections)
        length = min(rng.randint(1, 4), facts.grid.sections - first + 1)
        place = Place(rng.randint(1, 14), first, length)
        exams.append(EventFact(event_of_exam(number), f"考{number}", EXAM, None, False, place))
    return replace(facts, events=(*facts.events, *exams), base_version=facts.base_version + 1)


def cells_of_exams(facts: Facts) -> set[tuple[int, int]]:
    exams = [event for event in facts.events if event.type == EXAM]
    return {(event.place.day, section) for event in exams for section in event.place.sections}


def suggested_cells(state: ScheduleState) -> set[tuple[int, int]]:
    places = [state.place_of(entry) for entry in state.items() if entry.status == "suggested"]
    return {(place.day, section) for place in places if place is not None for section in place.sections}


@pytest.mark.parametrize("seed", range(30))
def test_plan_rule_and_listing_leave_the_cells_of_exams_alone(seed: int) -> None:
    rng = Random(seed)
    facts = with_exams(rng, random_facts(rng))
    state = load_state(facts, scope=[row.id for row in facts.task_classes], now=None)
    problem = problem_of(state)
    check_problem(problem)
    planned = apply_plan(state, plan(problem))
    assert not suggested_cells(planned) & cells_of_exams(facts)
    assert invariant_errors(planned) == []
    assert state_from_json(state_to_json(planned)) == planned
    for entry in list(planned.items())[:4]:
        board, subject = planned.board(), planned.subject(entry)
        board.lift(entry.source_id)
        listed = list(FreeCells(board, planned.situation()).places(subject))
        judged = [
            (place, board.host_at(place))
            for day in range(planned.window.first_day, planned.window.last_day + 1)
            for first in range(1, planned.grid.sections + 1)
            if not broken_rules(board, subject, place := Place(day, first, subject.length))
        ]
        assert listed == judged
        assert not {(place.day, s) for place, _ in listed for s in place.sections} & cells_of_exams(facts)


@pytest.mark.parametrize("seed", range(20))
def test_a_draft_loses_what_an_exam_takes_and_the_timetable_keeps_it(seed: int) -> None:
    rng = Random(seed)
    facts, state = random_state(rng)
    for _ in range(12):
        op = random_op(rng, state)
        state = op.apply(state) if op.check(state) is None else state
    later = with_exams(rng, facts)
    found = rebase(state, later)
    assert not suggested_cells(found.state) & cells_of_exams(later)
    assert invariant_errors(found.state) == []
    check_problem(problem_of(found.state, free="pending_and_suggested"))
    existing = {entry.source_id for entry in state.items() if entry.status == "existing"}
    assert existing <= {entry.source_id for entry in found.state.items() if entry.status == "existing"}


def test_a_refusal_names_the_exam_and_not_what_it_lies_over() -> None:
    rng = Random(3)
    facts = random_facts(rng)
    lesson = next(event for event in facts.events if event.type == "course")
    over = EventFact(event_of_exam(9), "期末", EXAM, None, False, lesson.place)
    board = board_of(replace(facts, events=(over, *facts.events)))
    owner = facts.task_classes[0]
    subject = replace(subject_of(owner, owner.items[0]), length=lesson.place.length)
    broken = {one.rule.value: one.blocker for one in broken_rules(board, subject, lesson.place)}
    blocker = broken["occupied"]
    assert blocker is not None
    assert (blocker.name, blocker.type) == ("期末", "exam")


@pytest.mark.parametrize("seed", range(20))
def test_a_check_up_names_what_lies_ahead_under_an_exam(seed: int) -> None:
    rng = Random(seed)
    facts, state = random_state(rng)
    later = with_exams(rng, facts)
    state = rebase(state, later).state
    places = [(entry, place) for entry in state.items() if (place := state.place_of(entry)) is not None]
    ahead = [(entry, place) for entry, place in places if state.now is None or place.cell >= state.now]
    cells = cells_of_exams(later)
    under = {entry.state_id for entry, place in ahead if {(place.day, s) for s in place.sections} & cells}
    told = analyze_health(state).get("under_exams", [])
    assert {row["task_id"] for row in told} == under
    assert all(row["exam"].startswith("考") for row in told)

"""Tiny disturbed plans, and the repair with least change found by trying everything."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from schedules.planner.cost.objective import evaluate
from schedules.planner.grid import Place
from schedules.planner.problem import Placement, Problem
from schedules.planner.rules.board import Board, PlacedItem
from schedules.planner.rules.placement import Situation, Subject, broken_rules
from schedules.planner.rules.violations import Rule
from tests.kits.planner.checking import board_of, subject_of
from tests.kits.planner.examples import item, lesson

Goal = tuple[int, int, int, int]
"""Sections left over that had a place, sections left over that had none, moves, cost."""
BY_HAND = {Rule.NOT_ALIGNED, Rule.CROSSES_DAY_PART}


def tiny_document(rng: random.Random) -> dict[str, Any]:
    """Three days of four sections with hardly more room than the items need."""
    lessons = []
    for number, day in enumerate(rng.sample([1, 2, 3], rng.choice([0, 1, 2]))):
        first = rng.choice([1, 3])
        lessons.append(lesson(900 + number, "lesson", day, first, first + 1, embed=rng.random() < 0.4))
    classes, count = [], rng.choice([2, 3])
    for number in range(1, count + 1):
        lengths = [rng.choice([1, 2, 2]) for _ in range(rng.choice([1, 2] if count == 3 else [1, 2, 3]))]
        first_day = rng.choice([1, 1, 2])
        level = rng.choice(["low", "high"])
        classes.append(
            {
                "id": number,
                "name": f"class {number}",
                "strategy": rng.choice(["steady", "rapid"]),
                "start": {"week": 1, "day_of_week": first_day},
                "end": {"week": 1, "day_of_week": rng.choice([2, 3, 3])},
                "allow_filler_course": rng.random() < 0.6,
                "excluded_slots": rng.choice([[], [], [1], [2]]),
                "excluded_days_of_week": [],
                "subject_type": None,
                "difficulty_level": level,
                "cognitive_intensity": level,
                "items": [item(100 * number + k, k, length) for k, length in enumerate(lengths, 1)],
            }
        )
    return {
        "version": 1,
        "semester": {"weeks": 1, "sections": 4, "day_parts": rng.choice([[[1, 4]], [[1, 2], [3, 4]]])},
        "now": None,
        "occupied": lessons,
        "task_classes": classes,
    }


def disturb(document: dict[str, Any], placements: tuple[Placement, ...], rng: random.Random) -> None:
    """A lesson on a seated place, a day that is lost, a now that passes it, a further item."""
    kind = rng.choice(["lesson", "lesson", "day", "now", "item"])
    if kind == "item":
        items = rng.choice(document["task_classes"])["items"]
        items.append(item(items[-1]["id"] + 50, rng.randint(1, len(items) + 1), rng.choice([1, 2])))
    elif placements and kind == "now":
        place = rng.choice(placements).place
        document["now"] = {"week": 1, "day_of_week": place.day, "section": place.last}
    elif placements:
        hit = rng.choice(placements)
        taken = {(e["day_of_week"], s) for e in document["occupied"] for s in _sections(e)}
        wanted = range(1, 5) if kind == "day" else hit.place.sections
        for section in wanted:
            if (hit.place.day, section) not in taken:
                document["occupied"].append(lesson(800 + section, "new", hit.place.day, section, section))


def _sections(event: dict[str, Any]) -> range:
    return range(event["section_from"], event["section_to"] + 1)


def least_change(problem: Problem, keep: tuple[Placement, ...], max_moves: int) -> Goal:
    """The best repair of placements that do not contradict each other, by trying every place of every item."""
    homes = {one.task_item_id: one.place for one in keep}
    rows = []
    for task_class, one in problem.each_item():
        subject, home = subject_of(task_class, one), homes.get(one.id)
        stands = home is not None and not _broken(board_of(problem, ()), subject, home, problem)
        choices: list[Place | None] = [*_places(problem, subject)]
        choices += [home] if stands and home not in choices else []
        choices += [] if stands else [None]
        rows.append((subject, home, choices))
    best: Goal | None = None
    for missing_kept, missing_new, moves, found in _arrangements(problem, rows, max_moves):
        if best is None or (missing_kept, missing_new, moves) <= best[:3]:
            goal = (missing_kept, missing_new, moves, evaluate(problem, found).total)
            best = goal if best is None else min(best, goal)
    assert best is not None, "what stands may stay"
    return best


def _broken(board: Board, subject: Subject, place: Place, problem: Problem) -> bool:
    found = broken_rules(board, subject, place, situation=Situation(now=problem.now))
    return any(one.rule not in BY_HAND for one in found)


def _places(problem: Problem, subject: Subject) -> Iterator[Place]:
    board, situation = board_of(problem, ()), Situation(now=problem.now, planner=True)
    for day in range(1, problem.grid.days + 1):
        for first in range(1, problem.grid.sections - subject.length + 2):
            place = Place(day, first, subject.length)
            if not broken_rules(board, subject, place, situation=situation):
                yield place


def _arrangements(
    problem: Problem, rows: list[tuple[Subject, Place | None, list[Place | None]]], max_moves: int
) -> Iterator[tuple[int, int, int, tuple[Placement, ...]]]:
    board = board_of(problem, ())

    def further(index: int, goal: tuple[int, int, int], found: tuple[Placement, ...]) -> Iterator[Any]:
        if index == len(rows):
            yield (*goal, found)
            return
        subject, home, choices = rows[index]
        for place in choices:
            if place is None:
                lost = (subject.length, 0) if home else (0, subject.length)
                yield from further(index + 1, (goal[0] + lost[0], goal[1] + lost[1], goal[2]), found)
                continue
            moves = goal[2] + (home is not None and place != home)
            if moves <= max_moves and not _broken(board, subject, place, problem):
                host = board.host_at(place)
                board.put(PlacedItem(subject.item_id, subject.task_class.id, subject.order, subject.name, place, host))
                seat = Placement(subject.item_id, subject.task_class.id, place, host)
                yield from further(index + 1, (goal[0], goal[1], moves), (*found, seat))
                board.lift(subject.item_id)

    yield from further(0, (0, 0, 0), ())

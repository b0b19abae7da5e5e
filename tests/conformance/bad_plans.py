"""Legal plans that are worse than need be: what a person's own moves leave behind."""

from __future__ import annotations

import random

from tests.conformance.health_picture import Picture
from tests.conformance.health_term import HealthTerm, legal_places, may_swap, plan_of, replaced
from tests.conformance.judge import Json, price
from tests.conformance.problems import random_problem


def roomy_problem(seed: int) -> Json:
    """A random problem with wider class dates, fewer courses and more demanding classes: most items find a place."""
    problem, dice = random_problem(seed), random.Random(seed + 77)
    for task_class in problem["task_classes"]:
        if dice.random() < 0.9:
            task_class["start"] = {"week": 1, "day_of_week": 1}
            task_class["end"] = {"week": problem["semester"]["weeks"], "day_of_week": 7}
        if dice.random() < 0.6:
            task_class["cognitive_intensity"] = "high"
        if dice.random() < 0.5:
            task_class["subject_type"] = "memory"
    problem["occupied"] = [event for event in problem["occupied"] if dice.random() < 0.6]
    if problem["now"] and dice.random() < 0.7:
        problem["now"]["week"] = 1
    return problem


def spoiled(problem: Json, plan: Json, seed: int) -> Json:
    """The plan after random legal moves and swaps, the dearest of a few each time; sometimes with items taken out."""
    dice = random.Random(seed)
    term = HealthTerm(problem)
    found = plan_of(term, plan["placements"])
    if dice.random() < 0.2:
        found = _without_some(term, found, dice)
    for _ in range(dice.choice([1, 3, 8, 15])):
        found = _dearest(term, found, dice)
    return found


def _without_some(term: HealthTerm, plan: Json, dice: random.Random) -> Json:
    return plan_of(term, [p for p in plan["placements"] if p["task_item_id"] in term.pins or dice.random() < 0.8])


def _dearest(term: HealthTerm, plan: Json, dice: random.Random) -> Json:
    free = [b for b in Picture(term, plan).blocks if b.item not in term.pins]
    options = [plan]
    for block in dice.sample(free, min(3, len(free))):
        span = term.span(term.classes[block.class_id])
        places = list(legal_places(term, plan, block.item, *span))
        options += [replaced(term, plan, {block.item: at}) for at in dice.sample(places, min(4, len(places)))]
        others = [b for b in free if b.length == block.length and b.class_id != block.class_id]
        swaps = [may_swap(term, plan, block, b) for b in dice.sample(others, min(2, len(others)))]
        options += [s for s in swaps if s]
    return max(options[1:] or options, key=lambda p: sum(price(term, p).values()))

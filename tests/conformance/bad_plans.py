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


def packed_problem(seed: int, *, days: int = 10) -> Json:
    """Four or five mostly demanding classes of eight short items each on some days with few courses."""
    dice = random.Random(seed)
    classes = [_packed_class(dice, number, days) for number in range(1, dice.choice([5, 6]))]
    occupied = [
        {
            "event_id": 900 + day,
            "name": "course",
            "week": 1 + (day - 1) // 7,
            "day_of_week": 1 + (day - 1) % 7,
            "section_from": 3,
            "section_to": 4,
            "type": "course",
            "can_be_embedded": dice.random() < 0.5,
            "guest_task_item_id": None,
        }
        for day in dice.sample(range(1, days + 1), 3)
    ]
    parts = [[1, 4], [5, 8], [9, 12]]
    semester = {"weeks": -(-days // 7), "sections": 12, "day_parts": parts}
    return {"version": 1, "semester": semester, "now": None, "occupied": occupied, "task_classes": classes}


def _packed_class(dice: random.Random, number: int, days: int) -> Json:
    length = dice.choice([1, 2, 2])
    items = range(1, 9)
    return {
        "id": number,
        "name": f"class {number}",
        "strategy": dice.choice(["steady", "rapid"]),
        "start": {"week": 1, "day_of_week": 1},
        "end": {"week": 1 + (days - 1) // 7, "day_of_week": 1 + (days - 1) % 7},
        "allow_filler_course": dice.random() < 0.5,
        "excluded_slots": [],
        "excluded_days_of_week": [],
        "subject_type": dice.choice(["memory", "reading"]),
        "difficulty_level": dice.choice(["low", "high", "high"]),
        "cognitive_intensity": "medium",
        "items": [{"id": 100 * number + k, "order": k, "duration": length, "name": "", "pinned": None} for k in items],
    }


def packed(problem: Json, seed: int, *, reach: int = 6) -> Json:
    """Every item at a random one of its earliest legal places, so many of which are in question."""
    dice = random.Random(seed)
    term = HealthTerm(problem)
    plan = plan_of(term, [])
    queues = [list(task_class["items"]) for task_class in problem["task_classes"]]
    while any(queues):
        queue = dice.choice([one for one in queues if one])
        item = queue.pop(0)["id"]
        owner = next(c for c in problem["task_classes"] if c["id"] == item // 100)
        places = list(legal_places(term, plan, item, *term.span(owner)))
        if places:
            plan = replaced(term, plan, {item: dice.choice(places[:reach])})
    return plan

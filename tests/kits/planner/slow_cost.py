"""A second reading of the objective, cell by cell and without any look-up, to hold the planner's number against."""

from __future__ import annotations

from typing import Any


def day_of(where: dict[str, int]) -> int:
    return (where["week"] - 1) * 7 + where["day_of_week"]


class Term:
    """A problem document and a plan document, unrolled into cells."""

    def __init__(self, problem: dict[str, Any], plan: dict[str, Any]) -> None:
        self.sections = problem["semester"]["sections"]
        self.days = 7 * problem["semester"]["weeks"]
        self.parts = problem["semester"]["day_parts"]
        self.closed = {day_of(day) for day in problem["semester"].get("closed_days", [])}
        now, self.wishes = problem["now"], problem.get("wishes", [])
        self.now = (day_of(now), now["section"]) if now else (1, 1)
        self.owner = {
            (day_of(e), s): e for e in problem["occupied"] for s in range(e["section_from"], e["section_to"] + 1)
        }
        self.classes = sorted(problem["task_classes"], key=lambda c: c["id"])
        for one in self.classes:
            one["items"].sort(key=lambda i: (i["order"], i["id"]))
            one["high"] = "high" in (one["cognitive_intensity"], one["difficulty_level"])
        rows = {row["task_item_id"]: row for row in plan["placements"]}
        self.at: dict[int, tuple[int, int]] = {i: (day_of(row), row["section_from"]) for i, row in rows.items()}
        for one in self.classes:
            for item in one["items"]:
                if item["pinned"]:
                    self.at[item["id"]] = (day_of(item["pinned"]), item["pinned"]["section_from"])
        self.guests = {
            item["id"]
            for one in self.classes
            for item in one["items"]
            if item["id"] in self.at and self.at[item["id"]] in self.owner
        }
        self.study: dict[tuple[int, int], tuple[dict, dict]] = {
            cell: (one, item) for one in self.classes for item in one["items"] for cell in self.cells_of(item)
        }
        self.pin_cells = {
            cell
            for one in self.classes
            for item in one["items"]
            if item["pinned"] and item["id"] not in self.guests
            for cell in self.cells_of(item)
        }
        self.pin_hosts = {
            self.owner[self.at[item["id"]]]["event_id"]
            for one in self.classes
            for item in one["items"]
            if item["pinned"] and item["id"] in self.guests
        }

    def cells_of(self, item: dict) -> list[tuple[int, int]]:
        if item["id"] not in self.at:
            return []
        day, first = self.at[item["id"]]
        return [(day, first + k) for k in range(item["duration"])]

    def permitted(self, one: dict, day: int, s: int) -> bool:
        weekday, block = (day - 1) % 7 + 1, (s + 1) // 2
        if weekday in one["excluded_days_of_week"] or block in one["excluded_slots"] or day in self.closed:
            return False
        return {"day_of_week": weekday, "block": block} not in one.get("excluded_cells", [])

    def wished(self, one: dict) -> int:
        """How many days before its end a class is to be done."""
        asked = [wish for wish in self.wishes if wish["kind"] == "finish_early"]
        mine = [wish for wish in asked if wish["class_id"] in (None, one["id"])]
        return max((wish["value"] for wish in mine if one["high"] or not wish["hard_only"]), default=0)

    def cells(self, one: dict) -> list[tuple[int, int]]:
        start, end = max(1, day_of(one["start"])), min(self.days, day_of(one["end"]))
        found = []
        for day in range(start, end + 1):
            for s in range(1, self.sections + 1):
                event = self.owner.get((day, s))
                lendable = (
                    event is not None
                    and event["can_be_embedded"]
                    and event["guest_task_item_id"] is None
                    and event["event_id"] not in self.pin_hosts
                    and one["allow_filler_course"]
                )
                takeable = (event is None or lendable) and (day, s) not in self.pin_cells
                if (day, s) >= self.now and self.permitted(one, day, s) and takeable:
                    found.append((day, s))
        return found


def slow_total(problem: dict[str, Any], plan: dict[str, Any]) -> int:
    term = Term(problem, plan)
    return sum(class_cost(term, one) for one in term.classes) + sum(day_cost(term, d) for d in range(1, term.days + 1))


def class_cost(term: Term, one: dict) -> int:
    cells = term.cells(one)
    days = len({day for day, _ in cells})
    free = [item for item in one["items"] if item["pinned"] is None]
    blocks = sum((item["duration"] + 1) // 2 for item in free)
    start, end = max(1, day_of(one["start"])), min(term.days, day_of(one["end"]))
    span = end - max(start, term.now[0]) + 1
    g = min(3, span // 7) if span > 0 else 0
    total = 0
    for rank, item in enumerate(one["items"]):
        if item["pinned"] is not None:
            continue
        if item["id"] not in term.at:
            total += 10_000_000 * item["duration"] + 1000 * (len(one["items"]) - rank - 1)
            continue
        day, first = term.at[item["id"]]
        total += target(term, one, item, cells, [end - max(g, term.wished(one)), end - g])
        if g > 0 and day > end - g:
            total += 10 * (day - (end - g))
        for s in range(first, first + item["duration"]):
            evening = any(a <= s <= b for a, b in term.parts[2:])
            total += 10 if evening and one["high"] else 0
            total += 5 if evening and s >= term.sections - 1 else 0
            total += 25 if item["id"] in term.guests and one["high"] else 0
    allow = max(
        [3 if one["strategy"] == "rapid" else 1]
        + [(item["duration"] + 1) // 2 for item in one["items"]]
        + ([(blocks + days - 1) // days] if days else [])
    )
    placed_days = [term.at[item["id"]][0] for item in one["items"] if item["id"] in term.at]
    for day in set(placed_days):
        k = sum((i["duration"] + 1) // 2 for i in one["items"] if i["id"] in term.at and term.at[i["id"]][0] == day)
        total += sum(40 * step for step in range(1, max(0, k - allow) + 1))
        if one["strategy"] == "steady" and days >= 2 * blocks and day + 1 in placed_days:
            total += 15
    return total


def target(term: Term, one: dict, item: dict, cells: list[tuple[int, int]], early_ends: list[int]) -> int:
    def bounds(index: int) -> tuple:
        bounding = [i for i in one["items"] if i["pinned"] and not i.get("begun")]
        below = [i for i in one["items"][:index] if i in bounding]
        above = [i for i in one["items"][index + 1 :] if i in bounding]
        low = max((max(term.cells_of(i)) for i in below), default=(0, 0))
        return low, min((min(term.cells_of(i)) for i in above), default=(10**6, 0))

    low, high = bounds(one["items"].index(item))
    run = [i for k, i in enumerate(one["items"]) if i["pinned"] is None and bounds(k) == (low, high)]
    segment = [cell for cell in cells if low < cell < high]
    need = sum(i["duration"] for i in run)
    basis = segment
    for early_end in reversed(early_ends):
        early = [cell for cell in segment if cell[0] <= early_end]
        basis = early if len(early) >= need else basis
    day, first = term.at[item["id"]]
    if one["strategy"] == "rapid":
        return min(2000, max(2, 60 // len(run)) * len({d for d, _ in segment if d < day}))
    if not basis:
        return 0
    size, length = len(basis), item["duration"]
    done = sum(i["duration"] for i in run[: run.index(item)])
    goal = max(0, (size * (2 * done + length) - need * length) // (2 * need))
    pos = sum(1 for cell in segment if cell < (day, first))
    q = (10 * min(len(run), len({d for d, _ in basis})) * abs(pos - goal)) // size
    return min(2000, q * q if q <= 20 else 400 + 40 * (q - 20))


def day_cost(term: Term, day: int) -> int:
    at = {s: term.study[day, s] for s in range(1, term.sections + 1) if (day, s) in term.study}
    own = [s for s, (_, item) in at.items() if item["id"] not in term.guests]
    base = sum(1 for s in range(1, term.sections + 1) if (day, s) in term.owner)
    over = max(0, 2 * len(own) - max(0, 16 - base))
    total = len(own) * (len(own) + base) + 3 * sum(range(over + 1))
    usable = [
        s
        for s in range(1, term.sections + 1)
        if (day, s) not in term.owner and any(term.permitted(one, day, s) for one in term.classes)
    ]
    if own and sum(1 for s in usable if s not in at) < 2:
        total += 30
    for first, last in term.parts:
        here = {s: at[s][0] for s in range(first, last + 1) if s in at}
        total += 6 * max(0, len({one["id"] for one in here.values()}) - 1)
        for s in range(first, last + 1):
            for t in (s + 1, s + 2):
                near = t == s + 1 or s + 1 not in here
                if near and s in here and t in here and here[s]["high"] and here[t]["high"]:
                    total += 60 if here[s]["id"] != here[t]["id"] else 0
            window = [here.get(s + k) for k in range(4)]
            total += 40 if all(one is not None and one["high"] for one in window) else 0
    return total

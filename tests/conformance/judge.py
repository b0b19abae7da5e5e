"""A plan judge that shares no code with the planner: legality and cost, read off the JSON documents alone.

`judge(problem, plan)` answers a list of complaints; an empty list means that the plan is legal, complete in its
bookkeeping and priced right. It is written for plainness: every quantity is recomputed from sets of cells.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

Json = dict[str, Any]
Cell = tuple[int, int]
PARTS = ["target", "cluster", "load", "buffer", "switch", "heavy_adjacent", "long_run", "fit", "slack", "unplaced"]
RULES = [
    *[
        "outside_window",
        "outside_semester",
        "wrong_length",
        "closed_day",
        "outside_class_window",
        "in_the_past",
        "excluded_weekday",
    ],
    *[
        "excluded_block",
        "excluded_cell",
        "not_aligned",
        "crosses_day_part",
        "host_unknown",
        "host_not_embeddable",
        "occupied",
    ],
    *["filler_not_allowed", "host_partial", "host_taken", "order_before", "order_after"],
]


def day_of(place: Json) -> int:
    return (place["week"] - 1) * 7 + place["day_of_week"]


class Term:
    """The constants of a problem (section 5.1)."""

    def __init__(self, problem: Json) -> None:
        semester = problem["semester"]
        self.sections = semester["sections"]
        self.days = 7 * semester["weeks"]
        self.closed = {day_of(day) for day in semester.get("closed_days", [])}
        self.part = {s: i for i, (a, b) in enumerate(semester["day_parts"]) for s in range(a, b + 1)}
        now = problem.get("now") or {"week": 1, "day_of_week": 1, "section": 1}
        self.now: Cell = (day_of(now), now["section"])
        self.owner: dict[Cell, Json] = {}
        for event in problem["occupied"]:
            for s in range(event["section_from"], event["section_to"] + 1):
                self.owner[day_of(event), s] = event
        self.classes = {c["id"]: c for c in problem["task_classes"]}
        self.usable = {
            (d, s)
            for d in range(1, self.days + 1)
            for s in range(1, self.sections + 1)
            if (d, s) not in self.owner and any(self.permits(c, (d, s)) for c in self.classes.values())
        }
        self.items: dict[int, tuple[Json, Json]] = {}
        for task_class in problem["task_classes"]:
            for item in task_class["items"]:
                self.items[item["id"]] = (task_class, item)

    def span(self, task_class: Json) -> tuple[int, int]:
        return max(1, day_of(task_class["start"])), min(self.days, day_of(task_class["end"]))

    def ranked(self, task_class: Json) -> list[Json]:
        return sorted(task_class["items"], key=lambda item: (item["order"], item["id"]))

    def permits(self, task_class: Json, cell: Cell) -> bool:
        day, section = cell
        weekday = (day - 1) % 7 + 1
        block = (section + 1) // 2
        if (
            weekday in task_class["excluded_days_of_week"]
            or block in task_class["excluded_slots"]
            or day in self.closed
        ):
            return False
        return {"day_of_week": weekday, "block": block} not in task_class.get("excluded_cells", [])

    def high(self, task_class: Json) -> bool:
        return "high" in (task_class.get("cognitive_intensity"), task_class.get("difficulty_level"))

    def cells(self, placement: Json) -> list[Cell]:
        return [(day_of(placement), s) for s in range(placement["section_from"], placement["section_to"] + 1)]

    def pinned(self) -> dict[int, list[Cell]]:
        found = {}
        for item_id, (_, item) in self.items.items():
            if item.get("pinned"):
                first = item["pinned"]["section_from"]
                found[item_id] = [(day_of(item["pinned"]), s) for s in range(first, first + item["duration"])]
        return found

    def open_cells(self, task_class: Json) -> list[Cell]:
        """cells(c): what the class might use before any free item is placed."""
        taken = {cell for cells in self.pinned().values() for cell in cells}
        guests = {e["event_id"] for e in self.owner.values() if e.get("guest_task_item_id")}
        guests |= {self.owner[c]["event_id"] for c in taken if c in self.owner}
        start, end = self.span(task_class)
        found = []
        for day in range(start, end + 1):
            for section in range(1, self.sections + 1):
                cell = (day, section)
                if cell < self.now or not self.permits(task_class, cell):
                    continue
                host = self.owner.get(cell)
                if (host is None and cell not in taken) or (
                    (
                        host
                        and task_class["allow_filler_course"]
                        and host["type"] == "course"
                        and host["can_be_embedded"]
                    )
                    and host["event_id"] not in guests
                ):
                    found.append(cell)
        return found


def broken(term: Term, plan: Json, item_id: int, day: int, first: int) -> list[str]:
    """The planner's rules that item `item_id` would break at (day, first), all others as in the plan."""
    task_class, item = term.items[item_id]
    length = item["duration"]
    last = first + length - 1
    if not 1 <= day <= term.days or first < 1 or last > term.sections:
        return ["outside_semester"]
    cells = [(day, s) for s in range(first, last + 1)]
    rules = ["closed_day"] if day in term.closed else []
    start, end = term.span(task_class)
    if not start <= day <= end:
        rules.append("outside_class_window")
    if cells[0] < term.now:
        rules.append("in_the_past")
    if (day - 1) % 7 + 1 in task_class["excluded_days_of_week"]:
        rules.append("excluded_weekday")
    if any((s + 1) // 2 in task_class["excluded_slots"] for _, s in cells):
        rules.append("excluded_block")
    closed = task_class.get("excluded_cells", [])
    if any({"day_of_week": (day - 1) % 7 + 1, "block": (s + 1) // 2} in closed for _, s in cells):
        rules.append("excluded_cell")
    if length >= 2 and first % 2 == 0:
        rules.append("not_aligned")
    if term.part[first] != term.part[last]:
        rules.append("crosses_day_part")
    rules += _occupation(term, plan, item_id, cells)
    rank = {i["id"]: n for n, i in enumerate(term.ranked(task_class))}
    for other in plan["placements"]:
        if other["task_item_id"] == item_id or other["task_class_id"] != task_class["id"]:
            continue
        other_cells = term.cells(other)
        if rank[other["task_item_id"]] < rank[item_id] and other_cells[-1] >= cells[0]:
            rules.append("order_before")
        if rank[other["task_item_id"]] > rank[item_id] and other_cells[0] <= cells[-1]:
            rules.append("order_after")
    return sorted(set(rules), key=RULES.index)


def _occupation(term: Term, plan: Json, item_id: int, cells: list[Cell]) -> list[str]:
    task_class = term.items[item_id][0]
    free: dict[Cell, int] = {}
    guests: dict[int, int] = {
        e["event_id"]: e["guest_task_item_id"] for e in term.owner.values() if e.get("guest_task_item_id")
    }
    for other in plan["placements"]:
        if other["task_item_id"] == item_id:
            continue
        if other["embed_course_event_id"] is not None:
            guests[other["embed_course_event_id"]] = other["task_item_id"]
        else:
            free.update(dict.fromkeys(term.cells(other), other["task_item_id"]))
    rules = []
    hosts = {}
    for cell in cells:
        event = term.owner.get(cell)
        if cell in free or (event and not (event["type"] == "course" and event["can_be_embedded"])):
            rules.append("occupied")
        elif event:
            hosts[event["event_id"]] = event
    if hosts:
        if not task_class["allow_filler_course"]:
            rules.append("filler_not_allowed")
        host = next(iter(hosts.values()))
        if len(hosts) > 1 or any(term.owner.get(c, {}).get("event_id") != host["event_id"] for c in cells):
            rules.append("host_partial")
        if any(guests.get(event_id) not in (None, item_id) for event_id in hosts):
            rules.append("host_taken")
    return rules


def legality(term: Term, plan: Json) -> list[str]:
    complaints = []
    pinned = term.pinned()
    seen = Counter(p["task_item_id"] for p in plan["placements"]) + Counter(u["task_item_id"] for u in plan["unplaced"])
    if set(seen) != set(term.items) or max(seen.values(), default=1) > 1:
        complaints.append("every item must be either placed or unplaced, once")
    order = [(day_of(p), p["section_from"], p["task_item_id"]) for p in plan["placements"]]
    if order != sorted(order):
        complaints.append("placements are not sorted")
    for placement in plan["placements"]:
        item_id = placement["task_item_id"]
        cells = term.cells(placement)
        host = term.owner.get(cells[0])
        if placement["embed_course_event_id"] != (host["event_id"] if host else None):
            complaints.append(f"item {item_id}: host is wrong")
        if len(cells) != term.items[item_id][1]["duration"]:
            complaints.append(f"item {item_id}: wrong length")
        if item_id in pinned:
            if cells != pinned[item_id]:
                complaints.append(f"item {item_id}: a pin moved")
            continue
        rules = broken(term, plan, item_id, *cells[0])
        if rules:
            complaints.append(f"item {item_id} at {cells[0]}: {rules}")
    return complaints + _unplaced_reasons(term, plan)


def _unplaced_reasons(term: Term, plan: Json) -> list[str]:
    complaints = []
    for row in plan["unplaced"]:
        task_class, item = term.items[row["task_item_id"]]
        start, end = term.span(task_class)
        reasons: Counter[str] = Counter()
        for day in range(start, end + 1):
            for first in range(1, term.sections - item["duration"] + 2):
                rules = broken(term, plan, item["id"], day, first)
                if not rules:
                    complaints.append(f"item {item['id']}: unplaced, but {day},{first} is legal")
                counted = [r for r in rules if r not in ("not_aligned", "crosses_day_part")]
                if rules and rules[0] == (counted or [""])[0]:
                    reasons[rules[0]] += 1
        best = min(reasons, key=lambda r: (-reasons[r], RULES.index(r)), default="outside_class_window")
        if row["rule"] != best:
            complaints.append(f"item {item['id']}: reason {row['rule']}, expected {best} of {dict(reasons)}")
        if row["missing_sections"] != item["duration"]:
            complaints.append(f"item {item['id']}: missing_sections")
    return complaints


def price(term: Term, plan: Json) -> dict[str, int]:
    parts = dict.fromkeys(PARTS, 0)
    placed = {p["task_item_id"]: p for p in plan["placements"]}
    for task_class in term.classes.values():
        _price_class(term, task_class, placed, parts)
    _price_days(term, plan, parts)
    return parts


def _price_class(term: Term, task_class: Json, placed: dict[int, Json], parts: dict[str, int]) -> None:
    items = term.ranked(task_class)
    free = [i for i in items if not i.get("pinned")]
    cells = term.open_cells(task_class)
    days = len({d for d, _ in cells})
    steady = task_class["strategy"] == "steady"
    blocks = {i["id"]: (i["duration"] + 1) // 2 for i in items}
    bc = sum(blocks[i["id"]] for i in free)
    allow = max([1 if steady else 3, *blocks.values(), -(-bc // days) if days else 0])
    start, end = term.span(task_class)
    length = end - max(start, term.now[0]) + 1
    g = min(3, length // 7) if length > 0 else 0
    per_day: Counter[int] = Counter()
    for item in items:
        if item["id"] in placed:
            per_day[day_of(placed[item["id"]])] += blocks[item["id"]]
    for count in per_day.values():
        x = max(0, count - allow)
        parts["cluster"] += 40 * x * (x + 1) // 2
    if steady and days >= 2 * bc:
        parts["cluster"] += 15 * sum(1 for d in per_day if d + 1 in per_day)
    for rank, item in enumerate(items):
        if item.get("pinned"):
            continue
        if item["id"] not in placed:
            higher = len(items) - rank - 1
            parts["unplaced"] += 10_000_000 * item["duration"] + 1_000 * higher
            continue
        cell_list = term.cells(placed[item["id"]])
        day = cell_list[0][0]
        if g:
            parts["slack"] += 10 * max(0, day - (end - g))
        evening = sum(1 for _, s in cell_list if term.part[s] >= 2)
        late = sum(1 for _, s in cell_list if term.part[s] >= 2 and s > term.sections - 2)
        parts["fit"] += 5 * late
        if term.high(task_class):
            parts["fit"] += 10 * evening
            parts["fit"] += 25 * len(cell_list) * (placed[item["id"]]["embed_course_event_id"] is not None)
        parts["target"] += _target(term, task_class, item, cells, (end, g), cell_list[0])


def _target(term: Term, task_class: Json, item: Json, cells: list[Cell], zone: tuple[int, int], at: Cell) -> int:
    items = term.ranked(task_class)
    pins = term.pinned()
    index = items.index(item)

    def bounds(n: int) -> tuple[Cell, Cell]:
        lows = [pins[i["id"]][-1] for i in items[:n] if i["id"] in pins]
        highs = [pins[i["id"]][0] for i in items[n + 1 :] if i["id"] in pins]
        return max(lows, default=(0, 0)), min(highs, default=(10**6, 0))

    lo, hi = bounds(index)
    run = [i for n, i in enumerate(items) if i["id"] not in pins and bounds(n) == (lo, hi)]
    # A run is consecutive in rank order: equal bounds with another run between cannot happen, bounds are monotone.
    seg = [c for c in cells if lo < c < hi]
    n = len(run)
    total = sum(i["duration"] for i in run)
    end, g = zone
    early = [c for c in seg if c[0] <= end - g]
    a_list = early if len(early) >= total else seg
    a = len(a_list)
    if task_class["strategy"] != "steady":
        before = len({d for d, _ in seg if d < at[0]})
        return min(2000, max(2, 60 // n) * before)
    if a == 0:
        return 0
    m = min(n, len({d for d, _ in a_list}))
    p = sum(i["duration"] for i in run[: run.index(item)])
    target = max(0, (a * (2 * p + item["duration"]) - total * item["duration"]) // (2 * total))
    pos = sum(1 for c in seg if c < at)
    q = 10 * m * abs(pos - target) // a
    return min(2000, q * q if q <= 20 else 400 + 40 * (q - 20))


def _price_days(term: Term, plan: Json, parts: dict[str, int]) -> None:
    base = Counter(d for d, _ in term.owner)
    free_sections: Counter[int] = Counter()
    covered: dict[Cell, int] = {}
    carries: dict[Cell, tuple[int, int]] = {}
    for placement in plan["placements"]:
        for cell in term.cells(placement):
            carries[cell] = (placement["task_class_id"], placement["task_item_id"])
            if placement["embed_course_event_id"] is None:
                free_sections[cell[0]] += 1
                covered[cell] = placement["task_item_id"]
    for day, n in free_sections.items():
        b = base[day]
        over = max(0, 2 * n - max(0, 16 - b))
        parts["load"] += n * (n + b) + 3 * over * (over + 1) // 2
        left = sum((day, s) in term.usable and (day, s) not in covered for s in range(1, term.sections + 1))
        parts["buffer"] += 30 * (left < 2)
    groups: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    for (day, section), (class_id, _) in carries.items():
        groups[day, term.part[section]].add(class_id)
    parts["switch"] += sum(6 * (len(classes) - 1) for classes in groups.values())
    high = {cell: who for cell, who in carries.items() if term.high(term.classes[who[0]])}
    for day, section in high:
        for gap in (1, 2):
            other = (day, section + gap)
            if other not in high or term.part[section] != term.part[section + gap]:
                continue
            if gap == 2 and (day, section + 1) in carries:
                continue
            parts["heavy_adjacent"] += 60 * (high[other][0] != high[day, section][0])
        window = [(day, s) for s in range(section, section + 4)]
        if all(c in high for c in window) and term.part[section] == term.part[section + 3]:
            parts["long_run"] += 40


def judge(problem: Json, plan: Json) -> list[str]:
    term = Term(problem)
    complaints = legality(term, plan)
    parts = price(term, plan)
    cost = plan["cost"]
    if cost["parts"] != parts or list(cost["parts"]) != PARTS:
        complaints.append(f"parts {cost['parts']}, expected {parts}")
    if cost["total"] != sum(parts.values()):
        complaints.append(f"total {cost['total']}, expected {sum(parts.values())}")
    by_part: Counter[str] = Counter()
    for entry in plan["explanations"]:
        by_part[entry["part"]] += entry["cost"]
        if entry["cost"] == 0 or entry["task_item_ids"] != sorted(entry["task_item_ids"]):
            complaints.append(f"explanation {entry}")
    if any(by_part[part] != parts[part] for part in PARTS):
        complaints.append("explanations do not sum to the parts")
    for row in plan["capacity"]:
        task_class = term.classes[row["task_class_id"]]
        needed = sum(i["duration"] for i in task_class["items"] if not i.get("pinned"))
        missing = sum(u["missing_sections"] for u in plan["unplaced"] if u["task_class_id"] == row["task_class_id"])
        expected = (needed, len(term.open_cells(task_class)), missing)
        if (row["needed_sections"], row["available_sections"], row["missing_sections"]) != expected:
            complaints.append(f"capacity {row}, expected {expected}")
    if [r["task_class_id"] for r in plan["capacity"]] != sorted(term.classes):
        complaints.append("capacity rows")
    return complaints

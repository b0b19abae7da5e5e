"""One plan and its issues, for the diagnosis judge."""

from __future__ import annotations

from typing import Any

from tests.conformance.health_term import Block, Day, HealthTerm, hundredths, rhythm_metrics
from tests.conformance.judge import Json, price

SEVERITIES = ["critical", "warning", "info"]
DIMENSIONS = ["feasibility", "rhythm", "tightness", "profile"]
Trigger = tuple[str, str, int, int]


class Picture:
    """One plan with everything that is said about it without looking at other plans."""

    def __init__(self, term: HealthTerm, plan: Json) -> None:
        self.term, self.plan = term, plan
        self.blocks = [Block(term, p) for p in plan["placements"]]
        self.by_item = {b.item: b for b in self.blocks}
        self.days = [Day(term, d, self.blocks) for d in term.days_seen()]
        self.parts = price(term, plan)
        self.cost = sum(self.parts.values())
        self.movable = [b for b in self.blocks if b.movable]
        placed = {b.item for b in self.blocks}
        self.pending = [item for item in term.items if item not in placed]
        self.rhythm = rhythm_metrics(term, self.days)
        self.schedule_issues = day_issues(self) + class_issues(self)

    def weight(self) -> int:
        return sum({"critical": 3, "warning": 1, "info": 0}[i["severity"]] for i in self.schedule_issues)


def issue(picture: Picture, kind: tuple[str, str, str], trigger: Trigger, cost: int, **scope: Any) -> Json:
    """`kind` = (id, dimension, severity); `involved` = blocks: without a movable one it is a fixed fact."""
    issue_id, dimension, severity = kind
    term = picture.term
    blocks = [b for b in scope["involved"] if b.movable]
    fixed = not blocks
    return {
        "issue_id": issue_id,
        "dimension": dimension,
        "severity": "info" if fixed else severity,
        "fixed": fixed,
        "trigger": dict(zip(("metric", "operator", "threshold", "actual"), trigger, strict=True)),
        "cost": cost,
        "scope": {
            "day_range": scope["days"],
            "task_ids": sorted({term.state_id[b.item] for b in blocks}),
        },
    }


def day_issues(picture: Picture) -> list[Json]:
    found = []
    for day in picture.days:
        found += _rhythm_of_day(picture, day) + _crowding_of_day(picture, day) + _fullness_of_day(picture, day)
    return found


def _rhythm_of_day(picture: Picture, day: Day) -> list[Json]:
    found = []
    d = picture.term.index(day.day)
    if day.heavy:
        n = len(day.heavy)
        pair = [b for pair in day.heavy for b in pair]
        name = f"issue_rhythm_heavy_adjacent_day_{d}"
        severity = "critical" if n >= 2 else "warning"
        found.append(
            issue(picture, (name, "rhythm", severity), ("heavy_pairs", ">=", 1, n), 60 * n, involved=pair, days=[d])
        )
    if day.switches >= 4:
        name, trigger = f"issue_rhythm_switch_day_{d}", ("switch_count", ">=", 4, day.switches)
        found.append(
            issue(picture, (name, "rhythm", "critical"), trigger, 6 * day.switches, involved=day.blocks, days=[d])
        )
    if day.switches == 3:
        name, trigger = f"issue_rhythm_switch_warn_day_{d}", ("switch_count", "=", 3, 3)
        found.append(issue(picture, (name, "rhythm", "warning"), trigger, 18, involved=day.blocks, days=[d]))
    if day.long_runs or day.max_block >= 5:
        name = f"issue_rhythm_long_block_day_{d}"
        trigger = ("high_run", ">=", 4, day.high_run) if day.long_runs else ("max_block", ">=", 5, day.max_block)
        involved = [b for run in day.long_runs for b in run] or day.blocks
        found.append(issue(picture, (name, "rhythm", "warning"), trigger, 40, involved=involved, days=[d]))
    return found


def day_rows(picture: Picture) -> list[Json]:
    """metrics.days of detail=full."""
    return [
        {
            "day": picture.term.index(day.day),
            "week": (day.day - 1) // 7 + 1,
            "day_of_week": (day.day - 1) % 7 + 1,
            "switch_count": day.switches,
            "pairs": len(day.pairs),
            "fragmentation": hundredths(day.switches, len(day.pairs)) if day.pairs else 0,
            "max_block": day.max_block,
            "heavy_adjacent": bool(day.heavy),
            "heavy_pairs": len(day.heavy),
            "high_run": day.high_run,
            "own_sections": sum(b.length for b in day.blocks if b.host is None),
            "course_sections": sum(1 for d, _ in picture.term.owner if d == day.day),
            "free_sections": free_sections(picture, day.day),
            "sequence": [picture.term.classes[b.class_id]["name"] for b in day.blocks],
        }
        for day in picture.days
    ]


def allowance(term: HealthTerm, task_class: Json) -> int:
    """allow(c) of 5.1."""
    blocks = {i["id"]: (i["duration"] + 1) // 2 for i in task_class["items"]}
    days = len({d for d, _ in term.open_cells(task_class)})
    total = sum(n for item, n in blocks.items() if item not in term.pins)
    base = 1 if task_class["strategy"] == "steady" else 3
    return max([base, *blocks.values(), -(-total // days) if days else 0])


def _crowding_of_day(picture: Picture, day: Day) -> list[Json]:
    cost, over, involved = 0, 0, []
    for class_id, task_class in picture.term.classes.items():
        mine = [b for b in day.blocks if b.class_id == class_id]
        excess = sum((b.length + 1) // 2 for b in mine) - allowance(picture.term, task_class)
        if excess >= 1:
            cost += 40 * excess * (excess + 1) // 2
            over = max(over, excess)
            involved += mine
    if not over:
        return []
    d = picture.term.index(day.day)
    trigger = ("blocks_over_allowance", ">=", 1, over)
    kind = (f"issue_rhythm_crowded_day_{d}", "rhythm", "warning")
    return [issue(picture, kind, trigger, cost, involved=involved, days=[d])]


def free_sections(picture: Picture, day: int) -> int:
    """Sections that no occupant owns, that some class permits, and that no item covers."""
    term = picture.term
    covered = {s for b in picture.blocks if b.day == day for s in range(b.first, b.last + 1)}
    return sum(
        1
        for s in range(1, term.sections + 1)
        if (day, s) not in term.owner
        and s not in covered
        and any(term.permits(c, (day, s)) for c in term.classes.values())
    )


def _fullness_of_day(picture: Picture, day: Day) -> list[Json]:
    own = [b for b in day.blocks if b.host is None]
    n = sum(b.length for b in own)
    base = sum(1 for d, _ in picture.term.owner if d == day.day)
    over = max(0, 2 * n - max(0, 16 - base))
    free = free_sections(picture, day.day)
    tight = bool(own) and free < 2
    if over < 1 and not tight:
        return []
    d = picture.term.index(day.day)
    trigger = ("overload_halves", ">=", 1, over) if over else ("free_sections", "<", 2, free)
    cost = 3 * over * (over + 1) // 2 + 30 * tight
    name = f"issue_load_overfull_day_{d}"
    return [issue(picture, (name, "tightness", "warning"), trigger, cost, involved=own, days=[d])]


def class_issues(picture: Picture) -> list[Json]:
    found = []
    term = picture.term
    for class_id, task_class in term.classes.items():
        mine = [b for b in picture.movable if b.class_id == class_id]
        start, end = term.span(task_class)
        length = end - max(start, term.now[0]) + 1
        g = min(3, length // 7) if length > 0 else 0
        late = [b for b in mine if g and b.day > end - g]
        if len(late) >= 2 or any(b.day == end for b in late):
            trigger = ("items_in_slack_zone", ">=", 1, len(late))
            cost = sum(10 * (b.day - (end - g)) for b in late)
            found.append(_class_issue(picture, f"issue_slack_class_{class_id}", "tightness", trigger, cost, late))
        bad = {b: _misfit(term, b) for b in mine if b.high and _misfit(term, b)}
        total = sum(bad.values())
        if total >= 50:
            trigger = ("fit_cost", ">=", 50, total)
            found.append(_class_issue(picture, f"issue_fit_class_{class_id}", "profile", trigger, total, list(bad)))
    return found


def _class_issue(picture: Picture, name: str, dimension: str, trigger: Trigger, cost: int, blocks: list[Block]) -> Json:
    days = sorted({picture.term.index(b.day) for b in blocks})
    return issue(picture, (name, dimension, "warning"), trigger, cost, involved=blocks, days=days)


def _misfit(term: HealthTerm, block: Block) -> int:
    evening = sum(1 for s in range(block.first, block.last + 1) if term.part[s] >= 2)
    return 10 * evening + 25 * block.length * (block.host is not None)


def issue_key(row: Json) -> Any:
    days = row["scope"]["day_range"]
    severity, dimension = SEVERITIES.index(row["severity"]), DIMENSIONS.index(row["dimension"])
    return severity, dimension, -row["cost"], min(days, default=0), row["issue_id"]

"""The constants of a diagnosed problem and the building blocks of its days, for the diagnosis judge."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tests.conformance.judge import Cell, Json, Term, broken, day_of


def hundredths(over: int, under: int) -> float:
    """over/under with two decimals, half up."""
    return (200 * over + under) // (2 * under) / 100


class Block:
    """One placed task item."""

    def __init__(self, term: HealthTerm, placement: Json) -> None:
        self.item: int = placement["task_item_id"]
        self.class_id: int = placement["task_class_id"]
        self.day = day_of(placement)
        self.first: int = placement["section_from"]
        self.last: int = placement["section_to"]
        self.length = self.last - self.first + 1
        self.host: int | None = placement["embed_course_event_id"]
        self.high = term.high(term.classes[self.class_id])
        self.subject = term.classes[self.class_id]["subject_type"]
        self.movable = self.item not in term.pins and (self.day, self.first) >= term.now


class HealthTerm(Term):
    """The constants, the window and the state ids."""

    def __init__(self, problem: Json) -> None:
        super().__init__(problem)
        self.pins = super().pinned()
        self.open = {c["id"]: super(HealthTerm, self).open_cells(c) for c in self.classes.values()}
        spans = [self.span(c) for c in self.classes.values()]
        self.first = min(a for a, b in spans)
        self.last = max(b for a, b in spans)
        self.today = max(self.first, self.now[0])
        inside = [e for e in problem["occupied"] if self.first <= day_of(e) <= self.last]
        inside.sort(key=lambda e: (day_of(e), e["section_from"], e["event_id"]))
        rows = sorted((c["id"], i["order"], i["id"]) for c in self.classes.values() for i in c["items"])
        self.state_id = {item: len(inside) + n for n, (_, _, item) in enumerate(rows, 1)}

    def pinned(self) -> dict[int, list[Cell]]:
        return self.pins

    def open_cells(self, task_class: Json) -> list[Cell]:
        return self.open[task_class["id"]]

    def index(self, day: int) -> int:
        return day - self.first + 1

    def days_seen(self) -> range:
        return range(self.today, self.last + 1)

    def place(self, item: int, day: int, first: int) -> Json:
        task_class, row = self.items[item]
        host = self.owner.get((day, first))
        return {
            "task_item_id": item,
            "task_class_id": task_class["id"],
            "week": (day - 1) // 7 + 1,
            "day_of_week": (day - 1) % 7 + 1,
            "section_from": first,
            "section_to": first + row["duration"] - 1,
            "embed_course_event_id": None if host is None else host["event_id"],
        }


def plan_of(term: HealthTerm, placements: list[Json]) -> Json:
    """A plan document that is good enough to be judged and priced."""
    placed = {p["task_item_id"] for p in placements}
    rows = sorted(placements, key=lambda p: (day_of(p), p["section_from"], p["task_item_id"]))
    return {"placements": rows, "unplaced": [{"task_item_id": i} for i in term.items if i not in placed]}


def replaced(term: HealthTerm, plan: Json, where: dict[int, tuple[int, int]]) -> Json:
    """The plan with some items at other (day, first section)."""
    kept = [p for p in plan["placements"] if p["task_item_id"] not in where]
    return plan_of(term, kept + [term.place(item, *at) for item, at in where.items()])


def may_swap(term: HealthTerm, plan: Json, a: Block, b: Block) -> Json | None:
    """The plan after the exchange, None when one of the two ends is not legal in it."""
    after = replaced(term, plan, {a.item: (b.day, b.first), b.item: (a.day, a.first)})
    if broken(term, after, a.item, b.day, b.first) or broken(term, after, b.item, a.day, a.first):
        return None
    return after


def legal_places(term: HealthTerm, plan: Json, item: int, first_day: int, last_day: int) -> Iterator[tuple[int, int]]:
    for day in range(first_day, last_day + 1):
        for first in range(1, term.sections + 1):
            if not broken(term, plan, item, day, first):
                yield day, first


class Day:
    """The building blocks of one day (7.1)."""

    def __init__(self, term: HealthTerm, day: int, blocks: list[Block]) -> None:
        self.day = day
        self.blocks = sorted((b for b in blocks if b.day == day), key=lambda b: b.first)
        self.pairs = [
            (a, b)
            for a, b in pairwise(self.blocks)
            if term.part[a.last] == term.part[b.first] and b.first - a.last - 1 < 2
        ]
        self.switches = sum(a.class_id != b.class_id for a, b in self.pairs)
        self.heavy = [(a, b) for a, b in self.pairs if a.class_id != b.class_id and a.high and b.high]
        self.chains: list[int] = []
        for n, block in enumerate(self.blocks):
            before = self.blocks[n - 1] if n else None
            if before is not None and (before, block) in self.pairs and before.class_id == block.class_id:
                self.chains[-1] += block.length
            else:
                self.chains.append(block.length)
        self.max_block = max(self.chains, default=0)
        self.runs = self._runs(term)
        self.high_run = max((len(run) for run in self.runs), default=0)
        self.long_runs = [run for run in self.runs if len(run) >= 4 and len({b.item for b in run}) >= 2]

    def _runs(self, term: HealthTerm) -> list[list[Block]]:
        """Runs of consecutive sections inside one part that high classes cover, one entry per section."""
        cover = {s: b for b in self.blocks if b.high for s in range(b.first, b.last + 1)}
        runs: list[list[Block]] = []
        for s in sorted(cover):
            if s - 1 in cover and term.part[s - 1] == term.part[s]:
                runs[-1].append(cover[s])
            else:
                runs.append([cover[s]])
        return runs

    @property
    def fragmented(self) -> bool:
        return self.switches >= 3 or (self.switches >= 2 and self.switches >= 0.55 * len(self.pairs))


def rhythm_metrics(term: HealthTerm, days: list[Day]) -> Json:
    with_block = sum(1 for d in days if d.blocks)
    chains = [size for d in days for size in d.chains]
    pairs = [pair for d in days for pair in d.pairs]
    worst = max((d.switches for d in days), default=0)
    fragmented = sum(d.fragmented for d in days)
    compressed = sum(d.max_block >= 5 or d.high_run >= 4 for d in days)
    alike = sum(a.subject is not None and a.subject == b.subject for a, b in pairs)
    return {
        "avg_switches_per_day": hundredths(sum(d.switches for d in days), with_block) if with_block else 0,
        "max_switch_count": worst,
        "max_switch_day": min(term.index(d.day) for d in days if d.switches == worst) if worst else 0,
        "avg_block_size": hundredths(sum(chains), len(chains)) if chains else 0,
        "longest_same_subject_run": max(chains, default=0),
        "heavy_adjacent_days": sum(bool(d.heavy) for d in days),
        "high_intensity_days": sum(any(b.high for b in d.blocks) for d in days),
        "long_high_intensity_days": sum(d.high_run >= 4 for d in days),
        "fragmented_count": fragmented,
        "compressed_run_count": compressed,
        "block_balance": fragmented - compressed,
        "same_type_transition_ratio": hundredths(alike, len(pairs)) if pairs else 1,
    }

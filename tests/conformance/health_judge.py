"""A second, literal diagnosis of a plan: the numbers of analyze_health, read off problem.json and plan.json alone.

`diagnose(problem, plan)` shares no code with the product, only `Term`, `price` and `broken` of the plan judge. It is
slow and plain: every legal place is asked for one by one, every candidate is priced as a whole plan. It gives no
sentences: `primary_problem`, `summary` and `metric_schema` are left out of its document.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from tests.conformance.health_picture import Picture, Trigger, day_rows, issue_key
from tests.conformance.health_term import Block, HealthTerm, hundredths, legal_places, may_swap, plan_of, replaced
from tests.conformance.judge import Json, price

FEASIBILITY_IDS = ("issue_feasibility_capacity_gap", "issue_pending_items")


def feasibility_of(picture: Picture) -> Json:
    term = picture.term
    keep = gap(term, picture.plan, picture.pending)
    again = keep
    if keep > 0:
        movable = {b.item for b in picture.movable}
        rest = [p for p in picture.plan["placements"] if p["task_item_id"] not in movable]
        again = gap(term, plan_of(term, rest), [*picture.pending, *movable])
    least = min(keep, again)
    code = "capacity_insufficient" if least else "replan_needed" if keep else "enough_capacity"
    return {
        "is_feasible": least == 0,
        "capacity_gap": least,
        "reason_code": code,
        "pending_count": len(picture.pending),
        "required_sections": sum(term.items[i][1]["duration"] for i in picture.pending),
    }


def gap(term: HealthTerm, plan: Json, wanted: list[int]) -> int:
    """Sections that earliest fit leaves over."""
    missing = 0
    for task_class in sorted(term.classes.values(), key=lambda c: (term.span(c)[1], c["id"])):
        for item in term.ranked(task_class):
            if item["id"] not in wanted:
                continue
            at = next(iter(legal_places(term, plan, item["id"], *term.span(task_class))), None)
            if at is None:
                missing += item["duration"]
            else:
                plan = replaced(term, plan, {item["id"]: at})
    return missing


class Room:
    """Local alternatives and near swaps (7.3)."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.places: dict[int, list[tuple[int, int]]] = {}

    def all_places(self, block: Block) -> list[tuple[int, int]]:
        """Every legal place of a block other than its own."""
        if block.item not in self.places:
            term = self.picture.term
            span = term.span(term.classes[block.class_id])
            found = legal_places(term, self.picture.plan, block.item, *span)
            self.places[block.item] = [at for at in found if at != (block.day, block.first)]
        return self.places[block.item]

    def alternatives(self, block: Block) -> int:
        return min(4, sum(1 for day, _ in self.all_places(block) if abs(day - block.day) <= 3))

    def partners(self, block: Block) -> list[Block]:
        movable = self.picture.movable
        return [b for b in movable if b.class_id != block.class_id and b.length == block.length]

    def near_swaps(self, block: Block) -> list[Block]:
        near = [b for b in self.partners(block) if abs(b.day - block.day) <= 3]
        return [b for b in near if may_swap(self.picture.term, self.picture.plan, block, b)]


def tightness_of(picture: Picture, room: Room) -> Json:
    focus = set()
    for row in picture.schedule_issues:
        if row["severity"] != "info":
            focus |= {d + k for d in row["scope"]["day_range"] for k in (-1, 0, 1)}
    sample = [b for b in picture.movable if picture.term.index(b.day) in focus] or picture.movable
    counts = {b.item: room.alternatives(b) for b in sample}
    swaps = {b.item: room.near_swaps(b) for b in sample}
    pairs = {frozenset((item, other.item)) for item, others in swaps.items() for other in others}
    options = min(12, len(pairs))
    movable, total, size = sum(1 for n in counts.values() if n), sum(counts.values()), len(sample)

    def stuck(pair: tuple[Block, Block]) -> bool:
        return not any(b.movable and (room.alternatives(b) or room.near_swaps(b)) for b in pair)

    if not movable and not options:
        level = "locked"
    elif movable >= min(4, size) and (total >= 2 * size or options >= 2):
        level = "loose"
    else:
        level = "tight"
    return {
        "locally_movable_task_count": movable,
        "avg_local_alternative_slots": hundredths(total, size) if size else 0,
        "cross_class_swap_options": options,
        "forced_heavy_adjacent_days": sum(any(stuck(p) for p in d.heavy) for d in picture.days),
        "tightness_level": level,
    }


def profile_of(term: HealthTerm) -> Json:
    keys = ("subject_type", "difficulty_level", "cognitive_intensity")
    rows = [[c[k] is None for k in keys] for c in term.classes.values()]
    subject, difficulty, cognitive = (sum(r[n] for r in rows) for n in range(3))
    return {
        "total_subjects": len(rows),
        "missing_subject_type_count": subject,
        "missing_difficulty_count": difficulty,
        "missing_cognitive_count": cognitive,
        "missing_complete_profile_count": sum(any(r) for r in rows),
    }


def all_issues(picture: Picture, feasibility: Json, profile: Json) -> list[Json]:
    """Every issue in order."""
    rows = list(picture.schedule_issues)
    pending = sorted(picture.term.state_id[i] for i in picture.pending)
    lacking, waiting = feasibility["capacity_gap"], len(pending)
    if lacking > 0:
        rows.append(_fact(FEASIBILITY_IDS[0], "feasibility", "critical", ("capacity_gap", ">", 0, lacking), pending))
    elif waiting > 0:
        rows.append(_fact(FEASIBILITY_IDS[1], "feasibility", "warning", ("pending_count", ">", 0, waiting), pending))
    missing = profile["missing_complete_profile_count"]
    if missing > 0:
        trigger = ("missing_complete_profile_count", ">", 0, missing)
        rows.append(_fact("issue_semantic_profile_missing", "profile", "info", trigger, []))
    worse = sum(1 for r in rows if r["dimension"] == "rhythm" and r["severity"] != "info")
    if worse == 0:
        rows.append(_fact("issue_rhythm_info", "rhythm", "info", ("rhythm_issues", "=", 0, 0), []))
    return sorted(rows, key=issue_key)


def _fact(name: str, dimension: str, severity: str, trigger: Trigger, tasks: list[int]) -> Json:
    return {
        "issue_id": name,
        "dimension": dimension,
        "severity": severity,
        "fixed": dimension != "feasibility",
        "trigger": dict(zip(("metric", "operator", "threshold", "actual"), trigger, strict=True)),
        "cost": 0,
        "scope": {"day_range": [], "task_ids": tasks},
    }


class Search:
    """The candidates (7.8)."""

    def __init__(self, picture: Picture, room: Room, drivers: list[Json]) -> None:
        self.picture, self.term, self.room = picture, picture.term, room
        self.drivers = [d for d in drivers if d["dimension"] != "feasibility"][:6]
        self.item_of = {state: item for item, state in self.term.state_id.items()}
        self.found: dict[str, Json] = {}

    def run(self) -> list[Json]:
        for driver in self.drivers:
            blocks = [self.picture.by_item[self.item_of[t]] for t in driver["scope"]["task_ids"]]
            blocks.sort(key=lambda b: (b.day, b.first))
            for block in blocks[:6]:
                self._moves(driver, block)
                self._swaps(driver, block)
        return self._ordered()

    def _moves(self, driver: Json, block: Block) -> None:
        options = [(day, first, (day, first)) for day, first in self.room.all_places(block)]
        for day, first in round_robin(block.day, options)[:24]:
            task = self.term.state_id[block.item]
            where = self.term.index(day)
            arguments = {"task_id": task, "new_day": where, "new_slot_start": first}
            after = replaced(self.term, self.picture.plan, {block.item: (day, first)})
            self._weigh(driver, f"move_{task}_{where}_{first}", "move", arguments, after)

    def _swaps(self, driver: Json, block: Block) -> None:
        options = []
        for other in self.room.partners(block):
            after = may_swap(self.term, self.picture.plan, block, other)
            if after is not None:
                options.append((other.day, other.first, (other, after)))
        for other, after in round_robin(block.day, options)[:24]:
            a, b = sorted((self.term.state_id[block.item], self.term.state_id[other.item]))
            self._weigh(driver, f"swap_{a}_{b}", "swap", {"task_a": a, "task_b": b}, after)

    def _weigh(self, driver: Json, name: str, tool: str, arguments: Json, after: Json) -> None:
        score = self.picture.cost - sum(price(self.term, after).values())
        if score < 5:
            return
        then = Picture(self.term, after)
        if then.weight() > self.picture.weight():
            return
        left = {i["issue_id"] for i in then.schedule_issues if i["severity"] != "info"}
        better = driver["issue_id"] not in left and then.weight() < self.picture.weight()
        known = self.found.get(name)
        if known is not None:
            return
        self.found[name] = {
            "candidate_id": name,
            "tool": tool,
            "arguments": arguments,
            "effect": "improve" if better else "partial_improve",
            "score": score,
            "after": after_of(then),
        }

    def _ordered(self) -> list[Json]:
        kept, seen = [], set()
        for row in sorted(self.found.values(), key=lambda r: (-r["score"], r["tool"], r["candidate_id"])):
            where = (row["arguments"].get("task_id"), row["arguments"].get("new_day"))
            if row["tool"] == "move" and where in seen:
                continue
            seen.add(where)
            kept.append(row)
        return kept[:5]


def round_robin(home: int, options: list[tuple[int, int, Any]]) -> list[Any]:
    """First of each day, then the second of each; days by (distance, day)."""
    by_day: defaultdict[int, list[Any]] = defaultdict(list)
    for day, _, value in sorted(options, key=lambda o: o[:2]):
        by_day[day].append(value)
    order = sorted(by_day, key=lambda day: (abs(day - home), day))
    deepest = max((len(v) for v in by_day.values()), default=0)
    return [by_day[day][n] for n in range(deepest) for day in order if n < len(by_day[day])]


def after_of(picture: Picture) -> Json:
    drivers = [i for i in sorted(picture.schedule_issues, key=issue_key) if i["severity"] != "info"]
    return {
        "can_close": not drivers,
        "primary_issue_id": drivers[0]["issue_id"] if drivers else "",
        "heavy_adjacent_days": picture.rhythm["heavy_adjacent_days"],
        "max_switch_count": picture.rhythm["max_switch_count"],
        "same_type_transition_ratio": picture.rhythm["same_type_transition_ratio"],
        "cost_total": picture.cost,
    }


def verdict_of(feasibility: Json, drivers: list[Json], level: str, offers: list[Json], count: int) -> tuple[str, str]:
    """(verdict, forced reason), first match."""
    if feasibility["capacity_gap"] > 0:
        return "infeasible", ""
    if feasibility["pending_count"] > 0:
        return "ask_user", ""
    if not drivers:
        return "close", ""
    if level == "locked":
        return "close", "locked"
    if not offers:
        return "close", "no_improving_candidate"
    return ("close", "stagnation") if count >= 3 else ("continue", "")


def signal_of(picture: Picture, issues: list[Json], tightness: Json, feasibility: Json) -> str:
    severity = Counter(i["severity"] for i in issues)
    return (
        f"cost={picture.cost}|critical={severity['critical']}|warning={severity['warning']}"
        f"|heavy_days={picture.rhythm['heavy_adjacent_days']}|max_switch={picture.rhythm['max_switch_count']}"
        f"|tightness={tightness['tightness_level']}|gap={feasibility['capacity_gap']}"
    )


def diagnose(problem: Json, plan: Json, previous_signal: str = "", previous_count: int = 0) -> Json:
    term = HealthTerm(problem)
    picture = Picture(term, plan_of(term, plan["placements"]))
    room = Room(picture)
    tightness, profile, feasibility = tightness_of(picture, room), profile_of(term), feasibility_of(picture)
    issues = all_issues(picture, feasibility, profile)
    drivers = [i for i in issues if i["severity"] != "info"]
    signal = signal_of(picture, issues, tightness, feasibility)
    count = previous_count + 1 if signal == previous_signal else 1
    silent = feasibility["capacity_gap"] or feasibility["pending_count"]
    offers = [] if silent else Search(picture, room, drivers).run()
    verdict, forced = verdict_of(feasibility, drivers, tightness["tightness_level"], offers, count)
    first = next((i for i in issues if verdict == "ask_user" and i["issue_id"] == FEASIBILITY_IDS[1]), None)
    first = first or (drivers[0] if drivers else None)
    operation = {"continue": offers[0]["tool"] if offers else "", "close": "close"}.get(verdict, "ask_user")
    close = {"candidate_id": "close", "tool": "", "arguments": {}, "effect": "close", "score": 0}
    close["after"] = {**after_of(picture), "can_close": verdict == "close"}
    return {
        "tool": "analyze_health",
        "success": True,
        "revision": 0,
        "verdict": verdict,
        "metrics": {
            "rhythm": picture.rhythm,
            "tightness": tightness,
            "profile": profile,
            "feasibility": feasibility,
            "cost": {"total": picture.cost, "parts": picture.parts},
            "can_close": verdict == "close",
            "days": day_rows(picture),
        },
        "issues": issues,
        "decision": {
            "should_continue_optimize": verdict == "continue",
            "primary_issue_id": first["issue_id"] if first else "",
            "problem_scope": first["scope"] if first else None,
            "is_forced_imperfection": bool(forced),
            "forced_reason": forced,
            "recommended_operation": operation,
            "improvement_signal": signal,
            "stagnation_count": count,
            "candidates": [*offers, close] if verdict in ("continue", "close") else [],
        },
    }

"""USE CASE: the ways to catch up side by side, each simulated on the timetable as it stands. Nothing is stored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.auth.models import User

from agent.drafts.difference import rule_text
from agent.drafts.replan import missed_in, refuse_unknown_items, scope_of, semester_asked
from agent.shapes import CatchUpWays
from agent.tools.words.replan import left_sentences, stays_count
from schedules.planner.draft.difference import difference
from schedules.planner.draft.load import load_state
from schedules.planner.replan.asks import KEPT, WAYS, ReplanAsk, ReplanWay, carry_out
from schedules.planner.shapes import Difference
from schedules.selectors import facts_load
from schedules.services.planning import planners


@dataclass(frozen=True)
class CatchUpWay:
    """Holds one way: what it would change, how many placed items keep their places, what would find none, in words."""

    way: ReplanWay
    difference: Difference
    stays: int
    left: tuple[str, ...]


@dataclass(frozen=True)
class CatchUp:
    """Holds the items that count as missed, of those that are asked about, and the ways, the fewest changes first.

    `kept` are the items on the days away that only the student moves: no way does.
    """

    missed: tuple[int, ...]
    ways: tuple[CatchUpWay, ...]
    kept: frozenset[int] = frozenset()

    def to_json(self, ask: ReplanAsk) -> CatchUpWays:
        return {
            "kind": ask.kind,
            "missed": list(self.missed),
            "kept": sorted(self.kept),
            "ways": [
                {"way": one.way, "stays": one.stays, "left": list(one.left), "difference": one.difference}
                for one in self.ways
            ],
        }


def catch_up_ways(*, user: User, ask: ReplanAsk, now: datetime, locale: str) -> CatchUp:
    """Simulates the ways; those that would change nothing, or the same as one before, are left out.

    40036 for unknown items.
    """
    refuse_unknown_items(user, ask)
    semester, scope = semester_asked(user, ask, now), scope_of(user, ask)
    calendar = semester.calendar
    facts = facts_load(user_id=user.pk, class_ids=scope, semester=semester)
    state = load_state(facts, scope=scope, now=calendar.now_cell(now))
    missed = missed_in(user, state, now)
    found: list[CatchUpWay] = []
    kept: frozenset[int] = frozenset()
    seen = []
    for way in WAYS:
        done = planners().call(carry_out, state, replace(ask, way=way), calendar, missed=missed)
        if way == "least_change":
            kept = frozenset(item for item, rule in done.left.items() if rule == KEPT)
        done = replace(done, left={item: rule for item, rule in done.left.items() if rule != KEPT})
        if not (done.changes or (done.left and way == "least_change")) or done.changes in seen:
            continue
        seen.append(done.changes)
        told = difference(done.state, calendar=calendar, reason=lambda rule: rule_text(rule, locale))
        found.append(CatchUpWay(way, told, stays_count(done), tuple(left_sentences(done, locale))))
    asked = missed if ask.item_ids is None else tuple(item for item in missed if item in ask.item_ids)
    return CatchUp(asked if ask.kind == "missed" else (), tuple(found), kept)

"""What a message says of places: its conditions, each with whose it is, what they are together, and which items break
them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.spans.conditions.limit_forms import EVERY, EXAM_BEFORE, EXCEPT, WISHED
from agent.loop.view_document import SlotView, TaskView

Json = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """A condition with the words it was said in; `owners` and `items`: whose it is, empty for everything."""

    words: str
    values: Json
    owners: tuple[int, ...] = ()
    items: tuple[int, ...] = ()
    pair: bool = False
    """Whether it relates two classes."""

    @property
    def times(self) -> list[Json]:
        """The times that it keeps to or takes away."""
        return [*self.values.get("within", ()), *self.values.get("without", ())]


@dataclass(frozen=True)
class Conditions:
    """What a message says of places, whether for good, and the words that are left."""

    said: tuple[Said, ...] = ()
    lasting: bool = False
    once: bool = False
    left: str = ""
    others: bool = False
    spared: frozenset[int] = field(default_factory=frozenset)

    @property
    def finishes(self) -> bool:
        """Whether all is to be done by a date."""
        return any("to_date" in row and "from_date" not in row for one in self.said if not (one.owners or one.items)
                   for row in one.values.get("within", ()))  # fmt: skip

    @property
    def narrowed(self) -> bool:
        """Whether a time has an exception, or is told by what all others are not."""
        return any(EXCEPT.search(one.words) for one in self.said) or self.others

    @property
    def relates(self) -> bool:
        """Whether a date counts back from an exam, or belongs to one class alone."""
        dated = [one for one in self.said if any({"from_date", "to_date"} & set(row) for row in one.times)]
        return any(EXAM_BEFORE.search(one.words) or WISHED.search(one.words) for one in dated)

    def finishes_ahead(self, today: date) -> bool:
        """Whether something is to be done by a day that is still to come."""
        rows = [row for one in self.said for row in one.values.get("within", ())]
        return any(row.get("to_date", "") > today.isoformat() for row in rows)

    @property
    def recurs(self) -> bool:
        """Whether a weekday or a part of the day is kept from some date on, or up to one."""
        rows = [row for one in self.said for row in one.values.get("without", ())]
        dated = [row for row in rows if row.get("from_date") != row.get("to_date")]
        return any("weekdays" in row or ("section_from" in row and "to_date" not in row) for row in dated)

    @property
    def weekly(self) -> bool:
        """Whether each week something is kept free."""
        rows = [row for one in self.said if EVERY.search(one.words) for row in one.values.get("without", ())]
        return any("weekdays" in row and not {"from_date", "to_date"} & set(row) for row in rows)

    @property
    def leaves_free(self) -> bool:
        """Whether all that is said leaves weekdays or parts of the day free, on no certain dates, and of no items."""
        rows = [row for one in self.said for row in one.values.get("without", ())]
        timed = all(set(one.values) == {"without"} and not (one.items or one.pair) for one in self.said)
        return bool(rows) and timed and not any({"from_date", "to_date"} & set(row) for row in rows)

    @property
    def counted(self) -> tuple[Said, ...]:
        """The conditions that are more than times."""
        return tuple(one for one in self.said if one.pair or set(one.values) - {"within", "without"})


def find_other_hours(rows: Sequence[Json], last: int) -> list[Json]:
    """Answers the hours of the same days that these stretches leave, up to the `last` section of a day."""
    told: list[Json] = []
    for row in rows:
        days = {key: value for key, value in row.items() if not key.startswith("section")}
        runs = [
            (one.get("section_from", 1), one.get("section_to", last)) for one in rows if days.items() <= one.items()
        ]
        left = [at for at in range(1, last + 1) if not any(first <= at <= end for first, end in runs)]
        begins, ends = ([at for at in left if at + by not in left] for by in (-1, 1))
        others = ({**days, "section_from": at, "section_to": end} for at, end in zip(begins, ends, strict=True))
        told += [one for one in others if one not in told]
    return told


_KNOWN = {"a_day", "a_week", "sections_a_day", "within", "without", "each_class"}
"""What can be judged by the places alone."""
_TIMES = {"weekdays", "section_from", "section_to", "from_date", "to_date"}


def holds(one: Said, rows: Sequence[TaskView], brief: Brief) -> bool:
    """Whether all of these items have a place, and their places keep to a condition; no where that cannot be judged."""
    times = [*one.times]
    if not rows or set(one.values) - _KNOWN or any(set(time) - _TIMES for time in times):
        return False
    return all(row["slot"] for row in rows) and not find_breaking(one, rows, brief)


def find_breaking(one: Said, rows: Sequence[TaskView], brief: Brief) -> list[TaskView]:
    """The items whose places break a condition."""
    placed = [(row, slot) for row in rows if (slot := row["slot"])]
    within, without = one.values.get("within", ()), one.values.get("without", ())
    broken = [row for row, slot in placed if within and not any(_lies(slot, time, brief) for time in within)]
    broken += [row for row, slot in placed if any(_meets(slot, time, brief) for time in without)]
    each = bool(one.values.get("each_class"))
    keys = {
        "a_day": [(slot["week"], slot["day_of_week"], row["class_id"] if each else 0) for row, slot in placed],
        "a_week": [(slot["week"], 0, row["class_id"] if each else 0) for row, slot in placed],
    }
    keys["sections_a_day"] = keys["a_day"]
    for name in one.values.keys() & keys.keys():
        sizes = Counter[tuple[int, int, int]]()
        for key, (row, _) in zip(keys[name], placed, strict=True):
            sizes[key] += row["duration"] if name == "sections_a_day" else 1
        broken += [row for key, (row, _) in zip(keys[name], placed, strict=True) if sizes[key] > one.values[name]]
    return [row for row in rows if row in broken]


def _is_on(slot: SlotView, time: Json, brief: Brief) -> bool:
    """Whether the day of a place is one of a time."""
    day = brief.day_of(slot)
    first, last = time.get("from_date"), time.get("to_date")
    dated = (not first or date.fromisoformat(first) <= day) and (not last or day <= date.fromisoformat(last))
    return dated and ("weekdays" not in time or slot["day_of_week"] in time["weekdays"])


def _lies(slot: SlotView, time: Json, brief: Brief) -> bool:
    begin, end = time.get("section_from", 1), time.get("section_to", brief.term.sections)
    return _is_on(slot, time, brief) and begin <= slot["slot_start"] and slot["slot_end"] <= end


def _meets(slot: SlotView, time: Json, brief: Brief) -> bool:
    begin, end = time.get("section_from", 1), time.get("section_to", brief.term.sections)
    return _is_on(slot, time, brief) and begin <= slot["slot_end"] and slot["slot_start"] <= end

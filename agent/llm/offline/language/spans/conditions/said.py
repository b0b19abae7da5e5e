"""What a message says of places: its conditions, each with whose it is, and what they are together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from agent.llm.offline.language.spans.conditions.limit_forms import EVERY, EXAM_BEFORE, EXCEPT, WISHED

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
        ends = (1, row.get("section_from", 1) - 1), (row.get("section_to", last) + 1, last)
        told += [{**row, "section_from": first, "section_to": end} for first, end in ends if first <= end]
    return told

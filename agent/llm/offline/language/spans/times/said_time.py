"""A time that a text names, as a value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

Kind = Literal["day", "days", "week", "weekday", "part", "sections", "clock", "every"]
Side = Literal["", "before", "until", "from", "after"]
Role = Literal["", "avoided", "origin"]


@dataclass(frozen=True)
class Time:
    """A time that a text names at `start` to `end`; what was not said is None or empty.

    An open range has only a first or only a last day; a weekday of no certain week has neither.
    """

    kind: Kind
    start: int = 0
    end: int = 0
    first: date | None = None
    last: date | None = None
    week: int | None = None
    weekdays: tuple[int, ...] = ()
    part: int | None = None
    sections: tuple[int, int | None] | None = None
    clock: str = ""
    every: str = ""
    side: Side = ""
    role: Role = ""
    impossible: bool = False
    strict: bool = False
    """Of a bound that is a day: whether that day is none of it: before Saturday."""
    until: str = ""
    """When a stretch of hours ends in which no section lies."""
    touched: tuple[int, int] | None = None
    """The sections that a stretch of hours takes, those too that lie in it only in part."""
    number: int | None = None
    """Of a day that is named by its number alone."""
    whole_month: bool = False
    loose: bool = False
    """Whether the month, the half of the day or the meaning itself depends on what stands beside it."""

    @property
    def taken(self) -> Time:
        """This time as what is taken from a plan: of hours every section that they touch."""
        return replace(self, sections=self.touched) if self.touched else self

"""The values of a semester and what is wrong with them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from zoneinfo import available_timezones

CLOCK = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
SECTIONS_MAX, WEEKS_MAX = 16, 30
YEARS = range(1970, 2101)
"""Those in which a semester begins: at the ends of the calendar no zone and no neighbouring day could be reckoned."""
Fault = tuple[str, str]
"""A field and a message id."""


@dataclass(frozen=True, kw_only=True)
class SemesterValues:
    name: str
    first_monday: date
    weeks: int
    section_times: Sequence[Sequence[str]]
    time_zone: str


def find_faults(values: SemesterValues) -> list[Fault]:
    """Returns everything that keeps the values from being a semester."""
    found = []
    if not values.name.strip():
        found.append(("name", "不能为空"))
    if values.first_monday.weekday() != 0:
        found.append(("first_monday", "学期的第一天必须是周一"))
    if values.first_monday.year not in YEARS:
        found.append(("first_monday", "学期只能在 1970 年到 2100 年之间开始"))
    if not 1 <= values.weeks <= WEEKS_MAX:
        found.append(("weeks", "周次应为 1 到 30"))
    if not _is_ordered(values.section_times):
        found.append(("section_times", "节次时间必须依次递增，1 到 16 节"))
    if values.time_zone not in known_zones():
        found.append(("time_zone", "没有这个时区"))
    return found


def _is_ordered(times: object) -> bool:
    if not isinstance(times, list | tuple) or not 1 <= len(times) <= SECTIONS_MAX:
        return False
    for pair in times:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            return False
        if not all(isinstance(clock, str) and CLOCK.fullmatch(clock) for clock in pair) or pair[0] >= pair[1]:
            return False
    return all(later[0] >= earlier[1] for earlier, later in itertools.pairwise(times))


@cache
def known_zones() -> frozenset[str]:
    """Returns the zones that have the same name and meaning everywhere: that of a machine is none."""
    return frozenset(available_timezones() - {"localtime", "Factory"})

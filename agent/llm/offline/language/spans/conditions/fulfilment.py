"""Whether a plan as it stands keeps to a condition: a verdict of its own, whatever a solver made of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.spans.conditions.said import Json, Said
from agent.loop.view_document import SlotView, TaskView

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

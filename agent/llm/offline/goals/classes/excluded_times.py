"""Times that a class leaves free: those it joins, those that are allowed again, those a plan is limited to."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import Any, Literal

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.standing_rules import Opened, cells_of, read_opened
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.classes.class_sentence import ClassSlots
from agent.llm.offline.language.spans.dates import part_in, sections_in, weekdays_in
from agent.llm.offline.language.spans.times.semester import SemesterDates
from agent.loop.view_document import ClassView


def find_limits_to_write(brief: Brief, class_id: int) -> dict[str, Any] | None:
    """The arguments by which a class keeps to what its plan is limited to; None where it does so already."""
    said, row = Features(brief.request, brief), brief.class_of(class_id)
    slots = (said.standing or said.limits).get(class_id)
    if slots is None or row is None:
        return None
    slots = add_exclusions(slots, row)
    known = ClassSlots(
        start=date.fromisoformat(row["start_date"]) if slots.start and row["start_date"] else None,
        end=date.fromisoformat(row["end_date"]) if slots.end and row["end_date"] else None,
        excluded_days=tuple(row["excluded_days"]) if slots.excluded_days is not None else None,
        excluded_blocks=tuple(row["excluded_blocks"]) if slots.excluded_blocks is not None else None,
        excluded_cells=tuple((day, block) for day, block in row["excluded_cells"])
        if slots.excluded_cells is not None
        else None,
    )
    return None if slots == known else slots.arguments(class_id)


def lift_exclusions(brief: Brief, slots: ClassSlots, row: ClassView | None) -> ClassSlots:
    """周日可以排 takes back an exclusion; what is excluded now joins what was."""
    slots = add_exclusions(slots, row) if row else slots
    if row and (allowed := read_opened("\n".join(brief.turns), brief)):
        return _open_times(slots, row, allowed, brief.term)
    clauses = re.split(r"[,，。;；!\n.]|\bbut\b", fold_text(" ".join(brief.turns)))
    opened = " ".join(clause for clause in clauses if says("open_up", clause))
    opened = opened or (clauses[0] if Features(brief.request, brief).lifted_from else "")
    if not opened or not row:
        return slots
    days, cells = (
        set(weekdays_in(opened)),
        {(day, block) for day, block in slots.excluded_cells or row["excluded_cells"]},
    )
    sections = part_in(opened, brief.term) or sections_in(opened, brief.term)
    first, last = sections or (1, brief.term.sections)
    blocks = set(range((first + 1) // 2, ((last or first) + 1) // 2 + 1))
    every = not days and not sections and not slots.excludes
    said: dict[str, Any] = {}
    if days or every:
        said["excluded_days"] = set(slots.excluded_days or row["excluded_days"]) - (days or set(range(1, 8)))
    if sections or every:
        said["excluded_blocks"] = set(slots.excluded_blocks or row["excluded_blocks"]) - blocks
    left = {(day, block) for day, block in cells if (days and day not in days) or block not in blocks}
    said |= {"excluded_cells": left} if left != cells else {}
    changed: dict[str, Any] = {name: tuple(sorted(one)) for name, one in said.items()}
    return replace(slots, **changed)


def _open_times(slots: ClassSlots, row: ClassView, opened: Opened, term: SemesterDates) -> ClassSlots:
    """The slots with what a class leaves free still, of what changes by times that are allowed again."""
    known: dict[str, Any] = {
        name: tuple(tuple(one) if isinstance(one, list) else one for one in row[name]) for name in _EXCLUSIONS
    }
    told = [getattr(slots, name) if getattr(slots, name) is not None else known[name] for name in _EXCLUSIONS]
    left = opened.left_of(cells_of(told[0], told[1], told[2], term), term)
    changed: dict[str, Any] = {name: cells if cells != known[name] else None for name, cells in left.items()}
    return replace(slots, **changed)


_EXCLUSIONS: tuple[Literal["excluded_days", "excluded_blocks", "excluded_cells"], ...] = (
    "excluded_days", "excluded_blocks", "excluded_cells",
)  # fmt: skip


def add_exclusions(slots: ClassSlots, row: ClassView) -> ClassSlots:
    """What is to be kept free besides what the class keeps free already."""
    known: dict[str, Any] = {"excluded_days": row["excluded_days"], "excluded_blocks": row["excluded_blocks"],
             "excluded_cells": [(day, block) for day, block in row["excluded_cells"]]}  # fmt: skip
    said = {name: getattr(slots, name) for name in known if getattr(slots, name) is not None}
    joined: dict[str, Any] = {name: tuple(sorted({*known[name], *values})) for name, values in said.items()}
    return replace(slots, **joined)

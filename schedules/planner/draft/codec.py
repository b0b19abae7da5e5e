"""The draft as versioned JSON, both directions; canonical bytes for digests and equality."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter, itemgetter
from typing import Any

from schedules.planner.class_rules import rules_from_json, rules_to_json
from schedules.planner.draft.state import VERSION, Base, ClassMeta, ScheduleState, SemesterInfo, Slot, TaskEntry, Window
from schedules.planner.grid import Cell, Grid, Place, day_from_json, day_json
from schedules.planner.rules.errors import StateVersionError
from schedules.planner.shapes import CellPoint
from schedules.planner.soft_limits import limit_from_json, limit_to_json

_PLAIN = [
    "state_id",
    "source",
    "source_id",
    "event_id",
    "name",
    "category",
    "status",
    "duration",
    "task_class_id",
    "task_order",
    "event_type",
    "can_embed",
    "embedded_by",
    "embed_host",
    "locked",
    "rule",
    "location",
    "interrupted",
    "course_id",
    "color_index",
    "pinned",
    "by_hand",
]
_YOUNGER = {"course_id": None, "color_index": None}
"""Fields that an older draft does not have, and what that means."""
_plain_of, _plain_in = attrgetter(*_PLAIN), itemgetter(*_PLAIN)


def state_to_json(state: ScheduleState) -> dict[str, Any]:
    grid, window = state.grid, state.window
    kept = sorted(grid.kept_free)
    return {
        "version": state.version,
        "revision": state.revision,
        "user_id": state.user_id,
        "semester": {
            "id": state.semester.id,
            "weeks": grid.weeks,
            "sections": grid.sections,
            "day_parts": [list(part) for part in grid.day_parts],
            "closed_days": [day_json(day) for day in sorted(grid.closed_days)],
            **({"kept_free": [{**day_json(day), "section": section} for day, section in kept]} if kept else {}),
        },
        "base_version": state.base_version,
        "now": cell_json(state.now),
        "window": {
            "total_days": window.total_days,
            "first": day_json(window.first_day),
            "day_mapping": window.mapping,
        },
        "scope": list(state.scope),
        "tasks": [_entry_json(entry) for entry in state.tasks],
        "task_classes": [_meta_json(meta) for meta in state.task_classes],
        "next_state_id": state.next_state_id,
        "source_ids": dict(sorted(state.source_ids.items(), key=lambda pair: pair[1])),
        **({"wishes": [limit_to_json(limit) for limit in state.wishes]} if state.wishes else {}),
    }


def state_from_json(document: Mapping[str, Any]) -> ScheduleState:
    """Reads what `state_to_json` wrote; raises `StateVersionError` for a version it does not know."""
    if document.get("version") != VERSION:
        raise StateVersionError(f"draft version {document.get('version')!r}, known is {VERSION}")
    semester = document["semester"]
    parts = tuple((first, last) for first, last in semester["day_parts"])
    closed = frozenset(day_from_json(row) for row in semester.get("closed_days", ()))
    kept = frozenset((day_from_json(row), row["section"]) for row in semester.get("kept_free", ()))
    grid = Grid(semester["weeks"], semester["sections"], parts, closed, kept)
    now = document["now"]
    return ScheduleState(
        revision=document["revision"],
        user_id=document["user_id"],
        semester=SemesterInfo(semester["id"], grid),
        base_version=document["base_version"],
        now=None if now is None else (day_from_json(now), now["section"]),
        window=Window(day_from_json(document["window"]["first"]), document["window"]["total_days"]),
        scope=tuple(document["scope"]),
        tasks=tuple(_entry(row) for row in document["tasks"]),
        task_classes=tuple(_meta(row) for row in document["task_classes"]),
        next_state_id=document["next_state_id"],
        source_ids=dict(document["source_ids"]),
        wishes=tuple(limit_from_json(row) for row in document.get("wishes", ())),
    )


def cell_json(cell: Cell | None) -> CellPoint | None:
    return None if cell is None else {**day_json(cell[0]), "section": cell[1]}


def _entry_json(entry: TaskEntry) -> dict[str, Any]:
    row: dict[str, Any] = dict(zip(_PLAIN, _plain_of(entry), strict=True))
    row["slots"] = [{"day": s.day, "slot_start": s.slot_start, "slot_end": s.slot_end} for s in entry.slots]
    base = entry.base
    row["base"] = None if base is None else _base_json(base)
    row["mark"] = entry.mark
    return row


def _base_json(base: Base) -> dict[str, Any]:
    return {
        **day_json(base.place.day),
        "section_from": base.place.first,
        "section_to": base.place.last,
        "embed_course_event_id": base.host_event_id,
        "event_id": base.event_id,
        "pinned": base.pinned,
        "by_hand": base.by_hand,
    }


def _entry(row: Mapping[str, Any]) -> TaskEntry:
    base = row["base"]
    return TaskEntry(
        **dict(zip(_PLAIN, _plain_in({**_YOUNGER, **row}), strict=True)),
        slots=tuple(Slot(s["day"], s["slot_start"], s["slot_end"]) for s in row["slots"]),
        base=None if base is None else _base(base),
        mark=row.get("mark", ""),
    )


def _base(row: Mapping[str, Any]) -> Base:
    place = Place(day_from_json(row), row["section_from"], row["section_to"] - row["section_from"] + 1)
    return Base(place, row["embed_course_event_id"], row["event_id"], row["pinned"], row["by_hand"])


def _meta_json(meta: ClassMeta) -> dict[str, Any]:
    return {
        "id": meta.id,
        "name": meta.name,
        "total_slots": meta.total_slots,
        "seal": meta.seal,
        "color_index": meta.color_index,
        "item_ids": list(meta.item_ids),
        **rules_to_json(meta.rules),
    }


def _meta(row: Mapping[str, Any]) -> ClassMeta:
    """Reads the facts of a class; a draft that is older than seals knows none, and no colours."""
    badge = {"seal": row.get("seal", ""), "color_index": row.get("color_index", 0)}
    items = tuple(row.get("item_ids", ()))
    return ClassMeta(row["id"], row["name"], row["total_slots"], rules_from_json(row), **badge, item_ids=items)

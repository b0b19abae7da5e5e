"""A broken placement rule as the API tells it: one row per violation, the first one names the code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from schedules.planner.grid import Calendar, Place, week_and_weekday
from schedules.planner.rules.plain_sentences import plain_sentence
from schedules.planner.rules.violations import Rule, Violation
from taskclasses.kernel.errors import CodedError
from taskclasses.shapes import Blocker, Conflict, PlaceOffer, PlaceWarning


def conflict(
    code: int, rule: str, *, item_id: int, class_id: int, place: Place | None, blocker: Blocker | None
) -> Conflict:
    """Returns one entry of `data.conflicts` (wire.md 1.5). Ids and coordinates that do not apply are 0, as
    everywhere."""
    week, weekday = week_and_weekday(place.day) if place else (0, 0)
    return {
        "code": str(code),
        "rule": rule,
        "task_item_id": item_id,
        "task_class_id": class_id,
        "week": week,
        "day_of_week": weekday,
        "section_from": place.first if place else 0,
        "section_to": place.last if place else 0,
        "with": blocker,
    }


def outside_semester(place: Place | None = None) -> CodedError:
    """Returns 40049 for what no item was to have: the place of a lesson, or dates without a place."""
    row = conflict(40049, Rule.OUTSIDE_SEMESTER.value, item_id=0, class_id=0, place=place, blocker=None)
    return CodedError(40049, {"conflicts": [row]})


def conflict_row(
    *, item_id: int, class_id: int, place: Place, violation: Violation, events: Mapping[int, int] | None = None
) -> Conflict:
    """Returns the item at the place it was asked for, and what is in its way; `events` knows the task event of an
    item."""
    return conflict(
        violation.rest_code,
        violation.rule.value,
        item_id=item_id,
        class_id=class_id,
        place=place,
        blocker=_blocker(violation, events or {}),
    )


def warning_row(
    *, item_id: int, class_id: int, place: Place, violation: Violation, calendar: Calendar, locale: str
) -> PlaceWarning:
    """Returns the item at the place that the student chose against a preference."""
    row = conflict_row(item_id=item_id, class_id=class_id, place=place, violation=violation)
    return {
        "code": row["code"],
        "rule": row["rule"],
        "message": plain_sentence(violation, calendar, locale),
        "task_item_id": item_id,
        "task_class_id": class_id,
        "week": row["week"],
        "day_of_week": row["day_of_week"],
        "section_from": row["section_from"],
        "section_to": row["section_to"],
        "with": row["with"],
    }


def _blocker(violation: Violation, events: Mapping[int, int]) -> Blocker | None:
    other = violation.blocker
    if other is None:
        return None
    return {
        "event_id": other.event_id or events.get(other.task_item_id or 0, 0),
        "task_item_id": other.task_item_id or 0,
        "name": other.name,
        "type": other.type,
    }


def refusal(rows: Sequence[Conflict], offers: Sequence[PlaceOffer] = ()) -> CodedError:
    """Returns the refusal for these rows, in request order; its code is that of the first. `offers` are ways out."""
    data: dict[str, object] = {"conflicts": list(rows)}
    return CodedError(int(rows[0]["code"]), data | ({"offers": list(offers)} if offers else {}))

"""A broken placement rule as the API tells it: one row per violation, the first one names the code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from schedules.planner.grid import Place, week_and_weekday
from schedules.planner.rules import Violation
from taskclasses.errors import CodedError


def conflict_row(*, item_id: int, class_id: int, place: Place, violation: Violation) -> dict[str, Any]:
    """One entry of `data.conflicts` (api.md 1.5): the item at the place it was asked for, and what is in its way."""
    week, weekday = week_and_weekday(place.day)
    return {
        "code": str(violation.rest_code),
        "rule": violation.rule.value,
        "task_item_id": item_id,
        "task_class_id": class_id,
        "week": week,
        "day_of_week": weekday,
        "section_from": place.first,
        "section_to": place.last,
        "with": _blocker(violation),
    }


def _blocker(violation: Violation) -> dict[str, Any] | None:
    """Ids that do not apply are 0, as everywhere on the wire."""
    other = violation.blocker
    if other is None:
        return None
    return {
        "event_id": other.event_id or 0,
        "task_item_id": other.task_item_id or 0,
        "name": other.name,
        "type": other.type,
    }


def refusal(rows: Sequence[dict[str, Any]]) -> CodedError:
    """The refusal for these rows, in request order; its code is that of the first."""
    return CodedError(int(rows[0]["code"]), {"conflicts": list(rows)})

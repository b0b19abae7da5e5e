"""The class object of the API, as JSON values."""

from __future__ import annotations

from datetime import date
from typing import Any, cast

from taskclasses.fields import read_fields
from taskclasses.models import TaskClass, TaskItem
from taskclasses.shapes import ClassBrief, ClassFields, ClassItem, ClassObject
from taskclasses.spec import item_lengths


def class_fields(row: TaskClass) -> ClassFields:
    """Returns a class without its items: every field of the shape, in its order."""
    values = {"id": row.pk} | {name: _json(value) for name, value in read_fields(row).items()}
    return cast(ClassFields, {name: values[name] for name in ClassFields.__annotations__})


def _json(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def class_brief(row: TaskClass) -> ClassBrief:
    """Returns a row of the list; needs the annotations of `selectors.task_classes`."""
    return {
        **class_fields(row),
        "item_count": row.item_count,  # type: ignore[attr-defined]
        "applied_count": row.applied_count,  # type: ignore[attr-defined]
        "waiting_count": row.waiting_count,  # type: ignore[attr-defined]
    }


def class_json(row: TaskClass) -> ClassObject:
    """Returns the class object with its items in class order; `sections` is each item's resolved length, or that of its
    rest.

    `progress` is what the student said; what follows for the past is known one app higher.
    """
    items = sorted(row.items.all(), key=lambda item: (item.order, item.pk))
    lengths = item_lengths([item.duration for item in items], row.total_slots)
    shown = [_item(item, length) for item, length in zip(items, lengths, strict=True)]
    return {**class_fields(row), "items": shown}


def _item(item: TaskItem, sections: int) -> ClassItem:
    return {
        "id": item.pk,
        "order": item.order,
        "content": item.content,
        "duration": item.duration,
        "sections": item.sections_left or sections,
        "status": item.status,
        "embedded_time": item.embedded_time,
        "progress": item.mark or "open",
        "sections_left": item.sections_left,
    }

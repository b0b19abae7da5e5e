"""Full images of items on the timetable: what a batch stores to be undone, and what undo compares.

An image is JSON: `{item, class, event, rows, guest}`. `event` and `rows` (section numbers) are the item's own task
event; `guest` names the host whose sections carry the item. It restores the rows without any other source.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from schedules.models import Schedule, ScheduleEvent
from schedules.shapes import AppliedItem
from taskclasses.models import TaskItem

Image = dict[str, Any]
EVENT_COLUMNS = (
    "id",
    "name",
    "location",
    "type",
    "task_item_id",
    "can_be_embedded",
    "week",
    "day_of_week",
    "section_from",
    "section_to",
    "source",
)
_UNCOMPARED = "revision"


def images_of(item_ids: Iterable[int]) -> dict[int, Image]:
    """The present image of each item that exists, in a fixed number of queries."""
    ids = set(item_ids)
    items = TaskItem.objects.filter(pk__in=ids).select_related("task_class")
    events = {event.task_item_id: event for event in ScheduleEvent.objects.filter(task_item__in=ids)}
    own_rows: dict[int, list[int]] = defaultdict(list)
    for row in Schedule.objects.filter(event__in=[event.pk for event in events.values()]):
        own_rows[row.event_id].append(row.section)
    guests: dict[int, list[Schedule]] = defaultdict(list)
    for row in Schedule.objects.filter(embedded_task_item__in=ids).select_related("event"):
        guests[row.embedded_task_item_id or 0].append(row)
    return {
        item.pk: {
            "item": {
                "id": item.pk,
                "content": item.content,
                "status": item.status,
                "embedded_time": item.embedded_time,
            },
            "class": {"id": item.task_class_id, "name": item.task_class.name},
            "event": _event_image(events.get(item.pk)),
            "rows": sorted(own_rows[events[item.pk].pk]) if item.pk in events else [],
            "guest": _guest_image(guests[item.pk]),
        }
        for item in items
    }


def _event_image(event: ScheduleEvent | None) -> Image | None:
    if event is None:
        return None
    return {name: getattr(event, name) for name in EVENT_COLUMNS} | {"revision": event.revision}


def _guest_image(rows: list[Schedule]) -> Image | None:
    if not rows:
        return None
    return {"host": _event_image(rows[0].event), "rows": sorted(row.section for row in rows)}


def hosts_now(ids: Iterable[int]) -> dict[int, Image]:
    """Images of events by id."""
    return {
        event.pk: image for event in ScheduleEvent.objects.filter(pk__in=set(ids)) if (image := _event_image(event))
    }


def same(one: Any, other: Any) -> bool:
    """Equality of images; `revision` keeps rising and does not count."""
    return bool(_bare(one) == _bare(other))


def _bare(image: Any) -> Any:
    if isinstance(image, dict):
        return {key: _bare(value) for key, value in image.items() if key != _UNCOMPARED}
    return image


def change_of(before: Image, after: Image) -> dict[str, Any]:
    """One entry of AppliedBatch.changes."""
    applied_before, applied_after = before["item"]["status"] == 2, after["item"]["status"] == 2
    kind = "move" if applied_before and applied_after else "place" if applied_after else "unplace"
    return {
        "task_item_id": before["item"]["id"],
        "task_class_id": before["class"]["id"],
        "change": kind,
        "before": before,
        "after": after,
    }


def describe_applied_item(image: Image, *, item_id: int, class_id: int) -> AppliedItem:
    """A placed item as the answers of apply name it."""
    time, guest = image["item"]["embedded_time"], image["guest"]
    event_id = guest["host"]["id"] if guest else image["event"]["id"]
    return {
        "task_item_id": item_id,
        "task_class_id": class_id,
        "event_id": event_id,
        "embedded": guest is not None,
        "week": time["week"],
        "day_of_week": time["day_of_week"],
        "section_from": time["section_from"],
        "section_to": time["section_to"],
    }

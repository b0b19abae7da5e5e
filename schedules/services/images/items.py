"""Full images of items on the timetable: what a batch stores to be undone, and what undo compares.

An image is JSON: `{item, class, event, rows, guest}`. `event` and `rows` (section numbers) are the item's own task
event; `guest` names the host whose sections carry the item. It restores the rows without any other source. Beside
these it has `progress` (mark, rest, records), which is compared and restored by itself: marks outlive other changes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from schedules.mapping import place_of
from schedules.models import Schedule, ScheduleEvent
from schedules.planner.draft.state import Spot
from schedules.presentation.shapes.placement import AppliedItem
from schedules.services.images.kind import Image, same
from schedules.services.placement.seats import Keeping
from taskclasses.models import TaskItem

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
ITEM_COLUMNS = (
    "pk", "content", "status", "embedded_time", "pinned", "by_hand", "task_class_id", "task_class__name",
    "mark", "sections_left", "records",
)  # fmt: skip
"""What an image is made of: tuples of these cost a third of whole rows, and a batch may have hundreds."""
NO_PROGRESS: Image = {"mark": "", "sections_left": None, "records": []}


def images_of(item_ids: Iterable[int]) -> dict[int, Image]:
    """Returns the present image of each item that exists, in a fixed number of queries."""
    ids = set(item_ids)
    items = TaskItem.objects.filter(pk__in=ids).values_list(*ITEM_COLUMNS, named=True)
    # What is sorted here, or sought by its id, is read in any sequence.
    rows = ScheduleEvent.objects.filter(task_item__in=ids).order_by()
    own = rows.values_list(*EVENT_COLUMNS, "revision", named=True)
    events = {event.task_item_id: event for event in own}
    own_rows: dict[int, list[int]] = defaultdict(list)
    mine = Schedule.objects.filter(event__in=[event.id for event in events.values()]).order_by()
    for event_id, section in mine.values_list("event_id", "section"):
        own_rows[event_id].append(section)
    guests: dict[int, list[Schedule]] = defaultdict(list)
    for row in Schedule.objects.filter(embedded_task_item__in=ids).select_related("event").order_by():
        guests[row.embedded_task_item_id or 0].append(row)
    return {
        item.pk: {
            "item": {
                "id": item.pk,
                "content": item.content,
                "status": item.status,
                "embedded_time": item.embedded_time,
                "pinned": item.pinned,
                "by_hand": item.by_hand,
            },
            "class": {"id": item.task_class_id, "name": item.task_class__name},
            "event": _event_image(events.get(item.pk)),
            "rows": sorted(own_rows[events[item.pk].id]) if item.pk in events else [],
            "guest": _guest_image(guests[item.pk]),
            "progress": {
                "mark": item.mark,
                "sections_left": item.sections_left,
                "records": item.records or [],
            },
        }
        for item in items
    }


def progress_image(image: Image) -> Image:
    """Tells how far the item was; an image older than marks has none."""
    found: Image = image.get("progress", NO_PROGRESS)
    return found


def _event_image(event: Any) -> Image | None:
    """Returns the image of an event, a whole row or a tuple of these columns."""
    if event is None:
        return None
    return {name: getattr(event, name) for name in EVENT_COLUMNS} | {"revision": event.revision}


def _guest_image(rows: list[Schedule]) -> Image | None:
    if not rows:
        return None
    return {"host": _event_image(rows[0].event), "rows": sorted(row.section for row in rows)}


def hosts_now(ids: Iterable[int]) -> dict[int, Image]:
    """Returns images of events by id; one that falls out hosts nobody and is left out."""
    held = ScheduleEvent.objects.filter(pk__in=set(ids), held=True)
    return {event.pk: image for event in held if (image := _event_image(event))}


def change_of(before: Image, after: Image) -> dict[str, Any]:
    """Returns one entry of AppliedBatch.changes."""
    return {
        "task_item_id": before["item"]["id"],
        "task_class_id": before["class"]["id"],
        "change": _kind_of_change(before, after),
        "before": before,
        "after": after,
    }


def spot_of(image: Image) -> Spot | None:
    """Tells where the item stands in an image."""
    time, guest = image["item"]["embedded_time"], image["guest"]
    if time is None:
        return None
    place = place_of(time["week"], time["day_of_week"], time["section_from"], time["section_to"])
    return Spot(place, guest["host"]["id"] if guest else None)


def _kind_of_change(before: Image, after: Image) -> str:
    applied_before, applied_after = before["item"]["status"] == 2, after["item"]["status"] == 2
    if same(before, after) and progress_image(before) != progress_image(after):
        return "mark"
    if same(before, after) and keeping_of(before) != keeping_of(after):
        return "pin" if after["item"]["pinned"] else "unpin"
    return "move" if applied_before and applied_after else "place" if applied_after else "unplace"


def keeping_of(image: Image) -> Keeping:
    """Tells who keeps an item by its image; images of older batches do not say."""
    return Keeping(pinned=image["item"].get("pinned", False), by_hand=image["item"].get("by_hand", False))


def describe_applied_item(image: Image, *, item_id: int, class_id: int) -> AppliedItem:
    """Returns a placed item as the answers of apply name it."""
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

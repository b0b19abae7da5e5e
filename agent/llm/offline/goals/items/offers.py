"""The places offered for an item: three at a time, none that was refused, a number or consent picks one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from agent.llm.offline.goals.decisions import within
from agent.llm.offline.language.brief import PLACES, Brief, Json
from agent.llm.offline.language.spans.targets import PlaceTarget, day_at
from agent.llm.offline.language.texts import place_text
from agent.loop.view_document import ResultView, TaskView

MOST_PLACES = 3


def find_offered_places(brief: Brief, item: TaskView) -> list[Json]:
    """The places offered last, in their order on the list; none when none were: a number over a card picks nothing."""
    row = find_looked_up_places(brief, item)
    known = {_cell_of(slot): slot for slot in (row["data"] or {}).get("slots") or ()} if row else {}
    known = {**{_cell_of(slot): slot for slot in _find_first_places(brief, item)}, **known}
    offers = [asked["about"] for asked in brief.asked if asked["topic"] == PLACES]
    cells = [tuple(cell) for cell in offers[-1]["places"]] if offers and offers[-1]["item"] == item["item_id"] else []
    return [known[cell] for cell in cells if cell in known]


def _find_first_places(brief: Brief, item: TaskView) -> list[Json]:
    """The places that were found free for an item where it was asked for."""
    found = (row for row in brief.results if row["tool"] == "find_first_free" and row["status"] == "done")
    places = ((row["data"] or {}).get("place") for row in found if row["arguments"]["for_task_id"] == item["state_id"])
    return [whole_place(brief, item, place) for place in places if place]


def whole_place(brief: Brief, item: TaskView, place: Json) -> Json:
    """A place with its week, its weekday and its last section."""
    week, day = day_at(brief, place["day"])
    last = place["slot_start"] + item["duration"] - 1
    return {**place, "week": week, "day_of_week": day, "slot_end": last}


def _cell_of(slot: Json) -> tuple[int, ...]:
    return slot["day"], slot["slot_start"], slot["slot_end"]


def describe_offer(item: TaskView, page: list[Json], why: str) -> dict[str, Any]:
    """What the question for one of these places is about; `why` names the reason with which it is asked."""
    return {"item": item["item_id"], "places": [list(_cell_of(slot)) for slot in page], "why": why}


def find_looked_up_places(brief: Brief, item: TaskView) -> ResultView | None:
    """What was looked up of the item's legal places."""
    found = (row for row in brief.results if row["tool"] == "query_available_slots")
    return next((row for row in found if row["arguments"].get("for_task_id") == item["state_id"]), None)


def pages_of(
    brief: Brief, item: TaskView, row: ResultView, does: Callable[[Json], bool] = bool, near: int | None = None
) -> list[list[Json]]:
    """The found places that do, three at a time, the first three on different days where possible; none refused.

    Where a day was asked for, `near`, those come first that are closest to it.
    """
    found = [slot for slot in (row["data"] or {}).get("slots") or () if does(slot)]
    slots = [slot for slot in found if not was_rejected(brief, *write_of(item, slot))]
    by_day = {
        slot["day"]: slot for slot in sorted(slots, key=lambda slot: (slot["slot_start"] % 2, -slot["slot_start"]))
    }
    closest = sorted(by_day, key=lambda day: (abs(day - near) if near else 0, day))
    first = [by_day[day] for day in closest][:MOST_PLACES]
    slots = sorted(slots, key=lambda slot: abs(slot["day"] - near)) if near else slots
    rest = [slot for slot in slots if not any(map(partial(overlaps, slot), first))]
    odd = [slot for slot in rest if slot["slot_start"] % 2]
    rest = [slot for slot in rest if slot in odd or not any(map(partial(overlaps, slot), odd))]
    ordered = [*first, *rest]
    pages = [ordered[at : at + MOST_PLACES] for at in range(0, len(ordered), MOST_PLACES)]
    return [sorted(page, key=lambda slot: (slot["day"], slot["slot_start"])) for page in pages]


def find_aligned_place(brief: Brief, found: Json, data: Json, target: PlaceTarget) -> Json | None:
    """A free place on the day of `found` that begins where lessons do and stays in one part of the day, if any."""
    length = found["slot_end"] - found["slot_start"]
    for start in find_starts(brief, found, data):
        if start > found["slot_start"] and not _beyond(target, start, start + length):
            return {**found, "slot_start": start, "slot_end": start + length}
    return None


def find_starts(brief: Brief, found: Json, data: Json) -> list[int]:
    """The sections of a day at which a place as long as `found` may begin: where lessons do, in one part of it."""
    length = found["slot_end"] - found["slot_start"]
    starts = (start for first, last in data.get("free_ranges") or ()
              for start in range(first + (first + 1) % 2, last - length + 1, 2))  # fmt: skip
    return [
        start for start in starts if any(one <= start and start + length <= end for one, end in brief.term.day_parts)
    ]


def _beyond(target: PlaceTarget, first: int, last: int) -> bool:
    return target.part is not None and not target.part[0] <= first <= last <= target.part[1]


def overlaps(slot: Json, other: Json) -> bool:
    return bool(
        slot["day"] == other["day"]
        and slot["slot_start"] <= other["slot_end"]
        and other["slot_start"] <= slot["slot_end"]
    )


def listed_places(brief: Brief, places: list[Json]) -> str:
    """The numbered lines of a page."""
    return "\n".join(f"{n}. {place}" for n, place in enumerate(say_places(brief, places), start=1))


def say_places(brief: Brief, places: list[Json]) -> list[str]:
    """The places of a page in words."""
    return [place_text(brief, row["week"], row["day_of_week"], row["slot_start"], row["slot_end"]) for row in places]


def was_rejected(brief: Brief, name: str, arguments: dict[str, Any]) -> bool:
    """Whether the student refused this write in this goal."""
    return any(row["name"] == name and within(arguments, row["arguments"]) for row in brief.view["rejected"])


def was_any_rejected(brief: Brief, item: TaskView) -> bool:
    """Whether the student refused a place for this item in this goal."""
    return any(row["arguments"].get("task_id") == item["state_id"] for row in brief.view["rejected"])


def write_of(item: TaskView, place: Json) -> tuple[str, dict[str, Any]]:
    """The tool and the arguments that bring an item to a place."""
    if item["status"] == "pending":
        return "place", {"task_id": item["state_id"], "day": place["day"], "slot_start": place["slot_start"]}
    return "move", {"task_id": item["state_id"], "new_day": place["day"], "new_slot_start": place["slot_start"]}

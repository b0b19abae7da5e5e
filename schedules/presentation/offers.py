"""Ways out of a refusal as the API tells them: a sentence, and items that can be posted as they are."""

from __future__ import annotations

from collections.abc import Iterable

from schedules.planner.advice.offers import Offer
from schedules.planner.draft.state import ScheduleState, Spot
from schedules.planner.grid import Calendar, week_and_weekday
from schedules.planner.words.dates import place_words
from taskclasses.kernel.i18n import text
from taskclasses.shapes import OfferedItem, PlaceOffer


def describe_offers(
    offers: Iterable[Offer], state: ScheduleState, *, calendar: Calendar, locale: str
) -> list[PlaceOffer]:
    return [
        {
            "kind": offer.kind,
            "message": _message(offer, state, calendar, locale),
            "items": [_row(state, item, spot, by_hand=item not in offer.planned) for item, spot in offer.spots.items()],
        }
        for offer in offers
    ]


def _row(state: ScheduleState, item_id: int, spot: Spot, *, by_hand: bool) -> OfferedItem:
    entry = state.by_item(item_id)
    week, weekday = week_and_weekday(spot.place.day)
    row: OfferedItem = {
        "task_item_id": item_id,
        "task_class_id": 0 if entry is None else entry.task_class_id or 0,
        "week": week,
        "day_of_week": weekday,
        "start_section": spot.place.first,
        "end_section": spot.place.last,
        "embed_course_event_id": spot.host_event_id,
        "by_hand": by_hand,
    }
    if entry is not None and entry.status == "existing":
        row["from_timetable"] = True
    return row


def _message(offer: Offer, state: ScheduleState, calendar: Calendar, locale: str) -> str:
    if offer.kind == "nearest":
        return place_words(calendar, offer.spots[offer.item_id].place, locale)
    moved = [
        (entry.name, offer.spots[item].place)
        for item in sorted(offer.planned)
        if (entry := state.by_item(item)) is not None
    ]
    if offer.kind == "swap":
        return text("和「{name}」交换位置", locale, name=moved[0][0])
    told = [
        text("「{name}」移到 {place}", locale, name=name, place=place_words(calendar, place, locale))
        for name, place in moved
    ]
    return text("、", locale).join(told)

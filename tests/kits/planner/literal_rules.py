"""The placement rule a second time, straight from its table: no indexes, no speed, for comparison only."""

from __future__ import annotations

from schedules.planner.grid import Place
from schedules.planner.rules.board import Board
from schedules.planner.rules.placement import Situation, Subject


def literal_broken_rules(board: Board, subject: Subject, place: Place, host: object, situation: Situation) -> list[str]:
    grid, rules = board.grid, subject.task_class.rules
    sections = list(range(place.first, place.first + place.length))
    weekday = (place.day - 1) % 7 + 1
    if situation.window and not situation.window[0] <= place.day <= situation.window[1]:
        return ["outside_window"]
    if place.day < 1 or place.day > 7 * grid.weeks or sections[0] < 1 or sections[-1] > grid.sections:
        return ["outside_semester"]
    items = [item for item in board.items() if item.item_id != subject.item_id]
    siblings = [item for item in items if item.class_id == subject.task_class.id]

    def owns(owner: Place, section: int) -> bool:
        return owner.day == place.day and owner.first <= section <= owner.first + owner.length - 1

    events = [event for event in board.events() if any(owns(event.place, s) for s in sections)]
    fillers = [event for event in events if event.can_embed]
    named = board.event(host) if isinstance(host, int) else None
    parts = [[i for i, (a, b) in enumerate(grid.day_parts) if a <= s <= b] for s in (sections[0], sections[-1])]
    cells = [(place.day, s) for s in sections]

    def broken() -> dict[str, bool]:
        return {
            "wrong_length": place.length != subject.length,
            "closed_day": place.day in grid.closed_days,
            "kept_free": any(cell in grid.kept_free for cell in cells),
            "outside_class_window": (rules.start_day is not None and place.day < rules.start_day)
            or (rules.end_day is not None and place.day > rules.end_day),
            "in_the_past": situation.now is not None and cells[0] < situation.now,
            "excluded_weekday": weekday in rules.excluded_days_of_week,
            "excluded_block": any((s + 1) // 2 in rules.excluded_slots for s in sections),
            "excluded_cell": any((weekday, (s + 1) // 2) in rules.excluded_cells for s in sections),
            "not_aligned": situation.planner and place.length >= 2 and sections[0] % 2 == 0,
            "crosses_day_part": situation.planner and parts[0] != parts[1],
            "host_unknown": isinstance(host, int) and host not in [event.id for event in events],
            "host_not_embeddable": named is not None and not named.can_embed,
            "occupied": any(not event.can_embed or host == "free" for event in events)
            or any(owns(item.place, s) for item in items if item.host_event_id is None for s in sections),
            "filler_not_allowed": bool(fillers) and not rules.allow_filler_course,
            "host_partial": any(not all(owns(event.place, s) for s in sections) for event in fillers),
            "host_taken": any(item.host_event_id == event.id for event in fillers for item in items),
            "order_before": any(
                (item.order, item.item_id) < (subject.order, subject.item_id)
                and (item.place.day, item.place.first + item.place.length - 1) >= cells[0]
                for item in siblings
            ),
            "order_after": any(
                (item.order, item.item_id) > (subject.order, subject.item_id)
                and (item.place.day, item.place.first) <= cells[-1]
                # What has begun by now does not hold back what lies ahead.
                and (item.past_before is None or cells[0] < item.past_before)
                for item in siblings
            ),
        }

    return [rule for rule, holds in broken().items() if holds]

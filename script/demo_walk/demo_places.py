"""Where a suggestion of a preview could go instead, judged from public data alone; the server has the last word."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

Json = dict[str, Any]
Cell = tuple[int, int, int]


class FreePlaces:
    """Free cells inside the class's dates and between the neighbours of the item, away from what its class avoids."""

    def __init__(self, semester: Json, classes: list[Json], preview: Json) -> None:
        self.semester, self.preview = semester, preview
        self.classes = {one["id"]: one for one in classes}
        self.first_monday = date.fromisoformat(semester["first_monday"])
        self.taken = {cell for entry in preview["hybrid_entries"] for cell in _cells(entry)}

    def moves(self, *, skip: int = 0) -> Iterator[tuple[Json, Json]]:
        """(suggestion, other place) pairs, one per suggestion that can move, the last ones of each class first."""
        found = 0
        for class_id in self.classes:
            for entry in reversed(self._of_class(class_id)):
                place = self._place_for(entry)
                if place is None or entry["event_id"]:
                    continue
                found += 1
                if found > skip:
                    yield entry, place
                break

    def _of_class(self, class_id: int) -> list[Json]:
        own = [e for e in self.preview["hybrid_entries"] if e["task_class_id"] == class_id]
        return sorted(own, key=_start)

    def _place_for(self, entry: Json) -> Json | None:
        length = entry["section_to"] - entry["section_from"]
        siblings = self._of_class(entry["task_class_id"])
        at = siblings.index(entry)
        before = _end(siblings[at - 1]) if at else (0, 0, 0)
        after = _start(siblings[at + 1]) if at + 1 < len(siblings) else (99, 0, 0)
        for week, day in self._days(self.classes[entry["task_class_id"]]):
            for part_from, part_to in self.semester["day_parts"]:
                for first in range(part_from, part_to - length + 1, 2):
                    place = {"week": week, "day_of_week": day, "section_from": first, "section_to": first + length}
                    inside = before < _start(place) and _end(place) < after
                    if inside and self._is_free(place, entry):
                        return place
        return None

    def _days(self, task_class: Json) -> Iterator[tuple[int, int]]:
        window = self.preview["window"]
        first = (window["from"]["week"], window["from"]["day_of_week"])
        last = (window["to"]["week"], window["to"]["day_of_week"])
        today = self.semester["today"] or {"week": 0, "day_of_week": 0}
        for number in range(self.semester["weeks"] * 7):
            day = self.first_monday + timedelta(days=number)
            cell = (number // 7 + 1, number % 7 + 1)
            dated = task_class["start_date"] <= day.isoformat() <= task_class["end_date"]
            ahead = cell > (today["week"], today["day_of_week"])
            if first <= cell <= last and dated and ahead and cell[1] not in task_class["excluded_days_of_week"]:
                yield cell

    def _is_free(self, place: Json, entry: Json) -> bool:
        avoided = self.classes[entry["task_class_id"]]["excluded_slots"]
        blocks = {(section + 1) // 2 for section in range(place["section_from"], place["section_to"] + 1)}
        return not blocks & set(avoided) and not any(cell in self.taken for cell in _cells(place))


def _cells(place: Json) -> list[Cell]:
    sections = range(place["section_from"], place["section_to"] + 1)
    return [(place["week"], place["day_of_week"], section) for section in sections]


def _start(place: Json) -> Cell:
    return (place["week"], place["day_of_week"], place["section_from"])


def _end(place: Json) -> Cell:
    return (place["week"], place["day_of_week"], place["section_to"])

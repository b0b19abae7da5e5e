"""The draft as plain JSON facts: days, loads, entries, free ranges. Data of the tools is made of these.

`day` is the day index of the window everywhere; a day reference is `{day, week, day_of_week}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from agent.calls.kinds import Json
from schedules.planner.class_rules import rules_to_json
from schedules.planner.draft.state import ClassMeta, ScheduleState, TaskEntry
from schedules.planner.grid import week_and_weekday


def day_ref(draft: ScheduleState, index: int) -> Json:
    week, weekday = week_and_weekday(draft.window.day_of(index))
    return {"day": index, "week": week, "day_of_week": weekday}


def slot_json(draft: ScheduleState, entry: TaskEntry) -> list[Json]:
    if entry.slot is None:
        return []
    slot = {"slot_start": entry.slot.slot_start, "slot_end": entry.slot.slot_end, "embedded_in": entry.embed_host}
    return [{**day_ref(draft, entry.slot.day), **slot}]


def task_json(draft: ScheduleState, entry: TaskEntry) -> Json:
    """Returns one task item as `query_target_tasks` and the queue show it."""
    return {
        "task_id": entry.state_id,
        "task_item_id": entry.source_id,
        "name": entry.name,
        "task_class_id": entry.task_class_id,
        "category": entry.category,
        "order": entry.task_order,
        "status": entry.status,
        "duration": entry.duration,
        "slots": slot_json(draft, entry),
    }


def entry_json(draft: ScheduleState, entry: TaskEntry, ordinals: Mapping[int, int] | None = None) -> Json:
    """Returns one line of a task list: an item with its ordinal in its class, or an event that never moves."""
    slots = slot_json(draft, entry)
    host = draft.task(entry.embed_host) if entry.embed_host is not None else None
    guest = draft.task(entry.embedded_by) if entry.embedded_by is not None else None
    return {
        "task_id": entry.state_id,
        "name": entry.name,
        "category": entry.category,
        "status": entry.status if entry.is_item else "fixed",
        "task_class_id": entry.task_class_id,
        "ordinal": (ordinals or ordinals_of(draft)).get(entry.state_id),
        "duration": entry.duration,
        "can_embed": entry.can_embed,
        "slots": slots,
        "host": identify_entry(host),
        "guest": identify_entry(guest),
        **({"mark": entry.mark} if entry.mark else {}),
        **({"kept": "pinned" if entry.pinned else "by_hand"} if entry.kept else {}),
    }


def identify_entry(entry: TaskEntry | None) -> Json | None:
    return None if entry is None else {"task_id": entry.state_id, "name": entry.name}


def class_items(draft: ScheduleState, class_id: int | None) -> list[TaskEntry]:
    """Returns the items of a class in rank order."""
    found = [entry for entry in draft.items() if entry.task_class_id == class_id]
    return sorted(found, key=lambda entry: (entry.task_order or 0, entry.source_id))


def ordinals_of(draft: ScheduleState) -> dict[int, int]:
    """Returns the position of every item in its class, from 1, by state id."""
    found: dict[int, int] = {}
    reached: dict[int | None, int] = {}
    for entry in sorted(draft.items(), key=lambda one: (one.task_order or 0, one.source_id)):
        reached[entry.task_class_id] = reached.get(entry.task_class_id, 0) + 1
        found[entry.state_id] = reached[entry.task_class_id]
    return found


def in_list_order(entries: Iterable[TaskEntry]) -> list[TaskEntry]:
    """Sorts items by class and rank, events by time, events first."""
    return sorted(
        entries,
        key=lambda e: (e.is_item, e.task_class_id or 0, e.task_order or 0, e.source_id if e.is_item else e.state_id),
    )


class DraftDays:
    """Tells who stands on which section of each day of the window; guests stand beside their host."""

    def __init__(self, draft: ScheduleState) -> None:
        self.draft = draft
        self.sections = draft.grid.sections
        self.owners: dict[tuple[int, int], TaskEntry] = {}
        self.by_day: dict[int, list[TaskEntry]] = {}
        for entry in draft.tasks:
            if entry.slot is None:
                continue
            self.by_day.setdefault(entry.slot.day, []).append(entry)
            if entry.embed_host is None:
                for section in range(entry.slot.slot_start, entry.slot.slot_end + 1):
                    self.owners[(entry.slot.day, section)] = entry

    def entries(self, day: int) -> list[TaskEntry]:
        return sorted(self.by_day.get(day, ()), key=lambda e: (e.slots[0].slot_start, e.is_item, e.state_id))

    def items(self, day: int) -> list[TaskEntry]:
        return [entry for entry in self.entries(day) if entry.is_item]

    def count_used(self, day: int) -> int:
        return sum((day, section) in self.owners for section in range(1, self.sections + 1))

    def load(self, day: int) -> Json:
        """Counts the sections in use: all, by courses and other events, by task items (guests included)."""
        entries = self.entries(day)
        return {
            **day_ref(self.draft, day),
            "used": self.count_used(day),
            "course_sections": sum(e.duration for e in entries if not e.is_item and e.event_type == "course"),
            "other_sections": sum(e.duration for e in entries if not e.is_item and e.event_type != "course"),
            "task_sections": sum(e.duration for e in entries if e.is_item),
            "sections": self.sections,
            **self.shut(day),
        }

    def shut(self, day: int) -> Json:
        """Tells what of a day takes no items although nobody is there: a whole day off, sections that are kept free."""
        grid, number = self.draft.grid, self.draft.window.day_of(day)
        if number in grid.closed_days:
            return {"closed": True}
        kept = [section for section in range(1, self.sections + 1) if (number, section) in grid.kept_free]
        return {"kept_free": _runs(kept)} if kept else {}

    def free_ranges(self, day: int, first: int = 1, last: int | None = None) -> list[list[int]]:
        """Returns maximal runs of sections that nobody owns, as [first, last]."""
        return _runs(s for s in range(first, (last or self.sections) + 1) if (day, s) not in self.owners)

    def embeddable(self, day: int) -> list[Json]:
        """Returns hosts of that day without a guest."""
        return [
            {
                "task_id": e.state_id,
                "name": e.name,
                "slot_start": e.slots[0].slot_start,
                "slot_end": e.slots[0].slot_end,
            }
            for e in self.entries(day)
            if e.can_embed and e.embedded_by is None
        ]


def _runs(sections: Iterable[int]) -> list[list[int]]:
    """Joins sections in their order to runs, as [first, last]."""
    runs: list[list[int]] = []
    for section in sections:
        if runs and runs[-1][1] == section - 1:
            runs[-1][1] = section
        else:
            runs.append([section, section])
    return runs


def loads_touched(before: ScheduleState, after: ScheduleState, days: Iterable[int]) -> list[Json]:
    """Returns load of each touched day before and after a write."""
    old, new = DraftDays(before), DraftDays(after)
    return [
        {
            **day_ref(after, day),
            "before": old.count_used(day),
            "after": new.count_used(day),
            "sections": after.grid.sections,
        }
        for day in sorted(set(days))
    ]


def status_counts(draft: ScheduleState) -> Json:
    counts = {"existing": 0, "suggested": 0, "pending": 0}
    for entry in draft.items():
        counts[entry.status] += 1
    return counts


def class_json(meta: ClassMeta) -> Json:
    """Returns limits and profile of a class; dates as (week, day_of_week), None without dates."""
    rules = rules_to_json(meta.rules)
    head = {"task_class_id": meta.id, "name": meta.name, "strategy": rules["strategy"], "total_slots": meta.total_slots}
    return head | rules

"""The row effects of placing: all lifts first, then all sets. No judgement here, and no images.

A seat is (place, host event id or None). Status and `embedded_time` of an item change together with the rows. Every
method takes all items of a write at once and needs a fixed number of queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db.models import F
from django.utils import timezone

from schedules.models import Schedule, ScheduleEvent, Semester
from schedules.planner.draft.state import Spot
from schedules.planner.grid import Place, day_number, week_and_weekday
from schedules.presentation.conflicts import conflict, refusal
from schedules.services.bulk import delete_childless, insert, set_each
from taskclasses.models import TaskItem
from taskclasses.shapes import Blocker, Conflict


@dataclass(frozen=True)
class Keeping:
    """Tells why an applied item is the student's to move: it shall stay, its place is the student's own."""

    pinned: bool = False
    by_hand: bool = False


NOT_KEPT = Keeping()


@dataclass
class Seats:
    """Writes for one student and semester inside one locked transaction."""

    user_id: int
    semester: Semester

    def change(self, targets: Mapping[int, Spot | None], keeping: Mapping[int, Keeping] | None = None) -> None:
        """Takes every named item up and sets it down at its target (None = back to the pool)."""
        self.put(targets, self.lift(targets), keeping)

    def put(
        self, targets: Mapping[int, Spot | None], kept: Mapping[int, int], keeping: Mapping[int, Keeping] | None = None
    ) -> None:
        """Sets items down at their targets, kept as said or as they were; `kept` is what `lift` answered."""
        items = {item.pk: item for item in TaskItem.objects.filter(pk__in=targets).order_by()}
        free = {item: spot.place for item, spot in targets.items() if spot is not None and spot.host_event_id is None}
        hosted = {
            item: (spot.host_event_id, spot.place)
            for item, spot in targets.items()
            if spot is not None and spot.host_event_id is not None
        }
        self._refuse_taken(items, free)
        self.move_events({event: free[item] for item, event in kept.items()})
        self.insert_events([self._own_event(items[item]) for item in free if item not in kept], free)
        own = ScheduleEvent.objects.filter(task_item__in=free).order_by()
        events = dict(own.values_list("task_item_id", "pk"))
        self.insert_rows({events[item]: place for item, place in free.items()})
        self.embed(hosted, {item.pk: item.task_class_id for item in items.values()})
        had = {item.pk: Keeping(item.pinned, item.by_hand) for item in items.values()}
        places = {item: None if spot is None else spot.place for item, spot in targets.items()}
        set_times(places, {**had, **(keeping or {})})

    def lift(self, targets: Mapping[int, Spot | None]) -> dict[int, int]:
        """Takes every named item up; answers item -> task event of those that keep it for another free place."""
        events = ScheduleEvent.objects.filter(user_id=self.user_id, task_item__in=targets).order_by()
        own = dict(events.values_list("task_item_id", "pk"))
        free = [item for item, spot in targets.items() if spot is not None and spot.host_event_id is None]
        kept = {item: own[item] for item in free if item in own}
        Schedule.objects.filter(event__in=own.values()).delete()
        self.delete_events(event for item, event in own.items() if item not in kept)
        self.unseat(targets)
        return kept

    def _refuse_taken(self, items: Mapping[int, TaskItem], free: Mapping[int, Place]) -> None:
        """Raises 40026 for rows that no event's range tells of: somebody wrote them without the lock."""
        weeks = {week_and_weekday(place.day)[0] for place in free.values()}
        rows = Schedule.objects.filter(user_id=self.user_id, semester=self.semester, week__in=weeks).order_by()
        taken = {(day_number(row.week, row.day_of_week), row.section): row for row in rows.select_related("event")}
        conflicts = []
        for item_id, place in free.items():
            row = next((taken[(place.day, s)] for s in place.sections if (place.day, s) in taken), None)
            if row is not None:
                owner = row.event
                class_id, guest = items[item_id].task_class_id, owner.task_item_id or 0
                blocker: Blocker = {"event_id": owner.pk, "task_item_id": guest, "name": owner.name, "type": owner.type}
                conflicts.append(
                    conflict(40026, "occupied", item_id=item_id, class_id=class_id, place=place, blocker=blocker)
                )
        if conflicts:
            raise refusal(conflicts)

    def unseat(self, item_ids: Iterable[int]) -> None:
        """Clears the guest links of the items; the hosts stay as they are."""
        links = Schedule.objects.filter(user_id=self.user_id, embedded_task_item__in=set(item_ids)).order_by()
        hosts = set(links.values_list("event_id", flat=True))
        if hosts:
            links.update(embedded_task_item=None)
            touch(hosts)

    def delete_events(self, event_ids: Iterable[int]) -> None:
        """Removes events with their rows."""
        ids = list(event_ids)
        if ids:
            Schedule.objects.filter(event__in=ids).delete()
            delete_childless(ScheduleEvent.objects.filter(pk__in=ids))

    def _own_event(self, item: TaskItem) -> ScheduleEvent:
        return ScheduleEvent(
            user_id=self.user_id,
            semester=self.semester,
            name=item.content,
            type=ScheduleEvent.Type.TASK,
            task_item=item,
            source=ScheduleEvent.Source.APPLY,
        )

    def insert_events(self, events: Iterable[ScheduleEvent], places: Mapping[int, Place]) -> None:
        """Inserts task events at the places of their items. Their ids are to be read again: MySQL does not tell."""
        placed = list(events)
        for event in placed:
            self.set_time(event, places[event.task_item_id or 0])
        insert(ScheduleEvent, placed)

    def set_time(self, event: ScheduleEvent, place: Place) -> None:
        for column, value in self.time_of(place).items():
            setattr(event, column, value)

    def move_events(self, places: Mapping[int, Place]) -> None:
        """Moves living events by id; their revision rises."""
        times = {event: self.time_of(place) for event, place in places.items()}
        set_each(ScheduleEvent.objects.all(), "pk", times, revision=F("revision") + 1, updated_at=timezone.now())

    def time_of(self, place: Place) -> dict[str, int | datetime]:
        """Returns columns of an event at a place, with the instants derived from it."""
        start_at, end_at = self.semester.calendar.interval(place)
        return {**embedded_time(place), "start_at": start_at, "end_at": end_at}

    def insert_rows(self, places: Mapping[int, Place]) -> None:
        """Inserts one row per section for events by id."""
        rows = []
        for event_id, place in places.items():
            week, weekday = week_and_weekday(place.day)
            cell = {"user_id": self.user_id, "semester": self.semester, "week": week, "day_of_week": weekday}
            rows += [Schedule(event_id=event_id, section=section, **cell) for section in place.sections]
        insert(Schedule, rows)

    def embed(self, seats: Mapping[int, tuple[int, Place]], class_ids: Mapping[int, int]) -> None:
        """Links each item to its range of its host's rows, all in one update; 40025 where another item sits by now.

        `seats` is item -> (host event id, place); a host takes one guest, so it names its item.
        """
        if not seats:
            return
        wanted = {host: (item, place) for item, (host, place) in seats.items()}
        rows = self._host_rows(wanted)
        guests = {row.pk: {"embedded_task_item": wanted[row.event_id][0]} for row in rows}
        free = Schedule.objects.filter(embedded_task_item=None)
        if set_each(free, "pk", guests) != sum(place.length for _, place in seats.values()):
            raise refusal(self._seat_conflicts(wanted, class_ids))
        touch(wanted)

    def _host_rows(self, wanted: Mapping[int, tuple[int, Place]]) -> list[Schedule]:
        rows = Schedule.objects.filter(user_id=self.user_id, event__in=wanted).select_related("event")
        return [row for row in rows if row.section in wanted[row.event_id][1].sections]

    def _seat_conflicts(self, wanted: Mapping[int, tuple[int, Place]], class_ids: Mapping[int, int]) -> list[Conflict]:
        """Returns what the rows say now of every host that did not give all the seats asked for."""
        rows: dict[int, list[Schedule]] = {host: [] for host in wanted}
        for row in self._host_rows(wanted):
            rows[row.event_id].append(row)
        conflicts = []
        for host, (item, place) in wanted.items():
            if [row.embedded_task_item_id for row in rows[host]] == [item] * place.length:
                continue
            guest = next((row.embedded_task_item_id for row in rows[host] if row.embedded_task_item_id != item), None)
            name = rows[host][0].event.name if rows[host] else ""
            blocker: Blocker = {"event_id": host, "task_item_id": guest or 0, "name": name, "type": "course"}
            conflicts.append(
                conflict(40025, "host_taken", item_id=item, class_id=class_ids[item], place=place, blocker=blocker)
            )
        return conflicts


def set_times(places: Mapping[int, Place | None], keeping: Mapping[int, Keeping]) -> None:
    """Sets status, time and who keeps them of items together; None sends an item back to the pool."""
    applied = {
        item: {"embedded_time": embedded_time(place), **asdict(keeping.get(item, NOT_KEPT))}
        for item, place in places.items()
        if place is not None
    }
    set_each(TaskItem.objects.all(), "pk", applied, status=TaskItem.Status.APPLIED)
    pooled = [item for item, place in places.items() if place is None]
    if pooled:
        TaskItem.objects.filter(pk__in=pooled).update(
            status=TaskItem.Status.UNSCHEDULED, embedded_time=None, **asdict(NOT_KEPT)
        )


def set_progress(marks: Mapping[int, Mapping[str, Any]]) -> None:
    """Sets mark, rest and records of items together."""
    set_each(TaskItem.objects.all(), "pk", marks)


def embedded_time(place: Place) -> dict[str, Any]:
    week, weekday = week_and_weekday(place.day)
    return {"week": week, "day_of_week": weekday, "section_from": place.first, "section_to": place.last}


def touch(event_ids: Iterable[int]) -> None:
    """Raises the revision of events whose rows changed."""
    ids = list(event_ids)
    if ids:
        ScheduleEvent.objects.filter(pk__in=ids).update(revision=F("revision") + 1, updated_at=timezone.now())

"""The row effects of placing: all lifts first, then all sets. No judgement here, and no images.

A seat is (place, host event id or None). Status and `embedded_time` of an item change together with the rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F
from django.utils import timezone

from schedules.conflicts import conflict, refusal
from schedules.models import Schedule, ScheduleEvent, Semester
from schedules.planner.grid import Place, day_number, week_and_weekday
from schedules.planner.state import Spot
from taskclasses.errors import CodedError
from taskclasses.models import TaskItem


@dataclass
class Seats:
    """Writes for one student and semester inside one locked transaction."""

    user_id: int
    semester: Semester
    kept: dict[int, ScheduleEvent] = field(default_factory=dict)
    """Task events lifted by a move free -> free, by item id: they keep their id."""

    def change(self, targets: Mapping[int, Spot | None]) -> None:
        """Takes every named item up and sets it down at its target (None = back to the pool)."""
        items = {item.pk: item for item in TaskItem.objects.filter(pk__in=targets)}
        self._lift(targets)
        self._refuse_taken(items, targets)
        rows: list[Schedule] = []
        for item_id, spot in targets.items():
            if spot is not None and spot.host_event_id is None:
                event = self._own_event(items[item_id], spot.place)
                rows += self.rows_of(event, spot.place)
        Schedule.objects.bulk_create(rows)
        for item_id, spot in targets.items():
            if spot is not None and spot.host_event_id is not None:
                self.embed(item_id, spot.host_event_id, spot.place)
            self.mark(item_id, None if spot is None else spot.place)

    def _lift(self, targets: Mapping[int, Spot | None]) -> None:
        stay = {item for item, spot in targets.items() if spot is not None and spot.host_event_id is None}
        own = ScheduleEvent.objects.filter(user_id=self.user_id, task_item__in=targets)
        self.kept = {event.task_item_id: event for event in own if event.task_item_id in stay}
        gone = [event.pk for event in own if event.task_item_id not in stay]
        Schedule.objects.filter(event__in=[event.pk for event in self.kept.values()]).delete()
        self.delete_events(gone)
        self.unseat(targets)

    def _refuse_taken(self, items: Mapping[int, TaskItem], targets: Mapping[int, Spot | None]) -> None:
        """40026 for rows that no event's range tells of: somebody wrote them without the lock."""
        free = {item: spot.place for item, spot in targets.items() if spot is not None and spot.host_event_id is None}
        weeks = {week_and_weekday(place.day)[0] for place in free.values()}
        rows = Schedule.objects.filter(user_id=self.user_id, semester=self.semester, week__in=weeks)
        taken = {(day_number(row.week, row.day_of_week), row.section): row for row in rows.select_related("event")}
        conflicts = []
        for item_id, place in free.items():
            row = next((taken[(place.day, s)] for s in place.sections if (place.day, s) in taken), None)
            if row is not None:
                owner = row.event
                class_id, guest = items[item_id].task_class_id, owner.task_item_id or 0
                blocker = {"event_id": owner.pk, "task_item_id": guest, "name": owner.name, "type": owner.type}
                conflicts.append(
                    conflict(40026, "occupied", item_id=item_id, class_id=class_id, place=place, blocker=blocker)
                )
        if conflicts:
            raise refusal(conflicts)

    def unseat(self, item_ids: Iterable[int]) -> None:
        """Clears the guest links of the items; the hosts stay as they are."""
        links = Schedule.objects.filter(user_id=self.user_id, embedded_task_item__in=set(item_ids))
        hosts = set(links.values_list("event_id", flat=True))
        links.update(embedded_task_item=None)
        touch(hosts)

    def delete_events(self, event_ids: Iterable[int]) -> None:
        ids = list(event_ids)
        Schedule.objects.filter(event__in=ids).delete()
        ScheduleEvent.objects.filter(pk__in=ids).delete()

    def _own_event(self, item: TaskItem, place: Place) -> ScheduleEvent:
        event = self.kept.get(item.pk)
        if event is None:
            event = ScheduleEvent(
                user_id=self.user_id, semester=self.semester, type=ScheduleEvent.Type.TASK, task_item=item, revision=0
            )
        event.source = ScheduleEvent.Source.APPLY
        event.name = item.content
        event.revision += 1
        self.put_event(event, place)
        return event

    def put_event(self, event: ScheduleEvent, place: Place) -> None:
        """Saves an event at a place, with the instants derived from it."""
        event.week, event.day_of_week = week_and_weekday(place.day)
        event.section_from, event.section_to = place.first, place.last
        event.start_at, event.end_at = self.semester.calendar.interval(place)
        event.save()

    def rows_of(self, event: ScheduleEvent, place: Place) -> list[Schedule]:
        week, weekday = week_and_weekday(place.day)
        return [
            Schedule(
                user_id=self.user_id,
                semester=self.semester,
                event=event,
                week=week,
                day_of_week=weekday,
                section=section,
            )
            for section in place.sections
        ]

    def embed(self, item_id: int, host_id: int, place: Place) -> None:
        """Links the item's range of the host's rows; 40025 when another item sits there by now."""
        seats = Schedule.objects.filter(
            user_id=self.user_id, event=host_id, section__range=(place.first, place.last), embedded_task_item=None
        )
        if seats.update(embedded_task_item=item_id) != place.length:
            raise CodedError(40025, {"conflicts": []})
        touch([host_id])

    def mark(self, item_id: int, place: Place | None) -> None:
        if place is None:
            status, time = TaskItem.Status.UNSCHEDULED, None
        else:
            status, time = TaskItem.Status.APPLIED, embedded_time(place)
        TaskItem.objects.filter(pk=item_id).update(status=status, embedded_time=time)


def embedded_time(place: Place) -> dict[str, Any]:
    week, weekday = week_and_weekday(place.day)
    return {"week": week, "day_of_week": weekday, "section_from": place.first, "section_to": place.last}


def touch(event_ids: Iterable[int]) -> None:
    """Raises the revision of events whose rows changed."""
    ids = list(event_ids)
    if ids:
        ScheduleEvent.objects.filter(pk__in=ids).update(revision=F("revision") + 1, updated_at=timezone.now())

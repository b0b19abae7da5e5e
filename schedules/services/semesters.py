"""Changing a semester that has a timetable."""

from __future__ import annotations

from django.db.models import F
from django.utils import timezone

from schedules.models import ScheduleEvent, Semester, TimetableVersion
from schedules.services.bulk import set_each
from taskclasses.kernel.transactions import run_transaction

CHUNK = 500


def semester_change(semester: Semester) -> None:
    """Saves a checked semester; the instants of its events follow its dates and times, every draft looks again.

    A semester that becomes the current one takes the mark from the other.
    """

    def effect() -> None:
        if semester.is_current:
            Semester.objects.filter(is_current=True).exclude(pk=semester.pk).update(is_current=False)
        semester.save()
        # The lock of every student with a timetable in it, before any event changes.
        TimetableVersion.objects.filter(semester=semester).update(version=F("version") + 1)
        calendar = semester.calendar
        moved = {}
        for event in ScheduleEvent.objects.filter(semester=semester):
            start_at, end_at = calendar.interval(event.place)
            if (event.start_at, event.end_at) != (start_at, end_at):
                moved[event.pk] = {"start_at": start_at, "end_at": end_at}
        ids = list(moved)
        for first in range(0, len(ids), CHUNK):
            chunk = {pk: moved[pk] for pk in ids[first : first + CHUNK]}
            set_each(ScheduleEvent.objects.all(), "pk", chunk, revision=F("revision") + 1, updated_at=timezone.now())

    run_transaction(effect)

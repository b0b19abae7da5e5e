"""The lock that all timetable writes of one student queue on, whatever the semester."""

from __future__ import annotations

from django.db.models import F

from schedules.models import Semester, TimetableVersion


def timetable_lock(*, user_id: int, semester: Semester) -> TimetableVersion:
    """Locks the student's timetables until the transaction ends, to be called first in it; answers the semester's."""
    version, _ = TimetableVersion.objects.get_or_create(user_id=user_id, semester=semester)
    locked = TimetableVersion.objects.select_for_update().filter(user_id=user_id).order_by("pk")
    return next(row for row in locked if row.pk == version.pk)


def timetable_changed(version: TimetableVersion) -> None:
    """Tells every draft that its base moved."""
    TimetableVersion.objects.filter(pk=version.pk).update(version=F("version") + 1)

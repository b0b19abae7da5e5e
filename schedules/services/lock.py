"""The lock that all timetable writes of one student queue on, whatever the semester."""

from __future__ import annotations

import secrets

from django.db.models import F

from schedules.models import Semester, TimetableVersion


def timetable_lock(*, user_id: int, semester: Semester) -> TimetableVersion:
    """Locks the student's timetables until the transaction ends, to be called first in it; answers the semester's.

    They are stamped anew by the same statement: what was read before the transaction is known to be old after it.
    """
    mine = TimetableVersion.objects.filter(user_id=user_id)
    stamp = new_stamp()
    mine.update(stamp=stamp)
    found = mine.filter(semester=semester).first()
    if found is None:
        TimetableVersion.objects.get_or_create(user_id=user_id, semester=semester)
        mine.update(stamp=stamp)
        found = mine.get(semester=semester)
    return found


def new_stamp() -> int:
    """Returns a number that was never given before, as far as chance can tell."""
    return secrets.randbits(62)


def timetable_changed(version: TimetableVersion) -> None:
    """Tells every draft that its base moved."""
    TimetableVersion.objects.filter(pk=version.pk).update(version=F("version") + 1)

"""USE CASES on sample data: a student loads a whole sample term to look at, and takes it out again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.contrib.auth.models import User

from schedules.models import Semester, default_section_times
from schedules.selectors import semester_current
from schedules.services import class_delete, import_delete, semester_choose, semester_create, semester_delete
from schedules.services.demo import WEEKS, WEEKS_AHEAD, WEEKS_BEFORE_TODAY, demo_load
from schedules.terms.semester_values import SemesterValues
from smartmate.models import AccountSettings
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.errors import CodedError

GONE = (40040, 40041, 40043, 40078)
"""The student deleted it already, or keeps something of their own in it."""


def sample_load(*, user: User, now: datetime, name: str, locale: str = "zh") -> None:
    """Loads courses and tasks of a sample term beside what the student has. Loading it again adds what is missing.

    A current semester that does not hold the weeks ahead is left for one of the student's own, called `name`.
    Courses and tasks are named in the language of `locale`.
    """

    def effect() -> None:
        semester, own = _semester(user, now, name)
        today = now.astimezone(semester.calendar.zone).date()
        added = demo_load(user=user, today=today, semester=semester, locale=locale)
        row, _made = AccountSettings.objects.get_or_create(user=user)
        known = row.sample or {"class_ids": [], "batch_ids": [], "semester_id": None}
        row.sample = {
            "class_ids": [*known["class_ids"], *added.class_ids],
            "batch_ids": [*known["batch_ids"], *([added.batch_id] if added.batch_id else [])],
            "semester_id": own or known["semester_id"],
        }
        row.save(update_fields=["sample"])

    run_transaction(effect)


def _semester(user: User, now: datetime, name: str) -> tuple[Semester, int | None]:
    """Returns the semester for the sample, and its id when it was made for it."""
    current = semester_current(user.pk)
    today = now.astimezone(current.calendar.zone).date()
    if 0 <= (today - current.first_monday).days < 7 * (current.weeks - WEEKS_AHEAD):
        return current, None
    values = SemesterValues(
        name=name,
        first_monday=today - timedelta(days=today.weekday() + 7 * WEEKS_BEFORE_TODAY),
        weeks=WEEKS,
        section_times=default_section_times(),
        time_zone=current.time_zone,
    )
    made = semester_create(user=user, values=values)
    semester_choose(user=user, semester_id=made.pk)
    return made, made.pk


def sample_clear(*, user: User) -> None:
    """Takes the sample's courses and tasks out again, with what is on the timetable of them. What is gone stays gone.

    A semester that was made for it goes as well, unless something of the student's own is in it.
    """

    def effect() -> None:
        row = AccountSettings.objects.filter(user=user).first()
        if row is None or not row.sample:
            return
        for class_id in row.sample["class_ids"]:
            with _unless_gone():
                class_delete(user=user, class_id=class_id, release=True)
        for batch_id in row.sample["batch_ids"]:
            with _unless_gone():
                import_delete(user=user, batch_id=batch_id)
        if row.sample["semester_id"]:
            with _unless_gone():
                semester_delete(user=user, semester_id=row.sample["semester_id"])
        row.sample = None
        row.save(update_fields=["sample"])

    run_transaction(effect)


@contextmanager
def _unless_gone() -> Iterator[None]:
    try:
        yield
    except CodedError as refusal:
        if refusal.code not in GONE:
            raise

"""Semesters: a student's own and the choice of a current one; changing a semester that has a timetable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from django.contrib.auth.models import User
from django.db.models import F, Q
from django.utils import timezone

from schedules.models import (
    AppliedBatch,
    CalendarException,
    CurrentSemester,
    Exam,
    Schedule,
    ScheduleEvent,
    Semester,
    TimetableVersion,
)
from schedules.planner.grid import Calendar
from schedules.selectors import semester_current, semester_named
from schedules.services.bulk import set_each
from schedules.services.images.change import TimetableChange
from schedules.services.lock import new_stamp, timetable_lock
from schedules.services.placement.seats import Seats
from schedules.services.terms.effects import effects_of, follow_calendar
from schedules.services.terms.standing_rows import Standing
from schedules.terms.semester_values import SemesterValues, find_faults
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.errors import CodedError, too_large
from taskclasses.models import TaskClass, TaskItem

CHUNK = 500
OWN_MAX = 40
"""Semesters of one student."""


def semester_create(*, user: User, values: SemesterValues) -> Semester:
    """Makes a semester of the student's own; the current one stays what it is. 40005, 40006."""

    def effect() -> Semester:
        _refuse_faults(values)
        # The lock of another semester puts the creations of one student in a sequence.
        timetable_lock(user_id=user.pk, semester=semester_current(user.pk))
        if Semester.objects.filter(owner=user).count() >= OWN_MAX:
            raise too_large("semesters", OWN_MAX)
        return Semester.objects.create(owner=user, **asdict(values))

    return run_transaction(effect)


def semester_replace(*, user: User, semester_id: int, values: SemesterValues) -> Semester:
    """Gives a semester of the student's own other values. 40005, 40041, 40078.

    Its events keep their places; items for which these have come to lie where they may not stand leave them.
    """

    def effect() -> Semester:
        _refuse_faults(values)
        semester = _lock_own(user, semester_id)
        beyond = Q(week__gt=values.weeks) | Q(section_to__gt=len(values.section_times))
        _refuse_events(semester.scheduleevent_set.filter(beyond).count())
        before = semester.calendar
        for name, value in asdict(values).items():
            setattr(semester, name, value)
        semester_change(semester)
        _settle(user, semester, before)
        return semester

    return run_transaction(effect)


def _settle(user: User, semester: Semester, before: Calendar) -> None:
    """Puts lessons and items where the calendar wants them now that its weeks have other dates. 40026."""
    standing = Standing.load(user, semester)
    lessons = follow_calendar(standing, [], standing.term)
    now = semester.calendar.now_cell(timezone.now())
    released = {*effects_of(standing, lessons, term=standing.term, now=now).released, *_misdated(standing, before)}
    if lessons or released:
        version = TimetableVersion.objects.get(user=user, semester=semester)
        change = TimetableChange({"lessons": lessons}, dict.fromkeys(sorted(released)))
        change.write(version=version, source=AppliedBatch.Source.CALENDAR_CHANGE)


def _misdated(standing: Standing, before: Calendar) -> Iterator[int]:
    """Yields items still to come whose places lie in the past now, on a closed day or outside the dates of their
    class."""
    after, now = standing.semester.calendar, timezone.now()
    if after.first_monday == before.first_monday:
        return
    begun, begins, closed = before.now_cell(now), after.now_cell(now), standing.term.closed_days
    places = {item: event.place for event in standing.events for item in standing.items_of(event)}
    for row in TaskItem.objects.filter(pk__in=places).select_related("task_class"):
        place, owner = places[row.pk], row.task_class
        day = after.date_of(place.day)
        late = (owner.start_date and day < owner.start_date) or (owner.end_date and day > owner.end_date)
        if place.cell >= begun and not row.mark and (place.cell < begins or place.day in closed or late):
            yield row.pk


def semester_delete(*, user: User, semester_id: int, release: bool = False) -> None:
    """Deletes a semester of the student's own; with `release` its timetable too: items return to the pool.

    Its batches go with it, so that nothing of this can be undone. 40041, 40078.
    """

    def effect() -> None:
        semester = _lock_own(user, semester_id)
        if not release:
            _refuse_events(semester.scheduleevent_set.count())
        exams = Exam.objects.filter(semester=semester).values("pk")
        TaskClass.objects.filter(user=user, exam_id__in=exams).update(exam_id=None)
        placed = ScheduleEvent.objects.filter(semester=semester, task_item__isnull=False)
        guests = Schedule.objects.filter(semester=semester, embedded_task_item__isnull=False)
        items = {
            *placed.values_list("task_item_id", flat=True),
            *guests.values_list("embedded_task_item_id", flat=True),
        }
        Seats(user.pk, semester).change(dict.fromkeys(pk for pk in items if pk is not None))
        semester.delete()
        # Drafts in other semesters hold items that are free again.
        TimetableVersion.objects.filter(user=user).update(version=F("version") + 1)

    run_transaction(effect)


def semester_choose(*, user: User, semester_id: int | None) -> Semester:
    """Makes a semester the student's current one; None gives the choice up. Answers the current one. 40041."""

    def effect() -> Semester:
        if semester_id is None:
            CurrentSemester.objects.filter(user=user).delete()
            return semester_current(user.pk)
        semester = semester_named(user.pk, semester_id)
        CurrentSemester.objects.update_or_create(user=user, defaults={"semester": semester})
        return semester

    return run_transaction(effect)


def _lock_own(user: User, semester_id: int) -> Semester:
    """Locks and returns a semester of the student's own; a shared one is not found among them."""
    named = Semester.objects.filter(pk=semester_id, owner=user).first()
    if named is None:
        raise CodedError(40041)
    timetable_lock(user_id=user.pk, semester=named)
    # Whoever held the lock before may have changed or deleted it.
    semester = Semester.objects.filter(pk=semester_id, owner=user).first()
    if semester is None:
        raise CodedError(40041)
    return semester


def _refuse_faults(values: SemesterValues) -> None:
    faults = [{"field": field, "message": message} for field, message in find_faults(values)]
    if faults:
        raise CodedError(40005, {"errors": faults})


def _refuse_events(count: int) -> None:
    if count:
        raise CodedError(40078, {"events": count})


def semester_keep(semester: Semester) -> None:
    """Saves a checked semester for staff, also one that many students share: where its weeks have other dates now, the
    timetable of each follows as after a change of their own. 40026 names the `student` whose lessons would collide."""

    def effect() -> None:
        before = Semester.objects.filter(pk=semester.pk).first()
        semester_change(semester)
        if before is None or (before.first_monday, before.weeks) == (semester.first_monday, semester.weeks):
            return
        versions = TimetableVersion.objects.filter(semester=semester, user__in=_bound_to_dates(semester))
        for version in versions.select_related("user").order_by("user_id"):
            timetable_lock(user_id=version.user_id, semester=semester)
            try:
                _settle(version.user, semester, before.calendar)
            except CodedError as refusal:
                named = {**(refusal.data or {}), "student": version.user.get_username()}
                raise CodedError(refusal.code, named) from refusal

    run_transaction(effect)


def _bound_to_dates(semester: Semester) -> set[int]:
    """Returns the students for whom other dates mean other places: who has exceptions, or items on the timetable."""
    rows = (
        CalendarException.objects.filter(semester=semester),
        ScheduleEvent.objects.filter(semester=semester, task_item__isnull=False),
        Schedule.objects.filter(semester=semester, embedded_task_item__isnull=False),
    )
    return {user_id for found in rows for user_id in found.order_by().values_list("user_id", flat=True).distinct()}


def semester_change(semester: Semester) -> None:
    """Saves a checked semester; the instants of its events follow its dates and times, every draft looks again.

    A semester that becomes the current one takes the mark from the other.
    """

    def effect() -> None:
        if semester.is_current:
            Semester.objects.filter(is_current=True).exclude(pk=semester.pk).update(is_current=False)
        semester.save()
        # The lock of every student with a timetable in it, before any event changes.
        TimetableVersion.objects.filter(semester=semester).update(version=F("version") + 1, stamp=new_stamp())
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

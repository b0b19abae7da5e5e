"""Import of courses: rows -> occurrences -> judgement -> report -> (write), for every format alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.contrib.auth.models import User

from schedules.calendars.rows import CourseRow, Outcome, RowError, RowNote
from schedules.mapping import place_of
from schedules.models import Schedule, ScheduleEvent, Semester
from schedules.planner.grid import Cell, Place, week_and_weekday
from schedules.selectors import semester_named
from schedules.services.bulk import insert
from schedules.services.lock import timetable_changed, timetable_lock
from schedules.services.seats import Seats
from schedules.shapes import ImportReport, MissingMeeting
from taskclasses.kernel.errors import CodedError
from taskclasses.kernel.i18n import text
from taskclasses.kernel.transactions import run_transaction
from taskclasses.shapes import Blocker, Conflict, ImportRow, RowStatus

_Key = tuple[str, str, Place]
"""Type, name and place of an event."""


def courses_import(
    *,
    user: User,
    rows: Sequence[Outcome],
    semester_id: int | None = None,
    dry_run: bool = True,
    skip_invalid: bool = False,
    whole: bool = False,
    locale: str = "zh",
) -> ImportReport:
    """Imports course rows; answers `{dry_run, events, duplicates, rows, conflicts, missing}`, the same for a dry run.

    A dry run writes nothing and never refuses. Writing is all or nothing (40019 for rows that cannot be understood,
    40026 for conflicts) or, with `skip_invalid`, leaves bad rows out. `whole` says that the rows are a whole timetable:
    `missing` then lists what was imported before and is not among them. Nothing is ever deleted.
    """

    def effect() -> ImportReport:
        semester = semester_named(user.pk, semester_id)
        version = None if dry_run else timetable_lock(user_id=user.pk, semester=semester)
        report = _judge(user, semester, rows, locale, whole=whole)
        if version is not None:
            if not skip_invalid:
                report.refuse()
            _write(user, semester, report.accepted)
            if report.accepted:
                timetable_changed(version)
        return report.to_json(dry_run)

    return run_transaction(effect)


@dataclass
class _Report:
    locale: str
    rows: list[ImportRow] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    accepted: list[tuple[CourseRow, Place]] = field(default_factory=list)
    missing: list[MissingMeeting] = field(default_factory=list)
    duplicates: int = 0

    def add(self, row: int, status: RowStatus, *, code: str = "", message: str = "", events: int = 0) -> None:
        self.rows.append({"row": row, "status": status, "code": code, "message": message, "events": events})

    def refuse(self) -> None:
        invalid = [row for row in self.rows if row["status"] == "invalid"]
        if invalid:
            raise CodedError(40019, {"rows": invalid})
        if self.conflicts:
            raise CodedError(40026, {"conflicts": self.conflicts})

    def to_json(self, dry_run: bool) -> ImportReport:
        return {
            "dry_run": dry_run,
            "events": len(self.accepted),
            "duplicates": self.duplicates,
            "rows": self.rows,
            "conflicts": self.conflicts,
            "missing": self.missing,
        }


def _judge(user: User, semester: Semester, rows: Sequence[Outcome], locale: str, *, whole: bool) -> _Report:
    events = list(ScheduleEvent.objects.filter(user=user, semester=semester))
    taken: dict[Cell, Blocker] = {}
    for event in events:
        blocker: Blocker = {
            "event_id": event.pk,
            "task_item_id": event.task_item_id or 0,
            "name": event.name,
            "type": event.type,
        }
        taken |= {(event.place.day, section): blocker for section in event.place.sections}
    known = {(event.type, event.name, event.place) for event in events}
    report = _Report(locale)
    for row in rows:
        if isinstance(row, RowError):
            report.add(row.row, "invalid", code=row.code, message=row.sentence(locale))
        elif isinstance(row, RowNote):
            report.add(row.row, "ok", code=row.code, message=row.sentence(locale))
        else:
            _judge_row(row, report, known, taken)
    if whole:
        report.missing = _missing(events, rows)
    return report


def _judge_row(row: CourseRow, report: _Report, known: set[_Key], taken: dict[Cell, Blocker]) -> None:
    places = _places(row)
    kinds = ("course", "task") if row.task else ("course",)
    fresh = [place for place in places if not any((kind, row.course_name, place) in known for kind in kinds)]
    report.duplicates += len(places) - len(fresh)
    notes = [note.sentence(report.locale) for note in row.notes]
    clashes = [(place, blocker) for place in fresh if (blocker := _blocker(place, taken)) is not None]
    if clashes:
        report.conflicts += [_clash(row, place, blocker) for place, blocker in clashes]
        message = text("与「{name}」时间冲突", report.locale, name=clashes[0][1]["name"])
        report.add(
            row.row, "conflict", code="conflict", message="; ".join((f"day_of_week, sections: {message}", *notes))
        )
        return
    if not fresh:
        report.add(row.row, "duplicate", code="duplicate", message="; ".join(notes))
        return
    for place in fresh:
        known.add(("course", row.course_name, place))
        added: Blocker = {"event_id": 0, "task_item_id": 0, "name": row.course_name, "type": "course"}
        taken |= {(place.day, section): added for section in place.sections}
        report.accepted.append((row, place))
    report.add(row.row, "ok", code=row.notes[0].code if notes else "", message="; ".join(notes), events=len(fresh))


def _places(row: CourseRow) -> list[Place]:
    return [place_of(week, row.day_of_week, row.section_from, row.section_to) for week in row.weeks]


def _missing(events: Sequence[ScheduleEvent], rows: Sequence[Outcome]) -> list[MissingMeeting]:
    """Lessons of earlier imports that the rows do not name, as weekly meetings in time order."""
    named = {(row.course_name, place) for row in rows if isinstance(row, CourseRow) for place in _places(row)}
    meetings: dict[tuple[str, int, int, int], list[ScheduleEvent]] = defaultdict(list)
    for event in events:
        imported = event.type == ScheduleEvent.Type.COURSE and event.source == ScheduleEvent.Source.IMPORT
        if imported and (event.name, event.place) not in named:
            meetings[event.name, event.day_of_week, event.section_from, event.section_to].append(event)
    return [
        {
            "name": name,
            "day_of_week": weekday,
            "section_from": first,
            "section_to": last,
            "weeks": [event.week for event in lessons],
            "event_ids": [event.pk for event in lessons],
        }
        for (name, weekday, first, last), lessons in meetings.items()
    ]


def _blocker(place: Place, taken: dict[Cell, Blocker]) -> Blocker | None:
    return next((taken[(place.day, s)] for s in place.sections if (place.day, s) in taken), None)


def _clash(row: CourseRow, place: Place, blocker: Blocker) -> Conflict:
    week, weekday = week_and_weekday(place.day)
    return {
        "code": "40026",
        "rule": "occupied",
        "task_item_id": 0,
        "task_class_id": 0,
        "week": week,
        "day_of_week": weekday,
        "section_from": place.first,
        "section_to": place.last,
        "with": blocker,
        "row": row.row,
    }


def _write(user: User, semester: Semester, accepted: Sequence[tuple[CourseRow, Place]]) -> None:
    seats = Seats(user.pk, semester)
    events = []
    for row, place in accepted:
        event = ScheduleEvent(
            user=user,
            semester=semester,
            name=row.course_name,
            location=row.location,
            type=ScheduleEvent.Type.COURSE,
            can_be_embedded=row.is_allow_tasks,
            source=ScheduleEvent.Source.IMPORT,
        )
        seats.set_time(event, place)
        events.append(event)
    insert(ScheduleEvent, events)
    # MySQL does not tell the new ids: an event is known by its first cell, which is its own.
    mine = ScheduleEvent.objects.filter(user=user, semester=semester)
    ids = {(event.place.day, event.section_from): event.pk for event in mine}
    seats.insert_rows({ids[place.day, place.first]: place for _, place in accepted})
    interrupted = [ids[place.day, place.first] for row, place in accepted if row.interrupted]
    if interrupted:
        Schedule.objects.filter(event__in=interrupted).update(status=Schedule.Status.INTERRUPTED)

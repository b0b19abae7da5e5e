"""Import of courses: rows -> occurrences -> judgement -> report -> (write), for every format alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.contrib.auth.models import User

from schedules.calendars.rows import CourseRow, Outcome, RowError, RowNote
from schedules.models import AppliedBatch, Course, ScheduleEvent, Semester, TimetableVersion
from schedules.planner.grid import Cell, Place
from schedules.selectors import semester_named
from schedules.services.courses.change import CourseChange, clash, find_blocker, places_of, taken_cells
from schedules.services.courses.lessons import Image, Lessons, Pair, course_image, new_lesson
from schedules.services.courses.writes import free_color
from schedules.services.lock import timetable_lock
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
    """Imports course rows; answers `{dry_run, batch_id, events, duplicates, rows, conflicts, missing}`.

    A dry run answers the same, writes nothing and never refuses. Writing is all or nothing (40019 for rows that cannot
    be understood, 40026 for conflicts) or, with `skip_invalid`, leaves bad rows out. `whole` says that the rows are a
    whole timetable: `missing` then lists what was imported before and is not among them. Nothing is ever deleted.
    """

    def effect() -> ImportReport:
        semester = semester_named(user.pk, semester_id)
        version = None if dry_run else timetable_lock(user_id=user.pk, semester=semester)
        report = _judge(user, semester, rows, locale, whole=whole)
        if version is not None:
            if not skip_invalid:
                report.refuse()
            if report.accepted:
                report.batch = _write(user, version, report.accepted)
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
    batch: AppliedBatch | None = None

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
            "batch_id": self.batch.pk if self.batch else None,
            "events": len(self.accepted),
            "duplicates": self.duplicates,
            "rows": self.rows,
            "conflicts": self.conflicts,
            "missing": self.missing,
        }


def _judge(user: User, semester: Semester, rows: Sequence[Outcome], locale: str, *, whole: bool) -> _Report:
    events = list(ScheduleEvent.objects.filter(user=user, semester=semester))
    taken = taken_cells(events)
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
    places = places_of(row)
    kinds = ("course", "task") if row.task else ("course",)
    fresh = [place for place in places if not any((kind, row.course_name, place) in known for kind in kinds)]
    report.duplicates += len(places) - len(fresh)
    notes = [note.sentence(report.locale) for note in row.notes]
    clashes = [(place, blocker) for place in fresh if (blocker := find_blocker(place, taken)) is not None]
    if clashes:
        report.conflicts += [clash(row, place, blocker) for place, blocker in clashes]
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


def _missing(events: Sequence[ScheduleEvent], rows: Sequence[Outcome]) -> list[MissingMeeting]:
    """Lessons of earlier imports that the rows do not name, as weekly meetings in time order."""
    named = {(row.course_name, place) for row in rows if isinstance(row, CourseRow) for place in places_of(row)}
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


def _write(user: User, version: TimetableVersion, accepted: Sequence[tuple[CourseRow, Place]]) -> AppliedBatch:
    semester = version.semester
    images = [course_image(course) for course in Course.objects.filter(user=user, semester=semester).order_by("pk")]
    book = _Book(images)
    for row, _ in accepted:
        book.name(row)
    made = iter(Lessons(user.pk, semester).insert_courses(book.new))
    for image in book.new:
        image.update(next(made))
    lessons = [
        (None, new_lesson(row, place, course=book.course_of(row), source=ScheduleEvent.Source.IMPORT))
        for row, place in accepted
    ]
    courses = [*((None, image) for image in book.new), *book.filled]
    return CourseChange(courses, lessons).write(user=user, version=version, source=AppliedBatch.Source.IMPORT)


class _Book:
    """Finds the course of each row: by name and teacher, where either side may not know the teacher."""

    def __init__(self, images: Sequence[Image]) -> None:
        self.images = list(images)
        self.new: list[Image] = []
        self.filled: list[Pair] = []
        self._of: dict[tuple[str, str], Image] = {}

    def course_of(self, row: CourseRow) -> Image:
        return self._of[row.course_name, row.teacher]

    def name(self, row: CourseRow) -> None:
        key = (row.course_name, row.teacher)
        if key not in self._of:
            self._of[key] = self._known(row) or self._made(row)

    def _known(self, row: CourseRow) -> Image | None:
        alike = [image for image in self.images if image["name"] == row.course_name]
        exact = next((image for image in alike if image["teacher"] == row.teacher), None)
        if exact is not None or not row.teacher:
            return exact or next(iter(alike), None)
        nameless = next((image for image in alike if not image["teacher"]), None)
        if nameless is None:
            return None
        known = {**nameless, "teacher": row.teacher}
        self.images[self.images.index(nameless)] = known
        if nameless in self.new:
            self.new[self.new.index(nameless)] = known
        else:
            self.filled.append((nameless, known))
        self._of = {key: known if image is nameless else image for key, image in self._of.items()}
        return known

    def _made(self, row: CourseRow) -> Image:
        image = {
            "name": row.course_name,
            "teacher": row.teacher,
            "location": row.location,
            "color_index": free_color(image["color_index"] for image in self.images),
            "can_be_embedded": row.is_allow_tasks,
            "note": "",
        }
        self.images.append(image)
        self.new.append(image)
        return image

"""What an import would do with each row: taken in, known already, in the way of something, not understood."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from schedules.calendars.mends import Mend, Mended, mend_rows
from schedules.calendars.patterns import meeting_in_words
from schedules.calendars.rows import CourseRow, Outcome, RowError, RowNote
from schedules.models import AppliedBatch
from schedules.planner.grid import Place
from schedules.presentation.shapes.imports import ImportMend, ImportReport, KeptChange, MissingMeeting, MovedMeeting
from schedules.services.courses.changed_lessons import find_changed, judge_changed
from schedules.services.courses.clashes import Clashes, places_of
from schedules.services.courses.renewal import (
    Renewal,
    find_absent,
    find_outdated,
    list_meetings,
    renew_lessons,
    renew_teachers,
)
from schedules.services.images.kind import Image, Pair
from schedules.services.images.lessons import place_of_lesson
from schedules.services.terms.standing_rows import Standing
from schedules.terms.lessons import pattern_of
from taskclasses.kernel.errors import CodedError
from taskclasses.kernel.i18n import text
from taskclasses.shapes import Conflict, ImportRow, RowStatus

_Key = tuple[str, str, Place]
"""Type, name and place of an event."""


def row_json(
    row: Outcome, status: RowStatus, *, locale: str, code: str = "", message: str = "", events: int = 0
) -> ImportRow:
    """Returns a row of the report: what became of it, and what was read of what."""
    told: ImportRow = {
        "row": row.row,
        "status": status,
        "code": code,
        "message": message,
        "events": events,
        "course_name": row.course_name,
        "text": row.source,
        "pattern": "",
        "location": "",
        "teacher": "",
        "confidence": None,
    }
    known = row
    while isinstance(known, RowError) and known.offers:
        known = known.offers[0].row
    if isinstance(known, CourseRow):
        sections = (known.section_from, known.section_to)
        told |= {
            "pattern": meeting_in_words(known.weeks, known.day_of_week, sections, locale),
            "location": known.location,
            "teacher": known.teacher,
            "confidence": known.confidence,
        }
    return told


def error_json(row: RowError, locale: str) -> ImportRow:
    """Returns a row that cannot be understood, as a report and a refusal tell it."""
    return row_json(row, "invalid", locale=locale, code=row.code, message=row.sentence(locale))


@dataclass
class Report:
    """Holds the answer of an import while it is made.

    `accepted` are the lessons at new times, `new` those of them that are to be made, `changing` the pairs of earlier
    lessons, `teachers` those of earlier courses.
    """

    locale: str
    taken: Collection[str] = ()
    replace: bool = False
    rows: list[ImportRow] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    meant: Sequence[CourseRow] = ()
    accepted: list[tuple[CourseRow, Place]] = field(default_factory=list)
    new: list[tuple[CourseRow, Place]] = field(default_factory=list)
    changing: list[Pair] = field(default_factory=list)
    teachers: list[Pair] = field(default_factory=list)
    missing: list[MissingMeeting] = field(default_factory=list)
    moved: list[MovedMeeting] = field(default_factory=list)
    gone: list[MissingMeeting] = field(default_factory=list)
    mends: list[Mend] = field(default_factory=list)
    changes: list[KeptChange] = field(default_factory=list)
    released: list[int] = field(default_factory=list)
    duplicates: int = 0
    batch: AppliedBatch | None = None

    def add(self, row: Outcome, status: RowStatus, *, code: str = "", message: str = "", events: int = 0) -> None:
        self.rows.append(row_json(row, status, locale=self.locale, code=code, message=message, events=events))

    def refuse(self) -> None:
        """Raises 40019 for rows that are not understood, 40026 for those in conflict."""
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
            "replace": self.replace,
            "moved": self.moved,
            "gone": self.gone,
            "teachers": [
                {"name": after["name"], "from": before["teacher"], "to": after["teacher"]}
                for before, after in self.teachers
                if before and after
            ],
            "mends": [self._mend_json(mend) for mend in self.mends],
            "picture": None,
            "changes": self.changes,
            "released_task_item_ids": self.released,
        }

    def _mend_json(self, mend: Mend) -> ImportMend:
        return {
            "id": mend.id,
            "kind": mend.kind,
            "row": mend.row,
            "message": mend.sentence(self.locale),
            "taken": mend.taken,
        }


def judge_rows(
    standing: Standing,
    courses: Sequence[Image],
    rows: Sequence[Outcome],
    *,
    taken: Collection[str],
    whole: bool,
    replace: bool,
    keep_changes: bool,
    locale: str,
) -> Report:
    """Returns the report of an import with the mends that were taken.

    Lessons that the student changed stay as they are unless `keep_changes` is false. With `replace` lessons of earlier
    imports follow the rows; those of a course with a row that is not taken in stay.
    """
    mended = mend_rows(rows, standing.semester.calendar, taken)
    spared = {row.course_name for row in mended.rows if isinstance(row, RowError)}
    while True:
        report = Report(locale, taken, replace, mends=list(mended.mends))
        outdated = _judge_all(standing, mended, report, spared)
        refused = {row["course_name"] for row in report.rows if row["status"] == "conflict"}
        if refused <= spared or not replace:
            break
        spared |= refused
    lessons = standing.lessons
    renewal = renew_lessons(lessons.values(), outdated, report.meant, report.accepted)
    report.moved, report.gone = renewal.moved, renewal.gone
    report.teachers = renew_teachers(courses, lessons.values(), report.meant, spared)
    named = {(row.course_name, place) for row in report.meant for place in places_of(row)}
    if whole:
        leaving = {lesson["id"] for lesson in outdated} if replace else set()
        staying = (lesson for lesson in find_absent(lessons.values(), named) if lesson["id"] not in leaving)
        report.missing = list_meetings(staying)
    kept = renewal if replace else Renewal([], report.accepted, [], [])
    changed = judge_changed(standing, find_changed(lessons.values(), named), renewal=kept, keep=keep_changes)
    report.changes, report.changing, report.released = changed.changes, changed.pairs, changed.released
    report.new = kept.new
    report.conflicts += changed.conflicts
    return report


def _judge_all(standing: Standing, mended: Mended, report: Report, spared: Collection[str]) -> list[Image]:
    """Judges every row; returns the lessons of earlier imports that the rows stand in for."""
    known = _keys_known(standing)
    report.meant = [row for row in mended.rows if isinstance(row, CourseRow)]
    outdated = find_outdated(standing.lessons.values(), report.meant, spared)
    leaving = frozenset(lesson["id"] for lesson in outdated) if report.replace else frozenset()
    wanted = [(row, place) for row in report.meant for place in _fresh(row, known)]
    clashes = Clashes(standing, wanted, leaving=leaving)
    for row in mended.rows:
        if isinstance(row, RowError):
            report.rows.append(error_json(row, report.locale))
        elif isinstance(row, RowNote):
            report.add(row, "ok", code=row.code, message=row.sentence(report.locale))
        else:
            _judge_row(row, report, known, clashes)
    return outdated


def _keys_known(standing: Standing) -> set[_Key]:
    """Returns events by where they stand; lessons by where the pattern has them as well."""
    known = {(event.type, event.name, event.place) for event in standing.events if event.held}
    homes = ((lesson["name"], pattern_of(lesson)) for lesson in standing.lessons.values())
    return known | {("course", name, place_of_lesson(home)) for name, home in homes if home is not None}


def _fresh(row: CourseRow, known: set[_Key]) -> list[Place]:
    kinds = ("course", "task") if row.task else ("course",)
    return [place for place in places_of(row) if not any((kind, row.course_name, place) in known for kind in kinds)]


def _judge_row(row: CourseRow, report: Report, known: set[_Key], clashes: Clashes) -> None:
    fresh = _fresh(row, known)
    report.duplicates += len(row.weeks) - len(fresh)
    notes = [note.sentence(report.locale) for note in row.notes]
    found = {place: conflict for place in fresh if (conflict := clashes.find(row, place)) is not None}
    if found:
        free = [place for place in fresh if place not in found]
        mend = _overlap(row, len(free), report)
        if not mend.taken:
            report.conflicts += found.values()
            blocker = next(iter(found.values()))["with"]
            message = text("与「{name}」时间冲突", report.locale, name=blocker["name"] if blocker else "")
            told = "; ".join((f"day_of_week, sections: {message}", *notes))
            report.add(row, "conflict", code="conflict", message=told)
            return
        fresh, notes = free, [mend.sentence(report.locale), *notes]
    elif not fresh:
        report.add(row, "duplicate", code="duplicate", message="; ".join(notes))
        return
    for place in fresh:
        known.add(("course", row.course_name, place))
        clashes.add(row, place)
        report.accepted.append((row, place))
    code = "mended" if found else row.notes[0].code if row.notes else ""
    report.add(row, "ok", code=code, message="; ".join(notes), events=len(fresh))


def _overlap(row: CourseRow, free: int, report: Report) -> Mend:
    """Returns the offer to leave out what is in conflict of a row; told once for each row of the file."""
    message = "只导入不冲突的 {free} 节课" if free else "不导入这一行"
    mend = Mend("overlap", row.row, message, {"free": free} if free else {}, taken=f"overlap:{row.row}" in report.taken)
    if all(known.id != mend.id for known in report.mends):
        report.mends.append(mend)
    return mend

"""Exams: made, changed, deleted. The classes that work for an exam end the day before it, in the same batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date, time

from django.contrib.auth.models import User

from schedules.exams.reads import exam_get
from schedules.exams.times import deadline_before, place_of_exam
from schedules.models import AppliedBatch, Exam, ScheduleEvent, TimetableVersion
from schedules.planner.grid import Outside, Place
from schedules.presentation.conflicts import conflict
from schedules.selectors import course_get, facts_load, semester_named
from schedules.services.images.change import TimetableChange
from schedules.services.images.kind import Image, Pair
from schedules.services.images.kinds import CLASS_ROWS, EXAM_ROWS
from schedules.services.lock import timetable_lock
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.errors import bad_request, too_large
from taskclasses.models import TaskClass
from taskclasses.shapes import Blocker, Conflict
from taskclasses.spec import is_blank

EXAMS_MAX = 200
"""Exams of one student in one semester."""


@dataclass(frozen=True, kw_only=True)
class ExamValues:
    """Holds an exam by clock times or by sections, never both."""

    name: str
    date: date
    location: str = ""
    course_id: int | None = None
    start_time: time | None = None
    end_time: time | None = None
    section_from: int | None = None
    section_to: int | None = None
    note: str = ""


@dataclass(frozen=True)
class WrittenExam:
    """Holds an exam after a write, as it would be after a trial, or as it was before it went.

    `conflicts` are items on the timetable that it lies over, or that stand behind the new end of their class; `lessons`
    are those that it lies over; `classes` pairs of images of the classes that follow it.
    """

    exam: Exam
    batch: AppliedBatch | None
    conflicts: Sequence[Conflict]
    lessons: Sequence[ScheduleEvent]
    classes: Sequence[Pair]


def exam_create(
    *, user: User, values: ExamValues, semester_id: int | None = None, dry_run: bool = False
) -> WrittenExam:
    """Makes an exam; a dry run tells what it would lie over. 40005, 40006, 40041, 40042."""

    def effect() -> WrittenExam:
        semester = semester_named(user.pk, semester_id)
        version = timetable_lock(user_id=user.pk, semester=semester)
        if Exam.objects.filter(user=user, semester=semester).count() >= EXAMS_MAX:
            raise too_large("exams", EXAMS_MAX)
        exam = _build(user, version, values)
        pair: Pair = (None, _new_image(exam))
        return _write(version, exam, pair, [], source=AppliedBatch.Source.EXAM_CREATE, dry_run=dry_run)

    return run_transaction(effect)


def exam_replace(*, user: User, exam_id: int, values: ExamValues, dry_run: bool = False) -> WrittenExam:
    """Gives an exam other values; the classes that work for it end the day before its new date. 40005, 40042, 40047."""

    def effect() -> WrittenExam:
        old, version = _lock_exam(user, exam_id)
        exam = _build(user, version, values)
        exam.pk = old.pk
        pair: Pair = (EXAM_ROWS.image(old), {"id": old.pk, **_new_image(exam)})
        classes = []
        for row in TaskClass.objects.filter(user=user, exam_id=old.pk).order_by("pk"):
            image = CLASS_ROWS.image(row)
            last = deadline_before(exam.date, row.start_date)
            classes.append((image, {**image, "end_date": last.isoformat()}))
        return _write(version, exam, pair, classes, source=AppliedBatch.Source.EXAM_REPLACE, dry_run=dry_run)

    return run_transaction(effect)


def exam_delete(*, user: User, exam_id: int, dry_run: bool = False) -> WrittenExam:
    """Deletes an exam; the classes that worked for it keep their end date. 40047."""

    def effect() -> WrittenExam:
        exam, version = _lock_exam(user, exam_id)
        rows = TaskClass.objects.filter(user=user, exam_id=exam.pk).order_by("pk")
        images = [CLASS_ROWS.image(row) for row in rows]
        change = TimetableChange(
            {
                EXAM_ROWS.name: [(EXAM_ROWS.image(exam), None)],
                CLASS_ROWS.name: [(image, {**image, "exam_id": None}) for image in images],
            }
        )
        source = AppliedBatch.Source.EXAM_DELETE
        batch = None if dry_run else change.write(version=version, source=source)
        return WrittenExam(exam, batch, [], [], change.rows[CLASS_ROWS.name])

    return run_transaction(effect)


def _lock_exam(user: User, exam_id: int) -> tuple[Exam, TimetableVersion]:
    version = timetable_lock(user_id=user.pk, semester=exam_get(user.pk, exam_id).semester)
    # Whoever held the lock before may have changed or deleted it.
    return exam_get(user.pk, exam_id), version


def _build(user: User, version: TimetableVersion, values: ExamValues) -> Exam:
    """Returns the exam of these values, not stored; 40005 for what no exam may be, 40042 for a course that is not
    there."""
    calendar = version.semester.calendar
    if is_blank(values.name):
        raise bad_request("name", "不能为空")
    if isinstance(calendar.day_of(values.date), Outside):
        raise bad_request("date", "日期不在学期内")
    clocked = values.start_time is not None or values.end_time is not None
    listed = values.section_from is not None or values.section_to is not None
    if clocked == listed:
        raise bad_request("start_time", "请填写开始和结束时间，或者填写节次")
    if clocked and (values.start_time is None or values.end_time is None):
        raise bad_request("start_time" if values.start_time is None else "end_time", "缺少该字段")
    if values.start_time and values.end_time and values.start_time >= values.end_time:
        raise bad_request("end_time", "结束时间应晚于开始时间")
    if listed:
        first, last = values.section_from or 0, values.section_to or 0
        if not 1 <= first <= last <= calendar.grid.sections:
            raise bad_request("section_to", "节次不在一天的范围内")
    if values.course_id is not None:
        course_get(user.pk, values.course_id)
    columns = {**asdict(values), "name": values.name.strip(), "location": values.location.strip()}
    return Exam(user=user, semester=version.semester, **columns)


def _new_image(exam: Exam) -> Image:
    image = EXAM_ROWS.image(exam)
    del image["id"]
    return image


def _write(
    version: TimetableVersion, exam: Exam, pair: Pair, classes: Sequence[Pair], *, source: str, dry_run: bool
) -> WrittenExam:
    batch = None
    change = TimetableChange({EXAM_ROWS.name: [pair], CLASS_ROWS.name: [one for one in classes if one[0] != one[1]]})
    if not dry_run and not change.is_empty:
        batch = change.write(version=version, source=source)
        exam = Exam.objects.get(pk=batch.row_changes[EXAM_ROWS.name][0][1]["id"])
    place = place_of_exam(exam, version.semester.calendar)
    lessons = [] if place is None else _lessons_under(version, place)
    return WrittenExam(exam, batch, _clashes(version, exam, place, classes), lessons, classes)


def _lessons_under(version: TimetableVersion, place: Place) -> list[ScheduleEvent]:
    mine = ScheduleEvent.objects.filter(user_id=version.user_id, semester=version.semester, type="course")
    return [event for event in mine if event.place.overlaps(place)]


def _clashes(version: TimetableVersion, exam: Exam, place: Place | None, classes: Sequence[Pair]) -> list[Conflict]:
    """Returns applied items that the exam lies over, and those of its classes that stand behind their new end. All
    stay."""
    semester = version.semester
    ids = [after["id"] for _, after in classes if after is not None]
    facts = facts_load(user_id=version.user_id, class_ids=ids, semester=semester)
    owners = {item.id: row.id for row in facts.task_classes for item in row.items}
    ends = {after["id"]: date.fromisoformat(after["end_date"]) for _, after in classes if after is not None}
    found: list[Conflict] = []
    for event in facts.events:
        for item, at in ((event.task_item_id, event.place), (event.guest_task_item_id, event.guest_place)):
            if item is None or at is None:
                continue
            class_id = owners.get(item, 0)
            if place is not None and at.overlaps(place):
                blocker: Blocker = {"event_id": 0, "task_item_id": 0, "name": exam.name, "type": "exam"}
                found.append(conflict(40026, "occupied", item_id=item, class_id=class_id, place=at, blocker=blocker))
            elif class_id in ends and semester.calendar.date_of(at.day) > ends[class_id]:
                rule = "outside_class_window"
                found.append(conflict(40073, rule, item_id=item, class_id=class_id, place=at, blocker=None))
    return found

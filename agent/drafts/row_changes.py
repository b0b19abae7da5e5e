"""A lesson or an exam that moved, time that stays free: written first, as a batch of its own; the draft follows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, time

from django.contrib.auth.models import User
from django.utils import timezone

from agent.tools.words.replan import date_text, place_text
from schedules.exams.answers import written_exam_shown
from schedules.exams.reads import exam_get
from schedules.exams.shapes import WrittenExamObject
from schedules.mapping import place_of
from schedules.models import Exam, ScheduleEvent, Semester
from schedules.planner.draft.state import Spot
from schedules.planner.words.dates import clock_words
from schedules.presentation.conflicts import outside_semester
from schedules.selectors import exceptions_load
from schedules.services import calendar_change, lesson_change
from schedules.services.exams import ExamValues, exam_replace
from schedules.services.terms.exceptions import CalendarWish
from schedules.services.terms.lesson_changes import LessonChangeValues
from schedules.terms.exceptions import KEPT_FREE, ExceptionValues
from schedules.terms.shapes import CalendarWrite, LessonWrite
from taskclasses.kernel.errors import CodedError, bad_request
from taskclasses.kernel.i18n import text

KEPT_WORDS = {
    (True, True): "{first} 整天留空，以后的计划也不排在那里。",
    (True, False): "{first} 到 {last} 整天留空，以后的计划也不排在那里。",
    (False, True): "{first} {clock} 留空，以后的计划也不排在那里。",
    (False, False): "{first} 到 {last} 每天 {clock} 留空，以后的计划也不排在那里。",
}
"""(whole days, one day alone) -> what is kept free."""


@dataclass(frozen=True, kw_only=True)
class ExamMove:
    """Holds the new date of an exam. Without times and sections it keeps those that it has, without a location its
    own."""

    exam_id: int
    date: date
    location: str | None = None
    start_time: time | None = None
    end_time: time | None = None
    section_from: int | None = None
    section_to: int | None = None


@dataclass(frozen=True, kw_only=True)
class KeptFree:
    """Holds dates that stay free of study, of each only the evening or some sections when that is said."""

    first: date
    last: date
    evenings: bool = False
    from_section: int | None = None
    to_section: int | None = None
    name: str = ""


Move = LessonChangeValues | ExamMove | KeptFree


@dataclass(frozen=True)
class Moved:
    """Tells what was written, the items that left the timetable for it, the classes that follow it, and words by
    language."""

    changes: bool = False
    displaced: tuple[int, ...] = ()
    class_ids: tuple[int, ...] = ()
    lesson: LessonWrite | None = None
    exam: WrittenExamObject | None = None
    calendar: CalendarWrite | None = None
    tell: Callable[[str], Sequence[str]] = lambda locale: ()


def move_write(*, user: User, move: Move | None, semester: Semester) -> Moved:
    """Writes what moved, when it does not stand so already; refuses as the use cases of lessons, exams, calendar do.

    40031, 40047 also for a lesson or an exam of another semester than the draft's.
    """
    if isinstance(move, ExamMove):
        return _move_exam(user, move, semester)
    if isinstance(move, KeptFree):
        return _keep_free(user, move, semester)
    return Moved() if move is None else _move_lesson(user, move, semester)


def _move_lesson(user: User, values: LessonChangeValues, semester: Semester) -> Moved:
    mine = ScheduleEvent.objects.filter(pk=values.event_id or 0, user=user, semester=semester)
    if not mine.exists():
        raise CodedError(40031)
    written = lesson_change(user=user, values=values, dry_run=True)
    before, after = written.lesson
    if before != after:
        written = lesson_change(user=user, values=values)
        before, after = written.lesson

    def tell(locale: str) -> list[str]:
        if after is None or not after["held"] or values.place is None:
            return []
        at = place_text(Spot(place_of(*values.place), None), semester.calendar, locale)
        return [text("「{name}」这节课改到 {after}。", locale, name=after["name"], after=at)]

    displaced = tuple(written.effects.released)
    return Moved(changes=before != after, displaced=displaced, lesson=written.to_json(), tell=tell)


def _move_exam(user: User, move: ExamMove, semester: Semester) -> Moved:
    old = exam_get(user.pk, move.exam_id)
    if old.semester_id != semester.pk:
        raise CodedError(40047)
    values = _values(old, move)
    done = exam_replace(user=user, exam_id=old.pk, values=values, dry_run=_is_same(old, values))
    shown = written_exam_shown(done)

    def tell(locale: str) -> list[str]:
        exam = shown["exam"]
        at = {"date": date_text(move.date, locale), "begin": exam["start_time"], "end": exam["end_time"]}
        words = [text("「{name}」改到 {date} {begin}–{end} 考。", locale, name=exam["name"], **at)]
        for row in shown["task_classes"]:
            if row["after"] is not None and row["before"] != row["after"]:
                last = date_text(date.fromisoformat(row["after"]), locale)
                words.append(text("「{name}」的最后一天跟着改成 {date}。", locale, name=row["name"], date=last))
        return words

    classes = tuple(row["task_class_id"] for row in shown["task_classes"])
    return Moved(changes=not _is_same(old, values), class_ids=classes, exam=shown, tell=tell)


def _keep_free(user: User, move: KeptFree, semester: Semester) -> Moved:
    """Writes time kept free as a row of the calendar of exceptions, so that every later plan keeps it too."""
    values = free_time_of(user, move, semester)
    if values is None:
        return Moved()
    done = calendar_change(user=user, wish=CalendarWish(add=[values]), now=timezone.now(), semester_id=semester.pk)
    calendar, whole = semester.calendar, values.section_from is None
    first, last = values.first_date, values.last_date

    def tell(locale: str) -> list[str]:
        said = {"first": date_text(first, locale), "last": date_text(last, locale)}
        said["clock"] = clock_words(calendar, values.section_from or 1, values.section_to or calendar.grid.sections)
        return [text(KEPT_WORDS[whole, first == last], locale, **said)]

    return Moved(changes=True, calendar=done.to_json(), tell=tell)


def free_time_of(user: User, move: KeptFree, semester: Semester) -> ExceptionValues | None:
    """Returns time to keep free as an exception within the semester; None when all of it is kept free by now.

    40049 outside the semester, 40005 for sections that no day has.
    """
    calendar, grid = semester.calendar, semester.calendar.grid
    first, last = max(move.first, calendar.first_monday), min(move.last, calendar.last_day)
    if last < first:
        raise outside_semester()
    if move.evenings and grid.evening is None:
        raise bad_request("evenings", "这个学期的一天没有晚上的节次")
    begin, end = (move.evenings and grid.evening) or (move.from_section or 1, move.to_section or grid.sections)
    end = min(end, grid.sections)
    if end < begin:
        raise bad_request("start_section", "节次不在一天之内")
    whole = (begin, end) == (1, grid.sections)
    days = range((first - calendar.first_monday).days + 1, (last - calendar.first_monday).days + 2)
    wanted = {(day, section) for day in days for section in range(begin, end + 1)}
    if wanted <= exceptions_load(user_id=user.pk, semester=semester).kept_free:
        return None
    return ExceptionValues(
        kind=KEPT_FREE,
        name=move.name,
        first_date=first,
        last_date=last,
        section_from=None if whole else begin,
        section_to=None if whole else end,
    )


def _values(old: Exam, move: ExamMove) -> ExamValues:
    """Returns the exam as it is, on the new date."""
    given = (move.start_time, move.end_time, move.section_from, move.section_to)
    kept = (old.start_time, old.end_time, old.section_from, old.section_to)
    begin, end, first, last = kept if given == (None, None, None, None) else given
    return ExamValues(
        name=old.name,
        date=move.date,
        location=old.location if move.location is None else move.location,
        course_id=old.course_id,
        start_time=begin,
        end_time=end,
        section_from=first,
        section_to=last,
        note=old.note,
    )


def _is_same(old: Exam, values: ExamValues) -> bool:
    return all(getattr(old, name) == value for name, value in vars(values).items())

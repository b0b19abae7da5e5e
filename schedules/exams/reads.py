"""Reads of exams. Every query carries its owner."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from django.db.models import Q, QuerySet

from schedules.calendars.lessons import ExamEntry
from schedules.exams.times import exam_fact, instants_of, place_of_exam
from schedules.models import Course, Exam, Schedule, Semester
from schedules.planner.facts import EventFact
from schedules.planner.grid import Cell, day_number, week_and_weekday
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskClass


def exams_of(*, user_id: int, semester: Semester, dates: tuple[date, date] | None = None) -> QuerySet[Exam]:
    """Returns the exams of a student's semester, or those from one date to another, in the order of their dates."""
    mine = Exam.objects.filter(user_id=user_id, semester=semester).select_related("semester").order_by("date", "pk")
    return mine if dates is None else mine.filter(date__range=dates)


def exam_get(user_id: int, exam_id: int) -> Exam:
    """Returns an exam of the student's; 40047."""
    exam = Exam.objects.filter(user_id=user_id, pk=exam_id).select_related("semester").first()
    if exam is None:
        raise CodedError(40047)
    return exam


def exam_entries(*, user_id: int, semester: Semester, weeks: tuple[int, int]) -> list[ExamEntry]:
    """Returns a student's exams from one week to another, as an export tells them."""
    calendar = semester.calendar
    first, last = calendar.date_of(day_number(weeks[0], 1)), calendar.date_of(day_number(weeks[1], 7))
    found = []
    for exam in exams_of(user_id=user_id, semester=semester, dates=(first, last)):
        begin, end = instants_of(exam, calendar)
        found.append(
            ExamEntry(
                exam_id=exam.pk,
                revision=exam.revision,
                updated_at=exam.updated_at,
                name=exam.name,
                location=exam.location,
                begin=begin,
                end=end,
                note=exam.note,
            )
        )
    return found


def exam_facts(*, user_id: int, semester: Semester) -> list[EventFact]:
    """Returns the exams that take sections, as events; in two queries at most."""
    exams = list(exams_of(user_id=user_id, semester=semester))
    colors = {pk: course.color_index for pk, course in courses_by_id(exams).items()}
    calendar = semester.calendar
    facts = (exam_fact(exam, calendar, colors.get(exam.course_id or 0)) for exam in exams)
    return [fact for fact in facts if fact is not None]


def items_under_exams(*, user_id: int, semester: Semester, now: datetime) -> list[int]:
    """Returns the items on the timetable that have not begun and that an exam lies over."""
    calendar = semester.calendar
    begun = calendar.now_cell(now)
    coming = exams_of(user_id=user_id, semester=semester, dates=(now.astimezone(calendar.zone).date(), date.max))
    taken = [place for exam in coming if (place := place_of_exam(exam, calendar)) is not None]
    if not taken:
        return []
    owner = Q(event__task_item__isnull=False) | Q(embedded_task_item__isnull=False)
    rows = Schedule.objects.filter(owner, user_id=user_id, semester=semester).order_by("week", "day_of_week", "section")
    cells: dict[int, list[Cell]] = {}
    names = ("event__task_item_id", "embedded_task_item_id", "week", "day_of_week", "section")
    days = {week_and_weekday(place.day)[0] for place in taken}
    for own, guest, week, weekday, section in rows.filter(week__in=days).values_list(*names):
        cells.setdefault(own or guest, []).append((day_number(week, weekday), section))
    under = {(place.day, section) for place in taken for section in place.sections}
    return [item for item, own in cells.items() if own[0] >= begun and under.intersection(own)]


def courses_by_id(exams: Iterable[Exam]) -> dict[int, Course]:
    """Returns the courses of exams that are there."""
    named = {exam.course_id for exam in exams if exam.course_id is not None}
    return {course.pk: course for course in Course.objects.filter(pk__in=named)} if named else {}


def classes_for_exams(exams: Iterable[Exam]) -> dict[int, list[TaskClass]]:
    """Returns the classes that work for each exam, in one query."""
    found: dict[int, list[TaskClass]] = {exam.pk: [] for exam in exams}
    if found:
        for row in TaskClass.objects.filter(exam_id__in=list(found)).order_by("pk"):
            found[row.exam_id or 0].append(row)
    return found

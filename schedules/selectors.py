"""Reads of the timetable. Every query carries its owner."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from schedules.calendars.lessons import Lesson
from schedules.exams.reads import exam_facts
from schedules.mapping import CELL_COLUMNS, EVENT_COLUMNS, ITEM_COLUMNS, class_fact, event_fact, lesson_of
from schedules.models import (
    AppliedBatch,
    CalendarException,
    Course,
    Exam,
    Preference,
    Schedule,
    ScheduleEvent,
    Semester,
    TimetableVersion,
)
from schedules.planner.facts import ClassFact, EventFact, Facts
from schedules.planner.grid import Calendar, Outside, week_and_weekday
from schedules.terms.exceptions import TermExceptions, term_exceptions
from taskclasses.kernel.errors import CodedError
from taskclasses.kernel.i18n import text
from taskclasses.models import TaskClass, TaskItem
from taskclasses.presentation import class_json

DEFAULT_WEEKS = 20


def semesters_of(user_id: int) -> QuerySet[Semester]:
    """Returns the semesters that a student may use, newest first: the shared ones and the student's own."""
    return Semester.objects.filter(Q(owner=None) | Q(owner=user_id)).order_by("-first_monday", "-pk")


def semester_current(user_id: int) -> Semester:
    """Returns the semester that the student chose; without a choice the shared current one, else the newest shared one.

    A database without any shared one gets one of 20 weeks around today.
    """
    chosen = semesters_of(user_id).filter(currentsemester__user=user_id).first()
    found = chosen or Semester.objects.filter(owner=None).order_by("-is_current", "-first_monday").first()
    if found is not None:
        return found
    today = timezone.localdate()
    monday = today - timedelta(days=today.weekday())
    semester, _ = Semester.objects.get_or_create(
        is_current=True, defaults={"name": term_name(monday), "first_monday": monday, "weeks": DEFAULT_WEEKS}
    )
    return semester


@dataclass(frozen=True)
class SemestersUsed:
    """Finds the semesters that dates of a student lie in; the others than the current one are read when one is
    asked for that this one does not hold."""

    user_id: int
    current: Semester

    @cached_property
    def others(self) -> list[Semester]:
        """Returns the other semesters of the student, first those that something of the student's is in."""
        events = ScheduleEvent.objects.filter(user_id=self.user_id).values("semester")
        exams = Exam.objects.filter(user_id=self.user_id).values("semester")
        rows = semesters_of(self.user_id).exclude(pk=self.current.pk)
        used = set(rows.filter(Q(pk__in=events) | Q(pk__in=exams)).values_list("pk", flat=True))
        return sorted(rows, key=lambda one: one.pk not in used)

    def find(self, first: date | None, last: date | None = None) -> Semester:
        """Returns the semester that a day or a run of days lies in: the current one while any of its days to come does,
        for there it is planned; else the one that holds all of them, else the last; the current one when none does."""
        begin, end = first or last, last or first
        if begin is None or end is None or _meets(self.current, min(max(begin, self._today), end), end):
            return self.current
        known = [self.current, *self.others]
        whole = (one for one in known if _holds(one, begin, end))
        return next(whole, next((one for one in known if _holds(one, end, end)), self.current))

    @property
    def _today(self) -> date:
        return timezone.now().astimezone(self.current.calendar.zone).date()


def _meets(semester: Semester, first: date, last: date) -> bool:
    return semester.first_monday <= last and first <= semester.calendar.last_day


def _holds(semester: Semester, first: date, last: date) -> bool:
    return semester.first_monday <= first and last <= semester.calendar.last_day


def semester_of_dates(user_id: int, first: date | None, last: date | None = None) -> Semester:
    """Returns the semester that a day or a run of days of a student lies in; the current one when none holds it."""
    return SemestersUsed(user_id, semester_current(user_id)).find(first, last)


def semester_after(user_id: int, day: date) -> Semester | None:
    """Returns the next semester of a student that begins after a day."""
    return semesters_of(user_id).filter(first_monday__gt=day).order_by("first_monday", "-pk").first()


def semester_get(user_id: int, semester_id: int) -> Semester | None:
    """Returns a shared semester or one of the student's own."""
    return semesters_of(user_id).filter(pk=semester_id).first()


def semester_named(user_id: int, semester_id: int | None) -> Semester:
    """Returns the semester of this id, the student's current one for None; 40041 for one that is not the student's to
    use."""
    found = semester_current(user_id) if semester_id is None else semester_get(user_id, semester_id)
    if found is None:
        raise CodedError(40041)
    return found


def task_class_book(user_id: int, class_id: int | None) -> dict[str, Any]:
    """Returns what the agent's class write must know: today's date, the student's class names, and one class as it
    stands."""
    today = timezone.now().astimezone(semester_current(user_id).calendar.zone).date()
    classes = [{"id": row.pk, "name": row.name} for row in TaskClass.objects.filter(user_id=user_id).order_by("pk")]
    row = TaskClass.objects.filter(user_id=user_id, pk=class_id).first() if class_id is not None else None
    return {"today": today.isoformat(), "classes": classes, "current": class_json(row) if row is not None else None}


def term_name(day: date, locale: str = "zh") -> str:
    """Returns the name of a semester that nobody named: "2026 春", "Spring 2026"."""
    return text("{year} 春" if day.month < 7 else "{year} 秋", locale, year=day.year)


def facts_load(*, user_id: int, class_ids: Iterable[int], semester: Semester | None = None) -> Facts:
    """Returns the timetable of one student as plain rows, with the named classes and all that own a placed item.

    Ids of classes that are not the student's are left out. The number of queries does not depend on the data.
    """
    term = semester or semester_current(user_id)
    version = TimetableVersion.objects.filter(user_id=user_id, semester=term).values_list("version", flat=True).first()
    exams = exam_facts(user_id=user_id, semester=term)
    events = [*(event for event in events_load(user_id=user_id, semester=term) if event.held), *exams]
    exceptions = exceptions_load(user_id=user_id, semester=term)
    placed = {item for event in events for item in (event.task_item_id, event.guest_task_item_id) if item is not None}
    classes = TaskClass.objects.filter(Q(pk__in=set(class_ids)) | Q(items__in=placed), user_id=user_id).distinct()
    calendar = term.calendar
    return Facts(
        user_id=user_id,
        semester_id=term.pk,
        grid=replace(calendar.grid, closed_days=exceptions.closed_days, kept_free=exceptions.kept_free),
        base_version=version or 0,
        events=tuple(events),
        task_classes=_class_facts(classes, calendar),
        now=calendar.now_cell(timezone.now()),
        wishes=tuple(row.limit for row in preferences_of(user_id)),
    )


def timetable_stamps(user_id: int) -> tuple[tuple[int, int], ...]:
    """Returns what changes with every write of a student's timetables, classes and wishes, to be read before them."""
    rows = TimetableVersion.objects.filter(user_id=user_id).order_by("pk")
    return tuple(rows.values_list("pk", "stamp"))


def preferences_of(user_id: int) -> QuerySet[Preference]:
    """Returns a student's wishes in the sequence in which they were said."""
    return Preference.objects.filter(user_id=user_id).order_by("pk")


def _class_facts(classes: QuerySet[TaskClass], calendar: Calendar) -> tuple[ClassFact, ...]:
    by_class: dict[int, list[Any]] = defaultdict(list)
    found = list(classes.order_by("pk"))
    items = TaskItem.objects.filter(task_class__in=[row.pk for row in found])
    for item in items.values_list(*ITEM_COLUMNS, named=True):
        by_class[item.task_class_id].append(item)
    return tuple(class_fact(row, by_class[row.pk], calendar) for row in found)


def events_load(*, user_id: int, semester: Semester, week: int | None = None) -> list[EventFact]:
    """Returns all events of a student's semester, or of one week, by (day, first section, id), in two queries.

    Lessons that fall out are among them.
    """
    only = {} if week is None else {"week": week}
    cells: dict[int, list[Any]] = defaultdict(list)
    mine = _telling_cells(user_id=user_id, semester=semester, **only)
    for cell in mine.values_list(*CELL_COLUMNS, named=True):
        cells[cell.event_id].append(cell)
    events = ScheduleEvent.objects.filter(user_id=user_id, semester=semester, **only).order_by()
    facts = [event_fact(event, cells[event.pk]) for event in events.values_list(*EVENT_COLUMNS, named=True)]
    return sorted(facts, key=lambda fact: (fact.place.day, fact.place.first, fact.id))


def _telling_cells(**where: Any) -> QuerySet[Schedule]:
    """Returns the cells that tell more than their event: a guest, or that it is interrupted."""
    told = Q(embedded_task_item__isnull=False) | Q(status=Schedule.Status.INTERRUPTED)
    return Schedule.objects.filter(told, **where).order_by("section")


def exceptions_load(*, user_id: int, semester: Semester) -> TermExceptions:
    """Returns a student's calendar of exceptions on the grid of the semester."""
    return term_exceptions(exceptions_of(user_id=user_id, semester=semester).values(), semester.calendar)


def exceptions_of(*, user_id: int, semester: Semester) -> QuerySet[CalendarException]:
    """Returns a student's exceptions in time order."""
    return CalendarException.objects.filter(user_id=user_id, semester=semester).order_by("first_date", "pk")


def changed_lessons(*, user_id: int, semester: Semester) -> QuerySet[ScheduleEvent]:
    """Returns the lessons that the student moved, cancelled, added or gave another room, in time order."""
    mine = ScheduleEvent.objects.filter(user_id=user_id, semester=semester, type=ScheduleEvent.Type.COURSE)
    return mine.exclude(change={}).order_by("week", "day_of_week", "section_from", "pk")


def lessons_load(*, user_id: int, semester: Semester, weeks: tuple[int, int], types: Iterable[str]) -> list[Lesson]:
    """Returns a student's events of the named types from one week to another, as an export tells them; in two
    queries."""
    events = ScheduleEvent.objects.filter(user_id=user_id, semester=semester, week__range=weeks, type__in=set(types))
    rows: dict[int, list[Schedule]] = defaultdict(list)
    mine = _telling_cells(user_id=user_id, semester=semester, week__range=weeks)
    for row in mine.select_related("embedded_task_item"):
        rows[row.event_id].append(row)
    ordered = events.select_related("task_item__task_class").order_by("week", "day_of_week", "section_from", "pk")
    return [lesson_of(event, rows[event.pk]) for event in ordered]


def courses_of(*, user_id: int, semester: Semester) -> QuerySet[Course]:
    """Returns the courses of a student's semester by name."""
    return Course.objects.filter(user_id=user_id, semester=semester).order_by("name", "pk")


def course_get(user_id: int, course_id: int) -> Course:
    """Returns a course of the student's; 40042."""
    course = Course.objects.filter(user_id=user_id, pk=course_id).select_related("semester").first()
    if course is None:
        raise CodedError(40042)
    return course


def course_lessons(courses: Iterable[Course]) -> dict[int, list[ScheduleEvent]]:
    """Returns the lessons of each course in time order, in one query."""
    found: dict[int, list[ScheduleEvent]] = {course.pk: [] for course in courses}
    lessons = ScheduleEvent.objects.filter(course__in=found)
    for event in lessons.order_by("week", "day_of_week", "section_from"):
        found[event.course_id or 0].append(event)
    return found


def today_of(calendar: Calendar, now: datetime) -> tuple[date, int | Outside]:
    """Returns the local date of an instant and its day number."""
    local = now.astimezone(calendar.zone).date()
    return local, calendar.day_of(local)


def clamp_week(calendar: Calendar, now: datetime) -> int:
    """Returns the week of an instant; the first before the semester, the last after it."""
    day = today_of(calendar, now)[1]
    if isinstance(day, Outside):
        return 1 if day.before else calendar.weeks
    return week_and_weekday(day)[0]


def applied_batches(*, user_id: int) -> QuerySet[AppliedBatch]:
    """Returns the student's batches, newest first."""
    return AppliedBatch.objects.filter(user_id=user_id).select_related("semester").order_by("-created_at", "-pk")


def placed_classes(facts: Iterable[EventFact], calendar: Calendar) -> dict[int, ClassFact]:
    """Returns the class of every item that the events are made from or host, by item; in two queries."""
    placed = {item for fact in facts for item in (fact.task_item_id, fact.guest_task_item_id) if item is not None}
    if not placed:
        return {}
    found = _class_facts(TaskClass.objects.filter(items__in=placed).distinct(), calendar)
    return {item.id: row for row in found for item in row.items}


def guest_names(facts: Iterable[EventFact]) -> dict[int, str]:
    """Returns contents of the items that the events host."""
    guests = [fact.guest_task_item_id for fact in facts if fact.guest_task_item_id is not None]
    return dict(TaskItem.objects.filter(pk__in=guests).values_list("pk", "content")) if guests else {}

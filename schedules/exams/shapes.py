"""Shapes of the JSON that the exam endpoints answer."""

from __future__ import annotations

from typing_extensions import TypedDict

from taskclasses.shapes import ClockText, Conflict, DateText, Instant, Weekday


class ExamClass(TypedDict):
    """Holds a task class that works for an exam."""

    task_class_id: int
    name: str


class ExamObject(TypedDict):
    """Holds an exam; `week` is 0 and the sections are 0 where the exam takes none; `days_left` counts from today, below
    0 when over.

    `by_sections` = its clock times are those of its sections. `course_name` is "" without a course.
    """

    id: int
    semester_id: int
    name: str
    location: str
    note: str
    course_id: int | None
    course_name: str
    color_index: int | None
    date: DateText
    start_time: ClockText
    end_time: ClockText
    by_sections: bool
    week: int
    day_of_week: Weekday
    section_from: int
    section_to: int
    start_at: Instant
    end_at: Instant
    days_left: int
    task_classes: list[ExamClass]


class ExamLesson(TypedDict):
    """Holds a lesson that an exam lies over; it stays where it is."""

    event_id: int
    name: str
    week: int
    day_of_week: Weekday
    section_from: int
    section_to: int


class MovedDeadline(TypedDict):
    """Holds a class that works for the exam: its end date before and after."""

    task_class_id: int
    name: str
    before: DateText | None
    after: DateText | None


class WrittenExamObject(TypedDict):
    """Holds what a write did to an exam; `batch_id` is null for a trial; `conflicts` are items on the timetable that
    clash by now and stay as they are."""

    exam: ExamObject
    batch_id: int | None
    conflicts: list[Conflict]
    lessons: list[ExamLesson]
    task_classes: list[MovedDeadline]


class TermOverviewWeek(TypedDict):
    """Tells what a week holds, in sections; a guest counts as task, not as lesson too."""

    week: int
    first_date: DateText
    lesson_sections: int
    task_sections: int
    task_items: int
    exam_sections: int
    exams: int
    off_days: int


class TermOverview(TypedDict):
    """Holds a semester at one glance; `current_week` is 0 outside it."""

    semester_id: int
    current_week: int
    weeks: list[TermOverviewWeek]
    exams: list[ExamObject]

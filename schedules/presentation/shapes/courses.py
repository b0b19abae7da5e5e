"""Shapes of the JSON of courses."""

from __future__ import annotations

from typing_extensions import TypedDict

from taskclasses.shapes import (
    Weekday,
)


class WeeklyMeeting(TypedDict):
    """Holds one weekly meeting; `pattern` is it in words."""

    weeks: list[int]
    day_of_week: Weekday
    start_section: int
    end_section: int
    location: str
    pattern: str


class CourseObject(TypedDict):
    """Holds a course in the words of the JSON form of courses; `lessons` = how many it has, cancelled ones included."""

    id: int
    semester_id: int
    course_name: str
    teacher: str
    location: str
    color_index: int
    is_allow_tasks: bool
    note: str
    lessons: int
    arrangements: list[WeeklyMeeting]


class WrittenCourse(TypedDict):
    """Holds a course after a write; `batch_id` is null for a trial: then `course` is as it stands. The last three count
    lessons."""

    course: CourseObject
    batch_id: int | None
    released_task_item_ids: list[int]
    added: int
    changed: int
    removed: int


class DeletedLessons(TypedDict):
    """Holds what was deleted; `batch_id` is null for a trial; `course_ids` are the courses that went, or would go."""

    batch_id: int | None
    released_task_item_ids: list[int]
    lessons: int
    course_ids: list[int]

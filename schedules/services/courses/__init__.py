"""Courses and their lessons: imported, made and changed by hand, deleted; every write is a batch that can be undone."""

from schedules.services.courses.copying import courses_copy
from schedules.services.courses.deletion import course_delete, import_delete
from schedules.services.courses.imports import courses_import
from schedules.services.courses.writes import CourseValues, course_create, course_merge, course_replace

__all__ = [
    "CourseValues",
    "course_create",
    "course_delete",
    "course_merge",
    "course_replace",
    "courses_copy",
    "courses_import",
    "import_delete",
]

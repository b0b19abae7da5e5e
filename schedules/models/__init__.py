"""The term and its record: semesters, courses, events, one row per section, and the batches that can be undone."""

from schedules.models.batches import AppliedBatch
from schedules.models.courses import COLORS, Course
from schedules.models.semesters import CurrentSemester, Semester, default_section_times
from schedules.models.timetable import Schedule, ScheduleEvent, TimetableVersion

__all__ = [
    "COLORS",
    "AppliedBatch",
    "Course",
    "CurrentSemester",
    "Schedule",
    "ScheduleEvent",
    "Semester",
    "TimetableVersion",
    "default_section_times",
]

"""The term and its record: semesters, events, one row per section, and the batches that can be undone."""

from schedules.models.batches import AppliedBatch
from schedules.models.semesters import CurrentSemester, Semester, default_section_times
from schedules.models.timetable import Schedule, ScheduleEvent, TimetableVersion

__all__ = [
    "AppliedBatch",
    "CurrentSemester",
    "Schedule",
    "ScheduleEvent",
    "Semester",
    "TimetableVersion",
    "default_section_times",
]

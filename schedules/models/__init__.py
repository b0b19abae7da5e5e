"""The term and its record: semesters, courses, events, one row per section, and the batches that can be undone."""

from schedules.models.batches import AppliedBatch
from schedules.models.courses import COURSE_COLORS, Course
from schedules.models.exams import Exam
from schedules.models.exceptions import CalendarException
from schedules.models.feeds import ENTRY_KINDS, REMINDER_MAX, CalendarFeed, FeedEntry
from schedules.models.preferences import Preference
from schedules.models.progress import GRACE_HOURS_MAX, ProgressRule
from schedules.models.semesters import CurrentSemester, Semester, default_section_times
from schedules.models.timetable import Schedule, ScheduleEvent, TimetableVersion

__all__ = [
    "COURSE_COLORS",
    "ENTRY_KINDS",
    "GRACE_HOURS_MAX",
    "REMINDER_MAX",
    "AppliedBatch",
    "CalendarException",
    "CalendarFeed",
    "Course",
    "CurrentSemester",
    "Exam",
    "FeedEntry",
    "Preference",
    "ProgressRule",
    "Schedule",
    "ScheduleEvent",
    "Semester",
    "TimetableVersion",
    "default_section_times",
]

"""The timetable and what is fitted into it. What the admin changes goes through the services and so by the rules."""

from schedules.admin import batches, classes, exams, preferences, timetable

__all__ = ["batches", "classes", "exams", "preferences", "timetable"]

"""Paths of the timetable and the task classes below `/api/v1/`."""

from django.urls import path, register_converter

from schedules.api.classes import TaskClassesView, TaskClassView
from schedules.api.courses import CourseMergeView, CoursesView, CourseView
from schedules.api.exams import ExamsView, ExamView, TermView
from schedules.api.exports import CsvExportView, IcsExportView
from schedules.api.feed import FeedView
from schedules.api.imports import ImportsView, ImportView
from schedules.api.planning import SmartPlanningView
from schedules.api.preferences import PreferencesView, PreferenceView
from schedules.api.progress import ItemProgressView, ProgressSettingsView, ProgressView
from schedules.api.reads import SemesterReadView, TodayView, WeekView
from schedules.api.semesters import CurrentSemesterView, OwnSemesterView, SemestersView
from schedules.api.terms.exceptions import ExceptionsView, ExceptionView, ProposalsView
from schedules.api.terms.lesson_changes import LessonChangesView, LessonChangeView
from schedules.api.writes import (
    ApplyBatchView,
    BatchesView,
    BatchUndoView,
    EventView,
    TaskItemPinView,
    TaskItemUndoView,
    TaskItemUnpinView,
)
from taskclasses.kernel.paths import IdConverter

register_converter(IdConverter, "id")

urlpatterns = [
    path("task-class", TaskClassesView.as_view()),
    path("task-class/apply-batch-into-schedule", ApplyBatchView.as_view()),
    path("task-class/<id:class_id>", TaskClassView.as_view()),
    path("schedule/smart-planning", SmartPlanningView.as_view()),
    path("schedule/semester", SemesterReadView.as_view()),
    path("schedule/semesters", SemestersView.as_view()),
    path("schedule/semesters/current", CurrentSemesterView.as_view()),
    path("schedule/semesters/<id:semester_id>", OwnSemesterView.as_view()),
    path("schedule/week", WeekView.as_view()),
    path("schedule/today", TodayView.as_view()),
    path("schedule/events/<id:event_id>", EventView.as_view()),
    path("schedule/task-items/<id:task_item_id>/undo", TaskItemUndoView.as_view()),
    path("schedule/task-items/<id:task_item_id>/progress", ItemProgressView.as_view()),
    path("schedule/progress", ProgressView.as_view()),
    path("schedule/preferences", PreferencesView.as_view()),
    path("schedule/preferences/<id:preference_id>", PreferenceView.as_view()),
    path("schedule/progress-settings", ProgressSettingsView.as_view()),
    path("schedule/task-items/<id:task_item_id>/pin", TaskItemPinView.as_view()),
    path("schedule/task-items/<id:task_item_id>/unpin", TaskItemUnpinView.as_view()),
    path("schedule/batches", BatchesView.as_view()),
    path("schedule/batches/<id:batch_id>/undo", BatchUndoView.as_view()),
    path("schedule/exams", ExamsView.as_view()),
    path("schedule/exams/<id:exam_id>", ExamView.as_view()),
    path("schedule/term", TermView.as_view()),
    path("schedule/courses", CoursesView.as_view()),
    path("schedule/courses/<id:course_id>", CourseView.as_view()),
    path("schedule/courses/<id:course_id>/merge", CourseMergeView.as_view()),
    path("schedule/lesson-changes", LessonChangesView.as_view()),
    path("schedule/lesson-changes/<id:event_id>", LessonChangeView.as_view()),
    path("schedule/exceptions", ExceptionsView.as_view()),
    path("schedule/exceptions/proposals", ProposalsView.as_view()),
    path("schedule/exceptions/<id:exception_id>", ExceptionView.as_view()),
    path("schedule/imports", ImportsView.as_view()),
    path("schedule/imports/<id:batch_id>", ImportView.as_view()),
    path("schedule/exports/ics", IcsExportView.as_view()),
    path("schedule/exports/csv", CsvExportView.as_view()),
    path("schedule/feed", FeedView.as_view()),
]

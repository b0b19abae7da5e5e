"""Paths of the timetable and the task classes below `/api/v1/`."""

from django.urls import path, register_converter

from schedules.api.classes import TaskClassesView, TaskClassView
from schedules.api.courses import CourseMergeView, CoursesView, CourseView
from schedules.api.exports import IcsExportView
from schedules.api.imports import ImportsView, ImportView
from schedules.api.planning import SmartPlanningView
from schedules.api.reads import SemesterView, TodayView, WeekView
from schedules.api.semesters import CurrentSemesterView, OwnSemesterView, SemestersView
from schedules.api.writes import ApplyBatchView, BatchesView, BatchUndoView, EventView, TaskItemUndoView
from taskclasses.kernel.paths import IdConverter

register_converter(IdConverter, "id")

urlpatterns = [
    path("task-class", TaskClassesView.as_view()),
    path("task-class/apply-batch-into-schedule", ApplyBatchView.as_view()),
    path("task-class/<id:class_id>", TaskClassView.as_view()),
    path("schedule/smart-planning", SmartPlanningView.as_view()),
    path("schedule/semester", SemesterView.as_view()),
    path("schedule/semesters", SemestersView.as_view()),
    path("schedule/semesters/current", CurrentSemesterView.as_view()),
    path("schedule/semesters/<id:semester_id>", OwnSemesterView.as_view()),
    path("schedule/week", WeekView.as_view()),
    path("schedule/today", TodayView.as_view()),
    path("schedule/events/<id:event_id>", EventView.as_view()),
    path("schedule/task-items/<id:task_item_id>/undo", TaskItemUndoView.as_view()),
    path("schedule/batches", BatchesView.as_view()),
    path("schedule/batches/<id:batch_id>/undo", BatchUndoView.as_view()),
    path("schedule/courses", CoursesView.as_view()),
    path("schedule/courses/<id:course_id>", CourseView.as_view()),
    path("schedule/courses/<id:course_id>/merge", CourseMergeView.as_view()),
    path("schedule/imports", ImportsView.as_view()),
    path("schedule/imports/<id:batch_id>", ImportView.as_view()),
    path("schedule/exports/ics", IcsExportView.as_view()),
]

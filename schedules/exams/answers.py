"""Exams as the API answers them, with what belongs to them read from the rows."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from schedules.exams.presentation import exam_json, written_exam_json
from schedules.exams.reads import classes_for_exams, courses_by_id
from schedules.exams.shapes import ExamObject, WrittenExamObject
from schedules.models import Exam
from schedules.services.exams import WrittenExam


def exams_shown(exams: Sequence[Exam]) -> list[ExamObject]:
    courses, classes, now = courses_by_id(exams), classes_for_exams(exams), timezone.now()
    return [exam_json(exam, courses.get(exam.course_id or 0), classes[exam.pk], now) for exam in exams]


def written_exam_shown(done: WrittenExam) -> WrittenExamObject:
    """Returns what a write did to an exam; one that has no row belongs to nothing."""
    exam = done.exam
    course = courses_by_id([exam]).get(exam.course_id or 0)
    classes = classes_for_exams([exam])[exam.pk] if exam.pk else []
    return written_exam_json(done, exam_json(exam, course, classes, timezone.now()))

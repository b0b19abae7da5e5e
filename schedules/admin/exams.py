"""Exams in the admin, to look at: the student writes them."""

from __future__ import annotations

from django.contrib import admin

from schedules.models import Exam
from taskclasses.admin import ReadOnly


@admin.register(Exam)
class ExamAdmin(ReadOnly):
    list_display = (
        "name",
        "user",
        "semester",
        "date",
        "start_time",
        "end_time",
        "section_from",
        "section_to",
        "location",
    )
    list_filter = ("date",)
    owner = "user"
    texts = ("name", "location")
    scopes = ("user__id__exact",)
    list_select_related = ("user", "semester")

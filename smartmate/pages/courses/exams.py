"""Exams as pages: made, moved, deleted, with what that does to classes, lessons and items."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.http import Http404
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from schedules.exams.reads import exam_get
from schedules.exams.times import clock_of
from schedules.models import Exam
from schedules.planner.grid import day_number
from schedules.selectors import courses_of
from schedules.services.exams import ExamValues, WrittenExam, exam_create, exam_delete, exam_replace
from smartmate.pages.courses.words import day_words, place_words
from smartmate.pages.forms.merge_form import MergeForm
from smartmate.pages.forms.trials import Effect, TrialPage
from smartmate.pages.forms.widgets import clock_input, day_input
from smartmate.pages.today.catching_up import mend_address
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskItem


class ExamForm(MergeForm):
    name = forms.CharField(label=_("名称"), max_length=255)
    course_id = forms.TypedChoiceField(label=_("课程"), coerce=int, required=False, empty_value=None)
    date = forms.DateField(label=pgettext_lazy("one day", "日期"), widget=day_input())
    start_time = forms.TimeField(label=_("开始"), widget=clock_input())
    end_time = forms.TimeField(label=_("结束"), widget=clock_input())
    location = forms.CharField(label=_("地点"), max_length=255, required=False)
    note = forms.CharField(label=_("备注"), max_length=1000, required=False)

    def __init__(self, *args: Any, courses: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["course_id"].choices = [("", _("没有")), *courses]  # type: ignore[attr-defined]

    def values(self) -> ExamValues:
        return ExamValues(**self.cleaned_data)


class ExamPage(TrialPage):
    """Shows the form of one exam, or of a new one."""

    back = "course_days"

    @cached_property
    def row(self) -> Exam | None:
        if "exam_id" not in self.kwargs:
            return None
        try:
            return exam_get(self.user.pk, self.kwargs["exam_id"])
        except CodedError as missing:
            raise Http404 from missing

    def make_form(self, data: Any = None, **named: Any) -> ExamForm:
        semester = self.semester if self.row is None else self.row.semester
        courses = [(row.pk, row.name) for row in courses_of(user_id=self.user.pk, semester=semester)]
        initial = {} if self.row is None else {name: getattr(self.row, name) for name in ExamForm.base_fields}
        if self.row is not None:
            initial["start_time"], initial["end_time"] = clock_of(self.row, semester.calendar)
        return ExamForm(data, stored=self.row is not None, courses=courses, initial=initial)

    def carry_out(self, form: Any, *, dry_run: bool, **named: Any) -> Effect:
        if self.row is None:
            return self._effect(exam_create(user=self.user, values=form.values(), dry_run=dry_run))
        return self._effect(exam_replace(user=self.user, exam_id=self.row.pk, values=form.values(), dry_run=dry_run))

    def _effect(self, done: WrittenExam) -> Effect:
        calendar = done.exam.semester.calendar
        names = dict(
            TaskItem.objects.filter(pk__in=[one["task_item_id"] for one in done.conflicts]).values_list("pk", "content")
        )
        sentences = [
            gettext("「%(name)s」的截止日期改为 %(day)s")
            % {"name": after["name"], "day": day_words(date.fromisoformat(after["end_date"]))}
            for before, after in done.classes
            if before is not None
            and after is not None
            and before["end_date"] != after["end_date"]
            and after["end_date"]
        ]
        sentences += [gettext("这段时间有课：%(name)s") % {"name": event.name} for event in done.lessons]
        sentences += [
            gettext("任务「%(name)s」还排在 %(place)s，需要重新安排")
            % {"name": names.get(one["task_item_id"], ""), "place": place_words(one, calendar)}
            for one in done.conflicts
        ]
        # What has begun stays where it is: only what lies ahead is worth the way on.
        now = calendar.now_cell(timezone.now())
        ahead = any((day_number(one["week"], one["day_of_week"]), one["section_from"]) >= now for one in done.conflicts)
        return Effect(sentences, done.batch.pk if done.batch else None, mend_address() if ahead else "")

    def context(self, **named: Any) -> dict[str, Any]:
        delete = None if self.row is None else ("exam_delete", self.row.pk)
        return {"heading": self.row.name if self.row else _("加一场考试"), "delete": delete}


class ExamDeletePage(TrialPage):
    heading = _("删除这场考试？")  # type: ignore[assignment]
    back = "course_days"

    def carry_out(self, form: Any, *, dry_run: bool, **named: Any) -> Effect:
        done = exam_delete(user=self.user, exam_id=named["exam_id"], dry_run=dry_run)
        told = [after["name"] for _before, after in done.classes if after is not None]
        sentences = [gettext("「%(name)s」不再跟着这场考试") % {"name": name} for name in told]
        return Effect(sentences, done.batch.pk if done.batch else None)

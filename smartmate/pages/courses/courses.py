"""Courses as pages: the list with its patterns, a form for one, imports and the way to undo them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.mixins import LoginRequiredMixin
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.views import View

from schedules.models import AppliedBatch, Course, ScheduleEvent, Semester
from schedules.presentation.timetable import course_json
from schedules.selectors import course_get, course_lessons, courses_of, semester_current
from schedules.services import course_create, course_delete, course_replace
from schedules.services.courses.writes import Written
from schedules.services.images.kind import Image
from smartmate.pages.courses.course_form import CourseForm, count_rows
from smartmate.pages.courses.words import effect_sentences, lessons_words, released_sentences
from smartmate.pages.forms.messages import go_back, tell_done
from smartmate.pages.forms.refusals import conflicts_of, locale, tell_refusal
from smartmate.pages.forms.trials import mark_of
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskItem


class CoursesPage(LoginRequiredMixin, View):
    def get(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        semester = semester_current(user.pk)
        rows = list(courses_of(user_id=user.pk, semester=semester))
        lessons = course_lessons(rows)
        shown = [course_json(row, lessons[row.pk], locale=locale()) for row in rows]
        weeks = range(1, semester.weeks + 1)
        for one in shown:
            taught = {week for meeting in one["arrangements"] for week in meeting["weeks"]}
            one["strip"] = [week in taught for week in weeks]  # type: ignore[typeddict-unknown-key]
        context = {"courses": shown, "semester": semester, "tab": "courses", "imports": _imports(user.pk, semester)}
        return render(request, "courses/list.html", context)


def _imports(user_id: int, semester: Semester) -> list[dict[str, Any]]:
    """Returns the imports of a semester that still have lessons, the newest first."""
    mine = ScheduleEvent.objects.filter(user_id=user_id, semester=semester, import_batch__isnull=False)
    counts = dict(mine.order_by().values_list("import_batch").annotate(Count("pk")))
    batches = AppliedBatch.objects.filter(pk__in=counts).order_by("-pk")
    return [{"batch": batch, "lessons": counts[batch.pk]} for batch in batches]


class CoursePage(LoginRequiredMixin, View):
    """Shows the form of one course, or of a new one. What a change does to lessons and items is told before it is
    done."""

    def get(self, request: HttpRequest, course_id: int | None = None) -> HttpResponse:
        return self._show(self._form(course_id, least=count_rows(request.GET)), course_id)

    def post(self, request: HttpRequest, course_id: int | None = None) -> HttpResponse:
        more = request.POST.get("way") == "more"
        form = self._form(course_id, request.POST, more=int(more))
        if more or not form.is_valid():
            return self._show(form, course_id)
        trial = self._try(form, course_id, dry_run=True)
        plain = trial is None or (course_id is None and not trial.released)
        effect = [] if trial is None or plain else _sentences(trial)
        if form.errors or (effect and request.POST.get("seen") != mark_of(form)):
            return self._show(form, course_id, effect)
        done = self._try(form, course_id)
        if done is None:
            return self._show(form, course_id)
        tell_done(request, gettext("已保存"), done.batch.pk if done.batch else None)
        return go_back(request, "courses")

    def _form(self, course_id: int | None, data: Any = None, *, more: int = 0, least: int = 1) -> CourseForm:
        user: Any = self.request.user
        if course_id is None:
            return CourseForm(data, semester=semester_current(user.pk), more=more, least=least)
        row = self._row(course_id)
        shown = course_json(row, course_lessons([row])[row.pk], locale=locale())
        meetings = shown["arrangements"]
        return CourseForm(data, semester=row.semester, row=row, arrangements=meetings, more=more, least=least)

    def _row(self, course_id: int) -> Course:
        user: Any = self.request.user
        try:
            return course_get(user.pk, course_id)
        except CodedError as missing:
            raise Http404 from missing

    def _show(self, form: CourseForm, course_id: int | None, effect: Sequence[str] = ()) -> HttpResponse:
        after = self.request.POST.get("next") or self.request.GET.get("next", "")
        shown = {
            "form": form,
            "course_id": course_id,
            "effect": effect,
            "seen": mark_of(form),
            "next": after,
            "address": "?" + urlencode({"rows": len(form.meetings), **({"next": after} if after else {})}),
        }
        wrong = form.is_bound and self.request.POST.get("way") != "more" and form.has_faults()
        return render(self.request, "courses/edit.html", shown, status=422 if wrong else 200)

    def _try(self, form: CourseForm, course_id: int | None, *, dry_run: bool = False) -> Written | None:
        """Returns what was written, or None when it was refused; then the form says why, and beside which time."""
        try:
            return self._write(form, course_id, dry_run=dry_run)
        except CodedError as refusal:
            tell_refusal(form, refusal, form.calendar)
            form.mark_clashes(conflicts_of(refusal))
            return None

    def _write(self, form: CourseForm, course_id: int | None, *, dry_run: bool = False) -> Written:
        user: Any = self.request.user
        if course_id is None:
            return course_create(user=user, values=form.values(), make_way=True, dry_run=dry_run, locale=locale())
        row = self._row(course_id)
        values = replace(form.values(), color_index=row.color_index)
        return course_replace(
            user=user, course_id=row.pk, values=values, make_way=True, dry_run=dry_run, locale=locale()
        )


def _sentences(trial: Written) -> list[str]:
    """Returns what a change would do to lessons, and the items that lose their place by it; nothing when no lesson
    changes."""
    more = sum(before is None for before, _after in trial.lessons)
    fewer = sum(after is None for _before, after in trial.lessons)
    other = sum(before is not None and after is not None and _differ(before, after) for before, after in trial.lessons)
    told = [
        (more, ngettext("多 %(n)s 节课", "多 %(n)s 节课", more)),
        (fewer, ngettext("少 %(n)s 节课", "少 %(n)s 节课", fewer)),
        (other, ngettext("%(n)s 节课改变", "%(n)s 节课改变", other)),
    ]
    sentences = [words % {"n": count} for count, words in told if count]
    items = TaskItem.objects.filter(pk__in=trial.released).order_by("pk")
    calendar = trial.course.semester.calendar
    rows = [{"name": item.content, **item.embedded_time} for item in items if item.embedded_time is not None]
    return sentences + effect_sentences([], rows, calendar)


def _differ(before: Image, after: Image) -> bool:
    """Tells whether a lesson becomes another to who attends it; the words of its meeting's weeks are no part of it."""
    return {**before, "pattern": ""} != {**after, "pattern": ""}


class CourseDeletePage(LoginRequiredMixin, View):
    """Asks first, and says what goes with the course."""

    def _delete(self, course_id: int, *, dry_run: bool) -> Any:
        user: Any = self.request.user
        try:
            return course_delete(user=user, course_id=course_id, dry_run=dry_run)
        except CodedError as missing:
            raise Http404 from missing

    def get(self, request: HttpRequest, course_id: int) -> HttpResponse:
        user: Any = request.user
        trial = self._delete(course_id, dry_run=True)
        gone = gettext("%(lessons)s会从课表里消失，可以撤销。") % {"lessons": lessons_words(trial.lessons)}
        shown = {"row": course_get(user.pk, course_id), "told": [gone, *released_sentences(len(trial.released))]}
        return render(request, "courses/delete.html", shown)

    def post(self, request: HttpRequest, course_id: int) -> HttpResponse:
        done = self._delete(course_id, dry_run=False)
        tell_done(request, gettext("已删除"), done.batch.pk)
        return redirect("courses")

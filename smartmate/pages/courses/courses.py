"""Courses as pages: the list with its patterns, a form for one, imports and the way to undo them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib.auth.mixins import LoginRequiredMixin
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views import View

from schedules.models import AppliedBatch, Course, ScheduleEvent, Semester
from schedules.presentation.timetable import course_json
from schedules.selectors import course_get, course_lessons, courses_of, semester_current
from schedules.services import course_create, course_delete, course_replace
from schedules.services.courses.writes import Written
from smartmate.pages.coded import attempt, locale
from smartmate.pages.courses.course_form import CourseForm, write_meetings
from smartmate.pages.told import go_back, tell_done
from taskclasses.kernel.errors import CodedError


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
    """The imports of a semester that still have lessons, the newest first."""
    mine = ScheduleEvent.objects.filter(user_id=user_id, semester=semester, import_batch__isnull=False)
    counts = dict(mine.order_by().values_list("import_batch").annotate(Count("pk")))
    batches = AppliedBatch.objects.filter(pk__in=counts).order_by("-pk")
    return [{"batch": batch, "lessons": counts[batch.pk]} for batch in batches]


class CoursePage(LoginRequiredMixin, View):
    """The form of one course, or of a new one."""

    def _form(self, course_id: int | None, *data: Any) -> CourseForm:
        if course_id is None:
            return CourseForm(*data)
        row = self._row(course_id)
        shown = course_json(row, course_lessons([row])[row.pk], locale=locale())
        names = ("name", "teacher", "location", "can_be_embedded", "note")
        initial = {name: getattr(row, name) for name in names} | {"meetings": write_meetings(shown)}
        return CourseForm(data[0] if data else None, initial=initial)

    def _row(self, course_id: int) -> Course:
        user: Any = self.request.user
        try:
            return course_get(user.pk, course_id)
        except CodedError as missing:
            raise Http404 from missing

    def _show(self, form: CourseForm, course_id: int | None) -> HttpResponse:
        return render(
            self.request,
            "courses/edit.html",
            {
                "form": form,
                "course_id": course_id,
                "next": self.request.POST.get("next") or self.request.GET.get("next", ""),
            },
            status=422 if form.errors else 200,
        )

    def get(self, request: HttpRequest, course_id: int | None = None) -> HttpResponse:
        return self._show(self._form(course_id), course_id)

    def post(self, request: HttpRequest, course_id: int | None = None) -> HttpResponse:
        form = self._form(course_id, request.POST)
        if form.is_valid() and attempt(form, lambda: self._write(form, course_id)) is not None:
            tell_done(request, gettext("已保存"))
            return go_back(request, "courses")
        return self._show(form, course_id)

    def _write(self, form: CourseForm, course_id: int | None) -> Written:
        user: Any = self.request.user
        if course_id is None:
            return course_create(user=user, values=form.values(), locale=locale())
        row = self._row(course_id)
        values = replace(form.values(), color_index=row.color_index)
        return course_replace(user=user, course_id=row.pk, values=values, locale=locale())


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
        shown = {"row": course_get(user.pk, course_id), "lessons": trial.lessons, "items": len(trial.released)}
        return render(request, "courses/delete.html", shown)

    def post(self, request: HttpRequest, course_id: int) -> HttpResponse:
        done = self._delete(course_id, dry_run=False)
        tell_done(request, gettext("已删除"), done.batch.pk)
        return redirect("courses")

"""Task classes as pages: all with how far they are, one to make, change or delete."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views import View

from schedules.models import Semester
from schedules.progress.book import ProgressBook
from schedules.progress.statistics import progress_report
from schedules.selectors import semester_current
from schedules.services import class_create, class_delete, class_replace
from smartmate.pages.coded import attempt
from smartmate.pages.tasks.task_form import TaskForm
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskClass
from taskclasses.selectors import task_class_get


def blocks_of(semester: Semester) -> list[tuple[int, str]]:
    """The blocks of a day with their clock times."""
    times = semester.section_times
    pairs = [(first, min(first + 1, len(times))) for first in range(1, len(times) + 1, 2)]
    return [((first + 1) // 2, f"{times[first - 1][0]}–{times[last - 1][1]}") for first, last in pairs]


class TasksPage(LoginRequiredMixin, View):
    def get(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        now = timezone.now()
        report = progress_report(user_id=user.pk, semester=semester_current(user.pk), now=now)
        figures = {row["task_class_id"]: row for row in report["classes"]}
        rows = list(TaskClass.objects.filter(user=user).order_by("pk").prefetch_related("items"))
        book = ProgressBook.load(
            user_id=user.pk, item_ids=[item.pk for row in rows for item in row.items.all()], now=now
        )
        cards = [
            {
                "row": row,
                "figures": figures[row.pk],
                "segments": [_segment(book.progress(item), item.embedded_time is not None) for item in row.items.all()],
            }
            for row in rows
        ]
        return render(request, "tasks/list.html", {"cards": cards})


def _segment(progress: str, placed: bool) -> str:
    return progress if progress != "open" else "placed" if placed else "none"


class TaskPage(LoginRequiredMixin, View):
    """The form of one class, or of a new one."""

    def _row(self, class_id: int | None) -> TaskClass | None:
        if class_id is None:
            return None
        try:
            return task_class_get(user=self.request.user, class_id=class_id)  # type: ignore[arg-type]
        except CodedError as missing:
            raise Http404 from missing

    def _form(self, class_id: int | None, *data: Any) -> TaskForm:
        user: Any = self.request.user
        return TaskForm(*data, blocks=blocks_of(semester_current(user.pk)), row=self._row(class_id))

    def _show(self, form: TaskForm, class_id: int | None) -> HttpResponse:
        return render(
            self.request, "tasks/edit.html", {"form": form, "class_id": class_id}, status=422 if form.errors else 200
        )

    def get(self, request: HttpRequest, class_id: int | None = None) -> HttpResponse:
        return self._show(self._form(class_id), class_id)

    def post(self, request: HttpRequest, class_id: int | None = None) -> HttpResponse:
        form = self._form(class_id, request.POST)
        if form.is_valid() and attempt(form, lambda: self._write(form, class_id)) is not None:
            messages.success(request, gettext("已保存"))
            return redirect("tasks")
        return self._show(form, class_id)

    def _write(self, form: TaskForm, class_id: int | None) -> TaskClass:
        user: Any = self.request.user
        if class_id is None:
            return class_create(user=user, values=form.values())
        return class_replace(user=user, class_id=class_id, values=form.values())


class TaskDeletePage(LoginRequiredMixin, View):
    """Asks first: what is on the timetable goes with the class."""

    def get(self, request: HttpRequest, class_id: int) -> HttpResponse:
        user: Any = request.user
        try:
            row = task_class_get(user=user, class_id=class_id)
        except CodedError as missing:
            raise Http404 from missing
        placed = sum(item.embedded_time is not None for item in row.items.all())
        return render(request, "tasks/delete.html", {"row": row, "placed": placed})

    def post(self, request: HttpRequest, class_id: int) -> HttpResponse:
        user: Any = request.user
        try:
            class_delete(user=user, class_id=class_id, release=True)
        except CodedError as missing:
            raise Http404 from missing
        messages.success(request, gettext("已删除"))
        return redirect("tasks")

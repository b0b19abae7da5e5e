"""Task classes as pages: all with how far they are, one to make, change or delete, items to pin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views import View

from agent.drafts.waiting import draft_waiting_get
from agent.transports.wire.bodies import CLASSES_MAX
from schedules.models import Semester
from schedules.planner.grid import Cell, week_and_weekday
from schedules.progress.book import ProgressBook
from schedules.progress.room import ClassRoom, class_room, rooms_of, wanted_room
from schedules.selectors import SemestersUsed, semester_current, semester_of_dates
from schedules.services import class_create, class_delete, class_replace, task_item_pin, task_item_unpin
from smartmate.pages.forms.messages import go_back, tell_done, tell_refused
from smartmate.pages.forms.refusals import attempt, locale
from smartmate.pages.tasks.drafted import draft_told, drafted_lengths
from smartmate.pages.tasks.misfits import misfits_told
from smartmate.pages.tasks.task_facts import (
    choices_of,
    figures_of,
    items_told,
    outside_told,
    share_of,
    tightest_of,
    weeks_told,
)
from smartmate.pages.tasks.task_form import TaskForm
from smartmate.pages.today.catching_up import mend_address
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskClass, TaskItem
from taskclasses.selectors import task_class_get

NO_ITEM = 40036


class TasksPage(LoginRequiredMixin, View):
    def get(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        now = timezone.now()
        figures = figures_of(user.pk, now)
        semester = semester_current(user.pk)
        rooms, semesters = rooms_of(user_id=user.pk, semester=semester, now=now), SemestersUsed(user.pk, semester)
        rows = list(TaskClass.objects.filter(user=user).order_by("pk").prefetch_related("items"))
        book = ProgressBook.load(user_id=user.pk, now=now)
        draft = draft_waiting_get(user=user, locale=locale())
        drafted = drafted_lengths(draft, {item.pk: book.progress(item) for row in rows for item in row.items.all()})
        cards = [
            {
                "row": row,
                "figures": figures[row.pk],
                "finished": figures[row.pk]["items"] > 0 and figures[row.pk]["left"] == 0,
                "room": (room := rooms.classes.get(row.pk)),
                "share": share_of(room),
                "week": _week_of(row, semester.calendar.now_cell(now)) if _is_of(row, semesters) else None,
                "segments": [_segment(book.progress(item), item, drafted) for item in row.items.all()],
                **draft_told(draft, row, figures[row.pk], drafted, semester),
            }
            for row in rows
        ]
        shown: dict[str, Any] = {"cards": cards, "weeks": weeks_told(rooms.weeks), "tightest": tightest_of(rooms.weeks)}
        shown["mend"] = mend_address()
        changed = draft if draft and draft.changed else None
        shown |= {"draft": changed, "draft_read": True}
        shown["conversation"] = changed.conversation_id if changed and changed.goes_on_in(semester.pk) else ""
        shown["items"] = sum(figures[row.pk]["items"] for row in rows)
        return render(request, "tasks/list.html", shown | _together(cards))


def _together(cards: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Returns the classes that one message takes, those not finished; with items to place, and due first, first. Of
    those with items to place so many are left for the next message."""

    def rank(card: Mapping[str, Any]) -> tuple[bool, date]:
        return not _wants_places(card), card["row"].end_date or date.max

    open_cards = sorted((card for card in cards if not card["finished"]), key=rank)
    left = sum(_wants_places(card) for card in open_cards[CLASSES_MAX:])
    return {
        "together": sorted(card["row"].pk for card in open_cards[:CLASSES_MAX]),
        "at_once": CLASSES_MAX,
        "later": left,
    }


def _wants_places(card: Mapping[str, Any]) -> bool:
    return "none" in card["segments"]


def _is_of(row: TaskClass, semesters: SemestersUsed) -> bool:
    """Tells whether a class is of the current semester, whose weeks the page of the week shows."""
    return semesters.find(row.start_date, row.end_date) == semesters.current


def _week_of(row: TaskClass, now: Cell | None) -> int | None:
    """Returns the week where a class goes on, or ended, on the timetable."""
    weeks = sorted(item.embedded_time["week"] for item in row.items.all() if item.embedded_time)
    current = 1 if now is None else week_and_weekday(now[0])[0]
    return next((week for week in weeks if week >= current), weeks[-1] if weeks else None)


def _segment(progress: str, item: TaskItem, drafted: Mapping[int, int]) -> str:
    if item.pk in drafted:
        return "drafted"
    return progress if progress != "open" else "placed" if item.embedded_time is not None else "none"


class TaskPage(LoginRequiredMixin, View):
    """Shows the form of one class, or of a new one; beside it how far it is and where its items stand."""

    def _row(self, class_id: int | None) -> TaskClass | None:
        if class_id is None:
            return None
        try:
            return task_class_get(user=self.request.user, class_id=class_id)  # type: ignore[arg-type]
        except CodedError as missing:
            raise Http404 from missing

    def _form(self, class_id: int | None, *data: Any) -> TaskForm:
        user: Any = self.request.user
        row = self._row(class_id)
        semester = _semester_of(user.pk, row)
        return TaskForm(*data, choices=choices_of(user.pk, semester, row), row=row)

    def _show(self, form: TaskForm, class_id: int | None) -> HttpResponse:
        user: Any = self.request.user
        row = self._row(class_id)
        shown: dict[str, Any] = {"form": form, "class_id": class_id, "room": self._room(form, row)}
        if row is not None:
            shown |= {"row": row, "figures": figures_of(user.pk, timezone.now())[row.pk]}
            items = items_told(user, row, timezone.now())
            shown |= {"items": items, "warnings": [outside_told(items), misfits_told(user, row)]}
        return render(self.request, "tasks/edit.html", shown, status=422 if form.errors else 200)

    def _room(self, form: TaskForm, row: TaskClass | None) -> ClassRoom | None:
        """Returns the room of the class that a form tells, or of the stored one when nothing was told yet."""
        user: Any = self.request.user
        now = timezone.now()
        if not form.is_bound:
            return None if row is None else class_room(user_id=user.pk, now=now, class_id=row.pk)
        if not form.is_valid():
            return None
        try:
            return wanted_room(user_id=user.pk, values=form.values(), row=row, now=now)
        except CodedError:  # an exam that is gone: saving says so
            return None

    def get(self, request: HttpRequest, class_id: int | None = None) -> HttpResponse:
        return self._show(self._form(class_id), class_id)

    def post(self, request: HttpRequest, class_id: int | None = None) -> HttpResponse:
        form = self._form(class_id, request.POST)
        row = attempt(form, lambda: self._write(form, class_id)) if form.is_valid() else None
        if row is None:
            return self._show(form, class_id)
        messages.success(request, gettext("已保存"))
        outside = outside_told(items_told(request.user, row, timezone.now()))
        for told in filter(None, (outside, misfits_told(request.user, row))):
            messages.warning(request, told)
        return redirect("tasks")

    def _write(self, form: TaskForm, class_id: int | None) -> TaskClass:
        user: Any = self.request.user
        values = form.values()
        semester = semester_of_dates(user.pk, values.start_date, values.end_date)
        if class_id is None:
            return class_create(user=user, values=values, semester_id=semester.pk, locale=locale())
        return class_replace(user=user, class_id=class_id, values=values, semester_id=semester.pk, locale=locale())


def _semester_of(user_id: int, row: TaskClass | None) -> Semester:
    """Returns the semester in which the dates of a class lie, the current one for a new class."""
    return semester_current(user_id) if row is None else semester_of_dates(user_id, row.start_date, row.end_date)


class TaskRoomPart(TaskPage):
    """Tells while a class is being written whether it fits; nothing is stored."""

    http_method_names = ("post",)

    def post(self, request: HttpRequest, class_id: int | None = None) -> HttpResponse:
        told = request.POST.copy()
        told["name"] = told.get("name") or gettext("新任务")  # a name is not needed to be told
        room = self._room(self._form(class_id, told), self._row(class_id))
        return render(request, "tasks/room.html", {"room": room})


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
            batch = class_delete(user=user, class_id=class_id, release=True)
        except CodedError as missing:
            raise Http404 from missing
        tell_done(request, gettext("已删除"), batch.pk)
        return redirect("tasks")


class PinPage(LoginRequiredMixin, View):
    """Pins one item where it stands on the timetable, or takes the pin off; comes back to where that was asked."""

    def post(self, request: HttpRequest, item_id: int) -> HttpResponse:
        user: Any = request.user
        pin = request.POST.get("pin") == "on"
        try:
            done = (task_item_pin if pin else task_item_unpin)(user=user, task_item_id=item_id)
        except CodedError as refusal:
            if refusal.code == NO_ITEM:
                raise Http404 from refusal
            tell_refused(request, refusal)
        else:
            tell_done(request, gettext("已钉住：不会被自动移动") if pin else gettext("已取消钉住"), done["batch_id"])
        return go_back(request, "tasks")

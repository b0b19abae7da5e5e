"""Catching up on what was missed, on days that fall out or on what breaks a rule by now.

The ways stand side by side; one is taken as a draft or at once.

What is taken is what was shown: after a change of the timetable the ways are shown again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from hashlib import blake2b
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.db import transaction
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views import View

from agent.drafts.catch_up import CatchUp, CatchUpWay, catch_up_ways
from agent.drafts.draft import draft_apply
from agent.drafts.replan import draft_replan, semester_asked
from agent.drafts.row_changes import KeptFree, free_time_of
from schedules.exams.reads import items_under_exams
from schedules.models import Schedule, ScheduleEvent, Semester
from schedules.planner.grid import day_number
from schedules.planner.replan.asks import WAYS, ReplanAsk
from schedules.planner.shapes import Difference
from schedules.progress.room import rooms_of
from schedules.selectors import semester_current, today_of
from schedules.services import calendar_change, items_mark
from schedules.services.progress import MarkWish
from schedules.services.terms.exceptions import CalendarWish
from schedules.terms.exceptions import ExceptionValues
from smartmate.pages.charts import bars_of
from smartmate.pages.courses.words import day_words
from smartmate.pages.forms.messages import tell_done, tell_refused
from smartmate.pages.forms.refusals import locale
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskClass, TaskItem

NO_ITEM = 40036
DONE = "done"
"""The way beside those of the planner: the items were done after all."""
KEEP = "keep"
"""The way of days away on which nothing stands: later plans stay out of them too."""


class AwayForm(forms.Form):
    """Asks for the days on which nothing can be learned."""

    from_date = forms.DateField(label=_("从哪天"), widget=forms.DateInput(attrs={"type": "date"}))
    to_date = forms.DateField(label=_("到哪天"), required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def clean(self) -> dict[str, Any]:
        told: dict[str, Any] = super().clean() or {}
        if "to_date" in told:
            told["to_date"] = told["to_date"] or told.get("from_date")
        if told.get("from_date") and told.get("to_date") and told["to_date"] < told["from_date"]:
            raise forms.ValidationError(gettext("最后一天在第一天之前"))
        return told


@dataclass(frozen=True)
class CatchUpAsk:
    """Holds what the address or the form asks: some items, days that fall out, what breaks a rule by now, or all that
    was missed."""

    told: QueryDict

    @cached_property
    def form(self) -> AwayForm:
        return AwayForm(self.told if self.is_away else None)

    @property
    def is_away(self) -> bool:
        return "from_date" in self.told

    @property
    def is_mend(self) -> bool:
        return "mend" in self.told

    @cached_property
    def ask(self) -> ReplanAsk | None:
        """Returns the ask; None while the days make no sense."""
        if self.is_away:
            if not self.form.is_valid():
                return None
            days = self.form.cleaned_data
            return ReplanAsk(kind="ill", first_date=days["from_date"], last_date=days["to_date"])
        if self.is_mend:
            return ReplanAsk(kind="mend")
        return ReplanAsk(kind="missed", item_ids=self.items or None)

    def semester_for(self, user: Any) -> Semester:
        return semester_current(user.pk) if self.ask is None else semester_asked(user, self.ask, timezone.now())

    def find_free_time(self, user: Any) -> ExceptionValues | None:
        """Returns the days away that are not over, to keep free of later plans too; None when there is none to keep."""
        if self.ask is None or self.ask.first_date is None or self.ask.last_date is None:
            return None
        semester = self.semester_for(user)
        calendar = semester.calendar
        first = max(self.ask.first_date, calendar.first_monday, today_of(calendar, timezone.now())[0])
        last = min(self.ask.last_date, calendar.last_day)
        wanted = KeptFree(first=first, last=last, name=gettext("留空"))
        return None if last < first else free_time_of(user, wanted, semester)

    @property
    def items(self) -> tuple[int, ...]:
        return tuple(int(one) for one in self.told.getlist("item") if one.isascii() and one.isdigit() and len(one) < 19)

    @property
    def address(self) -> str:
        names = ("from_date", "to_date") if self.is_away else ("mend",) if self.is_mend else ("item",)
        query = urlencode([(name, value) for name in names for value in self.told.getlist(name)])
        return reverse("catch_up") + (f"?{query}" if query else "")


def mend_address() -> str:
    """Returns the page on which what breaks a rule by now finds other places."""
    return f"{reverse('catch_up')}?mend=1"


class CatchUpPage(LoginRequiredMixin, View):
    def get(self, request: HttpRequest) -> HttpResponse:
        asked = CatchUpAsk(request.GET)
        found = CatchUp((), ()) if asked.ask is None else _find(request, asked.ask)
        looks = {row.pk: row for row in TaskClass.objects.filter(user=self.user).only("seal", "color_index")}
        ways = [_show(way, asked, len(found.missed), looks) for way in found.ways]
        free = asked.find_free_time(self.user)
        shown = {
            "asked": asked,
            "ways": ways,
            "missed": found.missed,
            "ended": _ended_of(self.user, found.missed) if any(way["left"] for way in ways) else [],
            "kept": len(found.kept),
            "seen_done": _mark_of(found.missed),
            "free": free,
            "clashes": _clashes_of(self.user) if asked.is_mend else [],
            "outside": _count_outside(self.user) if asked.is_mend and not ways else 0,
        }
        status = 422 if asked.is_away and asked.form.errors else 200
        return render(request, "today/catching_up.html", shown, status=status)

    @property
    def user(self) -> Any:
        return self.request.user

    def post(self, request: HttpRequest) -> HttpResponse:
        asked, chosen = CatchUpAsk(request.POST), request.POST.get("way", "")
        if asked.ask is None:
            return redirect(asked.address)
        if chosen == KEEP:
            self._keep_free(asked)
            return redirect(asked.address)
        found = _find(request, asked.ask)
        way = next((one for one in found.ways if one.way == chosen), None)
        mark = _mark_of(found.missed) if chosen == DONE else "" if way is None else _mark_of(way)
        if not mark or mark != request.POST.get(f"seen_{chosen}"):
            messages.warning(request, gettext("课表刚刚变了，这些办法按现在的课表重新算过。"))
            return redirect(asked.address)
        if way is not None and not any(_changes_of(way.difference)):
            messages.info(request, gettext("没有要改的地方。"))
            return redirect(asked.address)
        try:
            if way is None:
                return self._mark_done(found.missed)
            return self._take(asked, way, at_once=request.POST.get("do") == "apply")
        except CodedError as refusal:
            tell_refused(request, refusal)
            return redirect(asked.address)

    def _mark_done(self, items: tuple[int, ...]) -> HttpResponse:
        marks = [MarkWish(item, "done", None) for item in items]
        done = items_mark(user=self.user, marks=marks, now=timezone.now())
        tell_done(self.request, gettext("已记下：完成"), done["batch_id"])
        return redirect("today")

    def _keep_free(self, asked: CatchUpAsk) -> None:
        """Keeps the days away free, in a batch of its own, and says so."""
        free = asked.find_free_time(self.user)
        if free is None:
            return
        try:
            done = calendar_change(
                user=self.user,
                wish=CalendarWish(add=[free]),
                now=timezone.now(),
                semester_id=asked.semester_for(self.user).pk,
            )
        except CodedError as refusal:
            tell_refused(self.request, refusal)
        else:
            tell_done(self.request, _words_of(free), done.to_json()["batch_id"])

    def _take(self, asked: CatchUpAsk, way: CatchUpWay, *, at_once: bool) -> HttpResponse:
        """Makes the draft; applied at once if it is what was shown, else shown in the week.

        That one is away is a fact: the days are kept free whether or not the draft is applied.
        """
        assert asked.ask is not None
        ask = replace(asked.ask, way=way.way)
        made = draft_replan(user=self.user, ask=ask, now=timezone.now(), locale=locale())
        talk = made["conversation_id"]
        # The draft is made of rows and a moment that are newer than those the way was worked out with.
        same = _changes_of(made["difference"]) == _changes_of(way.difference)
        if at_once and not same:
            messages.warning(self.request, gettext("课表刚刚变了，这些改动按现在的课表重新算过，还没有应用。"))
        if not at_once or not same:
            self._keep_free(asked)
            return redirect(f"{reverse('planner')}?conversation={talk}")
        free, seen = asked.find_free_time(self.user), made["revision"]
        try:
            with transaction.atomic():
                done = draft_apply(user=self.user, conversation_id=talk, revision=seen, locale=locale(), free=free)
        except CodedError as refusal:
            tell_refused(self.request, refusal)
            return redirect(f"{reverse('planner')}?conversation={talk}")
        words = [gettext("已应用到课表"), *([] if free is None else [_words_of(free)])]
        tell_done(self.request, gettext("；").join(words), done["batch_id"])
        return redirect("today")


def _ended_of(user: Any, items: Sequence[int]) -> list[TaskClass]:
    """Returns the classes of some items whose last day is over: nothing of them finds a place before it is later."""
    today = today_of(semester_current(user.pk).calendar, timezone.now())[0]
    rows = TaskClass.objects.filter(user=user, items__in=items, end_date__lt=today)
    return list(rows.distinct().order_by("pk"))


def _clashes_of(user: Any) -> list[int]:
    return items_under_exams(user_id=user.pk, semester=semester_current(user.pk), now=timezone.now())


def _count_outside(user: Any) -> int:
    """Counts what stands outside the dates of its class."""
    rooms = rooms_of(user_id=user.pk, semester=semester_current(user.pk), now=timezone.now())
    return sum(room.outside for room in rooms.classes.values())


def count_outside_ahead(user_id: int, semester: Semester, today: date) -> int:
    """Counts the items of a semester that are still to be done, from today on, outside the dates of their class."""
    events = ScheduleEvent.objects.filter(user_id=user_id, semester=semester, task_item__isnull=False)
    guests = Schedule.objects.filter(user_id=user_id, semester=semester, embedded_task_item__isnull=False)
    stands = Q(pk__in=events.values("task_item_id")) | Q(pk__in=guests.values("embedded_task_item_id"))
    rows = TaskItem.objects.filter(stands, task_class__user_id=user_id).exclude(mark=TaskItem.Mark.DONE)
    calendar, found = semester.calendar, 0
    for place, start, end in rows.values_list("embedded_time", "task_class__start_date", "task_class__end_date"):
        if place is None:
            continue
        day = calendar.date_of(day_number(place["week"], place["day_of_week"]))
        found += day >= today and bool((start and day < start) or (end and day > end))
    return found


def _find(request: HttpRequest, ask: ReplanAsk) -> CatchUp:
    user: Any = request.user
    try:
        return catch_up_ways(user=user, ask=ask, now=timezone.now(), locale=locale())
    except CodedError as refusal:
        if refusal.code == NO_ITEM:
            raise Http404 from refusal
        raise


def _words_of(free: ExceptionValues) -> str:
    days = {"first": day_words(free.first_date), "last": day_words(free.last_date)}
    if free.first_date == free.last_date:
        return gettext("{first} 整天留空，以后的计划也不排在那里").format(**days)
    return gettext("{first} 到 {last} 整天留空，以后的计划也不排在那里").format(**days)


def _mark_of(shown: CatchUpWay | tuple[int, ...]) -> str:
    """Returns a short name of what is shown; another one when it would do anything else."""
    if isinstance(shown, CatchUpWay):
        told: Any = [shown.way, *_changes_of(shown.difference), shown.left]
    else:
        told = shown
    return blake2b(json.dumps(told, sort_keys=True, default=str).encode(), digest_size=12).hexdigest()


def _changes_of(found: Difference) -> list[Any]:
    return [found["new"], found["moved"], found["removed"]]


def _show(way: CatchUpWay, asked: CatchUpAsk, missed: int, looks: dict[int, TaskClass]) -> dict[str, Any]:
    found = way.difference
    rows = [_row(one, looks) for one in (*found["moved"], *found["new"], *found["removed"])]
    ends = [row["after"]["date"] for row in rows if row["after"]]
    load = [{**row, "date": date.fromisoformat(row["date"])} for row in found["load"]]
    return {
        "way": way.way,
        "title": _title_of(way, asked, missed),
        "first": way.way == WAYS[0],
        "rows": rows,
        "last": max(ends, default=None),
        "stays": way.stays,
        "left": way.left,
        "late": found["benefits"].get("late_items", 0) > 0,
        "load": bars_of(load, ("before", "after")),
        "seen": _mark_of(way),
    }


def _title_of(way: CatchUpWay, asked: CatchUpAsk, missed: int) -> str:
    if way.way == "least_change":
        if asked.is_away or asked.is_mend:
            return gettext("只挪必须挪的")
        return ngettext("只补这 {count} 项", "只补这 {count} 项", missed).format(count=missed)
    return gettext("后面的依次往后推") if way.way == "push_on" else gettext("放回待安排")


def _row(one: Any, looks: dict[int, TaskClass]) -> dict[str, Any]:
    dates = {name: _add_date(one[name]) for name in ("before", "after")}
    return {**one, "look": looks.get(one["task_class_id"]), **dates}


def _add_date(place: Any) -> Any:
    return None if place is None else {**place, "date": date.fromisoformat(place["date"])}

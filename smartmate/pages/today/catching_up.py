"""Picking up what was missed: a draft by least change, shown beside the timetable, then applied or put away."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views import View

from agent.drafts.difference import draft_difference_get, draft_discard
from agent.drafts.draft import draft_apply
from agent.drafts.replan import draft_replan
from schedules.planner.replan.asks import ReplanAsk
from smartmate.pages.forms.messages import tell_done, tell_refused
from smartmate.pages.forms.refusals import locale
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskClass


class CatchUpPage(LoginRequiredMixin, View):
    """Answers POST: makes the draft, with `item` for one item alone."""

    def post(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        named = [int(one) for one in request.POST.getlist("item") if one.isascii() and one.isdigit()]
        ask = ReplanAsk(kind="missed", item_ids=tuple(named) or None)
        try:
            made = draft_replan(user=user, ask=ask, now=timezone.now(), locale=locale())
        except CodedError as refusal:
            tell_refused(request, refusal)
            return redirect("today")
        for sentence in made["sentences"]:
            messages.info(request, sentence)
        return redirect("caught_up", made["conversation_id"])


class CaughtUpPage(LoginRequiredMixin, View):
    """Shows the draft beside the timetable; POST applies it or puts it away."""

    def get(self, request: HttpRequest, conversation_id: Any) -> HttpResponse:
        user: Any = request.user
        try:
            found = draft_difference_get(user=user, conversation_id=str(conversation_id), locale=locale())
        except CodedError as missing:
            raise Http404 from missing
        looks = {row.pk: row for row in TaskClass.objects.filter(user=user).only("seal", "color_index")}
        rows = [_row(one, looks) for one in (*found["moved"], *found["new"], *found["removed"])]
        load = [{**row, "date": date.fromisoformat(row["date"])} for row in found["load"]]
        left = [{**one, "look": looks.get(one["task_class_id"])} for one in found["unplaced"]]
        shown = {"conversation_id": conversation_id, "rows": rows, "left": left, "load": load, "found": found}
        return render(request, "today/catching_up.html", shown)

    def post(self, request: HttpRequest, conversation_id: Any) -> HttpResponse:
        user: Any = request.user
        try:
            if request.POST.get("way") == "discard":
                draft_discard(user=user, conversation_id=str(conversation_id))
                tell_done(request, gettext("草稿已放弃，课表没有变"))
            else:
                with transaction.atomic():
                    done = draft_apply(user=user, conversation_id=str(conversation_id), locale=locale())
                tell_done(request, gettext("已应用到课表"), done["batch_id"])
        except CodedError as refusal:
            if refusal.code in (40401, 40058):
                raise Http404 from refusal
            tell_refused(request, refusal)
            return redirect("caught_up", conversation_id)
        return redirect("today")


def _row(one: Any, looks: dict[int, TaskClass]) -> dict[str, Any]:
    return {
        **one,
        "look": looks.get(one["task_class_id"]),
        **{name: _add_date(one[name]) for name in ("before", "after")},
    }


def _add_date(place: Any) -> Any:
    return None if place is None else {**place, "date": date.fromisoformat(place["date"])}

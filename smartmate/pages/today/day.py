"""Today as one line of time: lessons, items, exams and gaps, what was missed, what comes due."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views import View

from agent.drafts.waiting import WaitingDraft, draft_waiting_get
from schedules.exams.reads import items_under_exams
from schedules.models import AppliedBatch, Semester
from schedules.planner.draft.progress import Progress
from schedules.planner.grid import Outside
from schedules.presentation.days import describe_today
from schedules.presentation.shapes.week import Today
from schedules.selectors import exceptions_load, semester_after, semester_current, semester_of_dates, today_of
from schedules.services import items_mark
from schedules.services.progress import MarkWish
from schedules.terms.exceptions import KEPT_FREE, DayException, TermExceptions
from smartmate.models import AccountSettings
from smartmate.pages.forms.messages import go_back, tell_done, tell_refused
from smartmate.pages.forms.refusals import locale
from smartmate.pages.today.catching_up import count_outside_ahead, mend_address
from smartmate.pages.today.drafted import draft_words, drafted_on, gaps_beside, leaving_on, with_drafted
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskClass, TaskItem
from taskclasses.selectors import task_classes

EVENING = "20:00"
"""From then on the day asks what was done, where the account wishes it."""
YEARS = (2000, 2100)
"""Whose days have a page."""
BATCHES_READ = 100
"""So many marks back the one of a part is looked for."""
MARKS: tuple[Progress, ...] = ("done", "partial", "missed", "open")
Row = dict[str, Any]


class TodayPage(LoginRequiredMixin, View):
    """Shows today, or the day that the address names."""

    def get(self, request: HttpRequest, day: str = "") -> HttpResponse:
        user: Any = request.user
        now = timezone.now()
        today = today_of(semester_current(user.pk).calendar, now)[0]
        shown_day = _day_named(day) if day else today
        if shown_day == today and day:
            return redirect("today")
        semester = semester_of_dates(user.pk, shown_day)
        told = describe_today(user_id=user.pk, semester=semester, now=now, on=shown_day)
        is_today = shown_day == today
        if not is_today:  # all of it is over, or nothing has begun
            told["now"] = {**told["now"], "time": "24:00" if shown_day < today else "00:00", "next": None}
        ahead = [date.fromisoformat(day["date"]) for day in told["next_days"]]
        term = exceptions_load(user_id=user.pk, semester=semester)
        notes = {on: read_notes(term, semester, on) for on in (shown_day, *ahead)}
        draft = draft_waiting_get(user=user, locale=locale()) if shown_day >= today else None
        # Nothing can be put on a day that is over, or on which the student does not study.
        can_place = shown_day >= today and all(row["study_allowed"] for row in told["days"])
        looks = {row.pk: row for row in TaskClass.objects.filter(user=user).only("seal", "color_index")}
        # Sections of another semester have other times, and what is shown beside them is not on its timetable.
        of_day = draft if draft and draft.semester_id == semester.pk else None
        drafted = drafted_on(of_day, shown_day, looks)
        told["gaps"] = gaps_beside(told["gaps"], drafted, semester.calendar.section_times)
        held = with_drafted(read_lines(told), drafted, draft_words(of_day, shown_day), told["now"]["time"])
        lines = sort_lines([*held, *read_parts(user.pk, told, looks)])
        ends = [row["to"] for row in lines if row["kind"] in ("lesson", "task", "exam", "draft")]
        waits = _count_waiting(user, draft) if can_place or is_today else 0
        shown = {
            "told": told,
            "date": shown_day,
            "is_today": is_today,
            "before": shown_day - timedelta(days=1),
            "after": shown_day + timedelta(days=1),
            "lines": lines,
            "lessons": sum(event["span"] for event in told["lessons"]),
            "ends": max(ends, default=""),
            "notes": notes[shown_day],
            "drafted": drafted,
            "draft": draft if draft and draft.changed else None,
            "draft_read": shown_day >= today,
            "days": [
                _day_ahead(row, on, notes[on], of_day, looks) for row, on in zip(told["next_days"], ahead, strict=True)
            ],
            "missed": [{**row, "look": looks.get(row["task_class_id"])} for row in told["missed"]],
            "due": [{**row, "look": looks.get(row["task_class_id"])} for row in told["due"]],
            "exams_ahead": [{**row, "date": date.fromisoformat(row["date"])} for row in told["exams_ahead"]],
            "next_semester": None if told["week"] else semester_after(user.pk, shown_day),
            "has_tasks": bool(looks),
            "can_place": can_place,
            "clashes": items_under_exams(user_id=user.pk, semester=semester, now=now) if is_today else [],
            "outside": count_outside_ahead(user.pk, semester, today) if is_today else 0,
            "mend": mend_address(),
            # An empty day tells by itself what could be put on it.
            "waits": waits if is_today and (ends or told["fallen_out"]) else 0,
            "waiting": None if ends else waits if can_place else 0,
            "asked": _asked_tonight(user.pk, lines) if is_today and told["now"]["time"] >= EVENING else [],
        }
        return render(request, "today/day.html", shown)


def _day_ahead(
    row: Mapping[str, Any], on: date, notes: list[str], draft: WaitingDraft | None, looks: Mapping[int, TaskClass]
) -> Row:
    """Returns one of the next days with what the calendar has on it, and what the draft puts there and takes away; what
    it moves within the day stays, for no times are told."""
    drafted = [one for one in drafted_on(draft, on, looks) if not (one["before"] and one["before"]["date"] == str(on))]
    return {**row, "date": on, "notes": notes, "drafted": drafted, "leaving": leaving_on(draft, on)}


def _day_named(words: str) -> date:
    try:
        day = date.fromisoformat(words)
    except ValueError as nonsense:
        raise Http404 from nonsense
    if not YEARS[0] <= day.year <= YEARS[1]:
        raise Http404
    return day


def read_notes(term: TermExceptions, semester: Semester, on: date) -> list[str]:
    """Returns what the calendar has on a day: a holiday, a make-up day, an exam week, time that is kept free."""
    day = semester.calendar.day_of(on)
    if isinstance(day, Outside):
        return []
    counts = term.on(day)
    kept = [_kept_words(row, semester) for row in term.rows if row.kind == KEPT_FREE and day in row.days]
    return [*([counts.name] if counts else []), *kept]


def _kept_words(row: DayException, semester: Semester) -> str:
    """Returns the name of time that is kept free, and its clock times where it is not the whole day."""
    times, (first, last) = semester.calendar.section_times, row.sections
    if (first, last) == (1, len(times)):
        return row.name
    return f"{row.name} {times[first - 1][0]:%H:%M}–{times[last - 1][1]:%H:%M}"


def read_lines(told: Today) -> list[Row]:
    """Returns the day in order of time: what is held, what falls out, free time, and the minute it is now."""
    clock = told["now"]["time"]
    items = {item["task_item_id"]: item for item in told["items"]}
    rows = [_line_of_event(event, items, clock) for event in told["events"]]
    rows += [
        {**event, "kind": "fallen", "from": event["start_time"], "to": event["end_time"]}
        for event in told["fallen_out"]
    ]
    rows += [
        {"kind": "free", "from": gap["start_time"], "to": gap["end_time"], "sections": gap["sections"]}
        for gap in told["gaps"]
        if gap["end_time"] > clock
    ]
    shown_now = "00:00" < clock < "24:00"
    if (
        told["week"]
        and shown_now
        and any(row["from"] <= clock for row in rows)
        and any(row["to"] > clock for row in rows)
    ):
        rows.append({"kind": "now", "from": clock, "to": clock})
    exams = [row for row in rows if row["kind"] == "exam"]
    for row in rows:
        if row.get("mark"):
            row["clash"] = any(row["from"] < one["to"] and one["from"] < row["to"] for one in exams)
    return sort_lines(rows)


def sort_lines(rows: list[Row]) -> list[Row]:
    """Returns rows in order of time, the minute it is now behind what begins then."""
    return sorted(rows, key=lambda row: (row["from"], row["kind"] == "now"))


def read_parts(user_id: int, told: Today, looks: Mapping[int, TaskClass]) -> list[Row]:
    """Returns what was done in part on a day, where it stood, with the batch that takes the mark back."""
    parts = told["parts"]
    batches = _mark_batches(user_id, {part["task_item_id"] for part in parts}) if parts else {}
    return [
        {
            **part,
            "kind": "part",
            "look": looks.get(part["task_class_id"]),
            "batch_id": batches.get(part["task_item_id"]),
            "from": part["start_time"],
            "to": part["end_time"],
            "past": True,
        }
        for part in parts
    ]


def _mark_batches(user_id: int, items: set[int]) -> dict[int, int]:
    """Returns item -> the last batch that marked it and was not undone."""
    rows = AppliedBatch.objects.filter(user_id=user_id, source=AppliedBatch.Source.PROGRESS, undone_at=None)
    marked = rows.order_by("-pk").values_list("pk", "changes")[:BATCHES_READ]
    found: dict[int, int] = {}
    for batch, changes in marked:
        for change in changes:
            if change["task_item_id"] in items:
                found.setdefault(change["task_item_id"], batch)
    return found


def _line_of_event(event: Any, items: dict[int, Any], clock: str) -> Row:
    guest = event["embedded_task_info"]
    task = event if event["type"] == "task" else {**guest, "task_item_id": guest["id"]} if guest else None
    begun = event["start_time"] <= clock
    return {
        **event,
        "kind": {"task": "task", "exam": "exam"}.get(event["type"], "lesson"),
        "from": event["start_time"],
        "to": event["end_time"],
        "past": event["end_time"] <= clock,
        "live": begun and clock < event["end_time"],
        "guest": task if guest else None,
        "mark": None if task is None else _mark_of(task, items.get(task["task_item_id"]), begun=begun),
    }


def _mark_of(task: Any, item: Any, *, begun: bool) -> Row:
    """Returns what can be said about an item: how many sections of it may be left."""
    length = 0 if item is None else item["section_to"] - item["section_from"] + 1
    return {"id": task["task_item_id"], "progress": task["progress"], "begun": begun, "rests": range(1, length)}


def _count_waiting(user: Any, draft: WaitingDraft | None) -> int:
    """Counts the items that have no place yet, neither on the timetable nor in the draft."""
    waiting = sum(row.waiting_count for row in task_classes(user=user))  # type: ignore[attr-defined]
    return max(0, waiting - (len(draft.difference["new"]) if draft else 0))


def _asked_tonight(user_id: int, lines: list[Row]) -> list[Row]:
    """Returns the items of the day that have begun and of which nothing was said, if the account wants to be asked."""
    if not AccountSettings.objects.filter(user_id=user_id, evening_question=True).exists():
        return []
    begun = {row["mark"]["id"]: row for row in lines if row.get("mark") and row["mark"]["begun"]}
    unsaid = set(TaskItem.objects.filter(pk__in=begun, mark="").values_list("pk", flat=True))
    asked = [row for item, row in begun.items() if item in unsaid]
    return [{"name": (row["guest"] or row)["name"], "mark": row["mark"]} for row in asked]


class MarkPage(LoginRequiredMixin, View):
    """Marks one item and comes back to where the mark was made."""

    def post(self, request: HttpRequest, item_id: int) -> HttpResponse:
        user: Any = request.user
        wish = read_wish(item_id, request.POST.get("progress", ""))
        if wish is None:
            return redirect("today")
        try:
            done = items_mark(user=user, marks=[wish], now=timezone.now())
        except CodedError as refusal:
            tell_refused(request, refusal)
        else:
            tell_done(request, _words_of(wish.progress), done["batch_id"])
        return go_back(request, "today")


def read_wish(item_id: int, told: str) -> MarkWish | None:
    """Reads what a button says: "done", or "partial:1" with the sections that are left."""
    name, _sep, left = told.partition(":")
    progress = next((mark for mark in MARKS if mark == name), None)
    if progress is None:
        return None
    return MarkWish(item_id, progress, int(left) if left.isascii() and left.isdigit() and len(left) < 3 else None)


def _words_of(progress: Progress) -> str:
    return {
        "done": gettext("已记下：完成"),
        "partial": gettext("已记下：做了一部分，剩下的待安排"),
        "missed": gettext("已记下：没做"),
        "open": gettext("标记已取消"),
    }[progress]

"""A realistic second-year computer-science term for one account; loading it again adds nothing."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from schedules.calendars.json_courses import rows_of_document
from schedules.models import Semester
from schedules.services.classes import class_create
from schedules.services.courses import courses_import
from taskclasses.fields import ClassValues, ItemValues
from taskclasses.models import TaskClass

TERM = Path(__file__).resolve().parent.parent / "demo" / "term.json"
WEEKS, WEEKS_BEFORE_TODAY, WEEKS_AHEAD = 20, 2, 6


def demo_semester(*, today: date, first_monday: date | None = None) -> Semester:
    """Returns the semester of the demo, current afterwards.

    The named one; else the current one if `today` lies in it with room for the demo's classes; else a new one in whose
    third week `today` lies.
    """
    if first_monday is None:
        current = Semester.objects.filter(is_current=True).first()
        if current is not None and 0 <= (today - current.first_monday).days < 7 * (current.weeks - WEEKS_AHEAD):
            return current
        first_monday = today - timedelta(days=today.weekday() + 7 * WEEKS_BEFORE_TODAY)
    with transaction.atomic():
        Semester.objects.exclude(first_monday=first_monday).filter(is_current=True).update(is_current=False)
        name = f"{first_monday.year} {'春' if first_monday.month < 7 else '秋'}"
        semester, _ = Semester.objects.get_or_create(
            owner=None, first_monday=first_monday, defaults={"name": name, "weeks": WEEKS, "is_current": True}
        )
        Semester.objects.filter(pk=semester.pk).update(is_current=True)
    return semester


@dataclass(frozen=True)
class LoadedDemo:
    """Tells what was added; `batch_id` None when there was no lesson among it."""

    events: int
    items: int
    class_ids: list[int]
    batch_id: int | None


def demo_load(*, user: User, today: date, semester: Semester) -> LoadedDemo:
    """Loads courses and task classes."""
    term = json.loads(TERM.read_text(encoding="utf-8"))
    rows = list(rows_of_document(term, semester.calendar.grid))
    report = courses_import(user=user, rows=rows, semester_id=semester.pk, dry_run=False, skip_invalid=True)
    # Yesterday lies in the classes' dates, on a Monday too: what was missed there can be picked up.
    week = max(0, min((today - semester.first_monday).days - 1, 7 * (semester.weeks - WEEKS_AHEAD - 1)) // 7)
    monday = semester.first_monday + timedelta(weeks=week)
    known = set(TaskClass.objects.filter(user=user).values_list("name", flat=True))
    added = [values for entry in term["task_classes"] if (values := _values(entry, monday)).name not in known]
    made = [class_create(user=user, values=values, semester_id=semester.pk).pk for values in added]
    items = sum(len(values.items) for values in added)
    return LoadedDemo(report["events"], items, made, report["batch_id"])


def _values(entry: dict[str, Any], monday: date) -> ClassValues:
    named = [item if isinstance(item, dict) else {"content": item} for item in entry["items"]]
    items = [ItemValues(order, item["content"], item.get("duration")) for order, item in enumerate(named, 1)]
    fields = {key: value for key, value in entry.items() if key not in ("start", "end", "items")}
    start, end = _date(entry["start"], monday), _date(entry["end"], monday)
    return ClassValues(**fields, start_date=start, end_date=end, items=items)


def _date(offset: dict[str, int], monday: date) -> date:
    return monday + timedelta(weeks=offset["weeks"], days=offset["day_of_week"] - 1)

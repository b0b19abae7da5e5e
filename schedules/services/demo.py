"""A realistic second-year computer-science term for one account; loading it again adds nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from schedules.calendars.json_courses import rows_of_document
from schedules.models import Semester
from schedules.selectors import term_name
from schedules.services.classes import class_create
from schedules.services.courses import courses_import
from taskclasses.fields import ClassValues, ItemValues
from taskclasses.kernel.i18n import language_of
from taskclasses.models import TaskClass

DEMO = Path(__file__).resolve().parent.parent / "demo"
TERM, ENGLISH = DEMO / "term.json", DEMO / "english.json"
"""The term, and the English of its words."""
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
        name = term_name(first_monday)
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


def demo_load(*, user: User, today: date, semester: Semester, locale: str = "zh") -> LoadedDemo:
    """Loads courses and task classes, with names in the language of `locale`.

    What is there in the other language already is not loaded again.
    """
    english: dict[str, str] = json.loads(ENGLISH.read_text(encoding="utf-8"))
    words = english if language_of(locale) == "en" else {}
    term = _translate(json.loads(TERM.read_text(encoding="utf-8")), words)
    of_other = {name: other for pair in english.items() for name, other in (pair, pair[::-1])}
    rows = list(rows_of_document(term, semester.calendar.grid))
    report = courses_import(user=user, rows=rows, semester_id=semester.pk, dry_run=False, skip_invalid=True)
    # Yesterday lies in the classes' dates, on a Monday too: what was missed there can be picked up.
    week = max(0, min((today - semester.first_monday).days - 1, 7 * (semester.weeks - WEEKS_AHEAD - 1)) // 7)
    monday = semester.first_monday + timedelta(weeks=week)
    known = set(TaskClass.objects.filter(user=user).values_list("name", flat=True))
    wanted = [_values(entry, monday) for entry in term["task_classes"]]
    added = [values for values in wanted if not known & {values.name, of_other[values.name]}]
    made = [class_create(user=user, values=values, semester_id=semester.pk).pk for values in added]
    items = sum(len(values.items) for values in added)
    return LoadedDemo(report["events"], items, made, report["batch_id"])


def _translate(told: Any, words: Mapping[str, str]) -> Any:
    """Returns a document with its texts replaced where `words` has another for them."""
    if isinstance(told, dict):
        return {key: _translate(value, words) for key, value in told.items()}
    if isinstance(told, list):
        return [_translate(value, words) for value in told]
    return words.get(told, told) if isinstance(told, str) else told


def _values(entry: dict[str, Any], monday: date) -> ClassValues:
    named = [item if isinstance(item, dict) else {"content": item} for item in entry["items"]]
    items = [ItemValues(order, item["content"], item.get("duration")) for order, item in enumerate(named, 1)]
    fields = {key: value for key, value in entry.items() if key not in ("start", "end", "items")}
    start, end = _date(entry["start"], monday), _date(entry["end"], monday)
    return ClassValues(**fields, start_date=start, end_date=end, items=items)


def _date(offset: dict[str, int], monday: date) -> date:
    return monday + timedelta(weeks=offset["weeks"], days=offset["day_of_week"] - 1)

"""Figures per class: how much is done, stands on the timetable, is left, and when it will be finished at this pace."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from schedules.models import Semester
from schedules.planner.draft.progress import DONE, MISSED, PARTIAL, Progress
from schedules.presentation.shapes.progress import ClassProgress, MissedItem, ProgressReport
from schedules.progress.book import ProgressBook, items_by_class, rule_of
from taskclasses.models import TaskClass, TaskItem
from taskclasses.spec import item_lengths

WEEK = 7


class ItemFigure(NamedTuple):
    """Holds one item, of `ITEM_COLUMNS`: its whole length, the sections done of it, how far it is, whether it stands on
    the timetable."""

    item: Any
    length: int
    progress: Progress
    done: int
    placed: bool


def progress_report(*, user_id: int, semester: Semester, now: datetime) -> ProgressReport:
    """Returns the figures of every class of a student and what was missed; in a fixed number of queries."""
    rule = rule_of(user_id)
    classes = list(TaskClass.objects.filter(user_id=user_id).order_by("pk"))
    items = items_by_class(TaskItem.objects.filter(task_class__user_id=user_id))
    book = ProgressBook.load(user_id=user_id, now=now, rule=rule)
    today = now.astimezone(semester.calendar.zone).date()
    figures = {row.pk: item_figures(row, items.get(row.pk, ()), book) for row in classes}
    return {
        "settings": {"mode": rule.mode, "grace_hours": int(rule.grace.total_seconds() // 3600)},
        "classes": [class_progress(row, figures[row.pk], today=today, book=book) for row in classes],
        "missed": [missed_item(row, one.item) for row in classes for one in figures[row.pk] if one.progress == MISSED],
    }


def item_figures(row: TaskClass, items: Sequence[Any], book: ProgressBook) -> list[ItemFigure]:
    """Returns the figures of all items of a class, which are in class order."""
    lengths = item_lengths([item.duration for item in items], row.total_slots)
    found = []
    for item, length in zip(items, lengths, strict=True):
        progress = book.progress(item)
        done = length if progress == DONE else max(0, length - (item.sections_left or length))
        found.append(ItemFigure(item, length, progress, done, item.embedded_time is not None))
    return found


def class_progress(row: TaskClass, figures: Iterable[ItemFigure], *, today: date, book: ProgressBook) -> ClassProgress:
    rows = list(figures)
    total, done = sum(one.length for one in rows), sum(one.done for one in rows)
    open_rows = [one for one in rows if one.progress != DONE]
    ahead = [one for one in open_rows if one.placed and one.progress != MISSED]
    left = total - done
    days_left = None if row.end_date is None else (row.end_date - today).days
    begun = _first_day(row, rows, book) or row.start_date
    elapsed = 0 if begun is None else (today - begun).days + 1
    pace = done * WEEK / elapsed if done and elapsed > 0 else None
    forecast = _forecast(left, pace, today)
    return {
        "task_class_id": row.pk,
        "name": row.name,
        "end_date": row.end_date.isoformat() if row.end_date else None,
        "days_left": days_left,
        "items": len(rows),
        "items_done": sum(one.progress == DONE for one in rows),
        "items_partial": sum(one.progress == PARTIAL for one in rows),
        "items_missed": sum(one.progress == MISSED for one in rows),
        "sections": total,
        "done": done,
        "placed": sum(one.length - one.done for one in ahead),
        "left": left,
        "pace": None if pace is None else round(pace, 1),
        "pace_needed": _pace_needed(left, days_left),
        "planned_until": _planned_until(ahead, book, today),
        "forecast_date": None if forecast is None else forecast.isoformat(),
        "on_time": None if forecast is None or row.end_date is None else forecast <= row.end_date,
    }


def missed_item(row: TaskClass, item: Any) -> MissedItem:
    time = item.embedded_time or {}
    return {
        "task_item_id": item.pk,
        "task_class_id": row.pk,
        "class_name": row.name,
        "name": item.content,
        "order": item.order,
        "week": time.get("week", 0),
        "day_of_week": time.get("day_of_week", 0),
        "section_from": time.get("section_from", 0),
        "section_to": time.get("section_to", 0),
    }


def _first_day(row: TaskClass, rows: Iterable[ItemFigure], book: ProgressBook) -> date | None:
    """Returns the day on which the first of it was done, as far as marks and the timetable tell."""
    ends = [book.ends[one.item.pk].date() for one in rows if one.progress == DONE and one.item.pk in book.ends]
    marked = [date.fromisoformat(record["marked_at"][:10]) for one in rows for record in one.item.records or ()]
    return min([*ends, *marked, *([row.start_date] if row.start_date and (ends or marked) else [])], default=None)


def _forecast(left: int, pace: float | None, today: date) -> date | None:
    """Returns the day on which the rest is done at this pace; None without a rest or a pace."""
    if left == 0 or pace is None:
        return None
    days = -(-left * WEEK // pace)
    return None if days > 3650 else today + timedelta(days=int(days))


def _pace_needed(left: int, days_left: int | None) -> float | None:
    """Returns sections a week that reach the deadline; None without one or when it has passed."""
    if days_left is None or days_left < 0:
        return None
    return round(left * WEEK / (days_left + 1), 1)


def _planned_until(ahead: Iterable[ItemFigure], book: ProgressBook, today: date) -> str | None:
    days = [book.ends[one.item.pk].date() for one in ahead if one.item.pk in book.ends]
    return max(days).isoformat() if days else None

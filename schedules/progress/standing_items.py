"""What of a student's tasks stands on the timetable: the classes it concerns, and the items that count as missed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q

from schedules.progress.book import ProgressBook
from taskclasses.models import TaskItem


def standing_classes(user_id: int) -> list[int]:
    """Returns ids of the classes with an item on the timetable, or with a rest that waits for a place."""
    mine = TaskItem.objects.filter(task_class__user_id=user_id)
    found = mine.filter(Q(status=TaskItem.Status.APPLIED) | Q(mark=TaskItem.Mark.PARTIAL))
    return sorted(set(found.values_list("task_class_id", flat=True)))


def missed_items(user_id: int, item_ids: Sequence[int], now: datetime) -> list[int]:
    """Returns those of the items that count as missed now, whether the student said so or the past rule does."""
    items = list(TaskItem.objects.filter(pk__in=item_ids, task_class__user_id=user_id).order_by("pk"))
    book = ProgressBook.load(user_id=user_id, item_ids=item_ids, now=now)
    return [item.pk for item in items if book.progress(item) == "missed"]

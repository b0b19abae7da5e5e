"""Reads of task classes. Every query carries its owner."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, Q, QuerySet

from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskClass, TaskClassWrite, TaskItem
from taskclasses.presentation import class_json
from taskclasses.shapes import ClassObject


def task_class_get(*, user: User, class_id: int) -> TaskClass:
    """Returns one class with its items, 40040 when it is not there or not the student's."""
    found = TaskClass.objects.filter(user=user, pk=class_id).prefetch_related("items").first()
    if found is None:
        raise CodedError(40040, {"task_class_ids": [class_id]})
    return found


def task_classes(*, user: User) -> QuerySet[TaskClass]:
    """Returns the student's classes, newest first, with the annotations `item_count`, `applied_count` and
    `waiting_count`: the items that still want a place."""
    applied = Q(items__status=TaskItem.Status.APPLIED)
    undone = Q(items__embedded_time__isnull=True) & ~Q(items__mark=TaskItem.Mark.DONE)
    counted = TaskClass.objects.filter(user=user).annotate(
        item_count=Count("items"),
        applied_count=Count("items", filter=applied),
        waiting_count=Count("items", filter=Q(mode=TaskClass.Mode.AUTO) & undone),
    )
    return counted.order_by("-pk")


def task_classes_named(*, user: User, class_ids: Iterable[int]) -> list[TaskClass]:
    """Returns the named classes in the order of their ids; 40040 with every id that is unknown."""
    wanted = set(class_ids)
    found = list(TaskClass.objects.filter(user=user, pk__in=wanted).order_by("pk"))
    unknown = sorted(wanted - {row.pk for row in found})
    if unknown:
        raise CodedError(40040, {"task_class_ids": unknown})
    return found


def task_classes_json(user_id: int) -> list[ClassObject]:
    """Returns every class of a student as the API shows it, with items, by id; in two queries."""
    rows = TaskClass.objects.filter(user_id=user_id).order_by("pk").prefetch_related("items")
    return [class_json(row) for row in rows]


def task_class_write_answer(*, user_id: int, claim: str) -> dict[str, Any] | None:
    """Returns what the agent's write under this claim answered; None when it was never committed."""
    row = TaskClassWrite.objects.filter(user_id=user_id, key=claim).first()
    return None if row is None else dict(row.answer)

"""Earlier changes of the timetable: which can be undone, and what stands in the way of the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.utils.html import format_html
from django.utils.translation import gettext

from schedules.models import AppliedBatch
from schedules.services.undo import Present, find_later_change, undo_obstacles
from smartmate.templatetags.days import moment
from taskclasses.kernel.errors import CodedError
from taskclasses.shapes import Conflict

BATCHES_SHOWN = 20


def changes_told(user: User) -> list[dict[str, Any]]:
    """Returns the newest batches, newest first, each with why it cannot be undone now, "" where it can."""
    batches = list(AppliedBatch.objects.filter(user=user)[:BATCHES_SHOWN])
    present = Present(batches)
    return [{"batch": batch, "why": _why_not(batch, present, batches[:at])} for at, batch in enumerate(batches)]


def refused_undo(user: User, batch_id: int, refusal: CodedError) -> str:
    """Tells why a batch was not undone."""
    if refusal.data["reason"] != "changed_since":
        return gettext("这个改动已经撤销过了。")
    batch = AppliedBatch.objects.get(user=user, pk=batch_id)
    later = AppliedBatch.objects.filter(user=user, pk__gt=batch_id, undone_at=None)
    return _in_the_way(refusal.data["conflicts"], find_later_change(batch, Present([batch]), later))


def _why_not(batch: AppliedBatch, present: Present, later: Sequence[AppliedBatch]) -> str:
    if batch.undone_at is not None:
        return ""
    if not batch.changes and not batch.row_changes:
        return gettext("没有可以撤销的。")
    obstacles = undo_obstacles(batch, present)
    return _in_the_way(obstacles, find_later_change(batch, present, later)) if obstacles else ""


def _in_the_way(obstacles: Iterable[Conflict], later: AppliedBatch | None) -> str:
    """Names the later change that is to be undone before, else what is no longer as the change left it."""
    if later is not None:
        words = gettext("之后的「{change}」（{at}）动了同样的内容，先撤销它。")
        return format_html(words, change=later.get_source_display(), at=moment(later.created_at))
    name = next((one["with"]["name"] for one in obstacles if one["with"]), "")
    return (
        gettext("「{name}」之后又改过，撤不回来了。").format(name=name) if name else gettext("之后又有改动，无法撤销")
    )

"""What a batch changed, row by row, in words: before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from schedules.models import AppliedBatch
from taskclasses.kernel.i18n import WEEKDAYS

Image = Mapping[str, Any]
PLACE = ("week", "day_of_week", "section_from", "section_to")
UNSAID = frozenset({"id", "revision", "rows", *PLACE})
"""Columns that say nothing to a reader, or that the words of a place say."""


@dataclass(frozen=True)
class ChangedRow:
    kind: str
    name: str
    before: str
    after: str


def changed_rows(batch: AppliedBatch) -> Iterator[ChangedRow]:
    """Lists items first, then the other rows kind by kind."""
    for change in batch.changes:
        before, after = change["before"], change["after"]
        name = f"{before['class']['name']} · {before['item']['content']}"
        yield ChangedRow(_("任务项"), name, _place_of_item(before), _place_of_item(after))
    for kind, pairs in (batch.row_changes or {}).items():
        for before, after in pairs:
            shown = after or before or {}
            yield ChangedRow(_kind_in_words(kind), str(shown.get("name", shown.get("id", ""))), *_sides(before, after))


def place_in_words(image: Image | None) -> str:
    """Returns week, weekday and sections of whatever has them."""
    if not image or any(image.get(column) is None for column in PLACE):
        return ""
    return _("第%(week)s周 %(day)s %(first)s–%(last)s节") % {
        "week": image["week"],
        "day": _(WEEKDAYS[image["day_of_week"] - 1]),
        "first": image["section_from"],
        "last": image["section_to"],
    }


def _kind_in_words(kind: str) -> str:
    return {"courses": _("课程"), "lessons": _("上课"), "whole_classes": _("任务类")}.get(kind, kind)


def _place_of_item(image: Image) -> str:
    place = place_in_words(image["item"]["embedded_time"])
    host = (image["guest"] or {}).get("host")
    return f"{place}, {host['name']}" if host else place or _("未安排")


def _sides(before: Image | None, after: Image | None) -> tuple[str, str]:
    """Returns each side with its place and the columns in which it differs from the other."""
    one, other = before or {}, after or {}
    columns = [name for name in {**one, **other} if name not in UNSAID and one.get(name) != other.get(name)]
    return _side(before, columns), _side(after, columns)


def _side(image: Image | None, columns: list[str]) -> str:
    if image is None:
        return "-"
    values = [f"{name}: {image[name]}" for name in columns if image.get(name) not in (None, "", [])]
    return "; ".join(part for part in (place_in_words(image), *values) if part) or "="

"""Forms whose use case refuses: the code's sentence and its fields become errors of the form."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from schedules.planner.grid import Calendar
from smartmate.pages.courses.file_words import is_of_table, limit_sentence, refused_rows, table_sentences
from smartmate.pages.courses.words import clash_sentences, overlap_sentences
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskItem
from taskclasses.services import DatesRefused
from taskclasses.shapes import Conflict

R = TypeVar("R")
CLASH, PLACED, OVERLAP = 40026, 40034, 40051
ROWS_AT_FAULT = (40019, CLASH)
CLASHES_MAX = NAMES_MAX = 5
SHORTER = {"start_date": "end_date", "excluded_days_of_week": "days", "excluded_slots": "blocks"}
"""Where the shortest form of a task says what a field of a task class says."""
ITEM = re.compile(r"items\.(\d+)\.")


def locale() -> str:
    """Returns the language of this page as the use cases name it."""
    return "en" if (get_language() or "").startswith("en") else "zh"


def refusal_words(refusal: CodedError, why: str = "") -> SafeString:
    """Returns the sentence of a refusal and why, where more is known than it says; its number small at the end."""
    number = gettext("编号 {code}").format(code=refusal.code)
    told = format_html("{} {}", refusal.info(locale()), why) if why else refusal.info(locale())
    return format_html('{} <small class="quiet">{}</small>', told, number)


def tell_refusal(form: forms.Form, refusal: CodedError, calendar: Calendar | None = None) -> None:
    """Puts a refusal beside the fields it names, else above the form, with its number at the end.

    With the `calendar` of the semester it is told when something clashes.
    """
    rows: list[Any] = refusal.data.get("errors", []) if isinstance(refusal.data, dict) else []
    for sentence in table_sentences(rows):
        form.add_error(None, sentence)
    for row in rows:
        if is_of_table(row):
            continue
        path = str(row.get("field", ""))
        form.add_error(_field_of(form, path), _name_item(path) + gettext(row["message"]))
    for issue in refusal.issues if isinstance(refusal, DatesRefused) else ():
        # Where only the last day is asked for, the first is today.
        past = issue.code == "bad_range" and "start_date" not in form.fields
        form.add_error(_field_of(form, issue.field), gettext("结束日期已过") if past else issue.message)
    overlaps = refusal.data["overlaps"] if refusal.code == OVERLAP else ()
    for sentence in [*_clashes(refusal, calendar), *overlap_sentences(overlaps)]:
        form.add_error(None, sentence)
    if refusal.code == PLACED:
        form.add_error("items" if "items" in form.fields else None, _placed_items(refusal.data["task_item_ids"]))
    if not form.errors:
        form.add_error(None, limit_sentence(refusal) or refusal_words(refusal))
    for sentence in refused_rows(refusal.data.get("rows", []) if isinstance(refusal.data, dict) else []):
        form.add_error(None, sentence)
    if refusal.code in ROWS_AT_FAULT and "skip" in form.fields:
        form.add_error(None, gettext("改好再导入，或者勾选「跳过有问题的行」，只导入其余的行。"))


def conflicts_of(refusal: CodedError) -> list[Conflict]:
    """Returns what a refusal says is in the way."""
    found: list[Conflict] = refusal.data.get("conflicts", []) if isinstance(refusal.data, dict) else []
    return found


def _clashes(refusal: CodedError, calendar: Calendar | None) -> list[str]:
    """Returns sentences on what is in the way, each once."""
    conflicts = conflicts_of(refusal)
    if calendar is not None and refusal.code == CLASH and all(one["week"] for one in conflicts):
        return clash_sentences(conflicts, calendar)
    names = [one["with"]["name"] if one["with"] else "" for one in conflicts]
    return list(dict.fromkeys(f"{refusal.info(locale())} {name}".strip() for name in names))[:CLASHES_MAX]


def _placed_items(item_ids: Sequence[int]) -> SafeString:
    """Says which items cannot go because they stand on the timetable, and what to do; each leads to its week."""
    items = TaskItem.objects.filter(pk__in=item_ids).order_by("order", "pk")
    named = [(item.embedded_time["week"], item.content) for item in items if item.embedded_time]
    links = format_html_join(gettext("、"), gettext('<a href="/week/{}">「{}」</a>'), named[:NAMES_MAX])
    told = gettext("还在课表里：{items}{more}。先在课表里移出，再来这里去掉。")
    return format_html(told, items=links, more="……" if len(named) > NAMES_MAX else "")


def _field_of(form: forms.Form, path: str) -> str | None:
    """Returns the field of a form that a refusal means, None where it has none for that."""
    name = re.split(r"[\[.]", path)[0]
    return next((one for one in (name, SHORTER.get(name)) if one in form.fields), None)


def _name_item(path: str) -> str:
    """Returns what stands before a sentence about one item of a list, "" for a field that is no list of items."""
    found = ITEM.match(path)
    return gettext("第 %(number)s 项：") % {"number": int(found[1]) + 1} if found else ""


def attempt(form: forms.Form, work: Callable[[], R], calendar: Calendar | None = None) -> R | None:
    """Returns the result of `work`, or None when it was refused; then the form says why."""
    try:
        return work()
    except CodedError as refusal:
        tell_refusal(form, refusal, calendar)
        return None

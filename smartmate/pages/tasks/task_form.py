"""The form of a task class: its fields, and its items as a list that can be pasted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from smartmate.pages.widgets import day_input
from taskclasses.fields import ClassValues, ItemValues, read_fields
from taskclasses.models import TaskClass, TaskItem

WEEKDAYS = (
    (1, _("周一")),
    (2, _("周二")),
    (3, _("周三")),
    (4, _("周四")),
    (5, _("周五")),
    (6, _("周六")),
    (7, _("周日")),
)
ITEM = re.compile(r"^(?P<content>.*?)(?:\s*[|｜]\s*(?P<sections>[1-4]))?$")
NUMBERING = re.compile(r"^\s*(?:[-*•]|\d{1,3}\s*[.、)）])\s*")
LIKE = 0.5
"""How alike an item and a line must be for the line to be a new wording of it."""
NONE = (("", _("没有说")),)


class TaskForm(forms.Form):
    """One line of `items` is one item; "| 2" behind it is its length in sections."""

    name = forms.CharField(label=_("名称"), max_length=60)
    start_date = forms.DateField(label=_("开始"), required=False, widget=day_input())
    end_date = forms.DateField(label=_("截止"), required=False, widget=day_input())
    items = forms.CharField(
        label=_("内容，一行一项"),
        widget=forms.Textarea(attrs={"rows": 10}),
        help_text=_("可以直接粘贴一份清单。行尾写 | 2 表示这一项用 2 节。"),
    )
    total_slots = forms.IntegerField(label=_("总节数"), required=False, min_value=1)
    seal = forms.CharField(label=_("标记字"), max_length=1, required=False, help_text=_("不填就用名称里的字。"))
    strategy = forms.ChoiceField(
        label=_("节奏"), choices=(("steady", _("慢慢来")), ("rapid", _("集中突破"))), required=False
    )
    subject_type = forms.ChoiceField(
        label=_("学科类型"), choices=(*NONE, *TaskClass.SubjectType.choices), required=False
    )
    difficulty_level = forms.ChoiceField(label=_("难度"), choices=(*NONE, *TaskClass.Level.choices), required=False)
    cognitive_intensity = forms.ChoiceField(
        label=_("费脑程度"), choices=(*NONE, *TaskClass.Level.choices), required=False
    )
    allow_filler_course = forms.BooleanField(label=_("可以在能分心的课上做"), required=False)
    excluded_days_of_week = forms.TypedMultipleChoiceField(
        label=_("这几天不排"), choices=WEEKDAYS, coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    excluded_slots = forms.TypedMultipleChoiceField(
        label=_("这些时段不排"), choices=(), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, data: Any = None, *, blocks: Sequence[tuple[int, str]], row: TaskClass | None = None) -> None:
        super().__init__(
            data, initial=None if row is None else read_fields(row) | {"items": write_items(row.items.all())}
        )
        self.fields["excluded_slots"].choices = list(blocks)  # type: ignore[attr-defined]
        self._row = row

    def values(self) -> ClassValues:
        """The class as the form tells it; what the form does not show stays as it is."""
        kept = {} if self._row is None else read_fields(self._row)
        told = {name: value if value != "" else None for name, value in self.cleaned_data.items() if name != "items"}
        mode = "auto" if told["start_date"] and told["end_date"] else "manual"
        items = read_items(self.cleaned_data["items"], [] if self._row is None else list(self._row.items.all()))
        return ClassValues(**kept | told | {"mode": mode, "strategy": told["strategy"] or "steady", "items": items})


def write_items(items: Sequence[TaskItem] | Any) -> str:
    """Items as lines."""
    return "\n".join(f"{item.content} | {item.duration}" if item.duration else item.content for item in items)


def read_items(text: str, known: Sequence[TaskItem]) -> list[ItemValues]:
    """Lines as items in their order; a line with the words of an item is that item, else the one most like it."""
    wanted = [_read_line(line) for line in text.splitlines() if line.strip()]
    free = list(known)
    found: dict[int, int] = {}
    for likeness in (1.0, LIKE):
        for index, (content, _sections) in enumerate(wanted):
            item = None if index in found else _most_like(content, free, likeness)
            if item is not None:
                found[index] = item.pk
                free.remove(item)
    return [
        ItemValues(index + 1, content, sections, found.get(index)) for index, (content, sections) in enumerate(wanted)
    ]


def _most_like(content: str, items: Sequence[TaskItem], least: float) -> TaskItem | None:
    ratios = [(SequenceMatcher(None, content, item.content).ratio(), item) for item in items]
    best = max(ratios, key=lambda pair: pair[0], default=None)
    return best[1] if best is not None and best[0] >= least else None


def _read_line(line: str) -> tuple[str, int | None]:
    found = ITEM.match(NUMBERING.sub("", line).strip())
    assert found is not None, "the pattern matches every line"
    sections = found["sections"]
    return found["content"].strip(), int(sections) if sections else None

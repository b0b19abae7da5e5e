"""The form of a task class: its fields, and its items as a list that can be pasted."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from smartmate.pages.forms.merge_form import MergeForm
from smartmate.pages.forms.widgets import day_input
from taskclasses.fields import ClassValues, ItemValues, read_fields
from taskclasses.kernel import i18n
from taskclasses.models import TaskClass, TaskItem
from taskclasses.spec import CONTENT_MAX, DURATION_MAX, DURATION_MIN

WEEKDAYS = tuple((number, _(name)) for number, name in enumerate(i18n.WEEKDAYS, 1))
ITEM = re.compile(r"^(?P<content>.*?)(?:\s*[|｜]\s*(?P<sections>[1-4]))?$")
LENGTH = re.compile(r"[|｜]\s*(?P<sections>[0-9]+)\s*$")
COUNT = r"(?P<{0}>[0-9]{{1,3}})\s*(?:节课?|節課?|periods?)"
LENGTH_IN_WORDS = re.compile(
    rf"^(?P<content>.*\S)(?:(?:\s+|\s*[，,：:]\s*){COUNT.format('bare')}|\s*[（(]\s*{COUNT.format('within')}\s*[）)])$",
    re.IGNORECASE,
)
"""How lists write a length: 二次型 3节, 二次型（3 节）."""
NUMBER_GOES_ON = re.compile(r"(?:第\s*[0-9]*|[-–—~～至到和及与、，,.|｜])$")
"""What stands before a number that is no length but the name of a section, 第 3 节, or the end of a range."""
_DIGITS = "一二三四五六七八九十"
NUMBERING = re.compile(
    r"^[\s\u200b\ufeff]*(?:[-+*](?![-+*])|[•·●○◦■□▪▫◆◇▶►➢☐\uf06c\uf06e\uf0b7\uf0d8]|[①-⑳⑴-⒇]|[(（]\d{1,3}[)）]"
    rf"|\d{{1,3}}\s*[.、)）](?!\d{{1,2}}(?!\d)|\.)|[{_DIGITS}]{{1,3}}、(?![{_DIGITS}]))?[\s\u200b]*(?:\[ ?\]\s+)?"
)
"""What a list begins its lines with, Markdown's empty box too; a box with a tick says something of the item. The
number of a chapter's part, 1.2, is its name, and 1...3 and 一、二章 are ranges. In 1、2019年真题 the year is none of
its numbers. What a word processor has for a bullet is copied as a character of private use."""
PAGE_NUMBER = re.compile(r"(?:(?<=[^\d\s])|\s+)(?:\.{3,}|[·…⋯]{2,})\s*\d+$")
"""How a table of contents ends its lines."""
LINE_READ_MAX = 2 * CONTENT_MAX
"""Characters of a line that is taken apart; a longer one is refused for its length."""
LENGTHS = {str(sections) for sections in range(DURATION_MIN, DURATION_MAX + 1)}
LINES_TOLD, LINE_MAX = 5, 60
"""Faulty lines that are named at once, and how much of each."""
LIKE = 0.5
"""How alike an item and a line must be for the line to be a new wording of it."""
NONE = (("", _("不指定")),)
NOTHING = (("", _("没有")),)
HUES = (_("蓝"), _("橙"), _("绿"), _("紫"), _("青"), _("玫红"), _("橄榄"), _("靛"))
"""The colours of tasks in words, in the order of the page's palette."""


@dataclass(frozen=True)
class TaskChoices:
    """Tells what a class may be set to in a semester: the blocks of a day, the student's courses and exams."""

    blocks: Sequence[tuple[int, str]]
    courses: Sequence[tuple[int, str]] = ()
    exams: Sequence[tuple[int, str]] = ()


def _write_cell(day: int, block: int) -> str:
    return f"{day}:{block}"


def _read_cell(told: str) -> dict[str, int]:
    day, _sep, block = told.partition(":")
    return {"day_of_week": int(day), "block": int(block)}


def _initial(row: TaskClass) -> dict[str, Any]:
    fields = read_fields(row)
    cells = [_write_cell(one["day_of_week"], one["block"]) for one in fields["excluded_cells"]]
    return fields | {"excluded_cells": cells, "items": write_items(row.items.all())}


class LinesForm(forms.Form):
    """Reads items as lines: a length that no item may have is refused with its line. `known` are lines that stand as
    they are."""

    known: Collection[str] = ()

    def clean_items(self) -> str:
        told: str = self.cleaned_data["items"]
        wrong = [
            gettext("第 %(number)s 行「%(line)s」：一项只能是 %(low)s 到 %(high)s 节。")
            % {"number": number, "line": line.strip()[:LINE_MAX], "low": DURATION_MIN, "high": DURATION_MAX}
            for number, line in enumerate(told.splitlines(), 1)
            if line.strip() not in self.known and (sections := _sections_told(line)) and sections not in LENGTHS
        ]
        if wrong:
            raise forms.ValidationError(wrong[:LINES_TOLD])
        return told


class TaskForm(LinesForm, MergeForm):
    """Reads a class; one line of `items` is one item; "| 2" behind it is its length in sections."""

    name = forms.CharField(label=_("名称"), max_length=60)
    start_date = forms.DateField(label=_("开始"), required=False, widget=day_input())
    end_date = forms.DateField(label=_("截止"), required=False, widget=day_input())
    items = forms.CharField(
        label=_("内容，一行一项"),
        widget=forms.Textarea(attrs={"rows": 10}),
        help_text=_("可以直接粘贴一份清单。行尾写 2 节（或 | 2）表示这一项用 2 节。"),
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
    color_index = forms.TypedChoiceField(
        label=_("颜色"),
        choices=list(enumerate(HUES)),
        coerce=int,
        empty_value=None,
        required=False,
        widget=forms.RadioSelect,
    )
    course_id = forms.TypedChoiceField(label=_("课程"), coerce=int, empty_value=None, required=False)
    exam_id = forms.TypedChoiceField(
        label=_("考试"), coerce=int, empty_value=None, required=False, help_text=_("选了考试，截止就是考试的前一天。")
    )
    excluded_days_of_week = forms.TypedMultipleChoiceField(
        label=_("不排的星期"), choices=WEEKDAYS, coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    excluded_slots = forms.TypedMultipleChoiceField(
        label=_("不排的时段"), choices=(), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    excluded_cells = forms.TypedMultipleChoiceField(
        label=_("不排的格"), choices=(), coerce=_read_cell, required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, data: Any = None, *, choices: TaskChoices, row: TaskClass | None = None) -> None:
        super().__init__(data, stored=row is not None, initial=None if row is None else _initial(row))
        cells = [_write_cell(day, block) for day, _name in WEEKDAYS for block, _clock in choices.blocks]
        for name, told in (
            ("excluded_slots", choices.blocks),
            ("excluded_cells", [(cell, cell) for cell in cells]),
            ("course_id", [*NOTHING, *choices.courses]),
            ("exam_id", [*NOTHING, *choices.exams]),
        ):
            self.fields[name].choices = list(told)  # type: ignore[attr-defined]
        self.blocks = choices.blocks
        self.known = () if row is None else {_write_line(item) for item in row.items.all()}
        self._row = row

    def grid(self) -> list[dict[str, Any]]:
        """Returns the blocks of a day, each with its seven cells and what is ticked; heads stand for whole rows and
        columns."""
        ticked, blocks = self._values_ticked("excluded_cells"), self._values_ticked("excluded_slots")
        rows = []
        for block, clock in self.blocks:
            cells = [
                {"value": (value := _write_cell(day, block)), "name": f"{name} {clock}", "ticked": value in ticked}
                for day, name in WEEKDAYS
            ]
            rows.append({"value": block, "clock": clock, "ticked": str(block) in blocks, "cells": cells})
        return rows

    def grid_fields(self) -> list[forms.BoundField]:
        """Returns the fields that the grid of times stands for."""
        return [self["excluded_days_of_week"], self["excluded_slots"], self["excluded_cells"]]

    def days(self) -> list[dict[str, Any]]:
        """Returns the weekdays, each with whether all of it is left out."""
        ticked = self._values_ticked("excluded_days_of_week")
        return [{"value": day, "name": name, "ticked": str(day) in ticked} for day, name in WEEKDAYS]

    def _values_ticked(self, name: str) -> set[str]:
        return {str(value) for value in self[name].value() or ()}

    def values(self) -> ClassValues:
        """Returns the class as the form tells it; what the form does not show stays as it is."""
        kept = {} if self._row is None else read_fields(self._row)
        told = {name: value if value != "" else None for name, value in self.cleaned_data.items() if name != "items"}
        mode = "auto" if told["start_date"] and (told["end_date"] or told["exam_id"]) else "manual"
        items = read_items(self.cleaned_data["items"], [] if self._row is None else list(self._row.items.all()))
        return ClassValues(**kept | told | {"mode": mode, "strategy": told["strategy"] or "steady", "items": items})


def write_items(items: Sequence[TaskItem] | Any) -> str:
    """Writes items as lines."""
    return "\n".join(_write_line(item) for item in items)


def _write_line(item: TaskItem) -> str:
    content = " ".join(item.content.split())
    return f"{content} | {item.duration}" if item.duration else content


def read_items(text: str, known: Sequence[TaskItem]) -> list[ItemValues]:
    """Reads lines as items in their order; a line with the words of an item is that item, else the one most like it.

    A line that nobody touched says what the item says, whatever it begins or ends with.
    """
    left_alone = {_write_line(item): (item.content, item.duration) for item in known}
    lines = filter(None, (line.strip() for line in text.splitlines()))
    wanted = [left_alone.get(line) or _read_line(line) for line in lines]
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


def _sections_told(line: str) -> str:
    """Returns the length that a line ends with, as it is written; "" for none."""
    if found := LENGTH.search(line):
        return found["sections"]
    in_words = _length_in_words(line.strip())
    return in_words[1] if in_words is not None else ""


def _length_in_words(line: str) -> tuple[str, str] | None:
    """Returns what stands before a length that a line ends with in words, and its number."""
    found = LENGTH_IN_WORDS.match(line) if len(line) <= LINE_READ_MAX else None
    if found is None or NUMBER_GOES_ON.search(found["content"]):
        return None
    return found["content"].strip(), str(int(found["bare"] or found["within"]))


def _read_line(line: str) -> tuple[str, int | None]:
    if len(line) > LINE_READ_MAX:
        return line, None
    bare = NUMBERING.sub("", line).strip()
    if (in_words := _length_in_words(bare)) is not None:
        return PAGE_NUMBER.sub("", in_words[0]), int(in_words[1])
    found = ITEM.match(bare)
    assert found is not None, "the pattern matches every line"
    sections = found["sections"]
    return PAGE_NUMBER.sub("", found["content"].strip()), int(sections) if sections else None

"""The form of a course: its fields, and its weekly meetings as lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from schedules.services.courses.writes import CourseValues
from schedules.shapes import CourseObject

LINE = re.compile(
    r"^\s*周?(?P<day>[一二三四五六日天1-7])\s*[，, ]\s*(?P<first>\d{1,2})\s*[-–~]\s*(?P<last>\d{1,2})\s*节?\s*[，, ]\s*"
    r"(?P<weeks>[\d\-–~、,，]+)周?\s*(?P<parity>单|双)?\s*(?:[，, ]\s*(?P<place>.*))?$"
)
DAYS = {name: day for day, name in enumerate("一二三四五六日", 1)} | {"天": 7} | {str(day): day for day in range(1, 8)}
PARITY = {"单": "odd", "双": "even", None: "all"}


class CourseForm(forms.Form):
    """A course; each line of `meetings` is one weekly meeting: "一, 1-2, 1-16 单, 理学楼 204"."""

    name = forms.CharField(label=_("课程名称"), max_length=255)
    teacher = forms.CharField(label=_("教师"), max_length=255, required=False)
    location = forms.CharField(label=_("地点"), max_length=255, required=False)
    can_be_embedded = forms.BooleanField(label=_("上这门课时可以做任务"), required=False)
    note = forms.CharField(label=_("备注"), max_length=1000, required=False)
    meetings = forms.CharField(
        label=_("上课时间，一行一个"),
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("星期, 节次, 周次, 地点。例如：一, 1-2, 1-16, 理学楼 204；双周写作 2-16 双。"),
    )

    def clean_meetings(self) -> list[dict[str, Any]]:
        lines = [line for line in self.cleaned_data["meetings"].splitlines() if line.strip()]
        return [part for line in lines for part in _read_meeting(line)]

    def values(self) -> CourseValues:
        told = dict(self.cleaned_data)
        return CourseValues(arrangements=told.pop("meetings"), **told)


def _read_meeting(line: str) -> list[dict[str, Any]]:
    found = LINE.match(line)
    if found is None:
        raise forms.ValidationError(_("看不懂这一行：%(line)s"), params={"line": line})
    runs = [run for run in re.split(r"[、,，]", found["weeks"]) if run]
    arrangements = []
    for run in runs:
        first, _sep, last = re.sub(r"[–~]", "-", run).partition("-")
        if not first.isdigit() or (last and not last.isdigit()):
            raise forms.ValidationError(_("看不懂这一行：%(line)s"), params={"line": line})
        arrangements.append(
            {
                "start_week": int(first),
                "end_week": int(last or first),
                "week_type": PARITY[found["parity"]],
                "day_of_week": DAYS[found["day"]],
                "start_section": int(found["first"]),
                "end_section": int(found["last"]),
                **({"location": found["place"]} if found["place"] else {}),
            }
        )
    return arrangements


def write_meetings(shown: CourseObject) -> str:
    """The weekly meetings of a course as lines that the form reads back."""
    lines = []
    for one in shown["arrangements"]:
        day = "一二三四五六日"[one["day_of_week"] - 1]
        place = f", {one['location']}" if one["location"] else ""
        lines.append(f"{day}, {one['start_section']}-{one['end_section']}, {_write_weeks(one['weeks'])}{place}")
    return "\n".join(lines)


def _write_weeks(weeks: Sequence[int]) -> str:
    if {after - before for before, after in pairwise(weeks)} == {2}:
        return f"{weeks[0]}-{weeks[-1]} {'单' if weeks[0] % 2 else '双'}"
    return "、".join(f"{first}-{last}" if last > first else f"{first}" for first, last in _runs(weeks))


def _runs(weeks: Iterable[int]) -> list[tuple[int, int]]:
    """Weeks as runs of consecutive ones."""
    runs: list[tuple[int, int]] = []
    for week in weeks:
        if runs and runs[-1][1] == week - 1:
            runs[-1] = (runs[-1][0], week)
        else:
            runs.append((week, week))
    return runs

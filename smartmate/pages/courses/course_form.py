"""The form of a course: its fields, and its weekly meetings as rows of day, sections, weeks and place."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from schedules.models import Course, Semester
from schedules.presentation.shapes.courses import WeeklyMeeting
from schedules.services.courses.writes import CourseValues
from smartmate.pages.forms.merge_form import MergeForm
from smartmate.pages.tasks.task_form import WEEKDAYS
from taskclasses.shapes import Conflict

ROWS_MAX = 40
NONE = ("", "–")
SELECTS = ("day", "first", "last")
PLAIN = ("name", "teacher", "location", "can_be_embedded", "note")


class MeetingForm(forms.Form):
    """Reads one weekly meeting. A row without a day is none; without weeks it is held in all of them."""

    day = forms.TypedChoiceField(
        label=_("星期"), choices=(NONE, *WEEKDAYS), coerce=int, empty_value=None, required=False
    )
    first = forms.TypedChoiceField(label=_("从第几节"), coerce=int, empty_value=None, required=False)
    last = forms.TypedChoiceField(label=_("到第几节"), coerce=int, empty_value=None, required=False)
    location = forms.CharField(label=_("地点"), max_length=255, required=False)
    weeks = forms.TypedMultipleChoiceField(
        label=_("周次，不选就是每周"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    remove = forms.BooleanField(label=_("去掉这个时间"), required=False)

    def __init__(self, *args: Any, semester: Semester, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        times = enumerate(semester.section_times, 1)
        sections = [NONE, *((number, f"{number} · {begin}–{end}") for number, (begin, end) in times)]
        self.fields["first"].choices = self.fields["last"].choices = sections  # type: ignore[attr-defined]
        self._all = range(1, semester.weeks + 1)
        self.fields["weeks"].choices = [(week, str(week)) for week in self._all]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        said = super().clean() or self.cleaned_data
        if self.is_there() and not self.errors:
            first, last = said["first"], said["last"]
            for name in ("first", "last"):
                if said.get(name) is None:
                    self.add_error(name, _("选一节。"))
            if None not in (first, last) and last < first:
                self.add_error("last", _("结束不能早于开始。"))
        return said

    def is_there(self) -> bool:
        return self.cleaned_data.get("day") is not None and not self.cleaned_data.get("remove")

    def is_at(self, place: Conflict) -> bool:
        """Tells whether the meeting has a lesson at a place."""
        said = self.cleaned_data
        time = (said.get("day"), said.get("first"), said.get("last"))
        held = place["week"] in (said.get("weeks") or self._all)
        return self.is_there() and held and time == (place["day_of_week"], place["section_from"], place["section_to"])

    def mark_time(self, sentence: str) -> None:
        """Says a sentence beside the day, and marks the sections with it."""
        self.add_error("day", sentence)
        for name in ("first", "last"):
            self.fields[name].widget.attrs["aria-invalid"] = "true"

    def arrangement(self) -> dict[str, Any]:
        """Returns the meeting in the words of the JSON form of courses."""
        said = self.cleaned_data
        return {
            "day_of_week": said["day"],
            "start_section": said["first"],
            "end_section": said["last"],
            "weeks": said["weeks"] or list(self._all),
            **({"location": said["location"]} if said["location"] else {}),
        }


class CourseForm(MergeForm):
    """Reads a course. Its meetings are merged with those of another window as lines of `times`, one for each."""

    name = forms.CharField(label=_("课程名称"), max_length=255)
    teacher = forms.CharField(label=_("教师"), max_length=255, required=False)
    location = forms.CharField(label=_("地点"), max_length=255, required=False)
    can_be_embedded = forms.BooleanField(label=_("上这门课时可以做任务"), required=False)
    note = forms.CharField(label=_("备注"), max_length=1000, required=False)
    times = forms.CharField(required=False)

    def __init__(
        self,
        data: Any = None,
        *,
        semester: Semester,
        row: Course | None = None,
        arrangements: Sequence[WeeklyMeeting] = (),
        more: int = 0,
        least: int = 1,
    ) -> None:
        """Makes the form; `more` rows stand behind those that were sent, or are stored; without `data` there are
        at least `least` rows."""
        stored = [_initial(one, "" if row is None else row.location) for one in arrangements]
        initial = {} if row is None else {name: getattr(row, name) for name in PLAIN}
        initial["times"] = "\n".join(_write_meeting(one) for one in stored)
        sent = "" if data is None else "\n".join(_sent_meetings(data, semester.weeks))
        if data is not None:
            data = data.copy()
            data["times"] = sent
        super().__init__(data, stored=row is not None, initial=initial)
        # A field of which nothing is left has no text at all.
        if data is not None and (merged := self.data.get("times", "")) != sent:
            _send_meetings(self.data, merged)
        count = count_rows(self.data) if data is not None else max(1, least, len(stored))
        self.calendar = semester.calendar
        self.meetings = [
            MeetingForm(
                self.data if number < count and data is not None else None,
                prefix=f"m{number}",
                initial=stored[number] if number < len(stored) else None,
                semester=semester,
            )
            for number in range(min(count + more, ROWS_MAX))
        ]

    def is_valid(self) -> bool:
        valid = [meeting.is_valid() for meeting in self.meetings if meeting.is_bound]
        return super().is_valid() and all(valid)

    def has_faults(self) -> bool:
        return bool(self.errors) or any(meeting.errors for meeting in self.meetings)

    def mark_clashes(self, conflicts: Iterable[Conflict]) -> None:
        """Marks the meetings that clash with something, each with what that is."""
        names: dict[int, list[str]] = {}
        for one in conflicts:
            for number, meeting in enumerate(self.meetings):
                if meeting.is_at(one):
                    names.setdefault(number, []).append(one["with"]["name"] if one["with"] else "")
        for number, found in names.items():
            told = gettext("、").join(gettext("「%(name)s」") % {"name": name} for name in dict.fromkeys(found))
            self.meetings[number].mark_time(gettext("这个时间和%(names)s冲突。") % {"names": told})

    def values(self) -> CourseValues:
        there = [meeting.arrangement() for meeting in self.meetings if meeting.is_there()]
        return CourseValues(arrangements=there, **{name: self.cleaned_data[name] for name in PLAIN})

    def _merge_lines(self, name: str, *texts: Sequence[str]) -> list[str] | None:
        """Returns the meetings with both changes, in whatever order they stand; None where both changed one of them."""
        if name != "times":
            return super()._merge_lines(name, *texts)
        was, now, said = ("".join(text).splitlines() for text in texts)
        if set(was) - set(now) & set(was) - set(said):
            return None
        own = [line for line in said if line in now or line not in was]
        return ["\n".join([*own, *(line for line in now if line not in was and line not in said)])]

    def _words_of(self, name: str) -> str:
        """Returns what is stored in a field in words; the meetings stand in the rows."""
        return "" if name == "times" else super()._words_of(name)


def _initial(one: WeeklyMeeting, place: str) -> dict[str, Any]:
    """Returns what the row of a meeting shows; a meeting at the course's own place names none, so that it goes along
    when the course gets another."""
    return {
        "day": one["day_of_week"],
        "first": one["start_section"],
        "last": one["end_section"],
        "location": "" if one["location"] == place else one["location"],
        "weeks": one["weeks"],
    }


def _write_meeting(row: dict[str, Any]) -> str:
    """Writes a row as one line; two rows of one meeting are the same line."""
    told = [str(row[name]).strip() for name in (*SELECTS, "location")]
    return json.dumps([*told, [str(week) for week in row["weeks"]]])


def _sent_meetings(data: Any, weeks: int) -> Iterator[str]:
    """Writes the rows that were sent and are meetings as lines."""
    for number in range(count_rows(data)):
        row = {name: data.get(f"m{number}-{name}", "") for name in (*SELECTS, "location")}
        if row["day"] and not data.get(f"m{number}-remove"):
            yield _write_meeting({**row, "weeks": data.getlist(f"m{number}-weeks") or range(1, weeks + 1)})


def _send_meetings(data: Any, lines: str) -> None:
    """Puts lines into the rows of what was sent."""
    rows = [json.loads(line) for line in lines.splitlines()]
    data["rows"] = str(len(rows) or 1)
    for number, (*told, weeks) in enumerate(rows or [["", "", "", "", []]]):
        for name, value in zip((*SELECTS, "location"), told, strict=True):
            data[f"m{number}-{name}"] = value
        data.setlist(f"m{number}-weeks", weeks)
        data.pop(f"m{number}-remove", None)


def count_rows(data: Any) -> int:
    """Counts the rows that were sent, or that an address names."""
    told = str(data.get("rows", ""))
    return min(int(told), ROWS_MAX) if told.isascii() and told.isdigit() else 1

"""Courses from a file, a picture or a pasted timetable: what it would bring, mends taken one by one, then the write.

It needs no scripts: a file that was looked at is held until it is imported.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views import View

from agent.pictures import sees_pictures
from schedules.calendars.files import FORMATS, IMAGE, SUFFIXES, WHOLE
from schedules.calendars.mends import ID
from schedules.calendars.patterns import meeting_in_words
from schedules.calendars.readers.pasted_courses import TEXT_MAX
from schedules.calendars.rows import FILE_MAX
from schedules.models import Semester
from schedules.presentation.shapes.imports import ImportMend, ImportReport, Meeting, MissingMeeting
from schedules.selectors import semester_current
from schedules.services import courses_import
from schedules.services.courses.reading import ReadFile, file_read, paste_read
from smartmate.pages.courses.file_words import row_words
from smartmate.pages.courses.held_file import HeldFile, file_forget, file_held, file_hold
from smartmate.pages.courses.words import released_sentences
from smartmate.pages.forms.messages import go_back, tell_done
from smartmate.pages.forms.refusals import attempt, locale

BAD = ("invalid", "conflict")
REPLACE = "replace"
PICTURES = frozenset(suffix for suffix, form in SUFFIXES.items() if form == IMAGE)


class ImportForm(forms.Form):
    """Reads a file, chosen now or `held` since the last look, or else the pasted text."""

    upload = forms.FileField(label=_("课表文件"), required=False, allow_empty_file=True)
    held = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    text = forms.CharField(
        label=_("或者粘贴课表"),
        max_length=TEXT_MAX,
        strip=False,
        required=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text=_(
            "从教务系统的课表网页或表格里全选、复制，再粘贴到这里。也可以粘贴网页源代码或 JSON，"
            "或者一行写一门课：高数 周一1-2节 1-16周 教1-101。"
        ),
    )
    markup = forms.CharField(strip=False, required=False, widget=forms.HiddenInput)
    """The pasted text as the page or the spreadsheet had it; empty where the student typed it."""
    skip = forms.BooleanField(label=_("跳过有问题的行"), required=False)
    earlier = forms.ChoiceField(
        label=_("以前导入的课"),
        choices=(
            (REPLACE, _("按这个文件替换：改了的跟着改，没有的去掉")),
            ("add", _("只添加：以前导入的都留下，改了时间的课会有两份")),
        ),
        required=False,
        initial=REPLACE,
        widget=forms.RadioSelect,
        help_text=_("你自己加的课、起的名字、单独改过的课次和已写入的任务都不动。"),
    )

    def __init__(self, data: QueryDict | None = None, files: Any = None, *, user_id: int) -> None:
        if data is not None and "earlier" not in data:  # the first look offers what most want
            data = data.copy()
            data["earlier"] = REPLACE
        super().__init__(data, files)
        self._user_id = user_id
        self.fields["upload"].widget.attrs["accept"] = ",".join(_suffixes(pictures=sees_pictures()))
        self.file: HeldFile | None = None

    def clean_upload(self) -> Any:
        upload = self.cleaned_data["upload"]
        if upload is not None and upload.size > FILE_MAX:
            raise forms.ValidationError(_("文件太大，最多 5 MB。"))
        return upload

    def clean(self) -> dict[str, Any]:
        said = super().clean() or self.cleaned_data
        if self.errors:
            return said
        if said["upload"] is not None:
            self.file = HeldFile(said["upload"].name, said["upload"].read())
        elif said["held"]:
            self.file = file_held(self._user_id, said["held"])
            if self.file is None:
                raise forms.ValidationError(_("这个文件已经不在了，请再选一次。"))
        elif not said["text"].strip():
            raise forms.ValidationError(_("选一个文件，或者粘贴课表。"))
        return said


def _suffixes(*, pictures: bool) -> list[str]:
    """Returns the endings of names that can be read."""
    names = {*FORMATS, *SUFFIXES} - {"zhengfang", "paste", "wakeup"}
    return sorted(f".{name}" for name in names if pictures or name not in PICTURES)


class ImportPage(LoginRequiredMixin, View):
    """Answers POST: tells what would come; with `way` "write" it is written, if that was told before as it is now."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._show(ImportForm(user_id=self._user.pk), None)

    def post(self, request: HttpRequest) -> HttpResponse:
        form = ImportForm(request.POST, request.FILES, user_id=self._user.pk)
        if not form.is_valid():
            return self._show(form, None)
        if form.cleaned_data["upload"] is not None and form.file is not None:
            file_hold(self._user.pk, form.file)
        semester = semester_current(self._user.pk)
        read = attempt(form, lambda: self._read(form, semester))
        if read is None:
            form.file = None
            return self._show(form, None)
        found = attempt(form, lambda: self._import(form, read, semester, dry_run=True), semester.calendar)
        wished = request.POST.get("way") == "write"
        if found is None or not wished:
            return self._show(form, found)
        if request.POST.get("seen") != self._mark(form):
            form.add_error(None, gettext("勾选变了，先看看现在会导入什么，再按一次导入。"))
            return self._show(form, found)
        written = attempt(form, lambda: self._import(form, read, semester, dry_run=False), semester.calendar)
        if written is None:
            return self._show(form, found)
        file_forget(self._user.pk)
        tell_done(request, _written_words(written), written["batch_id"])
        return go_back(request, "courses")

    @property
    def _user(self) -> Any:
        return self.request.user

    def _read(self, form: ImportForm, semester: Semester) -> ReadFile:
        calendar = semester.calendar
        if form.file is None:
            said = form.cleaned_data
            rows = paste_read(said["text"], markup=said["markup"], calendar=calendar, locale=locale())
            return ReadFile("paste", rows)
        return file_read(
            user_id=self._user.pk, name=form.file.name, data=form.file.data, calendar=calendar, locale=locale()
        )

    def _import(self, form: ImportForm, read: ReadFile, semester: Semester, *, dry_run: bool) -> ImportReport:
        report = courses_import(
            user=self._user,
            rows=read.rows,
            semester_id=semester.pk,
            dry_run=dry_run,
            skip_invalid=form.cleaned_data["skip"],
            whole=read.form in WHOLE,
            mends=self._mends(),
            replace=form.cleaned_data["earlier"] == REPLACE,
            locale=locale(),
        )
        return {**report, "picture": read.picture}

    def _mends(self) -> frozenset[str]:
        return frozenset(name for name in self.request.POST.getlist("mends") if ID.fullmatch(name))

    def _mark(self, form: ImportForm) -> str:
        """Returns file or text and what was ticked, as a short text: what was told is what may be written."""
        pasted = [self.request.POST.get(name, "") for name in ("text", "markup")]
        source = pasted if form.file is None else form.file.mark
        told = (source, sorted(self._mends()), form.data["earlier"])
        return hashlib.sha256(repr(told).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def _show(self, form: ImportForm, report: ImportReport | None) -> HttpResponse:
        shown: dict[str, Any] = {
            "form": form,
            "report": report,
            "tab": "import",
            "pictures": sees_pictures(),
            "next": self.request.POST.get("next") or self.request.GET.get("next", ""),
            "semester": semester_current(self._user.pk),
        }
        if report is not None:
            shown["seen"] = self._mark(form)
            offered: dict[int, list[ImportMend]] = defaultdict(list)
            for mend in report["mends"]:
                offered[mend["row"]].append(mend)
            rows = _rows_told(report, offered)
            # What is left is about the whole text, or about a row that a mend took out of it.
            shown |= {
                "rows": rows,
                "general": [mend for mends in offered.values() for mend in mends],
                "bad": sum(row["status"] in BAD for row in report["rows"]),
                "kept": sum(change["kept"] for change in report["changes"]),
                "missing": _meetings_told(report["missing"]),
                "renewed": _renewal_told(report),
                "released": released_sentences(len(report["released_task_item_ids"])),
            }
        return render(self.request, "courses/import.html", shown, status=422 if form.errors else 200)


def _rows_told(report: ImportReport, offered: dict[int, list[ImportMend]]) -> list[dict[str, Any]]:
    """Returns the rows of a report, the doubtful ones first; a row's mends stand at its first line.

    The pattern of a row that is not understood is what a mend would make of it: what the file says stands in its place.
    """
    ordered = sorted(report["rows"], key=lambda row: row["status"] not in BAD)
    return [
        {
            **row,
            "time": (row["text"] if row["status"] == "invalid" else "") or row["pattern"] or row["text"],
            "fault": row_words(row),
            "mends": offered.pop(row["row"], []),
        }
        for row in ordered
    ]


def _meetings_told(meetings: Sequence[MissingMeeting]) -> list[dict[str, str]]:
    """Returns what was imported before and is not in a file."""
    return [{"name": one["name"], "when": _when(one["weeks"], one)} for one in meetings]


def _renewal_told(report: ImportReport) -> dict[str, Any] | None:
    """Returns what a file has elsewhere and no more of what was imported before, and how many lessons that is."""
    if not report["moved"] and not report["gone"] and not report["teachers"]:
        return None
    moved = [
        {
            "name": one["name"],
            "from": _when(one["weeks"], one["from"]),
            "to": _when(one["weeks"], one["to"]),
            "room": one["to"]["location"] if one["to"]["location"] != one["from"]["location"] else "",
        }
        for one in report["moved"]
    ]
    gone = _meetings_told(report["gone"])
    return {"moved": moved, "gone": gone, "teachers": report["teachers"], **_counts(report)}


def _counts(report: ImportReport) -> dict[str, int]:
    """Returns how many lessons are new, changed and removed when a file replaces earlier ones."""
    moved = {pk: _time(one["from"]) != _time(one["to"]) for one in report["moved"] for pk in one["event_ids"]}
    gone = sum(len(one["event_ids"]) for one in report["gone"])
    return {"new": report["events"] - sum(moved.values()), "changed": len(moved), "removed": gone}


def _written_words(report: ImportReport) -> str:
    if report["replace"] and (report["moved"] or report["gone"]):
        return gettext("已按文件更新课表：新增 %(new)s 节，改 %(changed)s 节，去掉 %(removed)s 节") % _counts(report)
    if report["replace"] and report["teachers"]:
        return gettext("已按文件更新课表")
    return gettext("已导入 %(lessons)s 节课") % {"lessons": report["events"]}


def _time(one: Meeting | MissingMeeting) -> tuple[int, int, int]:
    return one["day_of_week"], one["section_from"], one["section_to"]


def _when(weeks: Sequence[int], one: Meeting | MissingMeeting) -> str:
    weekday, first, last = _time(one)
    return meeting_in_words(weeks, weekday, (first, last), locale())

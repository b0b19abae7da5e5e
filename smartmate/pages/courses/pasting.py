"""Courses from a pasted timetable: what it would bring, mends taken one by one, then the write. It needs no scripts."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from typing import Any

from django import forms
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views import View

from schedules.calendars.mends import ID
from schedules.calendars.readers.pasted_courses import TEXT_MAX
from schedules.selectors import semester_current
from schedules.services import courses_import
from schedules.services.courses.reading import paste_read
from schedules.shapes import ImportMend, ImportReport
from smartmate.pages.coded import attempt, locale
from smartmate.pages.told import tell_done

BAD = ("invalid", "conflict")


class PasteForm(forms.Form):
    text = forms.CharField(
        label=_("课表"),
        max_length=TEXT_MAX,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
        help_text=_("从教务系统的课表网页或表格里全选、复制，再粘贴到这里。也可以粘贴网页源代码或 JSON。"),
    )
    skip = forms.BooleanField(label=_("跳过有问题的行"), required=False)


class PastePage(LoginRequiredMixin, View):
    """POST tells what the text would bring; with `way` "write" it is written, if that was told before as it is now."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._show(PasteForm(), None)

    def post(self, request: HttpRequest) -> HttpResponse:
        form = PasteForm(request.POST)
        if not form.is_valid():
            return self._show(form, None)
        found = attempt(form, lambda: self._import(form, dry_run=True))
        wished = request.POST.get("way") == "write"
        if found is None or not wished:
            return self._show(form, found)
        if request.POST.get("seen") != self._mark():
            form.add_error(None, gettext("勾选变了，先看看现在会导入什么，再按一次导入。"))
            return self._show(form, found)
        written = attempt(form, lambda: self._import(form, dry_run=False))
        if written is None:
            return self._show(form, found)
        tell_done(request, gettext("已导入 %(lessons)s 节课") % {"lessons": written["events"]}, written["batch_id"])
        return redirect("courses")

    def _import(self, form: PasteForm, *, dry_run: bool) -> ImportReport:
        user: Any = self.request.user
        semester = semester_current(user.pk)
        rows = paste_read(form.cleaned_data["text"], grid=semester.calendar.grid, locale=locale())
        return courses_import(
            user=user,
            rows=rows,
            semester_id=semester.pk,
            dry_run=dry_run,
            skip_invalid=form.cleaned_data["skip"],
            mends=self._mends(),
            locale=locale(),
        )

    def _mends(self) -> frozenset[str]:
        return frozenset(name for name in self.request.POST.getlist("mends") if ID.fullmatch(name))

    def _mark(self) -> str:
        """The text and the mends, as a short text: what was told is what may be written."""
        told = (self.request.POST.get("text", ""), sorted(self._mends()))
        return hashlib.sha256(repr(told).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def _show(self, form: PasteForm, report: ImportReport | None) -> HttpResponse:
        shown: dict[str, Any] = {"form": form, "report": report, "tab": "import", "seen": self._mark()}
        shown["semester"] = semester_current(self.request.user.pk)  # type: ignore[arg-type]
        if report is not None:
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
            }
        return render(self.request, "courses/paste.html", shown, status=422 if form.errors else 200)


def _rows_told(report: ImportReport, offered: dict[int, list[ImportMend]]) -> list[dict[str, Any]]:
    """The rows of a report, the doubtful ones first; a row's mends stand at its first line."""
    ordered = sorted(report["rows"], key=lambda row: row["status"] not in BAD)
    return [{**row, "mends": offered.pop(row["row"], [])} for row in ordered]

"""The way back of an archive: a file that was downloaded here or elsewhere, into an account that has nothing yet."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views import View

from smartmate.archive.files import BODY_MAX, file_read
from smartmate.archive.restoring import archive_restore
from smartmate.pages.forms.messages import tell_done, tell_refused
from taskclasses.kernel.errors import CodedError


class ArchiveRestorePage(LoginRequiredMixin, View):
    body_max = BODY_MAX

    def get(self, request: HttpRequest) -> HttpResponse:
        return redirect("settings")

    def post(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        try:
            rows = archive_restore(user=user, document=file_read(request.FILES.get("file")))
        except CodedError as refusal:
            errors = refusal.data.get("errors", []) if isinstance(refusal.data, dict) else []
            if errors:
                why = " ".join(gettext(one["message"]) for one in errors)
                messages.error(request, gettext("没有导入：{why}").format(why=why))
            else:
                tell_refused(request, refusal)
            return redirect("settings")
        words = gettext("已导入：课程 {courses}，任务 {tasks}")
        tell_done(request, words.format(courses=rows["courses"], tasks=rows["task_classes"]))
        return redirect("today")

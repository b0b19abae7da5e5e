"""Earlier imports: all that one brought goes again, after a look at what that takes along."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from schedules.services import import_delete
from smartmate.pages.forms.trials import Effect, TrialPage


class ImportDeletePage(TrialPage):
    heading = _("删除这次导入的课？")  # type: ignore[assignment]

    def carry_out(self, form: Any, *, dry_run: bool, **named: Any) -> Effect:
        done = import_delete(user=self.user, batch_id=named["batch_id"], dry_run=dry_run)
        told = {"lessons": done.lessons, "courses": len(done.course_ids), "items": len(done.released)}
        words = gettext("%(lessons)s 节课和 %(courses)s 门课程会消失，课上的 %(items)s 项任务回到待安排。可以撤销。")
        return Effect([words % told], done.batch.pk if done.batch else None)

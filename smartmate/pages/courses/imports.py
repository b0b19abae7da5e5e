"""Earlier imports: all that one brought goes again, after a look at what that takes along."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from schedules.services import import_delete
from smartmate.pages.courses.words import lessons_words, released_sentences
from smartmate.pages.forms.trials import Effect, TrialPage


class ImportDeletePage(TrialPage):
    heading = _("删除这次导入的课？")  # type: ignore[assignment]

    def carry_out(self, form: Any, *, dry_run: bool, **named: Any) -> Effect:
        done = import_delete(user=self.user, batch_id=named["batch_id"], dry_run=dry_run)
        count = len(done.course_ids)
        courses = ngettext("%(count)s 门课程", "%(count)s 门课程", count) % {"count": count}
        told = {"lessons": lessons_words(done.lessons), "courses": courses}
        sentence = gettext("%(lessons)s和 %(courses)s会消失，可以撤销。") % told
        return Effect([sentence, *released_sentences(len(done.released))], done.batch.pk if done.batch else None)

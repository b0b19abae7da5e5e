"""USE CASE: a draft without a run, as it is made for a student's first task: the planner alone places the items."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import User

from agent.drafts.held_draft import draft_fresh, draft_store
from agent.models import Conversation
from schedules.planner.draft.adapter import apply_plan, problem_of
from schedules.planner.draft.load import load_state
from schedules.progress.standing_items import standing_classes
from schedules.selectors import facts_load, semester_current
from schedules.services.planning import check_size, classes_to_plan, timed_plan
from taskclasses.kernel.errors import CodedError
from taskclasses.kernel.i18n import text


def draft_plan(*, user: User, class_ids: Sequence[int], now: datetime, locale: str) -> str:
    """Opens a conversation whose draft has a place for what the named classes lack one; answers its id.

    What does not fit stays without a place. 40006 for too many items, 40040 for an unknown class, 40046 for one that is
    not planned.
    """
    classes = classes_to_plan(user, class_ids)
    semester = semester_current(user.pk)
    named = [row.pk for row in classes]
    scope = tuple(sorted({*standing_classes(user.pk), *named}))
    facts = facts_load(user_id=user.pk, class_ids=scope, semester=semester)
    before = load_state(facts, scope=scope, now=semester.calendar.now_cell(now))
    planned = apply_plan(before, timed_plan(check_size(problem_of(before, classes=named))))
    conversation = Conversation.objects.create(user=user, title=text("第一份计划", locale))
    held = draft_fresh(user, str(conversation.pk), before, semester, locale)
    if not draft_store(user, held, planned, who="student"):
        raise CodedError(50008)
    return str(conversation.pk)

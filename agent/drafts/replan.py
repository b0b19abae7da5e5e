"""USE CASE: life happens. An ask becomes a draft with its difference, by least change; nothing is applied.

The draft is that of a conversation; without one a new conversation is opened for it. A date of a class, a lesson or an
exam that the ask changes is stored first, for it is a fact; whether the plan follows, the student decides.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from django.contrib.auth.models import User

from agent.drafts.difference import describe_difference
from agent.drafts.held_draft import SAVE_ATTEMPTS, HeldDraft, draft_fresh, draft_load, draft_store
from agent.drafts.row_changes import Move, Moved, move_write
from agent.models import Conversation
from agent.runs.start import not_active
from agent.selectors import conversation_get
from agent.shapes import ReplannedDraft
from agent.tools.words.labels import REPLAN_KINDS
from agent.tools.words.replan import reason_text, sentences, stays_count
from schedules.models import ScheduleEvent, Semester
from schedules.planner.draft.load import load_state
from schedules.planner.draft.rebase import rebase
from schedules.planner.draft.state import ScheduleState
from schedules.planner.replan.asks import ReplanAsk, carry_out
from schedules.planner.replan.least_change import Replanned
from schedules.progress.standing_items import missed_items, standing_classes
from schedules.selectors import SemestersUsed, facts_load, semester_current, today_of
from schedules.services import class_replace
from schedules.services.classes import values_of
from schedules.services.planning import planners
from taskclasses.kernel.errors import CodedError, bad_request
from taskclasses.kernel.i18n import text
from taskclasses.models import TaskItem
from taskclasses.selectors import task_class_get


def draft_replan(
    *,
    user: User,
    ask: ReplanAsk,
    move: Move | None = None,
    conversation_id: str = "",
    now: datetime,
    locale: str,
) -> ReplannedDraft:
    """Makes the draft and answers what moves, what stays, what no longer fits and why.

    40401 for an unknown conversation, 40075 while it has a run, 40036 for unknown items, 40040 for an unknown class,
    40044, 40045 for dates that a class cannot have; what a lesson change and an exam are refused with.
    """
    conversation = conversation_get(user.pk, conversation_id) if conversation_id else None
    if conversation is not None:
        not_active(conversation)
    refuse_unknown_items(user, ask)
    changed = _store_dates(user, ask)
    held = None if conversation is None else draft_load(user, str(conversation.pk))
    semester = semester_asked(user, ask, now) if held is None else held.semester
    moved = move_write(user=user, move=move, semester=semester)
    conversation = conversation or _open(user, ask, locale)
    for _ in range(SAVE_ATTEMPTS):
        held, dropped = _hold(user, str(conversation.pk), ask, moved, now, locale)
        done = planners().call(
            carry_out,
            held.schedule,
            ask,
            held.semester.calendar,
            missed=missed_in(user, held.schedule, now),
            displaced={*moved.displaced, *dropped},
            followers=moved.class_ids,
        )
        if draft_store(user, held, done.state, who="student"):
            return _describe(replace(held, schedule=done.state), ask, done, changed, moved, locale)
    raise CodedError(50008)


def _open(user: User, ask: ReplanAsk, locale: str) -> Conversation:
    return Conversation.objects.create(user=user, title=text(REPLAN_KINDS[ask.kind], locale))


def _store_dates(user: User, ask: ReplanAsk) -> dict[str, Any] | None:
    """Gives a class its new first or last day; answers what it was and is, None when the ask changes no class."""
    if ask.task_class_id is None:
        if ask.kind in ("finish_first", "deadline", "start"):
            raise bad_request("task_class_id", "缺少该字段")
        return None
    row = task_class_get(user=user, class_id=ask.task_class_id)
    if ask.kind not in ("deadline", "start"):
        return None
    day = ask.date or _monday(user, ask)
    if day is None:
        raise bad_request("date", "缺少该字段")
    name = "end_date" if ask.kind == "deadline" else "start_date"
    before: date | None = getattr(row, name)
    if before != day:
        values = values_of(row)
        values = replace(values, end_date=day) if ask.kind == "deadline" else replace(values, start_date=day)
        class_replace(user=user, class_id=row.pk, values=values)
    return {
        "task_class_id": row.pk,
        "field": name,
        "before": before.isoformat() if before else None,
        "after": day.isoformat(),
    }


def _monday(user: User, ask: ReplanAsk) -> date | None:
    return None if ask.week is None else semester_current(user.pk).calendar.date_of(7 * (ask.week - 1) + 1)


def semester_asked(user: User, ask: ReplanAsk, now: datetime) -> Semester:
    """Returns the semester that an ask is about: its days lie in it, or today does for what was missed; else the
    current one. Between two semesters what was missed stands in the one that is over."""
    current = semester_current(user.pk)
    semesters = SemestersUsed(user.pk, current)
    if ask.kind not in ("missed", "rest"):
        return semesters.find(ask.first_date, ask.last_date)
    today = today_of(current.calendar, now)[0]
    found = semesters.find(today)
    if found.first_monday <= today <= found.calendar.last_day:
        return found
    last = ScheduleEvent.objects.filter(user=user, start_at__lt=now).select_related("semester").order_by("start_at")
    event = last.last()
    return current if event is None else event.semester


def refuse_unknown_items(user: User, ask: ReplanAsk) -> None:
    """Raises 40036 for items that are not the student's."""
    ids = set(ask.item_ids or ())
    if TaskItem.objects.filter(pk__in=ids, task_class__user=user).count() < len(ids):
        raise CodedError(40036)


def _hold(
    user: User, conversation_id: str, ask: ReplanAsk, moved: Moved, now: datetime, locale: str
) -> tuple[HeldDraft, list[int]]:
    """Returns the conversation's draft on the newest rows and now, with every class that has something on the
    timetable.

    Beside it the suggestions that lost their place on the newest rows.
    """
    held = draft_load(user, conversation_id)
    semester = semester_asked(user, ask, now) if held is None else held.semester
    scope = scope_of(user, ask, moved.displaced, () if held is None else held.schedule.scope)
    needed = frozenset() if held is None else held.schedule.needed_classes
    facts = facts_load(user_id=user.pk, class_ids=needed.union(scope), semester=semester)
    cell = semester.calendar.now_cell(now)
    if held is not None:
        renewed = rebase(held.schedule, facts, now=cell, scope=scope, take_up=True)
        return replace(held, schedule=renewed.state), [one.item_id for one in renewed.dropped]
    return draft_fresh(user, conversation_id, load_state(facts, scope=scope, now=cell), semester, locale), []


def scope_of(
    user: User, ask: ReplanAsk, displaced: Collection[int] = (), known: tuple[int, ...] = ()
) -> tuple[int, ...]:
    """Returns the classes that an ask concerns: all with something on the timetable, and those of what it names."""
    found = {*known, *standing_classes(user.pk)}
    named = {*(ask.item_ids or ()), *displaced}
    if named:
        found |= set(TaskItem.objects.filter(pk__in=named).values_list("task_class_id", flat=True))
    return tuple(sorted(found | ({ask.task_class_id} if ask.task_class_id else set())))


def missed_in(user: User, schedule: ScheduleState, now: datetime) -> tuple[int, ...]:
    """Returns the items of the draft that count as missed now; one that the draft has moved on already is picked up."""
    standing = [entry.source_id for entry in schedule.items() if entry.status == "existing"]
    return tuple(missed_items(user.pk, standing, now))


def _describe(
    held: HeldDraft, ask: ReplanAsk, done: Replanned, changed: dict[str, Any] | None, moved: Moved, locale: str
) -> ReplannedDraft:
    calendar = held.semester.calendar
    return {
        "conversation_id": held.state.conversation.id,
        "revision": held.schedule.revision,
        "kind": ask.kind,
        "moves": [
            {
                "task_item_id": change.item_id,
                "task_class_id": change.class_id,
                "name": change.name,
                "op": change.op,
                "reason": reason_text(done.reasons.get(change.item_id, ""), locale),
            }
            for change in done.changes
        ],
        "stays": stays_count(done),
        "left": [
            {"task_item_id": item, "rule": rule, "reason": reason_text(rule, locale)}
            for item, rule in done.left.items()
        ],
        "sentences": [*moved.tell(locale), *sentences(done, calendar, locale)],
        "class_change": changed,  # type: ignore[typeddict-item]
        "lesson_change": moved.lesson,
        "exam_change": moved.exam,
        "calendar_change": moved.calendar,
        "difference": describe_difference(held, locale),
    }

"""An item in what it is looked at: the draft of a conversation, or the timetable."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from agent.drafts.held_draft import draft_current
from schedules.models import Semester
from schedules.planner.draft.load import load_state
from schedules.planner.draft.state import ScheduleState, TaskEntry, Window
from schedules.selectors import facts_load, semester_named
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskItem

ITEM_NOT_IN_DRAFT, ITEM_NOT_FOUND = 40060, 40036


@dataclass(frozen=True)
class ChosenItem:
    """Holds an item of a student's, in the draft of a conversation or, when none is named, on a timetable."""

    user: User
    task_item_id: int
    conversation_id: str
    semester_id: int | None
    now: datetime


@dataclass(frozen=True)
class Scene:
    """Tells what an item is looked at in: a conversation's draft, or the timetable as a draft without changes."""

    state: ScheduleState
    semester: Semester
    entry: TaskEntry
    revision: int | None


def scene_load(item: ChosenItem) -> Scene:
    """Loads what the item is looked at in; 40058, 40060, 40041, 40036."""
    if item.conversation_id:
        held = draft_current(item.user, item.conversation_id)
        entry = held.schedule.by_item(item.task_item_id)
        if entry is None:
            raise CodedError(ITEM_NOT_IN_DRAFT, {"task_item_ids": [item.task_item_id]})
        return Scene(held.schedule, held.semester, entry, held.schedule.revision)
    semester = semester_named(item.user.pk, item.semester_id)
    mine = TaskItem.objects.filter(pk=item.task_item_id, task_class__user=item.user)
    class_id = mine.values_list("task_class_id", flat=True).first()
    if class_id is None:
        raise CodedError(ITEM_NOT_FOUND)
    facts = facts_load(user_id=item.user.pk, class_ids=[class_id], semester=semester)
    calendar = semester.calendar
    whole = Window(1, calendar.grid.days)
    state = load_state(facts, scope=[class_id], now=calendar.now_cell(item.now), window=whole)
    entry = state.by_item(item.task_item_id)
    if entry is None:
        raise CodedError(ITEM_NOT_FOUND)
    return Scene(state, semester, entry, None)

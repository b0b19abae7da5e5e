"""Steps that no longer stand on the timetable as their task wants them, since the task was changed."""

from __future__ import annotations

from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from schedules.planner.draft.load import load_state
from schedules.planner.draft.misfits import misfits_of
from schedules.planner.grid import week_and_weekday
from schedules.planner.rules.violations import Rule
from schedules.selectors import facts_load, semester_of_dates
from smartmate.pages.today.catching_up import mend_address
from taskclasses.models import TaskClass


def misfits_told(user: Any, row: TaskClass) -> SafeString:
    """Says how many steps still to come stand against what their task says, with the ways to mend that; "" for none.

    Where the student put a step against a wish by hand, it stays."""
    weeks = _find_weeks(user, row)
    if not weeks:
        return SafeString()
    told = ngettext(
        "有 {count} 项和任务现在的长度、顺序或不排的时间对不上。",
        "有 {count} 项和任务现在的长度、顺序或不排的时间对不上。",
        len(weeks),
    ).format(count=len(weeks))
    ways = {
        "address": mend_address(),
        "mend": gettext("重新安排这些"),
        "week": min(weeks),
        "move": gettext("在课表里移动"),
    }
    return format_html('{told} <a href="{address}">{mend}</a> <a href="/week/{week}">{move}</a>', told=told, **ways)


def _find_weeks(user: Any, row: TaskClass) -> list[int]:
    semester = semester_of_dates(user.pk, row.start_date, row.end_date)
    facts = facts_load(user_id=user.pk, class_ids=[row.pk], semester=semester)
    state = load_state(facts, scope=[row.pk], now=facts.now)
    # What stands outside the dates is told beside the items.
    own = [
        one
        for one in misfits_of(state)
        if one.entry.task_class_id == row.pk and set(one.rules) - {Rule.OUTSIDE_CLASS_WINDOW}
    ]
    return [week_and_weekday(place.day)[0] for one in own if (place := state.place_of(one.entry)) is not None]

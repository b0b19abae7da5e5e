"""Items to be caught up although their time is still to come: they were not missed, they get another time."""

from __future__ import annotations

from agent.llm.offline.goals.decisions import Decision, finish
from agent.llm.offline.goals.items.item_request import ItemRequest
from agent.llm.offline.goals.items.together import move_together
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.aims import aims_of
from agent.llm.offline.language.spans.happenings import days_in
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.targets import PlaceTarget
from agent.loop.view_document import TaskView

_CAUGHT_UP = ("catch_up", "mark_missed")


def move_ahead(brief: Brief, turn: str) -> Decision | None:
    """One card with other days for the items that are to be caught up, later ones where there are any; None where the
    time of one of them has begun, or a day is told."""
    rows = find_mentioned(turn, brief)
    if not rows or aims_of(turn, brief)[0][0] not in _CAUGHT_UP or days_in(turn, brief.term):
        return None
    if brief.done("move", "batch_move"):
        return finish(brief, "move: done")
    if not all(brief.is_ahead(row) for row in rows):
        return None
    for way in (1, 0):
        requests = [
            (row, ItemRequest("move", item=row, avoided=_own_day(row), other_day=True, way=way)) for row in rows
        ]
        if (moved := move_together(brief, requests, whole=False)) is not None:
            return moved
    return None


def _own_day(row: TaskView) -> list[PlaceTarget]:
    slot = row["slot"]
    return [PlaceTarget(week=slot["week"], days=(slot["day_of_week"],))] if slot else []

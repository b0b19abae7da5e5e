"""USE CASE: why an item stands where it stands, in one sentence and its parts."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User

from agent.hand.places import scene_load
from agent.shapes import WhyHere, WhyPart
from agent.tools.words.why import WhyWords
from schedules.planner.why import why
from taskclasses.kernel.errors import CodedError


def why_get(
    *,
    user: User,
    task_item_id: int,
    conversation_id: str = "",
    semester_id: int | None = None,
    now: datetime,
    locale: str = "zh",
) -> WhyHere:
    """Why a placed item stands there; 40077 `not_placed` for one without a place, else the refusals of its places."""
    scene = scene_load(
        user=user, task_item_id=task_item_id, conversation_id=conversation_id, semester_id=semester_id, now=now
    )
    found = why(scene.state, scene.entry)
    if found is None:
        raise CodedError(40077, {"reason": "not_placed", "conflicts": []})
    words = WhyWords(scene.state, scene.entry, found, calendar=scene.semester.calendar, locale=locale)
    parts: list[WhyPart] = [{**part} for part in words.parts()]
    return {"task_item_id": scene.entry.source_id, "message": words.sentence(), "parts": parts}

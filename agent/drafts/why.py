"""USE CASE: why an item stands where it stands, in one sentence and its parts."""

from __future__ import annotations

from agent.drafts.scene import ChosenItem, scene_load
from agent.shapes import WhyHere, WhyPart
from agent.tools.words.why import WhyWords
from schedules.planner.advice.why import why
from taskclasses.kernel.errors import NOT_PLACED, CodedError


def why_get(*, item: ChosenItem, locale: str) -> WhyHere:
    """Tells why a placed item stands there; 40077 `not_placed` for one without a place, else the refusals of its
    places."""
    scene = scene_load(item)
    found = why(scene.state, scene.entry)
    if found is None:
        raise CodedError(40077, {"reason": "not_placed", "conflicts": []}, message=NOT_PLACED)
    words = WhyWords(scene.state, scene.entry, found, calendar=scene.semester.calendar, locale=locale)
    parts: list[WhyPart] = [{**part} for part in words.parts()]
    return {"task_item_id": scene.entry.source_id, "message": words.sentence(), "parts": parts}

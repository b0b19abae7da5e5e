"""改回去, undo: the item that was moved last goes back to where it was."""

from __future__ import annotations

from dataclasses import dataclass

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.targets import PlaceTarget
from agent.loop.view_document import TaskView


@dataclass(frozen=True)
class FormerPlace:
    """An item and where it was before the last change; no place at all when `target` is None."""

    item: TaskView
    target: PlaceTarget | None


def find_former_place(brief: Brief) -> FormerPlace | None:
    """What would take the last change back, when that was one item moved, placed or taken out."""
    said = [turn["text"] for turn in brief.earlier if turn["role"] == "user"]
    if said and says("back", fold_text(said[-1])):
        return None
    change = brief.view["last_change"]
    item = next((row for row in brief.tasks if change and row["item_id"] == change["item_id"]), None)
    if change is None or item is None:
        return None
    before = change["before"]
    if before is None:
        return FormerPlace(item, None)
    sections = (before["section_from"], before["section_to"])
    return FormerPlace(item, PlaceTarget(week=before["week"], days=(before["day_of_week"],), sections=sections))

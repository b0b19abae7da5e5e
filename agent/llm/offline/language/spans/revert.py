"""What was changed in the draft before the goal, and where the item that was moved last goes back to: 改回去, undo."""

from __future__ import annotations

from dataclasses import dataclass

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.targets import PlaceTarget
from agent.loop.view_document import LogChangeView, PlaceView, TaskView

MOVES = ("unplace", "batch_unplace", "move", "batch_move", "place")
"""Tools that change where items are."""


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


def find_changes(brief: Brief) -> list[list[LogChangeView]]:
    """The changes of the draft before the goal that still hold, oldest first."""
    made = sum(row["tool"] in MOVES and row["status"] == "done" for row in brief.results)
    log = brief.view["draft_log"]
    return _without_undone(log[: len(log) - made])


def find_last_place(brief: Brief, item_id: int) -> PlaceView | None:
    """Where an item stood last, by the changes of the draft."""
    own = (one for entry in reversed(brief.view["draft_log"]) for one in entry if one["item_id"] == item_id)
    last = next(own, None)
    return last and (last["after"] or last["before"])


def _without_undone(log: list[list[LogChangeView]]) -> list[list[LogChangeView]]:
    """The changes that still hold: one that takes the change before it back is no change, nor is what it takes back."""
    stack: list[list[LogChangeView]] = []
    for entry in log:
        if (
            stack
            and _sides(entry, "before") == _sides(stack[-1], "after")
            and _sides(entry, "after") == _sides(stack[-1], "before")
        ):
            stack.pop()
        else:
            stack.append(entry)
    return stack


def _sides(entry: list[LogChangeView], side: str) -> dict[int, tuple[int, ...] | None]:
    found: dict[int, tuple[int, ...] | None] = {}
    for change in entry:
        place = change["before"] if side == "before" else change["after"]
        found[change["item_id"]] = place and (place["week"], place["day_of_week"], place["section_from"])
    return found

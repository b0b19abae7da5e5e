"""What was written beside the draft, with whether it still is as it was written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agent.loop.state.agent_state import AgentState
from agent.loop.state.conversation import PastValue
from agent.loop.view_document import PastValueView
from schedules.planner.soft_limits import KINDS
from taskclasses.shapes import ClassObject

MARK = "progress"
"""The field of what is said of an item; of a wish it is its kind, of a class the name of the field."""


def past_values_json(state: AgentState, classes: Sequence[ClassObject]) -> list[PastValueView]:
    """Returns the values that were written beside the draft, oldest first."""
    return [
        {
            "goal": value.goal, "tool": value.tool, "owner": value.owner, "field": value.field,
            "before": value.before, "after": value.after, "stands": is_standing(value, state, classes),
        }
        for value in state.conversation.past_values
    ]  # fmt: skip


def is_standing(value: PastValue, state: AgentState, classes: Sequence[ClassObject]) -> bool:
    """Tells whether a value is still as it was written; without a draft marks and wishes are taken to be."""
    if value.field not in (MARK, *KINDS):
        return _is_in_class(value, next((row for row in classes if row["id"] == value.owner), None))
    if state.schedule is None:
        return True
    if value.field in KINDS:
        held = [wish for wish in state.schedule.wishes if (wish.class_id or 0, wish.kind) == (value.owner, value.field)]
        return bool([{"value": wish.value, "hard_only": wish.hard_only} for wish in held] == value.after)
    entry = state.schedule.by_item(value.owner)
    # Who missed an item at another place than it has now has it open in the draft.
    elsewhere = entry is not None and not entry.mark and value.after["progress"] == "missed"
    return elsewhere or bool((entry.mark or "open" if entry else "done") == value.after["progress"])


def _is_in_class(value: PastValue, row: ClassObject | None) -> bool:
    if row is None or value.field == "":
        return row is not None
    if value.field != "items":
        return bool((row.get(value.field) or None) == (value.after or None))
    now = [_tell_item(item) for item in row["items"]]
    after = [_tell_item(item) for item in value.after]
    return len(now) == len(after) and all(
        one == other or (one[0] == other[0] and other[1] is None) for one, other in zip(now, after, strict=True)
    )


def _tell_item(item: Any) -> tuple[str, int | None]:
    """Returns an item by its name and its length: one that was added again has another id."""
    return item["content"], item.get("duration") or item.get("sections")

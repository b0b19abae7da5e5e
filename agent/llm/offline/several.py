"""Several items in one request: one after the other, each with its own card."""

from __future__ import annotations

from agent.llm.offline.brief import Brief, Json
from agent.llm.offline.deciding import Decision
from agent.llm.offline.local import carried_out, operation_of, understood
from agent.llm.offline.meant import parts_of

OTHER_PLACES = "query_available_slots"
ONE_ITEM = ("place", "move", "unplace")


def several(brief: Brief) -> Decision | None:
    """The next step for the first item that can go on as asked; a question only when none can.

    The order of a class may let its second item move only after its third. None when one item is meant.
    """
    operation = operation_of(brief)
    parts = parts_of(brief.turns[0], brief) if operation else []
    open_parts = [text for row, text in parts if not _done(brief, row)]
    if not open_parts or operation is None:
        return None
    made = [at for at, row in enumerate(brief.results, start=1) if _writes(row)]
    results = brief.results[made[-1] if made else 0 :]
    decisions = []
    for text in open_parts:
        part = brief.part([text, *_later(brief, parts)], results)
        decisions.append(carried_out(part, understood(part, operation_of(part) or operation)))
    return next((decision for decision in decisions if _goes_on(decision)), decisions[0])


def _goes_on(decision: Decision) -> bool:
    """Whether a step does not fall back on other places than those asked for."""
    return bool((decision.get("tool_call") or {"name": OTHER_PLACES})["name"] != OTHER_PLACES)


def more_left(brief: Brief) -> bool:
    """Whether a request about several items is not yet done for all of them."""
    parts = parts_of(brief.turns[0], brief) if operation_of(brief) else []
    return any(not _done(brief, row) for row, _ in parts)


def _done(brief: Brief, item: Json) -> bool:
    return any(_writes(row) and row["arguments"].get("task_id") == item["state_id"] for row in brief.results)


def _writes(row: Json) -> bool:
    return row["tool"] in ONE_ITEM and row["status"] == "done"


def _later(brief: Brief, parts: list[tuple[Json, str]]) -> list[str]:
    """What was said about the item at hand: every later turn for the first one, then the last turn if it came after
    the last item was done."""
    if not any(_done(brief, row) for row, _ in parts):
        return brief.turns[1:]
    last = brief.interaction or {}
    heard_at = int(last.get("results_at") or 0)
    answered = last.get("action") in ("reply", "reject") and len(brief.turns) > 1
    return brief.turns[-1:] if answered and not any(map(_writes, brief.results[heard_at:])) else []

"""Several items in one request: one after the other, each with its own card."""

from __future__ import annotations

from agent.llm.offline.goals.decisions import Decision, finish, give_up
from agent.llm.offline.goals.one_item import carry_out_request, operation_of, understand_request
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.references import parts_of
from agent.loop.view_document import ResultView, TaskView

OTHER_PLACES = "query_available_slots"
ONE_ITEM = ("place", "move", "unplace")


def several(brief: Brief) -> Decision | None:
    """The next step for the first item that can go on as asked; a question only when none can.

    The order of a class may let its second item move only after its third. None when one item is meant.
    """
    decisions = [decision for _, decision in _open(brief)]
    if not decisions:
        return None
    chosen = next((decision for decision in decisions if _goes_on(decision)), None)
    chosen = chosen or next((decision for decision in decisions if decision["action"] != "abort"), None)
    return chosen or _none_possible(brief, decisions)


def _open(brief: Brief) -> list[tuple[TaskView, Decision]]:
    """The items that are not done yet, each with the step that would be next for it alone."""
    operation = operation_of(brief)
    parts = parts_of(brief.turns[0], brief) if operation else []
    if operation is None:
        return []
    made = [at for at, row in enumerate(brief.results, start=1) if _writes(row)]
    results, later = brief.results[made[-1] if made else 0 :], _later(brief, parts)
    found = []
    for row, text in parts:
        if not _is_done(brief, row):
            part = brief.part([text, *later], results)
            found.append((row, carry_out_request(part, understand_request(part, operation_of(part) or operation))))
    return found


def _goes_on(decision: Decision) -> bool:
    """Whether a step does not fall back on other places than those asked for."""
    return bool((decision.get("tool_call") or {"name": OTHER_PLACES})["name"] != OTHER_PLACES)


def _none_possible(brief: Brief, decisions: list[Decision]) -> Decision:
    """Nothing more can be done: what was done is told at the end, else every item has its reason told."""
    if any(map(_writes, brief.results)):
        return finish(brief, brief.say("能做的都做了", "everything possible is done"))
    reasons = dict.fromkeys(str(decision["abort"]["user_message"]) for decision in decisions)
    return give_up(str(decisions[0]["abort"]["code"]), "\n".join(reasons))


def not_done(brief: Brief) -> str:
    """The items of a request about several that stay as they are, with the reason where there is one."""
    told = []
    for row, decision in _open(brief):
        reason = (decision.get("abort") or {}).get("user_message")
        named = brief.say(
            "没有改动：[{id}]{name}。", "Not changed: [{id}] {name}.", id=row["state_id"], name=row["name"]
        )
        told.append(named + brief.say("", " ") + str(reason or ""))
    return "\n".join(text.strip() for text in told)


def has_more_left(brief: Brief) -> bool:
    """Whether a request about several items is not yet done for all of them."""
    parts = parts_of(brief.turns[0], brief) if operation_of(brief) else []
    return any(not _is_done(brief, row) for row, _ in parts)


def _is_done(brief: Brief, item: TaskView) -> bool:
    return any(_writes(row) and row["arguments"].get("task_id") == item["state_id"] for row in brief.results)


def _writes(row: ResultView) -> bool:
    return row["tool"] in ONE_ITEM and row["status"] == "done"


def _later(brief: Brief, parts: list[tuple[TaskView, str]]) -> list[str]:
    """What was said about the item at hand: every later turn for the first one, then the last turn if it came after
    the last item was done."""
    if not any(_is_done(brief, row) for row, _ in parts):
        return brief.turns[1:]
    last = brief.interaction
    if not last or last["action"] not in ("reply", "reject") or len(brief.turns) < 2:
        return []
    return [] if any(map(_writes, brief.results[last["results_at"] :])) else brief.turns[-1:]

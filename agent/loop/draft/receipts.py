"""Receipts, progress and the react log: facts about a goal, written by code only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from agent.calls.kinds import Json
from agent.loop.draft.sync import places_of
from agent.loop.state.agent_state import AgentState
from agent.loop.state.run import Call, Receipt
from schedules.planner.draft.state import ScheduleState
from taskclasses.kernel.canonical_json import digest_of

SUMMARY = 200
KEPT = 24
"""Entries of the react log that keep their observation and data; more than any prompt shows."""


def call_key(state: AgentState, name: str, arguments: Json) -> str:
    """Returns identity of a call for the repeat guard: name, arguments and all it could depend on."""
    revision = None if state.schedule is None else state.schedule.revision
    context = {"queue": state.tools.queue, "active": state.tools.active}
    return f"{name}|{digest_of(arguments)}|{revision}|{digest_of(context)}"


def log_call(state: AgentState, call: Call, *, verdict: bool = False) -> None:
    """Appends an executed call; only the newest verdict and the last entries keep their whole data."""
    if verdict:
        state.run.calls = [_shorten_call(row) if row.tool == call.tool else row for row in state.run.calls]
    state.run.calls.append(call)
    if len(state.run.calls) > KEPT:
        state.run.calls[-KEPT - 1] = _summary_of(state.run.calls[-KEPT - 1])


def _summary_of(call: Call) -> Call:
    """Shortens an entry no prompt shows in full any more; what the goal made stays known."""
    if call.kind in ("rough_build", "sql_write"):
        return call
    return call.model_copy(update={"data": {}, "observation": call.summary})


def _shorten_call(call: Call) -> Call:
    if "decision" not in call.data:
        return call
    kept = {key: call.data[key] for key in ("verdict", "revision") if key in call.data}
    return call.model_copy(update={"data": kept})


def add_receipt(
    state: AgentState,
    *,
    source: Literal["tool_observation", "write_receipt", "user_reply"],
    name: str,
    arguments: Json,
    success: bool = True,
    summary: str = "",
    call_id: str = "",
    progress: bool = True,
) -> None:
    """Adds a receipt bound to the current step. A successful one clears the corrections; a new one is progress."""
    digest = digest_of(arguments)
    state.run.receipts.append(
        Receipt(
            step_index=state.plan.current,
            source=source,
            name=name,
            arguments_digest=digest,
            success=success,
            summary=summary[:SUMMARY],
            call_id=call_id,
        )
    )
    if not success:
        return
    clear_corrections(state)
    revision = None if state.schedule is None else state.schedule.revision
    key = f"{name}|{digest}|{revision}"
    if key not in state.run.seen_receipts:
        state.run.seen_receipts.append(key)
        if progress:
            state.run.idle_rounds = 0


def clear_corrections(state: AgentState) -> None:
    state.run.corrections, state.run.corrections_total = {}, 0


def has_evidence(state: AgentState) -> bool:
    """Tells whether the current step has a successful receipt."""
    return any(row.success and row.step_index == state.plan.current for row in state.run.receipts)


def is_progress(state: AgentState, before: ScheduleState | None) -> bool:
    """Tells whether a write put an item somewhere it has not been in this goal; remembers where everything stands
    now."""
    was, now = places_of(before), places_of(state.schedule)
    moved = [key for key in {*was, *now} if was.get(key) != now.get(key)]
    places = {_place_key(key, now.get(key)) for key in moved}
    fresh = not moved or bool(places - set(state.run.seen_places))
    remember_places(state, moved, was)
    remember_places(state, moved, now)
    return fresh


def remember_places(state: AgentState, keys: Iterable[str], places: dict[str, list[int]]) -> None:
    known = set(state.run.seen_places)
    state.run.seen_places += sorted({_place_key(key, places.get(key)) for key in keys} - known)


def _place_key(item: str, place: list[int] | None) -> str:
    return f"{item}@{place}"

"""Lifts stored state documents to the present version: pure functions v -> v + 1. Samples: tests/loop/samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from agent.loop.errors import UnknownVersion

Document = dict[str, Any]
Steps = Mapping[int, Callable[[Document], Document]]


def _drop_what_nothing_reads(document: Document) -> Document:
    """Makes version 2: an answer no longer counts the turns before it, a change of the draft no longer repeats what it
    dropped."""
    lifted = dict(document)
    run, draft = document.get("run"), document.get("draft")
    if run and run.get("interaction"):
        lifted["run"] = {**run, "interaction": _without(run["interaction"], "turns_at")}
    if draft and draft.get("log"):
        lifted["draft"] = {**draft, "log": [_without(entry, "dropped") for entry in draft["log"]]}
    return lifted


def _without(fields: Document, name: str) -> Document:
    return {key: value for key, value in fields.items() if key != name}


_STEP_KINDS = {
    "build": ("生成初稿", "Build a first plan"),
    "check": ("体检并微调", "Check and improve it"),
    "sum_up": ("核对结果", "Look over the result"),
}
"""How version 2 worded the fixed steps of a plan, which had no kind."""


def _name_steps_and_changes(document: Document) -> Document:
    """Makes version 3: the steps of a plan have kinds, and what a goal changed is stored beside its words."""
    lifted = dict(document)
    run, plan, draft = (document.get(part) or {} for part in ("run", "plan", "draft"))
    if plan.get("steps"):
        lifted["plan"] = {**plan, "steps": [{**step, "kind": _step_kind(step["content"])} for step in plan["steps"]]}
    change = _change_of_goal(run, draft.get("log") or [])
    if change:
        said = [turn for turn in document["conversation"]["dialogue"] if turn["role"] == "assistant"]
        lifted["run"] = {**run, "change": {**change, "told": said[-1]["text"] if said else ""}}
    return lifted


def _step_kind(content: str) -> str:
    return next((kind for kind, words in _STEP_KINDS.items() if content.startswith(words)), "")


def _change_of_goal(run: Document, log: list[Document]) -> Document | None:
    """Returns what the entries of the draft's log that the goal made add up to; None when it made none."""
    own = [entry for entry in log if entry["who"] == "agent" and entry["revision"] > (run.get("start_revision") or 0)]
    changes = [change for entry in own for change in entry["changes"]]
    if not run or not changes:
        return None
    if any(call["kind"] == "rough_build" and call["status"] == "done" for call in run.get("calls", [])):
        return {"kind": "build"}
    first, last = changes[0], changes[-1]
    if any(change["task_item_id"] != first["task_item_id"] for change in changes):
        return {"kind": "several"}
    before, after = _week_place(first["before"]), _week_place(last["after"])
    kind = "place" if before is None else "unplace" if after is None else "move"
    return {"kind": kind, "item_id": first["task_item_id"], "before": before, "after": after}


def _week_place(place: Document | None) -> Document | None:
    keys = ("week", "day_of_week", "section_from", "section_to")
    return None if place is None else {key: place[key] for key in keys}


def _add_keeping_to_items(document: Document) -> Document:
    """Makes version 4: the items of the draft say whether they are pinned and whether the student set them by hand."""
    draft = document.get("draft") or {}
    schedule = draft.get("schedule")
    if not schedule:
        return dict(document)
    keeping = {"pinned": False, "by_hand": False}
    tasks = [{**row, **keeping, "base": row["base"] and {**row["base"], **keeping}} for row in schedule["tasks"]]
    return {**document, "draft": {**draft, "schedule": {**schedule, "version": 2, "tasks": tasks}}}


_WRITING = ("draft_write", "sql_write")


def _tell_what_was_written(document: Document) -> Document:
    """Makes version 5: what was said last to the student tells which tools had written by then, what was said before
    tells of none."""
    run, conversation = document.get("run") or {}, document.get("conversation") or {}
    done = [call for call in run.get("calls") or [] if call["status"] == "done" and call["kind"] in _WRITING]
    turns = [{**turn, "wrote": turn.get("wrote", [])} for turn in conversation.get("dialogue") or []]
    told: Document = next((turn for turn in reversed(turns) if turn["role"] == "assistant"), {})
    told["wrote"] = told.get("wrote") or list(dict.fromkeys(call["tool"] for call in done))
    return {**document, "conversation": {**conversation, "dialogue": turns}}


VERSION = 5
MIGRATIONS: Steps = MappingProxyType({
    1: _drop_what_nothing_reads,
    2: _name_steps_and_changes,
    3: _add_keeping_to_items,
    4: _tell_what_was_written,
})  # fmt: skip
"""Version -> the function that makes the next version of a document. Each one comes with a stored sample."""


def migrate_draft(draft: Document, *, found: object) -> Document:
    """Lifts the draft part of a document of version `found` to the present version. Raises `UnknownVersion`."""
    lifted: Document = migrate_document({"version": found, "draft": draft})["draft"]
    return lifted


def migrate_document(document: Document, *, version: int = VERSION, steps: Steps = MIGRATIONS) -> Document:
    """Lifts the document to `version`. Raises `UnknownVersion` for a newer or unversioned one; the input is not
    changed."""
    found = document.get("version")
    if not isinstance(found, int) or isinstance(found, bool) or not 1 <= found <= version:
        raise UnknownVersion(f"state document of version {found!r}")
    for step in range(found, version):
        document = {**steps[step](document), "version": step + 1}
    return dict(document)

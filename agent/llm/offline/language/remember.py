"""What was read of messages is kept for as long as it is read from the same: the calls of a turn mostly are.

A turn asks the policy several times (what is wanted, each call of a tool, the summary), and each time the whole
conversation is read again. What reading goes by is mostly equal each time, so it is kept under that: `list_sources`.
"""

from __future__ import annotations

import marshal
from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

from agent.loop.view_document import TaskView, View

if TYPE_CHECKING:
    from agent.llm.offline.language.brief import Brief

Value = TypeVar("Value")
Found = dict[Any, Any]
"""What was found, by the function that found it and the message."""

_WRITES = frozenset([
    "smart_planning", "upsert_task_class", "delete_task_class", "mark_items", "replan", "place", "move", "batch_move",
    "unplace", "batch_unplace",
])  # fmt: skip
"""Tools of which reading asks whether the goal has called them: what they wrote was not there when the words were
said."""
_SOURCES = (
    *("now", "locale", "dialogue", "request", "turns", "message", "resumes", "last_change", "draft_log", "classes"),
    *("semester", "scope", "scope_given", "needs_rough_build", "already_built", "rough_build", "verdict"),
    "past_values",
)
"""Parts of a view that reading goes by, beside the draft and what the goal has changed."""
_OF_PLAN = ("now", "classes", "semester", "needs_rough_build", "already_built")
"""Those of them that tell what there is, whatever was said."""
_OF_DRAFT = ("placed", "suggested", "pending", "courses", "window", "tasks", "wishes")
_PLANNED = ("courses", "window", "tasks", "wishes")
"""Those parts of the draft that tell what there is."""
_CONVERSATIONS = 64
"""Sources of which the readings are kept, two for a call: what one process plays at the same time."""
_FORM = 2
"""Of what `marshal` writes: without references, so that equal values are written as the same bytes."""


def list_sources(view: View) -> bytes:
    """Answers the parts of a view that reading goes by, as bytes that are equal when they are."""
    draft = view["draft"]
    parts = [view[key] for key in _SOURCES]  # type: ignore[literal-required]
    told = draft and [draft[key] for key in _OF_DRAFT]  # type: ignore[literal-required]
    return marshal.dumps((parts, told, view["goal"]["changes"], _written(view)), _FORM)


class GoesByMoreError(Exception):
    """What is read goes by more than classes, draft and time."""


class _OfPlan(dict[str, Any]):
    """Parts of a view, or of its draft, beside which there is nothing to read."""

    def __missing__(self, key: str) -> NoReturn:
        raise GoesByMoreError(key)


def keep_plan(view: View) -> View:
    """Answers a view of classes, draft and time alone: who reads anything else of it raises `GoesByMoreError`."""
    draft = view["draft"]
    told = draft and _OfPlan({key: draft[key] for key in _PLANNED})  # type: ignore[literal-required]
    return cast("View", _OfPlan({**{key: view[key] for key in _OF_PLAN}, "draft": told}))  # type: ignore[literal-required]


def list_sources_of_plan(view: View, before: list[TaskView]) -> bytes:
    """Answers what a view of the plan alone tells, and where items were `before` the goal, as bytes that are equal when
    it is."""
    draft = view["draft"]
    parts = [view[key] for key in _OF_PLAN]  # type: ignore[literal-required]
    told = draft and [draft[key] for key in _PLANNED]  # type: ignore[literal-required]
    moved = None if draft and before == draft["tasks"] else before
    return marshal.dumps((parts, told, moved), _FORM)


def list_sources_of_part(view: View) -> bytes:
    """Answers what the view of a part of a request has of its own, as bytes that are equal when it is."""
    return marshal.dumps((view["request"], view["message"], view["turns"], _written(view)), _FORM)


def _written(view: View) -> list[tuple[str, str, Any]]:
    return [(row["tool"], row["status"], row["arguments"]) for row in view["last_results"] if is_write(row["tool"])]


def is_write(tool: str) -> bool:
    """Whether reading asks for calls of a tool."""
    return tool in _WRITES


class Findings:
    """Keeps what was read from the newest sources, for all threads of a process."""

    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, Found] = OrderedDict()
        self._lock = Lock()

    def find(self, sources: bytes) -> Found:
        """Answers what is kept of these sources, to be added to."""
        with self._lock:
            kept = self._kept.setdefault(sources, {})
            self._kept.move_to_end(sources)
            if len(self._kept) > _CONVERSATIONS:
                self._kept.popitem(last=False)
        return kept

    def forget(self) -> None:
        """Forgets everything: what is read next is read anew."""
        with self._lock:
            self._kept.clear()


FINDINGS = Findings()


def find_apart(found: Found, sources: object) -> Found:
    """Answers what was found, among this, by further sources."""
    apart: Found = found.setdefault(sources, {})
    return apart


def remember_found(read: Callable[[str, Brief], Value]) -> Callable[[str, Brief], Value]:
    """Makes a function of message and brief read each message once from the same sources; nobody may change what it
    answers."""
    found_by = f"{read.__module__}.{read.__name__}"

    @wraps(read)
    def find(message: str, brief: Brief) -> Value:
        known: dict[str, Value] = brief.found.setdefault(found_by, {})
        if message not in known:
            known[message] = read(message, brief)
        return known[message]

    return find


_MORE = object()
"""Stands for what a function finds by more than the plan."""


def remember_of_plan(read: Callable[[str, Brief], Value]) -> Callable[[str, Brief], Value]:
    """Makes a function of message and brief read each message once while classes, draft and time are the same, and
    where it goes by more than these once from the same sources; nobody may change what it answers."""
    found_by, find_again = f"{read.__module__}.{read.__name__}", remember_found(read)

    @wraps(read)
    def find(message: str, brief: Brief) -> Value:
        plan = brief.of_plan
        known: dict[str, Any] = plan.found_of_plan.setdefault(found_by, {})
        if message not in known:
            try:
                known[message] = read(message, plan)
            except GoesByMoreError:
                known[message] = _MORE
        value = known[message]
        if value is not _MORE:
            return cast(Value, value)
        if plan is brief:
            raise GoesByMoreError(found_by)
        return find_again(message, brief)

    return find

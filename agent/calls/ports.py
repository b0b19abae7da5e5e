"""What the tools need from outside, as plain async callables, and the values that cross that border."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, ParamSpec, Protocol, TypeVar

from schedules.planner.facts import Facts
from schedules.planner.soft_limits import SoftLimit

P = ParamSpec("P")
R = TypeVar("R")
URL_LIMIT = 2000
"""Characters of an address that is fetched or shown."""


@dataclass(frozen=True)
class Hit:
    """Holds one search result. `published_at` is YYYY-MM-DD or empty."""

    title: str
    url: str
    snippet: str
    host: str
    published_at: str = ""


@dataclass(frozen=True)
class WebPage:
    """Holds the readable text of a fetched page. `size` counts the bytes taken from the network after decompression."""

    url: str
    final_url: str
    title: str
    text: str
    truncated: bool
    size: int = 0


class WebFailure(Exception):
    """Tells that a web port could not answer.

    `code`: web_timeout | web_http_status | web_too_large | web_unsupported_type | web_provider_error |
    web_blocked_url | web_cap_reached. `reason` names the refused rule (scheme, port, address, redirect);
    `http_status` is the number the page or the provider answered with.
    """

    def __init__(self, code: str, *, reason: str = "", http_status: int = 0) -> None:
        super().__init__(code)
        self.code = code
        self.reason = reason
        self.http_status = http_status


class Compute(Protocol):
    """Calls a pure function that may take long, where it holds up nothing; all it takes and gives is picklable."""

    async def __call__(self, function: Callable[P, R], /, *arguments: P.args, **named: P.kwargs) -> R: ...


async def compute_here(function: Callable[P, R], /, *arguments: P.args, **named: P.kwargs) -> R:
    """Computes at once: the plainest `Compute`."""
    return function(*arguments, **named)


class Search(Protocol):
    def __call__(
        self, query: str, *, top_k: int, domains: tuple[str, ...], recency_days: int | None
    ) -> Awaitable[list[Hit]]: ...


class Fetch(Protocol):
    def __call__(self, url: str, *, max_chars: int) -> Awaitable[WebPage]: ...


class MarkItems(Protocol):
    def __call__(self, marks: Sequence[dict[str, Any]], *, call_id: str) -> Awaitable[dict[str, Any]]: ...


class SaveClass(Protocol):
    def __call__(self, values: dict[str, Any], *, call_id: str) -> Awaitable[dict[str, Any]]: ...


class SaveClasses(Protocol):
    def __call__(self, rows: Sequence[dict[str, Any]], *, call_id: str) -> Awaitable[dict[str, Any]]: ...


class DeleteClass(Protocol):
    def __call__(self, class_id: int, *, call_id: str) -> Awaitable[dict[str, Any]]: ...


class ChangePreferences(Protocol):
    def __call__(self, added: Sequence[SoftLimit], removed: Sequence[SoftLimit]) -> Awaitable[Sequence[SoftLimit]]: ...


@dataclass(frozen=True, kw_only=True)
class RowChange:
    """Tells what a re-planning writes before it plans, as the student says it.

    `date` is the new last or first day of a class (`deadline`, `start`), where the lesson `name` of `from_date` is held
    in the sections (`lesson_moved`), when the exam `name` is, at other times only when they are given, as `HH:MM` or
    sections (`exam_moved`), or the last day of what stays free from `from_date` on, all day or in the sections
    (`keep_free`).
    """

    kind: str
    task_class_id: int | None = None
    name: str = ""
    from_date: date | None = None
    section_from: int | None = None
    section_to: int | None = None
    start_time: str = ""
    end_time: str = ""
    date: date


@dataclass(frozen=True, kw_only=True)
class ChangedRows:
    """Holds the rows after a change, or the name of what `refused` it, with the names that it could have meant.

    `displaced` are items that left the timetable for it, `followers` classes that end with the exam, `told` what was
    written, in plain sentences by language; nothing when it stood so already.
    """

    facts: Facts | None = None
    displaced: tuple[int, ...] = ()
    followers: tuple[int, ...] = ()
    told: dict[str, list[str]] = field(default_factory=dict)
    refused: str = ""
    known: tuple[str, ...] = ()


class ChangeRows(Protocol):
    def __call__(
        self, change: RowChange, class_ids: Sequence[int], *, call_id: str, dry_run: bool
    ) -> Awaitable[ChangedRows]: ...


@dataclass(frozen=True)
class Ports:
    """Holds the callables of one run; one that is absent makes its tool answer that it is not set up.

    `upsert_task_class(values, call_id=)` -> {task_class_id, created, item_ids}, one transaction, one effect per call
    id; `update_task_classes([values], call_id=)` -> {task_class_ids} and `delete_task_class(class_id, call_id=)`
    likewise. `task_class_book(class_id or None)` -> {today, classes: [{id, name}], current: the class or None}.
    `load_facts(class_ids)` -> the timetable rows a draft is loaded from. `standing_classes()` -> ids of classes with
    something on the timetable or a rest to place, `missed_items(item_ids)` -> those that count as missed now.
    `check_marks([{task_item_id, progress, sections_left}])` -> how many of them would change something, refusing as
    `mark_items(..., call_id=)` does, which answers {batch_id, items} with one effect per call id.
    `change_rows(change, class_ids, call_id=, dry_run=)` -> the rows with these classes after a change of a class, a
    lesson or an exam; a dry run keeps nothing; one effect per call id.
    `preferences()` -> the wishes that hold, `change_preferences(added, removed)` -> those that hold then; the same
    change again has the same end.
    """

    web_search: Search | None = None
    web_fetch: Fetch | None = None
    upsert_task_class: SaveClass | None = None
    update_task_classes: SaveClasses | None = None
    delete_task_class: DeleteClass | None = None
    task_class_book: Callable[[int | None], Awaitable[dict[str, Any]]] | None = None
    load_facts: Callable[[Sequence[int]], Awaitable[Facts]] | None = None
    standing_classes: Callable[[], Awaitable[list[int]]] | None = None
    missed_items: Callable[[Sequence[int]], Awaitable[list[int]]] | None = None
    check_marks: Callable[[Sequence[dict[str, Any]]], Awaitable[int]] | None = None
    mark_items: MarkItems | None = None
    change_rows: ChangeRows | None = None
    preferences: Callable[[], Awaitable[Sequence[SoftLimit]]] | None = None
    change_preferences: ChangePreferences | None = None

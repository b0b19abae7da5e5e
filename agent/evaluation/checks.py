"""The end states of jobs: each check reads rows, the draft, or what was said, and never asks a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from schedules.models import Preference
from schedules.planner.draft.adapter import cost_of
from schedules.planner.draft.state import ScheduleState, TaskEntry
from schedules.planner.grid import week_and_weekday
from taskclasses.models import TaskClass


@dataclass(frozen=True)
class Ended:
    """Holds the end of a job: the draft before its last turn and now, what was said since, the tools that wrote
    since."""

    user_id: int
    before: ScheduleState | None
    draft: ScheduleState | None
    said: str
    writes: tuple[str, ...]


def misses(checks: Iterable[str], ended: Ended) -> list[str]:
    """Returns the checks that do not hold."""
    return [check for check in checks if not _holds(check, ended)]


def _holds(check: str, ended: Ended) -> bool:
    kind, _, rest = check.partition(" ")
    return CHECKS[kind](ended, rest)


def _item(state: ScheduleState | None, name: str) -> TaskEntry | None:
    found = [] if state is None else [entry for entry in state.items() if entry.name.startswith(name)]
    return found[0] if found else None


def _where(state: ScheduleState | None, name: str) -> tuple[int, int, int] | None:
    """Returns day number, first and last section of an item; None without a place."""
    entry = _item(state, name)
    place = None if entry is None or state is None else state.place_of(entry)
    return None if place is None else (place.day, place.first, place.last)


def _entries(ended: Ended, class_name: str) -> list[TaskEntry]:
    state = ended.draft
    if state is None:
        return []
    ids = {meta.id for meta in state.task_classes if meta.name == class_name}
    return [entry for entry in state.items() if entry.task_class_id in ids]


def _is_placed(ended: Ended, rest: str) -> bool:
    entries = _entries(ended, rest)
    return bool(entries) and all(entry.slots for entry in entries)


def _is_left_out(ended: Ended, rest: str) -> bool:
    """Tells whether not everything of a class has a place."""
    entries = _entries(ended, rest)
    return not entries or any(not entry.slots for entry in entries)


def _at(ended: Ended, rest: str) -> bool:
    """Checks `name d6 1-4`: on that weekday, inside those sections."""
    words = rest.split()
    tail = [word for word in words if (word[0] == "d" and word[1:].isdigit()) or "-" in word]
    found = _where(ended.draft, " ".join(words[: len(words) - len(tail)]))
    if found is None:
        return False
    for word in tail:
        if word[0] == "d" and week_and_weekday(found[0])[1] != int(word[1:]):
            return False
        if "-" in word and not int(word.split("-")[0]) <= found[1] <= found[2] <= int(word.split("-")[1]):
            return False
    return True


def _better(ended: Ended, rest: str) -> bool:
    """Tells whether the plan costs less than before the last turn."""
    if ended.before is None or ended.draft is None:
        return False
    return cost_of(ended.draft).total < cost_of(ended.before).total


def _class(ended: Ended, rest: str) -> bool:
    """Checks `name count`: a class of that name with so many items."""
    name, _, count = rest.rpartition(" ")
    row = TaskClass.objects.filter(user_id=ended.user_id, name=name).first()
    return row is not None and row.items.count() == int(count)


def _wish(ended: Ended, rest: str) -> bool:
    kind, value = rest.split()
    return Preference.objects.filter(user_id=ended.user_id, kind=kind, value=int(value)).exists()


CHECKS: Mapping[str, Callable[[Ended, str], bool]] = {
    "placed": _is_placed,
    "left": _is_left_out,
    "at": _at,
    "better": _better,
    "moved": lambda ended, rest: (
        None not in (now := _where(ended.draft, rest), was := _where(ended.before, rest)) and now != was
    ),
    "kept": lambda ended, rest: _where(ended.draft, rest) == _where(ended.before, rest) is not None,
    "in": lambda ended, rest: _where(ended.draft, rest) is not None,
    "out": lambda ended, rest: _item(ended.draft, rest) is not None and _where(ended.draft, rest) is None,
    "class": _class,
    "noclass": lambda ended, rest: not TaskClass.objects.filter(user_id=ended.user_id, name=rest).exists(),
    "wish": _wish,
    "nowish": lambda ended, rest: not Preference.objects.filter(user_id=ended.user_id).exists(),
    "unwritten": lambda ended, rest: not ended.writes,
    "answered": lambda ended, rest: bool(ended.said.strip()),
    "says": lambda ended, rest: rest in ended.said,
}
"""Name of a check -> whether it holds, given the words behind its name."""

"""What must hold in every draft after every write."""

from __future__ import annotations

from collections.abc import Iterator

from schedules.planner.draft.state import EXAM, ScheduleState, TaskEntry, status_of
from schedules.planner.grid import Cell


def invariant_errors(state: ScheduleState) -> list[str]:
    """Returns every broken invariant as a sentence for a developer; empty for a sound draft."""
    return [*occupation_errors(state), *_links(state), *_order(state), *_statuses(state)]


def occupation_errors(state: ScheduleState) -> list[str]:
    """Returns cells with two owners, hosts with two guests, guests that stick out of their host."""
    return [*_cells(state), *_guests(state)]


def _cells(state: ScheduleState) -> Iterator[str]:
    owners: dict[Cell, int] = {}
    for entry in state.tasks:
        place = state.place_of(entry)
        if place is None or entry.embed_host is not None or entry.event_type == EXAM:
            continue
        for section in place.sections:
            other = owners.setdefault((place.day, section), entry.state_id)
            if other != entry.state_id:
                yield f"[{entry.state_id}] and [{other}] both own section {section} of day {place.day}"


def _guests(state: ScheduleState) -> Iterator[str]:
    seen: dict[int, int] = {}
    for entry in state.tasks:
        if entry.embed_host is None:
            continue
        host, place = state.task(entry.embed_host), state.place_of(entry)
        room = None if host is None else state.place_of(host)
        if host is None or place is None or room is None or not host.can_embed or not place.inside(room):
            yield f"[{entry.state_id}] does not lie wholly inside a host"
        if seen.setdefault(entry.embed_host, entry.state_id) != entry.state_id:
            yield f"[{entry.embed_host}] has two guests"


def _links(state: ScheduleState) -> Iterator[str]:
    for entry in state.tasks:
        host = None if entry.embed_host is None else state.task(entry.embed_host)
        guest = None if entry.embedded_by is None else state.task(entry.embedded_by)
        if entry.embed_host is not None and (host is None or host.embedded_by != entry.state_id):
            yield f"[{entry.state_id}] is not known to its host"
        if entry.embedded_by is not None and (guest is None or guest.embed_host != entry.state_id):
            yield f"[{entry.state_id}] is not known to its guest"


def _order(state: ScheduleState) -> Iterator[str]:
    """Names siblings of which one is suggested against the order; what has begun binds nothing that lies ahead."""
    now = state.now or (0, 0)
    classes: dict[int, list[TaskEntry]] = {}
    for entry in state.items():
        if entry.slots and entry.task_class_id is not None:
            classes.setdefault(entry.task_class_id, []).append(entry)
    for entries in classes.values():
        entries.sort(key=lambda entry: (entry.task_order or 0, entry.source_id))
        for index, entry in enumerate(entries):
            for later in entries[index + 1 :]:
                begun = _begin(state, later) < now <= _begin(state, entry)
                wrong = not begun and _end(state, entry) >= _begin(state, later)
                if wrong and "suggested" in (entry.status, later.status):
                    yield f"[{later.state_id}] does not come after [{entry.state_id}]"


def _begin(state: ScheduleState, entry: TaskEntry) -> Cell:
    place = state.place_of(entry)
    assert place is not None
    return place.cell


def _end(state: ScheduleState, entry: TaskEntry) -> Cell:
    place = state.place_of(entry)
    assert place is not None
    return place.end_cell


def _statuses(state: ScheduleState) -> Iterator[str]:
    for entry in state.tasks:
        expected = status_of(state.spot_of(entry), entry.base_spot) if entry.is_item else "existing"
        if entry.status != expected:
            yield f"[{entry.state_id}] is {entry.status}, its place says {expected}"

"""The placement rule: may an item occupy a place, given all others?

One function for planner, tools, candidates, slot queries, draft saves, rebase and apply. Each hard rule is one short
function, listed in table order in `RULES`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from schedules.planner.class_rules import RuledClass
from schedules.planner.grid import Cell, Place, block_of, week_and_weekday
from schedules.planner.rules.board import Board, Occupant, PlacedItem
from schedules.planner.rules.violations import Clash, Rule, Violation

HostMode = Literal["derive", "free"] | int
"""`derive`: a place inside an embeddable occurrence is an embedding; `free`: never; an event id: into that event."""

DERIVE: Literal["derive"] = "derive"
FREE: Literal["free"] = "free"


@dataclass(frozen=True)
class Subject:
    """Holds the item that wants a place: its rank inside the class is (order, item_id)."""

    item_id: int
    order: int
    name: str
    length: int
    task_class: RuledClass

    @property
    def rank(self) -> tuple[int, int]:
        return (self.order, self.item_id)


@dataclass(frozen=True)
class Situation:
    """Tells what holds for every item of one call: `window` = (first, last) day number, `now` None when the past is
    open."""

    now: Cell | None = None
    window: tuple[int, int] | None = None
    planner: bool = False


Neighbours = tuple[PlacedItem | None, PlacedItem | None]
"""The siblings that bind an item: the one before it, the one behind it."""


class Case:
    """Holds one question to the rules. The subject's own cells, guest seat and rank never count against it."""

    def __init__(
        self,
        board: Board,
        subject: Subject,
        place: Place,
        host: HostMode,
        situation: Situation,
        near: Neighbours | None = None,
    ) -> None:
        self.board, self.subject, self.place, self.host, self.situation = board, subject, place, host, situation
        # Several rules ask these; a cached property would take a lock for each.
        self._occupants: list[Occupant] | None = None
        self._fillers: list[Occupant] | None = None
        self._neighbours = near

    @property
    def occupants(self) -> list[Occupant]:
        """Returns the events that own cells of the place, in time order, each once."""
        if self._occupants is None:
            owners = (self.board.event_at(self.place.day, section) for section in self.place.sections)
            self._occupants = list({event.id: event for event in owners if event is not None}.values())
        return self._occupants

    @property
    def fillers(self) -> list[Occupant]:
        """Returns the embeddable courses among them."""
        if self._fillers is None:
            self._fillers = [event for event in self.occupants if event.can_embed]
        return self._fillers

    @property
    def neighbours(self) -> Neighbours:
        """Returns the binding siblings of the item at this place."""
        if self._neighbours is None:
            self._neighbours = neighbours(self.board, self.subject, self.place.cell)
        return self._neighbours


def _outside_window(case: Case) -> Violation | None:
    window = case.situation.window
    if window is None or window[0] <= case.place.day <= window[1]:
        return None
    return Violation(Rule.OUTSIDE_WINDOW)


def _outside_semester(case: Case) -> Violation | None:
    return None if case.board.grid.contains(case.place) else Violation(Rule.OUTSIDE_SEMESTER)


def _wrong_length(case: Case) -> Violation | None:
    if case.place.length == case.subject.length:
        return None
    return Violation(Rule.WRONG_LENGTH, {"n": case.subject.length})


def _closed_day(case: Case) -> Violation | None:
    if case.place.day not in case.board.grid.closed_days:
        return None
    return Violation(Rule.CLOSED_DAY, {"day": case.place.day})


def _kept_free(case: Case) -> Violation | None:
    place = case.place
    mask = case.board.grid.kept_masks.get(place.day, 0)
    kept = [section for section in place.sections if mask >> section & 1] if mask else []
    return Violation(Rule.KEPT_FREE, {"day": place.day, "a": kept[0], "b": kept[-1]}) if kept else None


def _outside_class_window(case: Case) -> Violation | None:
    owner, day = case.subject.task_class, case.place.day
    rules = owner.rules
    early = rules.start_day is not None and day < rules.start_day
    late = rules.end_day is not None and day > rules.end_day
    if not early and not late:
        return None
    return Violation(
        Rule.OUTSIDE_CLASS_WINDOW, {"class": owner.name, "start_day": rules.start_day, "end_day": rules.end_day}
    )


def _in_the_past(case: Case) -> Violation | None:
    now = case.situation.now
    return Violation(Rule.IN_THE_PAST) if now is not None and case.place.cell < now else None


def _excluded_weekday(case: Case) -> Violation | None:
    owner, weekday = case.subject.task_class, week_and_weekday(case.place.day)[1]
    if weekday not in owner.rules.excluded_days_of_week:
        return None
    return Violation(Rule.EXCLUDED_WEEKDAY, {"class": owner.name, "weekday": weekday})


def _excluded_block(case: Case) -> Violation | None:
    owner = case.subject.task_class
    for block in range(block_of(case.place.first), block_of(case.place.last) + 1):
        if block in owner.rules.excluded_slots:
            last = min(2 * block, case.board.grid.sections)
            return Violation(Rule.EXCLUDED_BLOCK, {"class": owner.name, "a": 2 * block - 1, "b": last})
    return None


def _excluded_cell(case: Case) -> Violation | None:
    owner, weekday = case.subject.task_class, week_and_weekday(case.place.day)[1]
    for block in range(block_of(case.place.first), block_of(case.place.last) + 1):
        if (weekday, block) in owner.rules.excluded_cells:
            last = min(2 * block, case.board.grid.sections)
            params = {"class": owner.name, "weekday": weekday, "a": 2 * block - 1, "b": last}
            return Violation(Rule.EXCLUDED_CELL, params)
    return None


def _not_aligned(case: Case) -> Violation | None:
    broken = case.situation.planner and case.place.length >= 2 and case.place.first % 2 == 0
    return Violation(Rule.NOT_ALIGNED) if broken else None


def _crosses_day_part(case: Case) -> Violation | None:
    grid, place = case.board.grid, case.place
    if not case.situation.planner or grid.part_of(place.first) == grid.part_of(place.last):
        return None
    return Violation(Rule.CROSSES_DAY_PART)


def _host_unknown(case: Case) -> Violation | None:
    if isinstance(case.host, str) or any(event.id == case.host for event in case.occupants):
        return None
    return Violation(Rule.HOST_UNKNOWN, {"event_id": case.host})


def _host_not_embeddable(case: Case) -> Violation | None:
    event = None if isinstance(case.host, str) else case.board.event(case.host)
    if event is None or event.can_embed:
        return None
    return Violation(Rule.HOST_NOT_EMBEDDABLE, {"host": event.name}, _event_blocker(event))


def _find_occupied(case: Case) -> Violation | None:
    place, board = case.place, case.board
    owners: dict[tuple[str, int], tuple[Clash, list[int]]] = {}
    for section in place.sections:
        event = board.event_at(place.day, section)
        if event is not None and (case.host == FREE or not event.can_embed):
            owners.setdefault(("event", event.id), (_event_blocker(event), []))[1].append(section)
        for item in board.items_at(place.day, section):
            if item.item_id != case.subject.item_id:
                blocker = _item_blocker(item)
                owners.setdefault(("item", item.item_id), (blocker, []))[1].append(section)
    if not owners:
        return None
    blocker, sections = next(iter(owners.values()))
    week, weekday = week_and_weekday(place.day)
    params = {"week": week, "weekday": weekday, "a": sections[0], "b": sections[-1], "blocker": blocker.name}
    return Violation(Rule.OCCUPIED, params, blocker)


def _filler_not_allowed(case: Case) -> Violation | None:
    if case.subject.task_class.rules.allow_filler_course:
        return None
    fillers = case.fillers
    if not fillers:
        return None
    params = {"class": case.subject.task_class.name}
    return Violation(Rule.FILLER_NOT_ALLOWED, params, _event_blocker(fillers[0]))


def _host_partial(case: Case) -> Violation | None:
    for event in case.fillers:
        if not case.place.inside(event.place):
            return Violation(Rule.HOST_PARTIAL, {"host": event.name}, _event_blocker(event))
    return None


def _host_taken(case: Case) -> Violation | None:
    for event in case.fillers:
        for guest in case.board.guests_of(event.id):
            if guest.item_id != case.subject.item_id:
                blocker = Clash(event.id, guest.item_id, guest.name, "task")
                return Violation(Rule.HOST_TAKEN, {"host": event.name, "guest": guest.name}, blocker)
    return None


def _order_before(case: Case) -> Violation | None:
    before, after = case.neighbours
    if before is None or before.place.end_cell < case.place.cell:
        return None
    params = _sibling(case.subject, before) | _range(case, before, after)
    return Violation(Rule.ORDER_BEFORE, params, _item_blocker(before))


def _order_after(case: Case) -> Violation | None:
    before, after = case.neighbours
    if after is None or after.place.cell > case.place.end_cell:
        return None
    params = _sibling(case.subject, after) | _range(case, before, after)
    return Violation(Rule.ORDER_AFTER, params, _item_blocker(after))


def _sibling(subject: Subject, sibling: PlacedItem) -> dict[str, Any]:
    return {"task": subject.name, "k": sibling.order, "item": sibling.name}


def _item_blocker(item: PlacedItem) -> Clash:
    return Clash(None, item.item_id, item.name, "task")


def _event_blocker(event: Occupant) -> Clash:
    # The number of an exam among events is nobody else's business.
    return Clash(event.id if event.id > 0 else None, None, event.name, event.type)


def _range(case: Case, before: PlacedItem | None, after: PlacedItem | None) -> dict[str, Any]:
    """Returns the cells the binding siblings leave, both ends included, None = open; they go through JSON as lists."""
    return {
        "range_from": None if before is None else list(_next_cell(case, before.place.end_cell)),
        "range_to": None if after is None else list(_previous_cell(case, after.place.cell)),
    }


def _next_cell(case: Case, cell: Cell) -> Cell:
    return (cell[0], cell[1] + 1) if cell[1] < case.board.grid.sections else (cell[0] + 1, 1)


def _previous_cell(case: Case, cell: Cell) -> Cell:
    return (cell[0], cell[1] - 1) if cell[1] > 1 else (cell[0] - 1, case.board.grid.sections)


RULES_INSIDE: tuple[Callable[[Case], Violation | None], ...] = (
    _wrong_length,
    _closed_day,
    _kept_free,
    _outside_class_window,
    _in_the_past,
    _excluded_weekday,
    _excluded_block,
    _excluded_cell,
    _not_aligned,
    _crosses_day_part,
    _host_unknown,
    _host_not_embeddable,
    _find_occupied,
    _filler_not_allowed,
    _host_partial,
    _host_taken,
    _order_before,
    _order_after,
)
"""All hard rules for a place in the window and the semester."""

RULES = (_outside_window, _outside_semester, *RULES_INSIDE)
"""All hard rules; a plan may stand when none of them answers."""


def broken_rules(
    board: Board,
    subject: Subject,
    place: Place,
    *,
    host: HostMode = DERIVE,
    situation: Situation = Situation(),
    near: Neighbours | None = None,
) -> list[Violation]:
    """Returns all rules that `subject` at `place` breaks, in table order; empty when the place is legal.

    `board` holds the others (the subject itself may be on it, it is never in its own way). A place outside the window
    or the semester ends the list, for nothing else can be asked about it. `near`: the neighbours there, when known.
    """
    case = Case(board, subject, place, host, situation, near)
    outside = _outside_window(case) or _outside_semester(case)
    if outside is not None:
        return [outside]
    return [violation for rule in RULES_INSIDE if (violation := rule(case)) is not None]


def first_broken(
    board: Board, subject: Subject, place: Place, *, host: HostMode = DERIVE, situation: Situation = Situation()
) -> Violation | None:
    """Returns the broken rule of a place, None when it is legal; cheaper than `broken_rules`."""
    case = Case(board, subject, place, host, situation)
    for rule in RULES:
        violation = rule(case)
        if violation is not None:
            return violation
    return None


def neighbours(board: Board, subject: Subject, cell: Cell | None = None) -> Neighbours:
    """Returns the binding siblings: the lower-rank one that ends last, the higher-rank one that begins first.

    For a place that begins at `cell`, a higher one that has begun before now binds nothing that lies ahead: what was
    missed is still done after it.
    """
    before: PlacedItem | None = None
    after: PlacedItem | None = None
    rank = subject.rank
    for sibling in board.siblings(subject.task_class.id):
        if sibling.rank < rank:
            if before is None or sibling.place.end_cell > before.place.end_cell:
                before = sibling
        elif sibling.rank > rank and (after is None or sibling.place.cell < after.place.cell):
            binds = cell is None or sibling.past_before is None or cell < sibling.past_before
            after = sibling if binds else after
    return before, after

"""The placement rule over a whole request: everything is lifted, set down, and judged in the final picture."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from schedules.planner.advice.offers import offers_for
from schedules.planner.draft.load import board_of, load_state, subject_of
from schedules.planner.draft.operations import split_violations
from schedules.planner.draft.state import Spot, Window
from schedules.planner.facts import ClassFact, Facts, ItemFact
from schedules.planner.grid import Calendar, Cell, Place
from schedules.planner.rules.board import PlacedItem
from schedules.planner.rules.placement import Situation, broken_rules
from schedules.planner.rules.violations import Rule, Violation
from schedules.presentation.conflicts import conflict_row, refusal, warning_row
from schedules.presentation.offers import describe_offers
from taskclasses.shapes import Conflict, PlaceOffer, PlaceWarning


class Judge:
    """Looks items up in the facts and collects every violation of a request."""

    def __init__(self, facts: Facts, *, now: Cell | None = None, teller: tuple[Calendar, str] | None = None) -> None:
        """Begins to judge; `now` lets a place of the student's own in the past be told as such; a suggestion may record
        past study.

        `teller`: the semester's calendar and the language in which a refusal tells ways out; None tells none.
        """
        self.facts, self.now, self.teller = facts, now, teller
        self.owners: dict[int, tuple[ClassFact, ItemFact]] = {
            item.id: (row, item) for row in facts.task_classes for item in row.items
        }
        self._event_of_item = {event.task_item_id: event.id for event in facts.events if event.task_item_id}

    def refuse_violations(
        self, targets: Mapping[int, Spot | None], *, planned: Collection[int] = ()
    ) -> dict[int, list[Violation]]:
        """Returns the preferences that the places break, by item; a place of `planned` items is not the student's own.

        Raises the code of the first rule, in request order, that forbids a place, with all of them as `conflicts`.
        """
        broken = self._broken_rules(targets, planned)
        warnings, forbidden = split_violations(broken, planned=planned)
        conflicts = [
            self._conflict(violation, item_id, self.owners[item_id][0].id, spot.place)
            for item_id, spot in targets.items()
            if spot is not None
            for violation in forbidden.get(item_id, ())
        ]
        if conflicts:
            raise refusal(conflicts, self._ways_out(targets, forbidden))
        return warnings

    def _ways_out(
        self, targets: Mapping[int, Spot | None], forbidden: Mapping[int, list[Violation]]
    ) -> list[PlaceOffer]:
        """Returns other places for the one item that is refused; what is applied stays where it is."""
        if self.teller is None:
            return []
        scope = {self.owners[item_id][0].id for item_id in targets}
        whole = Window(1, self.facts.grid.days)
        wanted = {item_id: spot for item_id, spot in targets.items() if spot is not None}
        # Who records past study is offered places in the past.
        records = self.now is not None and any(spot.place.cell < self.now for spot in wanted.values())
        state = load_state(self.facts, scope=scope, now=None if records else self.now, window=whole)
        calendar, locale = self.teller
        return describe_offers(offers_for(state, wanted, forbidden), state, calendar=calendar, locale=locale)

    def _broken_rules(self, targets: Mapping[int, Spot | None], planned: Collection[int]) -> dict[int, list[Violation]]:
        board = board_of(self.facts)
        for item_id in targets:
            board.lift(item_id)
        for item_id, spot in targets.items():
            if spot is not None:
                row, item = self.owners[item_id]
                board.put(PlacedItem(item_id, row.id, item.order, item.content, spot.place, spot.host_event_id))
        found: dict[int, list[Violation]] = {}
        for item_id, spot in targets.items():
            if spot is None:
                continue
            subject = subject_of(*self.owners[item_id])
            situation = Situation(now=None if item_id in planned else self.now)
            broken = broken_rules(board, subject, spot.place, host=spot.host_mode, situation=situation)
            if broken:
                found[item_id] = broken
        return found

    def describe_warnings(
        self,
        warnings: Mapping[int, list[Violation]],
        targets: Mapping[int, Spot | None],
        *,
        calendar: Calendar,
        locale: str,
    ) -> list[PlaceWarning]:
        """Returns the preferences that accepted places break, in request order."""
        return [
            warning_row(
                item_id=item_id,
                class_id=self.owners[item_id][0].id,
                place=spot.place,
                violation=violation,
                calendar=calendar,
                locale=locale,
            )
            for item_id, spot in targets.items()
            if spot is not None
            for violation in warnings.get(item_id, ())
        ]

    def refuse_outside(self, targets: Mapping[int, Spot]) -> None:
        """Raises 40049 for places beyond the semester's weeks or the day's sections."""
        outside = Violation(Rule.OUTSIDE_SEMESTER)
        refuse([
            self._conflict(outside, item_id, self.owners[item_id][0].id, spot.place)
            for item_id, spot in targets.items()
            if not self.facts.grid.contains(spot.place)
        ])  # fmt: skip

    def refuse_unknown_hosts(self, targets: Mapping[int, Spot]) -> None:
        """Raises 40061 for hosts that are no course of the student's at that time."""
        courses = {event.id: event.place for event in self.facts.events if event.type == "course"}
        unknown = Violation(Rule.HOST_UNKNOWN)
        refuse([
            self._conflict(unknown, item_id, self.owners[item_id][0].id, spot.place)
            for item_id, spot in targets.items()
            if spot.host_event_id is not None
            and (spot.host_event_id not in courses or not courses[spot.host_event_id].overlaps(spot.place))
        ])  # fmt: skip

    def _conflict(self, violation: Violation, item_id: int, class_id: int, place: Place) -> Conflict:
        return conflict_row(
            item_id=item_id, class_id=class_id, place=place, violation=violation, events=self._event_of_item
        )


def refuse(conflicts: list[Conflict]) -> None:
    if conflicts:
        raise refusal(conflicts)

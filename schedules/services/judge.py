"""The placement rule over a whole request: everything is lifted, set down, and judged in the final picture."""

from __future__ import annotations

from collections.abc import Mapping

from schedules.conflicts import conflict_row, refusal
from schedules.planner.draft.load import board_of, subject_of
from schedules.planner.draft.state import Spot
from schedules.planner.facts import ClassFact, Facts, ItemFact
from schedules.planner.grid import Place
from schedules.planner.rules.board import PlacedItem
from schedules.planner.rules.placement import FREE, Rule, Situation, Violation, broken_rules
from taskclasses.shapes import Conflict


class Judge:
    """Looks items up in the facts and collects every violation of a request."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.owners: dict[int, tuple[ClassFact, ItemFact]] = {
            item.id: (row, item) for row in facts.task_classes for item in row.items
        }
        self._event_of_item = {event.task_item_id: event.id for event in facts.events if event.task_item_id}

    def refuse_violations(self, targets: Mapping[int, Spot | None]) -> None:
        """Raises the code of the first violation in request order, with all of them as `conflicts`."""
        board = board_of(self.facts)
        for item_id in targets:
            board.lift(item_id)
        for item_id, spot in targets.items():
            if spot is not None:
                row, item = self.owners[item_id]
                board.put(PlacedItem(item_id, row.id, item.order, item.content, spot.place, spot.host_event_id))
        conflicts: list[Conflict] = []
        for item_id, spot in targets.items():
            if spot is None:
                continue
            row, item = self.owners[item_id]
            host = FREE if spot.host_event_id is None else spot.host_event_id
            subject = subject_of(row, item)
            broken = broken_rules(board, subject, spot.place, host=host, situation=Situation())
            conflicts += [self._conflict(violation, item_id, row.id, spot.place) for violation in broken]
        refuse(conflicts)

    def refuse_outside(self, targets: Mapping[int, Spot]) -> None:
        """40049 for places beyond the semester's weeks or the day's sections."""
        outside = Violation(Rule.OUTSIDE_SEMESTER)
        refuse([
            self._conflict(outside, item_id, self.owners[item_id][0].id, spot.place)
            for item_id, spot in targets.items()
            if not self.facts.grid.contains(spot.place)
        ])  # fmt: skip

    def refuse_unknown_hosts(self, targets: Mapping[int, Spot]) -> None:
        """40061 for hosts that are no course of the student's at that time."""
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

"""What can be wrong with a place: the rules by their codes, and one that is broken."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Rule(StrEnum):
    """Lists the hard rules in table order; the values are the codes on every wire."""

    OUTSIDE_WINDOW = "outside_window"
    OUTSIDE_SEMESTER = "outside_semester"
    WRONG_LENGTH = "wrong_length"
    CLOSED_DAY = "closed_day"
    KEPT_FREE = "kept_free"
    OUTSIDE_CLASS_WINDOW = "outside_class_window"
    IN_THE_PAST = "in_the_past"
    EXCLUDED_WEEKDAY = "excluded_weekday"
    EXCLUDED_BLOCK = "excluded_block"
    EXCLUDED_CELL = "excluded_cell"
    NOT_ALIGNED = "not_aligned"
    CROSSES_DAY_PART = "crosses_day_part"
    HOST_UNKNOWN = "host_unknown"
    HOST_NOT_EMBEDDABLE = "host_not_embeddable"
    OCCUPIED = "occupied"
    FILLER_NOT_ALLOWED = "filler_not_allowed"
    HOST_PARTIAL = "host_partial"
    HOST_TAKEN = "host_taken"
    ORDER_BEFORE = "order_before"
    ORDER_AFTER = "order_after"


PREFERENCES = frozenset({
    Rule.KEPT_FREE,
    Rule.OUTSIDE_CLASS_WINDOW,
    Rule.IN_THE_PAST,
    Rule.EXCLUDED_WEEKDAY,
    Rule.EXCLUDED_BLOCK,
    Rule.EXCLUDED_CELL,
    Rule.NOT_ALIGNED,
    Rule.CROSSES_DAY_PART,
    Rule.FILLER_NOT_ALLOWED,
})  # fmt: skip
"""What the student wished for. They bind planner, models and tools; a place of the student's own hand may break them.

Every other rule says what is impossible, and binds everybody.
"""

REST_CODES: dict[Rule, int] = dict.fromkeys(Rule, 40073) | {
    Rule.OUTSIDE_WINDOW: 40059,
    Rule.OUTSIDE_SEMESTER: 40049,
    Rule.HOST_UNKNOWN: 40061,
    Rule.OCCUPIED: 40026,
    Rule.HOST_TAKEN: 40025,
    Rule.ORDER_BEFORE: 40072,
    Rule.ORDER_AFTER: 40072,
}
"""Status code of the REST API for a broken rule; `not_aligned` and `crosses_day_part` never reach it."""


@dataclass(frozen=True)
class Clash:
    """Tells what a broken rule clashes with; for `host_taken` both the host event and the guest item are set."""

    event_id: int | None
    task_item_id: int | None
    name: str
    type: str

    def to_json(self) -> dict[str, Any]:
        return {"event_id": self.event_id, "task_item_id": self.task_item_id, "name": self.name, "type": self.type}


@dataclass(frozen=True)
class Violation:
    """Holds one broken rule; `params` are the fields of its sentence (JSON values only)."""

    rule: Rule
    params: dict[str, Any] = field(default_factory=dict)
    blocker: Clash | None = None

    @property
    def rest_code(self) -> int:
        return REST_CODES[self.rule]

    @property
    def is_preference(self) -> bool:
        return self.rule in PREFERENCES

"""Typed refusals and errors: they carry what broke, for whom and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from schedules.planner.rules.violations import Rule, Violation


@dataclass(frozen=True)
class Refusal:
    """Tells why a write was not done.

    `code`: task_not_found | wrong_status | fixed_entry | rule_broken | length_mismatch | duplicate_task | no_change.
    `violations` holds the broken rules of `rule_broken` in table order. A batch reports each failing entry in
    `entries`, whose `index` counts from 1 in the order of the request; its own code is that of the first one.
    """

    code: str
    task_id: int | None = None
    violations: tuple[Violation, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)
    index: int | None = None
    entries: tuple[Refusal, ...] = ()

    @property
    def rule(self) -> Rule | None:
        return self.violations[0].rule if self.violations else None

    @property
    def params(self) -> dict[str, Any]:
        """Returns parameters of the broken rule, or the details of any other code."""
        return self.violations[0].params if self.violations else self.details


class RuleBroken(Exception):
    """Tells that an operation was applied although its check refuses; nothing has changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.rule.value if refusal.rule else refusal.code)
        self.refusal = refusal


class StateVersionError(ValueError):
    """Tells that a stored draft has a version this code does not know."""

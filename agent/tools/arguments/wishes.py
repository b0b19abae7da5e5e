"""Arguments of set_preferences."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from agent.calls.kinds import Json
from agent.tools.argument_schema import INT_MAX, Args, violation
from schedules.planner.soft_limits import KINDS, VALUE_MAX, Kind, SoftLimit


class WishArgs(Args):
    """One wish. `value` null takes back what holds of this kind for the class, or for the whole plan."""

    kind: Kind
    value: Annotated[int, Field(ge=1, le=30)] | None = None
    task_class_id: Annotated[int, Field(ge=1, le=INT_MAX)] | None = None
    hard_only: bool = False

    @property
    def limit(self) -> SoftLimit | None:
        if self.value is None:
            return None
        return SoftLimit(self.kind, self.value, self.task_class_id, self.hard_only)

    def takes_back(self, held: SoftLimit) -> bool:
        """Tells whether this takes a wish that holds back, or its place."""
        limit = self.limit
        if limit is not None:
            return held.identity == limit.identity
        return (held.kind, held.class_id) == (self.kind, self.task_class_id)


class SetPreferencesArgs(Args):
    wishes: Annotated[list[WishArgs], Field(min_length=1, max_length=12)]

    @classmethod
    def conflicts(cls, values: Json) -> list[Json]:
        found = []
        given = values.get("wishes")
        for index, one in enumerate(given if isinstance(given, list) else []):
            if not isinstance(one, dict) or one.get("kind") not in KINDS:
                continue
            value, most = one.get("value"), VALUE_MAX[one["kind"]]
            if isinstance(value, int) and value > most:
                found.append(violation(f"wishes[{index}].value", "range", f"1..{most}", value))
            if one.get("hard_only") is True and one["kind"] == "blocks_a_day":
                found.append(violation(f"wishes[{index}].hard_only", "conflict", "false", True))
        return found

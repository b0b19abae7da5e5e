"""What every part of the state is."""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, ConfigDict


class StatePart(BaseModel):
    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    def copy_lists(self) -> Self:
        """Returns a copy with lists and dictionaries of its own; what they hold is shared."""
        copy = self.model_copy()
        for name, value in self:
            if isinstance(value, list | dict):
                setattr(copy, name, value.copy())
        return copy

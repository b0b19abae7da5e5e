"""Shapes of the JSON of preferences."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from schedules.planner.soft_limits import KINDS
from taskclasses.shapes import (
    one_of,
)


class PreferenceObject(TypedDict):
    """Holds a preference; `value` by kind: a section, a part of the day (from 1), a weekday, blocks a day, or days
    before the end."""

    id: int
    kind: Annotated[str, one_of(KINDS)]
    value: int
    task_class_id: int | None
    hard_only: bool


class Preferences(TypedDict):
    """Holds everything the student wishes of every plan, in the sequence in which it was said."""

    preferences: list[PreferenceObject]

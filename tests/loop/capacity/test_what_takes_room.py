"""Which rule is told to take the room of a class: what lies ahead, or that its steps come in order."""

from __future__ import annotations

import pytest

from agent.loop.capacity.gate import what_takes_room
from schedules.planner.diagnosis.capacity import ClassForecast


def forecast(missing: int, free: int = 6, **lost: int) -> ClassForecast:
    costliest = max(lost, key=lambda rule: lost[rule], default=None)
    return ClassForecast(5, 8, free, missing, lost, costliest, None)


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (forecast(0, in_the_past=192, occupied=70), ("order_before", 0)),
        (forecast(1, free=40, in_the_past=192, occupied=70), ("order_before", 0)),
        (forecast(2, in_the_past=192, occupied=70, excluded_weekday=24), ("occupied", 70)),
        (forecast(2, in_the_past=192), ("in_the_past", 192)),
        (forecast(2), (None, 0)),
    ],
)
def test_what_is_over_takes_no_room_from_what_lies_ahead(told: ClassForecast, reason: tuple[str | None, int]) -> None:
    assert what_takes_room(told, 8) == reason

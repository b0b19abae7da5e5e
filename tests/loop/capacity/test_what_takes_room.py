"""Which rule is told to take the room of a class: what lies ahead, or that its steps come in order."""

from __future__ import annotations

import pytest

from agent.loop.capacity.gate import what_takes_room
from schedules.planner.diagnosis.capacity import ClassForecast
from tests.kits.loop.chat import Chat, build
from tests.kits.loop.world import World, task_class


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


async def test_of_many_items_without_room_the_first_are_named_and_all_counted() -> None:
    rows = [task_class(5, "概率论复习", "2026-03-16", "2026-03-16", lengths=(2,) * 40)]
    chat = Chat(World(classes=rows)).plays(build())
    await chat.says("排好", task_class_ids=(5,))
    told = "\n".join(event.full_content for event in chat.of("text.ended"))
    assert told.count("概率论复习第") == 12
    assert "等 34 项" in told

"""Worlds for whole conversations with the offline backend."""

from __future__ import annotations

from agent.llm.offline.backend import OfflineModel
from schedules.planner.grid import day_number
from tests.kits.loop.chat import Chat
from tests.kits.loop.world import course

HIGH = {"difficulty_level": "high", "cognitive_intensity": "high"}


def chat_in(world):
    return Chat(world, model=OfflineModel())


def lessons():
    return [course(10 * week + d, "高等数学", day_number(week, d), 1, 2) for week in (3, 4) for d in range(1, 6)]

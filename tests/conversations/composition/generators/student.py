"""The student of the combinations: three classes side by side, all planned, or with some items that have no place."""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from typing import Any

from agent.llm.offline.backend import OfflineModel
from schedules.planner.draft.operations import UnplaceOp
from schedules.planner.grid import day_number
from tests.conversations.checker import places
from tests.kits.loop.chat import Chat
from tests.kits.loop.world import World, course, task_class

NOW = datetime(2026, 4, 8, 1, 0, tzinfo=UTC)
CLASSES = {
    "zh": (
        (5, "概率论复习", [f"第{n}章" for n in range(1, 9)]),
        (6, "英语六级", [f"词汇 Unit {n}" for n in range(1, 7)]),
        (7, "物理实验", [f"实验{n}" for n in "一二三四五六"]),
    ),
    "en": (
        (5, "Probability revision", [f"Chapter {n}" for n in range(1, 9)]),
        (6, "CET-6 words", [f"Unit {n}" for n in range(1, 7)]),
        (7, "Physics labs", [f"Lab {n}" for n in range(1, 7)]),
    ),
}
LESSONS = {"zh": ("高等数学", "大学英语"), "en": ("Calculus", "English")}
PLAN = {"zh": "都排好，只要初稿", "en": "Plan everything, draft only"}
WITHOUT_PLACE = ("第7章", "第8章", "实验六", "Chapter 7", "Chapter 8", "Lab 6")
_KNOWN: dict[tuple[str, str], World] = {}


def _world(language: str) -> World:
    rows = []
    for class_id, name, contents in CLASSES[language]:
        row = task_class(class_id, name, "2026-03-30", "2026-05-10", lengths=(2,) * len(contents))
        row |= {"subject_type": "memory", "cognitive_intensity": "low"} if class_id == 6 else {}
        for item, content in zip(row["items"], contents, strict=True):
            item["content"] = content
        rows.append(row)
    first, second = LESSONS[language]
    events = [course(100 * w + d, first, day_number(w, d), 1, 2) for w in range(2, 13) for d in range(1, 6)]
    events += [course(100 * w + 10 + d, second, day_number(w, d), 3, 4) for w in range(2, 13) for d in (1, 3)]
    return World(classes=rows, events=events, now=NOW)


async def _make(language: str, situation: str) -> World:
    world = _world(language)
    if situation == "no_plan":
        return world
    chat = Chat(world, model=OfflineModel())
    await chat.says(PLAN[language], task_class_ids=(5, 6, 7))
    if situation == "unplaced":
        gone = [name for name in places(chat) if name.endswith(WITHOUT_PLACE)]

        def drop(part: Any) -> None:
            for entry in list(part.schedule.items()):
                if entry.name in gone:
                    part.schedule = UnplaceOp(entry.state_id).apply(part.schedule)

        world.drag(drop)
    return world


async def talk_to(language: str, situation: str = "draft") -> Chat:
    """A new conversation of a student whose plan is as `situation` says."""
    if (language, situation) not in _KNOWN:
        _KNOWN[language, situation] = await _make(language, situation)
    world = _KNOWN[language, situation]
    fresh = World(classes=copy.deepcopy(world.classes), events=list(world.events), now=NOW)
    fresh.document, fresh.revision = copy.deepcopy(world.document), world.revision
    return Chat(fresh, model=OfflineModel())

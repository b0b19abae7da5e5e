"""The student of the corpus: four task classes, two of them planned, lessons every morning."""

from __future__ import annotations

import pickle
from typing import Any

from agent.llm.offline.backend import OfflineModel
from schedules.planner.grid import day_number
from tests.kits.loop.chat import Chat
from tests.kits.loop.world import World, course, task_class

CLASSES: dict[str, list[tuple[int, str, str, str, tuple[str, ...]]]] = {
    "zh": [
        (5, "概率论复习", "2026-03-16", "2026-04-12",
         ("第一章 随机事件", "第二章 随机变量", "第三章 数字特征", "第四章 大数定律", "第五章 参数估计",
          "第六章 假设检验")),
        (6, "线性代数", "2026-03-16", "2026-04-12", ("行列式", "矩阵运算", "向量组", "特征值与特征向量")),
        (7, "大学物理实验", "2026-03-23", "2026-04-19", ("实验一 单摆", "实验二 透镜", "实验三 电桥")),
        (8, "六级词汇冲刺", "2026-03-23", "2026-04-19", ("高频动词", "高频名词")),
    ],
    "en": [
        (5, "Probability", "2026-03-16", "2026-04-12",
         ("Chapter 1 Random events", "Chapter 2 Random variables", "Chapter 3 Moments", "Chapter 4 Limit theorems",
          "Chapter 5 Estimation", "Chapter 6 Hypothesis tests")),
        (6, "Linear Algebra", "2026-03-16", "2026-04-12", ("Determinants", "Matrices", "Vector spaces", "Eigenvalues")),
        (7, "Physics Lab", "2026-03-23", "2026-04-19", ("Lab 1 Pendulum", "Lab 2 Lenses", "Lab 3 Bridge circuit")),
        (8, "Vocabulary sprint", "2026-03-23", "2026-04-19", ("Common verbs", "Common nouns")),
    ],
}  # fmt: skip
LESSONS = {"zh": ("高等数学", "大学英语"), "en": ("Calculus", "English")}
PLAN = {"zh": "排好，只要初稿", "en": "Plan it, draft only"}


def _class(row: tuple[int, str, str, str, tuple[str, ...]]) -> dict[str, Any]:
    class_id, name, start, end, contents = row
    made = task_class(class_id, name, start, end, lengths=(2,) * len(contents))
    for item, content in zip(made["items"], contents, strict=True):
        item["content"] = content
    return made


def _lessons(language: str) -> list[Any]:
    first, second = LESSONS[language]
    rows = [course(100 * w + d, first, day_number(w, d), 1, 2) for w in range(2, 13) for d in range(1, 6)]
    return rows + [course(100 * w + 10 + d, second, day_number(w, d), 3, 4) for w in range(2, 13) for d in (1, 3)]


_KNOWN: dict[str, tuple[World, bytes]] = {}
"""A planned conversation, and what it changes, written to be read anew for each that goes on from there."""


async def _planned(language: str) -> World:
    world = World(classes=[_class(row) for row in CLASSES[language]], events=_lessons(language))
    chat = Chat(world, model=OfflineModel())
    await chat.says(PLAN[language], task_class_ids=(5, 6))
    return world


async def chat_of(language: str, model: OfflineModel | None = None) -> Chat:
    """A conversation in which the first two classes have been planned."""
    if language not in _KNOWN:
        planned = await _planned(language)
        _KNOWN[language] = planned, pickle.dumps((planned.classes, planned.document))
    planned, changed = _KNOWN[language]
    classes, document = pickle.loads(changed)
    world = World(classes=classes, events=list(planned.events), document=document, revision=planned.revision)
    return Chat(world, model=model or OfflineModel())

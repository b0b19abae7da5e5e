"""Conversations with the offline backend, and what is read off them."""

from __future__ import annotations

import copy

from agent.llm.offline.backend import OfflineModel
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.spans.times.semester import SemesterDates
from schedules.planner.grid import day_number
from tests.kits.loop.chat import Chat
from tests.kits.loop.world import World, course, task_class
from tests.kits.offline.views import BASE, task, view


def lessons():
    return [course(10 * week + d, "高等数学", day_number(week, d), 1, 2) for week in (3, 4) for d in range(1, 6)]


_PLANNED: dict[bool, Chat] = {}
"""By whether it is in English, a conversation as it is when its plan has been made."""


async def planned(english=False):
    """Returns a conversation in which the first of two classes has been planned."""
    if english not in _PLANNED:
        _PLANNED[english] = await _plan(english)
    return copy.deepcopy(_PLANNED[english])


async def _plan(english):
    names = ("Probability", "Algebra") if english else ("概率论复习", "线性代数")
    classes = [task_class(5 + n, name, "2026-03-16", "2026-03-29") for n, name in enumerate(names)]
    chat = Chat(World(classes=classes, events=lessons()), model=OfflineModel())
    await chat.says("Plan it, draft only" if english else "排好，只要初稿", task_class_ids=(5,))
    return chat


def card(chat):
    return chat.of("confirm.requested")[0]


def said(chat):
    return "\n".join(event.full_content for event in chat.of("text.ended"))


def place(chat, name):
    """Week, weekday and first section of an item of the draft."""
    entry = next(entry for entry in chat.schedule.items() if entry.name.endswith(name))
    spot = chat.schedule.spot_of(entry)
    week, day = divmod(spot.place.day - 1, 7)
    return week + 1, day + 1, spot.place.first


TERM = SemesterDates.of(BASE)


def entry(number, name, class_id=5, order=1):
    return task(number, name, order, class_id=class_id) | {"slot": None}


def brief(message, *, tasks=(), classes=(), **more):
    draft = BASE["draft"] | {"tasks": list(tasks)}
    return Brief(view(message, draft=draft, classes=list(classes), **more))


NAMES = ("概率论期中复习", "六级词汇冲刺", "操作系统导论阅读")


def three_classes():
    rows = [task_class(n, name, "2026-03-16", "2026-03-29") for n, name in enumerate(NAMES, 1)]
    return Chat(World(classes=rows, events=lessons()), model=OfflineModel())

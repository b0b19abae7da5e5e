"""A student in the middle of a term, with items done, missed, ahead and without a place."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime

from agent.llm.offline.backend import OfflineModel
from schedules.planner.facts import EventFact, Facts, ItemFact
from schedules.planner.grid import Place, day_number, week_and_weekday
from tests.kits.loop.chat import Chat
from tests.kits.loop.world import CALENDAR, World, course, task_class

NOW = datetime(2026, 4, 8, 1, 0, tzinfo=UTC)
TODAY = date(2026, 4, 8)
NAMES = {
    "zh": ("概率论复习", "英语六级", "物理实验"),
    "en": ("Probability revision", "CET-6 words", "Physics labs"),
}
CONTENTS = {
    "zh": (
        [f"第{n}章" for n in range(1, 9)],
        [f"词汇 Unit {n}" for n in range(1, 7)],
        [f"实验{n}" for n in "一二三四五六"],
    ),
    "en": (
        [f"Chapter {n}" for n in range(1, 9)],
        [f"Unit {n}" for n in range(1, 7)],
        [f"Lab {n}" for n in range(1, 7)],
    ),
}
LESSONS = {"zh": ("高等数学", "大学英语"), "en": ("Calculus", "English")}
PROBABILITY, WORDS, LABS = 5, 6, 7
PLACES: dict[int, Sequence[tuple[int, int, int] | None]] = {
    PROBABILITY: ((5, 4, 5), (6, 2, 5), (6, 4, 5), (7, 1, 5), (7, 3, 7), (8, 2, 5), (8, 6, 3), None),
    WORDS: ((5, 5, 5), (6, 2, 7), (6, 5, 9), (7, 1, 7), (7, 6, 9), None),
    LABS: ((5, 3, 7), (6, 1, 9), (6, 7, 5), (7, 3, 9), (9, 1, 5), None),
}
"""Week, weekday and first section of each item, two sections long; None without a place."""
DONE, MISSED = (501, 601, 701), (502, 702)


@dataclass(frozen=True)
class Item:
    name: str
    class_id: int
    number: int
    day: date | None
    first: int
    last: int
    mark: str

    @property
    def place(self) -> tuple[date, int]:
        return (self.day or date.max, self.first)


@dataclass
class Term(World):
    """A world in which items stand in the timetable."""

    held: dict[int, tuple[str, Place]] = field(default_factory=dict)

    async def load_facts(self, class_ids: Sequence[int]) -> Facts:
        facts = await World.load_facts(self, class_ids)
        rows = tuple(replace(row, items=tuple(self._held(item) for item in row.items)) for row in facts.task_classes)
        events = tuple(
            EventFact(9000 + number, name, "task", number, False, place) for number, (name, place) in self.held.items()
        )
        assert self.calendar is not None
        return replace(facts, task_classes=rows, events=facts.events + events, now=self.calendar.now_cell(self.now))

    def _held(self, item: ItemFact) -> ItemFact:
        _, place = self.held.get(item.id, ("", None))
        return replace(item, applied=place is not None, missed_place=place if item.mark == "missed" else None)


def items_of(language: str) -> list[Item]:
    found = []
    for class_id, names in zip((PROBABILITY, WORDS, LABS), CONTENTS[language], strict=True):
        for number, (name, place) in enumerate(zip(names, PLACES[class_id], strict=True), 1):
            day = CALENDAR.date_of(day_number(place[0], place[1])) if place else None
            first = place[2] if place else 0
            key = 100 * class_id + number
            mark = "done" if key in DONE else "missed" if key in MISSED else ""
            found.append(Item(name, class_id, number, day, first, first + 1, mark))
    return found


def lessons_of(language: str) -> list[EventFact]:
    first, second = LESSONS[language]
    rows = [course(100 * w + d, first, day_number(w, d), 1, 2) for w in range(2, 13) for d in range(1, 6)]
    return rows + [course(100 * w + 10 + d, second, day_number(w, d), 3, 4) for w in range(2, 13) for d in (1, 3)]


_KNOWN: dict[str, Term] = {}


async def _term(language: str) -> Term:
    classes = []
    held: dict[int, tuple[str, Place]] = {}
    for class_id, name, contents in zip((PROBABILITY, WORDS, LABS), NAMES[language], CONTENTS[language], strict=True):
        row = task_class(class_id, name, "2026-03-30", "2026-05-10", lengths=(2,) * len(contents))
        for item, content, place in zip(row["items"], contents, PLACES[class_id], strict=True):
            item["content"] = content
            if place:
                held[item["id"]] = (content, Place(day_number(place[0], place[1]), place[2], 2))
        classes.append(row)
    world = Term(classes=classes, events=lessons_of(language), now=NOW, held=held)
    for number in (*DONE, *MISSED):
        world.marks[number] = {"task_item_id": number, "progress": "done" if number in DONE else "missed"}
    chat = Chat(world, model=OfflineModel())
    await chat.says("看看总览" if language == "zh" else "show the overview", task_class_ids=(5, 6, 7))
    return world


async def chat_of(language: str) -> Chat:
    """A conversation in the middle of the term, on the eighth of April."""
    if language not in _KNOWN:
        _KNOWN[language] = await _term(language)
    world = _KNOWN[language]
    fresh = Term(classes=copy.deepcopy(world.classes), events=list(world.events), now=NOW, held=dict(world.held))
    fresh.document, fresh.revision, fresh.marks = copy.deepcopy(world.document), world.revision, dict(world.marks)
    return Chat(fresh, model=OfflineModel())


def places(chat: Chat) -> dict[str, tuple[int, ...] | None]:
    found: dict[str, tuple[int, ...] | None] = {}
    for entry in chat.schedule.items():
        spot = chat.schedule.spot_of(entry)
        found[entry.name] = (*week_and_weekday(spot.place.day), spot.place.first) if spot else None
    return found


def heard(chat: Chat) -> str:
    said = [event.full_content for event in chat.of("text.ended") if not event.superseded]
    return "\n".join([*said, *(event.question for event in chat.of("interrupt.raised"))])


def state_of(chat: Chat) -> tuple[object, ...]:
    """All that a question may not change: the plan, the classes, the marks, the wishes, and what is asked for leave."""
    world = chat.world
    cards = len(chat.of("confirm.requested"))
    return places(chat), copy.deepcopy(world.classes), dict(world.marks), list(world.wishes), world.kept_free, cards

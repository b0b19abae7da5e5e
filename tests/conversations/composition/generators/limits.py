"""Conditions on places: what each wants of the end state, its wordings, and the situations that they are said in."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from schedules.planner.grid import day_number
from tests.conversations.checker import places
from tests.conversations.composition.generators.student import talk_to
from tests.kits.loop.chat import Chat

Place = tuple[int, int, int, int]
"""Week, weekday, first and last section."""
OWNERS = {
    "": ("", ""),
    "5": ("概率论的章节", "the probability chapters"),
    "6": ("英语六级的单元", "the CET-6 units"),
    "7": ("物理实验", "the labs"),
}
KINDS = {"5": ("第", "Chapter"), "6": ("词汇", "Unit"), "7": ("实验", "Lab")}


def _per_day(found: list[Place]) -> int:
    return max(Counter(place[:2] for place in found).values(), default=0)


def _per_week(found: list[Place]) -> int:
    return max(Counter(place[0] for place in found).values(), default=0)


def _apart(found: list[Place]) -> int:
    days = sorted(day_number(*place[:2]) for place in found)
    return min((then - one for one, then in pairwise(days)), default=99)


Holds = Callable[[list[Place]], bool]
CONDITIONS: tuple[tuple[Holds, tuple[str, ...], tuple[str, ...]], ...] = (
    (lambda found: _per_day(found) <= 1,
     ("{who}每天最多一项", "{who}一天别超过1个", "{who}每天只排一项"),
     ("at most one of {who} a day", "no more than one of {who} per day", "max 1 of {who} each day")),
    (lambda found: _per_week(found) <= 4,
     ("{who}每周不要超过4项", "{who}一周最多四个"),
     ("no more than 4 of {who} a week", "at most four of {who} per week")),
    (lambda found: _apart(found) >= 2,
     ("{who}不要连续两天做", "{who}之间至少隔一天"),
     ("at least one free day between {who}", "{who} not on consecutive days")),
    (lambda found: all(place[1] != 7 for place in found),
     ("从今天起{who}周日都空出来", "4月8日起{who}周日不要排"),
     ("keep Sundays free of {who} from today on", "from 8 April on nothing of {who} on Sundays")),
    (lambda found: all(day_number(*place[:2]) <= 60 for place in found),
     ("{who}都要在4月30日之前完成", "4月30日前把{who}全部做完"),
     ("{who} must all be done by 30 April", "finish {who} by 30 April")),
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    language: str
    situation: str
    said: str
    owner: str
    holds: Holds


def conditions(seed: int, count: int) -> list[Case]:
    """Conditions, whose they are, and how they are said."""
    draw = random.Random(seed)
    made = []
    for _ in range(count):
        at, owner = draw.randrange(2), draw.choice(("7", "5", "6", ""))
        holds, *words = draw.choice(CONDITIONS[:2] if owner == "" else CONDITIONS)
        who = OWNERS[owner][at] or ("任务", "my tasks")[at]
        said = draw.choice(words[at]).format(who=who)
        made.append(Case(("zh", "en")[at], "draft", said, owner, holds))
    return made


def own_places(chat: Chat, case: Case) -> list[Place]:
    kind = KINDS[case.owner][case.language == "en"] if case.owner else ""
    return [place for name, place in places(chat).items() if place is not None and name.startswith(kind)]


async def lack_of(case: Case) -> str:
    """What is not as the condition wants it: told as kept, and kept; nobody else moved, nothing lost."""
    chat = await talk_to(case.language, case.situation)
    before = dict(places(chat))
    await chat.says(case.said)
    for _ in range(6):
        if chat.end is None or chat.end.outcome != "paused":
            break
        if chat.end.interaction.type != "confirm":
            return "asked"
        await chat.answers("approve")
    after = places(chat)
    kind = KINDS[case.owner][case.language == "en"] if case.owner else ""
    moved = [name for name, place in after.items() if place != before[name]]
    if any(after.get(name) is None for name in before):
        return "an item lost its place"
    if any(not name.startswith(kind) for name in moved):
        return "another item moved"
    return "" if case.holds(own_places(chat, case)) else "not kept"

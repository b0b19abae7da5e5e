"""Writes put together from an act, what it is about, exceptions, a time and limits, with what must hold of the end.

Nothing here knows how the assistant reads a sentence: what holds follows from the parts that were put together.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.conversations.checker import Place, Played, _answer, _note, find_false, places
from tests.conversations.composition.generators.student import CLASSES, talk_to

Places = dict[str, Place | None]
TODAY = (6, 3)
MOST_CARDS = 12


def _day(place: Place) -> tuple[int, int]:
    return place[0], place[1]


def _number(place: Place) -> int:
    return 7 * place[0] + place[1]


def _name(language: str, kind: str, n: int) -> str:
    at = {"c": 0, "u": 1, "l": 2}[kind]
    return CLASSES[language][at][2][n - 1]


def _said(name: str) -> str:
    return name.removeprefix("词汇 ")


def _kind(names: Places, kind: str) -> list[str]:
    mark = {"c": ("章", "Chapter"), "u": ("Unit",), "l": ("实验", "Lab")}[kind]
    return [name for name in names if any(one in name for one in mark)]


@dataclass(frozen=True)
class What:
    """Words for items, and which they are as the plan stands."""

    key: str
    zh: tuple[str, ...]
    en: tuple[str, ...]
    of: Callable[[Places, str], list[str]]
    situation: str = "draft"


def _named(*items: tuple[str, int]) -> Callable[[Places, str], list[str]]:
    return lambda names, language: [_name(language, kind, n) for kind, n in items]


def _on(*days: tuple[int, int]) -> Callable[[Places, str], list[str]]:
    return lambda names, language: [name for name, at in names.items() if at and _day(at) in days]


WHATS = (
    What("one", ("第5章", "概率论第5章"), ("Chapter 5", "ch 5"), _named(("c", 5))),
    What("one_unit", ("Unit 4", "词汇 Unit 4"), ("Unit 4", "unit 4"), _named(("u", 4))),
    What(
        "pair",
        ("第7章和第8章", "第7、8章"),
        ("Chapters 7 and 8", "Chapter 7 and Chapter 8"),
        _named(("c", 7), ("c", 8)),
    ),
    What(
        "run",
        ("第6到8章", "第6、7、8章"),
        ("Chapters 6 to 8", "Chapters 6, 7 and 8"),
        _named(("c", 6), ("c", 7), ("c", 8)),
    ),
    What(
        "mixed",
        ("第8章和实验六", "实验六还有第8章"),
        ("Chapter 8 and Lab 6", "Lab 6 and Chapter 8"),
        _named(("c", 8), ("l", 6)),
    ),
    What(
        "class",
        ("所有实验", "物理实验的全部内容"),
        ("all the labs", "everything in Physics labs"),
        lambda names, language: _kind(names, "l"),
    ),
    What(
        "last",
        ("最后两个实验", "物理实验最后两个"),
        ("the last two labs", "the final two labs"),
        _named(("l", 5), ("l", 6)),
    ),
    What("friday", ("这周五的任务", "周五那天的东西"), ("everything on Friday", "Friday's stuff"), _on((6, 5))),
    What(
        "weekend",
        ("这周末的所有任务", "周末那几项"),
        ("everything this weekend", "this weekend's items"),
        _on((6, 6), (6, 7)),
    ),
    What(
        "week",
        ("第9周的内容", "第9周所有的任务"),
        ("everything in week 9", "all the items of week 9"),
        _on(*((9, day) for day in range(1, 8))),
    ),
    What(
        "dates",
        ("4月20号到25号的任务", "4月20日到4月25日之间的"),
        ("everything from April 20 to April 25", "whatever is planned between April 20 and 25"),
        _on(*((8, day) for day in range(1, 7))),
    ),
    What(
        "unplaced",
        ("还没排上的那几项", "没有位置的任务"),
        ("the unplaced items", "the ones without a place"),
        lambda names, language: [name for name, at in names.items() if at is None],
        "unplaced",
    ),
)


@dataclass(frozen=True)
class When:
    """Words for where something is to go, and the places that are meant."""

    key: str
    zh: tuple[str, ...]
    en: tuple[str, ...]
    meets: Callable[[Place, Place | None], bool]
    """By the place, and the one before."""


def _on_days(*days: tuple[int, int]) -> Callable[[Place, Place | None], bool]:
    return lambda place, before: _day(place) in days


WHENS = (
    When("date", ("放到5月3号", "移到5月3日"), ("to May 3", "onto May 3"), _on_days((9, 7))),
    When(
        "run",
        ("移到5月4号到5月8号之间", "放到5月4日到8日"),
        ("to May 4 to 8", "to somewhere between May 4 and May 8"),
        lambda place, before: (10, 1) <= _day(place) <= (10, 5),
    ),
    When("week", ("移到第10周", "放到第十周去"), ("to week 10", "into week 10"), lambda place, before: place[0] == 10),
    When(
        "weekday_of_week",
        ("移到第9周周日", "调到第9周的星期天"),
        ("to Sunday of week 9", "to week 9 Sunday"),
        _on_days((9, 7)),
    ),
    When("weekend", ("移到周末", "都放周末"), ("to a weekend", "to weekends"), lambda place, before: place[1] > 5),
    When(
        "last_week",
        ("移到计划的最后一周", "放到最后一周"),
        ("to the last week of the plan", "to the last week"),
        lambda place, before: place[0] == 10,
    ),
    When("part", ("移到晚上", "改到晚上"), ("to the evening", "to evenings"), lambda place, before: place[2] >= 9),
    When(
        "part_same_day",
        ("移到当天晚上", "改到同一天的晚上"),
        ("to the evening of the same day", "to the same day's evening"),
        lambda place, before: place[2] >= 9 and before is not None and _day(place) == _day(before),
    ),
    When(
        "before",
        ("移到5月6号之前", "提到5月6日以前"),
        ("to before May 6", "to some day before May 6"),
        lambda place, before: TODAY <= _day(place) < (10, 3),
    ),
    When(
        "after",
        ("移到5月4号之后", "挪到5月4日以后"),
        ("to after May 4", "to some day after May 4"),
        lambda place, before: _day(place) > (10, 1),
    ),
    When(
        "from",
        ("移到5月4号起的日子", "从5月4号开始排"),
        ("to May 4 or later", "to the days from May 4 on"),
        lambda place, before: _day(place) >= (10, 1),
    ),
    When(
        "sections",
        ("移到第10周的7-8节", "放到第10周第7到8节"),
        ("to week 10, sections 7-8", "to periods 7-8 in week 10"),
        lambda place, before: place[0] == 10 and place[2:] == (7, 8),
    ),
    When(
        "later",
        ("往后推两天", "推迟两天"),
        ("back by two days", "two days later"),
        lambda place, before: before is None or _number(place) - _number(before) == 2,
    ),
    When(
        "evening_of_week",
        ("移到第10周的晚上", "放第10周晚上"),
        ("to evenings in week 10", "to week 10, in the evening"),
        lambda place, before: place[0] == 10 and place[2] >= 9,
    ),
)


@dataclass(frozen=True)
class Limit:
    """Words that narrow a request, and whether the end keeps to them."""

    key: str
    zh: tuple[str, ...]
    en: tuple[str, ...]
    holds: Callable[[Places, list[str]], bool] = lambda after, moved: True
    asks: bool = False
    """Whether nobody can keep to it, so that it must be quoted before anything is written."""
    still: bool = False
    """Whether nothing may be written."""


def _days_of(after: Places, names: list[str]) -> list[tuple[int, int]]:
    return [_day(place) for name in names if (place := after[name])]


LIMITS = (
    Limit("none", ("",), ("",)),
    Limit(
        "one_a_day",
        ("，每天最多一个", "，一天只放一个"),
        (", at most one a day", ", no more than one per day"),
        lambda after, moved: max(Counter(_days_of(after, moved)).values(), default=0) <= 1,
    ),
    Limit(
        "two_a_day",
        ("，每天最多两个", "，一天不超过两项"),
        (", at most two a day", ", no more than two per day"),
        lambda after, moved: max(Counter(_days_of(after, moved)).values(), default=0) <= 2,
    ),
    Limit(
        "not_saturday",
        ("，周六不要排", "，但别放周六"),
        (", but not on Saturdays", ", just not on a Saturday"),
        lambda after, moved: all(day[1] != 6 for day in _days_of(after, moved)),
    ),
    Limit(
        "not_evening",
        ("，晚上不行", "，但别放在晚上"),
        (", but not in the evening", ", not in the evenings though"),
        lambda after, moved: all(place[2] < 9 for name in moved if (place := after[name])),
    ),
    Limit(
        "others_stay",
        ("，其他的都别动", "，别的保持不变"),
        (", leave everything else as it is", " without touching anything else"),
    ),
    Limit(
        "rain",
        ("，如果不下雨的话", "，前提是室友不在"),
        (" unless it rains", ", provided my roommate is out"),
        asks=True,
    ),
    Limit(
        "answer",
        ("，先别改，只告诉我行不行", "？只回答，不要改"),
        ("? Just tell me, don't change anything", " - possible? only answer, don't change it"),
        still=True,
    ),
)
EXCEPT = {
    "zh": ("{what}除了{but}", "{what}，{but}除外，", "{what}（但{but}别动）"),
    "en": ("{what} except {but}", "{what}, but not {but},", "{what} (but leave {but} where it is)"),
}
MOVES = {
    "zh": ("把{what}{when}", "{what}{when}吧", "麻烦帮我把{what}{when}", "{what}想{when}"),
    "en": (
        "Move {what} {when}",
        "can you move {what} {when}",
        "please shift {what} {when}",
        "I want {what} moved {when}",
    ),
}
OUTS = {
    "zh": ("把{what}移出计划", "{what}先不排了", "{what}都拿掉吧", "取消{what}的安排"),
    "en": (
        "Take {what} out of the plan",
        "remove {what} from the draft",
        "unplace {what}",
        "drop {what} from the plan for now",
    ),
}
PUTS = {
    "zh": ("把{what}{when}", "帮我把{what}{when}"),
    "en": ("Put {what} {when}", "please place {what} {when}"),
}
FREE = {
    "zh": ("{days}空出来{but}", "{days}我要出去，别安排任何东西{but}", "{days}不要安排学习{but}"),
    "en": ("Keep {days} free{but}", "I'm away {days}, clear it{but}", "nothing {days} please{but}"),
}
DAYS = (
    ("4月18号和19号", "on April 18 and 19", ((7, 6), (7, 7)), (1, 12)),
    ("下周末", "next weekend", ((7, 6), (7, 7)), (1, 12)),
    ("第8周", "in week 8", tuple((8, day) for day in range(1, 8)), (1, 12)),
    ("4月25号上午", "on the morning of April 25", ((8, 6),), (1, 4)),
    ("4月18号到4月21号", "from April 18 to April 21", ((7, 6), (7, 7), (8, 1), (8, 2)), (1, 12)),
    ("4月24号晚上", "on the evening of April 24", ((8, 5),), (9, 12)),
)


@dataclass(frozen=True)
class Case:
    language: str
    said: str
    situation: str
    key: str
    judge: Callable[[Places, Places], str] = field(compare=False)
    """What is wrong with an end in which something was written; empty where it is as wanted."""
    items: tuple[str, ...] = ()
    """What is to change: each does, or is told of."""
    asks: str = ""
    still: bool = False
    possible: bool = True
    """Whether all of it can be done at all."""


def _free(names: Places, goal: list[str], place: Place) -> bool:
    """Whether nothing that stays and no lesson is at a place."""
    week, day, first, last = place
    lesson = (day < 6 and first <= 2) or (day in (1, 3) and first <= 4 and last >= 3)
    held = any(
        at and name not in goal and _day(at) == (week, day) and at[2] <= last and first <= at[3]
        for name, at in names.items()
    )
    return not lesson and not held and (week, day, first) > (6, 3, 3)


def _is_possible(names: Places, goal: list[str], meets: Callable[[str, Place], bool], a_day: int) -> bool:
    """Whether each class can keep its order when these items, the earliest place first, go where they are to."""
    taken: list[Place] = []
    busy: Counter[tuple[int, int]] = Counter()
    for kind in "clu":
        own = _kind(names, kind)
        last: tuple[int, ...] = (0,)
        for at, name in enumerate(own):
            if name not in goal:
                last = names[name] or last
                continue
            bound = next((place for other in own[at + 1 :] if other not in goal and (place := names[other])), (99,))
            cells = [
                (week, day, first, first + 1) for week in range(6, 11) for day in range(1, 8) for first in range(1, 12)
            ]
            fits = (
                cell
                for cell in cells
                if last < cell < bound
                and cell[:3] > (*last[:2], *last[3:4])
                and meets(name, cell)
                and _free(names, goal, cell)
                and (not a_day or busy[_day(cell)] < a_day)
                and not any(_day(one) == _day(cell) and one[2] <= cell[3] and cell[2] <= one[3] for one in taken)
            )
            found = next(fits, None)
            if found is None:
                return False
            taken.append(found)
            busy[_day(found)] += 1
            last = found
    return True


def _compose_move(
    dice: random.Random, names: Places, language: str, what: What, when: When, limit: Limit, out: bool
) -> Case:
    meant = what.of(names, language)
    but = dice.choice(meant) if len(meant) > 1 and dice.random() < 0.4 else ""
    words = dice.choice(what.zh if language == "zh" else what.en)
    if but:
        words = dice.choice(EXCEPT[language]).format(what=words, but=_said(but))
    goes = dice.choice(when.zh if language == "zh" else when.en)
    frame = dice.choice((OUTS if out else PUTS if what.key == "unplaced" else MOVES)[language])
    narrow = dice.choice(limit.zh if language == "zh" else limit.en)
    said = frame.format(what=words, when=goes) + narrow
    goal = tuple(name for name in meant if name != but)

    def judge(before: Places, after: Places) -> str:
        moved = [name for name in after if after[name] != before[name]]
        if strange := [name for name in moved if name not in goal]:
            return f"moved {strange}"
        if out:
            return "" if all(after[name] is None for name in moved) else "still placed"
        wrong = [name for name in moved if after[name] is None or not when.meets(after[name], before[name])]
        if wrong:
            return f"wrong place {[(name, after[name]) for name in wrong]}"
        return "" if limit.holds(after, moved) else f"limit {limit.key}"

    done = tuple(name for name in goal if not (not out and names[name] and when.meets(names[name], names[name])))
    if when.key == "later":
        done = goal
    a_day = {"one_a_day": 1, "two_a_day": 2}.get(limit.key, 0)
    possible = out or _is_possible(
        names, list(goal), lambda name, cell: when.meets(cell, names[name]) and limit.holds({name: cell}, [name]), a_day
    )
    key = f"{'out' if out else 'move'}:{what.key}:{'' if out else when.key}:{limit.key}:{'but' if but else ''}"
    return Case(
        language,
        said,
        what.situation,
        key,
        judge,
        done,
        narrow.strip(" ，,?？") if limit.asks else "",
        limit.still,
        possible,
    )


def _compose_free(dice: random.Random, names: Places, language: str) -> Case:
    zh, en, days, (first, last) = dice.choice(DAYS)
    there = [name for name, at in names.items() if at and _day(at) in days and first <= at[2] <= last]
    but = dice.choice(there) if there and dice.random() < 0.4 else ""
    spare = {"zh": ("，但{but}别动", "，{but}除外"), "en": (", but leave {but} where it is", ", except {but}")}[
        language
    ]
    frame = dice.choice(FREE[language])
    said = frame.format(
        days=zh if language == "zh" else en.removeprefix("on ") if frame.startswith("Keep") else en,
        but=dice.choice(spare).format(but=_said(but)) if but else "",
    )

    def judge(before: Places, after: Places) -> str:
        if but and after[but] != before[but]:
            return f"moved {but}"
        out = [name for name in after if before[name] and not after[name]]
        held = [
            name
            for name in there
            if name != but and after[name] is not None and _day(after[name]) in days and first <= after[name][2] <= last
        ]
        return f"took out {out}" if out else f"still there {held}" if held else ""

    return Case(
        language,
        said,
        "draft",
        f"free:{zh}::{'but' if but else ''}",
        judge,
        tuple(name for name in there if name != but),
    )


async def compose(seed: int, count: int) -> list[Case]:
    dice = random.Random(seed)
    cases: list[Case] = []
    names = {
        key: places(await talk_to(*key))
        for key in ((language, situation) for language in ("zh", "en") for situation in ("draft", "unplaced"))
    }
    while len(cases) < count:
        language = dice.choice(("zh", "en"))
        act = dice.choices(("move", "out", "free"), (8, 2, 2))[0]
        if act == "free":
            cases.append(_compose_free(dice, names[language, "draft"], language))
            continue
        what, when = dice.choice(WHATS), dice.choice(WHENS)
        limit = dice.choices(LIMITS, (6, 1, 1, 1, 1, 1, 1, 1))[0]
        if what.key == "unplaced" and (act == "out" or when.key in ("later", "part_same_day", "part", "weekend")):
            continue
        if act == "out" and limit.key not in ("none", "others_stay", "rain", "answer"):
            continue
        cases.append(_compose_move(dice, names[language, what.situation], language, what, when, limit, act == "out"))
    return cases


@dataclass
class Verdict:
    """`held`, `told` (a part, the rest with its names), `asked` (nothing written), `silent`, or `false` with why."""

    kind: str
    why: str = ""
    heard: str = ""


async def judge(case: Case) -> Verdict:
    chat = await talk_to(case.language, case.situation)
    before = places(chat)
    played = Played(chat, case.language, before)
    await chat.says(case.said)
    _note(played)
    false = find_false(played, before)
    first, cards = played.pending, 0
    while played.pending is not None and played.pending.type == "confirm" and cards < MOST_CARDS:
        cards += 1
        if case.still or case.asks:
            return Verdict("false", "a card", "\n".join(played.heard))
        await _answer(played, "approve")
        false += find_false(played, before)
    heard, after = "\n".join(dict.fromkeys(played.heard)), played.after
    if gone := [name for name in before if name not in after]:
        return Verdict("false", f"deleted {gone}", heard)
    if case.asks:
        quoted = case.asks.strip() in heard
        return Verdict(
            "false" if after != before else "asked" if quoted else "silent", "written" if after != before else "", heard
        )
    if case.still:
        return Verdict("false" if after != before else "held", "written", heard)
    if false:
        return Verdict("false", str(false), heard)
    if after != before and (wrong := case.judge(before, after)):
        return Verdict("false", wrong, heard)
    left = [name for name in case.items if after[name] == before[name]]
    if after == before and not case.items:
        return Verdict("held", "", heard)
    if after == before:
        asked = first is not None and first.type == "ask_user"
        named = all(_said(name) in heard for name in left)
        if not case.possible:
            return Verdict("refused" if asked or named else "silent", "", heard)
        return Verdict("asked" if asked or named else "silent", "", heard)
    if not left:
        return Verdict("held", "", heard)
    return Verdict("told" if all(_said(name) in heard for name in left) else "false", f"silent about {left}", heard)


async def judge_all(cases: list[Case]) -> Iterator[tuple[Case, Verdict]]:
    return iter([(case, await judge(case)) for case in cases])

"""Later turns as combinations: what was said or is open, times what is said then, with what must hold in the end."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from schedules.planner.grid import day_number
from tests.conversations.checker import Place, Played, _answer, _note, find_false, places
from tests.conversations.composition.generators.student import CLASSES, talk_to
from tests.kits.loop.chat import Chat

HERE = Path(__file__).parent
_CARDS = 8
_DAYS = {"zh": "一二三四五六日", "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")}


@dataclass(frozen=True)
class Combination:
    language: str
    opener: str
    mode: str
    name: str
    turns: tuple[str, ...]
    last: str
    want: str

    @property
    def situation(self) -> str:
        return {"build": "no_plan"}.get(self.opener, "unplaced" if self.mode == "unplaced" else "draft")


def read_combinations() -> list[Combination]:
    openers: dict[tuple[str, str], list[str]] = {}
    found: list[Combination] = []
    head: tuple[list[str], str, str, str] | None = None
    for line in (HERE / "later_turns.txt").read_text(encoding="utf8").splitlines():
        if line.startswith("@"):
            name, language, said = line[1:].split(" ", 2)
            openers[name, language] = [one.strip() for one in re.split(r" / ", said)]
        elif line.startswith("= "):
            names, mode, name, want = line[2:].split(" | ", 3)
            head = (names.split(), mode, name, want)
        elif line[:3] in ("zh ", "en ") and head is not None:
            language = line[:2]
            for opener in head[0]:
                for number, last in enumerate(re.split(r" / ", line[3:])):
                    firsts = openers[opener, language]
                    turns = tuple(one.strip() for one in firsts[number % len(firsts)].split("//"))
                    found.append(Combination(language, opener, head[1], head[2], turns, last.strip(), head[3]))
    return found


@dataclass
class End:
    """How a combination ended: what moved since the beginning, what was said last."""

    played: Played
    chat: Chat
    before: dict[str, Place | None]
    classes: dict[int, dict[str, Any]]
    text: str = ""
    cards: bool = False
    asked: bool = False
    error: str = ""
    told: list[str] = field(default_factory=list)
    offered: list[Place] = field(default_factory=list)


NOT_APPROVED = ("yes", "ask", "askfree", "askit")
"""Last turns behind which a card comes back that was there before."""


async def play(one: Combination) -> End:
    chat = await talk_to(one.language, one.situation)
    before = places(chat) if chat.world.document and chat.schedule is not None else {}
    end = End(Played(chat, one.language, before), chat, before, {row["id"]: dict(row) for row in chat.world.classes})
    for turn in one.turns:
        if turn == "!ok":
            await _approve(end)
        else:
            await _say(end, turn)
    if one.mode == "done":
        await _approve(end)
    start = _now(chat)
    end.offered = _read_places(end.played.said, one.language) if end.played.pending is not None else []
    if one.mode != "either" and (one.mode == "card") != (
        end.played.pending is not None and end.played.pending.type == "confirm"
    ):
        end.error = f"opener: {end.played.said}"
        return end
    await _say(end, one.last)
    end.text = "\n".join(end.played.said)
    end.asked = end.played.pending is not None and end.played.pending.type == "ask_user"
    end.cards = end.played.pending is not None and end.played.pending.type == "confirm"
    if one.name not in NOT_APPROVED:
        await _approve(end)
    end.told = find_false(end.played, start)
    return end


def _now(chat: Chat) -> dict[str, Place | None]:
    return places(chat) if chat.world.document and chat.schedule is not None else {}


async def _say(end: End, words: str) -> None:
    if end.played.pending is not None:
        await _answer(end.played, "message", words)
    else:
        end.chat.end = None
        await end.chat.says(words)
        _note(end.played)


async def _approve(end: End) -> None:
    for _ in range(_CARDS):
        if end.played.pending is not None and end.played.pending.type == "confirm":
            await _answer(end.played, "approve")
            end.text += "\n" + "\n".join(end.played.said)


def _read_places(said: list[str], language: str) -> list[Place]:
    form = r"^\d\. 第(\d+)周 周(.) (\d+)-(\d+)节" if language == "zh" else r"^\d\. wk (\d+) (\w{3}) (\d+)-(\d+)"
    found = re.findall(form, "\n".join(said), re.MULTILINE)
    listed = [(int(w), _DAYS[language].index(d) + 1, int(a), int(b)) for w, d, a, b in found]
    return list(dict.fromkeys(listed))


def find_misses(one: Combination, end: End) -> list[str]:
    """Why none of the alternatives holds; empty where one does."""
    if end.error:
        return [end.error]
    misses = [_miss(one, end, alternative) for alternative in one.want.split(" || ")]
    return [] if [] in misses else [str(miss) for miss in misses]


def name_of(code: str, language: str) -> str:
    owners = {"C": 5, "U": 6, "L": 7}
    _, _, items = CLASSES[language][owners[code[0]] - 5]
    return items[int(code[1:]) - 1]


def _form_of(code: str, language: str) -> str:
    """What an item or a class may be called in an answer."""
    if code[0] == "K":
        return {"5": "概率论|Probability", "6": "六级|CET", "7": "实验|labs"}[code[1:]]
    return name_of(code, language).replace("Lab ", "Labs? ")


def _day_name(code: str, language: str) -> str:
    week, day = int(code[1:-2]), int(code[-1])
    number = 30 + 7 * (week - 5) + day - 1
    month, date = (3, number) if number <= 31 else (4, number - 31) if number <= 61 else (5, number - 61)
    if language == "zh":
        return f"第{week}周 ?周{_DAYS['zh'][day - 1]}|{month}月{date}[日号]"
    months = {3: "Mar", 4: "Apr", 5: "May"}
    return f"wk {week} {_DAYS['en'][day - 1]}|{months[month]}\\w* {date}\\b|\\b{date} {months[month]}"


def _miss(one: Combination, end: End, wanted: str) -> list[str]:
    now, language = _now(end.chat), one.language
    named: set[str] = set()
    missed: list[str] = []
    for atom in filter(None, map(str.strip, wanted.split(";"))):
        if not _holds(atom, end, now, language, named):
            missed.append(atom)
    return missed


def _written(end: End) -> bool:
    world = end.chat.world
    rows = {row["id"]: dict(row) for row in world.classes}
    return bool(world.marks or world.wishes or world.kept_free) or rows != end.classes


Check = Callable[[End, list[str], str], bool]


def _holds(atom: str, end: End, now: dict[str, Place | None], language: str, named: set[str]) -> bool:
    """Whether one atom of what is wanted holds; items that it names are put into `named`."""
    kind, *rest = atom.split()
    if kind == "same":
        return not _moved(end, now) and not _written(end)
    if kind.startswith("only"):
        named |= {name_of(code, language) for code in kind.split("+")[1:]}
        return _moved(end, now) <= named
    if kind in _WITHOUT_ITEM:
        return _WITHOUT_ITEM[kind](end, rest, language)
    if kind in ("free", "notfree", "freepart"):
        return _is_kept_free(kind, rest, end, now)
    if kind == "all":
        return _stands_apart(int(rest[0]), now, language)
    code = re.match(r"[CUL]\d", atom)
    assert code is not None, atom
    name, test = name_of(code.group(), language), atom[2:].strip()
    if test != "=":
        named.add(name)
    return _stands(test, now.get(name), end.before.get(name), end.offered)


def _moved(end: End, now: dict[str, Place | None]) -> set[str]:
    return {name for name in now if now[name] != end.before.get(name)}


def _says(end: End, rest: list[str], language: str) -> bool:
    wanted = [
        _form_of(w[1:-1], language) if w[1] in "CULK" else _day_name(w[1:-1], language) for w in rest if w[0] == "{"
    ]
    wanted += [re.escape(w) for w in rest if w[0] != "{" and w != "any"]
    return all(re.search(w, end.text, re.IGNORECASE) for w in wanted)


def _is_there(end: End, rest: list[str], language: str) -> bool:
    return any(row["id"] == int(rest[0]) for row in end.chat.world.classes)


def _is_due(end: End, rest: list[str], language: str) -> bool:
    return any(row["id"] == int(rest[0]) and row["end_date"] == rest[1] for row in end.chat.world.classes)


def _out_of(end: End, rest: list[str]) -> tuple[set[int], set[int]]:
    """The weekdays and the blocks that the rules of a class leave out."""
    row = next(row for row in end.chat.world.classes if row["id"] == int(rest[0]))
    return set(row.get("excluded_days_of_week") or ()), set(row.get("excluded_slots") or ())


def _leaves_out(end: End, rest: list[str], language: str) -> bool:
    days, blocks = _out_of(end, rest)
    return {"sun": 7 in days, "eve": blocks >= {5, 6}, "sun,eve": 7 in days and blocks >= {5, 6}}[rest[1]]


def _is_wished(end: End, rest: list[str], language: str) -> bool:
    return any(wish.value == int(rest[0]) for wish in end.chat.world.wishes)


def _mark_of(end: End, code: str, language: str) -> str | None:
    world, name = end.chat.world, name_of(code, language)
    number = next(item["id"] for row in world.classes for item in row["items"] if item["content"] == name)
    return world.marks.get(number, {}).get("progress")


_WITHOUT_ITEM: dict[str, Check] = {
    "card": lambda end, rest, language: end.cards is True,
    "nocard": lambda end, rest, language: end.cards is False,
    "says": _says,
    "asks": lambda end, rest, language: end.asked and _says(end, rest, language),
    "any": lambda end, rest, language: bool(end.text.strip()),
    "told": lambda end, rest, language: bool(end.text.strip()),
    "due": _is_due,
    "there": _is_there,
    "gone": lambda end, rest, language: not _is_there(end, rest, language),
    "excl": _leaves_out,
    "noexcl": lambda end, rest, language: not any(_out_of(end, rest)),
    "wish": _is_wished,
    "nowish": lambda end, rest, language: not _is_wished(end, rest, language),
    "mark": lambda end, rest, language: _mark_of(end, rest[0], language) == rest[1],
    "nomark": lambda end, rest, language: _mark_of(end, rest[0], language) not in ("done", "partial"),
}


def _is_kept_free(kind: str, rest: list[str], end: End, now: dict[str, Place | None]) -> bool:
    """Whether a day, or a part of it, is kept free and nothing stands then; `notfree`: whether none of it is."""
    week, day = int(rest[0][1:-2]), int(rest[0][-1])
    cells = {section for number, section in end.chat.world.kept_free if number == day_number(week, day)}
    if kind == "notfree":
        return not cells
    first, last = map(int, rest[1].split("-")) if kind == "freepart" else (1, 12)
    return cells == set(range(first, last + 1)) and not any(
        place and place[:2] == (week, day) and first <= place[3] and place[2] <= last for place in now.values()
    )


def _stands_apart(class_id: int, now: dict[str, Place | None], language: str) -> bool:
    """Whether every item of a class has a place, each on a day of its own."""
    owned = [now.get(content) for number, _, items in CLASSES[language] if number == class_id for content in items]
    days = [place[:2] for place in owned if place]
    return len(days) == len(owned) == len(set(days))


def _stands(test: str, place: Place | None, before: Place | None, offered: list[Place]) -> bool:
    """Whether an item stands where it is to: as before, out, so many days later, off a day, at a place."""
    if test == "=":
        return place == before
    if test in ("out", "in"):
        return (place is None) is (test == "out")
    if place is None:
        return False
    if re.fullmatch(r"[+-]\d", test):
        return before is not None and 7 * place[0] + place[1] == 7 * before[0] + before[1] + int(test)
    if test == "@<":
        return before is not None and place < before
    if test.startswith("@!d"):
        return place[1] != int(test[3:])
    if test.startswith("!"):
        return place[:2] != (int(test[2:-2]), int(test[-1]))
    if test.startswith("@p"):
        return bool(offered) and place == (offered[-1] if test == "@p3" else offered[0])
    found = re.fullmatch(r"@w(\d+)(?:d(\d))?(?::(\d+)-(\d+))?", test)
    assert found is not None, test
    return (
        place[0] == int(found[1])
        and (not found[2] or place[1] == int(found[2]))
        and (not found[3] or int(found[3]) <= place[2] <= place[3] <= int(found[4]))
    )

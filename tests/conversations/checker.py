"""Reads the corpus, plays its turns, and holds the end state and every statement of the answers against the draft."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent.llm.offline.backend import OfflineModel
from agent.llm.offline.language.utterance.page_words import write_page_words
from schedules.planner.grid import week_and_weekday
from tests.conversations.world import chat_of
from tests.kits.loop.chat import Chat

Place = tuple[int, int, int, int]
HERE = Path(__file__).parent
MOST_CARDS = 8
WEEKDAYS = {"zh": "一二三四五六日", "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")}
_PLACE = {
    "zh": re.compile(r"第(\d+)周 周([一二三四五六日]) (\d+)(?:-(\d+))?节"),
    "en": re.compile(r"wk (\d+) (Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\d+)(?:-(\d+))?"),
}
_UNCHANGED = re.compile(
    r"没有改动|什么都没有改|保持不变|草稿保持|Nothing was changed|nothing was changed|stays as it is"
)
_LEFT_OVER = re.compile(r"没有考虑|没法照做|Not taken into account|cannot take")
_FORBIDDEN = re.compile(r"\[\d+\]|评分|\b[Cc]ost\b|第\d+天|\b[Dd]ay \d+\b|lower is better")


@dataclass(frozen=True)
class Case:
    language: str
    line: int
    turns: tuple[str, ...]
    wanted: tuple[str, ...]
    spans: tuple[str, ...] = ()
    """What becomes of the times, numbers, limits and conditions that are said: `used`, `told` or `asked`, and words."""

    @property
    def name(self) -> str:
        return f"{self.language}:{self.line}"


def read_cases(language: str) -> list[Case]:
    cases = []
    for number, line in enumerate((HERE / f"{language}.txt").read_text(encoding="utf8").splitlines(), 1):
        if line and not line.startswith("#"):
            said, _, spans = line.partition(" ~~ ")
            turns, wanted = said.split(" => ")
            parts = [
                tuple(part.strip() for part in side.split(cut) if part.strip())
                for side, cut in ((turns, "//"), (wanted, " ; "), (spans, " ; "))
            ]
            cases.append(Case(language, number, *parts))
    return cases


@dataclass
class Played:
    """A case that was played: the chat, the places before and after, all that was said to the student."""

    chat: Chat
    language: str
    before: dict[str, Place | None]
    said: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    """All that was said in the case; `said` is of the last run."""
    cards: list[Any] = field(default_factory=list)
    false: list[str] = field(default_factory=list)
    _seen: tuple[Any, dict[str, Place | None]] = field(default_factory=lambda: (None, {}))
    """The document that was looked at last, with its places: many statements are held against the same."""

    @property
    def after(self) -> dict[str, Place | None]:
        if self._seen[0] is not self.chat.world.document:
            self._seen = self.chat.world.document, places(self.chat)
        return self._seen[1]

    @property
    def pending(self) -> Any:
        end = self.chat.end
        return end.interaction if end is not None and end.outcome == "paused" else None


def places(chat: Chat) -> dict[str, Place | None]:
    found: dict[str, Place | None] = {}
    schedule = chat.schedule
    for entry in schedule.items():
        spot = schedule.spot_of(entry)
        week, day = week_and_weekday(spot.place.day) if spot else (0, 0)
        found[entry.name] = (week, day, spot.place.first, spot.place.last) if spot else None
    return found


async def play(case: Case, model: OfflineModel | None = None) -> Played:
    chat = await chat_of(case.language, model)
    played = Played(chat, case.language, places(chat))
    for turn in case.turns:
        start = played.after
        await _turn(played, turn)
        played.false += find_false(played, start)
    return played


async def _turn(played: Played, turn: str) -> None:
    chat = played.chat
    if turn == "!ok*":
        for _ in range(MOST_CARDS):
            if played.pending is not None and played.pending.type == "confirm":
                await _answer(played, "approve")
    elif turn in ("!ok", "!no"):
        if played.pending is not None and played.pending.type == "confirm":
            await _answer(played, {"!ok": "approve", "!no": "reject"}[turn])
    elif played.pending is not None:
        await _answer(played, "message", turn)
    else:
        chat.end = None
        await chat.says(turn)
        _note(played)


async def _answer(played: Played, action: str, words: str = "") -> None:
    await played.chat.answers(action, words)
    _note(played)


def _note(played: Played) -> None:
    """What the student heard in the last run, and the card that is open."""
    chat = played.chat
    played.said = [event.full_content for event in chat.of("text.ended") if not event.superseded]
    played.said += [event.question for event in chat.of("interrupt.raised")]
    played.cards = chat.of("confirm.requested")
    played.said += [card.summary for card in played.cards]
    played.heard += played.said


def find_false(played: Played, start: dict[str, Place | None]) -> list[str]:
    """Statements of the answers that the draft denies."""
    # An item that comes into the draft without a place is not changed.
    now, told = {name: place for name, place in played.after.items() if place or name in start}, "\n".join(played.said)
    false = [f"shows {word!r}" for word in _FORBIDDEN.findall(told)]
    if _UNCHANGED.search(told) and "已经改好" not in told and "Done so far" not in told and start != now:
        false.append("says that nothing changed")
    if played.pending is not None:
        return false
    for line in told.splitlines():
        named = [name for name in now if name in line]
        stated = [_read_place(found, played.language) for found in _PLACE[played.language].finditer(line)]
        if (
            len(named) == 1
            and stated
            and not re.search(r"之后|之前|可以|after|before|could|would", line)
            and now[named[0]] != (None if re.search(r"→ (?:待安排|not placed)$", line) else stated[-1])
        ):
            false.append(f"{line!r}: {named[0]} is at {now[named[0]]}")
    return false


def _read_place(found: re.Match[str], language: str) -> Place:
    first = int(found[3])
    return int(found[1]), WEEKDAYS[language].index(found[2]) + 1, first, int(found[4] or first)


def misses(case: Case, played: Played) -> list[str]:
    """The expectations of a case that do not hold."""
    lost = [span for span in case.spans if not _came_to(played, *span.split(" ", 1))]
    return [wanted for wanted in case.wanted if not _holds(played, wanted)] + lost


def _came_to(played: Played, fate: str, words: str) -> bool:
    """Whether words of the student came to this: `used` by what was done, `told` as not used, or `asked` about."""
    quoted = [text for text in played.heard if words in text and _LEFT_OVER.search(text)]
    return not quoted if fate == "used" else bool(quoted)


def _holds(played: Played, wanted: str) -> bool:
    kind, _, rest = wanted.partition(" ")
    return bool(CHECKS[kind](played, rest))


def _find(played: Played, text: str) -> tuple[str, list[str]]:
    """The item that a text begins with, and the rest of its words."""
    name = next(name for name in sorted(played.after, key=len) if _begins(name, text))
    said = next(text[:size] for size in range(len(text), 0, -1) if name.startswith(text[:size].strip()))
    return name, text[len(said) :].split()


def _begins(name: str, text: str) -> bool:
    head = re.split(r" (?=[wd]\d|[+-]\d|\d+-)", text)[0]
    return name.startswith(head)


def _fits(place: Place | None, words: list[str]) -> bool:
    if place is None:
        return False
    for word in words:
        if word[0] == "w" and place[0] != int(word[1:]):
            return False
        if word[0] == "d" and place[1] != int(word[1:]):
            return False
        if "-" in word[1:]:
            first, last = map(int, word.split("-"))
            if not first <= place[2] <= place[3] <= last:
                return False
    return True


def _at(played: Played, text: str) -> bool:
    name, words = _find(played, text)
    return _fits(played.after[name], words)


def _card(played: Played, text: str) -> bool:
    name, words = _find(played, text)
    if not played.cards or played.pending is None:
        return False
    change = next((one for one in played.cards[-1].changes if one["name"] == name), None)
    after = change and change["after"]
    if not after:
        return False
    place = (after["week"], after["day_of_week"], after["section_from"], after["section_to"])
    if words and words[0][0] in "+-":
        old = played.before[name]
        assert old is not None
        return 7 * (place[0] - old[0]) + place[1] - old[1] == int(words[0])
    return _fits(place, words)


def _way(played: Played, text: str) -> int:
    """Whether an item stands later (1) or earlier (-1) than before."""
    name, _ = _find(played, text)
    before, after = played.before[name], played.after[name]
    return 0 if before is None or after is None else (after > before) - (after < before)


def _class_has(played: Played, text: str) -> bool:
    class_id, *pairs = re.split(r" (?=\w+=)|(?<=^\d) ", text)
    row = next((row for row in played.chat.world.classes if row["id"] == int(class_id)), {})
    return all(str(row.get(pair.split("=")[0])) == pair.split("=")[1] for pair in pairs)


def _items(played: Played, text: str) -> bool:
    class_id, count, name = text.split(" ", 2)
    row = next((row for row in played.chat.world.classes if row["id"] == int(class_id)), {"items": []})
    contents = [item["content"] for item in row["items"]]
    there = any(name.lstrip("-") in content for content in contents)
    return len(contents) == int(count) and there != name.startswith("-")


def _first(played: Played, text: str) -> bool:
    class_id, name = text.split(" ", 1)
    row = next(row for row in played.chat.world.classes if row["id"] == int(class_id))
    return str(row["items"][0]["content"]).startswith(name)


def _built(played: Played, text: str) -> bool:
    row = next(row for row in played.chat.world.classes if row["id"] == int(text))
    return all(played.after.get(item["content"]) for item in row["items"])


def _says(played: Played, text: str) -> bool:
    """Whether the student heard this: English wants are in the words of the code, what is heard in the page's, where it
    does not quote the student."""
    heard = "\n".join(played.said)
    return text in heard or (played.language == "en" and write_page_words(text, (), ()) in heard)


def _named(played: Played, text: str) -> bool:
    class_id, name = text.split(" ", 1)
    return any(row["name"] == name and row["id"] == int(class_id) for row in played.chat.world.classes)


def _marked(played: Played, text: str) -> bool:
    item, progress = text.rsplit(" ", 1)
    world = played.chat.world
    named = [row["id"] for owner in world.classes for row in owner["items"] if row["content"].startswith(item)]
    return world.marks.get(named[0], {}).get("progress") == progress


def _clear(played: Played, text: str) -> bool:
    """Nothing of the plan stands on these days: `w3 d3` or `w5`."""
    words = text.split()
    return not any(_fits(place, words) for place in played.after.values())


def _asked(played: Played, text: str) -> bool:
    asked = played.pending is not None and played.pending.type == "ask_user"
    return asked and _says(played, text)


def _has_class(played: Played, text: str) -> bool:
    return any(row["id"] == int(text) for row in played.chat.world.classes)


CHECKS: dict[str, Any] = {
    "any": lambda played, text: bool(played.said),
    "same": lambda played, text: played.after == played.before and not played.cards,
    "at": _at,
    "card": _card,
    "later": lambda played, text: _way(played, text) > 0,
    "earlier": lambda played, text: _way(played, text) < 0,
    "out": lambda played, text: played.after[_find(played, text)[0]] is None,
    "in": lambda played, text: played.after[_find(played, text)[0]] is not None,
    "back": lambda played, text: played.after[_find(played, text)[0]] == played.before[_find(played, text)[0]],
    "class": _class_has,
    "items": _items,
    "first": _first,
    "name": _named,
    "there": _has_class,
    "gone": lambda played, text: not _has_class(played, text),
    "built": _built,
    "says": _says,
    "told": _says,
    "unsaid": lambda played, text: not _says(played, text),
    "asks": _asked,
    "marked": _marked,
    "clear": _clear,
    "moved": lambda played, text: played.after != played.before,
}

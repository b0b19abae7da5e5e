"""What the turns so far leave to point to: the student's last words, whether they asked, and what the answer told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from agent.llm.offline.language.brief import Brief, slot_of
from agent.llm.offline.language.dialogue.left_behind import Asked, Left, find_left
from agent.llm.offline.language.dialogue.rewriting import LOOKING
from agent.llm.offline.language.meaning.ellipsis import affirms
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import Intent, intent_of
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.remember import is_write
from agent.llm.offline.language.spans.items.spoken import named_items
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in, said_names
from agent.llm.offline.language.spans.revert import MOVES, find_changes
from agent.llm.offline.language.spans.targets import PlaceTarget, blank_calendar_names, list_standing, place_of
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.texts import comes_back
from agent.loop.view_document import DialogueTurnView, DraftView, ResultView, TaskView, View

_FREE = re.compile(r"有空|空闲|没事|空[的着档]|\b(?:free|empty|available|open|nothing on)\b")

_FREES = frozenset(["away", "nothing_on", "wish_nothing_on", "move_all_away", "take_all_out"])
_AWAY = re.compile(
    r"空出|留空|没空|不在|不[能行]|有事|别排|不排|清空|挪走|移走|腾出|回家|出[去门差]|请假"
    r"|\b(?:out|away|busy|off|free|clear|can't|cannot|won't|not|nothing|empty)\b"
)
_QUESTION = re.compile(r"[?？]\s*$|[吗么]\s*$")
_SAME = re.compile(r"(?<![和跟与])(?:同[1一]|那[1一]?|当)天|\b(?:that|same) day\b", re.IGNORECASE)


@dataclass(frozen=True)
class Exchange:
    """One turn of the student with what was answered to it; `said` has what it points to told in full."""

    said: str
    brief: Brief
    answer: str = ""
    listed: tuple[TaskView, ...] = ()
    wrote: tuple[str, ...] = ()
    form: str = ""
    """The form of the request as the models read it."""
    meant: str = ""
    """The request in plain words as the models read it."""
    before: Exchange | None = None
    """The one that it goes on with."""
    stopped: bool = False
    """Whether it came to a question, and to no card."""

    def then(self, turn: DialogueTurnView) -> Exchange:
        """This exchange with one more text of the answer."""
        rows = {row["item_id"]: row for row in self.brief.tasks}
        told = [rows[one] for one in turn["item_ids"] if one in rows]
        listed = (*self.listed, *(row for row in told if row not in self.listed))
        answer = f"{self.answer}\n{turn['text']}".strip()
        wrote, stopped = (*self.wrote, *turn["wrote"]), self.stopped or turn["asks"] is not None
        return replace(self, answer=answer, listed=listed, wrote=wrote, stopped=stopped)

    @cached_property
    def text(self) -> str:
        return fold_text(self.said)

    @cached_property
    def intent(self) -> Intent:
        return intent_of(self.said, self.brief)

    @cached_property
    def target(self) -> PlaceTarget:
        """The days and hours that the student named, those too that are to stay free."""
        times = read_times(blank_calendar_names(self.said, self.brief), self.brief.term)
        return place_of([replace(one, role="") for one in times], self.brief.term)

    @cached_property
    def heading(self) -> tuple[TaskView, date, Sequence[Time]] | None:
        """The one item that the open card takes elsewhere, with the day and the times told of that; of a correction
        those stay that it does not tell."""
        told = self.meant or self.said
        rows = items_in(told, self.brief) or items_in(told, self.brief, among=all_items(self.brief))
        before = self.before.heading if self.before and not (self.before.wrote or self.asked) else None
        row = rows[0] if len(rows) == 1 else before[0] if before and not rows else None
        if row and before and not (self.wrote or self.stopped or self.asked or self.target.said) and _SAME.search(told):
            return (row, *before[1:])
        if row is None or self.wrote or self.stopped or self.asked or len(self.target.days) != 1:
            return None
        known = before[1] if before and before[0]["item_id"] == row["item_id"] else None
        week = self.target.week or (
            self.brief.term.week_day(known)[0] if known else row["slot"] and row["slot"]["week"]
        )
        times = read_times(told, self.brief.term)
        return (row, self.brief.term.day(week, self.target.days[0]), times) if week else None

    @cached_property
    def asked(self) -> bool:
        """Whether the student asked something, and nothing was written for it."""
        if self.wrote:
            return False
        asks = _QUESTION.search(self.text) is not None or asks_whether(self.said)
        return asks or Features(self.said, self.brief).asks or self.intent in (*LOOKING, "try")

    @cached_property
    def frees(self) -> bool:
        """Whether days were to stay free, or to be cleared."""
        return self.form in _FREES or _AWAY.search(self.text) is not None or self.intent == "replan"

    @cached_property
    def asked_free(self) -> bool:
        """Whether the student asked when there is time."""
        return self.asked and (self.intent == "free" or _FREE.search(self.text) is not None)

    @cached_property
    def told_days(self) -> list[date]:
        """The days that the answer told, each once."""
        times = [one for one in read_times(self.answer, self.brief.term) if one.kind == "day"]
        return list(dict.fromkeys(one.first for one in times if one.first and one.first == one.last))

    @cached_property
    def left(self) -> Left:
        """What the answer to a question leaves to point to; nothing, where none was asked."""
        if not self.asked or self.stopped:
            return Left()
        certain = self.target.week or self.target.run
        standing = list_standing(self.target, self.brief.tasks) if certain else []
        asked = Asked(self.said, self.target, self.items, self.classes)
        return find_left(asked, self.answer, self.listed or standing, self.brief)

    @cached_property
    def items(self) -> list[TaskView]:
        """The items that the student named."""
        named = named_items(self.said, self.brief) or items_in(self.said, self.brief)
        return named or items_in(self.said, self.brief, among=all_items(self.brief))

    @cached_property
    def classes(self) -> list[int]:
        """The classes that the student named; those of the items in a change of what a class has."""
        if said_names(self.text, self.brief):
            return classes_in(self.said, self.brief.classes)
        if self.items:
            return sorted({row["class_id"] for row in self.items}) if CLASS_WRITE in self.wrote else []
        made = [row["id"] for row in self.brief.classes if fold_text(row["name"]) in self.text]
        found = made or classes_in(self.said, self.brief.classes)
        told = self.answer if CLASS_WRITE in self.wrote else self.answer.split("\n")[0] if self.asked else ""
        named = [] if found else classes_in(told, self.brief.classes)
        return named if 0 < len(named) < len(self.brief.classes) else found

    @cached_property
    def told(self) -> list[TaskView]:
        """The items that it was about: those that the answer told, or of the time or the class asked about; of these
        those of the classes that were named, where there are any."""
        then = list_standing(self.target, self.brief.tasks) if self.target.dated else []
        rows = [*((self.listed if self.asked or self.wrote else ()) or then)]
        if not rows and self.asked and len(self.classes) == 1 and not self.target.said:
            return [row for row in all_items(self.brief) if row["class_id"] in self.classes]
        named = classes_in(self.said, self.brief.classes)
        return [row for row in rows if row["class_id"] in named] or rows

    @property
    def goes_on(self) -> bool:
        """Whether what was said before it is still what the talk is about: small talk, a look at free time."""
        return not (self.classes or self.items or self.wrote or self.listed)

    @property
    def whole_week(self) -> bool:
        """Whether the student asked about a week as a whole."""
        return self.asked and self.target.week is not None and not self.target.days


CLASS_WRITE = "upsert_task_class"
_PLACED = re.compile(r"(?:\d+\. )?(.+?)(?:：第\d+周|: wk \d+)")
_REACH = 3
"""Exchanges back in which the subject of the talk is looked for."""
_PLACES = frozenset([*MOVES, "swap", "replan"])
"""Tools that change where items are."""


class Memory:
    """The exchanges of a conversation, the last one at the end; each reads the plan as it was in its time."""

    def __init__(self, view: View) -> None:
        self.exchanges: list[Exchange] = []
        self._told = -1
        """Which exchange an answer belongs to."""
        self._view = view
        self._briefs: dict[int, Brief] = {}
        self._writes = sum(map(_writes_places, view["dialogue"]))

    @classmethod
    def after(cls, request: str, done: Sequence[ResultView], brief: Brief) -> Memory:
        """What is known after one request of a message, with what it did, when the next of the message is read."""
        memory = cls(brief.view)
        memory._writes, memory._briefs = 0, {0: brief}
        changed = {row["task_item_id"] for row in brief.changes}
        listed = tuple(row for row in items_in(request, brief) if row["item_id"] in changed)
        wrote = tuple(row["tool"] for row in done if row["status"] == "done" and is_write(row["tool"]))
        memory.exchanges.append(Exchange(request, brief, listed=listed, wrote=wrote))
        return memory

    @property
    def brief(self) -> Brief:
        """What is known when the next turn is said."""
        if self._writes not in self._briefs:
            self._briefs[self._writes] = _go_back(self._view, self._writes)
        return self._briefs[self._writes]

    @property
    def told_names(self) -> list[str]:
        """The names at the head of the lines that told where items are, each once and in the order of the answers."""
        lines = [line for turn in self._view["dialogue"] if turn["role"] != "user" for line in turn["text"].split("\n")]
        return list(dict.fromkeys(found[1] for line in lines if (found := _PLACED.match(line))))

    @property
    def last(self) -> Exchange | None:
        return self.exchanges[-1] if self.exchanges else None

    @property
    def subject(self) -> Exchange | None:
        """The exchange that tells what the talk is about now; what only added to an open card has the names of that."""
        found = next((one for one in reversed(self.exchanges[-_REACH:]) if not one.goes_on), None)
        if found and found.before and CLASS_WRITE in found.wrote and not (found.classes or found.items):
            return replace(found.before, wrote=found.wrote)
        return found

    def find_records(self, *, beside: bool, asks: bool) -> list[Exchange]:
        """The exchanges from which a turn may take what it leaves out, the likelier one first: the last, and the last
        that did something, where since then it was only talked or asked. What comes `beside` something, or follows a
        question about what was done, goes on with that; what `asks` with the question."""
        found = next((at for at in range(len(self.exchanges))[: -_REACH - 1 : -1] if self.exchanges[at].wrote), None)
        since = self.exchanges[found + 1 :] if found is not None else self.exchanges[-1:]
        if found is None or not since or any(one.stopped or not (one.asked or one.goes_on) for one in since):
            return self.exchanges[-1:]
        deed = self.exchanges[found]
        own = {row["item_id"] for row in deed.items}
        about_it = all({row["item_id"] for row in (*one.items, *one.listed)} <= own for one in since)
        return [deed, since[-1]] if not asks and (beside or about_it) else [since[-1], deed]

    @property
    def about(self) -> Exchange | None:
        """The exchange whose items a turn points to: the last that told any, unless a time was asked about since."""
        for one in reversed(self.exchanges[-_REACH:]):
            if one.told or not one.goes_on or one.target.said or not one.asked:
                return one
        return None

    @property
    def spoken(self) -> list[TaskView]:
        """The items that the last exchanges were about one by one, in the order in which they came."""
        found: list[TaskView] = []
        for one in reversed(self.exchanges[-_REACH:]):
            rows = one.items or [*one.listed]
            if len(rows) > 1:
                break
            found = [*(row for row in rows if row not in found), *found]
        return found

    def hear(self, said: str) -> None:
        """Takes in a turn of the student; consent alone goes on with the one before."""
        if self.exchanges and affirms(said):
            return
        self._told = -1
        self.exchanges.append(Exchange(said, self.brief, before=self.last))

    def read(self, form: str, meant: str) -> None:
        """Takes in what the models read the last turn as."""
        self.exchanges[-1] = replace(self.exchanges[-1], form=form, meant=meant)

    def look(self, turn: DialogueTurnView) -> None:
        """Takes in a text that the student was told."""
        self._writes -= _writes_places(turn)
        if comes_back(turn["text"]) and len(self.exchanges) > 1:  # what was asked over a card leaves the talk about it
            self.exchanges[-2:] = self.exchanges[:-3:-1]
            self._told = -2
        if self.exchanges:
            self.exchanges[self._told] = self.exchanges[self._told].then(turn)


def _writes_places(turn: DialogueTurnView) -> int:
    return int(turn["role"] != "user" and bool(_PLACES & {*turn["wrote"]}))


def _go_back(view: View, writes: int) -> Brief:
    """The brief of a view with the items where they were so many changes of the plan before the goal."""
    brief = Brief(view)
    places = {one["item_id"]: one["before"] for entry in reversed(find_changes(brief)[-writes:] if writes else ())
              for one in entry}  # fmt: skip
    tasks: list[TaskView] = [
        {**row, "slot": slot_of(places[row["item_id"]])} if row["item_id"] in places else row
        for row in brief.tasks_before
    ]
    draft = view["draft"]
    then: DraftView | None = draft and {**draft, "tasks": tasks}
    return Brief({**view, "draft": then})

"""A model's words as a student reads them: days by week and weekday, items and tools by their names.

The prompts name days of the window by number, items by id and tools by name; models say them again.
"""

from __future__ import annotations

import re

from agent.loop.output.claims import sentences
from agent.loop.outside.deps import Deps, by_rules
from agent.loop.state.agent_state import AgentState
from schedules.planner.grid import week_and_weekday
from taskclasses.kernel.i18n import language_of, text, weekday_words

_SNAKE = r"[A-Za-z]+(?:_[A-Za-z]+)+"
_ASIDE = re.compile(rf"\s*[（(][^（）()]*(?:{_SNAKE}|\b(?:day|slot|task|cost|score)\s*=)[^（）()]*[)）]", re.ASCII)
"""A parenthesis that names arguments."""
_ID = re.compile(r"\b(?:(?:task|item)(?:_item)?[_ ]?ids?\s*[=:：#]?|task\s*[=#])\s*(\d+)", re.ASCII | re.IGNORECASE)
_BRACKETED = re.compile(r"[\[【](\d+)[\]】]\s*")
_NAME = re.compile(rf"(?<![A-Za-z_]){_SNAKE}(?![A-Za-z_])")
_DAY = re.compile(r"第\s*(\d{1,3})\s*天|\bday\s*[=#]?\s*(\d{1,3})\b", re.ASCII | re.IGNORECASE)
_TICKED = re.compile(r"`(\w+)`", re.ASCII)
_INTERNAL = re.compile(
    rf"{_SNAKE}|\{{\s*\"\w+\"\s*:|\b(?:cost|score)\b(?=\s*=|[^A-Za-z。！？]{{0,12}}\d)|\bslots?\s*[=:#]?\s*\d"
    r"|\bTraceback\b|\w\.py\b|\bHTTP \d{3}\b|\bsk-\w{6,}",
    re.ASCII,
)
"""What a sentence to a student never holds: names of parameters, objects of JSON, words of a program that failed."""
_MAY_BEGIN = re.compile(
    r"[\[【（({`]|[a-z]+_|\b(?:day|task|item|cost|score|slot|slots|sk|http|traceback)\b|/|第\s*(?:\d|$)|[a-z]+$",
    re.ASCII | re.IGNORECASE,
)
"""Where in a sentence that still arrives something of these may begin."""

_ENDS = ("。", "！", "？", "!", "?", "\n")
"""What a sentence ends with for sure."""


class PlainWords:
    """Brings the words of one goal to that form, whole or in pieces; those of the fixed rules are left alone. In chat,
    which sees no days by number, such `days` are those of an advice."""

    def __init__(self, state: AgentState, deps: Deps, *, days: bool = True) -> None:
        self._state, self._deps, self._days = state, deps, days
        self._as_is = by_rules(deps)
        self._held = ""

    def of(self, words: str) -> str:
        """Returns the words without sentences that hold what is no word for a student after all."""
        if self._as_is:
            return words
        kept = [sentence for sentence in sentences(self.rewrite(words)) if not self._is_internal(sentence)]
        return "".join(kept)

    def feed(self, piece: str) -> str:
        """Returns what of words that come in pieces may be told by now."""
        if self._as_is:
            return piece
        self._held += piece
        *ready, rest = sentences(self._held) or [""]
        if rest.endswith(_ENDS):
            ready, rest = [*ready, rest], ""
        found = _MAY_BEGIN.search(rest)
        at = found.start() if found is not None else len(rest)
        self._held = rest[at:]
        return "".join(self.of(one) for one in ready) + rest[:at]

    def end(self) -> str:
        """Returns what is left of the pieces."""
        rest, self._held = self._held, ""
        return self.of(rest)

    def rewrite(self, words: str) -> str:
        """Returns the words with days, items and tools told by what a student knows them by."""
        if self._as_is or not _MAY_BEGIN.search(words):
            return words
        told = _ASIDE.sub("", words)
        told = _ID.sub(lambda match: self._named_by(match) or match.group(), told)
        told = _BRACKETED.sub(lambda match: self._bracketed(match), told)
        told = _TICKED.sub(lambda match: self._ticked(match), told)
        told = _NAME.sub(lambda match: self._deps.registry.label(match.group(), self._state.locale), told)
        return _DAY.sub(lambda match: self._day(int(match.group(1) or match.group(2))) or match.group(), told)

    def _named_by(self, match: re.Match[str]) -> str:
        """Returns the item whose id an argument has: its own, or the one it has in the draft."""
        number = int(match.group(1))
        if "item" not in match.group().lower() or self._state.schedule is None:
            return self._item(number)
        return next((self._quoted(one.name) for one in self._state.schedule.items() if one.source_id == number), "")

    def _item(self, number: int) -> str:
        entry = self._state.schedule.task(number) if self._state.schedule is not None else None
        return self._quoted(entry.name) if entry is not None and entry.is_item else ""

    def _quoted(self, name: str) -> str:
        return text("「{name}」", self._state.locale, name=name)

    def _bracketed(self, match: re.Match[str]) -> str:
        """Returns nothing for a number before the item's own name."""
        item = self._item(int(match.group(1)))
        if not item:
            return match.group()
        if match.string.startswith((item, item[1:-1]), match.end()):
            return ""
        blank = match.group()[-1].isspace() and language_of(self._state.locale) == "en"
        return f"{item} " if blank else item

    def _ticked(self, match: re.Match[str]) -> str:
        """Returns a tool between marks of code by its label."""
        name = match.group(1)
        label = self._deps.registry.label(name, self._state.locale)
        return match.group() if label == name else label

    def _day(self, index: int) -> str:
        schedule, locale = self._state.schedule, self._state.locale
        if not self._days or schedule is None or not 1 <= index <= schedule.window.total_days:
            return ""
        week, weekday = week_and_weekday(schedule.window.day_of(index))
        return text("第{week}周 {weekday}", locale, week=week, weekday=weekday_words(weekday, locale))

    def _is_internal(self, sentence: str) -> bool:
        """Tells whether a sentence holds such a word that is neither in a name nor the student's own."""
        found = _INTERNAL.findall(sentence)
        if not found:
            return False
        own = [turn.text for turn in self._state.run.turns]
        own += [entry.name for entry in self._state.schedule.items()] if self._state.schedule is not None else []
        return any(not any(word in words for words in own) for word in found)

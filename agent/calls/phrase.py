"""Sentences for people that are still free to be read in either language.

A tool decides *what* happened once; a `Phrase` carries the Chinese message id and its values, so that the model reads
Chinese and the student's card is written in the conversation's language from the very same fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from taskclasses.kernel.i18n import text


class Sayable(Protocol):
    def text(self, locale: str) -> str: ...


@dataclass(frozen=True)
class Phrase:
    """Holds a catalogue message with values; values may be phrases themselves."""

    message: str
    values: Mapping[str, object] = field(default_factory=dict)

    def text(self, locale: str) -> str:
        return text(self.message, locale, **{key: localise_value(value, locale) for key, value in self.values.items()})


@dataclass(frozen=True)
class Verbatim:
    """Holds words that belong to the student or to the outside world: the same in every language."""

    words: str

    def text(self, locale: str) -> str:
        return self.words


MODEL = "zh-x-model"
"""The language tag of what the model reads: Chinese, with the ids and day numbers that its calls name."""


@dataclass(frozen=True)
class ForReader:
    """Holds one fact in two wordings: the model reads ids and day numbers, the student names and dates."""

    model: Sayable
    student: Sayable

    def text(self, locale: str) -> str:
        return (self.model if locale == MODEL else self.student).text(locale)


@dataclass(frozen=True)
class Joined:
    """Holds several phrases with one separator, itself a message (`、` reads `, ` in English)."""

    parts: tuple[Sayable, ...]
    separator: str = "、"

    def text(self, locale: str) -> str:
        return text(self.separator, locale).join(part.text(locale) for part in self.parts)


def say(message: str, /, **values: object) -> Phrase:
    return Phrase(message, values)


def localise_value(value: object, locale: str) -> object:
    speak = getattr(value, "text", None)
    return speak(locale) if callable(speak) else value


def join_phrases(parts: Iterable[Sayable], separator: str = "、") -> Joined:
    return Joined(tuple(parts), separator)


def one_line(name: str) -> str:
    """Returns a name as it may stand inside a line of text: no line breaks, no control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())


def clip_text(words: str, limit: int) -> str:
    """Returns at most `limit` characters; the cut is marked."""
    return words if len(words) <= limit else words[: limit - 1] + "…"

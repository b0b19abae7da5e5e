"""A message as the paraphraser reads it: words, Chinese characters and marks, with signs for names, times and numbers.

Every token keeps its place in the folded text, so that what fills a slot can be said again in the student's words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from agent.llm.offline.language.classifier.kinds import CLASS, ITEM, KINDS, ORDINAL
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.spans.mentions import find_pieces

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[一-鿿]|\d+(?:\.\d+)?|[^\sa-z一-鿿\d]")
_LATIN, _CHARACTERS = re.compile(r"[a-z]+"), re.compile(r"[一-鿿]+")
_LABEL = re.compile(r"^(?:第?\s*\d+\s*[章节讲课单元个项]*|[一-鿿a-z]{1,14}\s*\d+)\s*")
_NUMBERED = re.compile(r"第?\s*\d+")
"""The beginning of a name that is no name without what is counted."""
SHORTEST = 3
_PLAIN = frozenset(
    [
        "the",
        "and",
        "for",
        "with",
        "into",
        "from",
        "common",
        "time",
        "week",
        "day",
        "part",
        "unit",
        "chapter",
        "lab",
        "list",
        "test",
        "practice",
        "review",
        "study",
        "plan",
        "course",
        "class",
        "复习",
        "学习",
        "实验",
        "课程",
        "计划",
        "练习",
        "冲刺",
        "基础",
        "大学",
        "考试",
        "作业",
    ]
)
"""Words of names that say nothing of one."""
_SIGN = re.compile(r"[Ⓐ-ⓩ]")


class Token(NamedTuple):
    """A word, a character, a mark or a sign, and where it stands in the folded text."""

    word: str
    start: int
    end: int


class Name(NamedTuple):
    """A folded name, or a part of one, and its sign; `whole`: it is no word that may mean something else."""

    text: str
    sign: str
    whole: bool = True


def is_sign(word: str) -> bool:
    """Whether a word stands for a name, a time or a number."""
    return _SIGN.fullmatch(word) is not None


def find_names(text: str, classes: Sequence[str], items: Sequence[str]) -> list[Name]:
    """The names of classes and items that a folded text has, whole or in a telling part."""
    found = [
        Name(one, sign, whole=" " in one)
        for sign, known, least in ((ITEM, items, SHORTEST), (CLASS, classes, SHORTEST - 1))
        for one in (*_find_shortened(text, known), *_find_picked(text, known, least))
    ]
    for sign, known in ((ITEM, items), (CLASS, classes)):
        found += [Name(one, sign) for one in map(fold_numbers, known)]
        pieces = find_pieces(text, tuple(known), fold_numbers)
        found += [Name(one, sign, whole=" " in one or any(char.isdigit() for char in one)) for one in pieces]
    return [name for name in found if len(name.text) > 1 and name.text in text and not _NUMBERED.fullmatch(name.text)]


def _find_shortened(text: str, names: Sequence[str]) -> list[str]:
    """The pieces of a text that shorten a name: its words cut short, hyp tests; characters of it, 特征值."""
    found = []
    for name in map(fold_numbers, names):
        own = _LABEL.sub("", name)
        wanted = [word for word in _LATIN.findall(own) if len(word) >= SHORTEST]
        said = [(match.group(), *match.span()) for match in _LATIN.finditer(text)]
        begin, end = -1, -1
        for word, start, stop in said:
            fits = len(word) >= SHORTEST and word not in _PLAIN and any(one.startswith(word) for one in wanted)
            if fits and text[end:start].strip():
                begin = start
            end = stop if fits else end
            if fits:
                begin = start if begin < 0 else begin
                found.append(text[begin:stop])
        for run in _CHARACTERS.findall(own):
            pieces = (run[at : at + size] for size in range(len(run), 1, -1) for at in range(len(run) - size + 1))
            longest = next((piece for piece in pieces if piece in text and piece not in _PLAIN), "")
            found += [longest] if longest else []
    return found


def _find_picked(text: str, names: Sequence[str], least: int) -> list[str]:
    """The pieces of a text that have characters of a name in their order, its first one in front: 线代, 大物实验."""
    found = []
    for name in map(fold_numbers, names):
        own = "".join(_CHARACTERS.findall(_LABEL.sub("", name)))
        for start in range(len(text)) if own else ():
            left, end = iter(own), start
            while end < len(text) and (text[end] == own[0] if end == start else text[end] in left):
                end += 1
            if end - start >= least and text[start:end] not in _PLAIN:
                found.append(text[start:end])
    return found


def tokenise(text: str, names: Iterable[Name]) -> list[Token]:
    """The tokens of a folded text in order: names first, the longest before others, then times and numbers."""
    taken, found = bytearray(len(text)), []

    def take(start: int, end: int, sign: str) -> None:
        while start < end and text[start] == " ":
            start += 1
        while end > start and text[end - 1] == " ":
            end -= 1
        if start < end and not any(taken[start:end]):
            taken[start:end] = b"\1" * (end - start)
            found.append(Token(sign, start, end))

    numbered = {Name(match.group(), ITEM) for match in ORDINAL.finditer(text)}
    for name in sorted(numbered.union(names), key=lambda one: (-len(one.text), one)):
        edge = r"(?<![a-z0-9]){}(?![a-z0-9])" if name.text.isascii() else "{}"
        for match in re.finditer(edge.format(re.escape(name.text)), text):
            take(*match.span(), name.sign)
    for sign, pattern in KINDS:
        for match in pattern.finditer(text):
            take(*match.span(), sign)
    for match in _WORD.finditer(text):
        start, end = match.span()
        if not taken[start]:
            free = next((at for at in range(start, end) if taken[at]), end)
            found.append(Token(text[start:free], start, free))
    return sorted(found, key=lambda token: token.start)

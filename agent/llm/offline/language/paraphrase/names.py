"""The whole name of what a request names in part, as students shorten names: its beginning, its letters, its parts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from agent.llm.offline.language.classifier.kinds import CLASS, ITEM
from agent.llm.offline.language.normalize import fold_numbers, has_chinese
from agent.llm.offline.language.paraphrase.tokens import Name, find_names

_SPLIT = re.compile(r"[a-z]+|\d+|[一-鿿]")
_WORDS = re.compile(r"[a-z]+|\d+")
_MANY = re.compile(r"[,，、;；和与跟及&+/到至~-]|\b(?:and|to|or|both|all)\b|\d\s*\d")
POINTERS = re.compile(
    r"(?:it|its|them|they|that|this|those|these|both|everything|all|all of (?:it|them)|the (?:others|rest)"
    r"|(?:that|this|the other|those|these|the same)(?: (?:one|ones|two|three))?"
    r"|它们?|[这那](?:个|项|些|几个|几项|两个|门|一[个项])?|其他的?|别的|剩下的?|都|全部|两个都?)"
)
"""What names nothing of its own."""
_PLACE = re.compile(r"第\d{1,2}")
"""A place in some list, of which nothing is told."""
_LEAST = 2
"""Characters that tell a name."""
_FILLERS = frozenset(["the", "my", "a", "of", "on", "that", "stuff", "class", "course", "chapter", "chapters", "item"])


def find_whole_name(said: str, names: Sequence[str]) -> str | None:
    """The one name that is meant by a shortened one, 大物实验 or lin alg; None where it is whole, several or none."""
    text = fold_numbers(said).strip(" 的那这个门\"'“”「」")
    if len(text) < _LEAST or _MANY.search(text) or _PLACE.fullmatch(text):
        return None
    folded = [fold_numbers(name) for name in names]
    if text in folded:
        return None
    for fits in (_stands_in, _is_picked_from, _has_its_parts):
        meant = {name for name, whole in zip(names, folded, strict=True) if fits(text, whole)}
        if meant:
            return meant.pop() if len(meant) == 1 else None
    return None


_BETWEEN = re.compile(
    r"\s*(?:[,，、;；和与跟及&+]|\b(?:and|or|plus|both)\b)+\s*|(?<=\d)(?=第|实验|单元|专题|模块)|(?<=[章讲节课])(?=第\d)"
)
"""What divides the names of a list; a label of its own begins the next one: 实验二实验三."""


_KNOWN = 1024
"""Of how many texts it is remembered which names they have: many readers of a message ask for the same."""


def list_names(text: str, classes: Sequence[str], items: Sequence[str]) -> tuple[Name, ...]:
    """The names of classes and items that a folded text has, whole or in a telling part, as `find_names` finds them."""
    return _list_names(text, tuple(classes), tuple(items))


@lru_cache(maxsize=_KNOWN)
def _list_names(text: str, classes: tuple[str, ...], items: tuple[str, ...]) -> tuple[Name, ...]:
    return tuple(find_names(text, classes, items))


def find_shortened(text: str, classes: Sequence[str], items: Sequence[str]) -> list[str]:
    """The names of which a text tells a short form: 线代."""
    return list(_find_shortened(text, tuple(classes), tuple(items)))


@lru_cache(maxsize=_KNOWN)
def _find_shortened(text: str, classes: tuple[str, ...], items: tuple[str, ...]) -> tuple[str, ...]:
    pieces = dict.fromkeys(one.text for one in _list_names(fold_numbers(text), classes, items))
    whole = (find_whole_name(piece, (*classes, *items)) for piece in pieces)
    return tuple(dict.fromkeys(filter(None, whole)))


_FOR_NAME = re.compile(
    r"的?那[1一]?(?:[个项章节讲]|(?=实验))(?:实验|任务|内容|部分|单元|章节)?(?![一-鿿]?[天日周月号时点节位])"
    r"|(?<=\w) (?:one|thing)\b(?! (?:more|day|week|section))"
)
"""What stands behind a name for it: 单摆那个实验, the pendulum one."""
_CLAUSES = re.compile(r"[,，;；。?？]\s*\S")


_CALLED = re.compile(
    r"(?P<lead>(?:那|还有|(?:and|oh|then|(?:what|how) about)\s+)*)(?P<of>(?:另|(?:the|my) other\b)[^,，]{1,24}?)"
    r"(?P<asks>呢)?[,，]\s*(?P<name>[^,，]{2,40})",
    re.IGNORECASE,
)


def _is_called(of: str, name: str, classes: Sequence[str], items: Sequence[str]) -> bool:
    """Whether words tell of a class, and those behind them begin with the name of an item."""
    owns = any(one.sign == CLASS for one in list_names(fold_numbers(of), classes, ()))
    text = fold_numbers(name)
    return owns and any(text.startswith(one.text) for one in list_names(text, (), items))


def drop_apposition(message: str, classes: Sequence[str], items: Sequence[str]) -> str:
    """The message without what only stands for the name of an item right in front of it, or tells of which class the
    other one is that it names then: 另一个线代的呢，特征值."""
    if (called := _CALLED.fullmatch(message)) and _is_called(called["of"], called["name"], classes, items):
        asks = "" if "呢" in called["name"] else called["asks"] or ""
        message = f"{called['lead']}{called['name']}{asks}"
    for found in reversed([*(() if _CLAUSES.search(message) else _FOR_NAME.finditer(message))]):
        head = fold_numbers(message[: found.start()])
        named = tuple(one.text for one in list_names(head, classes, items) if one.sign == ITEM)
        if named and head.endswith(named):
            message = message[: found.start()] + message[found.end() :]
    return message


def find_each_name(said: str, names: Sequence[str]) -> tuple[str, ...]:
    """The names that a list of several means, each of them whole or shortened; empty where one of them is none."""
    text = fold_numbers(said).strip()
    known = {fold_numbers(name): name for name in names}
    if text in known:
        return ()
    pieces = [piece for piece in _BETWEEN.split(text) if piece]
    found = [known.get(piece) or find_whole_name(piece, names) for piece in pieces]
    told = tuple(dict.fromkeys(name for name in found if name))
    return told if len(told) == len(pieces) > 1 else ()


def may_name(said: str, names: Sequence[str]) -> bool:
    """Whether words are one of these names or a part of one, several of them, or point to one."""
    text = fold_numbers(said).strip()
    named = text in map(fold_numbers, names) or find_whole_name(said, names) is not None
    return named or _MANY.search(text) is not None or POINTERS.fullmatch(text) is not None


def _stands_in(text: str, name: str) -> bool:
    """Whether a text is a part of a name that is found as it is: characters side by side, whole words."""
    return re.search(rf"(?<![a-z]){re.escape(text)}(?![a-z])", name) is not None


def _is_picked_from(text: str, name: str) -> bool:
    """Whether a text has characters of a name in their order, and begins as it or one of its words: 线代, linalg."""
    if not has_chinese(name):
        return _begins_words(text, name)
    left = iter(name)
    return name.startswith(text[0]) and all(char in left for char in text)


def _begins_words(text: str, name: str) -> bool:
    """Whether every word of a text begins a further word of a name, lin alg, or it is made of first letters: la."""
    words = [word for word in _WORDS.findall(text) if word not in _FILLERS]
    wanted = _WORDS.findall(name)
    if not words:
        return False
    if len(words) == 1 and len(wanted) > 1 and words[0] == "".join(word[0] for word in wanted):
        return True
    if len(words) == 1 and _joins_beginnings(words[0], wanted):
        return True
    rest = iter(wanted)
    return all(any(_begins(word, other) for other in rest) for word in words)


def _begins(word: str, other: str) -> bool:
    return word == other or (len(word) > _LEAST and other.startswith(word))


def _joins_beginnings(word: str, wanted: Sequence[str]) -> bool:
    """Whether a word is written of the beginnings of two words or more: linalg."""
    for size in range(_LEAST + 1, len(word) - _LEAST):
        first, then = word[:size], word[size:]
        at = next((at for at, one in enumerate(wanted) if one.startswith(first)), -1)
        if at >= 0 and any(one.startswith(then) for one in wanted[at + 1 :]):
            return True
    return False


def _has_its_parts(text: str, name: str) -> bool:
    """Whether all that a text says stands in a name, in another order: 电桥实验 for 实验三 电桥, bridge lab."""
    parts, own = _SPLIT.findall(text), _SPLIT.findall(name)
    parts = [part for part in parts if part not in _FILLERS]
    return len(parts) > 1 and all(any(_begins(part, one) for one in own) for part in parts)

"""What the classifier weighs of a message: its words, runs of them, their stems, and the tags of the thesaurus."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

THESAURUS = Path(__file__).parent / "thesaurus.txt"
_ENDING = re.compile(r"(?:ing|ed|es|s|ly)$")
_SHORTEST_STEM = 3
_PHRASE = 5
"""Words of the longest phrase that the thesaurus knows; Chinese ones are looked up to eight characters."""
_PHRASE_ZH = 8


@lru_cache(maxsize=1)
def read_thesaurus() -> dict[str, tuple[str, ...]]:
    """Each word or phrase with its tags."""
    tags: dict[str, list[str]] = {}
    for line in THESAURUS.read_text(encoding="utf-8").splitlines():
        tag, _, entries = line.partition(":")
        for entry in re.split(r"[,，]", entries):
            word = " ".join(entry.lower().split())
            if word and tag.strip() not in tags.setdefault(word, []):
                tags[word].append(tag.strip())
    return {word: tuple(found) for word, found in tags.items()}


def find_features(tokens: Sequence[str], context: Sequence[str] = ()) -> dict[str, float]:
    """The features of a message with their strength, scaled to unit length; `context` is what stood before it."""
    found: dict[str, float] = {}
    stems = ["^", *map(find_stem, tokens), "$"]
    for at, word in enumerate(stems):
        found[word] = 1.0
        if at + 1 < len(stems):
            found[f"{word} {stems[at + 1]}"] = 1.0
        if at + 2 < len(stems):
            found[f"{word} _ {stems[at + 2]}"] = 0.7
            if not any(one.isascii() and one.isalpha() for one in stems[at : at + 3]):
                found[f"{word} {stems[at + 1]} {stems[at + 2]}"] = 0.7
    for word in tokens:
        if word.isascii() and len(word) > _SHORTEST_STEM:
            padded = f"<{word}>"
            for at in range(len(padded) - 3):
                found[f"#{padded[at : at + 4]}"] = 0.3
    tags = list(_find_tags(tokens))
    for tag in tags:
        found[f"@{tag}"] = 1.0
    for first, second in pairwise(tags):
        found[f"@{first} @{second}"] = 0.7
    for word in context:
        found[f"~{word}"] = 1.0
    length = sum(value * value for value in found.values()) ** 0.5
    return {name: value / length for name, value in found.items()}


def _find_tags(tokens: Sequence[str]) -> Iterator[str]:
    """The tags of the longest phrases that the thesaurus knows, from left to right."""
    known, at = read_thesaurus(), 0
    while at < len(tokens):
        for size in range(min(_PHRASE_ZH, len(tokens) - at), 0, -1):
            piece = tokens[at : at + size]
            zh = not piece[0].isascii()
            if not zh and size > _PHRASE:
                continue
            word = ("" if zh else " ").join(piece)
            tags = known.get(word) or (known.get(find_stem(word)) if size == 1 else None)
            if tags:
                yield from tags
                at += size
                break
        else:
            at += 1


@lru_cache(maxsize=8192)
def find_stem(word: str) -> str:
    """A Latin word without its ending: moving, moves and moved are one."""
    if not word.isascii() or len(word) <= _SHORTEST_STEM + 1:
        return word
    stem = _ENDING.sub("", word)
    if len(stem) < _SHORTEST_STEM:
        return word
    if len(stem) > _SHORTEST_STEM and stem[-1] == stem[-2]:
        return stem[:-1]
    return stem[:-1] if len(stem) > _SHORTEST_STEM and stem.endswith("e") else stem

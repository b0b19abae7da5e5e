"""Merges two changes of the same lines, where they touch different ones."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

LINES_MAX = 300
"""Lines of a text that is merged; comparing takes the cube of them at worst."""


class Edit(NamedTuple):
    """Replaces the lines from `first` up to `end`, counted from 0; with nothing between them it adds."""

    first: int
    end: int
    lines: tuple[str, ...]

    def meets(self, other: Edit) -> bool:
        """Tells whether both touch a line, or one adds at an edge of the other, where their order would be a guess."""
        if self.first < self.end and other.first < other.end:
            return max(self.first, other.first) < min(self.end, other.end)
        return max(self.first, other.first) <= min(self.end, other.end)


def merge_lines(was: str, now: str, said: str) -> str | None:
    """Returns the text with both changes of `was`; None where they meet, and for texts of too many lines."""
    if any(len(text.splitlines()) > LINES_MAX for text in (was, now, said)):
        return None
    theirs, own = _edits(was, now), _edits(was, said)
    if any(one.meets(other) for one in theirs for other in own if one != other):
        return None
    lines = was.splitlines()
    for edit in sorted({*theirs, *own}, reverse=True):
        lines[edit.first : edit.end] = edit.lines
    return "\n".join(lines)


def _edits(was: str, now: str) -> Sequence[Edit]:
    before, after = was.splitlines(), now.splitlines()
    found = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [Edit(first, end, tuple(after[start:stop])) for tag, first, end, start, stop in found if tag != "equal"]

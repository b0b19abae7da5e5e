"""Expressions that are costly to try, each with what is in all that it finds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator


class GuardedPattern:
    """Finds what an expression finds; it is tried only on texts that have what is `needed` for it."""

    def __init__(self, form: str, needed: str) -> None:
        self._form, self._needed = re.compile(form), re.compile(needed)

    def search(self, text: str) -> re.Match[str] | None:
        """Returns the first match in a text."""
        return self._form.search(text) if self._needed.search(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Returns the matches in a text."""
        return self._form.finditer(text) if self._needed.search(text) else iter(())

    def sub(self, put: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Returns a text with something put in the place of each match."""
        return self._form.sub(put, text) if self._needed.search(text) else text


AnyPattern = re.Pattern[str] | GuardedPattern
"""What a text is searched with."""

"""Sentences of a prompt that a model recites: the student never reads them, in a text and in a decision's speech."""

from __future__ import annotations

import re
from functools import lru_cache

RECITED = 14
"""Characters from which on a sentence of the prompt is recited and not just alike."""
EXAMPLE = '"speak"'
"""A line of the prompt with this shows what may be said."""
_SENTENCE = re.compile(r"[^。！？!?\n]*(?:[。！？!?\n]+|$)")
_STOP = re.compile(r"[。！？!?\n]")


_MARKS = re.compile(r"[\s\-*#。！？!?]")


@lru_cache(maxsize=4096)
def _bare(text: str) -> str:
    """Returns a sentence without its marks: those of the prompt come again with every round."""
    return _MARKS.sub("", text)


def _sentences(text: str) -> list[str]:
    return [match.group() for match in _SENTENCE.finditer(text)]


@lru_cache(maxsize=64)
def _rules_of(prompt: str) -> frozenset[str]:
    """Returns the sentences of a prompt that nobody is to recite: a stage has the same prompt in every round."""
    rules = "\n".join(line for line in prompt.splitlines() if EXAMPLE not in line)
    return frozenset(_bare(one) for one in _sentences(rules) if len(_bare(one)) >= RECITED)


class Recital:
    """Holds words against the sentences of one prompt."""

    def __init__(self, prompt: str) -> None:
        self._known = _rules_of(prompt)
        self._held, self._passing = "", False

    def strip(self, text: str) -> str:
        """Returns the text without recited sentences."""
        return "".join(part for part in _sentences(text) if _bare(part) not in self._known)

    def feed(self, piece: str) -> str:
        """Returns what of a text that comes in pieces is no recital; the beginning of one waits until it is something
        else."""
        self._held += piece
        told = []
        while (stop := _STOP.search(self._held)) is not None:
            sentence, self._held = self._held[: stop.end()], self._held[stop.end() :]
            if self._passing or _bare(sentence) not in self._known:
                told.append(sentence)
            self._passing = False
        rest = _bare(self._held)
        if rest and (self._passing or not any(one.startswith(rest) for one in self._known)):
            told.append(self._held)
            self._held, self._passing = "", True
        return "".join(told)

    def end(self) -> str:
        """Returns what is left of the pieces; half a sentence of the prompt is none of the model's own."""
        rest, self._held, self._passing = self._held, "", False
        return "" if len(_bare(rest)) >= RECITED else self.strip(rest)

"""Where one request of a message ends and the next begins, and what each of them may mean."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import NamedTuple

from agent.llm.offline.language.paraphrase.frames import OTHER, UNSAID, Frame, read_frames
from agent.llm.offline.language.paraphrase.models import Models
from agent.llm.offline.language.paraphrase.tokens import Token
from agent.llm.offline.language.paraphrase.wordings import WORDINGS

SURE = 0.9
"""The chance of a frame beside which only a beginning that is heard counts, and that is enough for both pieces."""
LIKELY = 0.4
"""The chance that each of two requests has at least where one may be divided."""
CERTAIN = 0.95
"""The chance that each has where little else tells of a beginning."""
ODDS, LEAST_ODDS, TRIED = -3.0, -6.0, 2
"""The odds, as logarithms, of a place where a request may be divided, likely pieces or certain ones, and how many such
places are tried."""
CONDITIONS = ("most_", "nothing_on", "only_on", "days_between", "not_two", "in_order", "wish_", "never_on", "always_on")
WHOLE = frozenset({OTHER, *(name for name in WORDINGS if name.startswith(CONDITIONS))})
"""Forms of no piece: what is not understood, and conditions, which belong to what stands beside them."""
SHORTEST = 2
"""The tokens of a piece."""


class Request(NamedTuple):
    """The tokens of one request of a message, and its likeliest frames, the likeliest first."""

    tokens: Sequence[Token]
    frames: list[Frame]

    @property
    def chance(self) -> float:
        """The chance of the likeliest frame."""
        return self.frames[0].chance


class Reader:
    """Reads the requests of a folded text with the models, each by what it comes after; a piece that several readings
    have in common is read once."""

    def __init__(self, text: str, models: Models) -> None:
        self._text, self._models = text, models
        self._read_pieces: dict[Hashable, Request] = {}
        self._weighed: dict[tuple[str, ...], list[float]] = {}

    def divide(self, tokens: Sequence[Token], before: Sequence[str], previous: Frame | None) -> list[Request]:
        """The requests of these tokens: divided where the models say that one begins, and where both pieces are surer
        alone than together. `before` and `previous`: what the first comes after."""
        odds = self._weigh(tokens)
        ends = [at for at in range(1, len(tokens)) if odds[at] > max(0, *odds[at - 1 : at], *odds[at + 1 : at + 2])]
        found: list[Request] = []
        for start, end in pairwise([0, *ends, len(tokens)]):
            for request in self._divide_doubtful(tokens[start:end], before, previous):
                found.append(request)
                if request.frames[0].form not in UNSAID:
                    before, previous = _come_after(request)
        return found

    def _divide_doubtful(self, tokens: Sequence[Token], before: Sequence[str], previous: Frame | None) -> list[Request]:
        """One request, or the several that it may be and that are surer."""
        whole = self._read(tokens, before, previous)
        odds = self._weigh(tokens)
        places = range(SHORTEST, len(tokens) - SHORTEST + 1)
        likely = sorted((at for at in places if odds[at] >= LEAST_ODDS), key=lambda at: -odds[at])
        best, least = None, max(LIKELY, min(whole.chance, SURE))
        for at in likely[:TRIED]:
            first = self._read(tokens[:at], before, previous)
            then = self._read(tokens[at:], *_come_after(first))
            chance = min(first.chance, then.chance)
            heard = odds[at] >= ODDS or (chance >= CERTAIN and whole.chance <= SURE)
            if heard and chance > least and not WHOLE & {first.frames[0].form, then.frames[0].form}:
                best, least = at, chance
        if best is None:
            return [whole]
        first_part = self._divide_doubtful(tokens[:best], before, previous)
        return [*first_part, *self._divide_doubtful(tokens[best:], *_come_after(first_part[-1]))]

    def _read(self, tokens: Sequence[Token], before: Sequence[str], previous: Frame | None) -> Request:
        key = (tuple(tokens), tuple(before), previous)
        if key not in self._read_pieces:
            self._read_pieces[key] = Request(tokens, read_frames(self._text, tokens, before, previous, self._models))
        return self._read_pieces[key]

    def _weigh(self, tokens: Sequence[Token]) -> list[float]:
        words = tuple(token.word for token in tokens)
        if words not in self._weighed:
            self._weighed[words] = self._models.weigh_beginnings(words)
        return self._weighed[words]


def _come_after(request: Request) -> tuple[tuple[str, ...], Frame]:
    """What stands before a request behind this one."""
    return (f"same {request.frames[0].form}",), request.frames[0]

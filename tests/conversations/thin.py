"""Lists the cases of the corpora that pass nothing which the others do not pass.

    python -m tests.conversations.thin           plays all cases and writes the list anew (ten minutes)
    python -m tests.conversations.thin --strike  strikes out of it what no case says any more

The cases that stay pass every statement of the offline backend that any case passes, and hold every kind of expectation
twice in each language. Of cases that add as much the one with fewer turns stays. Run it when the cases of every day
have become many.
"""

from __future__ import annotations

import asyncio
import heapq
import multiprocessing
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.kits.suite.passed import Passed

PACKAGE = "agent.llm.offline"
LANGUAGES = ("zh", "en")
ROOM = 64
"""Bits for the kinds of expectations of a language; those of statements stand above all languages."""
OF_TWO = (1 << ROOM * len(LANGUAGES)) - 1


@dataclass(frozen=True)
class Passes:
    """What a case passes, as the bits of a number, and how many turns it has."""

    bits: int
    turns: int


def cover(passes: Mapping[str, Passes], of_two: int) -> list[str]:
    """Returns names that together pass all that any passes, and two of them each bit of `of_two` that two pass."""
    of_two &= _count([one.bits for one in passes.values()])[1]
    return _leave_out(passes, _choose(passes, of_two), of_two)


def _count(numbers: Sequence[int]) -> tuple[int, int]:
    """Returns the bits of at least one of these numbers, and of at least two."""
    one = two = 0
    for bits in numbers:
        two |= one & bits
        one |= bits
    return one, two


def _choose(passes: Mapping[str, Passes], of_two: int) -> list[str]:
    """Takes, one after the other, what adds most for its turns, until nothing is missing."""
    first, second = _count([one.bits for one in passes.values()])[0], 0

    def gain(name: str) -> float:
        return (passes[name].bits & (first | second)).bit_count() / passes[name].turns

    # What a case adds never grows: whoever still stands in front when it is asked again adds most.
    waiting = [(-gain(name), place, name) for place, name in enumerate(passes)]
    heapq.heapify(waiting)
    chosen = []
    while waiting:
        _, place, name = heapq.heappop(waiting)
        added = gain(name)
        if added and waiting and (-added, place) > waiting[0][:2]:
            heapq.heappush(waiting, (-added, place, name))
        elif added:
            chosen.append(name)
            bits = passes[name].bits
            second = (second & ~bits) | (first & bits & of_two)
            first &= ~bits
    return chosen


def _leave_out(passes: Mapping[str, Passes], chosen: list[str], of_two: int) -> list[str]:
    """Leaves out what those chosen later have made needless, the longest first."""
    kept = list(chosen)
    for name in sorted(chosen, key=lambda name: -passes[name].turns):
        rest = [other for other in kept if other != name]
        one, two = _count([passes[other].bits for other in rest])
        if not passes[name].bits & ~one and not passes[name].bits & of_two & ~two:
            kept = rest
    return kept


async def _play(language: str) -> dict[str, Passes]:
    """Plays the cases of a language; answers what each passes, by its digest."""
    passed = Passed(PACKAGE)
    from tests.conversations.checker import CHECKS, play, read_cases
    from tests.conversations.daily import digest

    kinds, place = [*CHECKS, "used", "told", "asked"], ROOM * LANGUAGES.index(language)
    found: dict[str, Passes] = {}
    cases = read_cases(language)
    await play(cases[0])  # what is read once for all cases belongs to none
    passed.take()
    for case in cases:
        await play(case)
        bits = passed.take() << ROOM * len(LANGUAGES)
        for expected in (*case.wanted, *case.spans):
            bits |= 1 << place + kinds.index(expected.partition(" ")[0])
        found.setdefault(digest(case), Passes(bits, len(case.turns)))
    return found


def play_all(language: str) -> dict[str, Passes]:
    """Plays the cases of a language in this process, which must not have read the backend before."""
    return asyncio.run(_play(language))


def main() -> None:
    """Writes the list, or strikes out of it."""
    passes: dict[str, Passes] = {}
    if sys.argv[1:] != ["--strike"]:
        with multiprocessing.get_context("spawn").Pool(len(LANGUAGES)) as processes:
            for found in processes.map(play_all, LANGUAGES):
                passes |= found
    from tests.conversations.checker import read_cases
    from tests.conversations.daily import digest, read_listed, write_listed

    if passes:
        kept = set(cover(passes, OF_TWO))
        write_listed(passes.keys() - kept)
        sys.stderr.write(f"every run plays {len(kept)} of {len(passes)} cases\n")
    else:
        write_listed(read_listed() & {digest(case) for language in LANGUAGES for case in read_cases(language)})


if __name__ == "__main__":
    main()

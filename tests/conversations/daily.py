"""Which cases of the corpora every run plays, and which `script/test --long` alone.

`long.txt` lists the second kind by a digest of what is said, a line for each, so that a case that is new or says
something else is played by every run. `python -m tests.conversations.thin` writes the list.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from tests.conversations.checker import HERE, Case, read_cases

LANGUAGES = ("zh", "en")
LISTED = HERE / "long.txt"


def digest(case: Case) -> str:
    """Returns what a case is listed by: that of its language and turns."""
    return hashlib.sha256("\n".join((case.language, *case.turns)).encode()).hexdigest()[:12]


def read_listed() -> frozenset[str]:
    """Returns the digests of the cases that only a long run plays."""
    return frozenset(LISTED.read_text(encoding="utf8").split())


def write_listed(digests: Iterable[str]) -> None:
    """Writes the list, in the order of the digests: two branches that add to the corpora seldom meet in it."""
    LISTED.write_text("".join(f"{one}\n" for one in sorted(set(digests))), encoding="utf8")


def daily_cases(language: str) -> list[Case]:
    """Returns the cases that every run plays."""
    listed = read_listed()
    return [case for case in read_cases(language) if digest(case) not in listed]


def other_cases(language: str) -> list[Case]:
    """Returns the cases that a long run plays too."""
    listed = read_listed()
    return [case for case in read_cases(language) if digest(case) in listed]

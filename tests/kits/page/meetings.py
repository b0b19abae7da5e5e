"""Weekly meetings as the form of a course sends them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Meeting = tuple[int, int, int, Iterable[int], str]
"""Day, first and last section, weeks, place."""


def meetings(*rows: Meeting) -> dict[str, Any]:
    sent: dict[str, Any] = {"rows": str(len(rows))}
    for number, (day, first, last, weeks, place) in enumerate(rows):
        told = {"day": str(day), "first": str(first), "last": str(last), "location": place}
        sent |= {f"m{number}-{name}": value for name, value in told.items()}
        sent[f"m{number}-weeks"] = [str(week) for week in weeks]
    return sent

"""Keeps what one event tells within its limit (wire.md 1.3): long lists and texts are cut, short ones stay."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from agent.calls.kinds import Json

EVENT_LIMIT = 64 * 1024
ROOM = 4 * 1024
"""What the fields of an event that are short by themselves and its framing may take."""
ROWS = (200, 150, 100, 75, 50, 35, 20, 10, 5, 2, 1)
"""How many entries of each list stay, the first of these that is few enough."""
CHARACTERS = 80
"""How many characters of each text stay, for each entry of a list that may."""


def size_of(value: object) -> int:
    """Computes how many bytes a JSON value takes on the wire."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def fit(value: Json, more: Callable[[int], str] | None = None, *, limit: int = EVENT_LIMIT - ROOM) -> Json:
    """Returns the value itself, or as much of each of its lists and texts as the limit allows.

    `more` says how many entries of a list that is shown are left out.
    """
    shown = value
    for rows in ROWS:
        if size_of(shown) <= limit:
            break
        shown = _cut(value, rows, more)
    return shown


def _cut(value: Any, rows: int, more: Callable[[int], str] | None) -> Any:
    if isinstance(value, str):
        return value if len(value) <= rows * CHARACTERS else value[: rows * CHARACTERS - 1] + "…"
    if isinstance(value, list):
        return [_cut(one, rows, more) for one in value[:rows]]
    if not isinstance(value, dict):
        return value
    cut = {key: _cut(one, rows, more) for key, one in value.items()}
    if more is not None and value.get("type") == "items" and len(value["items"]) > rows:
        cut["summary"] = " ".join(filter(None, (value.get("summary"), more(len(value["items"]) - rows))))
    if more is not None and len(lines := value.get("detail_lines") or ()) > rows:
        cut["detail_lines"][-1] = more(len(lines) - rows + 1)
    return cut

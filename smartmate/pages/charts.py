"""Small bar charts that the server draws: heights by the largest of all values, so that pages need no script for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

HEIGHT = 64
"""Of the highest bar, in units of the drawing."""


def bars_of(rows: Iterable[Mapping[str, Any]], names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Returns the rows, each with the top and the height of a bar for every name: `{name}_top`, `{name}_height`."""
    known = list(rows)
    most = max((int(row[name]) for row in known for name in names), default=0) or 1
    found = []
    for row in known:
        heights = {name: -(-HEIGHT * int(row[name]) // most) for name in names}
        drawn = {f"{name}_height": height for name, height in heights.items()}
        drawn |= {f"{name}_top": HEIGHT - height for name, height in heights.items()}
        found.append({**row, **drawn})
    return found

"""Ids inside paths: whatever is no id names nothing, and the endpoint answers with the code of its own kind."""

from __future__ import annotations

import re

from taskclasses.kernel.rest import MAX_ID


class IdConverter:
    """Reads one part of a path as an id; 0, which nothing has, for what cannot be one."""

    regex = "[^/]+"

    def to_python(self, value: str) -> int:
        number = int(value) if re.fullmatch("[0-9]{1,19}", value) else 0
        return number if number <= MAX_ID else 0

    def to_url(self, value: int) -> str:
        return str(value)

"""The written form of an instant, the same on the wire and in stored documents."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import overload


@overload
def rfc3339(moment: datetime) -> str: ...
@overload
def rfc3339(moment: None) -> None: ...
@overload
def rfc3339(moment: datetime | None) -> str | None: ...
def rfc3339(moment: datetime | None) -> str | None:
    """Writes an aware instant as RFC 3339 in UTC, whole seconds, e.g. `2026-03-09T00:00:00Z`; None stays None."""
    if moment is None:
        return None
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"

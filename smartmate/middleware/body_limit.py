"""How large a body may be: what comes beyond that is thrown away as it comes, so that no stranger fills the disk.

Django writes a body down as a whole before anybody looks whose it is.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

BODY_MAX = 16 * 1024 * 1024
"""More than the largest upload but an archive: what is too large for a view is refused there, in its own words."""
CUT = "smartmate.body_cut"
"""Where the scope of a request tells the limit that its body was cut at."""
Receive = Callable[[], Awaitable[Any]]


def body_limit_of(view: Callable[..., Any] | None) -> int:
    """Returns `body_max` of a view class, or the limit of every other view."""
    owner = getattr(view, "cls", None) or getattr(view, "view_class", None)
    return int(getattr(owner, "body_max", BODY_MAX))


def limit_body(scope: Any, receive: Receive, limit: int) -> Receive:
    """Returns `receive` whose pieces beyond the limit are empty; `scope` tells that there were any."""
    taken = 0

    async def take() -> Any:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken <= limit:
            return message
        scope[CUT] = limit
        return {**message, "body": b""}

    return take

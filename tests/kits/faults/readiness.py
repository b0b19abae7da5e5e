"""What a server says of its own readiness."""

from __future__ import annotations

from typing import Any

import httpx


def unready(server: Any) -> list[str]:
    """The checks of `/readyz` that fail; it has to answer within three seconds."""
    answer = httpx.get(f"{server.base_url}/readyz", timeout=3)
    document = answer.json()
    failed = [name for name, outcome in document["checks"].items() if outcome == "failed"]
    assert (answer.status_code, document["status"]) == ((503, "unready") if failed else (200, "ready"))
    return failed

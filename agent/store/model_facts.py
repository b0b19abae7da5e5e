"""What models taught, shared between processes: small documents that expire."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agent.store import keys
from agent.store.connection import async_client


class RedisFacts:
    """Keeps documents by key on the event loop's Redis client."""

    async def read(self, key: str) -> dict[str, Any] | None:
        found = await async_client().get(keys.model_facts(key))
        document = json.loads(found) if found else None
        return document if isinstance(document, dict) else None

    async def write(self, key: str, document: Mapping[str, Any], seconds: float) -> None:
        await async_client().set(keys.model_facts(key), json.dumps(document), ex=max(1, round(seconds)))

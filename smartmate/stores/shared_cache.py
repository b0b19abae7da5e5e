"""The cache: the limits of django-allauth, shared by all processes."""

from __future__ import annotations

import json
import logging
import math
import time
from collections.abc import Callable
from typing import Any, TypeVar

import redis
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache

from smartmate.middleware.rate_limit import PAUSE_S

log = logging.getLogger("smartmate.stores.shared_cache")
R = TypeVar("R")


class JsonSerializer:
    """Writes values as JSON: whoever writes to Redis can make a process read, not run."""

    def dumps(self, value: Any) -> bytes:
        return json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        return json.loads(data)


class SharedCache(RedisCache):
    """Keeps values in Redis. While it does not answer each process keeps its own values, as it does with the other
    limits."""

    _asked_again_at = -math.inf
    """Of all threads of the process: what one of them has waited for, the others do not."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._own = LocMemCache("shared_cache", {})

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        shared = super().add
        return self._ask_shared(
            lambda: shared(key, value, timeout, version), lambda: self._own.add(key, value, timeout, version)
        )

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        shared = super().get
        return self._ask_shared(lambda: shared(key, default, version), lambda: self._own.get(key, default, version))

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        shared = super().set
        self._ask_shared(
            lambda: shared(key, value, timeout, version), lambda: self._own.set(key, value, timeout, version)
        )

    def delete(self, key: Any, version: int | None = None) -> bool:
        shared = super().delete
        return self._ask_shared(lambda: shared(key, version), lambda: self._own.delete(key, version))

    def _ask_shared(self, ask: Callable[[], R], ask_own: Callable[[], R]) -> R:
        if time.monotonic() < SharedCache._asked_again_at:
            return ask_own()
        try:
            return ask()
        except redis.RedisError:
            log.warning("the limits of accounts are kept per process: Redis does not answer")
            SharedCache._asked_again_at = time.monotonic() + PAUSE_S
            return ask_own()

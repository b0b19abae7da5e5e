"""Token buckets, one per student and kind of request (per address when nobody is signed in)."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Rate:
    burst: int
    per_second: float


RATES = {"read": Rate(120, 20), "write": Rate(30, 2), "run": Rate(20, 1 / 3), "login": Rate(5, 1 / 12)}
BUCKETS_MAX = 50_000


class Buckets:
    """Levels of all buckets in this process; the least recently used ones are forgotten, which only refills them."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._levels: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, kind: str, who: str) -> int:
        """0 when a token was taken, else the whole seconds to wait until one is there."""
        rate, now = RATES[kind], self._clock()
        with self._lock:
            level, at = self._levels.pop((kind, who), (float(rate.burst), now))
            level = min(float(rate.burst), level + (now - at) * rate.per_second)
            wait = 0 if level >= 1 else max(1, math.ceil((1 - level) / rate.per_second))
            self._levels[(kind, who)] = (level if wait else level - 1, now)
            if len(self._levels) > BUCKETS_MAX:
                self._levels.popitem(last=False)
        return wait


buckets = Buckets()

"""Token buckets, one per student and kind of request (per address when nobody is signed in).

With a Redis the buckets are shared by all processes; without one, or while it does not answer, each process keeps its
own.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import redis

R = TypeVar("R")
log = logging.getLogger("smartmate.middleware.rate_limit")


@dataclass(frozen=True)
class Rate:
    burst: int
    per_second: float


RATES = {
    "read": Rate(120, 20),
    "write": Rate(30, 2),
    "run": Rate(20, 1 / 3),
    "feed": Rate(20, 1 / 15),  # readings of one feed
    "feed_guess": Rate(30, 1 / 2),  # secrets of no feed from one address
    "login": Rate(5, 1 / 12),  # guesses at one account from one address
    "guess_account": Rate(10, 1 / 30),
    "guess_address": Rate(60, 1 / 2),
}
BUCKETS_MAX = 50_000
LIMIT_S, PAUSE_S = 1.0, 5.0
"""How long a request waits for the shared buckets, and how long they are left alone when they did not answer."""


def wait_of(level: float, rate: Rate) -> int:
    """Returns 0 when a token is there, else the whole seconds until one is."""
    return 0 if level >= 1 else max(1, math.ceil((1 - level) / rate.per_second))


class Buckets:
    """Holds the levels of all buckets in this process; the least recently used ones are forgotten, which only refills
    them."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._levels: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._known: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, kind: str, who: str) -> int:
        """Takes a token if one is there; returns 0 then, else the whole seconds to wait until one is there."""
        rate, now = RATES[kind], self._clock()
        with self._lock:
            level, at = self._levels.pop((kind, who), (float(rate.burst), now))
            level = min(float(rate.burst), level + (now - at) * rate.per_second)
            wait = wait_of(level, rate)
            self._levels[(kind, who)] = (level if wait else level - 1, now)
            if len(self._levels) > BUCKETS_MAX:
                self._levels.popitem(last=False)
        return wait

    def give_back(self, kind: str, who: str) -> None:
        """Puts a token back that was taken for something that does not count."""
        with self._lock:
            level, at = self._levels.get((kind, who), (float(RATES[kind].burst), self._clock()))
            self._levels[(kind, who)] = (level + 1, at)

    def remember(self, kind: str, who: str, seconds: int) -> None:
        """Keeps for `seconds` that `who` is known."""
        with self._lock:
            self._known[(kind, who)] = self._clock() + seconds
            if len(self._known) > BUCKETS_MAX:
                self._known.popitem(last=False)

    def remembers(self, kind: str, who: str) -> bool:
        """Tells whether `who` is known still."""
        with self._lock:
            return self._known.get((kind, who), 0.0) > self._clock()


class SharedBuckets:
    """Holds the same buckets in Redis, each taken from in one atomic script on the clock of the server."""

    _SCRIPT = """
    local burst, rate = tonumber(ARGV[1]), tonumber(ARGV[2])
    local clock = redis.call('TIME')
    local now = tonumber(clock[1]) + tonumber(clock[2]) / 1000000
    local held = redis.call('HMGET', KEYS[1], 'level', 'at')
    local level = tonumber(held[1] or burst)
    level = math.min(burst, level + math.max(0, now - tonumber(held[2] or now)) * rate)
    local taken = level >= 1
    redis.call('HSET', KEYS[1], 'level', tostring(taken and level - 1 or level), 'at', string.format('%.6f', now))
    redis.call('EXPIRE', KEYS[1], math.ceil(burst / rate) + 1)
    return tostring(level)
    """

    def __init__(self, client: redis.Redis, fallback: Buckets, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._take = client.register_script(self._SCRIPT)
        self._fallback = fallback
        self._clock = clock
        self._asked_again_at = -math.inf

    def take(self, kind: str, who: str) -> int:
        rate = RATES[kind]
        name, figures = f"smartmate:rate:{kind}:{who}", [rate.burst, rate.per_second]
        level = self._ask_shared(lambda: float(str(self._take(keys=[name], args=figures))))
        return self._fallback.take(kind, who) if level is None else wait_of(level, rate)

    def give_back(self, kind: str, who: str) -> None:
        if self._ask_shared(lambda: self._client.hincrbyfloat(f"smartmate:rate:{kind}:{who}", "level", 1)) is None:
            self._fallback.give_back(kind, who)

    def remember(self, kind: str, who: str, seconds: int) -> None:
        if self._ask_shared(lambda: self._client.set(f"smartmate:known:{kind}:{who}", 1, ex=seconds)) is None:
            self._fallback.remember(kind, who, seconds)

    def remembers(self, kind: str, who: str) -> bool:
        known = self._ask_shared(lambda: bool(self._client.exists(f"smartmate:known:{kind}:{who}")))
        return self._fallback.remembers(kind, who) if known is None else known

    def _ask_shared(self, ask: Callable[[], R]) -> R | None:
        """Returns what Redis says; None while it does not answer, and for `PAUSE_S` afterwards it is not asked."""
        if self._clock() < self._asked_again_at:
            return None
        try:
            return ask()
        except redis.RedisError:
            log.warning("rate limits are kept per process: Redis does not answer")
            self._asked_again_at = self._clock() + PAUSE_S
            return None

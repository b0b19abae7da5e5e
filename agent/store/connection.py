"""One way to reach Redis: the server that `REDIS_URL` names, or an in-process one that speaks the same commands.

The embedded server is shared by all threads and event loops of the process; what it holds dies with the process, and
everything above is written so that SQL can replace it. An asynchronous client belongs to the loop that made it.
"""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import fakeredis
import redis
import redis.asyncio
from django.conf import settings
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import ExponentialBackoff
from redis.retry import Retry

_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, redis.asyncio.Redis] = WeakKeyDictionary()
CONNECT_TIMEOUT, READ_TIMEOUT, PATIENT_TIMEOUT, POOL_TIMEOUT = 3.0, 3.0, 30.0, 20.0
# A pooled connection that the server closed meanwhile is opened again instead of failing its next command.
RETRIES, BACKOFF = 2, ExponentialBackoff(cap=0.5, base=0.05)


@lru_cache(maxsize=1)
def embedded_server() -> fakeredis.FakeServer:
    return fakeredis.FakeServer()


class FairPool(redis.asyncio.ConnectionPool):
    """Lets who finds all connections in use wait for one, and serves first who came first.

    In the library's blocking pool a newcomer may take what was freed for somebody who waits: under load some wait to
    the end.
    """

    def __init__(self, *, max_connections: int, **options: Any) -> None:
        super().__init__(max_connections=max_connections, **options)
        self._places = asyncio.Semaphore(max_connections)
        self._placed: set[Any] = set()

    async def get_connection(self, *args: Any, **options: Any) -> Any:
        try:
            async with asyncio.timeout(POOL_TIMEOUT):
                await self._places.acquire()
        except TimeoutError:
            raise redis.ConnectionError("no connection to Redis became free") from None
        try:
            connection = await super().get_connection(*args, **options)  # type: ignore[no-untyped-call]
        except BaseException:
            self._places.release()
            raise
        self._placed.add(connection)
        return connection

    async def release(self, connection: Any) -> None:
        """Gives a connection back, and its place where it has one: what could not be connected is given back by the
        library before anybody got it."""
        try:
            await super().release(connection)
        finally:
            if connection in self._placed:
                self._placed.remove(connection)
                self._places.release()


def make_async(url: str) -> redis.asyncio.Redis:
    """Makes a client of the running loop for commands; who finds all its connections in use waits for one."""
    size: Any = {"max_connections": settings.REDIS_CONNECTIONS, "decode_responses": True}
    if not url:
        return fakeredis.FakeAsyncRedis(server=embedded_server(), connection_pool_class=FairPool, **size)
    retry = AsyncRetry(BACKOFF, RETRIES)
    patience: Any = {"socket_timeout": None, "socket_connect_timeout": CONNECT_TIMEOUT}
    return redis.asyncio.Redis.from_pool(FairPool.from_url(url, retry=retry, **patience, **size))


def make_listener(url: str) -> redis.asyncio.Redis:
    """Makes a client for one subscription. No read time-out: nothing may be published for a long time."""
    if not url:
        return fakeredis.FakeAsyncRedis(server=embedded_server(), decode_responses=True)
    return redis.asyncio.Redis.from_url(
        url,
        decode_responses=True,
        socket_timeout=None,
        socket_connect_timeout=CONNECT_TIMEOUT,
        socket_keepalive=True,
        retry=AsyncRetry(BACKOFF, RETRIES),
    )


def async_client() -> redis.asyncio.Redis:
    """Returns the client of the running event loop, made on first use."""
    loop = asyncio.get_running_loop()
    client = _clients.get(loop)
    if client is None:
        client = _clients[loop] = make_async(settings.REDIS_URL)
    return client


async def close_async_client() -> None:
    """Closes the running loop's client; a loop that ends should call it."""
    client = _clients.pop(asyncio.get_running_loop(), None)
    if client is not None:
        await client.aclose()


@lru_cache(maxsize=1)
def sync_client() -> redis.Redis:
    """Returns the client of all threads (its connection pool is thread-safe). Somebody waits for what they do."""
    return make_sync(settings.REDIS_URL)


@lru_cache(maxsize=1)
def patient_client() -> redis.Redis:
    """Returns the same for what runs save: nobody waits for them, and a Redis that is frozen for a while must not end
    them."""
    return make_sync(settings.REDIS_URL, timeout=PATIENT_TIMEOUT)


def make_sync(url: str, *, timeout: float = READ_TIMEOUT) -> redis.Redis:
    """Makes a client for threads; who finds all its connections in use waits for one.

    A lost connection is made anew; a command that takes longer than `timeout` fails.
    """
    pool = redis.BlockingConnectionPool
    size: Any = {"max_connections": settings.REDIS_CONNECTIONS, "timeout": POOL_TIMEOUT, "decode_responses": True}
    if not url:
        return fakeredis.FakeRedis(server=embedded_server(), connection_pool_class=pool, **size)
    retry = Retry(BACKOFF, RETRIES, supported_errors=(redis.ConnectionError,))
    patience: Any = {"socket_timeout": timeout, "socket_connect_timeout": min(CONNECT_TIMEOUT, timeout)}
    return redis.Redis.from_pool(pool.from_url(url, retry=retry, **patience, **size))


def is_embedded() -> bool:
    return not settings.REDIS_URL

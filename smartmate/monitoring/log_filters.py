"""What no line of the log needs: the trace of a store that is gone, and what only its owner may read of an address."""

from __future__ import annotations

import logging
from urllib.parse import unquote

from django.urls import Resolver404, resolve

OF_THE_SERVER = range(1040, 1050)
OF_THE_CLIENT = range(2000, 2100)
"""Numbers of MySQL and MariaDB: too many connections, no access, no such database; cannot be reached, gone, lost."""
TAKES_NO_WRITES = frozenset({1021, 1114, 1142, 1290, 1836})
"""The disk or a table is full, the account may not write, the server may only be read."""
SECRET = frozenset({"secret", "key"})
"""Parts of paths that open something: a feed, the link of a mail."""


class BriefFilter(logging.Filter):
    """Puts the words of such an error behind the message, in the place of a hundred lines for every request that meets
    it."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and says_all(error):
            words = str(error)
            message = record.getMessage()
            record.msg, record.args = (message if words in message else f"{message}: {words}"), ()
            record.exc_info = record.exc_text = None
        return True


def says_all(error: BaseException) -> bool:
    """Tells whether the words of an error say all there is to know: a store is away, or takes no writes."""
    from django.core.exceptions import DisallowedHost
    from django.db import InterfaceError, OperationalError
    from redis.exceptions import ConnectionError as NoRedis
    from redis.exceptions import OutOfMemoryError, ReadOnlyError
    from redis.exceptions import TimeoutError as SilentRedis

    if isinstance(error, OperationalError):
        number = error.args[0] if error.args else None
        return number in OF_THE_SERVER or number in OF_THE_CLIENT or number in TAKES_NO_WRITES
    return isinstance(error, DisallowedHost | InterfaceError | NoRedis | SilentRedis | OutOfMemoryError | ReadOnlyError)


class AddressFilter(logging.Filter):
    """Leaves queries out of the addresses of a line, for what a student says may stand there, and parts of paths that
    open something."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(_hide(one) if isinstance(one, str) and one[:1] == "/" else one for one in record.args)
        return True


def _hide(address: str) -> str:
    path = address.partition("?")[0]
    plain = unquote(path)
    try:
        found = resolve(plain).kwargs
    except Resolver404:
        return path
    for name in SECRET & found.keys():
        path = plain = plain.replace(str(found[name]), "...")
    return path

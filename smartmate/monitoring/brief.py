"""Lines of the log for what needs no trace: a store that is gone, and a host that nobody serves."""

from __future__ import annotations

import logging

OF_THE_SERVER = range(1040, 1050)
OF_THE_CLIENT = range(2000, 2100)
"""Numbers of MySQL and MariaDB: too many connections, no access, no such database; cannot be reached, gone, lost."""


class BriefFilter(logging.Filter):
    """Puts the words of such an error behind the message, in the place of a hundred lines for every request that meets
    it."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and _says_all(error):
            words = str(error)
            message = record.getMessage()
            record.msg, record.args = (message if words in message else f"{message}: {words}"), ()
            record.exc_info = record.exc_text = None
        return True


def _says_all(error: BaseException) -> bool:
    from django.core.exceptions import DisallowedHost
    from django.db import InterfaceError, OperationalError
    from redis.exceptions import ConnectionError as NoRedis
    from redis.exceptions import TimeoutError as SilentRedis

    if isinstance(error, OperationalError):
        number = error.args[0] if error.args else None
        return number in OF_THE_SERVER or number in OF_THE_CLIENT
    return isinstance(error, DisallowedHost | InterfaceError | NoRedis | SilentRedis)

"""A server of MariaDB or MySQL seen from another connection."""

from __future__ import annotations

from typing import Any

import httpx
import MySQLdb


def connected(address: str) -> Any:
    parts = httpx.URL(address)
    return MySQLdb.connect(
        host=parts.host, port=parts.port, user=parts.username, password=parts.password, database=parts.path.strip("/")
    )


def status(watcher: Any, name: str) -> int:
    """One of the database's own counters."""
    cursor = watcher.cursor()
    cursor.execute("SHOW GLOBAL STATUS LIKE %s", (name,))
    return int(cursor.fetchone()[1])


def waiting(watcher: Any) -> int:
    """Transactions that wait for the lock of a row."""
    return status(watcher, "Innodb_row_lock_current_waits")


def deadlocks(watcher: Any) -> int:
    """How many the server has resolved."""
    cursor = watcher.cursor()
    cursor.execute("SELECT count FROM information_schema.innodb_metrics WHERE name = 'lock_deadlocks'")
    return int(cursor.fetchone()[0])

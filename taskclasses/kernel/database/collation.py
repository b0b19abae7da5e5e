"""MySQL and MariaDB compare text as the database prescribes in which a table is made. Names and keys compare by code
point here, as SQLite does it: case, accents and emoji tell two names apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core import checks
from django.db import DatabaseError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

BINARY = "utf8mb4_bin"


def collation_of(connection: BaseDatabaseWrapper) -> str:
    """Returns the collation that new tables get; the binary one for a database that knows no other."""
    if connection.vendor != "mysql":
        return BINARY
    with connection.cursor() as cursor:
        cursor.execute("SELECT @@collation_database")
        return str(cursor.fetchone()[0])


def set_collation(*, using: str, **_: Any) -> None:
    """Gives a database without tables the binary collation before the first migration, where the account may."""
    connection = connections[using]
    if collation_of(connection) == BINARY or connection.introspection.table_names():
        return
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER DATABASE CHARACTER SET utf8mb4 COLLATE {BINARY}")
    except DatabaseError:
        # An account without that right: the tables are made as the database is, and the check says so from then on.
        pass


def collation_check(*, databases: Sequence[str] | None = None, **_: Any) -> list[checks.CheckMessage]:
    """Warns of a database with tables and another collation: it takes names for equal that are not."""
    found: list[checks.CheckMessage] = []
    for alias in databases or ():
        connection = connections[alias]
        collation = collation_of(connection)
        if collation != BINARY and connection.introspection.table_names():
            message = f"The database compares text by {collation}: names that differ in case or accents count as equal."
            hint = f"ALTER DATABASE and ALTER TABLE ... CONVERT TO CHARACTER SET utf8mb4 COLLATE {BINARY}."
            found.append(checks.Warning(message, hint=hint, id="taskclasses.W001"))
    return found

"""MySQL and MariaDB compare text as the database prescribes in which a table is made. Names and keys compare by code
point here, as SQLite does it: case, accents and emoji tell two names apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core import checks
from django.db import DatabaseError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

BINARY = "utf8mb4_bin"
BY_CODE_POINT = f"CHARACTER SET utf8mb4 COLLATE {BINARY}"


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
            cursor.execute(f"ALTER DATABASE {BY_CODE_POINT}")
    except DatabaseError:
        # An account without that right: the tables are made as the database is, and the check says so from then on.
        pass


def collation_check(*, databases: Sequence[str] | None = None, **_: Any) -> list[checks.CheckMessage]:
    """Warns of tables that compare text otherwise, and of a database with tables that gives new ones such a collation:
    they take names for equal that are not."""
    found: list[checks.CheckMessage] = []
    for alias in databases or ():
        connection = connections[alias]
        tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
        if connection.vendor != "mysql" or not tables:
            continue
        folding = {table: own for table, own in _collations(connection).items() if table in tables}
        given = collation_of(connection)
        if others := sorted({*folding.values(), given} - {BINARY}):
            told = ", ".join(others)
            message = f"The database compares text by {told}: names that differ in case or accents count as equal."
            whole = [f"ALTER DATABASE {BY_CODE_POINT}"] if given != BINARY else []
            each = [f"ALTER TABLE {table} CONVERT TO {BY_CODE_POINT}" for table in sorted(folding)]
            # Tables whose ids are text refer to each other, and are converted one after the other.
            hint = "; ".join(["SET foreign_key_checks = 0", *whole, *each])
            found.append(checks.Warning(message, hint=hint, id="taskclasses.W001"))
    return found


def _collations(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Returns the tables with text that does not compare by code point, each with such a collation."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, MIN(collation_name) FROM information_schema.columns "
            "WHERE table_schema = DATABASE() AND collation_name <> %s GROUP BY table_name",
            [BINARY],
        )
        return dict(cursor.fetchall())

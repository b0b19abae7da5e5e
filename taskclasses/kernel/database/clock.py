"""The time of the database: leases that several processes keep are measured by one clock, whatever their own say.

On SQLite the database is a library in the process, so that its clock is the machine's, which all its users share.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone


class DatabaseNow(Now):
    """Reads the present instant within a statement, in UTC like every stored one; `Now` follows the zone of the
    session."""

    def as_mysql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return self.as_sql(compiler, connection, template="UTC_TIMESTAMP(6)", **extra)


def database_now() -> datetime:
    """Returns the present instant, asked of the database."""
    if connection.vendor != "mysql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT UTC_TIMESTAMP(6)")
        moment: datetime = cursor.fetchone()[0]
    return moment.replace(tzinfo=UTC)

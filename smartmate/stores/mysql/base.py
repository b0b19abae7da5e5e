"""Django's backend for MySQL and MariaDB with one statement to begin a transaction instead of two around it."""

from __future__ import annotations

from django.db.backends.mysql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Begins transactions with BEGIN. Django would turn autocommit off, and on again behind the COMMIT."""

    def _start_transaction_under_autocommit(self) -> None:
        """Begins a transaction; SQLite's backend has the same method."""
        self.cursor().execute("BEGIN")

"""Django's backend for MySQL and MariaDB: one statement begins a transaction, UUIDs are what the tables hold, a search
finds words in any case."""

from __future__ import annotations

from typing import ClassVar

from django.db.backends.mysql import base, features
from django.utils.functional import cached_property

WITH_UUIDS = "agent_conversation"
"""A table whose `id` tells how UUIDs are kept in this database."""


class DatabaseFeatures(features.DatabaseFeatures):
    """Goes by the tables where an upgrade of the server would part from them."""

    @cached_property
    def has_native_uuid_field(self) -> bool:  # type: ignore[override]
        """Tells whether UUIDs have a type of their own. MariaDB knows one from 10.7 on, but tables that an older one
        made, or MySQL, keep 32 letters, and no row would be found in them by the new type."""
        if not super().has_native_uuid_field:
            return False
        with self.connection.cursor() as cursor:
            cursor.execute(
                "SELECT data_type FROM information_schema.columns "
                "WHERE table_schema = DATABASE() AND table_name = %s AND column_name = 'id'",
                [WITH_UUIDS],
            )
            return bool(cursor.fetchone() != ("char",))


class DatabaseWrapper(base.DatabaseWrapper):
    """Begins transactions with BEGIN. Django would turn autocommit off, and on again behind the COMMIT."""

    features_class = DatabaseFeatures
    # Text compares by code point; who looks for a word in it means it in any case, as on SQLite.
    operators: ClassVar[dict[str, str]] = {  # type: ignore[misc]
        **base.DatabaseWrapper.operators,
        "icontains": "LIKE %s COLLATE utf8mb4_unicode_520_ci",
    }

    def _start_transaction_under_autocommit(self) -> None:
        """Begins a transaction; SQLite's backend has the same method."""
        self.cursor().execute("BEGIN")

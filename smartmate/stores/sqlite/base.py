"""Django's backend for SQLite with connections that may be kept while the file stays the same."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

from django.db.backends.sqlite3 import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Knows which file it has opened, and who might write it then."""

    _opened: tuple[int, ...] | None = None

    def get_new_connection(self, conn_params: Any) -> Any:
        connection = super().get_new_connection(conn_params)
        self._opened = self._file()
        return connection

    def is_usable(self) -> bool:
        """Tells whether the name of the database still stands for the file that was opened, with the rights it had."""
        return self._opened == self._file()

    def _file(self) -> tuple[int, ...] | None:
        with suppress(OSError):
            found = os.stat(self.settings_dict["NAME"])
            return found.st_dev, found.st_ino, found.st_mode, found.st_uid, found.st_gid
        return None

"""Stores for servers that tests start: one database is migrated, all others are copies of it."""

from __future__ import annotations

import itertools
import os
import secrets
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import urlsplit, urlunsplit

ROOT = Path(__file__).resolve().parent.parent
SQLITE = "smartmate.sqlite3"
# Two servers on one Redis database would take each other's wake-ups. Database 0 belongs to the tests themselves.
_redis_numbers = itertools.count(1)


def fresh_stores(folder: Path) -> dict[str, str]:
    """The environment of a migrated, empty database and, of the Redis that `REDIS_URL` names, an unused one."""
    stores = {"SMARTMATE_VAR": str(folder)}
    if _mysql():
        name = f"server_{secrets.token_hex(6)}"
        _copy_schema(_template(), name)
        stores["DATABASE_URL"] = _url(name)
    else:
        shutil.copy(Path(_template()) / SQLITE, folder / SQLITE)
    if os.environ.get("REDIS_URL"):
        parts = urlsplit(os.environ["REDIS_URL"])
        stores["REDIS_URL"] = urlunsplit(parts._replace(path=f"/{next(_redis_numbers)}"))
    return stores


@cache
def _template() -> str:
    """The one database that is migrated: the name of a schema, or the folder of a file."""
    folder = mkdtemp(prefix="template-", dir=os.environ.get("SMARTMATE_VAR"))
    environment, name = {**os.environ, "SMARTMATE_VAR": folder}, folder
    if _mysql():
        name = f"template_{secrets.token_hex(6)}"
        _execute([_create(name)])
        environment["DATABASE_URL"] = _url(name)
    command = [sys.executable, "manage.py", "migrate", "--noinput", "-v0", "--skip-checks"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=120)
    return name


def _mysql() -> bool:
    return os.environ.get("DATABASE_URL", "").startswith("mysql")


def _url(name: str) -> str:
    return urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}"))


def _create(name: str) -> str:
    return f"CREATE DATABASE {name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"


def _copy_schema(source: str, target: str) -> None:
    """All tables with their keys and rows. `CREATE TABLE ... LIKE` would leave the foreign keys out."""
    tables = [row[0] for row in _execute([f"SHOW TABLES FROM {source}"])]
    made = [_execute([f"SHOW CREATE TABLE {source}.{table}"])[0][1] for table in tables]
    filled = [f"INSERT INTO {target}.{table} SELECT * FROM {source}.{table}" for table in tables]
    _execute([_create(target), f"USE {target}", "SET foreign_key_checks = 0", *made, *filled, "COMMIT"])


def _execute(statements: list[str]) -> Any:
    """The rows of the last statement."""
    import MySQLdb

    parts = urlsplit(os.environ["DATABASE_URL"])
    connection = MySQLdb.connect(
        host=parts.hostname, port=parts.port, user=parts.username, password=parts.password or "", charset="utf8mb4"
    )
    try:
        cursor = connection.cursor()
        for statement in statements:
            cursor.execute(statement)
        return cursor.fetchall()
    finally:
        connection.close()

"""Databases for tests and the servers they start: one of each kind is migrated, all others are copies of it."""

from __future__ import annotations

import fcntl
import itertools
import os
import secrets
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache, partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import urlsplit, urlunsplit

ROOT = Path(__file__).resolve().parents[3]
SQLITE = "smartmate.sqlite3"
TEMPLATES = "SMARTMATE_TEST_TEMPLATES"
"""Names the folder in which the workers of one run, of both halves, share what was migrated once."""
REDIS_NUMBERS = "SMARTMATE_TEST_REDIS_NUMBERS"
"""Names how many databases of Redis, from that of `REDIS_URL` on, belong to this process."""


def fresh_stores(folder: Path) -> dict[str, str]:
    """The environment of a migrated, empty database and, of the Redis that `REDIS_URL` names, an unused one."""
    stores = {"SMARTMATE_VAR": str(folder)}
    if on_mysql():
        stores["DATABASE_URL"] = _url(fresh_schema(f"server_{secrets.token_hex(6)}"))
    else:
        copy_sqlite(folder / SQLITE)
    if os.environ.get("REDIS_URL"):
        parts = urlsplit(os.environ["REDIS_URL"])
        stores["REDIS_URL"] = urlunsplit(parts._replace(path=f"/{_redis_number()}"))
    return stores


def copy_sqlite(target: Path) -> None:
    """Makes a migrated, empty database file, whatever database the tests run on."""
    shutil.copy(_migrated("sqlite"), target)


def fresh_schema(name: str) -> str:
    """Makes a migrated, empty schema on the server of `DATABASE_URL`; answers its name."""
    fill_schema(_url(name))
    return name


def older_schema() -> str:
    """Makes one as a MariaDB before 10.7 made it, or MySQL, without a type for UUIDs; answers its address."""
    target = _url(f"older_{secrets.token_hex(6)}")
    fill_schema(target, {" uuid ": " char(32) "})
    return target


def fill_schema(target: str, others: Mapping[str, str] | None = None) -> None:
    """Makes the schema that an address names, on any server, as a migration would have made it; `others` stand in the
    place of words of its tables."""
    if not on_mysql():  # there is nothing to copy from
        _run_migrations({**os.environ, "DATABASE_URL": target})
        return
    source, name = urlsplit(_url(_migrated("mysql"))), urlsplit(target).path.strip("/")
    with closing(_connected(source)) as known, closing(_connected(urlsplit(target)._replace(path=""))) as made:
        reads, writes = known.cursor(), made.cursor()
        writes.execute(f"DROP DATABASE IF EXISTS {name}")
        writes.execute(_create(name))
        writes.execute(f"USE {name}")
        # `CREATE TABLE ... LIKE` would leave the foreign keys out.
        writes.execute("SET foreign_key_checks = 0")
        for table in _rows(reads, "SHOW TABLES"):
            statement = _rows(reads, f"SHOW CREATE TABLE {table[0]}")[0][1]
            for word, other in (others or {}).items():
                statement = statement.replace(word, other)
            writes.execute(statement)
            if rows := _rows(reads, f"SELECT * FROM {table[0]}"):
                places = ", ".join(["%s"] * len(rows[0]))
                writes.executemany(f"INSERT INTO {table[0]} VALUES ({places})", rows)
        made.commit()


def put_back() -> None:
    """Leaves the database of the tests as it was copied, with nothing that a test has committed.

    Django would empty it and make content types, permissions and roles anew, one by one.
    """
    if on_mysql():
        _fill_from(_migrated("mysql"))
        return
    with closing(sqlite3.connect(_migrated("sqlite"))) as known:
        _copy_from(known)


def keep_database() -> Callable[[], None]:
    """Copies what the database of the tests holds now; answers what puts that back, with the numbers of all rows."""
    from django.db import connection

    if not on_mysql():
        kept = sqlite3.connect(":memory:", check_same_thread=False)
        connection.connection.backup(kept)
        return partial(_copy_from, kept)
    schema, held = f"kept_{secrets.token_hex(6)}", str(connection.settings_dict["NAME"])
    with closing(_connected(urlsplit(_url("")))) as known:
        cursor = known.cursor()
        cursor.execute(_create(schema))
        _KEPT.append(schema)
        for table, columns in _find_filled(held).items():
            cursor.execute(f"CREATE TABLE {schema}.{table} AS SELECT {columns} FROM {held}.{table}")
    return partial(_fill_from, schema)


def drop_kept() -> None:
    """Drops the schemas that `keep_database` made."""
    for schema in _KEPT:
        drop_schema(schema)


_KEPT: list[str] = []


def _copy_from(known: sqlite3.Connection) -> None:
    from django.db import connection

    connection.ensure_connection()
    known.backup(connection.connection)


def _fill_from(schema: str) -> None:
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET foreign_key_checks = 0")
        for table in connection.introspection.django_table_names(only_existing=True, include_views=False):
            cursor.execute(f"DELETE FROM {table}")
        for table, columns in _filled(schema).items():
            cursor.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM {schema}.{table}")
        cursor.execute("SET foreign_key_checks = 1")


def _find_filled(schema: str) -> dict[str, str]:
    """The tables of a schema that hold rows, but for the one of the migrations, each with the columns that are written
    (others are made of them)."""
    with closing(_connected(urlsplit(_url(schema)))) as connection:
        cursor = connection.cursor()
        written: dict[str, list[str]] = {}
        for table, column in _rows(
            cursor,
            "SELECT table_name, column_name FROM information_schema.columns "
            f"WHERE table_schema = '{schema}' AND extra NOT LIKE '%GENERATED%' ORDER BY table_name, ordinal_position",
        ):
            written.setdefault(table, []).append(f"`{column}`")
        return {
            table: ", ".join(columns)
            for table, columns in written.items()
            if table != "django_migrations" and _rows(cursor, f"SELECT 1 FROM {table} LIMIT 1")
        }


_filled = cache(_find_filled)  # of a copy, which nobody changes


def drop_schema(name: str) -> None:
    with closing(_connected(urlsplit(os.environ["DATABASE_URL"])._replace(path=""))) as connection:
        connection.cursor().execute(f"DROP DATABASE IF EXISTS {name}")


def on_mysql() -> bool:
    return os.environ.get("DATABASE_URL", "").startswith("mysql")


# Two servers on one Redis database would take each other's wake-ups. The first number belongs to the tests themselves.
_taken = itertools.count(1)


def _redis_number() -> int:
    number, room = next(_taken), int(os.environ.get(REDIS_NUMBERS, "256"))
    assert number < room, f"more than {room - 1} servers: the worker has no Redis database left"
    return int(urlsplit(os.environ["REDIS_URL"]).path.strip("/") or 0) + number


@cache
def _migrated(kind: str) -> str:
    """The one database of a kind that is migrated: the name of a schema, or the path of a file."""
    with _alone(kind) as folder:
        told = folder / kind
        if not told.exists():
            told.write_text(_migrate(kind, folder))
        return told.read_text()


@contextmanager
def _alone(kind: str) -> Iterator[Path]:
    """The folder of what was migrated, while no other worker looks at this kind of it."""
    folder = Path(os.environ.get(TEMPLATES) or _own_templates())
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{kind}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


@cache
def _own_templates() -> str:
    return mkdtemp(prefix="templates-", dir=os.environ.get("SMARTMATE_VAR"))


def _migrate(kind: str, folder: Path) -> str:
    environment = {"DJANGO_SETTINGS_MODULE": "smartmate.settings", **os.environ, "SMARTMATE_VAR": str(folder)}
    name = str(folder / SQLITE)
    if kind == "mysql":
        name = f"template_{secrets.token_hex(6)}"
        with closing(_connected(urlsplit(_url("")))) as connection:
            connection.cursor().execute(_create(name))
        environment["DATABASE_URL"] = _url(name)
    else:
        environment.pop("DATABASE_URL", None)
    _run_migrations(environment)
    return name


def _run_migrations(environment: dict[str, str]) -> None:
    from tests.kits.servers.server import COMMANDS  # its servers need these databases

    done = COMMANDS.run(["manage.py", "migrate", "--noinput", "-v0", "--skip-checks"], env=environment)
    assert done.returncode == 0, done.stdout + done.stderr


def _url(name: str) -> str:
    return urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}"))


def _create(name: str) -> str:
    return f"CREATE DATABASE {name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"


def _connected(parts: Any) -> Any:
    import MySQLdb

    return MySQLdb.connect(
        host=parts.hostname, port=parts.port, user=parts.username, password=parts.password or "", charset="utf8mb4",
        database=parts.path.strip("/"),
    )  # fmt: skip


def _rows(cursor: Any, statement: str) -> list[Any]:
    cursor.execute(statement)
    return list(cursor.fetchall())

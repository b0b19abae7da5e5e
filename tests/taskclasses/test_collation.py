"""Names compare by code point on every database, also in one that was made without a word about collation."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest

from tests.kits.servers.server import COMMANDS
from tests.kits.suite.stores import copy_sqlite, fill_schema

URL = os.environ.get("DATABASE_URL", "")
FOLDS = URL.startswith("mysql")
"""Whether the server has collations that take names for equal that are not."""
FIRST = ("migrate", "auth", "--noinput")
"""The collation is that of the database, given before its first table: those of one app tell it as well as all."""
NAMES = ("Li", "li", "lí", "😀", "🎓")


class Made:
    """An empty database as its server makes it: a file, or one with the collation most MySQL servers give."""

    def __init__(self, folder: Path) -> None:
        self.environment = {**os.environ, "SMARTMATE_VAR": str(folder)}
        self.connection = (
            self.server_connection() if FOLDS else sqlite3.connect(folder / "smartmate.sqlite3", isolation_level=None)
        )

    def server_connection(self) -> Any:
        import MySQLdb

        parts, name = urlsplit(URL), f"made_{secrets.token_hex(6)}"
        found: Any = MySQLdb.connect(
            host=parts.hostname, port=parts.port, user=parts.username, password=parts.password or "", autocommit=True
        )
        found.cursor().execute(f"CREATE DATABASE {name} CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")
        found.select_db(name)
        self.environment["DATABASE_URL"] = urlunsplit(parts._replace(path=f"/{name}"))
        return found

    def run(self, statement: str) -> list[Any]:
        cursor = self.connection.cursor()
        cursor.execute(statement)
        return list(cursor.fetchall())

    def drop(self) -> None:
        if FOLDS:
            (name,) = self.run("SELECT DATABASE()")[0]
            self.run(f"DROP DATABASE {name}")
        self.connection.close()

    def manage(self, *arguments: str) -> str:
        done = COMMANDS.run(["manage.py", *arguments], env=self.environment)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Made]:
    database = Made(tmp_path)
    yield database
    database.drop()


def test_an_empty_database_tells_names_apart(made: Made) -> None:
    made.manage(*FIRST)
    for name in NAMES:
        made.run(f"INSERT INTO django_content_type (app_label, model) VALUES ('{name}', 'x')")
        assert len(made.run(f"SELECT id FROM django_content_type WHERE app_label = '{name}'")) == 1
    assert "taskclasses.W001" not in made.manage("check", "--database", "default")


@pytest.fixture
def folding(tmp_path: Path) -> Iterator[Made]:
    """A database with all tables, which fold names though it would make new ones that tell them apart."""
    database = Made(tmp_path)
    if FOLDS:
        (name,) = database.run("SELECT DATABASE()")[0]
        fill_schema(database.environment["DATABASE_URL"], {"utf8mb4_bin": "utf8mb4_general_ci"})
        database.run(f"USE {name}")
    else:
        copy_sqlite(tmp_path / "smartmate.sqlite3")
    yield database
    database.drop()


def test_tables_that_fold_names_are_converted_as_the_check_says(folding: Made) -> None:
    told = folding.manage("check", "--database", "default")
    assert ("taskclasses.W001" in told) == FOLDS
    if FOLDS:
        hint = told.partition("HINT: ")[2].partition("\n")[0]
        assert "ALTER DATABASE" not in hint
        for statement in hint.split("; "):
            folding.run(statement)
        told = folding.manage("check", "--database", "default")
    assert "taskclasses.W001" not in told


def test_a_database_that_folds_names_is_told_of(made: Made) -> None:
    made.run("CREATE TABLE notes (word VARCHAR(9))")
    made.manage(*FIRST)
    assert ("taskclasses.W001" in made.manage("check", "--database", "default")) == FOLDS

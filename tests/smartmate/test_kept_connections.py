"""A connection to a file of SQLite is kept from call to call, and not used when another file has come in its place."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from smartmate.stores.sqlite.base import DatabaseWrapper

pytestmark = pytest.mark.storeless


def make_file(path: Path, word: str) -> Path:
    made = sqlite3.connect(path)
    with made:
        made.execute("CREATE TABLE words (word TEXT)")
        made.execute("INSERT INTO words VALUES (?)", [word])
    made.close()
    return path


@pytest.fixture
def kept(tmp_path: Path, django_db_blocker: Any) -> Any:
    """A connection as a thread of requests has it: kept, and looked at before each use."""
    file = make_file(tmp_path / "kept.sqlite3", "first")
    more = {"NAME": str(file), "OPTIONS": {}, "CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
    wrapper = DatabaseWrapper({**connection.settings_dict, **more})
    with django_db_blocker.unblock():
        yield wrapper
        wrapper.close()


def read_word(kept: DatabaseWrapper) -> str:
    kept.close_if_unusable_or_obsolete()
    with kept.cursor() as cursor:
        return str(cursor.execute("SELECT word FROM words").fetchone()[0])


def test_it_is_the_same_from_call_to_call(kept: DatabaseWrapper) -> None:
    assert read_word(kept) == "first"
    opened = kept.connection
    assert read_word(kept) == "first"
    assert kept.connection is opened


def test_a_copy_that_was_put_in_its_place_is_read(kept: DatabaseWrapper, tmp_path: Path) -> None:
    assert read_word(kept) == "first"
    make_file(tmp_path / "copy.sqlite3", "second").replace(kept.settings_dict["NAME"])
    assert read_word(kept) == "second"


def test_a_file_that_may_only_be_read_by_now_is_opened_again(kept: DatabaseWrapper) -> None:
    read_word(kept)
    opened = kept.connection
    Path(kept.settings_dict["NAME"]).chmod(0o444)
    assert read_word(kept) == "first"
    assert kept.connection is not opened

"""USE CASE: every row of one moment goes into one file, in constant memory; the service goes on meanwhile.

The file is gzip over lines of JSON: a head with format, version, migrations and the next id of each table, then for
each table a line with its name and columns and a line for each row, at last how many rows each table has. A file
without that line is not whole.
"""

from __future__ import annotations

import errno
import fcntl
import gzip
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from django.db import connection, models
from django.utils import timezone

from smartmate.upkeep.tables import (
    FORMAT,
    VERSION,
    applied_migrations,
    columns_of,
    next_id,
    numbered_models,
    stored_models,
    write_value,
)

STEP = 100
"""Rows that are read at once; the longest are some hundred kilobytes."""


def backup(path: Path) -> Iterator[tuple[str, int]]:
    """Writes the file; yields each table with its number of rows. The file has its name only when it is whole.

    Raises `FileExistsError` when there is one already, and `OSError` when another process is writing it.
    """
    _refuse_overwriting(path)
    part = path.with_name(f"{path.name}.part")
    with _own(part) as raw:
        try:
            _refuse_overwriting(path)  # another process may have finished since
            with gzip.GzipFile(fileobj=raw, mode="wb", filename="", compresslevel=6) as packed, one_moment():
                counts: dict[str, int] = {}
                packed.write(_line(_head()))
                for model in stored_models():
                    columns = [field.attname for field in columns_of(model)]
                    packed.write(_line({"table": model._meta.label, "columns": columns}))
                    counts[model._meta.label] = 0
                    for row in _rows(model, columns):
                        packed.write(_line([write_value(value) for value in row]))
                        counts[model._meta.label] += 1
                    yield model._meta.label, counts[model._meta.label]
                packed.write(_line({"end": counts}))
            raw.flush()
            os.fsync(raw.fileno())
            part.rename(path)
        finally:
            part.unlink(missing_ok=True)


def _refuse_overwriting(path: Path) -> None:
    if path.exists():
        raise FileExistsError(path)


def _own(part: Path) -> BinaryIO:
    """Opens a file that this process alone writes as long as it is open; what a process left there that died is
    overwritten. Nobody else may read it: password hashes and what students wrote are in it."""
    raw = os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600), "wb")
    if os.fstat(raw.fileno()).st_uid != os.geteuid():
        raw.close()
        raise OSError(errno.EPERM, f"{part.name} is somebody else's")
    with suppress(BlockingIOError):
        fcntl.flock(raw, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Another process may have finished in between: then this is its file, under the other name.
        if part.exists() and os.path.samestat(os.fstat(raw.fileno()), part.stat()):
            raw.truncate()
            os.fchmod(raw.fileno(), 0o600)
            return raw
    raw.close()
    raise OSError(errno.EBUSY, "another process is writing it")


def _head() -> dict[str, Any]:
    made_at = timezone.now().isoformat()
    return {
        "format": FORMAT,
        "version": VERSION,
        "made_at": made_at,
        "migrations": applied_migrations(),
        "next_ids": {model._meta.label: next_id(model) for model in numbered_models()},
    }


def _line(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _rows(model: type[models.Model], columns: list[str]) -> Iterator[tuple[Any, ...]]:
    """Yields all rows in the order of their keys, some at a time: drivers would fetch a whole table."""
    rows = model._base_manager.order_by("pk").values_list("pk", *columns)
    step = list(rows[:STEP])
    while step:
        yield from (row[1:] for row in step)
        step = list(rows.filter(pk__gt=step[-1][0])[:STEP])


@contextmanager
def one_moment() -> Iterator[None]:
    """Lets all reads inside see the database as it was at the beginning. They lock nothing: others write meanwhile."""
    with connection.cursor() as cursor:
        if connection.vendor == "mysql":
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            cursor.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")
        else:
            cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")

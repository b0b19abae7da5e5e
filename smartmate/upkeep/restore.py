"""USE CASE: the rows of a backup into an installation that has none, on any database; all of them, or nothing."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, connection, models, transaction

from agent.store import keys
from agent.store.connection import sync_client
from smartmate.upkeep.tables import (
    FILLED,
    FORMAT,
    VERSION,
    applied_migrations,
    columns_of,
    numbered_models,
    read_value,
    reserve_ids,
    stored_models,
)

STEP, STEP_BYTES = 100, 1 << 20
"""Rows of one INSERT at most, and bytes of their lines; MySQL takes a statement of 16 MiB."""

# Of the packing, of the JSON, of a value, of the rows among each other.
_DAMAGES = (
    EOFError,
    gzip.BadGzipFile,
    zlib.error,
    ValueError,
    KeyError,
    TypeError,
    ValidationError,
    DataError,
    IntegrityError,
)


class RestoreRefused(Exception):
    """Tells that the file cannot be restored, or not here; nothing was changed."""


def restore(path: Path) -> Iterator[tuple[str, int]]:
    """Makes the rows of a backup; yields each table with its number of rows. Raises `RestoreRefused`."""
    try:
        with gzip.open(path, "rb") as file:
            lines = (json.loads(line) for line in file)
            head = _check_head(next(lines, None))
            _check_empty()
            for model in numbered_models():  # tables that are empty again after a refusal may count from there
                reserve_ids(model, head.get("next_ids", {}).get(model._meta.label, 1))
            with connection.constraint_checks_disabled(), transaction.atomic():
                for model in FILLED:
                    model._base_manager.all()._raw_delete(connection.alias)
                yield from _fill(lines)
                connection.check_constraints()
    except _DAMAGES as error:
        raise RestoreRefused("the file is damaged or not whole") from error


def _check_head(head: Any) -> dict[str, Any]:
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise RestoreRefused("the file is no backup of SmartMate")
    if head["version"] != VERSION:
        raise RestoreRefused(f"the backup has version {head['version']}, this installation reads {VERSION}")
    here, there = applied_migrations(), head["migrations"]
    if not here:
        raise RestoreRefused("there are no tables yet: run migrate first")
    if here != there:
        apart = next(row for row in [*here, *there] if (row in here) != (row in there))
        raise RestoreRefused(
            f"tables of another version ({'.'.join(apart)} is applied {'here' if apart in here else 'there'} alone): "
            "restore with the version that made the backup, then migrate"
        )
    return head


def _check_empty() -> None:
    for model in stored_models():
        if model not in FILLED and model._base_manager.exists():
            raise RestoreRefused(f"the installation is not empty: {model._meta.label} has rows")
    # Redis keeps the states of conversations for days, and they would be read in the place of those of the backup.
    for pattern, what in (("smartmate:run:*", "the logs of runs"), (keys.state("*", "*"), "states of conversations")):
        if next(iter(sync_client().scan_iter(match=pattern, count=1000)), None):
            raise RestoreRefused(f"Redis holds {what}: name another database of it, or empty this one")


def _fill(lines: Iterator[Any]) -> Iterator[tuple[str, int]]:
    known = {model._meta.label: model for model in stored_models()}
    counts: dict[str, int] = {}
    table: _Table | None = None
    for line in lines:
        if isinstance(line, list) and table is not None:
            table.add(line)
            continue
        if table is not None:
            table.flush()
            counts[table.label] = table.count
            yield table.label, table.count
        if "end" in line:
            # The checksum stands behind the last line, and is looked at by who reads on.
            if line["end"] != counts or next(lines, None) is not None:
                raise RestoreRefused("the file is damaged or not whole")
            return
        table = _Table(known[line["table"]], line["columns"])
    raise RestoreRefused("the file is damaged or not whole")


class _Table:
    """Fills one table, some rows at a time."""

    def __init__(self, model: type[models.Model], columns: list[str]) -> None:
        self.label, self.count = model._meta.label, 0
        self._model = model
        fields = {field.attname: field for field in columns_of(model)}
        self._fields = [fields[name] for name in columns]
        self._rows: list[models.Model] = []
        self._bytes = 0

    def add(self, values: list[Any]) -> None:
        named = zip(self._fields, values, strict=True)
        self._rows.append(self._model(**{field.attname: read_value(field, value) for field, value in named}))
        self._bytes += sum(len(value) for value in values if isinstance(value, str))
        self.count += 1
        if len(self._rows) >= self._step() or self._bytes >= STEP_BYTES:
            self.flush()

    def flush(self) -> None:
        if self._rows:
            # Raw: times of creation and of change are those of the backup.
            manager: Any = self._model._base_manager
            manager._insert(self._rows, fields=self._fields, using=connection.alias, raw=True)
        self._rows, self._bytes = [], 0

    def _step(self) -> int:
        return min(STEP, connection.ops.bulk_batch_size(self._fields, range(STEP)))

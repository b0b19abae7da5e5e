"""The tables that a backup holds, and how a value of each column stands in it."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from datetime import date, datetime, time
from typing import Any
from uuid import UUID

from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection, models
from django.db.migrations.recorder import MigrationRecorder

from smartmate.models import StorageProbe

FORMAT, VERSION = "smartmate-backup", 1
LEFT_OUT: frozenset[type[models.Model]] = frozenset({StorageProbe})
"""What `/readyz` writes to says nothing."""
FILLED: frozenset[type[models.Model]] = frozenset({ContentType, Permission, Group, Group.permissions.through})
"""What every `migrate` fills: the rows of a backup replace it, for others refer to them by their ids."""


def stored_models() -> list[type[models.Model]]:
    """Returns every model with a table of its own, tables between two others included."""
    found = apps.get_models(include_auto_created=True)
    return [
        model
        for model in found
        if model._meta.managed and not model._meta.proxy and not model._meta.swapped and model not in LEFT_OUT
    ]


def columns_of(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    """Returns the fields that are stored; what the database computes is left out."""
    return [field for field in model._meta.concrete_fields if not getattr(field, "generated", False)]


def applied_migrations() -> list[list[str]]:
    return sorted([app, name] for app, name in MigrationRecorder(connection).applied_migrations())


def write_value(value: Any) -> Any:
    """Writes a value of a column as JSON."""
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode()
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value


def read_value(field: models.Field[Any, Any], value: Any) -> Any:
    """Reads what `write_value` wrote."""
    if isinstance(field, models.BinaryField):
        return None if value is None else b64decode(value)
    return value if isinstance(field, models.JSONField) else field.to_python(value)


def numbered_models() -> list[type[models.Model]]:
    """Returns the models whose ids the database gives out itself."""
    return [model for model in stored_models() if isinstance(model._meta.pk, models.AutoField)]


def next_id(model: type[models.Model]) -> int:
    """Returns the id that the next row gets: ids of rows that were deleted are not given again, for batches and drafts
    name them still."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "mysql":
            cursor.execute(f"SHOW CREATE TABLE {connection.ops.quote_name(table)}")
            told = re.search(r"\bAUTO_INCREMENT=(\d+)", cursor.fetchone()[1].rpartition(")")[2])
            return int(told[1]) if told else 1
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        row = cursor.fetchone()
        return int(row[0]) + 1 if row else 1


def reserve_ids(model: type[models.Model], until: int) -> None:
    """Lets the next row of a table get this id or a later one. It is no part of a transaction on MySQL."""
    table = model._meta.db_table
    if until <= next_id(model):
        return
    with connection.cursor() as cursor:
        if connection.vendor == "mysql":
            cursor.execute(f"ALTER TABLE {connection.ops.quote_name(table)} AUTO_INCREMENT = {int(until)}")
            return
        cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
        cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, until - 1])

"""The tables that a backup holds, and how a value of each column stands in it."""

from __future__ import annotations

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

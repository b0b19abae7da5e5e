"""USE CASE: everything of a student as one document, and the schema of such documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from typing import Any

from django.contrib.auth.models import User
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from agent.calls.kinds import Json
from agent.models import Conversation, TimelineItem
from schedules.models import AppliedBatch, ScheduleEvent, Semester
from smartmate.archive.tables import BY_MODEL, SEMESTERS, TABLES, Field, Table
from taskclasses.kernel.times import rfc3339

FORMAT, VERSION = "smartmate-archive", 1
SCHEMA = "/api/v1/schema/archive.json"
Numbers = Mapping[type[models.Model], Mapping[int, int]]
"""Model -> key of a row -> its number in the archive."""


@transaction.atomic
def archive_make(*, user: User) -> Json:
    """Makes the archive of a student; two of the same rows differ in `exported_at` alone."""
    numbers: dict[type[models.Model], dict[int, int]] = {}
    tables: Json = {}
    for table in TABLES:
        rows = list(_rows_of(table, user.pk))
        numbers[table.model] = {row.pk: number for number, row in enumerate(rows, 1)}
        tables[table.name] = [_row_json(table, row, numbers) for row in rows]
    return {
        "format": FORMAT,
        "version": VERSION,
        "schema": SCHEMA,
        "exported_at": rfc3339(timezone.now()),
        "account": {"username": user.get_username(), "email": user.email, "joined_at": rfc3339(user.date_joined)},
        "tables": tables,
        "batches": _batches(user.pk),
        "conversations": _conversations(user.pk),
    }


def _rows_of(table: Table, user_id: int) -> Sequence[models.Model]:
    """Returns the rows of a student; of the semesters also the shared ones in which something of the student stands."""
    if table is not SEMESTERS:
        return list(table.rows(user_id))
    used = Q(owner=user_id) | Q(pk__in=ScheduleEvent.objects.filter(user_id=user_id).values("semester"))
    for other in TABLES:
        if other is not table and "semester" in other.columns:
            used |= Q(pk__in=other.rows(user_id).order_by().values("semester"))
    return list(Semester.objects.filter(used).order_by("pk"))


def _row_json(table: Table, row: models.Model, numbers: Numbers) -> Json:
    told = {name: _value(table, name, row, numbers) for name in table.columns}
    return {**told, "shared": row.owner_id is None} if isinstance(row, Semester) else told


def _value(table: Table, name: str, row: models.Model, numbers: Numbers) -> Any:
    value, model = table.columns[name].value_from_object(row), table.points_at(name)
    if value is not None and model is not None:
        # A key without a reference may be that of a row which is gone.
        return numbers[model].get(value)
    return value.isoformat() if isinstance(value, date | datetime | time) else value


def _batches(user_id: int) -> list[Json]:
    """Returns what was written to the timetable, oldest first; to read, with the ids of this account."""
    rows = AppliedBatch.objects.filter(user=user_id).select_related("semester").order_by("created_at", "pk")
    return [
        {
            "source": row.source,
            "semester": row.semester.name,
            "created_at": rfc3339(row.created_at),
            "undone_at": None if row.undone_at is None else rfc3339(row.undone_at),
            "changes": row.changes,
            "row_changes": row.row_changes,
        }
        for row in rows
    ]


def _conversations(user_id: int) -> list[Json]:
    """Returns what was said, oldest first; to read, for an import makes none of it anew."""
    said: dict[Any, list[Json]] = {}
    items = TimelineItem.objects.filter(conversation__user=user_id).order_by("conversation", "seq")
    for item in items.only("conversation", "seq", "kind", "role", "content", "payload", "created_at").iterator():
        told = {name: getattr(item, name) for name in ("seq", "kind", "role", "content", "payload")}
        said.setdefault(item.conversation_id, []).append({**told, "created_at": rfc3339(item.created_at)})
    return [
        {"title": row.title, "created_at": rfc3339(row.created_at), "timeline": said.get(row.pk, [])}
        for row in Conversation.objects.filter(user=user_id).order_by("created_at", "pk")
    ]


def archive_schema() -> Json:
    """Returns the JSON Schema of an archive, made of the same tables."""
    tables = {table.name: {"type": "array", "items": _row_schema(table)} for table in TABLES}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "SmartMate archive",
        "type": "object",
        "required": ["format", "version", "tables"],
        "properties": {
            "format": {"const": FORMAT},
            "version": {"const": VERSION},
            "tables": {"type": "object", "properties": tables, "additionalProperties": False},
            "batches": {"type": "array", "items": {"type": "object"}},
            "conversations": {"type": "array", "items": {"type": "object"}},
        },
    }


def _row_schema(table: Table) -> Json:
    columns = {name: _column_schema(table, name) for name in table.columns}
    if table is SEMESTERS:
        columns["shared"] = {"type": "boolean"}
    return {"type": "object", "properties": columns, "required": list(columns), "additionalProperties": False}


TYPES: Sequence[tuple[type[Field], Json]] = (
    (models.JSONField, {"type": ["array", "object", "null"]}),
    (models.BooleanField, {"type": "boolean"}),
    (models.IntegerField, {"type": "integer"}),
    (models.DateTimeField, {"type": "string", "format": "date-time"}),
    (models.DateField, {"type": "string", "format": "date"}),
    (models.TimeField, {"type": "string", "pattern": r"^\d{2}:\d{2}:\d{2}$"}),
    (models.CharField, {"type": "string"}),
    (models.TextField, {"type": "string"}),
    (models.UUIDField, {"type": "string", "format": "uuid"}),
)


def _column_schema(table: Table, name: str) -> Json:
    field, model = table.columns[name], table.points_at(name)
    if model is not None:
        schema: Json = {"type": "integer", "minimum": 1, "description": f"number of a row of {BY_MODEL[model].name}"}
    else:
        schema = next(dict(schema) for kind, schema in TYPES if isinstance(field, kind))
    return {**schema, "type": [schema["type"], "null"]} if field.null and isinstance(schema["type"], str) else schema

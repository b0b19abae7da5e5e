"""USE CASE: an archive into an account that has nothing yet; all of it, or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, models, transaction

from schedules.models import Semester
from schedules.services import broken_invariants
from schedules.services.bulk import insert
from schedules.services.lock import timetable_changed, timetable_lock
from smartmate.archive.tables import SEMESTERS, TABLES, Field, Table
from smartmate.archive.writing import FORMAT, VERSION
from taskclasses.kernel.auth import account_lock
from taskclasses.kernel.errors import CodedError, bad_request, too_large

ROWS_MAX = 60_000
"""Rows of all tables together: many times a full course of studies."""
Made = dict[type[models.Model], list[Any]]
"""Model -> the rows made, in the sequence of the archive."""


def archive_restore(*, user: User, document: Any) -> dict[str, int]:
    """Makes the rows of an archive in an empty account; answers how many of each table.

    40005 naming the value that is wrong, 40006, 40087 for an account that has something already.
    """
    tables = _tables_of(document)
    try:
        with transaction.atomic():
            return _restore(user, tables)
    except (IntegrityError, DataError) as error:
        raise bad_request("tables", "内容无效") from error


def _restore(user: User, tables: Mapping[str, list[Any]]) -> dict[str, int]:
    account_lock(user.pk)
    for table in TABLES:
        if not table.choice and table.rows(user.pk).exists():
            raise CodedError(40087)
    made: Made = {}
    for table in TABLES:
        if tables[table.name] and table.choice:
            table.rows(user.pk).delete()
        made[table.model] = _make(table, tables[table.name], user, made)
    for semester in made[Semester]:
        timetable_changed(timetable_lock(user_id=user.pk, semester=semester))
    if broken_invariants(user_id=user.pk):
        raise bad_request("tables", "内容无效")
    return {table.name: len(made[table.model]) for table in TABLES}


def _tables_of(document: Any) -> dict[str, list[Any]]:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise bad_request("format", "不是 SmartMate 的归档")
    if document.get("version") != VERSION:
        raise bad_request("version", "不认识这个版本的归档")
    tables = document.get("tables")
    if not isinstance(tables, dict):
        raise bad_request("tables", "应为对象")
    unknown = sorted(str(name) for name in set(tables) - {table.name for table in TABLES})
    if unknown:
        raise bad_request(f"tables.{unknown[0][:60]}", "取值不在允许范围内")
    found = {table.name: tables.get(table.name, []) for table in TABLES}
    for name, rows in found.items():
        if not isinstance(rows, list):
            raise bad_request(f"tables.{name}", "应为数组")
    if sum(map(len, found.values())) > ROWS_MAX:
        raise too_large("tables", ROWS_MAX)
    return found


def _make(table: Table, values: list[Any], user: User, made: Made) -> list[Any]:
    """Makes the rows of one table in one statement; known semesters that are shared are used as they are."""
    rows = [_row(table, number, value, user, made) for number, value in enumerate(values)]
    if table.most:
        counts = Counter(getattr(row, f"{table.within}_id") if table.within else 0 for row in rows)
        if max(counts.values(), default=0) > table.most:
            raise too_large(f"tables.{table.name}", table.most)
    new = [row for row in rows if row.pk is None]
    insert(table.model, new)
    # MySQL does not tell the new keys. They rise in the order of the insert, and the account had no such rows.
    keys = iter(table.rows(user.pk).values_list("pk", flat=True))
    for row in new:
        row.pk = next(keys)
    return rows


def _row(table: Table, number: int, values: Any, user: User, made: Made) -> Any:
    where = f"tables.{table.name}.{number}"
    if not isinstance(values, dict):
        raise bad_request(where, "应为对象")
    row: Any = table.model()
    if table.owner in ("user", "owner"):
        setattr(row, f"{table.owner}_id", user.pk)
    for name, field in table.columns.items():
        if name not in values and field.has_default():
            continue  # the archive is older than the column: the row has the default of a new one
        try:
            _set(row, field, values.get(name), table.points_at(name), made)
        except (ValidationError, TypeError, ValueError, OverflowError, RecursionError) as error:
            raise bad_request(f"{where}.{name}", "内容无效") from error
    try:
        table.check(row)
        table.derive(row)
    except (ValidationError, TypeError, ValueError, KeyError, AttributeError, OverflowError) as error:
        raise bad_request(where, "内容无效") from error
    return _shared_twin(row) or row if table is SEMESTERS and values.get("shared") is True else row


def _set(row: Any, field: Field, value: Any, model: type[models.Model] | None, made: Made) -> None:
    if model is None:
        setattr(row, field.name, field.clean(_read_typed(field, value), row))
        return
    if value is None and field.null:
        return
    rows = made.get(model, [])
    if type(value) is not int or not 1 <= value <= len(rows):
        raise ValueError(value)
    setattr(row, field.name, rows[value - 1] if field.related_model else rows[value - 1].pk)


def _read_typed(field: Field, value: Any) -> Any:
    """Returns a value of the type that the column has: what a column would turn into one is refused."""
    if value is None:
        return value
    texts = isinstance(value, str) and "\x00" not in value and not any("\ud800" <= char <= "\udfff" for char in value)
    known = {
        models.BooleanField: type(value) is bool,
        models.IntegerField: type(value) is int,
        models.JSONField: isinstance(value, list | dict),
    }
    fits = next((fit for kind, fit in known.items() if isinstance(field, kind)), texts)
    if not fits:
        raise ValueError(field.name)
    return value


def _shared_twin(row: Semester) -> Semester | None:
    """Returns the shared semester that is the same as the one of the archive, None when there is none here."""
    alike = Semester.objects.filter(owner=None, name=row.name, first_monday=row.first_monday, weeks=row.weeks)
    return next(
        (
            found
            for found in alike.order_by("pk")
            if (found.section_times, found.time_zone) == (row.section_times, row.time_zone)
        ),
        None,
    )

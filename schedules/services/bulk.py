"""One statement for many rows: the number of queries of a write does not depend on the number of its items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import connections
from django.db.models import Case, QuerySet, Value, When

INSERT_BATCH = 2000
"""Rows of one INSERT at most, far below the packet limit of MySQL; SQLite's own limit of parameters is lower."""


def set_each(rows: QuerySet[Any], key: str, values: Mapping[int, Mapping[str, Any]], **alike: Any) -> int:
    """Gives every row values of its own in ONE update; answers how many rows it found.

    `values` is `key` -> {column: value}, the same columns for every key; `alike` goes to all these rows.
    """
    if not values:
        return 0
    own = {}
    for column in next(iter(values.values())):
        kind = rows.model._meta.get_field(column)
        branches = [
            When(**{f"{key}__in": keys}, then=Value(value, output_field=kind))
            for value, keys in _keys_by_value({pk: row[column] for pk, row in values.items()})
        ]
        own[column] = Case(*branches, output_field=kind)
    return int(rows.filter(**{f"{key}__in": list(values)}).update(**own, **alike))


def _keys_by_value(values: Mapping[int, Any]) -> list[tuple[Any, list[int]]]:
    """Returns each value with all keys that have it (a value may be a JSON object): one branch instead of many."""
    found: dict[str, tuple[Any, list[int]]] = {}
    for key, value in values.items():
        found.setdefault(repr(value), (value, []))[1].append(key)
    return list(found.values())


def delete_childless(rows: QuerySet[Any]) -> None:
    """Deletes in one statement rows that nothing refers to any more; the ORM's own would read them first, a hundred at
    a time."""
    rows._raw_delete(connections[rows.db].alias)


def insert(model: Any, rows: Iterable[Any]) -> None:
    model.objects.bulk_create(rows, batch_size=INSERT_BATCH)


def insert_with_ids(mine: QuerySet[Any], rows: Sequence[Any]) -> list[int]:
    """Inserts rows, with the ids they have or with new ones; answers the id of each.

    `mine` selects all rows of their owner, whose lock the caller holds.
    """
    given = [row.pk for row in rows]
    own = set(given)
    last = mine.order_by("-pk").values_list("pk", flat=True).first() or 0 if None in own else 0
    insert(mine.model, rows)
    if None not in own:
        return given
    # MySQL does not tell the new ids. They rise in the order of the insert, and the lock keeps others out.
    found = mine.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)
    new = iter([pk for pk in found if pk not in own])
    return [next(new) if pk is None else pk for pk in given]

"""JSON columns that are empty in nearly every row."""

from __future__ import annotations

from typing import Any

from django.db import models


class OftenEmptyJSONField(models.JSONField):
    """Holds JSON as Django's field does; an empty object or list is not parsed.

    A term has thousands of these cells: to parse each was a tenth of what reading it took.
    """

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        if value == "{}":
            return {}
        if value == "[]":
            return []
        return super().from_db_value(value, expression, connection)

    def deconstruct(self) -> Any:
        """Describes itself to migrations as what it is to the database."""
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.JSONField", arguments, options

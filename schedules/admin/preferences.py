"""Students' wishes in the admin, to look at: the student sets and removes them."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin

from schedules.models import Preference
from taskclasses.admin import ReadOnly


@admin.register(Preference)
class PreferenceAdmin(ReadOnly):
    list_display = ("id", "user", "task_class", "kind", "value", "hard_only")
    list_filter = ("kind", "hard_only")
    owner = "user"
    scopes: ClassVar[tuple[str, ...]] = ("user__id__exact",)
    list_select_related: ClassVar[Any] = ("user", "task_class")

"""A student's wishes about every plan: list, set, take back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError
from rest_framework.request import Request

from schedules.models import Preference
from schedules.planner.soft_limits import VALUE_MAX, Kind, SoftLimit
from schedules.presentation.shapes.preferences import PreferenceObject, Preferences
from schedules.selectors import preferences_of
from schedules.services.preferences import PREFERENCES_MAX, preferences_change
from taskclasses.kernel.answers import answers
from taskclasses.kernel.envelope import ok
from taskclasses.kernel.rest import ApiView, Body, Id, OptionalId


class PreferenceBody(Body):
    """Holds one preference; `value`: a section, a part of the day (from 1), a weekday, blocks a day, or days before the
    end."""

    kind: Kind
    value: Annotated[int, Field(ge=1, le=30)]
    task_class_id: OptionalId = None
    hard_only: bool = False

    @model_validator(mode="after")
    def _in_range(self) -> PreferenceBody:
        if self.value > VALUE_MAX[self.kind]:
            raise PydanticCustomError("value_error", "value")
        if self.hard_only and self.kind == "blocks_a_day":
            raise PydanticCustomError("value_error", "hard_only")
        return self

    @property
    def limit(self) -> SoftLimit:
        return SoftLimit(self.kind, self.value, self.task_class_id, self.hard_only)


class PreferencesBody(Body):
    """Holds preferences: what is set takes the place of what it contradicts; `remove` are ids of wishes that hold no
    more."""

    set: list[PreferenceBody] = Field(default_factory=list, max_length=PREFERENCES_MAX)
    remove: list[Id] = Field(default_factory=list, max_length=PREFERENCES_MAX)


def preferences_json(rows: Iterable[Preference]) -> Preferences:
    found: list[PreferenceObject] = [
        {
            "id": row.pk,
            "kind": row.kind,
            "value": row.value,
            "task_class_id": row.task_class_id,
            "hard_only": row.hard_only,
        }
        for row in rows
    ]
    return {"preferences": found}


class PreferencesView(ApiView):
    @extend_schema(operation_id="schedule_preferences")
    @answers(Preferences)
    def get(self, request: Request) -> HttpResponse:
        return ok(preferences_json(preferences_of(self.user(request).pk)))

    @extend_schema(operation_id="schedule_preferences_change")
    @answers(Preferences, 40006, 40040, 40091, body=PreferencesBody)
    def post(self, request: Request) -> HttpResponse:
        user_id, body = self.user(request).pk, self.body(request, PreferencesBody)
        wishes = [one.limit for one in body.set]

        def effect() -> Preferences:
            return preferences_json(preferences_change(user_id=user_id, wishes=wishes, remove=body.remove))

        return self.commit(request, effect)


class PreferenceView(ApiView):
    @extend_schema(operation_id="schedule_preference_delete")
    @answers(Preferences, 40091)
    def delete(self, request: Request, preference_id: int) -> HttpResponse:
        user_id = self.user(request).pk

        def effect() -> Preferences:
            return preferences_json(preferences_change(user_id=user_id, remove=[preference_id]))

        return self.commit(request, effect)

"""Endpoint of re-planning: life happens, and a draft with its difference comes of it."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError
from rest_framework.request import Request

from agent.drafts.replan import draft_replan
from agent.shapes import ReplannedDraft
from schedules.planner.replan.asks import NEEDS, ReplanAsk, ReplanKind
from taskclasses.kernel.answers import answers
from taskclasses.kernel.envelope import locale_of, ok
from taskclasses.kernel.rest import ApiView, Body, Id, IsoDate, OptionalId, Text

Section = Annotated[int, Field(ge=1, le=100)]


class ReplanBody(Body):
    kind: ReplanKind
    conversation_id: Text = ""
    task_item_ids: Annotated[list[Id], Field(max_length=500)] | None = None
    from_date: IsoDate | None = None
    to_date: IsoDate | None = None
    evenings: bool = False
    start_section: Section | None = None
    end_section: Section | None = None
    week: Annotated[int, Field(ge=1, le=30)] | None = None
    sections: Annotated[int, Field(ge=1, le=500)] | None = None
    task_class_id: OptionalId = None
    date: IsoDate | None = None

    @model_validator(mode="after")
    def _whole(self) -> ReplanBody:
        for name in NEEDS.get(self.kind, ()):
            if getattr(self, name) is None:
                raise PydanticCustomError("value_error", name)
        if self.kind == "start" and self.date is None and self.week is None:
            raise PydanticCustomError("value_error", "date")
        if self.from_date and self.to_date and self.to_date < self.from_date:
            raise PydanticCustomError("value_error", "to_date")
        return self

    def ask(self) -> ReplanAsk:
        return ReplanAsk(
            kind=self.kind,
            item_ids=None if self.task_item_ids is None else tuple(self.task_item_ids),
            first_date=self.from_date,
            last_date=self.to_date or self.from_date,
            evenings=self.evenings,
            from_section=self.start_section,
            to_section=self.end_section,
            week=self.week,
            sections=self.sections or 0,
            task_class_id=self.task_class_id,
            date=self.date,
        )


class ReplanView(ApiView):
    """POST /agent/replan: what happened, as a draft by least change."""

    @extend_schema(operation_id="draft_replan")
    @answers(ReplannedDraft, 40036, 40040, 40044, 40045, 40075, 40401, 50008, body=ReplanBody)
    def post(self, request: Request) -> HttpResponse:
        body, locale = self.body(request, ReplanBody), locale_of(request._request)
        found = draft_replan(
            user=self.user(request),
            ask=body.ask(),
            conversation_id=body.conversation_id.strip(),
            now=timezone.now(),
            locale=locale,
        )
        return ok(found, headers={"X-Draft-Revision": str(found["revision"])})

"""Endpoints of re-planning: life happens, and a draft with its difference comes of it, in the way that is chosen."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError
from rest_framework.request import Request

from agent.drafts.catch_up import catch_up_ways
from agent.drafts.replan import draft_replan
from agent.drafts.row_changes import ExamMove, KeptFree, Move
from agent.shapes import CatchUpWays, ReplannedDraft
from agent.transports.wire.bodies import DRAFT_HEADERS
from schedules.exams.bodies import Clock
from schedules.planner.replan.asks import NEEDS, ReplanAsk, ReplanKind, ReplanWay
from schedules.services.terms.lesson_changes import LessonChangeValues
from schedules.terms.exceptions import NAME_MAX, NOTE_MAX
from schedules.terms.lessons import MOVED
from taskclasses.kernel.answers import answers
from taskclasses.kernel.envelope import locale_of, ok
from taskclasses.kernel.i18n import text
from taskclasses.kernel.rest import ApiView, Body, Id, IsoDate, OptionalId, Text

REFUSALS = (40006, 40026, 40031, 40036, 40040, 40044, 40045, 40047, 40049, 40075, 40401, 50008)
Section = Annotated[int, Field(ge=1, le=100)]


class HappeningBody(Body):
    """Holds which items something happened to, and on which days."""

    task_item_ids: Annotated[list[Id], Field(max_length=500)] | None = None
    from_date: IsoDate | None = None
    to_date: IsoDate | None = None

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.from_date and self.to_date and self.to_date < self.from_date:
            raise PydanticCustomError("value_error", "to_date")
        return self

    def ids(self) -> tuple[int, ...] | None:
        return None if self.task_item_ids is None else tuple(self.task_item_ids)


class CatchUpBody(HappeningBody):
    """Holds what can be caught up in several ways, named as in `ReplanBody`."""

    kind: Literal["missed", "ill", "mend"]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.kind == "ill" and self.from_date is None:
            raise PydanticCustomError("missing", "from_date")
        return self

    def ask(self) -> ReplanAsk:
        return ReplanAsk(
            kind=self.kind,
            item_ids=self.ids(),
            first_date=self.from_date,
            last_date=self.to_date or self.from_date,
        )


class ReplanBody(HappeningBody):
    kind: ReplanKind
    conversation_id: Text = ""
    way: ReplanWay = "least_change"
    evenings: bool = False
    start_section: Section | None = None
    end_section: Section | None = None
    week: Annotated[int, Field(ge=1, le=30)] | None = None
    sections: Annotated[int, Field(ge=1, le=500)] | None = None
    task_class_id: OptionalId = None
    date: IsoDate | None = None
    event_id: OptionalId = None
    exam_id: OptionalId = None
    day_of_week: Annotated[int, Field(ge=1, le=7)] | None = None
    section_from: Section | None = None
    section_to: Section | None = None
    start_time: Clock | None = None
    end_time: Clock | None = None
    location: Annotated[Text, Field(max_length=255)] | None = None
    note: Annotated[Text, Field(max_length=NOTE_MAX)] = ""
    name: Annotated[Text, Field(max_length=NAME_MAX)] = ""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        for name in NEEDS.get(self.kind, ()):
            if getattr(self, name) is None:
                raise PydanticCustomError("missing", name)
        if self.kind == "start" and self.date is None and self.week is None:
            raise PydanticCustomError("missing", "date")
        return self

    def ask(self) -> ReplanAsk:
        return ReplanAsk(
            kind=self.kind,
            way=self.way,
            item_ids=self.ids(),
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

    def move(self, locale: str) -> Move | None:
        """Returns the lesson or the exam that moved, or the time that stays free, if that is what happened."""
        if self.kind == "keep_free" and self.from_date is not None:
            return KeptFree(
                first=self.from_date,
                last=self.to_date or self.from_date,
                evenings=self.evenings,
                from_section=self.start_section,
                to_section=self.end_section,
                name=self.name.strip() or text("留空", locale),
            )
        if self.kind == "lesson_moved":
            place = (self.week or 0, self.day_of_week or 0, self.section_from or 0, self.section_to or 0)
            return LessonChangeValues(
                kind=MOVED, event_id=self.event_id, place=place, location=self.location, note=self.note
            )
        if self.kind != "exam_moved" or self.exam_id is None or self.date is None:
            return None
        return ExamMove(
            exam_id=self.exam_id,
            date=self.date,
            location=self.location,
            start_time=self.start_time,
            end_time=self.end_time,
            section_from=self.section_from,
            section_to=self.section_to,
        )


class CatchUpView(ApiView):
    """Answers POST /agent/catch-up: reads only; one of its ways becomes a draft by POST /agent/replan."""

    @extend_schema(operation_id="catch_up_ways")
    @answers(CatchUpWays, 40036, body=CatchUpBody)
    def post(self, request: Request) -> HttpResponse:
        ask = self.body(request, CatchUpBody).ask()
        found = catch_up_ways(user=self.user(request), ask=ask, now=timezone.now(), locale=locale_of(request._request))
        return ok(found.to_json(ask))


class ReplanView(ApiView):
    """Answers POST /agent/replan: what happened, as a draft by least change."""

    @extend_schema(operation_id="draft_replan")
    @answers(ReplannedDraft, *REFUSALS, body=ReplanBody, headers=DRAFT_HEADERS)
    def post(self, request: Request) -> HttpResponse:
        body, locale = self.body(request, ReplanBody), locale_of(request._request)
        found = draft_replan(
            user=self.user(request),
            ask=body.ask(),
            move=body.move(locale),
            conversation_id=body.conversation_id.strip(),
            now=timezone.now(),
            locale=locale,
        )
        return ok(found, headers={"X-Draft-Revision": str(found["revision"])})

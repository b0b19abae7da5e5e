"""Endpoints of the student's own hand: where an item may go, pins of a draft."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request

from agent.drafts.pins import draft_items_pin
from agent.drafts.places import legal_places_get
from agent.drafts.scene import ChosenItem
from agent.drafts.why import why_get
from agent.shapes import KeptDraftItems, LegalPlaces, WhyHere
from agent.transports.wire.bodies import DRAFT_HEADERS
from schedules.serializers import ITEMS_MAX
from taskclasses.kernel.answers import answers
from taskclasses.kernel.envelope import locale_of, ok
from taskclasses.kernel.rest import ApiView, Body, Id, OptionalId, Text


class ChosenItemBody(Body):
    """Holds one item; in the draft of a conversation, or on the timetable when none is named."""

    task_item_id: Id
    conversation_id: Text | None = None
    semester_id: OptionalId = None


class PinBody(Body):
    conversation_id: Text
    task_item_ids: Annotated[list[Id], Field(min_length=1, max_length=ITEMS_MAX)]


class UnpinBody(PinBody):
    release: bool = False


def _chosen(view: ApiView, request: Request) -> ChosenItem:
    body = view.body(request, ChosenItemBody)
    return ChosenItem(
        view.user(request), body.task_item_id, body.conversation_id or "", body.semester_id, timezone.now()
    )


class LegalPlacesView(ApiView):
    """Answers POST /agent/legal-places: reads only; a body because it is about one item of one draft."""

    @extend_schema(operation_id="legal_places")
    @answers(LegalPlaces, 40036, 40041, 40058, 40060, 50008, body=ChosenItemBody)
    def post(self, request: Request) -> HttpResponse:
        return ok(legal_places_get(item=_chosen(self, request), locale=locale_of(request._request)))


class WhyView(ApiView):
    """Answers POST /agent/why: reads only."""

    @extend_schema(operation_id="why_here")
    @answers(WhyHere, 40036, 40041, 40058, 40060, 40077, 50008, body=ChosenItemBody)
    def post(self, request: Request) -> HttpResponse:
        return ok(why_get(item=_chosen(self, request), locale=locale_of(request._request)))


class DraftPinView(ApiView):
    @extend_schema(operation_id="draft_items_pin")
    @answers(KeptDraftItems, 40034, 40058, 40060, 40077, 50008, body=PinBody, headers=DRAFT_HEADERS)
    def post(self, request: Request) -> HttpResponse:
        return _set_pins(self, request, self.body(request, PinBody), pinned=True)


class DraftUnpinView(ApiView):
    @extend_schema(operation_id="draft_items_unpin")
    @answers(KeptDraftItems, 40034, 40058, 40060, 40077, 50008, body=UnpinBody, headers=DRAFT_HEADERS)
    def post(self, request: Request) -> HttpResponse:
        body = self.body(request, UnpinBody)
        return _set_pins(self, request, body, pinned=False, release=body.release)


def _set_pins(view: ApiView, request: Request, body: PinBody, *, pinned: bool, release: bool = False) -> HttpResponse:
    found = draft_items_pin(
        user=view.user(request),
        conversation_id=body.conversation_id,
        item_ids=body.task_item_ids,
        pinned=pinned,
        release=release,
    )
    return ok(found, headers={"X-Draft-Revision": str(found["revision"])})

"""Endpoints of a conversation's draft: preview, save, apply."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field, model_validator
from rest_framework.request import Request

from agent.drafts.difference import draft_changes_drop, draft_difference_get, draft_discard
from agent.drafts.draft import WantedPlace, draft_apply, draft_preview_get, draft_preview_mark, draft_state_save
from agent.shapes import AppliedDraft, DiscardedDraft, DraftDifference, DraftPreview, SavedPlaces
from agent.transports.wire.bodies import DRAFT_HEADERS
from schedules.serializers import ITEMS_MAX
from taskclasses.kernel.answers import answers
from taskclasses.kernel.entity_tags import answer_tagged
from taskclasses.kernel.envelope import locale_of, ok
from taskclasses.kernel.errors import CodedError, bad_request
from taskclasses.kernel.rest import ApiView, Body, Id, OptionalId, parse, read_json

B = TypeVar("B", bound=Body)
CONVERSATION_ID = "conversation_id"
PLACEMENT = (40025, 40026, 40034, 40061, 40072, 40073)
"""Refusals of a place in the draft or on the timetable."""


class DraftItem(Body):
    """Holds one item of the body: where the student put it."""

    task_item_id: Id
    week: Annotated[int, Field(ge=1)]
    day_of_week: Annotated[int, Field(ge=1, le=7)]
    start_section: Annotated[int, Field(ge=1)]
    end_section: Annotated[int, Field(ge=1)]
    embed_course_event_id: OptionalId = None
    # False: the place is a suggestion of ours, so that preferences bind it.
    by_hand: bool = True
    # True: the item stands on the timetable, and the draft shall move it.
    from_timetable: bool = False

    @model_validator(mode="after")
    def _sections_in_order(self) -> DraftItem:
        if self.end_section < self.start_section:
            raise ValueError("end_section")
        return self

    def read_place(self) -> WantedPlace:
        return WantedPlace(
            self.task_item_id,
            self.week,
            self.day_of_week,
            self.start_section,
            self.end_section,
            self.embed_course_event_id,
            self.by_hand,
            self.from_timetable,
        )


class DraftBody(Body):
    conversation_id: str
    revision: OptionalId = None


class StateBody(DraftBody):
    items: Annotated[list[DraftItem], Field(max_length=ITEMS_MAX)]


class DraftApplyBody(DraftBody):
    skip_conflicts: bool = False


class DropBody(DraftBody):
    task_item_ids: Annotated[list[Id], Field(min_length=1, max_length=ITEMS_MAX)]


def _read_body(request: Request, kind: type[B]) -> tuple[B, str]:
    """Returns the body and its conversation id, which is checked before anything else in it."""
    document = read_json(request._request)
    if not isinstance(document, dict):
        raise bad_request("", "请求体应为 JSON 对象")
    conversation_id = _conversation(document.get(CONVERSATION_ID))
    return parse(kind, document), conversation_id


def _conversation(value: Any) -> str:
    if value is None or (isinstance(value, str) and not value.strip()):
        raise CodedError(40004, {"field": CONVERSATION_ID})
    if not isinstance(value, str):
        raise bad_request(CONVERSATION_ID, "应为字符串")
    return value.strip()


class SchedulePreviewView(ApiView):
    """Answers GET /agent/schedule-preview: the draft as week grid and list."""

    @extend_schema(operation_id="schedule_preview", parameters=[OpenApiParameter(CONVERSATION_ID, str, required=True)])
    @answers(DraftPreview, 40004, 40053, 50008, tagged=True)
    def get(self, request: Request) -> HttpResponse:
        http, user = request._request, self.user(request)
        named = _conversation(http.GET.get(CONVERSATION_ID))
        return answer_tagged(
            http,
            draft_preview_mark(user=user, conversation_id=named),
            lambda: draft_preview_get(user=user, conversation_id=named, locale=locale_of(http)),
        )


class ScheduleStateSaveView(ApiView):
    """Answers POST /agent/schedule-state: the student's own placements go into the draft."""

    @extend_schema(operation_id="schedule_state_save")
    @answers(
        SavedPlaces | None,
        40004,
        40058,
        40059,
        40060,
        40062,
        40071,
        50008,
        *PLACEMENT,
        body=StateBody,
        headers=DRAFT_HEADERS,
    )
    def post(self, request: Request) -> HttpResponse:
        body, conversation_id = _read_body(request, StateBody)
        saved = draft_state_save(
            user=self.user(request),
            conversation_id=conversation_id,
            items=[item.read_place() for item in body.items],
            revision=body.revision,
            locale=locale_of(request._request),
        )
        # Null where there is nothing to warn of: clients know this answer since the first version.
        data: SavedPlaces | None = {"warnings": saved.warnings} if saved.warnings else None
        return ok(data, headers={"X-Draft-Revision": str(saved.revision)})


class ScheduleApplyView(ApiView):
    """Answers POST /agent/schedule-apply: the difference between draft and timetable goes into the timetable."""

    idempotency_required = ("POST",)

    @extend_schema(operation_id="schedule_apply")
    @answers(AppliedDraft, 40004, 40048, 40049, 40058, 40071, 40075, 50008, *PLACEMENT, body=DraftApplyBody)
    def post(self, request: Request) -> HttpResponse:
        body, conversation_id = _read_body(request, DraftApplyBody)
        user, locale = self.user(request), locale_of(request._request)
        return self.commit(
            request,
            lambda: draft_apply(
                user=user,
                conversation_id=conversation_id,
                revision=body.revision,
                skip_conflicts=body.skip_conflicts,
                locale=locale,
            ),
        )


class DraftDifferenceView(ApiView):
    """Answers GET /agent/draft-diff: what the draft changes on the timetable."""

    @extend_schema(operation_id="draft_difference", parameters=[OpenApiParameter(CONVERSATION_ID, str, required=True)])
    @answers(DraftDifference, 40004, 40058, 50008)
    def get(self, request: Request) -> HttpResponse:
        conversation_id = _conversation(request._request.GET.get(CONVERSATION_ID))
        locale = locale_of(request._request)
        return ok(draft_difference_get(user=self.user(request), conversation_id=conversation_id, locale=locale))


class DraftDropView(ApiView):
    """Answers POST /agent/draft-drop: single changes leave the draft."""

    @extend_schema(operation_id="draft_changes_drop")
    @answers(
        DraftDifference, 40004, 40058, 40060, 40062, 40071, 50008, *PLACEMENT, body=DropBody, headers=DRAFT_HEADERS
    )
    def post(self, request: Request) -> HttpResponse:
        body, conversation_id = _read_body(request, DropBody)
        found = draft_changes_drop(
            user=self.user(request),
            conversation_id=conversation_id,
            item_ids=body.task_item_ids,
            revision=body.revision,
            locale=locale_of(request._request),
        )
        return ok(found, headers={"X-Draft-Revision": str(found["revision"])})


class ScheduleDiscardView(ApiView):
    """Answers POST /agent/schedule-discard: the draft shows the timetable again."""

    @extend_schema(operation_id="schedule_discard")
    @answers(DiscardedDraft, 40004, 40058, 40071, 50008, body=DraftBody, headers=DRAFT_HEADERS)
    def post(self, request: Request) -> HttpResponse:
        body, conversation_id = _read_body(request, DraftBody)
        found = draft_discard(user=self.user(request), conversation_id=conversation_id, revision=body.revision)
        return ok(found, headers={"X-Draft-Revision": str(found["revision"])})

"""Writes of the timetable: apply, take back, undo."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from schedules.api.semester_query import SEMESTER, semester_id_of
from schedules.models import AppliedBatch
from schedules.presentation.shapes.placement import (
    AppliedBatchAnswer,
    BatchObject,
    KeptItem,
    ReleasedItem,
    ReleasedItems,
    UndoneBatch,
)
from schedules.presentation.timetable import batch_json
from schedules.selectors import applied_batches, timetable_stamps
from schedules.serializers import ApplyBody
from schedules.services import (
    event_delete,
    schedule_apply_batch,
    schedule_undo,
    task_item_pin,
    task_item_undo,
    task_item_unpin,
)
from schedules.services.images.kinds import is_known
from schedules.services.undo import Present, undo_obstacles
from taskclasses.kernel.answers import answers
from taskclasses.kernel.entity_tags import answer_tagged
from taskclasses.kernel.envelope import locale_of
from taskclasses.kernel.rest import PAGES, ApiView, page_asked, query_bool
from taskclasses.shapes import Page

PLACEMENT = (40025, 40026, 40034, 40040, 40041, 40048, 40049, 40061, 40062, 40072, 40073)
"""Refusals of an apply: what the items are, then where they are put."""


class ApplyBatchView(ApiView):
    idempotency_required = ("PUT",)

    @extend_schema(operation_id="apply_batch_into_schedule", parameters=[SEMESTER])
    @answers(AppliedBatchAnswer, *PLACEMENT, body=ApplyBody)
    def put(self, request: Request) -> HttpResponse:
        user, batches = self.user(request), self.body(request, ApplyBody).classes()
        named, locale = semester_id_of(request._request), locale_of(request._request)
        return self.commit(
            request,
            lambda: schedule_apply_batch(
                user=user, batches=batches, semester_id=named, now=timezone.now(), locale=locale
            ),
        )


class EventView(ApiView):
    @extend_schema(operation_id="schedule_event_delete")
    @answers(ReleasedItems, 40031)
    def delete(self, request: Request, event_id: int) -> HttpResponse:
        user = self.user(request)
        return self.commit(request, lambda: event_delete(user=user, event_id=event_id))


class TaskItemUndoView(ApiView):
    @extend_schema(operation_id="schedule_task_item_undo")
    @answers(ReleasedItem, 40036, 40077)
    def post(self, request: Request, task_item_id: int) -> HttpResponse:
        user = self.user(request)
        return self.commit(request, lambda: task_item_undo(user=user, task_item_id=task_item_id))


class TaskItemPinView(ApiView):
    @extend_schema(operation_id="schedule_task_item_pin")
    @answers(KeptItem, 40036, 40077)
    def post(self, request: Request, task_item_id: int) -> HttpResponse:
        user = self.user(request)
        return self.commit(request, lambda: task_item_pin(user=user, task_item_id=task_item_id))


class TaskItemUnpinView(ApiView):
    @extend_schema(operation_id="schedule_task_item_unpin", parameters=[OpenApiParameter("release", bool)])
    @answers(KeptItem, 40036, 40077)
    def post(self, request: Request, task_item_id: int) -> HttpResponse:
        user, release = self.user(request), query_bool(request._request, "release", default=False)
        return self.commit(request, lambda: task_item_unpin(user=user, task_item_id=task_item_id, release=release))


class BatchesView(ApiView):
    @extend_schema(operation_id="schedule_batch_list", parameters=PAGES)
    @answers(Page[BatchObject], tagged=True)
    def get(self, request: Request) -> HttpResponse:
        user_id, page = self.user(request).pk, page_asked(request._request)
        return answer_tagged(
            request._request,
            timetable_stamps(user_id),
            lambda: page.of(applied_batches(user_id=user_id), show_all=_describe_batches),
        )


def _describe_batches(batches: Sequence[AppliedBatch]) -> list[BatchObject]:
    present = Present(batches)
    return [batch_json(batch, can_undo=_can_undo(batch, present)) for batch in batches]


def _can_undo(batch: AppliedBatch, present: Present) -> bool:
    whole = bool(batch.changes or batch.row_changes) and is_known(batch)
    return batch.undone_at is None and whole and not undo_obstacles(batch, present)


class BatchUndoView(ApiView):
    @extend_schema(operation_id="schedule_batch_undo")
    @answers(UndoneBatch, 40077)
    def post(self, request: Request, batch_id: int) -> HttpResponse:
        user = self.user(request)
        return self.commit(request, lambda: schedule_undo(user=user, batch_id=batch_id))

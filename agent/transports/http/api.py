"""REST: tasks (polling), conversations, their state and timeline (wire.md 2.2, 2.3)."""

from __future__ import annotations

from asgiref.sync import async_to_sync
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from agent import selectors
from agent.runs import conversation_cancel, conversation_delete, conversation_rename, run_cancel, run_page, run_start
from agent.shapes import (
    CancelledRun,
    CancelledTask,
    ContextStats,
    ConversationObject,
    ConversationStateObject,
    EventsPage,
    PollPage,
    StartedTask,
    TimelinePage,
)
from agent.transports.wire.bodies import RUN_HEADERS, STARTING, ChatBody, TitleBody, read_ask
from agent.transports.wire.frames import envelopes
from agent.transports.wire.schema import events_schema
from taskclasses.kernel.answers import answers
from taskclasses.kernel.entity_tags import answer_tagged
from taskclasses.kernel.envelope import CONTENT_TYPE, bare, encode_json, ok
from taskclasses.kernel.rest import PAGES, ApiView, count_parameter, query_bool, query_int
from taskclasses.shapes import Page

EVENTS_PAGE, EVENTS_PAGE_MAX = 500, 1_000
TIMELINE_PAGE, TIMELINE_PAGE_MAX = 200, 500
CURSOR_MAX = 2**31
RUNNING = "running"
EVENTS = [
    count_parameter("from", default=0, high=CURSOR_MAX),
    count_parameter("limit", default=EVENTS_PAGE, high=EVENTS_PAGE_MAX),
    OpenApiParameter("bare", bool),
]
TIMELINE = [
    count_parameter("after_seq", default=0, high=CURSOR_MAX),
    count_parameter("limit", default=TIMELINE_PAGE, high=TIMELINE_PAGE_MAX),
]


class TasksView(ApiView):
    """Starts a run for a client that polls."""

    rate_kind = "run"
    idempotency_own = True

    @answers(StartedTask, *STARTING, body=ChatBody, headers=RUN_HEADERS)
    def post(self, request: Request) -> HttpResponse:
        ask = read_ask(request._request, route="tasks")
        started = async_to_sync(run_start)(user_id=self.user(request).pk, ask=ask)
        run = started.run
        headers = {"X-Conversation-ID": str(run.conversation_id), "X-Run-ID": str(run.pk)}
        if started.replayed:
            headers["Idempotent-Replayed"] = "true"
        ids = {"task_id": str(run.pk), "conversation_id": str(run.conversation_id)}
        return ok({**ids, "status": RUNNING, "next_offset": 0}, headers=headers)


class TaskEventsView(ApiView):
    """Answers the events of a run from an offset on; with `bare=true` without the envelope around them."""

    @extend_schema(parameters=EVENTS)
    @answers(PollPage, 40076, bare=True, headers=RUN_HEADERS)
    def get(self, request: Request, run_id: str) -> HttpResponse:
        http, user_id = request._request, self.user(request).pk
        start = query_int(http, "from", default=0, low=0, high=CURSOR_MAX)
        limit = query_int(http, "limit", default=EVENTS_PAGE, low=1, high=EVENTS_PAGE_MAX)
        shape = bare if query_bool(http, "bare", default=False) else ok
        run = selectors.run_get(user_id, run_id)
        page = async_to_sync(run_page)(run, start=start, limit=limit)
        # The row is read behind the events: a terminal event was appended after its row was committed.
        run = selectors.run_get(user_id, run_id)
        shown: EventsPage = {
            "events": envelopes(page.events),
            "next_offset": page.next_offset,
            "has_more": page.has_more,
        }
        data = selectors.poll_json(run, shown_status=run.status if page.complete else RUNNING, page=shown)
        return shape(data, headers={"X-Conversation-ID": str(run.conversation_id), "X-Run-ID": str(run.pk)})


class TaskCancelView(ApiView):
    @answers(CancelledTask, 40076)
    def post(self, request: Request, run_id: str) -> HttpResponse:
        run = async_to_sync(run_cancel)(user_id=self.user(request).pk, run_id=run_id)
        return ok({"task_id": str(run.pk), "run_status": run.status})


class ConversationsView(ApiView):
    @extend_schema(parameters=PAGES)
    @answers(Page[ConversationObject])
    def get(self, request: Request) -> HttpResponse:
        return self.page(request, selectors.conversations(self.user(request).pk), selectors.conversation_json)


class ConversationView(ApiView):
    @answers(ConversationObject, 40401)
    def get(self, request: Request, conversation_id: str) -> HttpResponse:
        return ok(selectors.conversation_json(selectors.conversation_get(self.user(request).pk, conversation_id)))

    @answers(ConversationObject, 40401, body=TitleBody)
    def patch(self, request: Request, conversation_id: str) -> HttpResponse:
        user_id = self.user(request).pk
        selectors.conversation_get(user_id, conversation_id)
        title = self.body(request, TitleBody).title

        def effect() -> ConversationObject:
            conversation_rename(user_id=user_id, conversation_id=conversation_id, title=title)
            return selectors.conversation_json(selectors.conversation_get(user_id, conversation_id))

        return self.commit(request, effect)

    @answers(None, 40075, 40401)
    def delete(self, request: Request, conversation_id: str) -> HttpResponse:
        user_id = self.user(request).pk
        return self.commit(request, lambda: conversation_delete(user_id=user_id, conversation_id=conversation_id))


class ConversationStateView(ApiView):
    @answers(ConversationStateObject, 40401, tagged=True)
    def get(self, request: Request, conversation_id: str) -> HttpResponse:
        look = selectors.ConversationLook(self.user(request).pk, conversation_id)
        return answer_tagged(request._request, look.mark(), look.describe)


class ConversationTimelineView(ApiView):
    @extend_schema(parameters=TIMELINE)
    @answers(TimelinePage, 40401)
    def get(self, request: Request, conversation_id: str) -> HttpResponse:
        http = request._request
        after_seq = query_int(http, "after_seq", default=0, low=0, high=CURSOR_MAX)
        limit = query_int(http, "limit", default=TIMELINE_PAGE, low=1, high=TIMELINE_PAGE_MAX)
        conversation = selectors.conversation_get(self.user(request).pk, conversation_id)
        return ok(selectors.timeline_page(conversation, after_seq=after_seq, limit=limit))


class ConversationContextStatsView(ApiView):
    @answers(ContextStats | None, 40401)
    def get(self, request: Request, conversation_id: str) -> HttpResponse:
        return ok(selectors.context_stats(selectors.conversation_get(self.user(request).pk, conversation_id)))


class ConversationCancelView(ApiView):
    @answers(CancelledRun, 40401)
    def post(self, request: Request, conversation_id: str) -> HttpResponse:
        cancel = async_to_sync(conversation_cancel)
        run = cancel(user_id=self.user(request).pk, conversation_id=conversation_id)
        return ok({"run_id": str(run.pk) if run else None, "run_status": run.status if run else None})


class EventsSchemaView(ApiView):
    """Answers the JSON Schema of the events and of the three framings: public, outside the envelope."""

    authentication_classes = ()
    permission_classes = ()

    @answers(media={"application/json": {"type": "object"}}, public=True)
    def get(self, request: Request) -> HttpResponse:
        return HttpResponse(encode_json(events_schema()), content_type=CONTENT_TYPE)

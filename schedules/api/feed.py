"""The student's calendar feed: its address, what it tells, its end."""

from __future__ import annotations

from typing import Annotated

from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from typing_extensions import TypedDict

from schedules.models import REMINDER_MAX, CalendarFeed
from schedules.presentation.shapes.week import FeedKind
from schedules.services.feeds import feed_change, feed_get, feed_revoke, feed_rotate
from taskclasses.kernel.answers import answers
from taskclasses.kernel.envelope import NO_STORE, ok
from taskclasses.kernel.rest import ApiView, Body
from taskclasses.kernel.times import rfc3339
from taskclasses.shapes import Instant


class FeedBody(Body):
    """Tells what the feed tells, and how many minutes before it a reader reminds; null does not."""

    include: Annotated[list[FeedKind], Field(min_length=1, max_length=3)]
    reminder_minutes: Annotated[int, Field(ge=0, le=REMINDER_MAX)] | None = None


class FeedObject(TypedDict):
    """Holds the feed; `address` is told once, when it is made: only its hash is kept."""

    include: list[FeedKind]
    reminder_minutes: int | None
    created_at: Instant
    last_read_at: Instant | None
    address: str | None


class FeedView(ApiView):
    """Answers by method: POST makes the address, or a new one in its place; DELETE ends it."""

    keeps_no_answer = True
    """The same POST again makes another address."""

    @extend_schema(operation_id="schedule_feed_get")
    @answers(FeedObject, 40086)
    def get(self, request: Request) -> HttpResponse:
        return ok(_feed_json(feed_get(user=self.user(request))))

    @extend_schema(operation_id="schedule_feed_rotate")
    @answers(FeedObject)
    def post(self, request: Request) -> HttpResponse:
        feed, secret = feed_rotate(user=self.user(request), language=get_language() or "")
        address = request._request.build_absolute_uri(f"/feeds/{secret}.ics")
        if settings.HTTPS:
            address = f"https://{address.partition('://')[2]}"
        return ok(_feed_json(feed, address), headers=NO_STORE)

    @extend_schema(operation_id="schedule_feed_change")
    @answers(FeedObject, 40086, body=FeedBody)
    def put(self, request: Request) -> HttpResponse:
        body = self.body(request, FeedBody)
        feed = feed_change(user=self.user(request), include=body.include, reminder_minutes=body.reminder_minutes)
        return ok(_feed_json(feed))

    @extend_schema(operation_id="schedule_feed_revoke")
    @answers(None, 40086)
    def delete(self, request: Request) -> HttpResponse:
        feed_revoke(user=self.user(request))
        return ok()


def _feed_json(feed: CalendarFeed, address: str | None = None) -> FeedObject:
    return {
        "include": feed.include,
        "reminder_minutes": feed.reminder_minutes,
        "created_at": rfc3339(feed.created_at),
        "last_read_at": rfc3339(feed.last_read_at) if feed.last_read_at else None,
        "address": address,
    }

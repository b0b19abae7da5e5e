"""USE CASE of a calendar program: what stands under a secret address now."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import DatabaseError
from django.utils.dateparse import parse_datetime

from schedules.feeds.contents import contents_of
from schedules.feeds.entries import publish
from schedules.models import CalendarFeed, FeedEntry
from schedules.selectors import semester_current
from taskclasses.kernel.auth import LAST_USE_GRAIN
from taskclasses.kernel.canonical_json import canonical_json
from taskclasses.kernel.i18n import text


@dataclass(frozen=True)
class FeedReading:
    """Holds a feed as it is now; `mark` tells one state of it from every other."""

    feed: CalendarFeed
    entries: Sequence[FeedEntry]
    mark: str

    @property
    def changed_at(self) -> datetime:
        return self.feed.changed_at

    def to_ics(self, locale: str) -> bytes:
        """Returns the calendar file, made only for who has not got it yet."""
        # Its library is loaded when the first calendar is asked for, not at every start.
        from schedules.calendars.ics_feed import Told, feed_of

        minutes = self.feed.reminder_minutes
        semester = semester_current(self.feed.user_id)
        told = [
            Told(
                uid=entry.uid,
                sequence=entry.sequence,
                changed_at=entry.changed_at,
                cancelled=entry.cancelled,
                kind=entry.content["kind"],
                begin=_moment(entry.content["begin"]),
                end=_moment(entry.content["end"]),
                name=entry.content["name"],
                location=entry.content["location"],
                description=entry.content["description"],
                mark=entry.content.get("mark", ""),
            )
            for entry in self.entries
        ]
        told.sort(key=lambda entry: (entry.begin, entry.uid))
        reminder = None if minutes is None else timedelta(minutes=minutes)
        name = text("SmartMate 课表", locale)
        return feed_of(told, name=name, calendar=semester.calendar, reminder=reminder, locale=locale)


def digest_of(secret: str) -> str:
    """Returns what is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def feed_find(*, secret: str) -> CalendarFeed | None:
    """Returns the feed under a secret, None when there is none or its account is closed."""
    feeds = CalendarFeed.objects.select_related("user").filter(digest=digest_of(secret), user__is_active=True)
    return feeds.first()


def feed_read(*, feed: CalendarFeed, now: datetime, locale: str) -> FeedReading:
    """Returns the feed with all that changed since it was read last."""
    contents = contents_of(user_id=feed.user_id, include=feed.include, now=now)
    entries = publish(feed, contents, now)
    if feed.last_read_at is None or now - feed.last_read_at > LAST_USE_GRAIN:
        # Worth a row now and then; a database that cannot be written still answers reads.
        with suppress(DatabaseError):
            CalendarFeed.objects.filter(pk=feed.pk).update(last_read_at=now)
    told = [[entry.uid, entry.sequence, entry.cancelled, entry.content] for entry in entries]
    state = canonical_json([locale, feed.reminder_minutes, semester_current(feed.user_id).time_zone, told])
    return FeedReading(feed, entries, hashlib.sha256(state.encode()).hexdigest())


def _moment(words: str) -> datetime:
    found = parse_datetime(words)
    if found is None:
        raise ValueError(words)
    return found

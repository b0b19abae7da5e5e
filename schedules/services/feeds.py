"""USE CASES of a student on the feed: made or made anew, changed, revoked."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Literal

from django.contrib.auth.models import User
from django.utils import timezone

from schedules.feeds.reading import digest_of
from schedules.models import CalendarFeed
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.errors import CodedError

SECRET_BYTES = 32


def feed_rotate(*, user: User, language: str) -> tuple[CalendarFeed, str]:
    """Gives the feed of a student a new secret, makes it when there is none; answers the secret, which is not kept.

    The address from before ends; what was published stays known, so that readers go on where they were. `language` is
    the one in which the student asked.
    """

    def effect() -> tuple[CalendarFeed, str]:
        secret, now = secrets.token_urlsafe(SECRET_BYTES), timezone.now().replace(microsecond=0)
        values = {"digest": digest_of(secret), "created_at": now, "last_read_at": None, "language": language}
        feed, _made = CalendarFeed.objects.select_for_update().update_or_create(
            user=user, defaults=values, create_defaults={**values, "changed_at": now}
        )
        return feed, secret

    return run_transaction(effect)


def feed_change(
    *, user: User, include: Sequence[str] | None = None, reminder_minutes: int | Literal["as it is"] | None = "as it is"
) -> CalendarFeed:
    """Changes what the feed tells, as far as it is named; `reminder_minutes` None ends the reminders. 40086."""

    def effect() -> CalendarFeed:
        feed = feed_get(user=user, lock=True)
        if include is not None:
            feed.include = sorted(set(include))
        if reminder_minutes != "as it is":
            feed.reminder_minutes = reminder_minutes
        feed.changed_at = timezone.now().replace(microsecond=0)
        feed.save(update_fields=["include", "reminder_minutes", "changed_at"])
        return feed

    return run_transaction(effect)


def feed_revoke(*, user: User) -> None:
    """Ends the address and forgets what was published. 40086."""
    run_transaction(lambda: feed_get(user=user, lock=True).delete())


def feed_get(*, user: User, lock: bool = False) -> CalendarFeed:
    """Returns the feed of a student; 40086 when there is none."""
    feeds = CalendarFeed.objects.filter(user=user)
    feed = (feeds.select_for_update() if lock else feeds).first()
    if feed is None:
        raise CodedError(40086)
    return feed

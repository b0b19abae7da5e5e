"""What was published of a feed, kept so that readers can follow: a change raises a sequence, a loss is a cancelling.

What was over long ago when it went, with its term as a rule, took place: it is told no more, and not as cancelled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from schedules.feeds.contents import KEPT, Contents
from schedules.models import CalendarFeed, FeedEntry
from schedules.services.bulk import insert
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.times import rfc3339

CANCELLED_KEPT = timedelta(days=60)
"""How long a cancelling is told; a reader that asks more seldom has lost nothing but a thing that is over."""


@dataclass(frozen=True)
class _Change:
    new: Mapping[str, dict[str, Any]]
    changed: Mapping[int, dict[str, Any]]
    forgotten: frozenset[int]

    def __bool__(self) -> bool:
        return bool(self.new or self.changed or self.forgotten)


def publish(feed: CalendarFeed, contents: Contents, now: datetime) -> list[FeedEntry]:
    """Returns the entries of a feed by UID after what changed since the last reading was noted; writes only when it
    must."""
    entries = list(feed.entries.all())
    if not _compare(entries, contents, now):
        return entries

    def effect() -> list[FeedEntry]:
        # Who reads at the same moment waits, and then finds nothing left to note.
        CalendarFeed.objects.select_for_update().get(pk=feed.pk)
        change = _compare(feed.entries.all(), contents, now)
        if change:
            _write(feed, change, now)
        return list(feed.entries.all())

    return run_transaction(effect)


def _compare(entries: Iterable[FeedEntry], contents: Contents, now: datetime) -> _Change:
    new, changed, forgotten, over = dict(contents), {}, set(), rfc3339(now - KEPT)
    for entry in entries:
        content = new.pop(entry.uid, None)
        cancelled = content is None or not content["live"]
        told = content or {**entry.content, "live": False}
        if content is None and entry.content["end"] < over:
            forgotten.add(entry.pk)
        elif told != entry.content or cancelled != entry.cancelled:
            changed[entry.pk] = {"content": told, "cancelled": cancelled}
        elif content is None and now - entry.changed_at > CANCELLED_KEPT:
            forgotten.add(entry.pk)
    return _Change(new, changed, frozenset(forgotten))


def _write(feed: CalendarFeed, change: _Change, now: datetime) -> None:
    moment = now.replace(microsecond=0)
    insert(
        FeedEntry,
        [
            FeedEntry(feed=feed, uid=uid, content=content, cancelled=not content["live"], changed_at=moment)
            for uid, content in change.new.items()
        ],
    )
    kept = {entry.pk: entry for entry in FeedEntry.objects.filter(pk__in=change.changed)}
    for pk, values in change.changed.items():
        entry = kept[pk]
        entry.content, entry.cancelled = values["content"], values["cancelled"]
        entry.sequence, entry.changed_at = entry.sequence + 1, moment
    FeedEntry.objects.bulk_update(kept.values(), ["content", "cancelled", "sequence", "changed_at"], batch_size=200)
    FeedEntry.objects.filter(pk__in=change.forgotten).delete()
    CalendarFeed.objects.filter(pk=feed.pk).update(changed_at=moment)
    feed.changed_at = moment

"""The state document of a conversation (agent.md 7.2): one canonical JSON value with compare-and-set on its revision.

`document["revision"]` counts saves of the document, whoever writes; the draft inside has a revision of its own. The
owner is part of the key, so a foreign conversation is one that does not exist. Redis holds the working copy for seven
days after the last use; what SQL holds restores it. Synchronous: call it from a thread.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any, cast

import redis
from django.utils import timezone

from agent.models import ConversationState
from agent.store import keys
from taskclasses.kernel.canonical_json import canonical_json
from taskclasses.kernel.times import rfc3339

TTL = timedelta(days=7)

_SAVE = """
if ARGV[5] ~= '' then
  local fence = tonumber(redis.call('HGET', KEYS[2], 'fence') or '-1')
  if tonumber(ARGV[5]) < fence then return -2 end
end
local held = redis.call('HGET', KEYS[1], 'revision')
if held and held ~= ARGV[1] then return -1 end
if ARGV[3] == '' then
  if not held then return -1 end
else
  redis.call('HSET', KEYS[1], 'revision', ARGV[2], 'document', ARGV[3], 'digest', ARGV[6])
end
redis.call('EXPIRE', KEYS[1], ARGV[4])
return 1
"""


class SnapshotConflict(Exception):
    """Tells that somebody else saved first; load again, merge, save again."""


class StaleWriter(Exception):
    """Tells that a newer fencing number exists: this worker lost its run and must stop."""


@dataclass(frozen=True)
class Snapshot:
    """Holds `document` as stored, its `revision`, and when it will expire if nobody uses it again.

    `digest` is that of the document, "" where Redis did not hold one.
    """

    document: dict[str, Any]
    revision: int
    expires_at: datetime
    digest: str = ""

    @property
    def expired(self) -> bool:
        """Tells whether the durable copy outlived the draft: dialogue and scope still hold, the draft does not."""
        return self.expires_at <= timezone.now()


class SnapshotStore:
    """Holds loads and saves state documents. `revision` 0 stands for "there is none yet"."""

    def __init__(self, client: redis.Redis, *, ttl: timedelta = TTL) -> None:
        self._client = client
        self._ttl = ttl
        self._save = client.register_script(_SAVE)

    def load(self, user_id: int, conversation_id: str, *, touch: bool = True) -> Snapshot | None:
        """Loads the newest document, from SQL when Redis lost it; None when there is none or it is another user's.

        `touch=False` leaves the time of expiry as it is.
        """
        key = keys.state(user_id, conversation_id)
        held = self._held(user_id, conversation_id)
        if not held:
            return self._restore(user_id, conversation_id)
        if touch:
            self._client.expire(key, self._ttl)
        at = timezone.now() + self._ttl if touch else self.expires_at(user_id, conversation_id)
        digest, revision = held.get("digest", ""), int(held["revision"])
        return Snapshot(document=json.loads(held["document"]), revision=revision, expires_at=at, digest=digest)

    def expires_at(self, user_id: int, conversation_id: str) -> datetime:
        """Returns when the document leaves Redis if nobody uses it again."""
        left = int(self._client.ttl(keys.state(user_id, conversation_id)))
        return timezone.now() + timedelta(seconds=max(0, left))

    def save(
        self,
        user_id: int,
        conversation_id: str,
        document: Mapping[str, Any],
        *,
        expected: int,
        fence: tuple[str, int] | None = None,
    ) -> int:
        """Stores `document` if the stored revision is `expected`; answers the new revision.

        `fence` = (run id, fencing number) of a run that writes. Raises `SnapshotConflict` or `StaleWriter`.
        """
        stamped = {**document, "revision": expected + 1, "saved_at": rfc3339(timezone.now())}
        if self._put(user_id, conversation_id, canonical_json(stamped, allow_nan=False), expected, expected + 1, fence):
            return expected + 1
        raise SnapshotConflict

    def confirm(
        self, user_id: int, conversation_id: str, *, expected: int, fence: tuple[str, int] | None = None
    ) -> bool:
        """Confirms that `expected` is stored already, as a save of it would, but nothing is sent; False where something
        else is stored.

        Raises `StaleWriter`.
        """
        return self._put(user_id, conversation_id, "", expected, expected, fence)

    def mark(self, user_id: int, conversation_id: str, *, touch: bool = True) -> tuple[str, str] | None:
        """Returns revision and digest of the document, which change whenever it does; None where Redis does not hold
        it, or an older release stored it.

        Both: a release that stores no digest leaves the one before standing.
        """
        key = keys.state(user_id, conversation_id)
        revision, digest = cast(list[str | None], self._client.hmget(key, ["revision", "digest"]))
        if revision is None or digest is None:
            return None
        if touch:
            self._client.expire(key, self._ttl)
        return revision, digest

    def keep(self, user_id: int, conversation_id: str) -> None:
        """Writes the durable SQL copy of what Redis holds; call it inside the transaction that ends a run."""
        held = self._held(user_id, conversation_id)
        if held:
            ConversationState.objects.update_or_create(
                conversation_id=conversation_id,
                defaults={
                    "revision": int(held["revision"]),
                    "document": zlib.compress(held["document"].encode()),
                    "saved_at": timezone.now(),
                    "without_draft": None,
                },
            )

    def forget(self, user_id: int, conversation_id: str) -> None:
        self._client.delete(keys.state(user_id, conversation_id))

    def _held(self, user_id: int, conversation_id: str) -> dict[str, str]:
        return cast(dict[str, str], self._client.hgetall(keys.state(user_id, conversation_id)))

    def _restore(self, user_id: int, conversation_id: str) -> Snapshot | None:
        rows = ConversationState.objects.filter(conversation_id=conversation_id, conversation__user_id=user_id)
        row = rows.first()
        if row is None:
            return None
        text = zlib.decompress(row.document).decode()
        expires_at = row.saved_at + self._ttl
        if expires_at > timezone.now():
            self._put(user_id, conversation_id, text, row.revision, row.revision, None)
        return Snapshot(document=json.loads(text), revision=row.revision, expires_at=expires_at)

    def _put(
        self,
        user_id: int,
        conversation_id: str,
        text: str,
        expected: int,
        revision: int,
        fence: tuple[str, int] | None,
    ) -> bool:
        run_id, number = fence if fence else ("", "")
        names = [keys.state(user_id, conversation_id), keys.meta(run_id)]
        digest = blake2b(text.encode(), digest_size=16).hexdigest()
        values: list[str | int] = [expected, revision, text, int(self._ttl.total_seconds()), number, digest]
        answer = int(self._save(keys=names, args=values))
        if answer == -2:
            raise StaleWriter
        return answer == 1

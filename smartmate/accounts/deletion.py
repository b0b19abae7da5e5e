"""USE CASES on an account: its password confirms, and it goes with everything that belongs to it."""

from __future__ import annotations

from contextlib import suppress

import redis
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from agent.models import Conversation
from agent.runs import conversation_delete
from agent.store import keys
from agent.store.connection import sync_client
from smartmate.accounts.sessions import sessions_end_others
from smartmate.middleware.access import buckets
from smartmate.middleware.login_limit import known_addresses
from smartmate.middleware.rate_limit import RATES
from smartmate.pages.courses.held_file import file_forget
from taskclasses.kernel.auth import account_lock
from taskclasses.kernel.errors import CodedError


def account_confirm(user: User, password: str) -> None:
    """Raises 40088 for a password that is not the account's, 40033 after too many guesses."""
    wait = buckets().take("login", f"deletion:{user.pk}") if settings.RATE_LIMITS else 0
    if wait:
        raise CodedError(40033, {"retry_after": wait})
    if not user.check_password(password):
        raise CodedError(40088)


@transaction.atomic
def account_delete(user: User) -> None:
    """Deletes an account, its timetable, classes, conversations and sessions, drafts and event logs included.

    Raises 40075 while one of its runs is active; then everything stays. Raises 40014 when it is gone already.
    """
    user_id, name = user.pk, user.get_username()
    account_lock(user_id)
    for conversation_id in list(Conversation.objects.filter(user=user).values_list("pk", flat=True)):
        conversation_delete(user_id=user.pk, conversation_id=str(conversation_id))
    # What other browsers are signed in with has no reference to the account that would take it along.
    sessions_end_others(user=user, current="")
    user.delete()
    transaction.on_commit(lambda: _forget(user_id, name))


def _forget(user_id: int, name: str) -> None:
    """Deletes what Redis still knows of the account; a Redis that is away forgets it by itself, for all of it
    expires."""
    file_forget(user_id)
    with suppress(redis.RedisError):
        client = sync_client()
        kept = [f"smartmate:rate:{kind}:user:{user_id}" for kind in RATES]
        for pattern in (keys.everything(user_id), known_addresses(name)):
            kept += client.scan_iter(match=pattern, count=1000)
        client.delete(*kept)

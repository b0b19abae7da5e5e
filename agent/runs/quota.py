"""How many messages of an account the assistant takes on one day, where the installation has a limit."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from agent.models import DailyMessages, Run
from schedules.selectors import semester_current
from taskclasses.kernel.auth import account_lock
from taskclasses.kernel.errors import CodedError


@dataclass(frozen=True)
class Quota:
    """Holds the messages sent today, by the clock of the account's semester, and the limit; None: there is none."""

    used: int
    limit: int | None

    @property
    def left(self) -> int | None:
        return None if self.limit is None else max(0, self.limit - self.used)


def quota_of(*, user_id: int, now: datetime) -> Quota:
    """Returns what is used up today. An answer to a question goes on with the message before it and counts with it.

    Runs go with their conversation, the count of the day does not; where there was no limit runs alone tell.
    """
    today = _local(user_id, now)
    midnight = today.replace(hour=0, minute=0, second=0, microsecond=0)
    sent = Run.objects.filter(conversation__user_id=user_id, created_at__gte=midnight, continues=None).count()
    rows = DailyMessages.objects.filter(user_id=user_id, day=today.date())
    counted = rows.values_list("count", flat=True).first() or 0
    return Quota(max(sent, counted), settings.AGENT_DAILY_MESSAGES or None)


def quota_take(*, user_id: int, now: datetime) -> None:
    """Counts one more message; 40092 when today's are used up. Inside the transaction that writes the message.

    The account is locked, so that two messages at once are not both the last.
    """
    if not settings.AGENT_DAILY_MESSAGES:
        return
    account_lock(user_id)
    quota = quota_of(user_id=user_id, now=now)
    if quota.left == 0:
        raise CodedError(40092, {"used": quota.used, "limit": quota.limit})
    day = _local(user_id, now).date()
    DailyMessages.objects.update_or_create(user_id=user_id, day=day, defaults={"count": quota.used + 1})


def _local(user_id: int, now: datetime) -> datetime:
    return now.astimezone(semester_current(user_id).calendar.zone)

"""Who may execute a run: a claim by conditional UPDATE, with a fencing number that only grows (api.md 5.3)."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import F, Q
from django.utils import timezone

from agent.models import Run


def lease_time() -> timedelta:
    return timedelta(seconds=settings.AGENT_LEASE_S)


def take_queued(run_id: str | UUID, owner: str, *, now: datetime | None = None) -> Run | None:
    """Queued -> running for exactly one caller; answers the run with its fencing number, or None."""
    now = now or timezone.now()
    won = Run.objects.filter(pk=run_id, status=Run.Status.QUEUED).update(
        status=Run.Status.RUNNING,
        started_at=now,
        lease_owner=owner,
        lease_until=now + lease_time(),
        fence=F("fence") + 1,
    )
    return _with_conversation(run_id) if won else None


def renew(run: Run, *, next_idx: int, now: datetime | None = None) -> bool:
    """Extends the lease; False when the run is no longer this worker's."""
    now = now or timezone.now()
    return bool(held_by(run).update(lease_until=now + lease_time(), next_idx=next_idx))


def held_by(run: Run):  # type: ignore[no-untyped-def]
    """The run's row as long as `run` carries the newest fencing number: the condition of every write."""
    return Run.objects.filter(pk=run.pk, fence=run.fence, status=Run.Status.RUNNING)


def take_dead(run_id: str | UUID, owner: str, *, now: datetime | None = None) -> Run | None:
    """Takes over a running run whose lease ran out, in order to close it; None when another caller did."""
    now = now or timezone.now()
    dead = Q(lease_until__lt=now) | Q(lease_until=None)
    won = Run.objects.filter(dead, pk=run_id, status=Run.Status.RUNNING).update(
        lease_owner=owner, lease_until=now + lease_time(), fence=F("fence") + 1
    )
    return _with_conversation(run_id) if won else None


def _with_conversation(run_id: str | UUID) -> Run:
    return Run.objects.select_related("conversation", "continues").get(pk=run_id)


def release(run: Run) -> None:
    """Ends the lease at once; the sweep closes the run."""
    held_by(run).update(lease_until=timezone.now() - timedelta(seconds=1))

"""Who may execute a run: a claim by conditional UPDATE, with a fencing number that only grows (wire.md 5.3).

A lease is written and judged by the clock of the database, so that processes whose own clocks differ agree on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import F, Q, QuerySet
from django.db.models.expressions import CombinedExpression

from agent.models import Run
from taskclasses.kernel.database.clock import DatabaseNow

QUEUE_WAIT = timedelta(seconds=120)
"""How long a run waits for somebody to take it."""


def queue_end() -> CombinedExpression:
    """Returns the end of the wait of a run that begins to wait now."""
    return DatabaseNow() + QUEUE_WAIT


@dataclass(frozen=True)
class Taken:
    """Holds a run with its fencing number; `taken_up` when another worker has begun it and handed it over."""

    run: Run
    taken_up: bool


def take(run_id: str | UUID, owner: str) -> Taken | None:
    """Takes a queued run, or one that was handed over, for exactly one caller."""
    run = take_queued(run_id, owner)
    if run is not None:
        return Taken(run, taken_up=False)
    won = handed_over().filter(pk=run_id).update(lease_owner=owner, lease_until=_lease_end(), fence=F("fence") + 1)
    return Taken(_with_conversation(run_id), taken_up=True) if won else None


def handed_over() -> QuerySet[Run]:
    """Returns running runs that nobody holds; `lease_until` is the end of their wait."""
    return Run.objects.filter(status=Run.Status.RUNNING, lease_owner="")


def take_queued(run_id: str | UUID, owner: str) -> Run | None:
    """Moves a run from queued to running for exactly one caller; answers the run with its fencing number, or None."""
    won = Run.objects.filter(pk=run_id, status=Run.Status.QUEUED).update(
        status=Run.Status.RUNNING,
        started_at=DatabaseNow(),
        lease_owner=owner,
        lease_until=_lease_end(),
        fence=F("fence") + 1,
    )
    return _with_conversation(run_id) if won else None


def renew(run: Run, *, next_idx: int) -> bool:
    """Extends the lease; False when the run is no longer this worker's."""
    return bool(held_by(run).update(lease_until=_lease_end(), next_idx=next_idx))


def held_by(run: Run) -> QuerySet[Run]:
    """Returns the run's row as long as `run` carries the newest fencing number: the condition of every write."""
    return Run.objects.filter(pk=run.pk, fence=run.fence, status=Run.Status.RUNNING)


def take_dead(run_id: str | UUID, owner: str) -> Run | None:
    """Takes over a running run whose lease ran out, in order to close it; None when another caller did."""
    dead = Q(lease_until__lt=DatabaseNow()) | Q(lease_until=None)
    won = Run.objects.filter(dead, pk=run_id, status=Run.Status.RUNNING).update(
        lease_owner=owner, lease_until=_lease_end(), fence=F("fence") + 1
    )
    return _with_conversation(run_id) if won else None


AHEAD = timedelta(seconds=5)
"""How much longer than its length a lease may last before it was written by a clock that has gone back since."""


def shorten_ahead() -> int:
    """Ends leases and waits that would last longer than they may, as after a clock was set back, where they end when
    begun now: who lives renews its lease, who died is not held alive. Returns how many there were."""
    running, queued = Q(status=Run.Status.RUNNING), Q(status=Run.Status.QUEUED)
    lasting = timedelta(seconds=settings.AGENT_LEASE_S)
    shortened = 0
    for rows, longest, ends in (
        (Run.objects.filter(running).exclude(lease_owner=""), lasting, _lease_end()),
        (Run.objects.filter(queued | running & Q(lease_owner="")), QUEUE_WAIT, queue_end()),
    ):
        ahead = rows.filter(lease_until__gt=DatabaseNow() + longest + AHEAD)
        if ahead.exists():  # a statement that writes nothing would wait for the writers of SQLite all the same
            shortened += ahead.update(lease_until=ends)
    return shortened


def hand_over(run: Run, *, next_idx: int, used: Mapping[str, object]) -> bool:
    """Gives the run to whoever takes it next, with what it has `used` so far; False when it was no longer ours."""
    rest = {"lease_owner": "", "lease_until": queue_end(), "next_idx": next_idx, "fence": F("fence") + 1}
    return bool(held_by(run).update(**rest, **used))


def release(run: Run) -> None:
    """Ends the lease at once; the sweep closes the run."""
    held_by(run).update(lease_until=DatabaseNow() - timedelta(seconds=1))


def _lease_end() -> CombinedExpression:
    return DatabaseNow() + timedelta(seconds=settings.AGENT_LEASE_S)


def _with_conversation(run_id: str | UUID) -> Run:
    return Run.objects.select_related("conversation", "continues").get(pk=run_id)

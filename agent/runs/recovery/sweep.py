"""The sweep (wire.md 5.8): queued rows nobody was told of, leases that ran out, endings cut short, questions too old.

Safe to run in any number of processes at once: every step is a conditional UPDATE with one winner. A row that a step
fails at holds up no other: it is marked for the admin, counted and tried again by the next sweep.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q

from agent.loop.output.endings import run_failed
from agent.models import PendingInteraction, Run, RunJournal
from agent.runs.ending.seal import Ending, commit_ending, fold_closing, seal, stamped_from
from agent.runs.questions import answer_question
from agent.runs.recording.journal import retention
from agent.runs.recovery.dead_run import close_dead_run
from agent.runs.start import append_opening
from agent.runs.timeline.fold import Folder
from agent.runs.wake import wake
from agent.store import lease
from agent.store.threads import in_thread
from taskclasses.kernel.database.clock import database_now
from taskclasses.kernel.telemetry.metrics import SWEEP_FAILURES

logger = logging.getLogger("agent.runs")
WAKE_AFTER = timedelta(seconds=3)
SEAL_AFTER = timedelta(seconds=5)
FROZEN_S = 1.0
"""A database that takes longer than this to tell the time was away."""
Rows = list[tuple[Any, Any]]


@dataclass
class Swept:
    """Tells what one sweep did, as ids of runs (`expired`: of questions); `failed` are the runs it could do nothing
    for."""

    interrupted: list[str] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    abandoned: list[str] = field(default_factory=list)
    sealed: list[str] = field(default_factory=list)
    woken: list[str] = field(default_factory=list)
    expired: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        return not (self.interrupted or self.cancelled or self.abandoned or self.sealed or self.expired)


class ClockWatch:
    """Notices when the clock that leases are measured by runs ahead of the time that passes, as after a machine slept:
    all leases have run out at once then, and their holders need one more to renew them."""

    def __init__(self) -> None:
        self._ahead: float | None = None
        self._until = 0.0

    def jumped(self, now: datetime) -> bool:
        passed = time.monotonic()
        before, self._ahead = self._ahead, now.timestamp() - passed
        if before is not None and self._ahead - before > settings.AGENT_LEASE_S / 2:
            self._until = passed + settings.AGENT_LEASE_S
        return passed < self._until


_clock = ClockWatch()


async def run_recover(*, owner: str, now: datetime | None = None) -> Swept:
    """Sweeps once. `owner` names the sweeper in the leases it takes over; `now` is the time of the database."""
    asked, given = time.monotonic(), now
    now = given or await in_thread(database_now)()
    frozen = time.monotonic() - asked > FROZEN_S or (given is None and _clock.jumped(now))
    swept = Swept()
    await in_thread(lease.shorten_ahead)()
    for name, (find, handle) in STEPS.items():
        if frozen and name == "close_dead":
            continue  # who holds a run could not renew its lease either: the holders come first
        for row_id, run_id in await in_thread(find)(now):
            try:
                done = await handle(row_id, owner)
                await in_thread(_unmark)(run_id)
            except Exception as error:
                await in_thread(_mark)(name, run_id, error)
                done = "failed"
            if done:
                getattr(swept, done).append(str(row_id))
    await in_thread(_delete_journals)(now)
    return swept


def _mark(step: str, run_id: Any, error: Exception) -> None:
    """Shows in the admin what the sweep fails at; logs it once, for every sweep meets it again."""
    SWEEP_FAILURES.labels(step).inc()
    words = f"{step}: {type(error).__name__}"
    if Run.objects.filter(pk=run_id).exclude(sweep_failure=words).update(sweep_failure=words):
        logger.error("the sweep can do nothing for run %s (%s)", run_id, words, exc_info=error)


def _unmark(run_id: Any) -> None:
    Run.objects.filter(pk=run_id).exclude(sweep_failure="").update(sweep_failure="")


# --- what each step looks for: rows by their ids alone, for their contents may be what cannot be read ----


def _runs(**conditions: Any) -> Rows:
    return list(Run.objects.filter(**conditions).values_list("pk", "pk"))


def _dead(now: datetime) -> Rows:
    return _runs(status=Run.Status.RUNNING, lease_until__lt=now)


def _too_long_queued(now: datetime) -> Rows:
    return _runs(status=Run.Status.QUEUED, lease_until__lt=now)


def _find_unsealed(now: datetime) -> Rows:
    """Finds what ended a while ago, or in a future that a clock set back has made of it."""
    ended = Q(finished_at__lt=now - SEAL_AFTER) | Q(finished_at__gt=now + SEAL_AFTER)
    return list(Run.objects.filter(ended, closed_at=None).values_list("pk", "pk"))


def _forgotten(now: datetime) -> Rows:
    waiting = list(lease.handed_over().values_list("pk", "pk"))
    return waiting + _runs(status=Run.Status.QUEUED, lease_until__lt=now + lease.QUEUE_WAIT - WAKE_AFTER)


def _too_old_questions(now: datetime) -> Rows:
    late = PendingInteraction.objects.filter(status=PendingInteraction.Status.OPEN, expires_at__lte=now)
    return list(late.values_list("pk", "run_id"))


# --- what it does with each: the list of `Swept` that the row belongs to, "" when another sweep did it ----


async def _close_dead(run_id: Any, owner: str) -> str:
    run = await in_thread(lease.take_dead)(run_id, owner)
    return await close_dead_run(run) if run is not None else ""


async def _abandon(run_id: Any, owner: str) -> str:
    """Ends a run that nobody took in time: 50009."""
    run = await in_thread(_load_run)(run_id)
    first = await append_opening(run)
    closing = stamped_from(run, [run_failed("chat", "no_worker", run.locale)], len(first))
    ending = Ending(closing, fold_closing(Folder(), closing))
    if not await in_thread(commit_ending)(run, ending, only_if=Run.Status.QUEUED):
        return ""
    await seal(run, first)
    return "abandoned"


async def _seal(run_id: Any, owner: str) -> str:
    await seal(await in_thread(_load_run)(run_id))
    return "sealed"


async def _wake(run_id: Any, owner: str) -> str:
    await wake(str(run_id))
    return "woken"


async def _expire(row_id: Any, owner: str) -> str:
    return "expired" if await in_thread(_expire_question)(row_id) else ""


def _expire_question(row_id: Any) -> bool:
    row = PendingInteraction.objects.get(pk=row_id)
    won = answer_question(row, None, {}, status=PendingInteraction.Status.EXPIRED)
    if won:
        Run.objects.filter(pk=row.run_id, outcome="paused").update(status=Run.Status.CANCELLED)
    return won


def _load_run(run_id: Any) -> Run:
    return Run.objects.select_related("conversation").get(pk=run_id)


def _delete_journals(now: datetime) -> None:
    RunJournal.objects.filter(created_at__lt=now - retention()).delete()


STEPS: dict[str, tuple[Callable[[datetime], Rows], Callable[[Any, str], Awaitable[str]]]] = {
    "close_dead": (_dead, _close_dead),
    "abandon": (_too_long_queued, _abandon),
    "seal": (_find_unsealed, _seal),
    "wake": (_forgotten, _wake),
    "expire": (_too_old_questions, _expire),
}

"""One worker holds a run; a later one shuts it out."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from agent.models import Conversation, Run
from agent.store import archive, lease

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(user: Any) -> Run:
    return Run.objects.create(conversation=Conversation.objects.create(user=user), number=1)


def test_one_worker_takes_a_queued_run(run: Run) -> None:
    held = lease.take_queued(run.pk, "a")
    assert held is not None
    assert (held.status, held.fence, held.lease_owner) == ("running", 1, "a")
    assert lease.take_queued(run.pk, "b") is None


def test_a_live_lease_is_not_taken_over(run: Run) -> None:
    lease.take_queued(run.pk, "a")
    assert lease.take_dead(run.pk, "b") is None


def test_a_taken_over_worker_cannot_renew(run: Run) -> None:
    held = lease.take_queued(run.pk, "a")
    assert held is not None
    assert lease.renew(held, next_idx=7)
    Run.objects.update(lease_until=F("lease_until") - timedelta(seconds=21))
    assert lease.take_dead(run.pk, "b") is not None
    assert lease.take_dead(run.pk, "c") is None
    assert not lease.renew(held, next_idx=9)
    run.refresh_from_db()
    assert (run.next_idx, run.fence) == (7, 2)


def test_the_process_clock_has_no_part_in_a_lease(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process whose clock is wrong takes nothing that is held, and holds what it takes."""
    for wrong in (timedelta(seconds=-90), timedelta(seconds=90)):
        Run.objects.update(status=Run.Status.QUEUED)
        at = timezone.now() + wrong
        with monkeypatch.context() as patched:
            patched.setattr(timezone, "now", lambda at=at: at)
            held = lease.take_queued(run.pk, "a")
            assert held is not None
            assert lease.renew(held, next_idx=1)
            assert lease.take_dead(run.pk, "b") is None
        assert lease.take_dead(run.pk, "c") is None


def test_a_released_lease_is_dead_at_once(run: Run) -> None:
    held = lease.take_queued(run.pk, "a")
    assert held is not None
    lease.release(held)
    assert lease.take_dead(run.pk, "b") is not None


def test_an_archive_is_written_once(run: Run, pieces: Any) -> None:
    archive.put(run.pk, pieces(3))
    archive.put(run.pk, pieces(1))
    assert archive.get(run.pk) == pieces(3)


def test_an_archive_reads_back_every_character_that_ends_a_line_for_some_readers(run: Run, pieces: Any) -> None:
    marks = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
    events = [replace(piece, event=piece.event.model_copy(update={"content": marks})) for piece in pieces(2)]
    archive.put(run.pk, events)
    assert archive.get(run.pk) == events

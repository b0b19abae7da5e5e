"""An answer arrives while the run that asked is being closed: both are written, whoever the database lets wait."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connection

from agent.models import Run, RunArchive
from agent.runs.ending.seal import seal
from taskclasses.kernel.database.transactions import run_transaction
from tests.kits.agent.runs import pause

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_run_is_closed_while_another_goes_on_from_it(ask: Callable[..., Any]) -> None:
    run = ask("你好").run
    pause(run)
    holds, attempts = Event(), []

    def answer() -> None:
        def effect() -> None:
            attempts.append(1)
            # A row that names the run locks it, and so does the end of the run; neither can then change it.
            Run.objects.create(conversation_id=run.conversation_id, continues=run, number=run.number + 1)
            if len(attempts) == 1:
                holds.set()
                Event().wait(0.5)
            Run.objects.filter(pk=run.pk, status="waiting").update(status="succeeded")

        run_transaction(effect)

    def close() -> None:
        holds.wait()
        async_to_sync(seal)(Run.objects.get(pk=run.pk), [])

    def alone(work: Callable[[], None]) -> None:
        try:
            work()
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        for done in [threads.submit(alone, work) for work in (answer, close)]:
            done.result()
    run.refresh_from_db()
    assert (run.status, run.closed_at is not None) == ("succeeded", True)
    assert RunArchive.objects.filter(run=run).exists()
    assert Run.objects.filter(continues=run).count() == 1

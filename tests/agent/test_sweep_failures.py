"""A row that the sweep cannot read holds up no other: it is marked, counted, and taken care of once it can be read."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from agent.loop.events import TextStarted
from agent.models import Conversation, Run
from agent.runs import run_recover
from agent.store.connection import async_client
from agent.store.keys import events as log_key
from agent.store.threads import in_thread
from taskclasses.kernel.telemetry.metrics import SWEEP_FAILURES
from tests.kits.agent.runs import die, queued, working

pytestmark = pytest.mark.django_db(transaction=True)
UNKNOWN = {"type": "from.a.newer.release", "idx": 1}


async def ended_with(user: Any, closing: Any) -> Run:
    """An ended run that still has to be closed with `closing`."""
    run = await queued(user, "一")
    ended = {"status": "succeeded", "active_for": None, "closed_at": None, "closing": closing}
    await in_thread(Run.objects.filter(pk=run.pk).update)(**ended, finished_at=timezone.now() - timedelta(minutes=1))
    return run


async def forgotten(user: Any) -> Run:
    run = await queued(user, "二")
    ago = timedelta(seconds=10)
    earlier = {"created_at": F("created_at") - ago, "lease_until": F("lease_until") - ago}
    await in_thread(Run.objects.filter(pk=run.pk).update)(**earlier)
    return run


def failures(step: str) -> float:
    return float(SWEEP_FAILURES.labels(step)._value.get())


async def test_an_ending_nobody_can_read_holds_up_nothing(user: Any, caplog: pytest.LogCaptureFixture) -> None:
    bad, waiting, before = await ended_with(user, [UNKNOWN]), await forgotten(user), failures("seal")
    for _ in range(2):
        swept = await run_recover(owner="sweeper")
        assert (swept.failed, swept.woken) == ([str(bad.pk)], [str(waiting.pk)])
    assert failures("seal") == before + 2
    row = await in_thread(Run.objects.get)(pk=bad.pk)
    assert row.sweep_failure.startswith("seal: ")
    assert [str(bad.pk) in line for line in caplog.messages if "the sweep can do nothing" in line] == [True]


async def test_a_log_nobody_can_read_holds_up_nothing(user: Any) -> None:
    session = await working(user, TextStarted(stage="chat", block_id="chat.speak.1"))
    await async_client().xadd(log_key(str(session.run.pk)), {"e": "{}"}, id="0-99")
    await die(session)
    waiting = await forgotten(user)
    swept = await run_recover(owner="sweeper")
    assert (swept.failed, swept.woken) == ([str(session.run.pk)], [str(waiting.pk)])
    assert (await in_thread(Run.objects.get)(pk=session.run.pk)).status == "running"


async def test_what_can_be_read_again_is_taken_care_of(user: Any) -> None:
    bad = await ended_with(user, [UNKNOWN])
    await run_recover(owner="sweeper")
    await in_thread(Run.objects.filter(pk=bad.pk).update)(closing=[])
    assert (await run_recover(owner="sweeper")).sealed == [str(bad.pk)]
    assert (await in_thread(Run.objects.get)(pk=bad.pk)).sweep_failure == ""


def test_the_admin_shows_what_the_sweep_fails_at(user: Any, admin_client: Any) -> None:
    conversation = Conversation.objects.create(user=user)
    Run.objects.create(conversation=conversation, number=1, sweep_failure="seal: ValidationError")
    sound = Run.objects.create(conversation=conversation, number=2)
    shown = admin_client.get("/admin/agent/run/", {"sweep_failure__isempty": "0"}).content.decode()
    assert "seal: ValidationError" in shown
    assert str(sound.pk) not in shown

"""The archive of a run whose log Redis lost says where it begins, and whoever reads it is told."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from agent.models import Run, RunArchive
from agent.runs import run_follow, run_follow_batches, run_recover
from agent.store.archive import archives
from agent.store.connection import async_client
from agent.store.event_log import EventLog
from agent.store.threads import in_thread
from tests.kits.agent.runs import HALF, die, working

pytestmark = pytest.mark.django_db(transaction=True)


async def ended(user: Any, *, lost: bool) -> Run:
    """A run that was closed by the sweep; with `lost`, after Redis had forgotten its log."""
    session = await working(user, *HALF)
    if lost:
        await EventLog(async_client()).forget(str(session.run.pk))
    await die(session)
    await run_recover(owner="sweeper")
    return await in_thread(Run.objects.select_related("conversation", "archive").get)(pk=session.run.pk)


async def test_an_archive_says_where_it_begins(user: Any) -> None:
    whole, cut = await ended(user, lost=False), await ended(user, lost=True)
    assert whole.archive.first_idx == 0
    events = [event async for event in run_follow(cut)]
    assert events[0].event.type == "stream.reset"
    assert (events[0].event.folded_from, events[0].event.folded_to + 1) == (0, cut.archive.first_idx)
    assert cut.archive.first_idx > 0


async def test_an_archive_that_is_older_than_the_field_is_read(user: Any) -> None:
    run = await ended(user, lost=True)
    told = [event async for event in run_follow(run)]
    await in_thread(RunArchive.objects.update)(first_idx=None)
    archives._held.clear()
    await EventLog(async_client()).forget(str(run.pk))
    assert [(event.idx, event.event.type) for event in told] == [
        (event.idx, event.event.type) async for event in run_follow(run)
    ]


async def test_the_replay_command_says_what_was_lost(user: Any, capsys: pytest.CaptureFixture[str]) -> None:
    run = await ended(user, lost=True)
    await asyncio.to_thread(call_command, "replay_conversation", str(run.conversation_id))
    said = f"run {run.number}: the events before {run.archive.first_idx} were lost, {run.archive.count} are archived"
    assert said in capsys.readouterr().out


async def test_the_admin_shows_where_an_archive_begins(user: Any, django_user_model: Any) -> None:
    run = await ended(user, lost=True)
    staff = await in_thread(django_user_model.objects.create_superuser)("root", password="x")
    client = Client()
    await in_thread(client.force_login)(staff)
    shown = f"{run.archive.count} ({run.archive.first_idx}…)"
    for page in ("/admin/agent/run/", f"/admin/agent/run/{run.pk}/change/"):
        assert shown in (await in_thread(client.get)(page)).content.decode(), page


async def test_twenty_readers_load_an_archive_once(user: Any) -> None:
    run = await ended(user, lost=False)
    archives._held.clear()
    firsts = await asyncio.gather(*(anext(run_follow_batches(run)) for _ in range(20)))
    assert len({id(batch[0]) for batch in firsts}) == 1

"""`manage.py prune`: what is old goes in small batches, what is young or asked for stays."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.utils import timezone

from agent.loop.state.agent_state import AgentState
from agent.models import ConversationState, DailyMessages, Run, RunArchive, RunJournal
from agent.runs import Ask, run_follow, run_recover
from agent.runs.start import run_create
from agent.selectors import ConversationLook
from agent.store import keys
from agent.store.archive import archives
from agent.store.connection import async_client, sync_client
from agent.store.event_log import EventLog
from agent.store.snapshots import SnapshotStore
from agent.store.threads import in_thread
from smartmate.models import AccessToken, IdempotencyClaim
from taskclasses.models import TaskClassWrite
from tests.kits.agent.draft_world import make_world
from tests.kits.agent.runs import HALF, die, working

pytestmark = pytest.mark.django_db(transaction=True)
NOW = timezone.now()


def aged(rows: Any, days: float, field: str = "created_at") -> None:
    rows.update(**{field: timezone.now() - timedelta(days=days)})


def claims(user: Any, count: int, *, days: float) -> None:
    made = [
        IdempotencyClaim(
            scope=f"{days}-{number}", user=user, method="POST", route="/r", key="k", body_hash="b", lease_until=NOW,
            created_at=timezone.now() - timedelta(days=days),
        )
        for number in range(count)
    ]  # fmt: skip
    IdempotencyClaim.objects.bulk_create(made)


@pytest.fixture
def pruned(capsys: pytest.CaptureFixture[str]) -> Callable[..., dict[str, str]]:
    """Runs the command; answers its last line about each kind."""

    def run(*arguments: str) -> dict[str, str]:
        call_command("prune", *arguments)
        return dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())

    return run


def test_old_claims_go_batch_by_batch(user: Any, pruned: Any) -> None:
    claims(user, 25, days=2)
    claims(user, 3, days=0.5)
    assert pruned("--dry-run")["idempotency claims"] == "25 due"
    assert IdempotencyClaim.objects.count() == 28
    assert pruned("--batch", "10")["idempotency claims"] == "25"
    assert IdempotencyClaim.objects.count() == 3
    assert pruned("--dry-run")["idempotency claims"] == "0 due"


def test_progress_is_told(user: Any, capsys: pytest.CaptureFixture[str]) -> None:
    claims(user, 45, days=2)
    call_command("prune", "--batch", "1", "--only", "idempotency claims")
    said = capsys.readouterr()
    assert said.err.splitlines() == ["idempotency claims: 20 so far", "idempotency claims: 40 so far"]
    assert said.out == "idempotency claims: 45\n"


def test_unknown_kinds_and_empty_batches_are_refused(user: Any) -> None:
    for arguments in (("--only", "conversations"), ("--batch", "0")):
        with pytest.raises(CommandError):
            call_command("prune", *arguments)


def test_what_is_over_of_accounts_goes(user: Any, pruned: Any) -> None:
    for number, days in enumerate((40, 1)):
        TaskClassWrite.objects.create(user=user, key=str(number), answer={})
        aged(TaskClassWrite.objects.filter(key=str(number)), days)
        expires = timezone.now() + timedelta(days=5 - days)
        AccessToken.objects.create(digest=str(number), user=user, password_mark="", expiry=expires)
        Session.objects.create(session_key=str(number), session_data="", expire_date=expires)
        UserSession.objects.create(user=user, session_key=str(number), ip="127.0.0.1", user_agent="")
    aged(UserSession.objects.all(), 40, "last_seen_at")
    told = pruned()
    assert (told["class writes"], told["access tokens"], told["sessions"], told["devices"]) == ("1",) * 4
    for rows, key in ((TaskClassWrite, "key"), (AccessToken, "digest"), (Session, "session_key")):
        assert list(rows.objects.values_list(key, flat=True)) == ["1"]
    assert list(UserSession.objects.values_list("session_key", flat=True)) == ["1"]


def test_counts_of_messages_go_when_their_day_is_over_everywhere(user: Any, pruned: Any) -> None:
    today = timezone.now().date()
    for days in range(5):
        DailyMessages.objects.create(user=user, day=today - timedelta(days=days), count=1)
    assert pruned()["message counts"] == "2"
    assert min(DailyMessages.objects.values_list("day", flat=True)) == today - timedelta(days=2)


async def ended(user: Any) -> Run:
    session = await working(user, *HALF)
    await die(session)
    await run_recover(owner="sweeper")
    return await in_thread(Run.objects.select_related("conversation", "archive").get)(pk=session.run.pk)


async def test_readers_of_a_cut_run_get_its_timeline_and_its_end(user: Any, pruned: Any, settings: Any) -> None:
    run, young = await ended(user), await ended(user)
    told = [event async for event in run_follow(run)]
    await in_thread(aged)(Run.objects.filter(pk=run.pk), settings.AGENT_ARCHIVE_DAYS + 1, "closed_at")
    assert (await in_thread(pruned)())["events of runs"] == "1"
    assert (await in_thread(pruned)())["events of runs"] == "0"
    await EventLog(async_client()).forget(str(run.pk))
    archives._held.clear()
    reset, end = [event async for event in run_follow(run)]
    assert end == told[-1]
    assert reset.event.type == "stream.reset"
    assert [item["content"] for item in reset.event.items][1] == "半句"
    row = await in_thread(RunArchive.objects.get)(pk=run.pk)
    assert (row.count, row.first_idx) == (1, told[-1].idx)
    assert (await in_thread(RunArchive.objects.get)(pk=young.pk)).count == young.archive.count > 1


async def test_an_archive_is_never_cut_while_redis_may_hold_the_log(user: Any, pruned: Any, settings: Any) -> None:
    settings.AGENT_ARCHIVE_DAYS = 0
    run = await ended(user)
    await in_thread(aged)(Run.objects.filter(pk=run.pk), 1.5, "closed_at")
    assert (await in_thread(pruned)())["events of runs"] == "0"


def test_old_journals_go(user: Any, pruned: Any, settings: Any) -> None:
    run = run_create(user.pk, Ask(message="你好")).run
    RunJournal.objects.create(run=run, document=b"")
    aged(RunJournal.objects.all(), settings.AGENT_JOURNAL_DAYS + 1)
    assert pruned()["journals"] == "1"


def test_a_draft_whose_time_is_over_goes_and_the_conversation_stays(user: Any, semester: Any, pruned: Any) -> None:
    conversation = make_world(user, semester).conversation
    SnapshotStore(sync_client()).keep(user.pk, str(conversation.pk))
    store = SnapshotStore(sync_client())
    rows = ConversationState.objects.filter(pk=conversation.pk)
    aged(rows, 7.5, "saved_at")
    assert pruned("--dry-run")["drafts"] == "0 due"
    aged(rows, 9, "saved_at")
    sync_client().delete(keys.state(user.pk, str(conversation.pk)))
    before, size = ConversationLook(user.pk, str(conversation.pk)).describe(), len(rows.get().document)
    assert pruned()["drafts"] == "1"
    assert pruned()["drafts"] == "0"
    assert len(rows.get().document) < size
    assert ConversationLook(user.pk, str(conversation.pk)).describe() == before
    held = store.load(user.pk, str(conversation.pk))
    assert held is not None
    assert AgentState.from_document(held.document).schedule is None
    assert "draft" not in zlib.decompress(rows.get().document).decode()

"""A worker that dies at any event leaves a run that `resume` brings to the same draft (wire.md 5.8, 10)."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import async_to_sync

from agent.loop.events import Event
from agent.models import PendingInteraction, Run, TimelineItem
from agent.runs import Ask, InteractionAnswer, run_execute, run_follow, run_recover, run_start
from agent.runs.execution.session import RunSession
from agent.store import lease
from agent.store.threads import in_thread
from tests.kits.agent.plans import MESSAGE, draft_of, numbered, run_to_end

pytestmark = pytest.mark.django_db(transaction=True)


class Killed(BaseException):
    """The process is gone: nothing below may catch it."""


async def killed_at(user: Any, place: int, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run whose worker died just before event number `place` of the loop."""
    count = 0
    emit = RunSession.emit

    async def dying(session: RunSession, event: Event) -> None:
        nonlocal count
        count += 1
        if count == place:
            raise Killed
        await emit(session, event)

    with monkeypatch.context() as patched:
        patched.setattr(RunSession, "emit", dying)
        run = (await run_start(user_id=user.pk, ask=Ask(message=MESSAGE))).run
        with pytest.raises(Killed):
            await run_execute(run.pk, owner="doomed")
    held = await in_thread(Run.objects.select_related("conversation").get)(pk=run.pk)
    await in_thread(lease.release)(held)
    return held


async def unbroken(user: Any) -> tuple[Any, int]:
    run = await run_to_end(user, Ask(message=MESSAGE))
    assert run.outcome == "completed"
    events = [stamped async for stamped in run_follow(run)]
    return await in_thread(draft_of)(run.conversation), len(events) - 2


async def resumed(user: Any, lost: Run) -> Any:
    """Sweep, answer the offer, run on; the draft in the end."""
    swept = await run_recover(owner="sweeper")
    assert swept.interrupted == [str(lost.pk)]
    row = await in_thread(PendingInteraction.objects.get)(open_for=lost.conversation_id)
    answer = InteractionAnswer(str(row.pk), "resume", "connection_recover")
    run = await run_to_end(user, Ask(conversation_id=str(lost.conversation_id), answer=answer))
    assert run.outcome == "completed"
    assert not await numbered(lost) & await numbered(run)
    items = TimelineItem.objects.filter(conversation=lost.conversation_id).order_by("seq")
    seqs = await in_thread(list)(items.values_list("seq", flat=True))
    assert seqs == list(range(1, len(seqs) + 1))
    return await in_thread(draft_of)(lost.conversation)


def test_resume_reaches_the_draft_of_the_unbroken_run(planner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def whole() -> None:
        expected, count = await unbroken(planner)
        for place in range(1, count + 1, 2):
            lost = await killed_at(planner, place, monkeypatch)
            assert await resumed(planner, lost) == expected, f"killed before event {place} of {count}"

    async_to_sync(whole)()

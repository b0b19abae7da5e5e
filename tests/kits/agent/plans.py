"""Runs of the offline policy that plan a class, and what they leave behind."""

from __future__ import annotations

from typing import Any

from agent.loop.state.agent_state import AgentState
from agent.models import Conversation, Run
from agent.runs import Ask, run_execute, run_follow, run_start
from agent.selectors import snapshot_of
from agent.store.threads import in_thread

MESSAGE = "把概率论期中复习排进课表"


def draft_of(conversation: Conversation) -> Any:
    """The places of a conversation's draft."""
    snapshot = snapshot_of(conversation)
    assert snapshot is not None
    schedule = AgentState.from_document(snapshot.document).schedule
    assert schedule is not None
    return [(entry.source_id, entry.slots) for entry in schedule.tasks if entry.is_item]


async def run_to_end(user: Any, ask: Ask) -> Run:
    run = (await run_start(user_id=user.pk, ask=ask)).run
    await run_execute(run.pk, owner="worker")
    return await in_thread(Run.objects.select_related("conversation").get)(pk=run.pk)


async def numbered(run: Run) -> set[str]:
    """The numbered block ids a run has shown; in one goal none is used twice."""
    return {s.event.block_id async for s in run_follow(run) if s.event.block_id.rpartition(".")[2].isdigit()}

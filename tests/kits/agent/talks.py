"""Whole messages to a model at the composition root, with consent to every card."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from asgiref.sync import async_to_sync

from agent.llm.scripted import ScriptedModel
from agent.loop.outside.model import ModelRequest
from agent.models import Run
from agent.runs import Ask, InteractionAnswer, run_execute, run_start
from agent.runs.execution import deps
from tests.kits.agent.stories import Json

PROGRESS: Json = {"domain": "schedule", "packs": ["progress"]}
DONE = {"action": "done", "speak": "好了。", "goal_check": "学生要的都改好了"}
MOST_CARDS, MOST_ENDS = 4, 5


@pytest.fixture
def speaks(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Any], None]]:
    """Puts a model at the composition root."""

    def use(model: Any) -> None:
        monkeypatch.setattr(deps, "model_from_settings", lambda settings, **services: model)
        deps.shared_model.cache_clear()

    yield use
    deps.shared_model.cache_clear()


@async_to_sync
async def talk(user: Any, words: str, scope: list[int], locale: str, conversation_id: str | None = None) -> Run:
    """One message, and consent to every card that follows."""
    first = Ask(message=words, conversation_id=conversation_id, task_class_ids=tuple(scope), locale=locale)
    run = (await run_start(user_id=user.pk, ask=first)).run
    await run_execute(run.pk, owner="worker")
    for _ in range(MOST_CARDS):
        await run.arefresh_from_db()
        if run.status != Run.Status.WAITING:
            return run
        card = await run.interactions.alatest("created_at")
        assert card.type == "confirm", card.question
        answer = InteractionAnswer(str(card.pk), "approve")
        ask = Ask(conversation_id=str(run.conversation_id), answer=answer, locale=locale)
        run = (await run_start(user_id=user.pk, ask=ask)).run
        await run_execute(run.pk, owner="worker")
    raise AssertionError("more cards than expected")


def scripted(*calls: Json, hook: Json = PROGRESS) -> ScriptedModel:
    """A model that makes these calls of the tools that the hook opens; names stand for the numbers that items have in
    its view."""
    opening = {"route": "execute", "speak": "好的。", "context_hook": hook}

    def decision(call: Json) -> Callable[[ModelRequest], Json]:
        def decide(request: ModelRequest) -> Json:
            assert request.view is not None
            assert request.view["draft"] is not None
            states = {row["name"]: row["state_id"] for row in request.view["draft"]["tasks"]}
            arguments = dict(call["arguments"])
            if "task_ids" in arguments:
                arguments["task_ids"] = [states[name] for name in arguments["task_ids"]]
            asked = {"name": call["name"], "arguments": arguments}
            return {"action": "continue", "speak": "我来改。", "reason": "学生要求", "tool_call": asked}

        return decide

    def end(request: ModelRequest) -> Json | str:
        return DONE if request.stage == "execute" else "好了。"

    return ScriptedModel([opening, *(decision(call) for call in calls), *([end] * MOST_ENDS)])

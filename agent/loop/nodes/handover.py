"""A goal given up for what the student said instead: the same run goes on with a new goal. PURE."""

from __future__ import annotations

from agent.loop.deps import Deps
from agent.loop.draft.sync import remember_start
from agent.loop.interactions import NodeName
from agent.loop.model_call.decisions import AbortIntent
from agent.loop.output.blocks import speak
from agent.loop.phrases import language_of_message
from agent.loop.state import AgentState

NEW_REQUEST = "new_request"


def hands_over(state: AgentState, abort: AbortIntent) -> bool:
    """Whether the goal ends because its last answer was no answer. A goal's own request cannot be handed on."""
    turns = state.run.turns
    said = len(turns) > 1 and turns[-1].via in ("reply", "reject") and not turns[-1].question
    return said and abort.code == NEW_REQUEST


async def hand_over(state: AgentState, deps: Deps, abort: AbortIntent) -> NodeName:
    """The student's last words become the request of a new goal, read by Chat like any other.

    Block numbers keep counting: the run shows the blocks of both goals. Consent given beforehand ends with its goal.
    """
    await speak(state, deps, "execute", abort.user_message)
    turn, earlier = state.run.turns[-1], state.run
    state.new_goal()
    run = state.run
    run.run_id = earlier.run_id
    run.counters, run.request, run.thinking = earlier.counters, turn.text, earlier.thinking
    run.turns = [turn.model_copy(update={"via": "message"})]
    state.conversation.locale = language_of_message(turn.text, state.locale)
    remember_start(state, deps)
    return "chat"

"""What a message wants beside its first request: it is a goal of its own, in the same run, when that one is over."""

from __future__ import annotations

from agent.loop.draft.sync import remember_start, tell_log
from agent.loop.errors import RUN_DEADLINE
from agent.loop.output.blocks import next_number
from agent.loop.output.endings import end_status
from agent.loop.outside.deps import Deps
from agent.loop.prompt.summary import remember_lines
from agent.loop.state.agent_state import AgentState
from agent.loop.state.conversation import Turn
from agent.loop.state.run import Outcome
from taskclasses.kernel.i18n import text

ALL_LEFT = "all_left"
"""Abort code: the student wants nothing more of the whole message."""
JOINED_BY = 16
"""Characters that may stand between two requests and belong to neither: ", and then also "."""
MOST_GOALS = 12
"""Goals that one message is divided into; what is left then is read as one. Each of them costs calls of the model."""
DIVIDED = "chat.request"
"""What counts how often the message was divided."""
SHOWN = 60
"""Characters of a rest that are quoted."""


def put_off_rest(state: AgentState, request: str, rest: str) -> bool:
    """Leaves the end of the student's message for a goal of its own; tells whether it is one. Nobody else's words are,
    and none of the student's are lost: what is not its beginning and its end is passed over."""
    run = state.run
    message = run.request
    joint = len(message) - len(request) - len(rest)
    whole = bool(request) and bool(rest) and message.startswith(request) and message.endswith(rest)
    if not whole or not 0 <= joint <= JOINED_BY or len(run.turns) != 1:
        return False
    if run.counters.get(DIVIDED, 0) >= MOST_GOALS - 1:
        return False
    next_number(state, DIVIDED)
    run.request, run.rest = request, "\n".join(filter(None, (rest, run.rest)))
    run.turns = [run.turns[-1].model_copy(update={"text": request})]
    tell_again(state, message, request)
    return True


def tell_again(state: AgentState, message: str, request: str) -> None:
    """Puts the request of a goal in the place of the last message that was typed, of which the rest is told later."""
    dialogue = state.conversation.dialogue
    # The assistant may have said something behind it, and a chosen option is no turn of the dialogue.
    own = [at for at, turn in enumerate(dialogue) if turn.role == "user" and turn.text == message]
    for at in own[-1:]:
        dialogue[at] = dialogue[at].model_copy(update={"text": request})


def goes_on(state: AgentState) -> bool:
    """Tells whether the message wants something beside the request of a goal that has ended. A goal that was stopped
    takes it along."""
    run = state.run
    return bool(run.rest) and run.outcome is not None and not _stops_all(run.outcome) and run.outcome.code != ALL_LEFT


def take_up_rest(state: AgentState, deps: Deps) -> None:
    """Makes what the message wants besides a goal of its own, in the same run."""
    run = state.run
    turn = Turn(role="user", text=run.rest, via="message")
    state.conversation.dialogue.append(turn)
    begin_in_run(state, deps, turn.model_copy())
    # It is the same message: what was agreed to and chosen with it holds.
    state.run.always_execute, state.run.scope_given = run.always_execute, run.scope_given


def _stops_all(outcome: Outcome) -> bool:
    """Tells whether nothing more is done of the message, whatever else it wants: it was stopped, or its time is up."""
    return end_status(outcome) == "cancelled" or outcome.code == RUN_DEADLINE


def tell_dropped_rest(state: AgentState) -> str:
    """Returns what of the message is not begun any more, for the student; "" when there is nothing."""
    run = state.run
    if not run.rest or run.outcome is None or not _stops_all(run.outcome):
        return ""
    rest = " ".join(run.rest.split())
    words = rest if len(rest) <= SHOWN else f"{rest[: SHOWN - 1]}…"
    return text("后面说的「{words}」没有做。", state.locale, words=words)


def begin_in_run(state: AgentState, deps: Deps, turn: Turn) -> None:
    """Begins a goal with what the student said, in the run of the goal before it."""
    remember_lines(state, deps)
    earlier = state.run
    state.new_goal()
    run = state.run
    run.run_id = earlier.run_id
    run.counters, run.request, run.thinking = earlier.counters, turn.text, earlier.thinking
    run.turns = [turn]
    tell_log(state)
    remember_start(state, deps)

"""A decision whose words for the student are plain."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from agent.loop.model_call.decisions import ChatDecision, ExecuteDecision, PlanDecision
from agent.loop.output.plain_words import PlainWords
from agent.loop.outside.deps import Deps
from agent.loop.state.agent_state import AgentState
from agent.loop.state.plan import GoalStep

Decision = TypeVar("Decision", ChatDecision, PlanDecision, ExecuteDecision)


def plain_decision(state: AgentState, deps: Deps, decision: Decision) -> Decision:
    """Returns the decision with its speech, the answers it offers and its steps in plain words. An answer in chat is
    never left without a word."""
    plain = PlainWords(state, deps, days=not isinstance(decision, ChatDecision))
    speak = plain.of(decision.speak).strip()
    if isinstance(decision, ChatDecision):
        return replace(decision, speak=speak or plain.rewrite(decision.speak))
    options = tuple((key, plain.rewrite(label)) for key, label in decision.options)
    if isinstance(decision, PlanDecision):
        return replace(
            decision, speak=speak, options=options, steps=tuple(_plain_step(plain, step) for step in decision.steps)
        )
    return replace(decision, speak=speak, options=options)


def _plain_step(plain: PlainWords, step: GoalStep) -> GoalStep:
    texts = {"content": plain.rewrite(step.content), "done_when": plain.rewrite(step.done_when)}
    return step.model_copy(update=texts)

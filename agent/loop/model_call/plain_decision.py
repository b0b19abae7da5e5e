"""A decision whose words for the student are plain."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from agent.loop.model_call.decisions import ChatDecision, ExecuteDecision, PlanDecision
from agent.loop.model_call.lenient_json import DecisionError
from agent.loop.output.plain_words import PlainWords
from agent.loop.outside.deps import Deps, by_rules
from agent.loop.phrases import OTHER_LANGUAGES, is_foreign, language_of_message, says
from agent.loop.state.agent_state import AgentState
from agent.loop.state.plan import GoalStep
from taskclasses.kernel.i18n import language_of

LANGUAGE = "language"
"""Code of a correction: words in another language than the student's."""
Decision = TypeVar("Decision", ChatDecision, PlanDecision, ExecuteDecision)


def plain_decision(state: AgentState, deps: Deps, decision: Decision) -> Decision:
    """Returns the decision with its speech, the answers it offers and its steps in plain words. An answer in chat is
    never left without a word."""
    plain = PlainWords(state, deps, days=not isinstance(decision, ChatDecision))
    decision = replace(decision, speak=_in_language(state, deps, decision))
    speak = plain.of(decision.speak).strip()
    if isinstance(decision, ChatDecision):
        return replace(decision, speak=speak or plain.rewrite(decision.speak))
    options = tuple((key, plain.rewrite(label)) for key, label in decision.options)
    if isinstance(decision, PlanDecision):
        return replace(
            decision, speak=speak, options=options, steps=tuple(_plain_step(plain, step) for step in decision.steps)
        )
    return replace(decision, speak=speak, options=options)


def _in_language(state: AgentState, deps: Deps, decision: Decision) -> str:
    """Returns the speech of a decision. In another language than the student's what says no more than a card is left
    out; an answer or a question raises `DecisionError` once in a goal."""
    if not speaks_foreign(state, deps, decision.speak):
        return decision.speak
    answers = decision.route == "direct_reply" if isinstance(decision, ChatDecision) else decision.action == "ask_user"
    if not answers:
        return ""
    if LANGUAGE not in state.run.reminders:
        wanted = "English" if language_of(state.locale) == "en" else "中文"
        raise DecisionError(
            "contract", "speak 用了学生不用的语言", expected=f"speak 用{wanted}", code=LANGUAGE, fragment=decision.speak
        )
    return decision.speak


def speaks_foreign(state: AgentState, deps: Deps, words: str) -> bool:
    """Tells whether words are in another language than that in which the student asked; fixed rules have both."""
    asked = state.run.request
    if by_rules(deps) or says(asked, OTHER_LANGUAGES) or language_of_message(asked, "") != language_of(state.locale):
        return False
    names = [entry.name for entry in state.schedule.items()] if state.schedule is not None else []
    return is_foreign(words, state.locale, names)


def _plain_step(plain: PlainWords, step: GoalStep) -> GoalStep:
    texts = {"content": plain.rewrite(step.content), "done_when": plain.rewrite(step.done_when)}
    return step.model_copy(update=texts)

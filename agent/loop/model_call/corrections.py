"""The correction loop: a wrong answer is told to the model once; of its form one line stays for the goal."""

from __future__ import annotations

from agent.loop.interactions import NodeName
from agent.loop.model_call.lenient_json import FRAGMENT, DecisionError
from agent.loop.model_call.streamed_decision import Heard
from agent.loop.output.statuses import announce
from agent.loop.outside.deps import Deps
from agent.loop.prompt.checked_text import has_written
from agent.loop.state.agent_state import AgentState
from agent.loop.state.run import Correction, Outcome
from taskclasses.kernel.i18n import text

EXHAUSTED = "我几次都没能给出可执行的结果，先停在这里。草稿保持原样，可以换个说法再试。"
EXHAUSTED_LATER = "我几次都没能给出可执行的下一步，先停在这里。已经完成的都保留着，剩下的可以换个说法再试。"
FORMAL = frozenset({"parse", "contract", "truncated"})
"""Kinds of correction that are about the form; their line stays in the prompts of the goal."""
REMINDER = 120
REPEATED = "repeated_call"
"""Code of a correction that asks for an end: what is called for again has been done; made again it is one."""


class DecisionRefused(Exception):
    """Tells of a well-formed answer that may not be carried out now: `correction` says why."""

    def __init__(self, correction: Correction) -> None:
        super().__init__(correction.error)
        self.correction = correction


def as_correction(error: DecisionError | DecisionRefused) -> Correction:
    if isinstance(error, DecisionRefused):
        return error.correction
    return Correction(
        kind=error.kind, error=error.error, fragment=error.fragment, expected=error.expected, code=error.code
    )


async def correct(
    state: AgentState, deps: Deps, heard: Heard, error: DecisionError | DecisionRefused, *, stage: NodeName
) -> bool:
    """Withdraws the answer and notes the correction. False when the goal has had enough of them: its outcome is set."""
    await heard.withdraw()
    correction = as_correction(error)
    correction.fragment = correction.fragment[:FRAGMENT]
    run = state.run
    run.corrections[correction.kind] = run.corrections.get(correction.kind, 0) + 1
    run.corrections_total += 1
    limits = deps.limits
    if correction.code == REPEATED and REPEATED in run.reminders and state.plan.last:
        run.outcome = Outcome(status="completed", stage=stage)
        return False
    if (
        run.corrections[correction.kind] > limits.corrections_per_kind
        or run.corrections_total > limits.corrections_in_a_row
    ):
        run.outcome = Outcome(
            status="aborted",
            stage=stage,
            code="correction_exhausted",
            user_message=text(EXHAUSTED_LATER if has_written(state) else EXHAUSTED, state.locale),
            internal_reason=f"{correction.kind}: {correction.error}",
        )
        return False
    run.correction = correction
    if correction.kind in FORMAL or correction.code:
        run.reminders[correction.code or correction.kind] = (correction.expected or correction.error)[:REMINDER]
    deps.tally.corrections += 1
    await announce(state, deps, stage, "rechecking")
    return True

"""Deliver: tells the student how the goal ended; it never fails a run."""

from __future__ import annotations

from typing import ClassVar

from agent.loop.draft.goal_changes import goal_changes, remember_words
from agent.loop.draft.sync import store
from agent.loop.errors import RUN_DEADLINE, LeaseLost, RunFailure
from agent.loop.events import ScheduleCompleted
from agent.loop.interactions import NodeName
from agent.loop.model_call.plain_decision import speaks_foreign
from agent.loop.model_call.spoken_answer import CUT_NOTE, SpokenAnswer, tell
from agent.loop.nodes.base import End, Next
from agent.loop.nodes.rest import tell_dropped_rest
from agent.loop.output.blocks import next_of_run, speak
from agent.loop.output.claims import wishes_applied
from agent.loop.output.statuses import announce
from agent.loop.outside.deps import Deps, by_rules
from agent.loop.outside.model import ModelError
from agent.loop.phrases import join_names
from agent.loop.prompt.checked_text import CheckedText, closing_line
from agent.loop.prompt.summary import remember_lines, summary_text
from agent.loop.state.agent_state import AgentState
from agent.loop.state.run import Outcome
from taskclasses.kernel.i18n import text

GIVEN_UP = "这次没能做完，先停在这里，可以换个说法再试。"


class DeliverNode:
    name: ClassVar[NodeName] = "deliver"

    async def step(self, state: AgentState, deps: Deps) -> Next:
        outcome = state.run.outcome or Outcome(status="completed", stage="execute")
        state.run.outcome = outcome
        await self._tell(state, deps, outcome)
        dropped = tell_dropped_rest(state)
        if dropped:
            await speak(state, deps, "deliver", dropped)
        remember_lines(state, deps)
        state.run.phase = "done"
        state.run.pending = None
        await store(state, deps)
        if _completed_schedule(state, outcome):
            assert state.schedule is not None
            block_id = next_of_run(state, "deliver.schedule")
            await deps.emit(ScheduleCompleted(stage="deliver", block_id=block_id, revision=state.schedule.revision))
        await announce(state, deps, "deliver", "done")
        return End(outcome)

    async def _tell(self, state: AgentState, deps: Deps, outcome: Outcome) -> None:
        if outcome.status == "aborted" and by_rules(deps):
            await speak(state, deps, "deliver", outcome.user_message)
            return
        if outcome.status == "aborted":
            await speak(state, deps, "deliver", given_up(state, deps, outcome.user_message))
            return
        await announce(state, deps, "deliver", "summarizing")
        if outcome.code == RUN_DEADLINE or not await self._model_summary(state, deps):
            summary = summary_text(state, deps)
            await speak(state, deps, "deliver", summary)
            remember_words(state, summary)

    @staticmethod
    async def _model_summary(state: AgentState, deps: Deps) -> bool:
        """Streams the model's summary, each sentence once it was held against the draft; False when it said nothing or
        failed before the end."""
        checked = CheckedText(state, deps)
        try:
            answer = await _tell_twice(state, deps, None if by_rules(deps) else checked)
        except (LeaseLost, RunFailure):
            raise
        except ModelError:
            return False
        block = answer.block
        if answer.cancelled:
            # The work was done: who stops its telling is not left without what it changed.
            await block.close()
            line = closing_line(state, deps, block.text, withheld=checked.withheld)
            if line:
                await speak(state, deps, "deliver", line)
                remember_words(state, line)
            return True
        announces = block.text.rstrip().endswith((":", "：")) and not answer.truncated
        if announces or (goal_changes(state) and speaks_foreign(state, deps, block.text)):
            # What it announced is no text for a student, or the facts alone are told in the student's language.
            await block.close(superseded=True)
            return False
        if answer.truncated and block.open:
            await block.say(text(CUT_NOTE, state.locale))
        if block.open or checked.withheld:
            await block.say(left_out(state, block.text))
            await block.say("" if by_rules(deps) else stopped_early(state, block.text))
            line = "" if by_rules(deps) else closing_line(state, deps, block.text, withheld=checked.withheld)
            await block.say(f"\n{line}" if line and block.text.strip() else line)
        said = bool(block.text.strip())
        await block.close(superseded=not said)
        if said:
            remember_words(state, block.text)
        return said


async def _tell_twice(state: AgentState, deps: Deps, checked: CheckedText | None) -> SpokenAnswer:
    """Lets the model sum up; once more where its stream was cut: who only asked something has no answer elsewhere."""
    try:
        return await tell(state, deps, "deliver", events="deliver", checked=checked)
    except ModelError as error:
        if error.code != "llm_truncated":
            raise
    if checked is not None:
        checked.reset()
    return await tell(state, deps, "deliver", events="deliver", checked=checked)


def given_up(state: AgentState, deps: Deps, words: str) -> str:
    """Returns how a goal that was given up ends: its words as far as they may be told, and what it changed."""
    checked = CheckedText(state, deps)
    # No model speaks in a rough build: why it ended is told by the loop, out of the facts.
    own = state.run.outcome is not None and state.run.outcome.stage == "rough_build"
    told = words if own else (checked.feed(words) + checked.end()).strip()
    checks = not told or checked.withheld or goal_changes(state) or wishes_applied(state.run.request)
    told = told or ("" if checked.withheld else text(GIVEN_UP, state.locale))
    line = closing_line(state, deps, told, withheld=checked.withheld) if checks else ""
    return "\n".join(part for part in (told, line) if part)


def stopped_early(state: AgentState, told: str) -> str:
    """Returns why a goal ended before it was done, which a summary need not say."""
    outcome = state.run.outcome
    if outcome is None or outcome.status != "exhausted" or not outcome.user_message or outcome.user_message in told:
        return ""
    return f"\n{outcome.user_message}" if told.strip() else outcome.user_message


def left_out(state: AgentState, told: str) -> str:
    """Returns the items the student agreed to leave out and the summary did not name."""
    risk, schedule = state.draft.accepted_risk, state.schedule
    if risk is None or schedule is None:
        return ""
    names = [entry.name for entry in schedule.items() if not entry.slots and entry.source_id in risk.unplaced_item_ids]
    if all(name in told for name in names):
        return ""
    return "\n" + text("还没有排的：{names}。", state.locale, names=join_names(names, state.locale))


def _completed_schedule(state: AgentState, outcome: Outcome) -> bool:
    """Tells whether the goal completed, its draft differs from the one at its start, and something is suggested."""
    schedule = state.schedule
    if outcome.status != "completed" or schedule is None:
        return False
    moved = schedule.revision != (state.run.start_revision or 0)
    return moved and any(entry.status == "suggested" for entry in schedule.items())

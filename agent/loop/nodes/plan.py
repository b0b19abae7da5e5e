"""Plan: steps with proofs, or a question."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from agent.loop.capacity.scope import name_classes
from agent.loop.draft.receipts import clear_corrections
from agent.loop.interactions import NodeName
from agent.loop.model_call.corrections import DecisionRefused, correct
from agent.loop.model_call.decisions import PlanDecision
from agent.loop.model_call.lenient_json import DecisionError
from agent.loop.model_call.plain_decision import plain_decision
from agent.loop.model_call.streamed_decision import Heard, hear
from agent.loop.nodes.base import Next
from agent.loop.nodes.chat import find_classes, hook_of, start_work
from agent.loop.output.blocks import is_said_again, next_of_run, speak
from agent.loop.output.questions import question, words_of
from agent.loop.output.statuses import announce
from agent.loop.outside.deps import Deps
from agent.loop.prompt.checked_text import told_truly
from agent.loop.state.agent_state import AgentState
from agent.loop.state.plan import GoalStep, PlanPart
from agent.loop.state.run import Correction


class PlanNode:
    name: ClassVar[NodeName] = "plan"

    async def step(self, state: AgentState, deps: Deps) -> Next:
        state.run.phase = "planning"
        await announce(state, deps, "plan", "planning")
        heard = await hear(state, deps, stage="plan")
        state.run.correction, state.run.news = None, []
        try:
            limit, told = deps.limits.plan_steps, state.run.reminders
            decision = PlanDecision.read(heard.decision(), deps.registry.packs(), max_steps=limit, told=told)
            decision = plain_decision(state, deps, decision)
            ids = await find_classes(state, deps, decision.task_class_ids, decision.task_class_names)
            decision = replace(decision, task_class_ids=ids)
            self._check_flow(state, deps, decision)
        except (DecisionError, DecisionRefused) as error:
            going_on = await correct(state, deps, heard, error, stage="plan")
            return "plan" if going_on else "deliver"
        return await self._take(state, deps, heard, decision)

    @staticmethod
    def _check_flow(state: AgentState, deps: Deps, decision: PlanDecision) -> None:
        run, limits = state.run, deps.limits
        if decision.action == "continue" and run.plan_calls >= limits.plan_calls:
            expected = "给出 plan_done，或者 ask_user"
            raise DecisionRefused(Correction(kind="flow", error="已经思考过多次", expected=expected))
        asked, words = run.questions, words_of(state, decision.speak)
        if decision.action == "ask_user" and (
            len(asked) >= limits.questions or asked.count(words) >= limits.same_question
        ):
            raise DecisionRefused(
                Correction(kind="flow", error="问题已经问得够多了", expected="按已知信息给出 plan_done")
            )

    async def _take(self, state: AgentState, deps: Deps, heard: Heard, decision: PlanDecision) -> Next:
        said = told_truly(state, deps, decision.speak, asks=decision.action == "ask_user")
        again = decision.action == "continue" and is_said_again(state, said)
        decision = replace(decision, speak="" if again else said)
        await heard.accept(decision.speak, asks=decision.asks)
        if decision.action == "continue":
            state.run.plan_calls += 1
            return "plan"
        clear_corrections(state)
        if decision.action == "ask_user":
            state.run.pending = question(
                state,
                deps,
                words_of(state, decision.speak),
                resume_node="plan",
                options=decision.options,
                topic=decision.asks.topic if decision.asks else "",
                streamed=bool(decision.speak),
            )
            return "interrupt"
        return await self._take_plan(state, deps, decision)

    @staticmethod
    async def _take_plan(state: AgentState, deps: Deps, decision: PlanDecision) -> Next:
        hook = hook_of(decision.hook) or state.plan.hook
        state.plan = PlanPart(
            steps=list(decision.steps),
            hook=hook,
            needs_rough_build=decision.needs_rough_build,
            needs_refine=decision.needs_refine,
        )
        await name_classes(state, deps, decision.task_class_ids, stage="plan")
        lines = [f"{n}. {_step_line(step)}" for n, step in enumerate(state.plan.steps, 1)]
        await speak(state, deps, "plan", "\n".join(lines), block_id=next_of_run(state, "plan.summary"))
        if state.run.always_execute:
            await announce(state, deps, "plan", "plan_auto_confirmed")
            return await approve_plan(state, deps)
        return "confirm"


def _step_line(step: GoalStep) -> str:
    """Returns a step with what proves it, which may be the step itself."""
    return step.content if step.done_when == step.content else f"{step.content}（{step.done_when}）"


async def approve_plan(state: AgentState, deps: Deps) -> NodeName:
    """Approves the plan: the student agreed to it, or does so to everything."""
    state.run.refine = state.plan.needs_refine
    return await start_work(state, deps)

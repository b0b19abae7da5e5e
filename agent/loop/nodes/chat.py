"""Chat: reads the message and chooses the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from agent.loop.capacity.scope import name_classes, set_scope, wants_global
from agent.loop.draft.receipts import clear_corrections
from agent.loop.draft.sync import classes_of
from agent.loop.errors import RunCancelled
from agent.loop.interactions import NodeName
from agent.loop.model_call.corrections import correct
from agent.loop.model_call.decisions import ChatDecision, ContextHook
from agent.loop.model_call.incremental_json import AnswerReader
from agent.loop.model_call.lenient_json import DecisionError
from agent.loop.model_call.plain_decision import plain_decision
from agent.loop.model_call.spoken_answer import CUT_NOTE, tell
from agent.loop.model_call.streamed_decision import Heard, hear
from agent.loop.nodes.base import End, Next
from agent.loop.nodes.rest import put_off_rest
from agent.loop.output.blocks import speak
from agent.loop.output.claims import answers_wish, claims_change, wishes_change
from agent.loop.output.statuses import announce
from agent.loop.outside.deps import Deps, by_rules
from agent.loop.phrases import classes_named, means_all
from agent.loop.prompt.checked_text import NOTHING, CheckedAnswer, told_truly
from agent.loop.state.agent_state import AgentState
from agent.loop.state.plan import Hook
from agent.loop.state.run import Outcome
from taskclasses.kernel.i18n import text

NO_ANSWER = "这个问题我没能答上来，可以换个问法再试。"
ROUTES = ("direct_reply", "plan", "execute")
ONLY_WORDS = "only_words"
"""Code of a correction: a wish for a change was answered in words."""
CLASS_IDS = "class_ids"
"""Code of a correction: classes that the student does not have."""


class ChatNode:
    name: ClassVar[NodeName] = "chat"

    async def step(self, state: AgentState, deps: Deps) -> Next:
        state.run.phase = "chatting"

        async def on_known(reader: AnswerReader) -> None:
            if reader.route in ("plan", "execute"):
                await announce(state, deps, "chat", "planning" if reader.route == "plan" else "accepted")

        heard = await hear(
            state,
            deps,
            stage="chat",
            gate=lambda reader: reader.route in ROUTES,
            stop=lambda reader: reader.route == "deep_answer",
            on_known=on_known,
        )
        state.run.correction = None
        if heard.reader.route == "deep_answer" and not heard.reader.talked:
            return await self._deep_answer(state, deps)
        try:
            decision = plain_decision(state, deps, self._read(state, deps, heard))
            ids = await find_classes(state, deps, decision.task_class_ids, decision.task_class_names)
            decision = replace(decision, task_class_ids=ids)
            self._check_words(state, deps, decision)
        except DecisionError as error:
            going_on = await correct(state, deps, heard, error, stage="chat")
            return "chat" if going_on else "deliver"
        if decision.route == "deep_answer":
            await heard.withdraw()
            return await self._deep_answer(state, deps)
        if put_off_rest(state, decision.request, decision.rest):
            await heard.withdraw()
            return "chat"
        await self._accept(state, deps, heard, decision)
        return await self._go(state, deps, decision)

    @staticmethod
    def _read(state: AgentState, deps: Deps, heard: Heard) -> ChatDecision:
        works, told = wishes_change(state.run.request), state.run.reminders
        return ChatDecision.read(heard.decision(), deps.registry.packs(), told=told, works=works)

    @staticmethod
    def _only_words(state: AgentState, deps: Deps, decision: ChatDecision) -> bool:
        """Tells whether a wish for a change is answered in words, which change nothing; those of the fixed rules say
        what they are."""
        return decision.route == "direct_reply" and not by_rules(deps) and wishes_change(state.run.request)

    def _check_words(self, state: AgentState, deps: Deps, decision: ChatDecision) -> None:
        """Refuses words that say that they did what was wished for, however often, and once those that neither ask nor
        say that nothing was done: they may explain."""
        if not self._only_words(state, deps, decision):
            return
        explains = answers_wish(decision.speak) or ONLY_WORDS in state.run.reminders
        if claims_change(decision.speak) or not explains:
            raise DecisionError(
                "contract",
                "学生要求改动；direct_reply 不会改动任何东西，不能说已经改好",
                expected="要改动时 route 写 execute；缺信息就提问；做不到就直说没有改动",
                code=ONLY_WORDS,
            )

    @staticmethod
    async def _accept(state: AgentState, deps: Deps, heard: Heard, decision: ChatDecision) -> None:
        works = decision.route in ("plan", "execute")
        checked = CheckedAnswer(state, deps)
        told = told_truly(state, deps, decision.speak) if works else checked.feed(decision.speak) + checked.end()
        await heard.accept(told.strip() if checked.withheld else told)
        clear_corrections(state)
        if checked.withheld:
            await speak(state, deps, "chat", checked.line(state, deps, told))
        if works:
            await announce(state, deps, "chat", "planning" if decision.route == "plan" else "accepted")

    @staticmethod
    async def _deep_answer(state: AgentState, deps: Deps) -> Next:
        """Answers by a second call with thinking on: the routing call is over."""
        await announce(state, deps, "chat", "accepted")
        clear_corrections(state)
        wished = wishes_change(state.run.request)
        checked = CheckedAnswer(state, deps, wished=wished)
        answer = await tell(state, deps, "deep_answer", events="chat", checked=checked)
        if answer.truncated and answer.block.open:
            await answer.block.say(text(CUT_NOTE, state.locale))
        await answer.block.close()
        if answer.cancelled:
            raise RunCancelled
        if checked.withheld:
            line = "" if wished else checked.line(state, deps, answer.block.text)
            await speak(state, deps, "chat", line or text(NOTHING, state.locale))
        elif not answer.block.text.strip():
            await speak(state, deps, "chat", text(NO_ANSWER, state.locale))
        return finish_chat(state)

    async def _go(self, state: AgentState, deps: Deps, decision: ChatDecision) -> Next:
        if decision.route == "direct_reply":
            if self._only_words(state, deps, decision) and not answers_wish(decision.speak):
                await speak(state, deps, "chat", text(NOTHING, state.locale))
            return finish_chat(state)
        state.run.wants_thinking = decision.thinking
        state.plan.hook = hook_of(decision.hook)
        await name_classes(state, deps, decision.task_class_ids, stage="chat")
        if decision.route == "plan":
            return "plan"
        state.plan.needs_rough_build = decision.needs_rough_build
        state.run.refine = decision.refine
        return await start_work(state, deps)


def hook_of(hook: ContextHook | None) -> Hook | None:
    return Hook(domain=hook.domain, packs=list(hook.packs), reason=hook.reason) if hook else None


def finish_chat(state: AgentState) -> Next:
    """Ends the goal of a conversation answered without work, without a summary."""
    state.run.outcome = Outcome(status="completed", stage="chat")
    state.run.phase = "done"
    return End(state.run.outcome)


async def start_work(state: AgentState, deps: Deps) -> NodeName:
    """Chooses the optimisation mode and the first working node.

    A build next to a hook for class writing is deferred until the class is written; otherwise classes that the student
    names in the request become its scope when nobody has given ids.
    """
    plan = state.plan
    if not plan.needs_rough_build:
        enter_mode(state)
        return "execute"
    plan.build_after_write = plan.hook is not None and plan.hook.domain == "taskclass"
    if not plan.build_after_write and not state.run.scope_given:
        named = classes_named(state.run.request, await classes_of(deps))
        if named:
            await set_scope(state, deps, named, stage="chat")
    return "rough_build" if plan.build_due and state.conversation.scope else "execute"


def enter_mode(state: AgentState) -> None:
    """Enters `global_reopt` for the phrases that ask for a look at the whole plan, else `local_adjust`."""
    if wants_global(state):
        state.run.optimization_mode, state.run.active_optimize_only = "global_reopt", True
    else:
        state.run.optimization_mode = "local_adjust"


async def find_classes(state: AgentState, deps: Deps, ids: Sequence[int], names: Sequence[str]) -> tuple[int, ...]:
    """Returns the ids of the student's classes that a model gave by id or by name. Others raise `DecisionError` once in
    a goal and are passed over then."""
    if not ids and not names:
        return ()
    classes = await classes_of(deps)
    known = [row["id"] for row in classes]
    named = {name: known if means_all(name) else classes_named(name, classes) for name in names}
    unknown = [*(one for one in ids if one not in known), *(name for name, found in named.items() if not found)]
    if unknown and CLASS_IDS not in state.run.reminders:
        expected = f"可用的任务类编号：{sorted(known)}"
        raise DecisionError(
            "contract", f"task_class_ids 含有不存在的任务类 {unknown}", expected=expected, code=CLASS_IDS
        )
    meant = {*ids}.union(*named.values())
    return tuple(one for one in known if one in meant)

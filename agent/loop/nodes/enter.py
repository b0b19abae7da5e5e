"""Enter: from a request to the first node. A new goal, a row of the resume table, or a goal given up for another."""

from __future__ import annotations

from agent.loop.capacity.gate import apply_option, match_option, shown_options
from agent.loop.capacity.scope import scope_answer, set_scope
from agent.loop.draft.goal_changes import remember_words
from agent.loop.draft.receipts import add_receipt, clear_corrections
from agent.loop.draft.sync import classes_of, refresh, remember_start, shown_classes, tell_log
from agent.loop.errors import USER_CANCELLED
from agent.loop.interactions import Effect, NodeName, OpenInteraction, Request, Resume, effect_of
from agent.loop.model_call.decisions import AbortIntent
from agent.loop.nodes.plan import approve_plan as plan_approved
from agent.loop.nodes.rest import DIVIDED, begin_in_run, tell_again
from agent.loop.output.blocks import next_number, skip_used, speak
from agent.loop.output.endings import cancelled_goal
from agent.loop.output.statuses import announce
from agent.loop.outside.deps import Deps
from agent.loop.phrases import language_of_message
from agent.loop.prompt.checked_text import told_truly
from agent.loop.prompt.summary import remember_lines
from agent.loop.state.agent_state import AgentState
from agent.loop.state.conversation import Turn, Via
from agent.loop.state.plan import PlanPart
from agent.loop.state.run import Answered, Approved, Call, Rejection
from taskclasses.kernel.canonical_json import digest_of
from taskclasses.kernel.i18n import text

NEW_REQUEST, SAME_REQUEST, REQUEST_BESIDE = "new_request", "same_request", "request_beside"
"""Abort codes: the last answer asks for something else, it is consent to what the goal may not ask again, or it asks
for something beside what the goal is for: that begins again, and the answer is what the message wants then."""
LEFT_ALONE = "这件事先放下。"
"""What is said where nothing of the model's own words may be told."""
READING = "reading_"
"""Ids of options begin with this that are whole requests: what an unclear message may have meant."""


def hands_over(state: AgentState, abort: AbortIntent) -> bool:
    """Tells whether the goal ends because its last answer was no answer. A goal's own request cannot be handed on."""
    turns = state.run.turns
    chosen = len(turns) > 1 and turns[-1].question and not (turns[-1].option or "").startswith(READING)
    said = len(turns) > 1 and turns[-1].via in ("reply", "reject") and not chosen
    return said and abort.code in (NEW_REQUEST, SAME_REQUEST, REQUEST_BESIDE)


async def hand_over(state: AgentState, deps: Deps, abort: AbortIntent) -> NodeName:
    """Makes the student's last words the request of a new goal, read by Chat like any other.

    Block numbers keep counting: the run shows the blocks of both goals. Consent given beforehand ends with its goal.
    """
    told = told_truly(state, deps, abort.user_message) or text(LEFT_ALONE, state.locale)
    await speak(state, deps, "execute", told)
    if abort.code == NEW_REQUEST:
        remember_words(state, told)
    turn, rest = state.run.turns[-1], state.run.rest
    if abort.code == REQUEST_BESIDE:
        request, rest = state.run.request, "\n".join(filter(None, (turn.text, rest)))
        tell_again(state, turn.text, request)
        turn = turn.model_copy(update={"text": request})
    begin_in_run(state, deps, turn.model_copy(update={"via": "message", "question": "", "option": None}))
    state.run.counters.pop(DIVIDED, None)  # another message, which may be divided as often
    state.conversation.locale = language_of_message(turn.text, state.locale)
    state.run.resumes, state.run.rest = abort.code == SAME_REQUEST, rest
    return "chat"


STATUS: dict[Effect, str] = {
    "apply_call": "confirmed",
    "approve_plan": "confirmed",
    "reject_call": "rejected",
    "reject_plan": "rejected",
    "cancel_goal": "cancelled",
    "reply": "resumed",
    "recover": "recovering",
}


async def enter(state: AgentState, request: Request, deps: Deps) -> NodeName:
    """Takes the request into the state and returns the node to begin at."""
    resume = request.resume
    if request.taken_up and state.run.run_id == deps.run_id:
        skip_used(state, request.used_blocks)
        # What the request gives was taken in, and may have ended since with the goal that it was given for.
        return await _go_on(state, request.model_copy(update={"task_class_ids": (), "always_execute": False}), deps)
    if resume is None or effect_of(resume) == "new_goal":
        return await _new_goal(state, request, deps)
    skip_used(state, request.used_blocks)
    if effect_of(resume) == "recover":
        return await _recover(state, request, deps)
    return await _answer(state, request, resume, deps)


async def _new_goal(state: AgentState, request: Request, deps: Deps) -> NodeName:
    negotiating, state.draft.negotiating = state.draft.negotiating, False
    remember_lines(state, deps)
    state.new_goal()
    state.run.run_id = deps.run_id
    skip_used(state, request.used_blocks)
    message = request.message.strip()
    state.conversation.locale = request.locale or language_of_message(message, state.locale)
    state.run.request, state.run.thinking = message, request.thinking
    state.run.always_execute = request.always_execute
    _add_turn(state, message, via="message")
    rescoped = _take_scope(state, request)
    if state.schedule is not None or await shown_classes(state, deps):
        tell_log(state)
        await refresh(state, deps, stage="chat", scope_changed=rescoped)
    remember_start(state, deps)
    if negotiating:
        return await _take_option(state, deps, message, rescoped=rescoped)
    return "chat"


def _take_scope(state: AgentState, request: Request) -> bool:
    """Replaces the scope by the classes the request names; tells whether it names any."""
    if not request.task_class_ids:
        return False
    state.run.scope_given = True
    state.conversation.scope = sorted(set(request.task_class_ids))
    return True


async def _reload(state: AgentState, request: Request, deps: Deps) -> None:
    """Sets the goal's draft on the rows of now, for the classes the request names."""
    rescoped = _take_scope(state, request)
    await refresh(state, deps, stage="chat", scope_changed=rescoped)
    if rescoped and not state.run.calls:
        remember_start(state, deps)
    tell_log(state)


async def _take_option(state: AgentState, deps: Deps, message: str, *, rescoped: bool) -> NodeName:
    """Takes the option that the first message after a build that did not fit may choose. It is about the classes of
    that build, whatever was done after it in its run."""
    option = match_option(state, message, None, shown=shown_options(state))
    if option is None:
        return "chat"
    await announce(state, deps, "chat", "accepted")
    built = (state.draft.report or {}).get("task_class_ids", ())
    if not rescoped and not set(built) <= set(state.conversation.scope):
        await set_scope(state, deps, {*built, *state.conversation.scope}, stage="chat")
    await apply_option(state, deps, option, by=message)
    if option == "accept_risk" or option.startswith("drop:"):
        state.plan.needs_rough_build = True
        return "rough_build"
    state.run.optimization_mode = "local_adjust"
    state.plan.needs_rough_build = state.plan.build_after_write = True
    return "execute"


async def _recover(state: AgentState, request: Request, deps: Deps) -> NodeName:
    """Goes on from the saved node; a request whose run never saved anything is taken up from its beginning."""
    lost = request.lost
    await announce(state, deps, "chat", "recovering")
    if lost is not None and state.run.run_id != request.lost_run_id:
        return await enter(state, lost.model_copy(update={"used_blocks": request.used_blocks}), deps)
    return await _go_on(state, request, deps)


async def _go_on(state: AgentState, request: Request, deps: Deps) -> NodeName:
    """Returns the node at which a goal was saved last, on the rows of now."""
    if state.run.node == "deliver" and state.run.outcome is not None:
        return "deliver"  # the work was done and saved: only the closing words are said again
    _renumber_approved(state, request)
    state.run.outcome = None
    if request.always_execute:
        state.run.always_execute = True
    if state.schedule is not None or state.conversation.scope or request.task_class_ids:
        await _reload(state, request, deps)
    return state.run.node


def _renumber_approved(state: AgentState, request: Request) -> None:
    """Gives a call that was approved and begun by the lost run a number of its own; it is begun again."""
    approved = state.run.approved
    if approved is None or any(row.call_id == approved.call_id for row in state.run.receipts):
        return
    prefix, number = approved.call_id.rsplit(".", 1)
    if int(number) <= request.used_blocks.get(prefix, 0):
        state.run.approved = approved.model_copy(update={"call_id": f"{prefix}.{next_number(state, prefix)}"})


async def _answer(state: AgentState, request: Request, resume: Resume, deps: Deps) -> NodeName:
    """Records an accepted answer as the interaction's outcome, its words as a turn of the student."""
    effect, pending = effect_of(resume), resume.interaction
    run = state.run
    run.pending = None
    run.always_execute = run.always_execute or request.always_execute
    if request.thinking != "auto":
        run.thinking = request.thinking
    run.interaction = Answered(
        type=pending.type,
        subject=pending.subject,
        action=resume.action,
        message=resume.message,
        option=resume.option,
        question=pending.question,
        topic=pending.topic,
        steps=list(state.plan.steps) if pending.subject == "plan" else [],
        call=pending.call.model_dump(include={"name", "arguments"}) if pending.call else None,
        results_at=len(run.calls),
    )
    await announce(state, deps, "chat", STATUS[effect])
    if effect == "cancel_goal":
        return _cancel_goal(state)
    await _reload(state, request, deps)
    return await _apply(state, deps, effect, resume, pending)


async def _apply(state: AgentState, deps: Deps, effect: Effect, resume: Resume, pending: OpenInteraction) -> NodeName:
    if effect == "apply_call":
        return _apply_call(state, resume, pending)
    if effect == "approve_plan":
        clear_corrections(state)
        _take_words(state, resume, pending, via="reply")
        return await plan_approved(state, deps)
    if effect == "reject_call":
        return _reject_call(state, resume, pending)
    if effect == "reject_plan":
        return _reject_plan(state, resume, pending)
    return await _take_reply(state, deps, resume, pending)


def _cancel_goal(state: AgentState) -> NodeName:
    state.run.outcome = cancelled_goal("interrupt", USER_CANCELLED, state.locale)
    return "deliver"


def _apply_call(state: AgentState, resume: Resume, pending: OpenInteraction) -> NodeName:
    assert pending.call is not None
    clear_corrections(state)
    _take_words(state, resume, pending, via="reply")
    state.run.approved = Approved(
        name=pending.call.name,
        arguments=pending.call.arguments,
        call_id=pending.call.call_id,
        draft_revision=pending.draft_revision,
        changes_digest=pending.changes_digest,
        interaction_id=pending.id,
    )
    return "execute"


def _reject_call(state: AgentState, resume: Resume, pending: OpenInteraction) -> NodeName:
    """Records the refusal as an observation for the model; the call is never asked again in this goal."""
    call = pending.call
    assert call is not None
    run = state.run
    run.rejected.append(
        Rejection(
            name=call.name,
            arguments=call.arguments,
            digest=digest_of(call.arguments),
            changes_digest=pending.changes_digest,
        )
    )
    words = resume.message.strip()
    observation = "学生拒绝了这个操作" + (f"，并说：{words}" if words else "。")
    run.calls.append(
        Call(
            n=len(run.calls) + 1,
            tool=call.name,
            kind="rejected",
            arguments=call.arguments,
            status="rejected",
            observation=observation,
            summary=observation[:48],
            step_index=state.plan.current,
            revision=pending.draft_revision,
        )
    )
    _take_words(state, resume, pending, via="reject")
    return "execute"


def _reject_plan(state: AgentState, resume: Resume, pending: OpenInteraction) -> NodeName:
    """Drops the plan whole; the model is told which one was refused, or it would propose it again."""
    steps = "；".join(step.content for step in state.plan.steps)
    state.plan = PlanPart()
    state.run.news.append(f"学生没有同意上一份计划（{steps}），请换一份。")
    _take_words(state, resume, pending, via="reject")
    return "plan"


def _take_words(state: AgentState, resume: Resume, pending: OpenInteraction, *, via: Via) -> None:
    """Takes words of the student: a turn, a receipt, and the end of active-optimise mode."""
    words = resume.message.strip()
    if not words:
        return
    _add_turn(state, words, via=via)
    state.run.active_optimize_only = False
    add_receipt(
        state,
        source="user_reply",
        name=pending.type,
        arguments={"message": words, "option": resume.option},
        summary=words,
    )


async def _take_reply(state: AgentState, deps: Deps, resume: Resume, pending: OpenInteraction) -> NodeName:
    words = resume.message.strip()
    if words:
        _take_words(state, resume, pending, via="reply")
    else:
        label = next((row.label for row in pending.options if row.id == resume.option), resume.option or "")
        turn = Turn(role="user", text=label, via="reply", question=pending.question, option=resume.option)
        state.run.turns.append(turn)
        add_receipt(state, source="user_reply", name=pending.type, arguments={"option": resume.option}, summary=label)
    if pending.topic == "scope" and not state.conversation.scope:
        ids = scope_answer(pending, words, resume.option, await classes_of(deps))
        if ids is not None:
            await set_scope(state, deps, ids, stage="chat")
        elif resume.option == "new":
            state.run.news.append("学生要新建一个任务类再排。")
            state.tools.active = deps.registry.default_active(state.run.optimization_mode, "taskclass")
        return "execute"
    if pending.topic == "health":
        option = match_option(state, words, resume.option)
        if option is not None:
            await apply_option(state, deps, option, by=pending.id)
        return "execute"
    return pending.resume_node


def _add_turn(state: AgentState, message: str, *, via: Via) -> None:
    """Adds something the student said: in the dialogue for the model, in the turns of the goal."""
    turn = Turn(role="user", text=message, via=via)
    state.conversation.dialogue.append(turn)
    state.run.turns.append(turn.model_copy())

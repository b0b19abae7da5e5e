"""The three checks of a well-formed round decision: flow, evidence, safety.

A failure is a correction for the model: no event, no card. The result of each round goes to the run's journal as
`ExecuteValidationResult`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from agent.calls.phrase import MODEL
from agent.calls.tool import ToolCall
from agent.calls.values import ToolError, ToolOutcome
from agent.loop.draft.receipts import call_key, has_evidence
from agent.loop.model_call.corrections import REPEATED, DecisionRefused
from agent.loop.model_call.decisions import ExecuteDecision, ToolCallIntent
from agent.loop.output.claims import claims_change, drops_wish, says_fruitless, says_unchanged, wishes_change
from agent.loop.output.questions import words_of
from agent.loop.outside.deps import Deps, by_rules
from agent.loop.prompt.checked_text import has_written
from agent.loop.state.agent_state import AgentState
from agent.loop.state.run import Correction
from agent.loop.tool_call.pipeline import Ticket, context_of
from taskclasses.kernel.canonical_json import canonical_json, digest_of

CLOSED = "tool_not_visible"
"""Code of a correction: the pack of a tool is not open."""
DROPPED = "unknown_argument"
"""Code of a correction: what is to be written beside the draft has parts under names that the tool has not."""


@dataclass
class ExecuteValidationResult:
    """Holds the outcome of the three checks of one round; a check that was not reached counts as passed."""

    flow_passed: bool = True
    flow_reason: str = ""
    evidence_passed: bool = True
    evidence_reason: str = ""
    safety_passed: bool = True
    safety_reason: str = ""


def validate(state: AgentState, deps: Deps, decision: ExecuteDecision) -> ToolCall | None:
    """Returns the validated call of the decision or None; the result goes to the journal. Raises `DecisionRefused`."""
    result = ExecuteValidationResult()
    try:
        return _validate_decision(state, deps, decision)
    except DecisionRefused as refused:
        _note(result, refused.correction)
        raise
    finally:
        deps.journal({"kind": "validation", "run_id": deps.run_id, "round": state.run.rounds, **asdict(result)})


def _note(result: ExecuteValidationResult, correction: Correction) -> None:
    if correction.kind in ("flow", "tool_call"):
        result.flow_passed, result.flow_reason = False, correction.error
    elif correction.kind == "evidence":
        result.evidence_passed, result.evidence_reason = False, correction.error
    else:
        result.safety_passed, result.safety_reason = False, correction.error


def _validate_decision(state: AgentState, deps: Deps, decision: ExecuteDecision) -> ToolCall | None:
    if decision.action == "ask_user":
        _may_ask(state, deps, words_of(state, decision.speak))
    if decision.action in ("next_plan", "done"):
        _is_proven(state, deps, decision)
    if decision.tool_call is None:
        return None
    call = _fits(state, deps, decision.tool_call)
    _is_safe(state, deps, call)
    return call


def refuse(
    kind: Literal["flow", "evidence", "safety", "tool_call"],
    error: str,
    *,
    fragment: str = "",
    expected: str = "",
    code: str = "",
) -> DecisionRefused:
    return DecisionRefused(Correction(kind=kind, error=error, fragment=fragment, expected=expected, code=code))


def _may_ask(state: AgentState, deps: Deps, question: str) -> None:
    asked = state.run.questions
    if len(asked) >= deps.limits.questions or asked.count(question) >= deps.limits.same_question:
        raise refuse("flow", "问题已经问得够多了", fragment=question, expected="按已知信息行动，或者 abort 并说明原因")


def _is_proven(state: AgentState, deps: Deps, decision: ExecuteDecision) -> None:
    if not decision.goal_check and "goal_check" not in state.run.reminders:
        expected = "done 与 next_plan 用 goal_check 写明哪条结果证明已完成"
        raise refuse("evidence", f"{decision.action} 必须有 goal_check", expected=expected, code="goal_check")
    if not has_evidence(state) and not _is_honest(state, decision):
        raise refuse(
            "evidence", "当前步骤还没有成功的工具结果或学生回答", expected="先取得本步骤的证据，或者提问、abort"
        )
    if not has_written(state) and not by_rules(deps) and _owes_a_change(state, decision):
        raise refuse(
            "evidence",
            "这个目标要求改动，但还没有任何写入成功",
            expected="先用工具改动；做不到或不需要时，在 speak 里如实说明没有改动，或者提问、abort",
            code="no_write",
        )


def _is_honest(state: AgentState, decision: ExecuteDecision) -> bool:
    """Tells whether the words say that nothing was found, where the step asked the web alone and was kept from it."""
    asked = [row for row in state.run.calls if row.step_index == state.plan.current and row.kind != "control"]
    kept_out = bool(asked) and all(row.kind == "web" and row.status != "done" for row in asked)
    return kept_out and says_fruitless(f"{decision.speak} {decision.goal_check}")


def _owes_a_change(state: AgentState, decision: ExecuteDecision) -> bool:
    """Tells whether the words say that something was changed, or the student asked for it and they do not say that
    nothing was. A step that only looks owes none; nor does a goal whose change the student refused or dropped. A wish
    is held against the model once, and not where a write was tried: the summary then says that nothing was changed.
    Words where nothing was wished for are held against it once: they are left out of what the student reads."""
    words = f"{decision.speak} {decision.goal_check}"
    run, plan = state.run, state.plan
    wish = plan.steps[plan.current].content if plan.steps and not plan.last else run.request
    wished, told = wishes_change(wish), "no_write" in run.reminders
    if claims_change(words) and (wished or not told):
        return True
    dropped = bool(run.rejected) or any(drops_wish(turn.text) for turn in run.turns[1:])
    tried = any(row.source == "write_receipt" for row in run.receipts)
    return wished and not dropped and not told and not tried and not says_unchanged(words)


def _fits(state: AgentState, deps: Deps, intent: ToolCallIntent) -> ToolCall:
    """Checks stages 1 and 2 of the pipeline: known, well-formed, visible, allowed in this mode. Parameters that a tool
    has not are passed over; of what is stored for good that is a part of the student's wish, so the model is told
    first."""
    fragment = canonical_json({"name": intent.name, "arguments": intent.arguments})
    call, dropped = deps.registry.fit(intent.name, intent.arguments, state.schedule, deps.calendar)
    if dropped and isinstance(call, ToolCall) and call.tool.kind == "sql_write" and DROPPED not in state.run.reminders:
        raise refuse(
            "tool_call",
            f"unknown_argument：{intent.name} 没有参数 {'、'.join(dropped)}，这次调用没有执行",
            fragment=fragment,
            expected="用工具目录里的参数写同样的意思；没有这样的参数就去掉它，并告诉学生做不到这一点",
            code=DROPPED,
        )
    if dropped:
        state.run.news.append(f"{intent.name} 没有参数 {'、'.join(dropped)}，已忽略")
    if isinstance(call, ToolError):
        raise _unfit(call, fragment)
    error = deps.registry.refuse_here(call, context_of(state, deps, Ticket(call, "")))
    if error is not None and error.code == CLOSED and CLOSED in state.run.reminders:
        _open_pack(state, deps, error)
        error = deps.registry.refuse_here(call, context_of(state, deps, Ticket(call, "")))
    if error is not None:
        raise _unfit(error, fragment, expected=_how_to_open(state, deps, error))
    return call


def _open_pack(state: AgentState, deps: Deps, error: ToolError) -> None:
    """Opens the pack of a tool that is called again although the model was told how to open it: packs keep prompts
    short, they permit nothing."""
    domain, packs = error.details["domain"], _packs_of(deps, error)
    state.tools.active = deps.registry.open(state.tools.active, domain, packs, True, state.run.optimization_mode)


def _packs_of(deps: Deps, error: ToolError) -> list[str]:
    """Returns the pack that an unopened tool is in, none for what every open domain has."""
    domain, pack = error.details["domain"], error.details["pack"]
    return [pack] if pack in deps.registry.packs().get(domain, ()) else []


def _how_to_open(state: AgentState, deps: Deps, error: ToolError) -> str:
    """Returns the very call that opens the pack of a tool that is not open."""
    visible = deps.registry.visible(state.tools.active, state.run.active_optimize_only)
    opener = next((tool.name for tool in visible if tool.opens_packs), None)
    if error.code != CLOSED or opener is None:
        return ""
    domain = error.details["domain"]
    arguments = canonical_json({"domain": domain, "packs": _packs_of(deps, error), "mode": "merge"})
    return f"先打开它所在的工具包：{opener} {arguments}"


def _unfit(error: ToolError, fragment: str, *, expected: str = "") -> DecisionRefused:
    told = f"{error.code}：{error.text(MODEL)}"
    code = CLOSED if error.code == CLOSED else ""
    return refuse("tool_call", told, fragment=fragment, expected=expected or _describe_expected(error), code=code)


def _describe_expected(error: ToolError) -> str:
    listed = [f"{row.get('field')}：{row.get('problem')}，应为 {row.get('expected')}" for row in error.listed]
    lines = [line.text(MODEL) for line in error.lines]
    return "；".join([*listed, *lines])[:800]


def _is_safe(state: AgentState, deps: Deps, call: ToolCall) -> None:
    """Checks the repeat guard: reads may be asked again twice, a failed write not at all."""
    if not call.tool.writes:
        times = state.run.repeats.get(call_key(state, call.name, call.arguments), 0)
        if times > deps.limits.repeated_reads:
            error, expected = "repeated_call：同样的查询在同一版本已经做过", "使用已有结果，换一个动作"
            ends = has_written(state) or not wishes_change(state.run.request)
            raise _unsafe(call, error, expected, code=REPEATED if ends else "")
    elif _has_failed_before(state, call):
        raise _unsafe(call, "repeated_call：这个写操作刚刚失败过", "按失败原因改参数，或者换一个做法")


def check_not_done(state: AgentState, call: ToolCall, outcome: ToolOutcome) -> None:
    """Checks that a write which cannot be done is not one that was just done: it is no failure to tell the student of.
    Raises `DecisionRefused`."""
    revision = None if state.schedule is None else state.schedule.revision
    known = (call.name, call.arguments, "done", revision)
    made = _made_before(state, call, outcome)
    if made is not None:
        error = f"repeated_call：这次任务已经建好同名的任务类，编号 {made}"
        raise _unsafe(call, error, f"要改它就带上 id {made}；没有别的要做就 done", code=REPEATED)
    if outcome.error is not None and any(
        (row.tool, row.arguments, row.status, row.revision) == known for row in state.run.calls
    ):
        error, expected = "repeated_call：这个写操作已经成功，结果还在", "没有别的要做就 done，否则做下一件"
        raise _unsafe(call, error, expected, code=REPEATED)


def _made_before(state: AgentState, call: ToolCall, outcome: ToolOutcome) -> int | None:
    """Returns the class of the name that a call would create, where this goal has created one and it is still there."""
    named = outcome.data.get("class")
    if not outcome.data.get("created") or not isinstance(named, dict):
        return None
    now = (state.conversation.goals, call.name, "", named.get("name"))
    made = [row.owner for row in state.conversation.past_values if (row.goal, row.tool, row.field, row.after) == now]
    return next((one for one in made if one in state.conversation.scope), None)


def _unsafe(call: ToolCall, error: str, expected: str, *, code: str = "") -> DecisionRefused:
    fragment = canonical_json({"name": call.name, "arguments": call.arguments})
    return refuse("safety", error, fragment=fragment, expected=expected, code=code)


def _has_failed_before(state: AgentState, call: ToolCall) -> bool:
    """Tells whether this very write failed on this very draft. One that only could not be stored may be tried again,
    and a move of the queue's head is about the head, which its arguments do not name."""
    revision = None if state.schedule is None else state.schedule.revision
    return any(
        row.tool == call.name
        and row.arguments == call.arguments
        and row.status == "failed"
        and row.error_code != "persist_failed"
        and row.revision == revision
        and (not call.tool.head_of_queue or row.data.get("task_id") == state.tools.queue.get("current"))
        for row in state.run.calls
    )


def check_not_rejected(state: AgentState, call: ToolCall, changes_digest: str) -> None:
    """Checks that the student refused no call of the same effect: such a call is never asked again in this goal. Raises
    `DecisionRefused`."""
    digest = digest_of(call.arguments)
    for row in state.run.rejected:
        if (row.name, row.digest) == (call.name, digest) and row.changes_digest in ("", changes_digest):
            raise _unsafe(call, "already_rejected：学生拒绝过这个操作", "按学生的话换一个做法，或者提问")

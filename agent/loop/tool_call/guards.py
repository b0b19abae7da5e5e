"""The three checks of a well-formed round decision: flow, evidence, safety.

A failure is a correction for the model: no event, no card. The result of each round goes to the run's journal as
`ExecuteValidationResult`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from agent.calls.tool import ToolCall
from agent.calls.values import ToolError
from agent.loop.deps import Deps
from agent.loop.draft.receipts import call_key, has_evidence
from agent.loop.model_call.corrections import DecisionRefused
from agent.loop.model_call.decisions import ExecuteDecision, ToolCallIntent
from agent.loop.output.questions import words_of
from agent.loop.state import AgentState, Correction
from agent.loop.tool_call.pipeline import Ticket, context_of
from taskclasses.kernel.canonical_json import canonical_json, digest_of


@dataclass
class ExecuteValidationResult:
    """The outcome of the three checks of one round; a check that was not reached counts as passed."""

    flow_passed: bool = True
    flow_reason: str = ""
    evidence_passed: bool = True
    evidence_reason: str = ""
    safety_passed: bool = True
    safety_reason: str = ""


def validate(state: AgentState, deps: Deps, decision: ExecuteDecision) -> ToolCall | None:
    """The validated call of the decision or None; the result goes to the journal. Raises `DecisionRefused`."""
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
        _is_proven(state, decision)
    if decision.tool_call is None:
        return None
    call = _fits(state, deps, decision.tool_call)
    _is_safe(state, deps, call)
    return call


def refuse(
    kind: Literal["flow", "evidence", "safety", "tool_call"], error: str, *, fragment: str = "", expected: str = ""
) -> DecisionRefused:
    return DecisionRefused(Correction(kind=kind, error=error, fragment=fragment, expected=expected))


def _may_ask(state: AgentState, deps: Deps, question: str) -> None:
    asked = state.run.questions
    if len(asked) >= deps.limits.questions or asked.count(question) >= deps.limits.same_question:
        raise refuse("flow", "问题已经问得够多了", fragment=question, expected="按已知信息行动，或者 abort 并说明原因")


def _is_proven(state: AgentState, decision: ExecuteDecision) -> None:
    if not decision.goal_check:
        raise refuse("evidence", f"{decision.action} 必须有 goal_check", expected="写明哪条结果证明已完成")
    if not has_evidence(state):
        raise refuse(
            "evidence", "当前步骤还没有成功的工具结果或学生回答", expected="先取得本步骤的证据，或者提问、abort"
        )


def _fits(state: AgentState, deps: Deps, intent: ToolCallIntent) -> ToolCall:
    """Stages 1 and 2 of the pipeline: known, well-formed, visible, allowed in this mode."""
    fragment = canonical_json({"name": intent.name, "arguments": intent.arguments})
    call = deps.registry.validate(intent.name, intent.arguments, state.schedule)
    if isinstance(call, ToolError):
        raise _unfit(call, fragment)
    error = deps.registry.refused_here(call, context_of(state, deps, Ticket(call, "")))
    if error is not None:
        raise _unfit(error, fragment)
    return call


def _unfit(error: ToolError, fragment: str) -> DecisionRefused:
    return refuse(
        "tool_call", f"{error.code}：{error.text('zh')}", fragment=fragment, expected=_describe_expected(error)
    )


def _describe_expected(error: ToolError) -> str:
    listed = [f"{row.get('field')}：{row.get('problem')}，应为 {row.get('expected')}" for row in error.listed]
    lines = [line.text("zh") for line in error.lines]
    return "；".join([*listed, *lines])[:800]


def _is_safe(state: AgentState, deps: Deps, call: ToolCall) -> None:
    """The repeat guard: reads may be asked again twice, a failed write not at all."""
    if not call.tool.writes:
        times = state.run.repeats.get(call_key(state, call.name, call.arguments), 0)
        if times > deps.limits.repeated_reads:
            raise _unsafe(call, "repeated_call：同样的查询在同一版本已经做过", "使用已有结果，换一个动作")
    elif _has_failed_before(state, call):
        raise _unsafe(call, "repeated_call：这个写操作刚刚失败过", "按失败原因改参数，或者换一个做法")


def _unsafe(call: ToolCall, error: str, expected: str) -> DecisionRefused:
    fragment = canonical_json({"name": call.name, "arguments": call.arguments})
    return refuse("safety", error, fragment=fragment, expected=expected)


def _has_failed_before(state: AgentState, call: ToolCall) -> bool:
    """Whether this very write failed on this very draft. One that only could not be stored may be tried again, and a
    move of the queue's head is about the head, which its arguments do not name."""
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
    """A call the student refused, with the same effect, is never asked again in this goal. Raises `DecisionRefused`."""
    digest = digest_of(call.arguments)
    for row in state.run.rejected:
        if (row.name, row.digest) == (call.name, digest) and row.changes_digest in ("", changes_digest):
            raise _unsafe(call, "already_rejected：学生拒绝过这个操作", "按学生的话换一个做法，或者提问")

"""Makes the interactions the loop opens: cards, questions, recovery."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from agent.calls.tool import ToolCall
from agent.calls.values import ToolOutcome
from agent.loop.events import ConfirmRequested, Event, InterruptRaised
from agent.loop.interactions import AnswerOption, CallRef, NodeName, OpenInteraction
from agent.loop.output.blocks import add_turn, next_block
from agent.loop.outside.deps import Deps
from agent.loop.state.agent_state import AgentState
from agent.loop.state.conversation import Asked
from taskclasses.kernel.i18n import text
from taskclasses.kernel.times import rfc3339


def _times(deps: Deps) -> dict[str, str]:
    return _lifetime(deps.clock(), deps.limits.interaction_days)


def _lifetime(now: datetime, days: float) -> dict[str, str]:
    return {"created_at": rfc3339(now), "expires_at": rfc3339(now + timedelta(days=days))}


def tool_card(state: AgentState, deps: Deps, call: ToolCall, call_id: str, outcome: ToolOutcome) -> OpenInteraction:
    """Makes the card that asks consent to one call: it shows its dry run."""
    shown = deps.registry.card(call_id, call, outcome, state.schedule, locale=state.locale)
    times = _times(deps)
    revision = state.schedule.revision if state.schedule is not None else 0
    card = {
        "title": text("操作确认", state.locale),
        "summary": shown.summary,
        "subject": "tool",
        "tool": shown.tool,
        "plan_steps": [],
        "fields": shown.fields,
        "changes": shown.changes,
        "affected_days": shown.affected_days,
        "cost_before": shown.cost_before,
        "cost_after": shown.cost_after,
        "draft_revision": revision,
    }
    return OpenInteraction(
        id=deps.ids(),
        type="confirm",
        subject="tool",
        resume_node="execute",
        question=shown.summary,
        call=CallRef(name=call.name, arguments=call.arguments, call_id=call_id),
        draft_revision=revision,
        changes=shown.changes,
        changes_digest=outcome.changes_digest,
        step_index=state.plan.current,
        block_id=next_block(state, "execute", "confirm"),
        card=card,
        **times,
    )


def plan_card(state: AgentState, deps: Deps) -> OpenInteraction:
    """Makes the card that asks consent to the whole plan: its numbered steps."""
    steps = state.plan.steps
    lines = [f"{number}. {step.content}" for number, step in enumerate(steps, 1)]
    summary = text("共 {n} 步：{steps}", state.locale, n=len(steps), steps=" ".join(lines))
    revision = state.schedule.revision if state.schedule is not None else 0
    card = {
        "title": text("计划确认", state.locale),
        "summary": summary,
        "subject": "plan",
        "tool": None,
        "plan_steps": [
            {"content": step.content, "done_when": "" if step.done_when == step.content else step.done_when}
            for step in steps
        ],
        "fields": [],
        "changes": [],
        "affected_days": [],
        "cost_before": None,
        "cost_after": None,
        "draft_revision": revision,
    }
    return OpenInteraction(
        id=deps.ids(),
        type="confirm",
        subject="plan",
        resume_node="plan",
        question=summary,
        draft_revision=revision,
        block_id=next_block(state, "plan", "confirm"),
        card=card,
        **_times(deps),
    )


def words_of(state: AgentState, spoken: str) -> str:
    """Answers the words of a question; a model that asks without any has a sentence of ours."""
    return spoken or text("我还缺一点信息才能继续，可以再说说你的要求吗？", state.locale)


def question(
    state: AgentState,
    deps: Deps,
    asked: str,
    *,
    resume_node: NodeName,
    options: Sequence[tuple[str, str]] = (),
    topic: str = "",
    streamed: bool = False,
) -> OpenInteraction:
    """Makes a question to the student; `streamed` when the model has spoken it already, so that it is in the
    dialogue."""
    state.run.questions.append(asked)
    if not streamed:
        add_turn(state, asked, asks=Asked(topic=topic))
    return OpenInteraction(
        id=deps.ids(),
        type="ask_user",
        subject="question",
        resume_node=resume_node,
        question=asked,
        options=[AnswerOption(id=key, label=label) for key, label in options],
        step_index=state.plan.current,
        block_id=next_block(state, "interrupt", "ask"),
        topic=topic,
        card={"streamed": streamed},
        **_times(deps),
    )


UNREACHABLE = ("llm_unavailable", "llm_timeout", "llm_rate_limited")


def recovery(state: AgentState, deps: Deps, code: str) -> OpenInteraction:
    """Makes the offer after a run that failed with `code`: the student may go on from the last saved step."""
    return recovery_offer(
        identity=deps.ids(),
        node=state.run.node,
        block_id=next_block(state, "interrupt", "recover"),
        locale=state.locale,
        now=deps.clock(),
        days=deps.limits.interaction_days,
        unreachable=code in UNREACHABLE,
    )


def recovery_offer(
    *,
    identity: str,
    node: NodeName,
    block_id: str,
    locale: str,
    now: datetime,
    days: float,
    unreachable: bool = False,
) -> OpenInteraction:
    """Offers to go on from `node`, for `days`; `unreachable` when it was the model that did not answer."""
    interrupted = "刚才的处理被中断了，可以从上次保存的地方继续。"
    asked = "模型没有响应，可以稍后从上次保存的地方继续。" if unreachable else interrupted
    return OpenInteraction(
        id=identity,
        type="connection_recover",
        subject="recover",
        resume_node=node,
        question=text(asked, locale),
        block_id=block_id,
        card={"streamed": False},
        **_lifetime(now, days),
    )


def event_of(pending: OpenInteraction) -> Event:
    """Returns the event that announces an interaction."""
    if pending.type == "confirm":
        stage: Any = pending.block_id.split(".", 1)[0]
        return ConfirmRequested(
            stage=stage,
            block_id=pending.block_id,
            interaction_id=pending.id,
            expires_at=pending.expires_at,
            **pending.card,
        )
    return InterruptRaised(
        stage="interrupt",
        block_id=pending.block_id,
        interaction_id=pending.id,
        interaction_type=pending.type,
        question=pending.question,
        options=[{"id": row.id, "label": row.label} for row in pending.options],
        streamed=bool(pending.card.get("streamed")),
        expires_at=pending.expires_at,
    )

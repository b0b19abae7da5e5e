"""Status codes and their words, and the one function that announces them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from agent.loop.events import StatusChanged
from agent.loop.interactions import NodeName
from agent.loop.outside.deps import Deps
from agent.loop.state.agent_state import AgentState
from taskclasses.kernel.i18n import text

STATUSES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "chat": {
            "accepted": "收到，开始处理",
            "planning": "先拟一份计划",
            "resumed": "收到补充，继续处理",
            "confirmed": "已确认，继续执行",
            "rejected": "已拒绝这一步，重新考虑",
            "cancelled": "已停止本次任务",
            "recovering": "从上次保存处继续",
        },
        "plan": {"planning": "正在规划步骤", "plan_auto_confirmed": "计划已自动确认"},
        "confirm": {"plan_confirm": "等待确认计划", "tool_confirm": "等待确认操作"},
        "rough_build": {
            "rough_building": "正在智能排程",
            "rough_build_need_time_window": "任务类缺少日期，无法排程",
            "rough_build_failed": "时间窗放不下全部内容",
            "rough_build_partial": "已排入 {placed} 项，{left} 项未排",
            "rough_build_done": "初稿完成，开始体检",
            "rough_build_done_no_refine": "初稿完成",
        },
        "execute": {
            "executing": "正在处理（第 {k}/{n} 步：{step}）",
            "diagnosing": "正在体检",
        },
        "interrupt": {"ask_user": "等待你的回答", "confirm": "等待你的确认", "interrupted": "运行中断"},
        "deliver": {"summarizing": "正在总结", "done": "已完成"},
    }
)
ANY_STAGE: Mapping[str, str] = MappingProxyType(
    {
        "rechecking": "正在重新核对",
        "draft_rebased": "课表有变化，已重新载入草稿",
        "context_compact_start": "正在整理较长的对话",
        "context_compact_done": "整理完成",
    }
)


def status_event(locale: str, stage: NodeName, code: str, **values: object) -> StatusChanged:
    """Returns the event of a status, in the language of `locale`."""
    message = STATUSES[stage].get(code) or ANY_STAGE[code]
    return StatusChanged(stage=stage, block_id=f"{stage}.status", code=code, summary=text(message, locale, **values))


async def announce(state: AgentState, deps: Deps, stage: NodeName, code: str, **values: object) -> None:
    """Emits a status unless the run's last one said exactly this."""
    event = status_event(state.locale, stage, code, **values)
    if deps.tally.last_status == (event.code, event.summary):
        return
    deps.tally.last_status = (event.code, event.summary)
    await deps.emit(event)

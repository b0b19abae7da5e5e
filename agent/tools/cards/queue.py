"""Cards of the queue: reads as schedule.read_result, the skip as schedule.operation_result."""

from __future__ import annotations

from agent.calls.kinds import Json
from agent.calls.values import ToolOutcome
from agent.tools.cards.operation import operation_extra, queue_section
from agent.tools.cards.parts.kit import Content, Lang, callout, items_section, metric
from agent.tools.cards.parts.rows import task_item


def queue_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data = outcome.data
    current = data.get("current")
    shown = (task_item(lang, current),) if current else ()
    failure = data.get("last_error", "")
    return Content(
        title=queue_title(lang, data),
        metrics=(
            metric(lang.t("待处理"), str(data["pending_count"])),
            metric(lang.t("已完成"), str(data["completed_count"])),
            metric(lang.t("已跳过"), str(data["skipped_count"])),
        ),
        items=shown,
        sections=(
            items_section(lang.t("当前处理"), shown),
            items_section(lang.t("待处理"), [task_item(lang, row) for row in data.get("next", [])]),
            callout(lang.t("最近一次失败"), failure_words(lang, failure), tone="warning"),
        ),
    )


def queue_title(lang: Lang, data: Json) -> str:
    if data.get("has_head"):
        return lang.t("队首任务：{task}", task=lang.task(data["current"]))
    if not data["pending_count"] and "current" not in data:
        return lang.t("队列为空")
    return lang.t("队列待处理 {n} 项", n=data["pending_count"])


def failure_words(lang: Lang, code: str) -> str:
    """Returns the last failure of the current task: the broken rule in words, else that it could not be moved."""
    rule = code.partition("/")[2]
    if rule:
        return lang.rule(rule)
    return lang.t("没有移动成功") if code else ""


def skip_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data = outcome.data
    row = {"task_id": data["skipped_task_id"], "name": data["name"]}
    reason = lang.pair(lang.t("原因"), lang.name(data["reason"])) if data["reason"] else ""
    return Content(
        title=lang.t("{label}成功", label=lang.t("跳过队首任务")),
        subtitle=lang.clauses(part for part in (lang.task(row), reason) if part),
        sections=(queue_section(lang, data),),
        extra=operation_extra(lang, data, []),
    )

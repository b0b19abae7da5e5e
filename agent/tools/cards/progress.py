"""Cards of what happens in a term: re-planning and marks (schedule.operation_result), why an item is where it is."""

from __future__ import annotations

from agent.calls.kinds import Json
from agent.calls.phrase import clip_text
from agent.calls.values import ToolOutcome
from agent.tools.cards.operation import operation_extra, operation_view
from agent.tools.cards.parts.kit import LINE_LIMIT, Content, Lang, callout, item, items_section, metric
from agent.tools.words import labels
from agent.tools.words.replan import LEFT


def replan_view(lang: Lang, outcome: ToolOutcome) -> Content:
    """Returns the changes as any write shows them, in plain sentences with dates first, and what found no place
    last."""
    data = outcome.data
    common = operation_view(lang, outcome, label="重新安排")
    kind = lang.t(labels.REPLAN_KINDS[data["kind"]])
    told = callout(lang.t("怎么改的"), kind, lines=data["shown"])
    return Content(
        title=common.title,
        subtitle=data["shown"][0] if len(data["shown"]) == 1 else common.subtitle,
        metrics=(*common.metrics, metric(lang.t("不动"), lang.t("{n} 项", n=data["stays"]))),
        sections=(told, *common.sections, *_left_sections(lang, data)),
        extra=common.extra,
    )


def preview_view(lang: Lang, outcome: ToolOutcome) -> Content:
    """Returns what would move, in plain sentences with dates, and that nothing was written."""
    data = outcome.data
    return Content(
        title=lang.t("预演：{kind}", kind=lang.t(labels.REPLAN_KINDS[data["kind"]])),
        subtitle=lang.t("只是看看，什么都没有写入"),
        metrics=(
            metric(lang.t("会移动"), lang.t("{n} 项", n=len(data["changes"]))),
            metric(lang.t("不动"), lang.t("{n} 项", n=data["stays"])),
        ),
        sections=(
            callout(lang.t("怎么改的"), "", lines=data["shown"]),
            *_left_sections(lang, data),
        ),
    )


def _left_sections(lang: Lang, data: Json) -> tuple[Json, ...]:
    """Returns what breaks a condition where it stays, and what found no place."""
    rows = [
        (row.get("stays", False), item(lang.task(row), _rule(lang, row["rule"]), meta={"task_id": row["task_id"]}))
        for row in data["left"]
    ]
    return (
        items_section(lang.t("留在原处的任务"), [row for stays, row in rows if stays]),
        items_section(lang.t("放不下的任务"), [row for stays, row in rows if not stays]),
    )


def _rule(lang: Lang, rule: str) -> str:
    if rule in labels.RULES:
        return lang.rule(rule)
    return lang.t(LEFT[rule]) if rule in LEFT else lang.t("没有空的位置")


def mark_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data = outcome.data
    rows = [_mark_row(lang, row, row["task_id"] in data.get("freed", ())) for row in data["marks"]]
    return Content(
        title=lang.t("已标记：{progress}", progress=lang.t(labels.PROGRESS[data["progress"]])),
        subtitle=_names(lang, data),
        metrics=(metric(lang.t("任务数"), lang.t("{n} 个", n=len(rows))),),
        sections=(items_section(lang.t("任务项"), rows),),
        extra=operation_extra(lang, data, []),
    )


def _mark_row(lang: Lang, row: Json, freed: bool) -> Json:
    lines = [lang.t("还剩 {n} 节", n=row["sections_left"])] if row["sections_left"] else []
    if freed:
        lines.append(lang.t("原来的时间空出来了"))
    return item(lang.task(row), lang.t(labels.PROGRESS[row["progress"]]), lines=lines, meta={"task_id": row["task_id"]})


def _names(lang: Lang, data: Json) -> str:
    return clip_text(lang.join_parts(lang.task(row) for row in data["marks"]), LINE_LIMIT)


def marks_sentence(lang: Lang, data: Json) -> str:
    """Returns what a consent card asks about marks."""
    left = {row["sections_left"] for row in data["marks"]} - {None}
    words = lang.t(labels.PROGRESS[data["progress"]])
    if len(left) == 1:
        words = lang.clauses((words, lang.t("还剩 {n} 节", n=left.pop())))
    return lang.t("把{tasks}标为「{progress}」？", tasks=_names(lang, data), progress=words)


def why_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data = outcome.data
    parts = [item(part["message"]) for part in data["parts"]]
    return Content(
        title=lang.name(data["task"]["name"]),
        subtitle=data["shown"],
        sections=(items_section(lang.t("原因"), parts),),
    )

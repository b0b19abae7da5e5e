"""Cards of writes on the draft (schedule.operation_result)."""

from __future__ import annotations

from agent.calls.kinds import Json
from agent.calls.values import ToolOutcome
from agent.tools.cards.parts.kit import Content, Lang, item, items_section, kv_section, metric
from agent.tools.words import labels

OPERATION_TITLES = "{label}成功"


def operation_view(lang: Lang, outcome: ToolOutcome, *, label: str) -> Content:
    data = outcome.data
    changes = data.get("changes", [])
    return Content(
        title=lang.t(OPERATION_TITLES, label=lang.t(label)),
        subtitle=changes_sentence(lang, data),
        metrics=tuple(operation_metrics(lang, data)),
        sections=(changes_section(lang, data), days_section(lang, data), queue_section(lang, data)),
        extra=operation_extra(lang, data, changes),
    )


def operation_failure(lang: Lang, outcome: ToolOutcome) -> Content:
    """Returns the parts of a failed write beyond the common failure card."""
    data, error = outcome.data, outcome.error
    extra = operation_extra(lang, data, [])
    if error is not None:
        extra["failure_reason"] = error.text(lang.locale)
    return Content("", sections=(queue_section(lang, data),), extra=extra)


def operation_extra(lang: Lang, data: Json, changes: list[Json]) -> Json:
    operation = data.get("operation", "")
    extra: Json = {
        "operation": operation,
        "operation_label": lang.t(labels.OPERATIONS[operation]) if operation in labels.OPERATIONS else "",
        "changes": changes,
        "affected_days": data.get("affected_days", []) if changes else [],
    }
    if "queue_snapshot" in data:
        extra["queue_snapshot"] = data["queue_snapshot"]
    return extra


def operation_metrics(lang: Lang, data: Json) -> list[Json]:
    shown = [metric(lang.t("任务数"), lang.t("{n} 个", n=len(data["changes"])))] if data.get("changes") else []
    if data.get("affected_days"):
        shown.append(metric(lang.t("影响天数"), lang.t("{n} 天", n=len(data["affected_days"]))))
    before, after = data.get("cost_before"), data.get("cost_after")
    if before is not None and after is not None:
        shown.append(metric(lang.t("整体安排"), lang.better(before, after)))
    return shown


def changes_sentence(lang: Lang, data: Json) -> str:
    """Returns the one-sentence change: the only one in full, several by their number."""
    changes = data.get("changes", [])
    if not changes:
        return ""
    first = lang.pair(lang.task(changes[0]), short_route(lang, changes[0]))
    if len(changes) == 1:
        return first
    return lang.t("{first} 等 {n} 项", first=first, n=len(changes))


def spot_words(lang: Lang, spot: Json | None) -> str:
    return lang.status("pending") if spot is None else lang.place(spot)


def short_route(lang: Lang, change: Json) -> str:
    return spot_words(lang, change["after"]) if change["before"] is None else route(lang, change)


def route(lang: Lang, change: Json) -> str:
    before, after = (spot_words(lang, change[key]) for key in ("before", "after"))
    return f"{before} → {after}"


def change_item(lang: Lang, change: Json, data: Json) -> Json:
    spot = change["after"] or {}
    host = data.get("hosts", {}).get(str(spot.get("embed_course_event_id")))
    lines = [lang.pair(lang.t("嵌入课程"), lang.task(host))] if host else []
    if change["task_id"] in data.get("applied", []):
        lines.append(lang.t("已写入课表"))
    tags = [lang.t(labels.OPERATIONS[change["op"]]), lang.t("嵌入") if host else ""]
    return item(lang.task(change), route(lang, change), tags=tags, lines=lines, meta={"task_id": change["task_id"]})


def changes_section(lang: Lang, data: Json) -> Json:
    return items_section(lang.t("变更"), [change_item(lang, one, data) for one in data.get("changes", [])])


def days_section(lang: Lang, data: Json) -> Json:
    rows = [
        item(
            lang.day(row),
            lang.t("占用 {before} → {after} / {sections}", **{k: row[k] for k in ("before", "after", "sections")}),
            meta={"day": row["day"]},
        )
        for row in data.get("loads", [])
    ]
    return items_section(lang.t("影响日期"), rows)


def queue_section(lang: Lang, data: Json) -> Json:
    if "pending_count" not in data:
        return kv_section(lang.t("队列"), [])
    return kv_section(
        lang.t("队列"),
        [
            (lang.t("待处理"), str(data["pending_count"])),
            (lang.t("已完成"), str(data["completed_count"])),
            (lang.t("已跳过"), str(data["skipped_count"])),
        ],
    )

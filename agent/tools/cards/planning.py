"""The card under which the rough build reports itself (`smart_planning`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from agent.calls.kinds import Json
from agent.calls.phrase import one_line
from agent.calls.tool import ToolAnnouncement, ToolResult
from agent.calls.values import BuildReport, Change, ToolError
from agent.tools.cards.arguments import argument_view
from agent.tools.cards.operation import changes_section, days_section, operation_metrics
from agent.tools.cards.parts.kit import Content, Lang, callout, item, items_section, kv_section, metric, result_view
from agent.tools.cards.result import publish_result
from agent.tools.cards.wishes import standings_section
from agent.tools.draft.mutation import changes_between, touched_days, write_data
from agent.tools.draft.wishes import standings_json
from agent.tools.words import observations
from schedules.planner.diagnosis.trade_offs import WishCosts
from schedules.planner.draft.state import ScheduleState

NAME = "smart_planning"
LABEL = "智能排程"


def planning_announcement(classes: Mapping[int, str], locale: str) -> ToolAnnouncement:
    """Announces the build of these classes, name by id, before it begins."""
    lang = Lang(locale)
    view = arguments_of(lang, list(classes), list(classes.values()))
    preview = view["collapsed"]["summary"]
    intent = lang.pair(lang.t(LABEL), preview)
    return ToolAnnouncement(NAME, lang.t("正在为任务类智能排程"), preview, view, intent)


def arguments_of(lang: Lang, ids: list[int], names: list[str]) -> Json:
    return argument_view({"task_class_ids": ids}, lang=lang, draft=None, names=dict(zip(ids, names, strict=True)))


def planning_result(
    call_id: str,
    report: BuildReport,
    error: ToolError | None,
    *,
    locale: str,
    before: ScheduleState | None,
    after: ScheduleState | None,
    costs: WishCosts,
) -> ToolResult:
    """Makes the result card; `before` and `after` are the drafts around the one change, `costs` what the wishes of the
    latter cost; without `after` nothing was written."""
    lang = Lang(locale, after or before)
    changes = changes_between(before, after) if before is not None and after is not None else ()
    facts: Json = {**report}
    if before is not None and after is not None:
        facts = {**write_data(NAME, before, after, changes), **report, "affected_days": touched_days(changes)}
        if after.wishes:
            facts["standings"] = standings_json(after, {meta.id: meta.name for meta in after.task_classes}, costs)
    observation = describe_observation(facts, error)
    view = planning_view(lang, facts, error, changes=changes, observation=observation)
    return publish_result(
        call_id,
        NAME,
        view,
        arguments=arguments_of(lang, report["task_class_ids"], report["class_names"]),
        locale=locale,
        observation=observation,
        changes=changes,
        revision=after.revision if after is not None else None,
        error=error,
    )


def lost_planning(call_id: str, error: ToolError, *, arguments: Json, locale: str) -> ToolResult:
    """Returns the card of a build whose end nobody saw; `arguments` is the view that its start showed."""
    observation = observations.failure_text(error)
    view = planning_view(Lang(locale), {}, error, changes=(), observation=observation)
    return publish_result(call_id, NAME, view, arguments=arguments, locale=locale, observation=observation, error=error)


def planning_view(
    lang: Lang, data: Json, error: ToolError | None, *, changes: tuple[Change, ...], observation: str
) -> Json:
    content = build_failure_content(lang, data, error) if error else build_success_content(lang, data)
    extra = {
        "operation": NAME,
        "operation_label": lang.t(LABEL),
        "changes": [one.to_json() for one in changes],
        "affected_days": data.get("affected_days", []),
        **({"failure_reason": error.text(lang.locale)} if error else {}),
    }
    return result_view(
        "schedule.operation_result",
        replace(content, extra=extra),
        lang=lang,
        status=error.status if error else "done",
        observation=observation,
        payload=data,
    )


def describe_observation(data: Json, error: ToolError | None) -> str:
    """Returns what the model reads: numbers, and the items that do not fit with the rule that stopped them."""
    left = "；".join(f"[{one['task_id']}]{one_line(one['name'])}（{one['rule']}）" for one in data.get("left", []))
    told = f"未排入：{left}。" if left else ""
    if error is None:
        return f"已排{data['placed']}项；待安排{len(data.get('left', []))}项。{told}"
    names = "、".join(one_line(name) for name in data["class_names"])
    words = (("needed", "需要"), ("available", "可用"), ("missing", "缺少"))
    numbers = "".join(f"，{word}{data[key]}节" for key, word in words if key in data)
    return f"失败[{error.code}]：{names}没有排完{numbers}。{told}草稿未改动。"


def build_success_content(lang: Lang, data: Json) -> Content:
    left = data.get("left", [])
    names = lang.join_parts(lang.name(name) for name in data["class_names"])
    message = "{names}：{n} 项全部排入" if not left else "{names}：排入 {n} 项，{m} 项未排入"
    return Content(
        title=lang.t("已排 {n} 项", n=data["placed"]),
        subtitle=lang.t(message, names=names, n=data["placed"], m=len(left)),
        metrics=tuple(operation_metrics(lang, data)),
        sections=(
            changes_section(lang, data),
            days_section(lang, data),
            left_section(lang, data),
            *([standings_section(lang, data["standings"])] if data.get("standings") else []),
        ),
    )


def build_failure_content(lang: Lang, data: Json, error: ToolError) -> Content:
    rows = [
        (lang.t("需要"), lang.length(data["needed"]) if "needed" in data else ""),
        (lang.t("可用"), lang.length(data["available"]) if "available" in data else ""),
        (lang.t("缺少"), lang.length(data["missing"]) if "missing" in data else ""),
    ]
    metrics = (metric(lang.t("未排入"), lang.t("{n} 项", n=len(data["left"]))),) if data.get("left") else ()
    left, reason = len(data.get("left", [])), error.text(lang.locale)
    gap = lang.t("缺 {n} 节，{m} 项放不下", n=data["missing"], m=left) if data.get("missing") else ""
    undated = reason if error.code == "rough_build_window_missing" else ""
    return Content(
        title=gap or undated or lang.t("{label}失败", label=lang.t(LABEL)),
        subtitle=reason,
        metrics=metrics,
        sections=(
            callout(lang.t("执行失败"), reason, tone="danger"),
            kv_section(lang.t("节数"), rows),
            left_section(lang, data),
        ),
    )


def left_section(lang: Lang, data: Json) -> Json:
    rows = [
        item(lang.task(one), lang.rule(one["rule"]) if one.get("rule") else "", meta={"task_id": one["task_id"]})
        for one in data.get("left", [])
    ]
    return items_section(lang.t("未排入"), rows)

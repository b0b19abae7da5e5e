"""Cards of the diagnosis (schedule.analysis_result): its codes and numbers in words."""

from __future__ import annotations

from agent.calls.kinds import Json
from agent.calls.values import ToolOutcome
from agent.tools.cards.parts.kit import Content, Lang, callout, item, items_section, kv_section, metric
from schedules.planner.diagnosis.trade_offs import effect_words

VERDICTS = {
    "continue": "综合体检：建议继续微调",
    "close": "综合体检：这样就挺好",
    "ask_user": "综合体检：需要你决定",
    "infeasible": "综合体检：放不下",
}
CONCLUSIONS = {"continue": "建议继续微调", "close": "这样就挺好", "ask_user": "需要你决定", "infeasible": "放不下"}
NEXT_STEPS = {
    "close": "保持现在的安排",
    "ask_user": "请你决定没有安排的任务怎么处理",
    "infeasible": "请你决定：改日期、放宽要求，或者缩小范围",
}
SLACK = {"loose": "宽裕", "tight": "紧张", "locked": "无"}
SEVERITIES = {"critical": "高风险", "warning": "需关注", "info": "提示"}
EFFECTS = {"improve": "明显改善", "partial_improve": "部分改善", "close": "就这样"}
FORCED = {
    "locked": "剩下的问题已经没有可移动的余地",
    "no_improving_candidate": "剩下的问题没有更好的安排",
    "stagnation": "继续调整已不再改善",
}
DAY_ISSUES = {
    "issue_rhythm_heavy_adjacent_day": "{day}高强度内容相邻",
    "issue_rhythm_switch_day": "{day}科目切换太多",
    "issue_rhythm_switch_warn_day": "{day}科目切换偏多",
    "issue_rhythm_long_block_day": "{day}连续学习时间过长",
    "issue_rhythm_crowded_day": "{day}同一任务类过于集中",
    "issue_load_overfull_day": "{day}安排过满",
    "issue_wish_day": "{day}比你希望的排得多",
}
CLASS_ISSUES = {
    "issue_slack_class": "「{name}」拖到了最后几天",
    "issue_fit_class": "「{name}」落在晚上或水课里",
    "issue_wish_class": "「{name}」有任务不合你的愿望",
}
OTHER_ISSUES = {
    "issue_feasibility_capacity_gap": "可用时间不够",
    "issue_pending_items": "还有任务没有安排",
    "issue_semantic_profile_missing": "任务类画像不完整",
    "issue_rhythm_info": "学习节奏没有明显问题",
}


def issue_words(lang: Lang, issue_id: str, names: Json) -> str:
    """Returns the sentence of an issue id: the day or the class it speaks of is in the id."""
    if issue_id in OTHER_ISSUES:
        return lang.t(OTHER_ISSUES[issue_id])
    head, _, tail = issue_id.rpartition("_")
    if head in DAY_ISSUES and tail in names["days"]:
        return lang.t(DAY_ISSUES[head], day=lang.day(names["days"][tail]))
    if head in CLASS_ISSUES:
        return lang.t(CLASS_ISSUES[head], name=lang.name(names["classes"].get(tail, "")))
    return lang.t("其他问题")


def health_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data, names = outcome.data, outcome.data["names"]
    decision = data["decision"]
    options = [option_item(lang, one, data) for one in decision["candidates"]]
    issues = [issue_item(lang, one, names) for one in data["issues"]]
    traded = [trade_item(lang, one, names) for one in decision.get("trade_offs", ())]
    return Content(
        title=lang.t(VERDICTS[data["verdict"]]),
        subtitle=main_words(lang, data),
        metrics=tuple(health_metrics(lang, data)),
        items=tuple(options),
        sections=(
            kv_section(lang.t("裁决结论"), conclusion(lang, data)),
            kv_section(lang.t("关键指标"), key_figures(lang, data)),
            items_or_words(lang.t("问题清单"), issues, lang.t("没有需要继续调整的问题")),
            items_or_words(lang.t("候选操作"), options, lang.t("没有需要选择的操作")),
            *([items_section(lang.t("可以取舍"), traded)] if traded else ()),
            next_step(lang, data),
        ),
    )


def items_or_words(title: str, items: list[Json], words: str) -> Json:
    return items_section(title, items) if items else callout(title, words)


def next_step(lang: Lang, data: Json) -> Json:
    """Returns what the diagnosis recommends: its first candidate, or what the verdict leaves to the student."""
    title, verdict = lang.t("建议后续动作"), data["verdict"]
    if verdict == "continue":
        first = data["decision"]["candidates"][0]
        return callout(title, option_words(lang, first, data["names"]), lines=effect_lines(lang, first, data))
    better = data["decision"].get("new_plan")
    if better and better["moves"]:
        values = {"n": better["better_percent"], "m": better["moves"]}
        return callout(title, lang.t("整个重新排一遍会好约 {n}%，要动 {m} 项", **values), tone="warning")
    return callout(title, lang.t(NEXT_STEPS[verdict]), tone="success" if verdict == "close" else "warning")


def main_words(lang: Lang, data: Json) -> str:
    gap = data["metrics"]["feasibility"]["capacity_gap"]
    if gap:
        return lang.t("还缺 {n} 节", n=gap)
    issue = data["decision"]["primary_issue_id"]
    return issue_words(lang, issue, data["names"]) if issue else lang.t("没有需要继续调整的问题")


def health_metrics(lang: Lang, data: Json) -> list[Json]:
    rhythm, tightness = data["metrics"]["rhythm"], data["metrics"]["tightness"]
    shown = [
        metric(lang.t("高强度相邻"), lang.t("{n} 天", n=rhythm["heavy_adjacent_days"])),
        metric(lang.t("最大切换"), lang.t("{n} 次", n=rhythm["max_switch_count"])),
        metric(lang.t("可移动"), lang.t("{n} 项", n=tightness["locally_movable_task_count"])),
        metric(lang.t("空档"), lang.t(SLACK[tightness["tightness_level"]])),
    ]
    gap = data["metrics"]["feasibility"]["capacity_gap"]
    missing = data["metrics"]["profile"]["missing_complete_profile_count"]
    if gap:
        shown.append(metric(lang.t("缺口"), lang.length(gap)))
    elif missing:
        shown.append(metric(lang.t("画像缺失"), lang.t("{n} 类", n=missing)))
    return shown


def conclusion(lang: Lang, data: Json) -> list[tuple[str, str]]:
    decision = data["decision"]
    forced = FORCED.get(decision.get("forced_reason", ""), "")
    issue = decision["primary_issue_id"]
    return [
        (lang.t("结论"), lang.t(CONCLUSIONS[data["verdict"]])),
        (lang.t("主要问题"), issue_words(lang, issue, data["names"]) if issue else ""),
        (lang.t("说明"), lang.t(forced) if forced else ""),
    ]


def key_figures(lang: Lang, data: Json) -> list[tuple[str, str]]:
    metrics = data["metrics"]
    rhythm, tightness, feasibility = metrics["rhythm"], metrics["tightness"], metrics["feasibility"]
    return [
        (lang.t("高强度相邻"), lang.t("{n} 天", n=rhythm["heavy_adjacent_days"])),
        (lang.t("最大切换"), lang.t("{n} 次", n=rhythm["max_switch_count"])),
        (lang.t("日均切换"), lang.t("{n} 次", n=rhythm["avg_switches_per_day"])),
        (lang.t("可移动"), lang.t("{n} 项", n=tightness["locally_movable_task_count"])),
        (lang.t("空档"), lang.t(SLACK[tightness["tightness_level"]])),
        (lang.t("待安排"), lang.t("{n} 项", n=feasibility["pending_count"])),
        (lang.t("缺口"), lang.length(feasibility["capacity_gap"])),
    ]


def issue_item(lang: Lang, issue: Json, names: Json) -> Json:
    tasks = [task_words(lang, task, names) for task in issue.get("scope", {}).get("task_ids", [])]
    lines = [lang.pair(lang.t("相关任务"), lang.join_parts(tasks))] if tasks else []
    return item(
        issue_words(lang, issue["issue_id"], names),
        tags=[lang.t(SEVERITIES[issue["severity"]])],
        lines=lines,
        meta={"issue_id": issue["issue_id"]},
    )


def task_words(lang: Lang, task_id: int, names: Json) -> str:
    return lang.task(names["tasks"].get(str(task_id), {"name": ""}))


def option_item(lang: Lang, one: Json, data: Json) -> Json:
    names = data["names"]
    effect = lang.t(EFFECTS[one["effect"]])
    meta = {"candidate_id": one["candidate_id"], "tool": one["tool"], "arguments": one["arguments"]}
    if one["effect"] == "close":
        return item(lang.t("保持现状"), tags=[effect], meta=meta)
    return item(option_words(lang, one, names), tags=[effect], lines=effect_lines(lang, one, data), meta=meta)


def trade_item(lang: Lang, one: Json, names: Json) -> Json:
    """Returns a step that gives something up for something else; the student says whether it is worth it."""
    meta = {"tool": one["tool"], "arguments": one["arguments"]}
    return item(option_words(lang, one, names), effect_words(one, lang.locale), meta=meta)


def option_words(lang: Lang, one: Json, names: Json) -> str:
    values = one["arguments"]
    if one["tool"] == "swap":
        tasks = [task_words(lang, values[key], names) for key in ("task_a", "task_b")]
        return lang.t("交换 {a} 与 {b}", a=tasks[0], b=tasks[1])
    length = names["tasks"].get(str(values["task_id"]), {"duration": 1})["duration"]
    first = values["new_slot_start"]
    place = lang.day_sections(names["days"][str(values["new_day"])], first, first + length - 1)
    return lang.t("把 {task} 移到{place}", task=task_words(lang, values["task_id"], names), place=place)


def effect_lines(lang: Lang, one: Json, data: Json) -> list[str]:
    rhythm, after = data["metrics"]["rhythm"], one["after"]
    rows = [
        ("高强度相邻", rhythm["heavy_adjacent_days"], after["heavy_adjacent_days"]),
        ("最大切换", rhythm["max_switch_count"], after["max_switch_count"]),
    ]
    told = [lang.pair(lang.t(label), f"{old} → {new}") for label, old, new in rows if old is not None and old != new]
    old, new = data["metrics"]["cost"]["total"], after["cost_total"]
    return [lang.pair(lang.t("整体安排"), lang.better(old, new)), *told] if new is not None and old != new else told


RHYTHM_TITLES = {"": "学习节奏：平稳", "warning": "学习节奏：有待微调", "critical": "学习节奏：存在高风险"}


def rhythm_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data, names = outcome.data, outcome.data["names"]
    overview = data["metrics"]["overview"]
    severities = {one["severity"] for one in data["issues"]}
    worst = "critical" if "critical" in severities else "warning" if "warning" in severities else ""
    marked = [row for row in data["metrics"]["days"] if row["heavy_adjacent"] or row["switch_count"] >= 3]
    return Content(
        title=lang.t(RHYTHM_TITLES[worst]),
        subtitle=lang.t("日均切换 {n} 次", n=overview["avg_switches_per_day"]),
        metrics=(
            metric(lang.t("高强度相邻"), lang.t("{n} 天", n=overview["heavy_adjacent_days"])),
            metric(lang.t("最大切换"), lang.t("{n} 次", n=overview["max_switch_count"])),
        ),
        sections=(
            kv_section(lang.t("概览"), rhythm_figures(lang, overview)),
            items_section(lang.t("问题日"), [rhythm_day(lang, row) for row in marked]),
            items_section(lang.t("问题清单"), [issue_item(lang, one, names) for one in data["issues"]]),
            items_section(lang.tc("section", "建议"), [action_item(lang, one, names) for one in data["next_actions"]]),
        ),
    )


def rhythm_figures(lang: Lang, overview: Json) -> list[tuple[str, str]]:
    return [
        (lang.t("日均切换"), lang.t("{n} 次", n=overview["avg_switches_per_day"])),
        (lang.t("最大切换"), lang.t("{n} 次", n=overview["max_switch_count"])),
        (lang.t("平均连续"), lang.t("{n} 节", n=overview["avg_block_size"])),
        (lang.t("最长同科连续"), lang.t("{n} 节", n=overview["longest_same_subject_run"])),
        (lang.t("高强度天数"), lang.t("{n} 天", n=overview["high_intensity_days"])),
        (lang.t("高强度相邻"), lang.t("{n} 天", n=overview["heavy_adjacent_days"])),
    ]


def rhythm_day(lang: Lang, row: Json) -> Json:
    lines = [lang.pair(lang.t("顺序"), " → ".join(lang.name(name) for name in row["sequence"]))]
    words = lang.t("切换 {n} 次", n=row["switch_count"])
    tags = [lang.t("高强度相邻")] if row["heavy_adjacent"] else []
    return item(lang.day(row), words, tags=tags, lines=lines, meta={"day": row["day"]})


INTENTS = {"reduce_switch": "减少科目切换", "smooth_rhythm": "错开高强度内容"}


def action_item(lang: Lang, one: Json, names: Json) -> Json:
    days = [lang.day(names["days"][str(day)]) for day in one["day_range"] if str(day) in names["days"]]
    return item(
        lang.t(INTENTS.get(one["intent"], "其他问题")), lang.join_parts(days), meta={"action_id": one["action_id"]}
    )

"""The diagnosis in sentences."""

from __future__ import annotations

from schedules.planner.diagnosis.candidates import Step
from schedules.planner.diagnosis.issues import Issue
from schedules.planner.diagnosis.plan_facts import Picture
from schedules.planner.diagnosis.rhythm_days import rhythm_metrics
from taskclasses.kernel.i18n import text

SENTENCES = {
    "capacity_gap": "可用时间还缺{n}节",
    "pending_count": "还有{n}项任务没有排下",
    "heavy_pairs": "第{day}天两门高强度内容相邻",
    "switch_count": "第{day}天科目切换{n}次",
    "high_run": "第{day}天连续{n}节高强度学习",
    "max_block": "第{day}天同一任务类连排{n}节",
    "blocks_over_allowance": "第{day}天「{class}」排得过密",
    "overload_halves": "第{day}天排得过满",
    "free_sections": "第{day}天没有留出空闲",
    "items_in_slack_zone": "「{class}」有{n}项拖到最后几天",
    "fit_cost": "「{class}」有{items}项排在晚上或水课里",
    "sections_against_wishes": "「{class}」有{items}项不合你的愿望",
    "sections_over_wish": "第{day}天比你希望的排得多",
    "missing_complete_profile_count": "有{n}个任务类没有填写画像",
    "rhythm_issues": "学习节奏没有问题",
}
"""Trigger metric -> what a person reads."""


def issue_text(issue: Issue, picture: Picture, locale: str) -> str:
    metric, _, _, actual = issue.trigger
    class_id = issue.names.get("class_id")
    meta = None if class_id is None else picture.scene.state.task_class(class_id)
    values = {
        "n": actual,
        "day": min(issue.days, default=0),
        "class": "" if meta is None else meta.name,
        "items": issue.names.get("n", 0),
    }
    return text(SENTENCES[metric], locale, **values)


def step_text(step: Step, before: Picture, after: Picture, totals: tuple[int, int], locale: str) -> str:
    """Returns one line for a candidate: what moves where, what becomes better, the cost before and after."""
    parts = [_step_words(step, before, locale)]
    old, new = rhythm_metrics(before.days), rhythm_metrics(after.days)
    for metric, sentence in (
        ("heavy_adjacent_days", "高强度相邻 {a}→{b} 天"),
        ("max_switch_count", "单日最多切换 {a}→{b} 次"),
    ):
        if new[metric] < old[metric]:
            parts.append(text(sentence, locale, a=old[metric], b=new[metric]))
            break
    parts.append(text("评分 {a}→{b}", locale, a=totals[0], b=totals[1]))
    return text("{what}：{effects}", locale, what=parts[0], effects=text("，", locale).join(parts[1:]))


def _step_words(step: Step, picture: Picture, locale: str) -> str:
    names = [f"[{block.state_id}]{_name(picture, block.state_id)}" for block in step.blocks]
    if step.tool == "swap":
        return text("交换{a}与{b}", locale, a=names[0], b=names[1])
    place = step.spots[0].place
    day = picture.scene.index_of(place.day)
    sentence = "把{task}移到第{day}天{a}节" if place.length == 1 else "把{task}移到第{day}天{a}-{b}节"
    return text(sentence, locale, task=names[0], day=day, a=place.first, b=place.last)


def _name(picture: Picture, state_id: int) -> str:
    entry = picture.scene.state.task(state_id)
    assert entry is not None
    return entry.name

"""What each metric means, for the model that reads it."""

from __future__ import annotations

from collections.abc import Mapping

from schedules.planner.cost.objective import TERMS

Row = dict[str, str]
LOWER, HIGHER, NEUTRAL = "lower_is_better", "higher_is_better", "neutral"


def _row(description: str, unit: str, direction: str) -> Row:
    return {"description": description, "unit": unit, "direction": direction}


RHYTHM: dict[str, Row] = {
    "avg_switches_per_day": _row("有任务的日子里平均每天的科目切换", "次/天", LOWER),
    "max_switch_count": _row("单日最多的科目切换", "次", LOWER),
    "max_switch_day": _row("首个达到最多切换的窗口日，没有切换为 0", "天序号", NEUTRAL),
    "avg_block_size": _row("同一任务类相邻连排的平均长度", "节", NEUTRAL),
    "longest_same_subject_run": _row("同一任务类相邻连排的最大长度", "节", LOWER),
    "heavy_adjacent_days": _row("有两门不同高强度任务相邻的天数", "天", LOWER),
    "high_intensity_days": _row("有高强度任务的天数", "天", NEUTRAL),
    "long_high_intensity_days": _row("高强度连续 4 节及以上的天数", "天", LOWER),
    "fragmented_count": _row("切换过多的天数", "天", LOWER),
    "compressed_run_count": _row("连排过长的天数", "天", LOWER),
    "block_balance": _row("过碎天数减过密天数，正为碎，负为密", "天", NEUTRAL),
    "same_type_transition_ratio": _row("相邻任务学科类型相同的比例", "比例", HIGHER),
}

TIGHTNESS: dict[str, Row] = {
    "locally_movable_task_count": _row("抽样任务中附近有替代位置的个数", "个", HIGHER),
    "avg_local_alternative_slots": _row("抽样任务在前后 3 天内的平均替代位置，每个至多计 4", "个", HIGHER),
    "cross_class_swap_options": _row("附近可交换的跨任务类组合，至多计 12", "对", HIGHER),
    "forced_heavy_adjacent_days": _row("高强度相邻且无法拆开的天数", "天", LOWER),
    "tightness_level": _row("回旋余地：loose、tight、locked", "等级", NEUTRAL),
}

PROFILE: dict[str, Row] = {
    "total_subjects": _row("草稿里的任务类", "个", NEUTRAL),
    "missing_subject_type_count": _row("没有学科类型的任务类", "个", LOWER),
    "missing_difficulty_count": _row("没有难度的任务类", "个", LOWER),
    "missing_cognitive_count": _row("没有认知强度的任务类", "个", LOWER),
    "missing_complete_profile_count": _row("画像不完整的任务类，未知按中等处理", "个", LOWER),
}

FEASIBILITY: dict[str, Row] = {
    "is_feasible": _row("待排任务能否全部排下", "布尔", HIGHER),
    "capacity_gap": _row("放不下的节数", "节", LOWER),
    "reason_code": _row("enough_capacity、replan_needed 或 capacity_insufficient", "代码", NEUTRAL),
    "pending_count": _row("还没有位置的任务，不含已同意不排的", "个", LOWER),
    "required_sections": _row("还没有位置的任务需要的节数", "节", LOWER),
}

COST: dict[str, Row] = {
    "total": _row("目标函数总值", "分", LOWER),
    **{term.name: _row(term.meaning, "分", LOWER) for term in TERMS},
}

CLOSE: dict[str, Row] = {"can_close": _row("可以收口", "布尔", HIGHER)}

SUBJECTS: dict[str, Row] = {
    "task_count": _row("任务类的任务", "个", NEUTRAL),
    "placed_count": _row("有位置的任务", "个", HIGHER),
}

DAYS: dict[str, Row] = {
    "switch_count": _row("当天的科目切换", "次", LOWER),
    "pairs": _row("当天相邻的任务对", "对", NEUTRAL),
    "fragmentation": _row("切换占相邻对的比例", "比例", LOWER),
    "max_block": _row("当天最长的同类连排", "节", LOWER),
    "heavy_adjacent": _row("当天是否有高强度相邻", "布尔", LOWER),
    "heavy_pairs": _row("当天高强度相邻的对数", "对", LOWER),
    "high_run": _row("当天最长的高强度连续", "节", LOWER),
    "own_sections": _row("任务占用的空闲节数，不含嵌入", "节", NEUTRAL),
    "course_sections": _row("课程和其他日程占用的节数", "节", NEUTRAL),
    "free_sections": _row("剩余可用节数", "节", HIGHER),
}

HEALTH_SCHEMA: Mapping[str, Row] = {**RHYTHM, **TIGHTNESS, **PROFILE, **FEASIBILITY, **COST, **CLOSE}
"""Every field of the metrics of analyze_health."""

RHYTHM_SCHEMA: Mapping[str, Row] = {
    **RHYTHM,
    **SUBJECTS,
    **DAYS,
    "pending_count": FEASIBILITY["pending_count"],
}
"""Every metric of analyze_rhythm."""

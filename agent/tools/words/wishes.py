"""A student's wishes in words."""

from __future__ import annotations

from collections.abc import Mapping

from agent.calls.kinds import Json
from taskclasses.kernel.i18n import text, weekday_words

PARTS = {1: "上午", 2: "下午", 3: "晚上", 4: "深夜"}
SENTENCES = {
    "earliest_section": "{who}不早于第{n}节",
    "latest_section": "{who}不晚于第{n}节",
    "day_part": "{who}放在{part}",
    "light_weekday": "{weekday}少排{who}",
    "blocks_a_day": "{who}每天最多 {m} 节",
    "finish_early": "{who}提前 {n} 天完成",
}
"""Wish -> what a student reads."""
KIND_NAMES = {
    "earliest_section": "不早于第几节",
    "latest_section": "不晚于第几节",
    "day_part": "放在一天的哪一段",
    "light_weekday": "星期几少排",
    "blocks_a_day": "每天最多几段",
    "finish_early": "提前几天完成",
}
"""Kind of a wish -> what it is about."""


def wish_words(wish: Json, classes: Mapping[int, str], locale: str) -> str:
    """Says a wish in words: `wish` as its JSON; `classes` are names by id."""
    class_id, n = wish["class_id"], wish["value"]
    if class_id is not None:
        who = text("「{name}」", locale, name=classes.get(class_id, ""))
    else:
        who = text("高强度内容" if wish["hard_only"] else "学习任务", locale)
    part, weekday = text(PARTS.get(n, "晚上"), locale), weekday_words(min(n, 7), locale)
    return text(SENTENCES[wish["kind"]], locale, who=who, n=n, m=2 * n, part=part, weekday=weekday)

"""Conditions on places in words, as a consent card quotes them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from agent.tools.words.replan import date_text
from taskclasses.kernel.i18n import text, weekday_words

TIMES = {"within": "只在{times}", "without": "不在{times}", "during": "只算{times}"}
NUMBERS = {
    "a_day": "每天最多 {n} 项",
    "a_week": "每周最多 {n} 项",
    "sections_a_day": "每天最多 {n} 节",
    "days_between": "两项之间空 {n} 天",
    "sections_between": "同一天的两项之间空 {n} 节",
    "after_lessons": "课后空 {n} 节",
}
FLAGS = {
    "one_day": "都在同一天",
    "in_order": "按给的顺序",
    "between_lessons": "在当天的两节课之间",
    "even": "排得均匀",
    "each_class": "每个任务类分别算",
    "held": "原来符合的保持",
}
"""Field of a condition -> what a student reads."""


def limit_words(limit: Mapping[str, Any], locale: str) -> str:
    """Says one condition as its arguments give it, and of how many items it is."""
    told = []
    for key, value in limit.items():
        if key in NUMBERS:
            told.append(text(NUMBERS[key], locale, n=value))
        elif key in FLAGS and value:
            told.append(text(FLAGS[key], locale))
        elif key in TIMES:
            times = text("或", locale).join(times_words(one, locale) for one in value)
            told.append(text(TIMES[key], locale, times=times))
    words = text("，", locale).join(told)
    of = limit.get("task_ids")
    return text("{what}（{n} 项）", locale, what=words, n=len(of)) if of else words


def times_words(times: Mapping[str, Any], locale: str) -> str:
    """Says a stretch of time: its weekdays, its dates, its sections; all the time where nothing bounds it."""
    told = []
    if days := times.get("weekdays"):
        told.append(text("、", locale).join(weekday_words(day, locale) for day in days))
    first, last = (_date_words(times.get(key), locale) for key in ("from_date", "to_date"))
    if first and last:
        told.append(first if first == last else text("{first} 到 {last}", locale, first=first, last=last))
    elif first or last:
        told.append(text("{first} 起", locale, first=first) if first else text("不晚于 {last}", locale, last=last))
    low, high = times.get("section_from"), times.get("section_to")
    if high:
        run = high if (low or 1) == high else f"{low or 1}-{high}"
        told.append(text("第{range}节", locale, range=run))
    elif low:
        told.append(text("第{n}节起", locale, n=low))
    return " ".join(told) or text("所有时间", locale)


def _date_words(said: str | None, locale: str) -> str:
    return date_text(date.fromisoformat(said), locale) if said else ""

"""The sentence of a broken rule, for a person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from schedules.planner.grid import week_and_weekday
from schedules.planner.rules.violations import Rule, Violation
from taskclasses.kernel.i18n import text, weekday_words

SENTENCES: dict[Rule, str] = {
    Rule.OUTSIDE_WINDOW: "不在本次规划的日期范围内",
    Rule.OUTSIDE_SEMESTER: "超出学期范围",
    Rule.WRONG_LENGTH: "时长应为{n}节",
    Rule.CLOSED_DAY: "{date}放假，不安排学习",
    Rule.KEPT_FREE: "{date}{a}-{b}节要空着",
    Rule.OUTSIDE_CLASS_WINDOW: "「{class}」只能安排在{start}~{end}",
    Rule.IN_THE_PAST: "该时间已过",
    Rule.EXCLUDED_WEEKDAY: "「{class}」不排{weekday}",
    Rule.EXCLUDED_BLOCK: "「{class}」不排{a}-{b}节",
    Rule.EXCLUDED_CELL: "「{class}」不排{weekday}{a}-{b}节",
    Rule.NOT_ALIGNED: "未对齐大节",
    Rule.CROSSES_DAY_PART: "跨越上午、下午或晚上",
    Rule.HOST_UNKNOWN: "找不到要嵌入的课程",
    Rule.HOST_NOT_EMBEDDABLE: "「{host}」不允许嵌入",
    Rule.OCCUPIED: "{cells}已被「{blocker}」占用",
    Rule.FILLER_NOT_ALLOWED: "「{class}」不使用水课",
    Rule.HOST_PARTIAL: "须完整落在「{host}」之内",
    Rule.HOST_TAKEN: "「{host}」已嵌入「{guest}」",
    Rule.ORDER_BEFORE: "须在第{k}项「{item}」之后",
    Rule.ORDER_AFTER: "须在第{k}项「{item}」之前",
}


def violation_text(violation: Violation, locale: str) -> str:
    """Returns one sentence without a full stop, in the language of `locale`; order rules add the range that is left."""
    params = violation.params
    values = {name: value for name, value in params.items() if isinstance(value, str | int)}
    values |= {name: fill(params, locale) for name, fill in _FIELDS.get(violation.rule, {}).items()}
    sentence = text(SENTENCES[violation.rule], locale, **values)
    if violation.rule in (Rule.ORDER_BEFORE, Rule.ORDER_AFTER):
        sentence += _range_text(params, locale)
    return sentence


def month_text(month: int, locale: str) -> str:
    """Returns its number; English has a name for it, since 3/4 is a day in March to some and in April to others."""
    found = text(f"month\x04{month}", locale)
    return str(month) if "\x04" in found else found


def _day(day: int | None, locale: str) -> str:
    if day is None:
        return text("不限", locale)
    week, weekday = week_and_weekday(day)
    return text("第{week}周{weekday}", locale, week=week, weekday=weekday_words(weekday, locale))


def _cell(cell: list[int] | None, locale: str) -> str:
    if cell is None:
        return text("不限", locale)
    return text("{day}第{section}节", locale, day=_day(cell[0], locale), section=cell[1])


def _cells(params: dict[str, Any], locale: str) -> str:
    day = _day(7 * (params["week"] - 1) + params["weekday"], locale)
    if params["a"] == params["b"]:
        return text("{day}第{section}节", locale, day=day, section=params["a"])
    return text("{day}{a}-{b}节", locale, day=day, a=params["a"], b=params["b"])


def _range_text(params: dict[str, Any], locale: str) -> str:
    first, last = _cell(params["range_from"], locale), _cell(params["range_to"], locale)
    return text("（可用范围：{first} ~ {last}）", locale, first=first, last=last)


_FIELDS: dict[Rule, dict[str, Callable[[dict[str, Any], str], str]]] = {
    Rule.CLOSED_DAY: {"date": lambda params, locale: _day(params["day"], locale)},
    Rule.KEPT_FREE: {"date": lambda params, locale: _day(params["day"], locale)},
    Rule.OUTSIDE_CLASS_WINDOW: {
        "start": lambda params, locale: _day(params["start_day"], locale),
        "end": lambda params, locale: _day(params["end_day"], locale),
    },
    Rule.EXCLUDED_WEEKDAY: {"weekday": lambda params, locale: weekday_words(params["weekday"], locale)},
    Rule.EXCLUDED_CELL: {"weekday": lambda params, locale: weekday_words(params["weekday"], locale)},
    Rule.OCCUPIED: {"cells": _cells},
}

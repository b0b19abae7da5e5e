"""The sentence of a broken rule for the student: dates and clock times, and whose wish it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from schedules.planner.grid import Calendar, Cell
from schedules.planner.rules.violations import Rule, Violation
from schedules.planner.words.dates import begin_words, clock_words, end_words
from taskclasses.kernel.i18n import date_words, text, weekday_words

PLAIN_SENTENCES: dict[Rule, str] = {
    Rule.OUTSIDE_WINDOW: "不在这次安排的日期里",
    Rule.OUTSIDE_SEMESTER: "不在这个学期里",
    Rule.CLOSED_DAY: "{date} 放假，不安排学习",
    Rule.KEPT_FREE: "{date} {clock} 要空着（你设置的）",
    Rule.WRONG_LENGTH: "这一项要连着 {n} 节",
    Rule.OUTSIDE_CLASS_WINDOW: "「{class}」的日期是 {start} 到 {end}（你设置的）",
    Rule.IN_THE_PAST: "这个时间已经过去了",
    Rule.EXCLUDED_WEEKDAY: "「{class}」{weekday}不排（你设置的）",
    Rule.EXCLUDED_BLOCK: "「{class}」{clock} 不排（你设置的）",
    Rule.EXCLUDED_CELL: "「{class}」{weekday} {clock} 不排（你设置的）",
    Rule.NOT_ALIGNED: "不从一大节的开头开始",
    Rule.CROSSES_DAY_PART: "跨过了午休或晚饭",
    Rule.HOST_UNKNOWN: "这个时间没有这门课",
    Rule.HOST_NOT_EMBEDDABLE: "「{host}」上课时不能做别的",
    Rule.OCCUPIED: "和「{blocker}」撞在一起",
    Rule.FILLER_NOT_ALLOWED: "「{class}」不在上课时做（你设置的）",
    Rule.HOST_PARTIAL: "要整个放在「{host}」的时间里",
    Rule.HOST_TAKEN: "「{host}」上课时已经要做「{guest}」",
    Rule.ORDER_BEFORE: "要在第 {k} 项「{item}」之后（{when} 以后）",
    Rule.ORDER_AFTER: "要在第 {k} 项「{item}」之前（{when} 以前）",
}


def plain_sentence(violation: Violation, calendar: Calendar, locale: str) -> str:
    """Returns one sentence without a full stop, in the language of `locale`."""
    params = violation.params
    values = {name: value for name, value in params.items() if isinstance(value, str | int)}
    values |= {name: fill(params, calendar, locale) for name, fill in _FIELDS.get(violation.rule, {}).items()}
    return text(PLAIN_SENTENCES[violation.rule], locale, **values)


def _day(day: int | None, calendar: Calendar, locale: str) -> str:
    return text("不限", locale) if day is None else date_words(calendar.date_of(day), locale)


def _cell_before(calendar: Calendar, cell: list[int]) -> Cell:
    day, section = cell
    return (day, section - 1) if section > 1 else (day - 1, calendar.grid.sections)


def _cell_after(calendar: Calendar, cell: list[int]) -> Cell:
    day, section = cell
    return (day, section + 1) if section < calendar.grid.sections else (day + 1, 1)


_Fill = Callable[[dict[str, Any], Calendar, str], str]
_FIELDS: dict[Rule, dict[str, _Fill]] = {
    Rule.CLOSED_DAY: {"date": lambda params, calendar, locale: _day(params["day"], calendar, locale)},
    Rule.KEPT_FREE: {
        "date": lambda params, calendar, locale: _day(params["day"], calendar, locale),
        "clock": lambda params, calendar, locale: clock_words(calendar, params["a"], params["b"]),
    },
    Rule.OUTSIDE_CLASS_WINDOW: {
        "start": lambda params, calendar, locale: _day(params["start_day"], calendar, locale),
        "end": lambda params, calendar, locale: _day(params["end_day"], calendar, locale),
    },
    Rule.EXCLUDED_WEEKDAY: {"weekday": lambda params, calendar, locale: weekday_words(params["weekday"], locale)},
    Rule.EXCLUDED_BLOCK: {"clock": lambda params, calendar, locale: clock_words(calendar, params["a"], params["b"])},
    Rule.EXCLUDED_CELL: {
        "weekday": lambda params, calendar, locale: weekday_words(params["weekday"], locale),
        "clock": lambda params, calendar, locale: clock_words(calendar, params["a"], params["b"]),
    },
    Rule.ORDER_BEFORE: {
        "when": lambda params, calendar, locale: end_words(
            calendar, _cell_before(calendar, params["range_from"]), locale
        )
    },
    Rule.ORDER_AFTER: {
        "when": lambda params, calendar, locale: begin_words(
            calendar, _cell_after(calendar, params["range_to"]), locale
        )
    },
}

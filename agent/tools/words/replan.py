"""What a re-planning did, in plain sentences with dates."""

from __future__ import annotations

from datetime import date

from agent.tools.words.labels import RULES
from schedules.planner.draft.state import Spot
from schedules.planner.grid import Calendar, week_and_weekday
from schedules.planner.replan.asks import KEPT
from schedules.planner.replan.least_change import Replanned
from schedules.planner.replan.limits import LIMIT, OUTSIDE
from schedules.planner.rules.sentences import month_text
from schedules.planner.solver.replan import MAKES_ROOM
from taskclasses.kernel.i18n import text, weekday_words

REASONS = {**RULES, MAKES_ROOM: "给别的任务让出位置", "occupied": "这段时间不再空着", LIMIT: "按所说的条件"}
"""Why an item had to move."""
LEFT = {
    **RULES,
    LIMIT: "按这些条件没有空位了",
    KEPT: "是钉住的或你亲手放的，要自己挪",
    OUTSIDE: "它的任务类和课表在所说的时间里没有留下空位",
}
"""Why an item found no place."""


def reason_text(reason: str, locale: str) -> str:
    return text(REASONS[reason], locale) if reason in REASONS else ""


def place_text(spot: Spot, calendar: Calendar, locale: str) -> str:
    """Returns a place as a student says it: date, weekday, clock times."""
    place = spot.place
    day, (begin, _), (_, end) = (
        calendar.date_of(place.day),
        calendar.section_times[place.first - 1],
        calendar.section_times[place.last - 1],
    )
    return text(
        "{month} 月 {day} 日 {weekday} {begin}–{end}",
        locale,
        month=month_text(day.month, locale),
        day=day.day,
        weekday=weekday_words(week_and_weekday(place.day)[1], locale),
        begin=f"{begin:%H:%M}",
        end=f"{end:%H:%M}",
    )


def date_text(day: date, locale: str) -> str:
    weekday = weekday_words(day.isoweekday(), locale)
    month = month_text(day.month, locale)
    return text("{month} 月 {day} 日 {weekday}", locale, month=month, day=day.day, weekday=weekday)


def sentences(done: Replanned, calendar: Calendar, locale: str) -> list[str]:
    """Returns what moves, what stays, what no longer fits and why; one sentence each."""
    told = [_change_text(done, change, calendar, locale) for change in done.changes]
    told += left_sentences(done, locale)
    if not told:
        return [text("现在不用改。", locale)]
    kept = stays_count(done)
    return [*told, text("其余 {n} 项不动。", locale, n=kept)] if kept else told


def left_sentences(done: Replanned, locale: str) -> list[str]:
    """Returns what found no place, and why."""
    told = []
    for item, rule in done.left.items():
        entry = done.state.by_item(item)
        if entry is not None:
            why = text(LEFT.get(rule, "没有空的位置"), locale)
            words = "「{name}」留在原处：{why}。" if stays_in_place(done, item) else "「{name}」放不下：{why}。"
            told.append(text(words, locale, name=entry.name, why=why))
    return told


def stays_in_place(done: Replanned, item: int) -> bool:
    """Tells whether an item that is left keeps the place it has: it breaks a condition there."""
    entry = done.state.by_item(item)
    return entry is not None and done.left[item] in (LIMIT, OUTSIDE, KEPT) and bool(entry.slots)


def _change_text(done: Replanned, change: object, calendar: Calendar, locale: str) -> str:
    before, after, name = change.before, change.after, change.name  # type: ignore[attr-defined]
    if after is None:
        return text("「{name}」移出 {before}。", locale, name=name, before=place_text(before, calendar, locale))
    if before is None:
        return text("「{name}」放在 {after}。", locale, name=name, after=place_text(after, calendar, locale))
    values = {
        "name": name,
        "before": place_text(before, calendar, locale),
        "after": place_text(after, calendar, locale),
    }
    return text("「{name}」从 {before} 移到 {after}。", locale, **values)


def stays_count(done: Replanned) -> int:
    """Tells how many items with a place keep it."""
    changed = {change.item_id for change in done.changes}
    return sum(bool(entry.slots) and entry.source_id not in changed for entry in done.state.items())

"""Places and effects of writes in words with dates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from django.utils.translation import get_language, gettext, ngettext

from schedules.calendars.patterns import weeks_in_words
from schedules.models import Semester
from schedules.planner.grid import Calendar, Outside, day_number, week_and_weekday
from schedules.planner.words.dates import clock_words
from smartmate.templatetags.days import whole_day
from smartmate.templatetags.words import term_words
from taskclasses.kernel.i18n import date_words, weekday_words
from taskclasses.shapes import Conflict, ExceptionBrief, Overlap


def day_words(day: date) -> str:
    """Returns  "10 月 23 日 周五"."""
    return whole_day(day)


def no_monday_words(day: date) -> str:
    """Returns why a semester cannot begin on a day that is no Monday, and which Monday may be meant."""
    monday = day_words(day - timedelta(days=day.weekday()))
    return gettext("学期的第一天必须是周一：那一周的周一是 %(day)s。") % {"day": monday}


def semester_words(row: Semester) -> str:
    """Returns  "2026 秋（9 月 7 日 周一 起，18 周）": two semesters may have one name."""
    told = {"name": term_words(row.name), "day": day_words(row.first_monday), "weeks": row.weeks}
    return gettext("%(name)s（%(day)s 起，%(weeks)s 周）") % told


def place_words(place: Mapping[str, Any], calendar: Calendar) -> str:
    """Returns  "10 月 23 日 周五 10:15–11:55"."""
    day = calendar.date_of(day_number(place["week"], place["day_of_week"]))
    return f"{day_words(day)} {clock_words(calendar, place['section_from'], place['section_to'])}"


def lessons_words(count: int) -> str:
    """Returns  "4 节课"."""
    return ngettext("%(count)s 节课", "%(count)s 节课", count) % {"count": count}


def released_sentences(count: int) -> list[str]:
    """Tells how many items go with the lessons that they are done during; nothing for none."""
    words = ngettext("在课上做的 %(count)s 项任务回到待安排。", "在课上做的 %(count)s 项任务回到待安排。", count)
    return [words % {"count": count}] if count else []


def effect_sentences(lessons: Iterable[Any], items: Iterable[Any], calendar: Calendar) -> list[str]:
    """Tells what happens to lessons, then to items that lose their place."""
    return [_lesson_sentence(one, calendar) for one in lessons] + [
        gettext("任务「%(name)s」离开 %(place)s，回到待安排")
        % {"name": one["name"], "place": place_words(one, calendar)}
        for one in items
    ]


def _lesson_sentence(shift: Any, calendar: Calendar) -> str:
    before, after, name = shift["from"], shift["to"], shift["name"]
    if before is None:
        told = {"name": name, "to": place_words(after, calendar)}
        return gettext("「%(name)s」%(to)s 上课") % told
    if after is None:
        return gettext("「%(name)s」%(from)s 停课") % {"name": name, "from": place_words(before, calendar)}
    told = {"name": name, "from": place_words(before, calendar), "to": place_words(after, calendar)}
    if told["from"] == told["to"]:
        return gettext("「%(name)s」%(to)s 换到 %(room)s") % {**told, "room": after["location"]}
    return gettext("「%(name)s」从 %(from)s 移到 %(to)s") % told


def clash_sentences(conflicts: Iterable[Conflict], calendar: Calendar) -> list[str]:
    """Tells with what a write clashes: a sentence for each that is in the way, with all times of the clash."""
    weeks: dict[str, dict[tuple[int, int, int], list[int]]] = {}
    for one in conflicts:
        name = one["with"]["name"] if one["with"] else ""
        time = (one["day_of_week"], one["section_from"], one["section_to"])
        weeks.setdefault(name, {}).setdefault(time, []).append(one["week"])
    return [
        gettext("和「%(name)s」撞时间：%(times)s。")
        % {
            "name": name,
            "times": gettext("；").join(_time_words(time, sorted({*found}), calendar) for time, found in times.items()),
        }
        for name, times in weeks.items()
    ]


def overlap_sentences(overlaps: Iterable[Overlap]) -> list[str]:
    """Tells which exceptions of the calendar are in the way of another: on its dates, or with the lessons that it is to
    make up for."""
    return list(dict.fromkeys(_overlap_sentence(one["exception"], one["with"]) for one in overlaps))


def _overlap_sentence(one: ExceptionBrief, other: ExceptionBrief) -> str:
    first, last = (date.fromisoformat(other[name]) for name in ("first_date", "last_date"))
    days = day_words(first) if first == last else f"{day_words(first)} – {day_words(last)}"
    told = {"name": other["name"], "days": days}
    if one["first_date"] <= other["last_date"] and other["first_date"] <= one["last_date"]:
        return gettext("和校历里的「%(name)s」（%(days)s）有同一天。") % told
    return gettext("这一天的课已经由「%(name)s」（%(days)s）补了。") % told


def _time_words(time: tuple[int, int, int], weeks: Sequence[int], calendar: Calendar) -> str:
    """Returns  "周一 08:00–09:40（1–2 节，1-16周）", for a single week its date."""
    weekday, first, last = time
    language = get_language() or ""
    sections = ngettext("%(sections)s 节", "%(sections)s 节", last - first + 1) % {
        "sections": f"{first}" if first == last else f"{first}–{last}"
    }
    told = {"clock": clock_words(calendar, first, last), "sections": sections}
    if len(weeks) == 1:
        day = date_words(calendar.date_of(day_number(weeks[0], weekday)), language)
        return gettext("%(day)s %(clock)s（%(sections)s）") % {**told, "day": day}
    told |= {"day": weekday_words(weekday, language), "weeks": weeks_in_words(weeks, language)}
    return gettext("%(day)s %(clock)s（%(sections)s，%(weeks)s）") % told


def coordinates_of(day: date, calendar: Calendar) -> tuple[int, int] | None:
    """Returns week and weekday of a date; None outside the semester."""
    number = calendar.day_of(day)
    return None if isinstance(number, Outside) else week_and_weekday(number)

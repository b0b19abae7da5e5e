"""What the screens of tasks tell beside their forms: figures, places of items, what a class may belong to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from schedules.exams.reads import exams_of
from schedules.models import Course, Exam, Semester
from schedules.planner.grid import day_number
from schedules.progress.book import ProgressBook
from schedules.progress.room import ClassRoom, WeekRoom
from schedules.progress.statistics import progress_report
from schedules.selectors import courses_of, semester_current
from schedules.services.placement.release import semesters_of_items
from smartmate.pages.charts import bars_of
from smartmate.pages.courses.words import day_words, place_words
from smartmate.pages.tasks.task_form import TaskChoices
from taskclasses.models import TaskClass, TaskItem

DATES = ("end_date", "planned_until", "forecast_date")


def blocks_of(semester: Semester) -> list[tuple[int, str]]:
    """Returns the blocks of a day with their clock times."""
    times = semester.section_times
    pairs = [(first, min(first + 1, len(times))) for first in range(1, len(times) + 1, 2)]
    return [((first + 1) // 2, f"{times[first - 1][0]}–{times[last - 1][1]}") for first, last in pairs]


def choices_of(user_id: int, semester: Semester, row: TaskClass | None) -> TaskChoices:
    """Returns what a class may be set to; what it is set to already stays among it."""
    courses = {one.pk: one.name for one in courses_of(user_id=user_id, semester=semester)}
    exams = {one.pk: _exam_words(one) for one in exams_of(user_id=user_id, semester=semester)}
    if row is not None and row.course_id is not None and row.course_id not in courses:
        known = Course.objects.filter(user_id=user_id, pk=row.course_id).first()
        courses[row.course_id] = known.name if known else "–"
    if row is not None and row.exam_id is not None and row.exam_id not in exams:
        exam = Exam.objects.filter(user_id=user_id, pk=row.exam_id).first()
        exams |= {exam.pk: _exam_words(exam)} if exam else {}
    return TaskChoices(blocks_of(semester), list(courses.items()), list(exams.items()))


def _exam_words(exam: Exam) -> str:
    return f"{exam.name} · {day_words(exam.date)}"


def figures_of(user_id: int, now: datetime) -> dict[int, dict[str, Any]]:
    """Returns the figures of each class of a student."""
    report = progress_report(user_id=user_id, semester=semester_current(user_id), now=now)
    return {row["task_class_id"]: _figures_told(dict(row)) for row in report["classes"]}


def _figures_told(row: dict[str, Any]) -> dict[str, Any]:
    """Returns the figures of a class, its dates with their weekdays. What its pace would lead to is told only while
    something of it waits for a place and it could still be in time: the timetable says when the rest is done."""
    told = row | {name: _day(row[name]) for name in DATES}
    told["planned"] = row["left"] == row["placed"] > 0
    told["late"] = row["left"] > 0 and row["days_left"] is not None and row["days_left"] < 0
    return told | {"forecast_date": "", "on_time": None} if told["planned"] or told["late"] else told


def _day(told: str | None) -> str:
    return day_words(date.fromisoformat(told)) if told else ""


def share_of(room: ClassRoom | None) -> int:
    """Returns how many hundredths of its free sections a class needs; all of them where they do not suffice."""
    if room is None or room.missing or not room.free:
        return 100
    return min(100, -(-100 * room.needed // room.free))


def weeks_told(weeks: Sequence[WeekRoom]) -> list[dict[str, Any]]:
    """Returns the weeks with the bars of what they hold and could hold."""
    rows = [{"week": one.week, "planned": one.planned, "usable": one.usable} for one in weeks]
    return bars_of(rows, ("planned", "usable"))


def tightest_of(weeks: Sequence[WeekRoom]) -> WeekRoom | None:
    """Returns the week with tasks of which the largest part is taken; None while nothing is planned."""
    return max(
        (one for one in weeks if one.planned), key=lambda one: (one.planned / one.usable, -one.free), default=None
    )


def items_told(user: Any, row: TaskClass, now: datetime) -> list[dict[str, Any]]:
    """Returns the items of a class in their order, each with its place, how far it is, and whether it is still to be
    done outside the dates of the class."""
    items = sorted(row.items.all(), key=lambda item: (item.order, item.pk))
    ids = [item.pk for item in items]
    book = ProgressBook.load(user_id=user.pk, item_ids=ids, now=now)
    semesters = semesters_of_items(user, ids)
    return [
        {
            "item": item,
            "progress": book.progress(item),
            "place": place_words(item.embedded_time, semesters[item.pk].calendar) if item.embedded_time else "",
            "outside": book.progress(item) == "open" and _is_outside(item, row, semesters),
        }
        for item in items
    ]


def _is_outside(item: TaskItem, row: TaskClass, semesters: Mapping[int, Semester]) -> bool:
    """Tells whether an item stands on a day that is not within the dates of its class."""
    if item.embedded_time is None:
        return False
    number = day_number(item.embedded_time["week"], item.embedded_time["day_of_week"])
    day = semesters[item.pk].calendar.date_of(number)
    return (row.start_date is not None and day < row.start_date) or (row.end_date is not None and day > row.end_date)


def outside_told(items: Sequence[Mapping[str, Any]]) -> SafeString:
    """Says how many items stand outside the dates of their class, with the way to the first of them; "" for none."""
    weeks = [one["item"].embedded_time["week"] for one in items if one["outside"]]
    if not weeks:
        return SafeString()
    count = len(weeks)
    told = ngettext("有 {count} 项排在起止日期之外。", "有 {count} 项排在起止日期之外。", count).format(count=count)
    way = gettext("在课表里移动")
    return format_html('{} <a href="/week/{}">{}</a>', told, min(weeks), way)

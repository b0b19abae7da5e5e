"""What the screens of tasks tell beside their forms: figures, places of items, what a class may belong to."""

from __future__ import annotations

from collections import Counter
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
from smartmate.pages.today.catching_up import mend_address
from taskclasses.models import TaskClass, TaskItem
from taskclasses.spec import item_lengths

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
    """Returns the figures of each class of a student, its dates with their weekdays."""
    report = progress_report(user_id=user_id, semester=semester_current(user_id), now=now)
    return {row["task_class_id"]: {**row, **{name: _day(row[name]) for name in DATES}} for row in report["classes"]}  # type: ignore[literal-required]


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
    """Returns the items of a class in their order, each with its place, how far it is, and, while it is still to be
    done, what its place does not fit by now: the dates of the class, the item's length, the order; "" where it fits."""
    items = sorted(row.items.all(), key=lambda item: (item.order, item.pk))
    ids = [item.pk for item in items]
    book = ProgressBook.load(user_id=user.pk, item_ids=ids, now=now)
    semesters = semesters_of_items(user, ids)
    lengths = item_lengths([item.duration for item in items], row.total_slots)
    told: list[dict[str, Any]] = []
    latest: tuple[date, int] | None = None
    for item, length in zip(items, lengths, strict=True):
        begins = _begin_of(item, semesters)
        is_open = begins is not None and book.progress(item) == "open"
        told.append(
            {
                "item": item,
                "progress": book.progress(item),
                "place": place_words(item.embedded_time, semesters[item.pk].calendar) if item.embedded_time else "",
                "misfit": _misfit(item, row, length, begins, latest) if begins is not None and is_open else "",
            }
        )
        if is_open and begins is not None:
            latest = begins if latest is None else max(latest, begins)
    return told


def _begin_of(item: TaskItem, semesters: Mapping[int, Semester]) -> tuple[date, int] | None:
    """Returns the day and the section with which an item begins on the timetable."""
    if item.embedded_time is None:
        return None
    number = day_number(item.embedded_time["week"], item.embedded_time["day_of_week"])
    return semesters[item.pk].calendar.date_of(number), item.embedded_time["section_from"]


def _misfit(
    item: TaskItem, row: TaskClass, length: int, begins: tuple[date, int], latest: tuple[date, int] | None
) -> str:
    day, place = begins[0], item.embedded_time
    if (row.start_date is not None and day < row.start_date) or (row.end_date is not None and day > row.end_date):
        return "outside"
    if place["section_to"] - place["section_from"] + 1 != (item.sections_left or length):
        return "length"
    return "order" if latest is not None and begins < latest else ""


def misfits_told(items: Sequence[Mapping[str, Any]]) -> SafeString:
    """Says how many items stand where they do not fit any more, with the ways to mend it; "" for none."""
    count = Counter(one["misfit"] for one in items if one["misfit"])
    if not count:
        return SafeString()
    words = {
        "outside": ngettext("有 {count} 项排在起止日期之外。", "有 {count} 项排在起止日期之外。", count["outside"]),
        "length": ngettext(
            "有 {count} 项的节数和课表上的不同。", "有 {count} 项的节数和课表上的不同。", count["length"]
        ),
        "order": ngettext("有 {count} 项排在它前面的项之前。", "有 {count} 项排在它前面的项之前。", count["order"]),
    }
    told = " ".join(sentence.format(count=count[kind]) for kind, sentence in words.items() if count[kind])
    week = min(one["item"].embedded_time["week"] for one in items if one["misfit"])
    ways = {"address": mend_address(), "mend": gettext("重新安排这些"), "week": week, "move": gettext("在课表里移动")}
    return format_html('{told} <a href="{address}">{mend}</a> <a href="/week/{week}">{move}</a>', told=told, **ways)

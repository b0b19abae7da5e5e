"""What is wrong with a course file, in the words of its columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from django.utils.translation import get_language, gettext, gettext_noop, ngettext
from django.utils.translation import gettext_lazy as _

from schedules.calendars.readers import wakeup_courses, zhengfang_json
from schedules.calendars.readers.course_table import COLUMNS, DOUBLED, EMPTY, LACKING
from taskclasses.kernel.errors import CodedError
from taskclasses.shapes import ImportRow

TABLE_FAULTS = {
    EMPTY: gettext_noop("文件是空的"),
    LACKING: gettext_noop("表头里没有这些列：{columns}。表头照这样写就能读。"),
    DOUBLED: gettext_noop("表头里不止一列：{columns}。"),
}
"""What is said of a table that is not read, once for all columns that are meant."""
LIMITS = {
    "rows": gettext_noop("内容太多：一次最多读 {limit} 行，分几次导入。"),
    "lines": gettext_noop("内容太多：一次最多读 {limit} 行，分几次导入。"),
    "occurrences": gettext_noop("内容太多：一次最多导入 {limit} 节课，分几次导入。"),
    "cells": gettext_noop("表格太大：一次最多读 {limit} 格，分几次导入。"),
    "text": gettext_noop("内容太多：一次最多读 {limit} 个字，分几次导入。"),
    **dict.fromkeys(
        ("task_classes", "courses", "exams", "exceptions", "semesters"),
        gettext_noop("已经有 {limit} 个，到上限了：先删掉用不着的。"),
    ),
}
"""What is said of a file, or of what a student has, that is over a limit, by what there is too much of."""
BYTES_OF_MB = 1024 * 1024
FIELDS = re.compile(r"^([a-z][A-Za-z_]*(?:, [a-z][A-Za-z_]*)*|[A-Z]{5,})[:：] ?")
"""What stands before a sentence about a row: columns of ours and of other programs, properties of calendars."""
COLUMN_WORDS = {
    "course_name": _("课程名称"),
    "day_of_week": _("星期"),
    "start_section": _("开始节数"),
    "end_section": _("结束节数"),
    "sections": _("节次"),
    "start_time": _("开始时间"),
    "end_time": _("结束时间"),
    "weeks": _("周数"),
    "start_week": _("开始周"),
    "end_week": _("结束周"),
    "location": _("地点"),
    "teacher": _("教师"),
    "is_allow_tasks": _("可嵌入"),
    "arrangements": _("上课时间"),
    "SUMMARY": _("课程名称"),
    "DTSTART": _("上课时间"),
}
"""Columns of the files as students call them."""
OWN_NAMES: dict[str, str] = {
    own: name for form in (zhengfang_json, wakeup_courses) for name, own in reversed(form.COLUMNS.items())
}  # fmt: skip
"""Columns of the JSON form by the names that other forms have for them."""
OF_ITS_COLUMN = ("missing_field", "bad_number")
"""Codes whose sentence says nothing without its column."""
TOO_LARGE = 40006
ROWS_TOLD = 5
Fault = Mapping[str, str]


def is_of_table(fault: Fault) -> bool:
    """Tells whether a fault of a refusal is one of the table as a whole."""
    return fault["message"] in TABLE_FAULTS and fault["field"].startswith("file.")


def table_sentences(faults: Sequence[Fault]) -> list[str]:
    """Returns a sentence for all faults of a table that are of the same kind, with the headings that are read."""
    columns: dict[str, list[str]] = {}
    for fault in filter(is_of_table, faults):
        columns.setdefault(fault["message"], []).append(fault["field"].removeprefix("file."))
    return [
        gettext(TABLE_FAULTS[message]).format(columns=gettext("、").join(map(_heading, _joined(names))))
        for message, names in columns.items()
    ]


def _joined(names: Sequence[str]) -> list[str]:
    """Returns the names with one column for the sections, where neither of the two that could stand for it is there."""
    if not {"start_section", "end_section"} <= {*names}:
        return [*names]
    return ["sections" if name == "start_section" else name for name in names if name != "end_section"]


def _heading(name: str) -> str:
    """Returns how a column may be headed, in the language of the page."""
    return name if (get_language() or "").startswith("en") else COLUMNS[name][0]


def limit_sentence(refusal: CodedError) -> str:
    """Tells the limit that a file is over; "" for another refusal."""
    if refusal.code != TOO_LARGE or not isinstance(refusal.data, dict):
        return ""
    field, limit = refusal.data["field"], refusal.data["limit"]
    if field == "file":
        return gettext("文件太大，最多 {limit} MB。").format(limit=f"{limit / BYTES_OF_MB:g}")
    return gettext(LIMITS[field]).format(limit=f"{limit:,}") if field in LIMITS else ""


def row_words(row: ImportRow) -> str:
    """Returns what is wrong with a row; its column is named where the sentence alone would not tell it."""
    found = FIELDS.match(row["message"])
    sentence = row["message"][found.end() if found else 0 :]
    column = str(found[1]) if found else ""
    label = COLUMN_WORDS.get(OWN_NAMES.get(column, column))
    if label is None or row["code"] not in OF_ITS_COLUMN:
        return sentence
    return gettext("{words}：{more}").format(words=label, more=sentence)


def refused_rows(rows: Sequence[ImportRow]) -> list[str]:
    """Tells what is wrong with the first rows that were refused, by their numbers, and how many more there are."""
    told = [
        gettext("第 %(number)s 行：%(fault)s") % {"number": row["row"], "fault": row_words(row)}
        for row in rows[:ROWS_TOLD]
    ]
    more = len(rows) - ROWS_TOLD
    if more > 0:
        told.append(ngettext("还有 %(count)s 行有问题。", "还有 %(count)s 行有问题。", more) % {"count": more})
    return told

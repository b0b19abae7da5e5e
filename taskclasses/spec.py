"""Allowed values and checks of a task class, shared by the API, the admin and the agent's tool."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from taskclasses.fields import CLASS_FIELDS, COLORS, WEEKDAYS
from taskclasses.kernel.i18n import date_words, text
from taskclasses.seals import is_seal

NAME_MAX, CONTENT_MAX, ITEMS_MAX = 60, 200, 100
DURATION_MIN, DURATION_MAX, DURATION_DEFAULT = 1, 4, 2
TOTAL_SLOTS_MAX = ITEMS_MAX * DURATION_MAX

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class FieldIssue:
    """Holds one finding; `field` is the path in the form of the caller, `message` a sentence in the caller's
    language."""

    field: str
    code: str
    severity: Severity
    message: str

    def to_json(self) -> dict[str, str]:
        return {"field": self.field, "code": self.code, "severity": self.severity, "message": self.message}


@dataclass(frozen=True)
class ClassLimits:
    """Tells what the checks depend on besides the values.

    `blocks` and the two dates come from the semester. `today` is given by the agent's tool only: then the dates must
    lie wholly inside the semester and not end before today, and `total_slots` is required of a class that is not
    `stored` yet: a form may have made one without. `room` is the number of sections that the planner finds for the
    class alone, None when nobody asked.
    """

    blocks: int
    first_day: date
    last_day: date
    today: date | None = None
    same_name: bool = False
    room: int | None = None
    stored: bool = False


def item_lengths(durations: Sequence[int | None], total_slots: int | None) -> list[int]:
    """Returns sections of each item in class order.

    An item's own duration counts; the rest of `total_slots` is split evenly over the items without one, the remainder
    going to the first of them, each clamped to 1..4. Without `total_slots` an item without duration takes 2.
    """
    open_count = sum(1 for own in durations if own is None)
    if total_slots is None or open_count == 0:
        return [DURATION_DEFAULT if own is None else own for own in durations]
    rest = max(0, total_slots - sum(own for own in durations if own is not None))
    share, extra = divmod(rest, open_count)
    lengths, seen = [], 0
    for own in durations:
        if own is not None:
            lengths.append(own)
            continue
        lengths.append(min(DURATION_MAX, max(DURATION_MIN, share + (1 if seen < extra else 0))))
        seen += 1
    return lengths


def validate_class(
    values: Mapping[str, Any],
    *,
    blocks: int,
    first_day: date,
    last_day: date,
    today: date | None = None,
    current: Mapping[str, Any] | None = None,
    same_name: bool = False,
    room: int | None = None,
    locale: str = "zh",
) -> list[FieldIssue]:
    """Returns all issues of the agent's nested form (tools.md 6.1) over merged values; fields as
    `task_class.config.strategy`.

    `current` is the class as stored when it is updated: then an absent item list means "unchanged".
    """
    given = values.get("task_class") or {}
    flat = {key: value for key, value in given.items() if key != "config"} | dict(given.get("config") or {})
    items = values.get("items", given.get("items"))
    flat["items"] = items if items is not None else (current or {}).get("items")
    limits = ClassLimits(blocks, first_day, last_day, today, same_name, room, current is not None)
    issues = check_class(flat, limits, locale=locale)
    return [FieldIssue(_nest_path(issue.field), issue.code, issue.severity, issue.message) for issue in issues]


_CONFIG = frozenset(field.name for field in CLASS_FIELDS if field.config)


def _nest_path(field: str) -> str:
    head = field.partition(".")[0]
    if head == "items":
        return field
    return f"task_class.config.{field}" if head in _CONFIG else f"task_class.{field}"


def check_class(values: Mapping[str, Any], limits: ClassLimits, *, locale: str = "zh") -> list[FieldIssue]:
    """Returns all issues of one class in the flat form of the REST API (dates as `date` or text), errors before
    warnings."""
    check = _Check(values, limits, locale)
    check.name()
    check.choices()
    check.dates()
    check.exclusions()
    check.badge()
    check.items()
    check.budget()
    check.warnings()
    return sorted(check.issues, key=lambda issue: issue.severity)


def _is_cell(value: object, blocks: int) -> bool:
    if not isinstance(value, Mapping) or set(value) != {"day_of_week", "block"}:
        return False
    day, block = value["day_of_week"], value["block"]
    return type(day) is int and 1 <= day <= WEEKDAYS and type(block) is int and 1 <= block <= blocks


def is_blank(words: str) -> bool:
    """Tells whether nobody sees anything of a text: it has only blanks, line ends and characters that are never
    shown."""
    return all(char.isspace() or unicodedata.category(char) in ("Cf", "Cc") for char in words)


class _Check:
    def __init__(self, values: Mapping[str, Any], limits: ClassLimits, locale: str) -> None:
        self.values, self.limits, self.locale = values, limits, locale
        self.issues: list[FieldIssue] = []

    def note(self, field: str, code: str, message: str, severity: Severity = "error", **params: object) -> None:
        self.issues.append(FieldIssue(field, code, severity, text(message, self.locale, **params)))

    def name(self) -> None:
        name = self.values.get("name")
        if not isinstance(name, str) or is_blank(name):
            self.note("name", "missing", "缺少名称")
        elif len(name) > NAME_MAX:
            self.note("name", "too_long", "名称最多{n}个字", n=NAME_MAX)

    def choices(self) -> None:
        choices = [field for field in CLASS_FIELDS if field.kind == "choice"]
        for field in sorted(choices, key=lambda field: field.default is None):
            value = self.values.get(field.name)
            left_open = value is None and field.default is None
            if not left_open and value not in field.allowed:
                self.note(field.name, "bad_value", "只能是 {allowed}", allowed=" / ".join(field.allowed))
        for field in CLASS_FIELDS:
            if field.kind == "flag" and not isinstance(self.values.get(field.name, field.default), bool):
                self.note(field.name, "bad_value", "应为布尔值")

    def dates(self) -> None:
        start, end = self._date("start_date"), self._date("end_date")
        if start is None or end is None:
            return
        if end < start:
            self.note("end_date", "bad_range", "结束日期早于开始日期")
            return
        first, last = self.limits.first_day, self.limits.last_day
        if self.limits.today is None:
            if end < first or start > last:
                self._outside("start_date")
            return
        for field, day in (("start_date", start), ("end_date", end)):
            if not first <= day <= last:
                self._outside(field)
        if end < self.limits.today:
            self.note("end_date", "in_the_past", "结束日期已过")

    def _outside(self, field: str) -> None:
        first, last = (date_words(day, self.locale) for day in (self.limits.first_day, self.limits.last_day))
        self.note(field, "outside_semester", "日期不在学期内（{first} 到 {last}）", first=first, last=last)

    def _date(self, field: str) -> date | None:
        value = self.values.get(field)
        if value is None or value == "":
            if self.values.get("mode") == "auto":
                self.note(field, "missing", "缺少开始日期" if field == "start_date" else "缺少结束日期")
            return None
        if isinstance(value, date):
            return value
        try:
            # `fromisoformat` reads 20260316 and 2026-W12-1 too, which nobody else here does.
            found = date.fromisoformat(value)
            if found.isoformat() == value:
                return found
        except (TypeError, ValueError):
            pass
        self.note(field, "bad_value", "应为 YYYY-MM-DD 日期")
        return None

    def exclusions(self) -> None:
        for field in CLASS_FIELDS:
            if field.kind == "blocks":
                self._numbers(field.name, self.limits.blocks, "不能排除全部时段")
            elif field.kind == "weekdays":
                self._numbers(field.name, WEEKDAYS, "不能排除一周的每一天")
            elif field.kind == "cells":
                self._cells(field.name)

    def _cells(self, field: str) -> None:
        cells = self.values.get(field) or []
        if not isinstance(cells, Iterable) or not all(_is_cell(cell, self.limits.blocks) for cell in cells):
            self.note(field, "bad_value", "每格应为星期（1 到 7）和大节（1 到 {high}）", high=self.limits.blocks)
        elif cells and not self._leaves_a_cell(cells):
            self.note(field, "excludes_all", "不能排除全部时段")

    def _leaves_a_cell(self, cells: Iterable[Mapping[str, int]]) -> bool:
        closed = {(cell["day_of_week"], cell["block"]) for cell in cells}
        days, blocks = (self.values.get(name) or [] for name in ("excluded_days_of_week", "excluded_slots"))
        return any(
            day not in days and block not in blocks and (day, block) not in closed
            for day in range(1, WEEKDAYS + 1)
            for block in range(1, self.limits.blocks + 1)
        )

    def badge(self) -> None:
        """Checks colour, seal and what the class belongs to: whether an id is the student's is asked above."""
        for field in CLASS_FIELDS:
            value = self.values.get(field.name)
            if value is None:
                continue
            if field.kind == "color" and not (type(value) is int and 0 <= value < COLORS):
                self.note(field.name, "bad_value", "只能是 {low} 到 {high}", low=0, high=COLORS - 1)
            elif field.kind == "seal" and value != "" and not is_seal(value):
                self.note(field.name, "bad_value", "应为一个字符")
            elif field.kind == "id" and not (type(value) is int and value >= 1):
                self.note(field.name, "bad_value", "应为正整数")

    def _numbers(self, field: str, high: int, all_message: str) -> None:
        numbers = self.values.get(field) or []
        whole = isinstance(numbers, Iterable) and all(type(n) is int and 1 <= n <= high for n in numbers)
        if not whole:
            self.note(field, "bad_value", "只能包含 1 到 {high} 的整数", high=high)
        elif len(set(numbers)) == high:
            self.note(field, "excludes_all", all_message)

    def items(self) -> None:
        items = self.values.get("items") or []
        if not items and self.values.get("mode") == "auto":
            self.note("items", "missing", "至少一项")
        if len(items) > ITEMS_MAX:
            self.note("items", "too_long", "最多{n}项", n=ITEMS_MAX)
        orders = [item.get("order") for item in items]
        if any(type(order) is not int or order < 1 for order in orders) or len(set(orders)) != len(orders):
            self.note("items", "bad_order", "顺序须从1开始且不重复")
        for index, item in enumerate(items):
            self._item(index, item)

    def _item(self, index: int, item: Mapping[str, Any]) -> None:
        content, duration = item.get("content"), item.get("duration")
        if not isinstance(content, str) or is_blank(content):
            self.note(f"items.{index}.content", "missing", "缺少内容")
        elif len(content) > CONTENT_MAX:
            self.note(f"items.{index}.content", "too_long", "内容最多{n}个字", n=CONTENT_MAX)
        if duration is not None and (type(duration) is not int or not DURATION_MIN <= duration <= DURATION_MAX):
            self.note(f"items.{index}.duration", "bad_value", "节数只能是 {low} 到 {high}", low=1, high=DURATION_MAX)

    def budget(self) -> None:
        total, count = self.values.get("total_slots"), len(self.values.get("items") or [])
        if total is None:
            if self.limits.today is not None and not self.limits.stored:
                self.note("total_slots", "missing", "缺少总节数")
            return
        if type(total) is not int or not 1 <= total <= TOTAL_SLOTS_MAX:
            self.note("total_slots", "bad_value", "总节数只能是 1 到 {high}", high=TOTAL_SLOTS_MAX)
        elif self.limits.today is not None and count and not count <= total <= DURATION_MAX * count:
            self.note(
                "total_slots", "bad_value", "{count}项任务的总节数应为 {count} 到 {high}", count=count, high=4 * count
            )

    def warnings(self) -> None:
        for field in CLASS_FIELDS:
            if field.missing and self.values.get(field.name) is None:
                self.note(field.name, "profile_missing", field.missing, "warning")
        if self.limits.same_name:
            self.note("name", "same_name", "已有同名的任务类", "warning")
        if any(issue.severity == "error" for issue in self.issues):
            return
        durations = [item.get("duration") for item in self.values.get("items") or []]
        needed = sum(item_lengths(durations, self.values.get("total_slots")))
        if self.limits.room is not None and self.limits.room < needed:
            self.note(
                "items",
                "capacity",
                "需要{needed}节，日期内只剩{room}节",
                "warning",
                needed=needed,
                room=self.limits.room,
            )
        total = self.values.get("total_slots")
        if total is not None and durations and needed != total:
            self.note(
                "total_slots",
                "budget_uneven",
                "各项节数合计{needed}，与总节数{total}不符",
                "warning",
                needed=needed,
                total=total,
            )

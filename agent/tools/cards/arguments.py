"""The argument summary of a call: the same for its start, its consent card and its result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.calls.kinds import Json
from agent.calls.phrase import clip_text
from agent.tools.cards.parts.kit import Lang
from agent.tools.draft.facts import day_ref
from agent.tools.words import labels
from agent.tools.words.limits import limit_words
from agent.tools.words.wishes import KIND_NAMES, wish_words
from schedules.planner.draft.state import ScheduleState
from schedules.planner.soft_limits import KINDS

LIST_LIMIT = 4
MOVES_LIMIT = 3
ORDER = {key: index for index, key in enumerate(labels.ARGUMENTS)}
DAYS = frozenset({"day", "new_day", "day_start", "day_end"})
TASKS = frozenset({"task_id", "task_a", "task_b", "for_task_id"})
WEEKS = frozenset({"week", "week_from", "week_to"})
SECTIONS = frozenset({"slot_end", "section_from", "section_to", "after_section", "before_section"})
STARTS = frozenset({"slot_start", "new_slot_start"})
NAMED = {"kind": labels.REPLAN_KINDS, "progress": labels.PROGRESS}
LENGTHS = frozenset({"span", "duration", "sections", "sections_left"})


def argument_view(
    arguments: Json, *, lang: Lang, draft: ScheduleState | None, names: Mapping[int, str] | None = None
) -> Json:
    """Shows the arguments of a call; `names` maps class ids to names where the draft does not know them."""
    display = Display(lang, draft, arguments, names or {})
    ordered = sorted(arguments, key=lambda key: ORDER.get(key, len(ORDER)))
    fields = [
        {"key": key, "label": display.label(key), "value": arguments[key], "display": display.of(key, arguments[key])}
        for key in ordered
    ]
    return view_of(arguments, fields, lang)


def view_of(arguments: Json, fields: list[Json], lang: Lang) -> Json:
    told = lang.clauses(lang.pair(str(one["label"]), str(one["display"])) for one in fields[:2])
    return {
        "view_type": "tool.arguments",
        "version": 1,
        "collapsed": {"summary": told or lang.t("无参数"), "args_count": len(fields)},
        "expanded": {"args": arguments, "fields": fields},
    }


class Display:
    """Tells how each argument is said; the other arguments tell what a number means."""

    def __init__(self, lang: Lang, draft: ScheduleState | None, arguments: Json, names: Mapping[int, str]) -> None:
        self.lang, self.draft, self.arguments, self.names = lang, draft, arguments, names

    def label(self, key: str) -> str:
        return self.lang.t(labels.ARGUMENTS[key]) if key in labels.ARGUMENTS else self.lang.t("参数")

    def of(self, key: str, value: Any) -> str:
        lang = self.lang
        if isinstance(value, bool):
            return lang.yes_no(value)
        if isinstance(value, int):
            return self.number(key, value)
        if isinstance(value, list):
            return self.list_values(key, value)
        if isinstance(value, Mapping):
            return lang.name(str(value.get("name") or "")) or lang.t("{n} 个字段", n=len(value))
        if key in NAMED:
            return lang.t(NAMED[key].get(value, "未填写"))
        if key in {"status", "domain", "mode", "day_scope", "detail", "source"}:
            return self.name_word(key, str(value))
        return clip_text(lang.name(str(value)) if key != "url" else str(value), 120)

    def name_word(self, key: str, value: str) -> str:
        if key == "status" and value in labels.STATUS:
            return self.lang.status(value)
        return self.lang.word(value)

    def number(self, key: str, value: int) -> str:
        if key in TASKS:
            return self.task(value)
        if key in DAYS:
            return self.day(value)
        if key in STARTS:
            return self.start(value)
        if key in WEEKS:
            return self.lang.t("第{week}周", week=value)
        if key in SECTIONS:
            return self.lang.t("第{n}节", n=value)
        if key in LENGTHS:
            return self.lang.length(value)
        if key == "recency_days":
            return self.lang.t("{n} 天内", n=value)
        return self.task_class(value) if key in {"task_class_id", "id"} else str(value)

    def list_values(self, key: str, values: list[Any]) -> str:
        if key == "moves":
            return self.cut([self.move(one) for one in values], MOVES_LIMIT)
        if key == "day_of_week":
            return self.cut([self.lang.weekday(day) for day in values], LIST_LIMIT)
        if key == "wishes":
            return self.cut([self.wish(one) for one in values], MOVES_LIMIT)
        if key == "limits":
            shown = self.lang.t("；").join(limit_words(one, self.lang.locale) for one in values[:MOVES_LIMIT])
            return shown if len(values) <= MOVES_LIMIT else self.lang.t("{shown} 等 {n} 项", shown=shown, n=len(values))
        if key == "task_class_ids":
            return "[" + self.cut([self.class_name(one) for one in values], LIST_LIMIT) + "]"
        return self.cut([self.element(key, one) for one in values], LIST_LIMIT)

    def wish(self, value: Any) -> str:
        """Returns a wish of set_preferences; one without a number is taken back."""
        if not isinstance(value, Mapping) or value.get("kind") not in KINDS:
            return self.lang.t("参数")
        class_id = value.get("task_class_id")
        row = {"hard_only": False, **value, "class_id": class_id, "value": value.get("value") or 1}
        names = {} if class_id is None else {class_id: self.class_name(class_id)}
        words = wish_words(row, names, self.lang.locale)
        return (
            words if value.get("value") else self.lang.t("取消愿望：{what}", what=self.lang.t(KIND_NAMES[row["kind"]]))
        )

    def element(self, key: str, value: Any) -> str:
        if key == "task_ids":
            return self.task(value)
        if key == "task_item_ids":
            return self.task_item(value)
        if key == "week_filter":
            return self.lang.t("第{week}周", week=value)
        if key == "exclude_sections":
            return self.lang.t("第{n}节", n=value)
        if isinstance(value, Mapping):
            return self.lang.name(str(value.get("content") or ""))
        return self.lang.word(str(value))

    def cut(self, parts: list[str], limit: int) -> str:
        shown = self.lang.join_parts(parts[:limit])
        return shown if len(parts) <= limit else self.lang.t("{shown} 等 {n} 项", shown=shown, n=len(parts))

    def task(self, state_id: int) -> str:
        entry = self.draft.task(state_id) if self.draft else None
        return self.lang.task({"task_id": state_id, "name": entry.name if entry else ""})

    def task_item(self, item_id: int) -> str:
        entry = self.draft.by_item(item_id) if self.draft else None
        return self.lang.task({"task_id": entry.state_id, "name": entry.name} if entry else {"name": ""})

    def task_class(self, class_id: int) -> str:
        return self.class_name(class_id)

    def class_name(self, class_id: int) -> str:
        meta = self.draft.task_class(class_id) if self.draft else None
        known = meta.name if meta else self.names.get(class_id, "")
        return self.lang.name(known) or self.lang.t("一个任务类")

    def day(self, index: int) -> str:
        if self.draft is None or not 1 <= index <= self.draft.window.total_days:
            return self.lang.t("计划外的一天")
        return self.lang.day(day_ref(self.draft, index))

    def start(self, first: int, task_id: int | None = None) -> str:
        length = self.length_of(task_id or self.arguments.get("task_id"))
        if length is not None:
            return self.lang.sections(first, first + length - 1)
        last = self.arguments.get("slot_end")
        return self.lang.sections(first, last) if isinstance(last, int) else self.lang.t("第{n}节起", n=first)

    def length_of(self, task_id: object) -> int | None:
        entry = self.draft.task(task_id) if self.draft and isinstance(task_id, int) else None
        return entry.duration if entry else None

    def move(self, one: Mapping[str, Any]) -> str:
        day, start = self.day(one["new_day"]), self.start(one["new_slot_start"], one["task_id"])
        return f"{self.task(one['task_id'])} → {day} {start}"

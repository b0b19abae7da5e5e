"""Words of the observations: what the model reads, always Chinese."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from agent.calls.kinds import Json
from agent.calls.phrase import MODEL, one_line
from agent.calls.values import ToolError, ToolOutcome
from taskclasses.kernel import i18n

Observer = Callable[[ToolOutcome], str]
WEEKDAYS = ("", *i18n.WEEKDAYS)
"""By number; 1 is Monday."""
MARKS = {"done": "做完了", "partial": "做了一部分", "missed": "没做"}
KEPT = {"pinned": "学生钉住的，不动", "by_hand": "学生自己放的，不动"}
STATUS = {"existing": "已安排", "suggested": "已预排", "pending": "待安排", "fixed": "固定"}
STRATEGY = {"steady": "均匀分布", "rapid": "集中突击"}
SUBJECT = {"quantitative": "计算型", "memory": "记忆型", "reading": "阅读型", "mixed": "混合型"}
LEVEL = {"low": "低", "medium": "中", "high": "高"}
LISTS = {"excluded_slots": "排除时段块", "excluded_days_of_week": "排除星期", "excluded_cells": "排除格"}
FLAGS = {"allow_filler_course": "允许嵌入水课"}
UNKNOWN = "未填写"


def day(ref: Json) -> str:
    """Returns `第4天（第3周 周四）`."""
    return f"第{ref['day']}天（第{ref['week']}周 {WEEKDAYS[ref['day_of_week']]}）"


def day_short(ref: Json) -> str:
    return f"第{ref['day']}天"


def sections(first: int, last: int) -> str:
    return f"{first}节" if first == last else f"{first}-{last}节"


def task(entry: Json) -> str:
    """Returns `[8]概率第2章`."""
    return f"[{entry['task_id']}]{one_line(entry['name'])}"


def place(spot: Json, *, full: bool = False) -> str:
    """Returns a place of a change: `第4天 3-4节`, with the weekday when `full`."""
    name = f"{day(spot)}" if full else f"{day_short(spot)} "
    return name + sections(spot["section_from"], spot["section_to"])


def slot(row: Json) -> str:
    return f"{day_short(row)} {sections(row['slot_start'], row['slot_end'])}"


def entry_line(row: Json) -> str:
    """Returns one line of a task list."""
    parts = [task(row), STATUS[row["status"]]]
    if row["ordinal"] is None:
        parts.append(one_line(row["category"]))
    else:
        parts.append(f"{one_line(row['category'])}#{row['task_class_id']} 第{row['ordinal']}项")
    parts.append(slot(row["slots"][0]) if row["slots"] else f"需{row['duration']}节")
    parts += said_of(row)
    if row["host"]:
        parts.append(f"嵌入{task(row['host'])}")
    if row["can_embed"]:
        parts.append(f"已嵌入{task(row['guest'])}" if row["guest"] else "可嵌入")
    return "｜".join(parts)


def said_of(row: Json) -> list[str]:
    """Returns what the student said about an item: its mark, and that it stays where it is."""
    marks = [MARKS[row["mark"]]] if row.get("mark") else []
    return marks + ([KEPT[row["kept"]]] if row.get("kept") else [])


def shut(row: Json) -> str:
    """Returns what of a day takes no items although nobody is there, with a comma before it; "" for other days."""
    if row.get("closed"):
        return "，放假，不排任务"
    return f"，留空{ranges(row['kept_free'])}" if row.get("kept_free") else ""


def load(row: Json) -> str:
    """Returns load of a touched day: `第4天占用8→6/12`, one number when it stayed."""
    change = f"{row['before']}→{row['after']}" if row["before"] != row["after"] else f"{row['after']}"
    return f"第{row['day']}天占用{change}/{row['sections']}"


def ranges(runs: Iterable[list[int]]) -> str:
    return "、".join(sections(first, last) for first, last in runs) or "无"


def json_text(tool: str, outcome: ToolOutcome) -> str:
    """Returns the JSON observation of a tool: its data, or the reason of its failure."""
    if outcome.error is None:
        return dump({"tool": tool, "success": True, **outcome.data})
    return failure_json(tool, outcome.error, outcome.data)


def failure_json(tool: str, error: ToolError, data: Json) -> str:
    document: Json = {"tool": tool, "success": False, "error": error.message, "error_code": error.code}
    if error.rule:
        document["rule"] = error.rule
    return dump({**document, **error.details, **data})


def failure_text(error: ToolError) -> str:
    """Returns `失败[code]：原因。`, the rule after the code, every further line after it."""
    head = f"{error.code}/{error.rule}" if error.rule else error.code
    sentences = [error.message] if error.told else [error.message, *(line.text(MODEL) for line in error.lines)]
    return f"失败[{head}]：" + "".join(sentence.rstrip("。") + "。" for sentence in sentences)


def dump(document: Json) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def day_load(row: Json) -> str:
    """Returns `占用8/12，课程4，任务4`; other fixed events, and what takes no items, only when there are any."""
    other = f"，其他{row['other_sections']}" if row["other_sections"] else ""
    used = f"占用{row['used']}/{row['sections']}，课程{row['course_sections']}{other}，任务{row['task_sections']}"
    return used + shut(row)

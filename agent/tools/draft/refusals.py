"""Refusals of the planner's operations as errors of a tool: what broke, by whom, and where it would be legal."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from agent.calls.kinds import Json
from agent.calls.phrase import ForReader, Phrase, Sayable, Verbatim, join_phrases, one_line, say
from agent.calls.values import ToolError
from agent.tools.draft.facts import day_ref
from agent.tools.words import labels
from schedules.planner.draft.state import ScheduleState, TaskEntry
from schedules.planner.grid import Cell, week_and_weekday
from schedules.planner.rules.board import PlacedItem
from schedules.planner.rules.errors import Refusal
from schedules.planner.rules.placement import neighbours
from schedules.planner.rules.sentences import violation_text
from schedules.planner.rules.violations import Rule, Violation
from taskclasses.kernel.i18n import WEEKDAYS

SIMILAR = 3
HINTS = {
    ("place", "suggested"): "请用 move",
    ("place", "existing"): "请先用 unplace",
    ("unplace", "pending"): "它本来就没有安排",
    ("move", "pending"): "请用 place",
    ("move", "existing"): "请先用 unplace",
}


def task_words(entry: TaskEntry) -> Sayable:
    """Returns `[8]第2章` for the model, the name for the student."""
    name = one_line(entry.name)
    return ForReader(Verbatim(f"[{entry.state_id}]{name}"), say("「{name}」", name=name))


def short_words(entry: TaskEntry) -> Sayable:
    """Returns `[8]` for the model, the name for the student."""
    return ForReader(Verbatim(f"[{entry.state_id}]"), say("「{name}」", name=one_line(entry.name)))


def task_not_found(draft: ScheduleState, task_id: int) -> ToolError:
    """Names ids that look like the one asked for."""
    known = [str(entry.state_id) for entry in draft.tasks]
    near = difflib.get_close_matches(str(task_id), known, n=SIMILAR, cutoff=0.4)
    near += [one for one in sorted(known, key=lambda k: abs(int(k) - task_id)) if one not in near]
    similar = [entry for one in near[:SIMILAR] if (entry := draft.task(int(one)))]
    own = item_of_own_id(draft, task_id)
    similar = [*own, *(entry for entry in similar if entry not in own)][:SIMILAR]
    lines = similar_line(similar)
    reason = ForReader(say("没有编号为 {id} 的任务", id=task_id), say("没有这项任务"))
    details: Json = {"task_id": task_id, "similar_ids": [entry.state_id for entry in similar]}
    return ToolError("task_not_found", reason, lines=lines, details=details)


def item_of_own_id(draft: ScheduleState, number: int) -> list[TaskEntry]:
    """Returns the item whose id of its own this is: models take it for that in the draft."""
    return [entry for entry in draft.items() if entry.source_id == number]


def similar_line(similar: Sequence[TaskEntry]) -> tuple[Phrase, ...]:
    return (say("相近的有：{tasks}", tasks=join_phrases(map(task_words, similar))),) if similar else ()


def from_refusal(draft: ScheduleState, refusal: Refusal, operation: str) -> ToolError:
    """Puts into words the refusal of an operation; `operation`: place | move | swap | batch_move | unplace |
    batch_unplace, for the words of a wrong status."""
    if len(refusal.entries) > 1 or (refusal.entries and refusal.entries[0].index is not None):
        return several(draft, refusal, operation)
    return single(draft, refusal, operation)


def several(draft: ScheduleState, refusal: Refusal, operation: str) -> ToolError:
    """Puts into words the refusal of a batch: every failing entry with its number; the code is that of the first."""
    errors = [(entry.index or 0, single(draft, entry, operation)) for entry in refusal.entries]
    reasons: list[Sayable] = [number_refusal(index, error) for index, error in errors]
    first = errors[0][1]
    entries = [
        {"index": index, "error_code": error.code, **({"rule": error.rule} if error.rule else {}), **error.details}
        for index, error in errors
    ]
    details: Json = {"entries": entries}
    return ToolError(first.code, reasons[0], rule=first.rule, lines=tuple(reasons[1:]), details=details)


def number_refusal(index: int, error: ToolError) -> Phrase:
    parts = [error.reason, *error.lines]
    return say("第{index}条：{reason}", index=index, reason=join_phrases(parts, "；"))


def single(draft: ScheduleState, refusal: Refusal, operation: str) -> ToolError:
    if refusal.code == "task_not_found":
        return task_not_found(draft, refusal.task_id or 0)
    entry = draft.task(refusal.task_id or 0)
    if entry is None:
        return ToolError(refusal.code, say("没有可以执行的内容"))
    if refusal.code == "rule_broken":
        return rule_broken(draft, entry, refusal.violations[0])
    return SIMPLE[refusal.code](draft, entry, refusal, operation)


def wrong_status(draft: ScheduleState, entry: TaskEntry, refusal: Refusal, operation: str) -> ToolError:
    kind = operation.removeprefix("batch_") if operation.endswith("place") else "move"
    reason = say(
        "{task} {status}，不能{operation}",
        task=task_words(entry),
        status=say(labels.STATUS[entry.status]),
        operation=say(labels.OPERATIONS[operation]),
    )
    hint = HINTS.get((kind, entry.status), "")
    return ToolError("wrong_status", reason, hint=hint, details={"task_id": entry.state_id, "status": entry.status})


def fixed_entry(draft: ScheduleState, entry: TaskEntry, refusal: Refusal, operation: str) -> ToolError:
    return replace(refuse_fixed(entry), lines=similar_line(item_of_own_id(draft, entry.state_id)))


def refuse_fixed(entry: TaskEntry) -> ToolError:
    if not entry.is_item:
        message = "{task} 是固定课程，不能改动" if entry.event_type == "course" else "{task} 是固定日程，不能改动"
    else:
        message = "{task} 属于不在本次规划内的任务类，不能改动"
    return ToolError("fixed_entry", say(message, task=task_words(entry)), details={"task_id": entry.state_id})


def length_mismatch(draft: ScheduleState, entry: TaskEntry, refusal: Refusal, operation: str) -> ToolError:
    a, b = refusal.details["a"], refusal.details["b"]
    return ToolError(
        "length_mismatch", say("两项时长不同（{a}节与{b}节），不能交换", a=a, b=b), details={"a": a, "b": b}
    )


def duplicate_task(draft: ScheduleState, entry: TaskEntry, refusal: Refusal, operation: str) -> ToolError:
    reason = say("{task} 被重复指定", task=task_words(entry))
    return ToolError("duplicate_task", reason, details={"task_id": entry.state_id})


def no_change(draft: ScheduleState, entry: TaskEntry, refusal: Refusal, operation: str) -> ToolError:
    reason = say("{task} 已经在这个位置，没有变化", task=task_words(entry))
    return ToolError("no_change", reason, details={"task_id": entry.state_id})


SIMPLE: dict[str, Callable[[ScheduleState, TaskEntry, Refusal, str], ToolError]] = {
    "wrong_status": wrong_status,
    "fixed_entry": fixed_entry,
    "length_mismatch": length_mismatch,
    "duplicate_task": duplicate_task,
    "no_change": no_change,
}


class RuleWords:
    """Says the planner's own sentence of a broken rule."""

    def __init__(self, broken: Violation) -> None:
        self.broken = broken

    def text(self, locale: str) -> str:
        return violation_text(self.broken, locale)


def rule_broken(draft: ScheduleState, entry: TaskEntry, broken: Violation) -> ToolError:
    details: Json = {"task_id": entry.state_id}
    if broken.blocker is not None:
        details["blocker"] = {"task_id": blocker_id(draft, broken), "name": broken.blocker.name}
    if broken.rule in {Rule.ORDER_BEFORE, Rule.ORDER_AFTER}:
        first, last = cell_of(broken.params["range_from"]), cell_of(broken.params["range_to"])
        details["legal_range"] = {"from": cell_json(draft, first), "to": cell_json(draft, last)}
        reason = order_words(draft, entry, broken)
        return ToolError(
            "rule_broken", reason, rule=broken.rule, lines=(legal_range(draft, first, last),), details=details
        )
    reason_of: Sayable = occupied_words(draft, broken) if broken.rule is Rule.OCCUPIED else RuleWords(broken)
    return ToolError("rule_broken", reason_of, rule=broken.rule, details=details)


def blocker_entry(draft: ScheduleState, broken: Violation) -> TaskEntry | None:
    blocker = broken.blocker
    if blocker is None:
        return None
    if blocker.task_item_id is not None:
        return draft.by_item(blocker.task_item_id)
    return draft.by_event(blocker.event_id) if blocker.event_id is not None else None


def blocker_id(draft: ScheduleState, broken: Violation) -> int | None:
    entry = blocker_entry(draft, broken)
    return entry.state_id if entry else None


def occupied_words(draft: ScheduleState, broken: Violation) -> Sayable:
    entry = blocker_entry(draft, broken)
    if entry is None:
        return RuleWords(broken)
    params = broken.params
    day = (params["week"] - 1) * 7 + params["weekday"]
    a, b = params["a"], params["b"]
    sections = say("{range}节", range=a if a == b else f"{a}-{b}")
    place = ForReader(
        say("第{day}天 {sections}", day=draft.window.index_of(day), sections=sections),
        say("{day} {sections}", day=week_day_words(day), sections=sections),
    )
    return say("{place}已被{blocker}占用", place=place, blocker=task_words(entry))


def cell_of(cell: Any) -> Cell | None:
    return None if cell is None else (cell[0], cell[1])


def cell_json(draft: ScheduleState, cell: Cell | None) -> Json | None:
    return None if cell is None else {**day_ref(draft, draft.window.index_of(cell[0])), "section": cell[1]}


def cell_words(draft: ScheduleState, cell: Cell, *, long: bool = False) -> Sayable:
    """Returns `第4天5节`; a day outside the window is told by its week."""
    day, section = cell
    week, weekday = week_and_weekday(day)
    dated = say("第{week}周 {weekday}{n}节", week=week, weekday=say(WEEKDAYS[weekday - 1]), n=section)
    if not draft.window.contains(day):
        return dated
    message = "第{day}天第{n}节" if long else "第{day}天{n}节"
    return ForReader(say(message, day=draft.window.index_of(day), n=section), dated)


def week_day_words(day: int) -> Sayable:
    week, weekday = week_and_weekday(day)
    return say("第{week}周 {weekday}", week=week, weekday=say(WEEKDAYS[weekday - 1]))


def order_words(draft: ScheduleState, entry: TaskEntry, broken: Violation) -> Sayable:
    """Tells who must come before and after, each with the cell it binds."""
    first, last = cell_of(broken.params["range_from"]), cell_of(broken.params["range_to"])
    lower, higher = neighbours(draft.board(), draft.subject(entry))
    binding = broken.blocker.task_item_id if broken.blocker else None
    values: dict[str, object] = {"task": short_words(entry)}
    if first is not None:
        end = previous_cell(draft, first)
        known = binding if broken.rule is Rule.ORDER_BEFORE else at_cell(lower, end, end=True)
        values |= {"earlier": sibling_words(draft, known), "end": cell_words(draft, end)}
    if last is not None:
        begin = next_cell(draft, last)
        known = binding if broken.rule is Rule.ORDER_AFTER else at_cell(higher, begin, end=False)
        values |= {"later": sibling_words(draft, known), "begin": cell_words(draft, begin)}
    if first is None:
        return Phrase("{task}必须在{later}（始于{begin}）之前", values)
    if last is None:
        return Phrase("{task}必须在{earlier}（止于{end}）之后", values)
    return Phrase("{task}必须在{earlier}（止于{end}）之后，且在{later}（始于{begin}）之前", values)


def at_cell(placed: PlacedItem | None, cell: Cell, *, end: bool) -> int | None:
    """Returns the item of a sibling that really ends or begins at that cell in this draft."""
    if placed is None:
        return None
    return placed.item_id if (placed.place.end_cell if end else placed.place.cell) == cell else None


def previous_cell(draft: ScheduleState, cell: Cell) -> Cell:
    return (cell[0], cell[1] - 1) if cell[1] > 1 else (cell[0] - 1, draft.grid.sections)


def next_cell(draft: ScheduleState, cell: Cell) -> Cell:
    return (cell[0], cell[1] + 1) if cell[1] < draft.grid.sections else (cell[0] + 1, 1)


def sibling_words(draft: ScheduleState, item_id: int | None) -> Sayable:
    entry = draft.by_item(item_id) if item_id is not None else None
    return short_words(entry) if entry else say("同类任务")


def legal_range(draft: ScheduleState, first: Cell | None, last: Cell | None) -> Sayable:
    """Returns the cells that two siblings leave, both ends included, in words."""
    if first is not None and last is not None:
        if first > last:
            return say("可用范围：无")
        return say("可用范围：{first} ~ {last}", first=cell_words(draft, first), last=cell_words(draft, last))
    if first is not None:
        return say("可用范围：{first} 之后", first=cell_words(draft, first, long=True))
    if last is not None:
        return say("可用范围：{last} 之前", last=cell_words(draft, last, long=True))
    return say("可用范围：不受前后项限制")

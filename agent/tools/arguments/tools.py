"""The argument schema of every tool that works on the draft, the queue, the tool packs or the web."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field, StringConstraints

from agent.calls.kinds import Json
from agent.calls.ports import URL_LIMIT
from agent.tools.argument_schema import INT_MAX, Args, violation
from agent.tools.arguments.filters import CalendarArgs, Day, Section, SlotFilterArgs, both_or_neither
from agent.tools.packs import OPTIONAL_PACKS, pack_problems
from schedules.planner.draft.state import ScheduleState

TaskId = Annotated[int, Field(ge=1, le=INT_MAX)]
Span = Annotated[int, Field(ge=1, le=12)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
TaskStatus = Literal["all", "existing", "suggested", "pending"]
Detail = Literal["summary", "full"]
HOST_NAME = r"^[^\s/:@?#*.]+(\.[^\s/:@?#*.]+)+$"


def other_length(draft: ScheduleState, task_id: int | None, field: str, given: int | None) -> list[Json]:
    """Checks that a length beside a task is the task's own."""
    entry = draft.task(task_id) if task_id is not None else None
    if entry is None or given is None or given == entry.duration:
        return []
    return [violation(field, "conflict", f"该任务需{entry.duration}节", given)]


class AvailableSlotsArgs(SlotFilterArgs):
    aliases: ClassVar[Mapping[str, str]] = {"duration": "span"}
    for_task_id: TaskId | None = None
    span: Span | None = None
    allow_embed: bool = True
    limit: Annotated[int, Field(ge=1, le=60)] = 12

    def bounds(self, draft: ScheduleState) -> list[Json]:
        return super().bounds(draft) + other_length(draft, self.for_task_id, "span", self.span)


class TargetTasksArgs(CalendarArgs):
    status: TaskStatus = "suggested"
    task_class_id: TaskId | None = None
    category: Name | None = None
    task_ids: Annotated[list[TaskId], Field(min_length=1, max_length=50)] | None = None
    task_item_ids: Annotated[list[TaskId], Field(min_length=1, max_length=50)] | None = None
    limit: Annotated[int, Field(ge=1, le=100)] = 16
    enqueue: bool = False
    reset_queue: bool = False


class RangeArgs(Args):
    day: Day
    slot_start: Section | None = None
    slot_end: Section | None = None

    @classmethod
    def conflicts(cls, values: Json) -> list[Json]:
        return both_or_neither(values, "slot_start", "slot_end")

    def bounds(self, draft: ScheduleState) -> list[Json]:
        total, sections = draft.window.total_days, draft.semester.grid.sections
        found = [violation("day", "range", f"1..{total}", self.day)] if self.day > total else []
        for key in ("slot_start", "slot_end"):
            value = getattr(self, key)
            if value is not None and value > sections:
                found.append(violation(key, "range", f"1..{sections}", value))
        return found


class TaskArgs(Args):
    task_id: TaskId


class ListTasksArgs(Args):
    status: TaskStatus = "all"
    category: Name | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50


class FirstFreeArgs(SlotFilterArgs):
    duration: Span | None = None
    for_task_id: TaskId | None = None
    allow_embed: bool = True

    @classmethod
    def conflicts(cls, values: Json) -> list[Json]:
        found = super().conflicts(values)
        if "duration" not in values and "for_task_id" not in values:
            found.append(violation("duration", "missing", "integer", None))
        return found

    def bounds(self, draft: ScheduleState) -> list[Json]:
        return super().bounds(draft) + other_length(draft, self.for_task_id, "duration", self.duration)


class PlaceArgs(Args):
    task_id: TaskId
    day: Day
    slot_start: Section


class MoveArgs(Args):
    task_id: TaskId
    new_day: Day
    new_slot_start: Section


class SwapArgs(Args):
    task_a: TaskId
    task_b: TaskId


class TaskListArgs(Args):
    task_ids: Annotated[list[TaskId], Field(min_length=1, max_length=50)]


class TimetableArgs(Args):
    week_from: Annotated[int, Field(ge=1, le=60)] | None = None
    week_to: Annotated[int, Field(ge=1, le=60)] | None = None


class BatchMoveArgs(Args):
    moves: Annotated[list[MoveArgs], Field(min_length=1, max_length=10)]


class HeadMoveArgs(Args):
    new_day: Day
    new_slot_start: Section


class SkipHeadArgs(Args):
    reason: Annotated[str, StringConstraints(max_length=100)] = ""


class HealthArgs(Args):
    detail: Detail = "summary"


class RhythmArgs(Args):
    category: Name | None = None
    include_pending: bool = True
    detail: Detail = "summary"


Pack = Annotated[str, Field(json_schema_extra={"enum": [pack for packs in OPTIONAL_PACKS.values() for pack in packs]})]
"""A pack is told to the model; whether the domain has it is judged with the domain."""


class OpenToolsArgs(Args):
    domain: Literal["schedule", "taskclass"]
    packs: Annotated[list[Pack], Field(default_factory=list, max_length=12)]
    mode: Literal["replace", "merge"] = "replace"

    @classmethod
    def conflicts(cls, values: Json) -> list[Json]:
        return named_packs(values)


class CloseToolsArgs(Args):
    domain: Literal["schedule", "taskclass", "all"] | None = None
    packs: Annotated[list[Pack], Field(default_factory=list, max_length=12)]
    all: bool = False

    @classmethod
    def conflicts(cls, values: Json) -> list[Json]:
        found = named_packs(values)
        if "domain" not in values and values.get("all") is not True:
            found.append(violation("domain", "missing", "domain 或 all=true", None))
        everything = values.get("all") is True or values.get("domain") == "all"
        if values.get("all") is True and values.get("domain", "all") != "all":
            found.append(violation("all", "conflict", "domain 与 all 只能给一个", True))
        if everything and values.get("packs"):
            found.append(violation("packs", "conflict", "移除全部时不能再指定 packs", values["packs"]))
        return found


def named_packs(values: Json) -> list[Json]:
    """Returns violations of the packs of a known domain; a domain that is itself wrong is reported by its own field."""
    domain, packs = values.get("domain"), values.get("packs")
    if domain not in ("schedule", "taskclass") or not isinstance(packs, list):
        return []
    return [one for one in pack_problems(domain, packs) if one["problem"] == "enum"]


class WebSearchArgs(Args):
    query: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    top_k: Annotated[int, Field(ge=1, le=10)] = 5
    domain_allow: Annotated[
        list[Annotated[str, StringConstraints(pattern=HOST_NAME, max_length=253)]],
        Field(default_factory=list, max_length=5),
    ]
    recency_days: Annotated[int, Field(ge=1, le=365)] | None = None


class WebFetchArgs(Args):
    url: Annotated[str, StringConstraints(min_length=1, max_length=URL_LIMIT)]
    max_chars: Annotated[int, Field(ge=500, le=8000)] = 4000

"""The argument schemas of what happens in a term: re-planning and marks."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from agent.calls.kinds import Json
from agent.tools.argument_schema import Args, violation
from agent.tools.arguments.filters import both_or_neither
from agent.tools.arguments.tools import TaskId
from schedules.planner.draft.state import ScheduleState
from schedules.planner.replan.asks import NEEDS, ReplanAsk

IsoDate = Annotated[str, StringConstraints(min_length=10, max_length=10)]
TaskIds = Annotated[list[TaskId], Field(min_length=1, max_length=50)]
Section = Annotated[int, Field(ge=1, le=100)]


class ReplanArgs(Args):
    """Dates of classes are theirs: a deadline or a start is written with the class first, then `mend` follows it."""

    kind: Literal["missed", "rest", "ill", "keep_free", "lighten", "finish_first", "mend"]
    task_ids: TaskIds | None = None
    from_date: IsoDate | None = None
    to_date: IsoDate | None = None
    evenings: bool = False
    section_from: Section | None = None
    section_to: Section | None = None
    week: Annotated[int, Field(ge=1, le=60)] | None = None
    sections: Annotated[int, Field(ge=1, le=500)] | None = None
    task_class_id: TaskId | None = None

    @classmethod
    def conflicts(cls, values: Json) -> list[Json]:
        kind = values.get("kind")
        needed = NEEDS.get(kind, ()) if isinstance(kind, str) else ()
        found = [violation(name, "missing", name, None) for name in needed if name not in values]
        found += both_or_neither(values, "section_from", "section_to")
        days = {key: values[key] for key in ("from_date", "to_date") if isinstance(values.get(key), str)}
        wrong = [key for key, said in days.items() if not _is_date(said)]
        found += [violation(key, "type", "YYYY-MM-DD", days[key]) for key in wrong]
        if len(days) == 2 and not wrong and days["to_date"] < days["from_date"]:
            found.append(violation("to_date", "range", ">= from_date", days["to_date"]))
        return found

    def bounds(self, draft: ScheduleState) -> list[Json]:
        if self.task_class_id is None or draft.task_class(self.task_class_id) is not None or self.kind == "mend":
            return []
        known = [meta.id for meta in draft.task_classes]
        return [violation("task_class_id", "enum", known, self.task_class_id)]

    def ask(self, draft: ScheduleState) -> ReplanAsk:
        """What the planner is asked; every task id is known."""
        entries = [draft.task(one) for one in self.task_ids or ()]
        first = date.fromisoformat(self.from_date) if self.from_date else None
        return ReplanAsk(
            kind=self.kind,
            item_ids=None if self.task_ids is None else tuple(entry.source_id for entry in entries if entry),
            first_date=first,
            last_date=date.fromisoformat(self.to_date) if self.to_date else first,
            evenings=self.evenings,
            from_section=self.section_from,
            to_section=self.section_to,
            week=self.week,
            sections=self.sections or 0,
            task_class_id=self.task_class_id,
        )


def _is_date(said: str) -> bool:
    try:
        return date.fromisoformat(said).isoformat() == said
    except ValueError:
        return False


class MarkArgs(Args):
    """`sections_left` of a part done; without it half of it is left."""

    task_ids: TaskIds
    progress: Literal["open", "done", "partial", "missed"]
    sections_left: Annotated[int, Field(ge=1, le=4)] | None = None

    @classmethod
    def conflicts(cls, values: Json) -> list[Json]:
        if "sections_left" in values and values.get("progress") != "partial":
            return [violation("sections_left", "conflict", "只用于 progress=partial", values["sections_left"])]
        return []

"""The argument schemas of what happens in a term: re-planning and marks."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from agent.calls.kinds import Json, Kind
from agent.calls.ports import RowChange
from agent.tools.argument_schema import Args, violation
from agent.tools.arguments.filters import Weekday, both_or_neither
from agent.tools.arguments.tools import TaskId
from schedules.planner.draft.state import ScheduleState, TaskEntry
from schedules.planner.grid import Calendar
from schedules.planner.replan.asks import NEEDS, ReplanAsk
from schedules.planner.replan.conditions import Limit, Times

IsoDate = Annotated[str, StringConstraints(min_length=10, max_length=10)]
TaskIds = Annotated[list[TaskId], Field(min_length=1, max_length=50)]
LimitedIds = Annotated[list[TaskId], Field(min_length=1, max_length=500)]
Section = Annotated[int, Field(ge=1, le=100)]


Clock = Annotated[str, StringConstraints(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
Name = Annotated[str, StringConstraints(min_length=1, max_length=100)]
WRITTEN = frozenset({"deadline", "start", "lesson_moved", "exam_moved", "keep_free"})
"""What changes rows before the plan follows: the date of a class, a lesson, an exam, time that stays free."""
TOLD: dict[str, tuple[str, ...]] = NEEDS | {
    "limits": ("limits",),
    "lesson_moved": ("name", "from_date", "date", "section_from", "section_to"),
    "exam_moved": ("name", "date"),
}
"""What an ask cannot do without, as the student says it."""
CONDITIONS = (
    "within", "without", "a_day", "a_week", "sections_a_day", "days_between", "sections_between", "after_lessons",
    "one_day", "in_order", "between_lessons", "even",
)  # fmt: skip
"""What a condition asks for; the other fields of it say of whom, when and how."""


class TimesArgs(Args):
    """A stretch of time: weekdays (none: every day), sections, dates; what is absent bounds nothing."""

    weekdays: Annotated[list[Weekday], Field(min_length=1, max_length=7)] | None = None
    section_from: Section | None = None
    section_to: Section | None = None
    from_date: IsoDate | None = None
    to_date: IsoDate | None = None

    def times(self, calendar: Calendar) -> Times:
        first, last = (_day(calendar, said) for said in (self.from_date, self.to_date))
        ends = (self.section_from, self.section_to)
        sections = (ends[0] or 1, ends[1] or calendar.grid.sections) if any(ends) else None
        return Times(frozenset(self.weekdays or ()), sections, first, last)

    @classmethod
    def conflicts(cls, values: Json) -> list[Json]:
        dates = [violation(key, "type", "YYYY-MM-DD", values[key]) for key in ("from_date", "to_date")
                 if isinstance(values.get(key), str) and not _is_date(values[key])]  # fmt: skip
        found = [*dates, *_in_order(values, "section_from", "section_to")]
        return found if dates else [*found, *_in_order(values, "from_date", "to_date")]


ManyTimes = Annotated[list[TimesArgs], Field(min_length=1, max_length=20)]
Few = Annotated[int, Field(ge=1, le=50)]


class LimitArgs(Args):
    """A condition on places, of `task_ids` or of all.

    Only `within` these times, `without` those; at most `a_day` and `a_week` items, `sections_a_day` sections,
    `days_between` free days between two, `sections_between` free sections on a day, `after_lessons` free sections
    behind a lesson; counted in `during` alone, `each_class` for itself. `one_day`: all on one day, `in_order`: in the
    order of `task_ids`, `between_lessons`: between two lessons of a day, `even`: as far apart as can be; `held`: kept
    only where it holds already.
    """

    task_ids: LimitedIds | None = None
    within: ManyTimes | None = None
    without: ManyTimes | None = None
    a_day: Few | None = None
    a_week: Few | None = None
    sections_a_day: Few | None = None
    days_between: Few | None = None
    sections_between: Few | None = None
    after_lessons: Few | None = None
    during: ManyTimes | None = None
    each_class: bool = False
    one_day: bool = False
    in_order: bool = False
    between_lessons: bool = False
    even: bool = False
    held: bool = False

    @classmethod
    def conflicts(cls, values: Json) -> list[Json]:
        """Returns what is wrong with the times of the condition, and whether it asks for nothing at all."""
        found = [
            {**one, "field": f"{key}[{at}].{one['field']}"}
            for key in ("within", "without", "during")
            for at, times in _objects(values.get(key))
            for one in TimesArgs.conflicts(times)
        ]
        if not any(values.get(key) for key in CONDITIONS):
            found.append(violation("within", "missing", " | ".join(CONDITIONS), None))
        if values.get("in_order") and "task_ids" not in values:
            found.append(violation("task_ids", "missing", "array", None))
        return found

    def limit(self, draft: ScheduleState, calendar: Calendar) -> Limit:
        """Returns the condition as the planner keeps it; every task id is known."""
        ids = [entry.source_id for one in self.task_ids or () if (entry := draft.task(one)) is not None]
        return Limit(
            items=frozenset(ids if self.task_ids is not None else (entry.source_id for entry in draft.items())),
            within=tuple(one.times(calendar) for one in self.within or ()),
            without=tuple(one.times(calendar) for one in self.without or ()),
            a_day=self.a_day or 0,
            a_week=self.a_week or 0,
            sections_a_day=self.sections_a_day or 0,
            days_between=self.days_between or 0,
            sections_between=self.sections_between or 0,
            after_lessons=self.after_lessons or 0,
            during=tuple(one.times(calendar) for one in self.during or ()),
            each_class=self.each_class,
            one_day=self.one_day,
            order=tuple(ids) if self.in_order else (),
            between_lessons=self.between_lessons,
            even=self.even,
            held=self.held,
        )


class ReplanArgs(Args):
    """`name` is that of the lesson of `from_date`, or of the exam, that moved to `date`, or why time is kept free;
    `date` of `deadline` and `start` (or `week` of the latter) is the new last or first day of the class. `limits` are
    conditions that are kept by few moves; `task_ids` beside them find a place where they have none, with
    `others_stay` they alone move."""

    kind: Literal[
        "missed", "rest", "ill", "keep_free", "lighten", "finish_first", "deadline", "start", "lesson_moved",
        "exam_moved", "mend", "anew", "limits",
    ]  # fmt: skip
    task_ids: TaskIds | None = None
    limits: Annotated[list[LimitArgs], Field(min_length=1, max_length=30)] | None = None
    others_stay: bool = False
    from_date: IsoDate | None = None
    to_date: IsoDate | None = None
    evenings: bool = False
    section_from: Section | None = None
    section_to: Section | None = None
    week: Annotated[int, Field(ge=1, le=60)] | None = None
    sections: Annotated[int, Field(ge=1, le=500)] | None = None
    task_class_id: TaskId | None = None
    date: IsoDate | None = None
    name: Name | None = None
    start_time: Clock | None = None
    end_time: Clock | None = None

    @classmethod
    def conflicts(cls, values: Json) -> list[Json]:
        kind = values.get("kind")
        needed = TOLD.get(kind, ()) if isinstance(kind, str) else ()
        found = [violation(name, "missing", name, None) for name in needed if name not in values]
        if kind == "start" and not {"date", "week"} & values.keys():
            found.append(violation("date", "missing", "date", None))
        if isinstance(kind, str):
            found += [violation(key, "conflict", "只用于 kind=limits", values[key])
                      for key in ("limits", "others_stay") if kind != "limits" and values.get(key)]  # fmt: skip
        found += [
            {**one, "field": f"limits[{at}].{one['field']}"}
            for at, limit in _objects(values.get("limits"))
            for one in LimitArgs.conflicts(limit)
        ]
        if kind == "keep_free" and "task_class_id" in values and "dates" not in values:
            found.append(violation("task_class_id", "conflict", "只和 dates 一起使用", values["task_class_id"]))
        found += both_or_neither(values, "section_from", "section_to")
        found += both_or_neither(values, "start_time", "end_time")
        days = {key: values[key] for key in ("from_date", "to_date", "date") if isinstance(values.get(key), str)}
        wrong = [key for key, said in days.items() if not _is_date(said)]
        found += [violation(key, "type", "YYYY-MM-DD", days[key]) for key in wrong]
        if {"from_date", "to_date"} <= days.keys() and not wrong and days["to_date"] < days["from_date"]:
            found.append(violation("to_date", "range", ">= from_date", days["to_date"]))
        return found

    def bounds(self, draft: ScheduleState) -> list[Json]:
        if self.task_class_id is None or draft.task_class(self.task_class_id) is not None or self.kind == "mend":
            return []
        known = [meta.id for meta in draft.task_classes]
        return [violation("task_class_id", "enum", known, self.task_class_id)]

    def change(self, calendar: Calendar) -> RowChange | None:
        """Returns what is written before the plan follows; None when nothing is."""
        if self.kind == "keep_free" and self.from_date is not None:
            first = date.fromisoformat(self.from_date)
            # Where a day has no evening there is nothing to keep free, which the writing of it says.
            none = calendar.grid.sections + 1, calendar.grid.sections + 1
            sections = (calendar.grid.evening or none) if self.evenings else (self.section_from, self.section_to)
            return RowChange(
                kind=self.kind,
                from_date=first,
                date=date.fromisoformat(self.to_date) if self.to_date else first,
                section_from=sections[0],
                section_to=sections[1],
                name=self.name or "",
            )
        on = date.fromisoformat(self.date) if self.date else None
        if on is None and self.week is not None:
            on = calendar.date_of(7 * (self.week - 1) + 1)
        if self.kind not in WRITTEN or on is None:
            return None
        return RowChange(
            kind=self.kind,
            date=on,
            task_class_id=self.task_class_id,
            name=self.name or "",
            from_date=date.fromisoformat(self.from_date) if self.from_date else None,
            section_from=self.section_from,
            section_to=self.section_to,
            start_time=self.start_time or "",
            end_time=self.end_time or "",
        )

    def items(self, draft: ScheduleState) -> list[TaskEntry]:
        """Returns the entries of the task ids."""
        return [entry for one in self.task_ids or () if (entry := draft.task(one)) is not None]

    def ask(self, draft: ScheduleState) -> ReplanAsk:
        """Returns what the planner is asked; every task id is known."""
        assert self.kind != "limits"
        first = date.fromisoformat(self.from_date) if self.from_date else None
        return ReplanAsk(
            kind=self.kind,
            item_ids=None if self.task_ids is None else tuple(entry.source_id for entry in self.items(draft)),
            first_date=first,
            last_date=date.fromisoformat(self.to_date) if self.to_date else first,
            evenings=self.evenings,
            from_section=self.section_from,
            to_section=self.section_to,
            week=self.week,
            sections=self.sections or 0,
            task_class_id=self.task_class_id,
        )


class PreviewArgs(ReplanArgs):
    """What would be re-planned; `dates` of `keep_free` are several days that lie apart: every Friday; with
    `task_class_id` that class alone leaves them."""

    dates: Annotated[list[IsoDate], Field(min_length=1, max_length=150)] | None = None

    @classmethod
    def conflicts(cls, values: Json) -> list[Json]:
        dates = values.get("dates")
        days = sorted(one for one in dates if isinstance(one, str)) if isinstance(dates, list) else []
        first = {"from_date": days[0]} if days and values.get("kind") == "keep_free" else {}
        found = [violation("dates", "conflict", "只用于 kind=keep_free", dates)] if days and not first else []
        if first:
            found += [violation(key, "conflict", "dates 与它只能给一个", values[key])
                      for key in ("from_date", "to_date") if key in values]  # fmt: skip
        wrong = [violation("dates", "type", "YYYY-MM-DD", one) for one in days if not _is_date(one)]
        return [*found, *wrong, *(super().conflicts({**first, **values}) if not wrong else ())]


def kind_of_replan(args: ReplanArgs) -> Kind:
    """Tells the kind of the call: a write of the draft, and of rows when something in the term changed."""
    return "sql_write" if args.kind in WRITTEN else "draft_write"


def _day(calendar: Calendar, said: str | None) -> int | None:
    """Returns the day number of a date, also of one outside the semester."""
    return (date.fromisoformat(said) - calendar.first_monday).days + 1 if said and _is_date(said) else None


def _in_order(values: Json, first: str, last: str) -> list[Json]:
    """Tells of two ends that stand the wrong way round; either may be absent."""
    low, high = values.get(first), values.get(last)
    wrong = type(low) is type(high) and isinstance(low, int | str) and low > high  # type: ignore[operator]
    return [violation(last, "range", f">= {first}", high)] if wrong else []


def _objects(given: object) -> list[tuple[int, Json]]:
    """Returns the objects of a list with their numbers; of what is no object the schema tells."""
    return [(at, one) for at, one in enumerate(given) if isinstance(one, dict)] if isinstance(given, list) else []


def _is_date(said: str) -> bool:
    try:
        return date.fromisoformat(said).isoformat() == said
    except ValueError:
        return False


class MarkArgs(Args):
    """`sections_left` of a part done; without it half of it is left. `task_item_ids` name items that the draft does not
    hold, as one that is done and gave its place back."""

    task_ids: TaskIds | None = None
    task_item_ids: TaskIds | None = None
    progress: Literal["open", "done", "partial", "missed"]
    sections_left: Annotated[int, Field(ge=1, le=4)] | None = None

    @classmethod
    def conflicts(cls, values: Json) -> list[Json]:
        if "sections_left" in values and values.get("progress") != "partial":
            return [violation("sections_left", "conflict", "只用于 progress=partial", values["sections_left"])]
        if not values.keys() & {"task_ids", "task_item_ids"}:
            return [violation("task_ids", "missing", "array", None)]
        return []

"""The outside world in memory, for tests and benchmarks of the loop: the same ports, no database, no network."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from agent.calls.ports import ChangedRows, Ports, RowChange
from agent.loop.errors import DraftConflict
from agent.loop.events import Event
from agent.loop.outside.deps import Deps
from agent.loop.outside.limits import RunLimits
from agent.loop.outside.model import Model
from agent.loop.state.agent_state import AgentState
from agent.loop.state.draft import DraftPart
from schedules.planner.class_rules import rules_of
from schedules.planner.facts import ClassFact, EventFact, Facts, ItemFact
from schedules.planner.grid import Calendar, Outside, Place
from schedules.planner.problem import Problem
from schedules.planner.soft_limits import SoftLimit
from schedules.planner.solver.rough_build import Plan, plan
from schedules.planner.words.dates import clock_words
from taskclasses.kernel.i18n import date_words

Json = dict[str, Any]
CLOCK_TIMES = (
    "08:00", "08:55", "10:15", "11:10", "14:00", "14:55", "16:15", "17:10", "19:00", "19:55", "20:50", "21:45",
)  # fmt: skip


def _section(start: str) -> tuple[time, time]:
    begin = time.fromisoformat(start)
    return begin, (datetime.combine(date(2026, 1, 1), begin) + timedelta(minutes=45)).time()


CALENDAR = Calendar(date(2026, 3, 2), 20, tuple(_section(start) for start in CLOCK_TIMES), "Asia/Shanghai")
NOW = datetime(2026, 3, 9, 0, 0, tzinfo=UTC)
"""Monday of week 2, eight in the morning in Shanghai."""


def course(event_id: int, name: str, day: int, first: int, last: int, *, embed: bool = False) -> EventFact:
    """A lesson on a day number of the semester."""
    return EventFact(event_id, name, "course", None, embed, Place(day, first, last - first + 1))


def task_class(
    class_id: int, name: str, start: str, end: str, *, lengths: Sequence[int] = (2, 2, 2), **more: Any
) -> Json:
    """A class as the API shows it; item ids are class_id * 100 + order."""
    items = [
        {
            "id": class_id * 100 + n,
            "order": n,
            "content": f"{name}第{n}章",
            "duration": length,
            "sections": length,
            "status": 1,
        }
        for n, length in enumerate(lengths, 1)
    ]
    row: Json = {
        "id": class_id, "name": name, "mode": "auto", "start_date": start, "end_date": end,
        "subject_type": "quantitative", "difficulty_level": "medium", "cognitive_intensity": "medium",
        "total_slots": sum(lengths), "allow_filler_course": False, "strategy": "steady", "excluded_slots": [],
        "excluded_days_of_week": [], "items": items,
    }  # fmt: skip
    return {**row, **more}


@dataclass
class World:
    """One student's timetable, classes and conversation, and everything the loop told the outside."""

    classes: list[Json] = field(default_factory=list)
    events: list[EventFact] = field(default_factory=list)
    calendar: Calendar | None = CALENDAR
    now: datetime = NOW
    base_version: int = 1
    emitted: list[Event] = field(default_factory=list)
    document: Json | None = None
    revision: int = 0
    saves: int = 0
    closed: list[tuple[str, str]] = field(default_factory=list)
    journal: list[Json] = field(default_factory=list)
    marks: dict[int, Json] = field(default_factory=dict)
    wishes: list[SoftLimit] = field(default_factory=list)
    class_writes: dict[str, Json] = field(default_factory=dict)
    kept_free: frozenset[tuple[int, int]] = frozenset()
    cancelled: bool = False
    fail_save: Callable[[AgentState], bool] = lambda state: False
    tools: Json = field(default_factory=dict)
    counter: Any = field(default_factory=lambda: itertools.count(1))

    async def load_facts(self, class_ids: Sequence[int]) -> Facts:
        assert self.calendar is not None
        rows = tuple(self._class_fact(row) for row in self.classes if row["id"] in set(class_ids))
        grid = replace(self.calendar.grid, kept_free=self.kept_free)
        return Facts(1, 1, grid, self.base_version, tuple(self.events), rows, wishes=tuple(self.wishes))

    async def change_rows(
        self, change: RowChange, class_ids: Sequence[int], *, call_id: str, dry_run: bool
    ) -> ChangedRows:
        """Time that stays free, or another date of a class; one effect per call id."""
        assert self.calendar is not None
        if change.kind == "exam_moved":
            return ChangedRows(refused="exam_not_found")
        if change.kind == "lesson_moved" and self._find_lesson(change) is None:
            return ChangedRows(refused="event_not_found")
        before = copy.deepcopy(self.classes), self.kept_free, list(self.events)
        if call_id not in self.class_writes:
            self._change_row(change)
        facts = await self.load_facts(class_ids)
        if dry_run:
            self.classes, self.kept_free, self.events = before
        else:
            self.class_writes[call_id] = {}
            self.base_version += 1
        return ChangedRows(facts=facts, told={locale: [self._tell(change, locale)] for locale in ("zh", "en")})

    def _tell(self, change: RowChange, locale: str) -> str:
        """What becomes of the rows, in words that hold before and after it is written."""
        assert self.calendar is not None
        run = change.section_from and change.section_to and (change.section_from, change.section_to)
        clock = f" {clock_words(self.calendar, *run)}" if run else ""
        day, name = date_words(change.date, locale), change.name
        name = name or next((row["name"] for row in self.classes if row["id"] == change.task_class_id), "")
        if change.kind == "keep_free":
            first = f"{date_words(change.from_date, locale)} – " if change.from_date not in (None, change.date) else ""
            return f"{first}{day}{clock} {'留空。' if locale == 'zh' else 'is kept free.'}"
        zh, en = {
            "lesson_moved": (f"「{name}」这节课改到 {day}{clock}。", f"This lesson of {name} moves to {day}{clock}."),
            "deadline": (f"「{name}」的最后一天改成 {day}。", f"The last day of {name} becomes {day}."),
        }.get(change.kind, (f"「{name}」从 {day} 开始。", f"{name} begins on {day}."))
        return zh if locale == "zh" else en

    def _find_lesson(self, change: RowChange) -> EventFact | None:
        day = self._day(str(change.from_date))
        return next((one for one in self.events if one.name == change.name and one.place.day == day), None)

    def _change_row(self, change: RowChange) -> None:
        assert self.calendar is not None
        if change.kind == "lesson_moved" and (lesson := self._find_lesson(change)) is not None:
            first, last = change.section_from or 1, change.section_to or 1
            place = Place(self._day(str(change.date)) or 1, first, last - first + 1)
            self.events = [replace(one, place=place) if one is lesson else one for one in self.events]
            return
        if change.kind == "keep_free":
            first, last = (self._day(str(day)) or 1 for day in (change.from_date or change.date, change.date))
            sections = range(change.section_from or 1, (change.section_to or self.calendar.grid.sections) + 1)
            cells = {(day, section) for day in range(first, last + 1) for section in sections}
            self.kept_free = self.kept_free | cells
            return
        for row in self.classes:
            if row["id"] == change.task_class_id:
                row["end_date" if change.kind == "deadline" else "start_date"] = change.date.isoformat()

    def _class_fact(self, row: Json) -> ClassFact:
        items = tuple(
            ItemFact(
                item["id"], item["order"], item["content"], item["sections"], applied=False, **self._said(item["id"])
            )
            for item in row["items"]
        )
        rules = rules_of(row, start_day=self._day(row["start_date"]), end_day=self._day(row["end_date"]))
        return ClassFact(row["id"], row["name"], row["total_slots"], rules, items)

    def _said(self, item_id: int) -> Json:
        progress = self.marks.get(item_id, {}).get("progress", "open")
        return {"mark": "" if progress == "open" else progress, "rest": progress == "partial"}

    async def check_marks(self, marks: Sequence[Json]) -> int:
        return sum(self.marks.get(mark["task_item_id"]) != mark for mark in marks)

    async def mark_items(self, marks: Sequence[Json], *, call_id: str) -> Json:
        self.marks |= {mark["task_item_id"]: dict(mark) for mark in marks}
        self.base_version += 1
        return {"batch_id": self.base_version, "items": []}

    def _day(self, value: str | None) -> int | None:
        assert self.calendar is not None
        if not value:
            return None
        found = self.calendar.day_of(date.fromisoformat(value))
        if isinstance(found, Outside):
            return 1 if found.before else self.calendar.grid.days
        return found

    async def preferences(self) -> list[SoftLimit]:
        return list(self.wishes)

    async def change_preferences(self, added: Sequence[SoftLimit], removed: Sequence[SoftLimit]) -> list[SoftLimit]:
        like = {wish.identity for wish in added}
        self.wishes = [one for one in self.wishes if one not in removed and one.identity not in like] + [*added]
        return list(self.wishes)

    async def list_task_classes(self) -> list[Json]:
        return [dict(row) for row in self.classes]

    async def rough_build(self, problem: Problem) -> Plan:
        return plan(problem)

    async def task_class_book(self, class_id: int | None) -> Json:
        current = next((row for row in self.classes if row["id"] == class_id), None)
        names = [{"id": row["id"], "name": row["name"]} for row in self.classes]
        return {"today": self.now.date().isoformat(), "classes": names, "current": current}

    async def upsert_task_class(self, values: Json, *, call_id: str) -> Json:
        """One effect per call id."""
        if call_id not in self.class_writes:
            self.class_writes[call_id] = self._write_class(values)
        return self.class_writes[call_id]

    async def update_task_classes(self, rows: Sequence[Json], *, call_id: str) -> Json:
        """One effect per call id."""
        if call_id not in self.class_writes:
            self.class_writes[call_id] = {"task_class_ids": [self._write_class(row)["task_class_id"] for row in rows]}
        return self.class_writes[call_id]

    async def delete_task_class(self, class_id: int, *, call_id: str) -> Json:
        """One effect per call id."""
        if call_id not in self.class_writes:
            self.classes = [row for row in self.classes if row["id"] != class_id]
            self.base_version += 1
            self.class_writes[call_id] = {"task_class_id": class_id}
        return self.class_writes[call_id]

    def _write_class(self, values: Json) -> Json:
        given = dict(values.get("task_class", {}))
        config = given.pop("config", {})
        items = values.get("items")
        old = next((row for row in self.classes if row["id"] == values.get("id")), None)
        class_id = values.get("id") or max([row["id"] for row in self.classes], default=0) + 1
        row = {**(old or task_class(class_id, "", "", "", lengths=())), **given, **config, "id": class_id}
        if items is not None:
            total = int(row.get("total_slots") or 2 * len(items))
            each = max(1, total // max(1, len(items)))
            taken = {item["id"] for item in (old or {}).get("items", ())} | {item.get("id") for item in items}
            unused = (number for number in itertools.count(class_id * 100 + 1) if number not in taken)
            row["items"] = [
                {"id": item.get("id") or next(unused), "order": n, "content": item["content"],
                 "duration": item.get("duration"), "sections": item.get("duration") or each, "status": 1}
                for n, item in enumerate(items, 1)
            ]  # fmt: skip
        self.classes = [known for known in self.classes if known["id"] != class_id] + [row]
        self.base_version += 1
        return {"task_class_id": class_id, "created": old is None, "item_ids": [item["id"] for item in row["items"]]}

    async def save(self, state: AgentState) -> None:
        if self.fail_save(state):
            raise OSError("the store is gone")
        if self.document is not None and state.revision != self.revision:
            raise DraftConflict(self.document["draft"], self.revision)
        self.revision += 1
        self.saves += 1
        state.revision = self.revision
        self.document = state.saved(self.now)

    async def read_draft(self, state: AgentState) -> tuple[Json, int] | None:
        if self.document is None or state.revision == self.revision:
            return None
        return self.document["draft"], self.revision

    def drag(self, change: Callable[[DraftPart], None]) -> None:
        """The student saves the draft from outside, while the loop runs or waits."""
        assert self.document is not None
        part = DraftPart.from_document(self.document["draft"])
        change(part)
        self.revision += 1
        self.document = {**self.document, "draft": part.to_document(), "revision": self.revision}

    async def emit(self, event: Event) -> None:
        self.emitted.append(event)

    async def close_interaction(self, interaction_id: str, status: str) -> None:
        self.closed.append((interaction_id, status))

    def state(self) -> AgentState:
        """The conversation as a worker that just started would load it."""
        if self.document is None:
            return AgentState.fresh(conversation_id="c1", user_id=1)
        state = AgentState.from_document(self.document)
        state.revision = self.revision
        return state

    def deps(self, model: Model, registry: Any, *, limits: RunLimits | None = None, run_id: str = "") -> Deps:
        ports = {
            "upsert_task_class": self.upsert_task_class,
            "update_task_classes": self.update_task_classes,
            "delete_task_class": self.delete_task_class,
            "task_class_book": self.task_class_book,
            "load_facts": self.load_facts,
            "check_marks": self.check_marks,
            "mark_items": self.mark_items,
            "change_rows": self.change_rows,
            "preferences": self.preferences,
            "change_preferences": self.change_preferences,
            **self.tools,
        }
        return Deps(
            model=model,
            registry=registry,
            emit=self.emit,
            save=self.save,
            read_draft=self.read_draft,
            clock=lambda: self.now,
            ids=lambda: f"00000000-0000-4000-8000-{next(self.counter):012d}",
            cancelled=lambda: self.cancelled,
            calendar=self.calendar,
            load_facts=self.load_facts,
            list_task_classes=self.list_task_classes,
            rough_build=self.rough_build,
            close_interaction=self.close_interaction,
            run_id=run_id or f"run-{next(self.counter)}",
            limits=limits or RunLimits(),
            timer=lambda: 0.0,
            tool_ports=Ports(**ports),
            journal=self.journal.append,
        )

"""Whether what is left of a class finds room before its end: on the timetable as it stands, the class alone.

And beside it what the weeks ahead hold and could hold, for all classes together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from schedules.exams.reads import exam_get
from schedules.exams.times import deadline_before
from schedules.mapping import class_fact
from schedules.models import Semester
from schedules.planner.draft.feasibility import free_cells, room
from schedules.planner.draft.legal import FreeCells
from schedules.planner.draft.load import bases_of, board_of, subject_of
from schedules.planner.draft.progress import DONE
from schedules.planner.facts import ClassFact, Facts
from schedules.planner.grid import Cell, Place, week_and_weekday
from schedules.planner.rules.board import Board
from schedules.planner.rules.placement import Situation, Subject, broken_rules
from schedules.planner.rules.violations import Rule
from schedules.progress.book import ProgressBook
from schedules.selectors import SemestersUsed, facts_load, semester_of_dates
from taskclasses.fields import ClassValues
from taskclasses.models import TaskClass, TaskItem

NEW = 0
"""A class, and its items, that are not stored yet."""


@dataclass(frozen=True)
class ClassRoom:
    """Holds sections: `needed` are left to do, `missing` of them find no place, `free` could be used for them.

    `outside` items that are left stand on the timetable outside the dates of the class: they fit there no more.
    """

    needed: int
    missing: int
    free: int
    outside: int = 0


@dataclass(frozen=True)
class WeekRoom:
    """Holds sections of one week that lie ahead: `planned` stand on the timetable, `free` could be used for some
    class."""

    week: int
    planned: int
    free: int

    @property
    def usable(self) -> int:
        return self.planned + self.free


@dataclass(frozen=True)
class Rooms:
    """Holds the room of classes, by id, and that of the weeks ahead."""

    classes: Mapping[int, ClassRoom]
    weeks: Sequence[WeekRoom]


def class_room(*, user_id: int, now: datetime, class_id: int) -> ClassRoom | None:
    """Returns the room of one class of a student in the semester of its dates; None while it has none."""
    row = TaskClass.objects.filter(user_id=user_id, pk=class_id).prefetch_related("items").get()
    semester = semester_of_dates(user_id, row.start_date, row.end_date)
    facts, done = _load(user_id, semester, now, [row])
    found = next((one for one in facts.task_classes if one.id == class_id), None)
    return None if found is None else _room(facts, found, done, semester, now)


def rooms_of(*, user_id: int, semester: Semester, now: datetime) -> Rooms:
    """Returns the room of every class of a student that has dates, in the semester of these, and the weeks ahead of the
    current `semester`; in a fixed number of queries for each semester.

    A week counts what some class with work left could use.
    """
    semesters = SemestersUsed(user_id, semester)
    by_semester: dict[Semester, list[TaskClass]] = {semester: []}
    for row in TaskClass.objects.filter(user_id=user_id).prefetch_related("items"):
        by_semester.setdefault(semesters.find(row.start_date, row.end_date), []).append(row)
    rooms: dict[int, ClassRoom] = {}
    weeks: list[WeekRoom] = []
    for term, rows in by_semester.items():
        facts, done = _load(user_id, term, now, rows)
        mine = {row.pk for row in rows}
        classes = [one for one in facts.task_classes if one.id in mine]
        rooms |= {one.id: found for one in classes if (found := _room(facts, one, done, term, now))}
        if term == semester:
            unfinished = {one.id for one in classes if any(item.id not in done for item in one.items)}
            weeks = _week_rooms(facts, unfinished, term, now)
    return Rooms(rooms, weeks)


def _load(user_id: int, semester: Semester, now: datetime, rows: Sequence[TaskClass]) -> tuple[Facts, set[int]]:
    """Returns the facts with some of a student's classes, and the items of these that are done."""
    items = {item.pk: item for row in rows for item in row.items.all()}
    facts = facts_load(user_id=user_id, class_ids=[row.pk for row in rows], semester=semester)
    return facts, _done(user_id, items, now)


def wanted_room(*, user_id: int, values: ClassValues, row: TaskClass | None, now: datetime) -> ClassRoom | None:
    """Returns the room of a class as it would be, in the semester of its dates; None while it has none, or nothing to
    do. 40047."""
    if values.exam_id is not None:
        end = deadline_before(exam_get(user_id, values.exam_id).date, values.start_date)
        values = replace(values, end_date=end)
    semester = semester_of_dates(user_id, values.start_date, values.end_date)
    known = {} if row is None else {item.pk: item for item in row.items.all()}
    facts = facts_load(user_id=user_id, class_ids=[] if row is None else [row.pk], semester=semester)
    wanted = TaskClass(pk=NEW if row is None else row.pk, **values.columns())
    fact = class_fact(wanted, _items(values, known), semester.calendar)
    return _room(facts, fact, _done(user_id, known, now), semester, now)


def _items(values: ClassValues, known: Mapping[int, TaskItem]) -> list[TaskItem]:
    """Returns the items as they would be; those that are new get numbers of their own that clash with none."""
    found = []
    for one in values.items:
        item = known.get(one.id or NEW) or TaskItem(pk=-one.order)
        item.order, item.content, item.duration = one.order, one.content, one.duration
        found.append(item)
    return found


def _done(user_id: int, items: Mapping[int, TaskItem], now: datetime) -> set[int]:
    book = ProgressBook.load(user_id=user_id, item_ids=items, now=now)
    return {number for number, item in items.items() if book.progress(item) == DONE}


def _room(
    facts: Facts, wanted: ClassFact, done: Collection[int], semester: Semester, now: datetime
) -> ClassRoom | None:
    rules = wanted.rules
    left = [item for item in wanted.items if item.id not in done]
    if rules.start_day is None or rules.end_day is None or not wanted.items:
        return None
    situation = Situation(now=semester.calendar.now_cell(now), planner=True)
    subjects = [subject_of(wanted, item) for item in left]
    needed = sum(one.length for one in subjects)
    board = _board_without(facts, wanted)
    missing, free = needed - room(board, subjects, situation), free_cells(board, wanted, situation)
    if missing:
        # What stands where only the student would put it need not find another place.
        standing = _standing(facts, subjects, situation)
        others = [one for one in subjects if one.item_id not in standing]
        beside = room(_board_without(facts, wanted, standing), others, situation)
        missing = min(missing, sum(one.length for one in others) - beside)
        free |= {(place.day, section) for place in standing.values() for section in place.sections}
    outside = _count_outside(facts, wanted, {item.id for item in left})
    return ClassRoom(needed, missing, len(free), outside)


def _board_without(facts: Facts, wanted: ClassFact, standing: Collection[int] = ()) -> Board:
    """Returns the timetable without the items of a class but those that stay."""
    board = board_of(facts)
    for row in facts.task_classes:
        for item in row.items if row.id == wanted.id else ():
            if item.id not in standing:
                board.lift(item.id)
    return board


def _standing(facts: Facts, subjects: Collection[Subject], situation: Situation) -> dict[int, Place]:
    """Returns the places of those items that stand ahead, within the dates of their class, and break no more than
    wishes."""
    board, bases = board_of(facts), bases_of(facts)
    found: dict[int, Place] = {}
    for one in subjects:
        base = bases.get(one.item_id)
        if base is None or (situation.now is not None and base.place.cell < situation.now):
            continue
        broken = broken_rules(board, one, base.place, host=base.spot.host_mode)
        if all(rule.is_preference and rule.rule != Rule.OUTSIDE_CLASS_WINDOW for rule in broken):
            found[one.item_id] = base.place
    return found


def _count_outside(facts: Facts, wanted: ClassFact, items: Collection[int]) -> int:
    """Counts those of some items that stand on a day outside the dates of their class."""
    rules = wanted.rules
    assert rules.start_day is not None
    assert rules.end_day is not None
    own = ((event.task_item_id, event.place) for event in facts.events if event.task_item_id is not None)
    guests = ((event.guest_task_item_id, event.guest_place) for event in facts.events)
    stands = [place for item, place in (*own, *guests) if item in items and place is not None]
    return sum(not rules.start_day <= place.day <= rules.end_day for place in stands)


def _week_rooms(facts: Facts, open_classes: Collection[int], semester: Semester, now: datetime) -> list[WeekRoom]:
    """Returns the weeks from this one to the last that holds or could hold tasks."""
    situation = Situation(now=semester.calendar.now_cell(now))
    cells = FreeCells(board_of(facts), situation)
    free: set[Cell] = set()
    for row in facts.task_classes:
        if row.id in open_classes:
            # Any item of it, whichever stand already.
            anything = Subject(NEW, 0, "", 1, replace(row, id=NEW, items=()))
            free |= {place.cell for place, _host in cells.places(anything)}
    planned: Counter[int] = Counter()
    for event in facts.events:
        place = event.place if event.type == "task" else event.guest_place
        ahead = place is not None and (situation.now is None or place.cell >= situation.now)
        if event.held and place is not None and ahead:
            planned[week_and_weekday(place.day)[0]] += place.length
    open_weeks = Counter(week_and_weekday(day)[0] for day, _section in free)
    first = 1 if situation.now is None else week_and_weekday(situation.now[0])[0]
    last = max((week for week in (*planned, *open_weeks) if week >= first), default=first - 1)
    return [WeekRoom(week, planned[week], open_weeks[week]) for week in range(first, last + 1)]

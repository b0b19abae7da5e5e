"""What of a student's rows an archive holds: one entry for each kind of row, in the sequence in which they are made.

Columns are found by themselves: all but the key, the owner, moments that the database sets, and what an entry leaves
out. A reference to a row of another table is the number of that row in its table, counted from 1. A new kind of row is
one entry here, or one line in `LEFT_OUT` that says why it is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from schedules.calendars.rows import OCCURRENCES_MAX
from schedules.mapping import place_of, stored_lesson
from schedules.models import (
    CalendarException,
    Course,
    CurrentSemester,
    Exam,
    Preference,
    ProgressRule,
    Schedule,
    ScheduleEvent,
    Semester,
)
from schedules.planner.grid import Outside
from schedules.planner.soft_limits import VALUE_MAX
from schedules.services.classes import CLASSES_MAX
from schedules.services.courses.writes import COURSES_MAX
from schedules.services.exams import EXAMS_MAX
from schedules.services.preferences import PREFERENCES_MAX
from schedules.services.terms.exceptions import EXCEPTIONS_MAX
from schedules.services.terms.semesters import OWN_MAX
from schedules.terms.lessons import CHANGES, MOVED, PLACE
from smartmate.models import AccountSettings
from taskclasses.models import TaskClass, TaskItem
from taskclasses.spec import ITEMS_MAX

Field = Any
"""A column of a model."""
BLOCKS_MAX, WEEKDAYS = 8, 7
RECORDS_MAX, NUMBER_MAX = 1_000, 1_000
"""Marks of an item, and what no week or section of one is beyond."""


@dataclass(frozen=True)
class Table:
    """Holds one kind of row. `owner` is the way from a row to its student; `leave` are columns that follow from others.

    `ids` are columns that hold the key of a row of another model without being a reference to it.
    `choice` marks rows of which a student has one at most, and which a new account may have: they are replaced.
    `most` is how many rows there may be, of the same row of the table that `within` refers to.
    `check` raises ValidationError for values that no column can refuse by itself; `derive` fills in what was left out.
    """

    name: str
    model: type[models.Model]
    owner: str = "user"
    leave: frozenset[str] = frozenset()
    ids: Mapping[str, type[models.Model]] = field(default_factory=dict)
    choice: bool = False
    most: int = 0
    within: str = ""
    check: Callable[[Any], None] = lambda row: None
    derive: Callable[[Any], None] = lambda row: None

    @cached_property
    def columns(self) -> Mapping[str, Field]:
        """Returns the columns of the archive by name."""
        return {column.name: column for column in self.model._meta.concrete_fields if self._keeps(column)}

    def points_at(self, name: str) -> type[models.Model] | None:
        """Returns the model of another table that a column refers to."""
        named = self.ids.get(name) or self.columns[name].related_model
        return named if named in BY_MODEL else None

    def _keeps(self, column: Field) -> bool:
        set_by_database = getattr(column, "auto_now", False) or getattr(column, "auto_now_add", False)
        derived = column.generated or set_by_database or column.name in self.leave
        return not (column.primary_key or derived or column.name == self.owner)

    def rows(self, user_id: int) -> models.QuerySet[Any]:
        """Returns the rows of a student in the sequence in which they were made."""
        return self.model._default_manager.filter(**{self.owner: user_id}).order_by("pk")


def _check_class(row: TaskClass) -> None:
    for values, high in ((row.excluded_slots, BLOCKS_MAX), (row.excluded_days_of_week, WEEKDAYS)):
        if not isinstance(values, list) or any(type(value) is not int or not 1 <= value <= high for value in values):
            raise ValidationError("excluded")
    cells = {(int(cell["day_of_week"]), int(cell["block"])) for cell in row.excluded_cells or ()}
    if any(not 1 <= day <= WEEKDAYS or not 1 <= block <= BLOCKS_MAX for day, block in cells):
        raise ValidationError("excluded_cells")
    # Each once: what is said a million times is read a million times whenever the class is.
    row.excluded_slots, row.excluded_days_of_week = sorted({*row.excluded_slots}), sorted({*row.excluded_days_of_week})
    row.excluded_cells = [{"day_of_week": day, "block": block} for day, block in sorted(cells)]


def _check_exam(row: Exam) -> None:
    if (row.section_to or 0) > len(row.semester.section_times):
        raise ValidationError("section_to")


def _check_preference(row: Preference) -> None:
    if row.kind not in VALUE_MAX or not 1 <= row.value <= VALUE_MAX[row.limit.kind]:
        raise ValidationError("value")


def _is_record(record: Any) -> bool:
    """Tells whether a mark is told with all that is read of it; ValueError for a moment that is none."""
    date.fromisoformat(record["marked_at"][:10])
    numbers = [record[name] for name in ("week", "day_of_week", "section_from", "section_to", "sections")]
    known = record["progress"] in TaskItem.Mark.values and type(record["semester_id"]) is int
    return known and all(type(number) is int and 0 <= number <= NUMBER_MAX for number in numbers)


def _check_item(row: TaskItem) -> None:
    try:
        records = row.records or ()
        if len(records) > RECORDS_MAX or not all(map(_is_record, records)):
            raise ValidationError("records")
        if row.embedded_time is not None:
            sorted(int(row.embedded_time[name]) for name in ("week", "day_of_week", "section_from", "section_to"))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValidationError("records") from error


def _check_exception(row: CalendarException) -> None:
    calendar = row.semester.calendar
    named = [day for day in (row.first_date, row.last_date, row.follows_date) if day is not None]
    makeup = row.kind == CalendarException.Kind.MAKEUP
    if row.last_date < row.first_date or makeup != (row.follows_date is not None):
        raise ValidationError("last_date")
    if any(isinstance(calendar.day_of(day), Outside) for day in named):
        raise ValidationError("first_date")
    sections = [section for section in (row.section_from, row.section_to) if section is not None]
    kept = row.kind == CalendarException.Kind.KEPT_FREE
    if sections and not (kept and len(sections) == 2 and 1 <= sections[0] <= sections[1]):
        raise ValidationError("section_from")


def _check_event(row: ScheduleEvent) -> None:
    if not row.semester.calendar.grid.contains(row.place) or not 1 <= row.day_of_week <= WEEKDAYS:
        raise ValidationError("week")
    lesson = stored_lesson(row)
    home, extra = row.pattern_place, row.effect.get("extra", [0, 0, 0, 0])
    sound = (
        all(isinstance(lesson[name], dict) for name in ("pattern_place", "change", "effect"))
        and (not home or (row.semester.calendar.grid.contains(place_of(*(home[name] for name in PLACE)))))
        and isinstance(home.get("location", ""), str)
        and row.change.get("kind", MOVED) in CHANGES
        and all(isinstance(words, str) for name, words in {**row.change, **row.effect}.items() if name != "extra")
        and len(extra) == len(PLACE)
        and all(type(number) is int for number in extra)
    )
    if not sound:
        raise ValidationError("pattern_place")


def _derive_event(row: ScheduleEvent) -> None:
    row.start_at, row.end_at = row.semester.calendar.interval(row.place)


# What an undo brings back is not counted where it was made, so there may be more than may be made.
SEMESTERS_MOST, PREFERENCES_MOST, CLASSES_MOST = 2 * OWN_MAX, 2 * PREFERENCES_MAX, 2 * CLASSES_MAX
COURSES_MOST, EXAMS_MOST, EXCEPTIONS_MOST = 2 * COURSES_MAX, 2 * EXAMS_MAX, 2 * EXCEPTIONS_MAX
TABLES: tuple[Table, ...] = (
    Table(
        "semesters",
        Semester,
        owner="owner",
        leave=frozenset({"is_current"}),
        most=SEMESTERS_MOST,
        check=lambda row: row.clean_values(),
    ),
    Table("current_semester", CurrentSemester, choice=True),
    Table("settings", AccountSettings, choice=True, leave=frozenset({"sample"})),
    Table("progress_rule", ProgressRule, choice=True),
    Table("calendar_exceptions", CalendarException, most=EXCEPTIONS_MOST, within="semester", check=_check_exception),
    Table("courses", Course, most=COURSES_MOST, within="semester"),
    Table(
        "exams",
        Exam,
        leave=frozenset({"revision"}),
        ids={"course_id": Course},
        most=EXAMS_MOST,
        within="semester",
        check=_check_exam,
    ),
    Table(
        "task_classes",
        TaskClass,
        ids={"course_id": Course, "exam_id": Exam},
        most=CLASSES_MOST,
        check=_check_class,
    ),
    Table("preferences", Preference, most=PREFERENCES_MOST, check=_check_preference),
    Table("task_items", TaskItem, owner="task_class__user", most=ITEMS_MAX, within="task_class", check=_check_item),
    Table(
        "events",
        ScheduleEvent,
        leave=frozenset({"start_at", "end_at", "import_batch", "revision"}),
        most=OCCURRENCES_MAX,
        within="semester",
        check=_check_event,
        derive=_derive_event,
    ),
    Table("sections", Schedule),
)
SEMESTERS = TABLES[0]
BY_MODEL: Mapping[type[models.Model], Table] = {table.model: table for table in TABLES}

_RECORD = "told under `batches`; it names rows by their ids, so that in another account there is nothing to undo"
_SECRET = "a secret of the account, kept as a hash"  # noqa: S105
_TRAFFIC = "traffic of the account, over in a day"
_CHAT = "told under `conversations`, which are read and not taken back in"
LEFT_OUT: Mapping[str, str] = {
    "schedules.AppliedBatch": _RECORD,
    "schedules.TimetableVersion": "a counter that drafts are held against",
    "schedules.CalendarFeed": _SECRET,
    "schedules.FeedEntry": "what readers of one secret address were told",
    "taskclasses.TaskClassWrite": _TRAFFIC,
    "smartmate.AccessToken": _SECRET,
    "smartmate.IdempotencyClaim": _TRAFFIC,
    "account.EmailAddress": "told under `account`; an address is verified anew",
    "account.EmailConfirmation": _SECRET,
    "usersessions.UserSession": _TRAFFIC,
    "admin.LogEntry": "what staff did, not the student",
    "agent.Conversation": _CHAT,
    "agent.ConversationState": _CHAT,
    "agent.Run": _CHAT,
    "agent.RunArchive": _CHAT,
    "agent.RunJournal": _CHAT,
    "agent.PendingInteraction": _CHAT,
    "agent.TimelineItem": _CHAT,
    "agent.DailyMessages": _TRAFFIC,
}
"""Models with rows of a student that an archive does not hold, and why."""

"""Shapes of the JSON that the timetable's endpoints answer."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from schedules.exams.shapes import ExamObject
from schedules.planner.shapes import (
    CostTable,
    ExplanationRow,
    HybridEntry,
    LeftOver,
    PlacementRow,
    WeekDay,
    WeeklyEventBrief,
    WeekPlan,
)
from schedules.planner.soft_limits import KINDS
from schedules.terms.shapes import Departure, LessonShift, TermDay
from taskclasses.shapes import (
    ClockText,
    Conflict,
    DateText,
    EmbeddedTime,
    ImportRow,
    Instant,
    PlaceWarning,
    ProgressText,
    Uuid,
    Weekday,
    one_of,
)


class SemesterObject(TypedDict):
    """`section_times` = first and last minute of each section; `today` is null outside the semester.

    `shared` = published by staff, not the student's own; `current` = what is read and written when none is named.
    """

    id: int
    name: str
    first_monday: DateText
    weeks: int
    section_times: list[list[ClockText]]
    day_parts: list[list[int]]
    time_zone: str
    today: WeekDay | None
    shared: bool
    current: bool


class TermObject(SemesterObject):
    """The semester that is read and written; nothing can be placed on its `closed_days`: holidays without study."""

    closed_days: list[WeekDay]


class WeekEvent(WeeklyEventBrief):
    """`change` is null for a lesson as the weekly pattern has it, and for a task."""

    change: Departure | None


FeedKind = Literal["course", "task", "exam"]


class Week(TypedDict):
    """`fallen_out` = lessons that are not held, at their place in the pattern; `days` = dates with an exception."""

    week: int
    first_date: DateText
    events: list[WeekEvent]
    fallen_out: list[WeekEvent]
    days: list[TermDay]


class TodayItem(TypedDict):
    """An item of today; `host_event_id` is that of the lesson it is done in, else 0."""

    task_item_id: int
    task_class_id: int
    class_name: str
    name: str
    section_from: int
    section_to: int
    start_time: ClockText
    end_time: ClockText
    host_event_id: int
    host_name: str
    progress: ProgressText
    sections_left: int | None


class Gap(TypedDict):
    """A run of free sections inside a part of the day."""

    section_from: int
    section_to: int
    sections: int
    start_time: ClockText
    end_time: ClockText


class TodayNow(TypedDict):
    """`section` is 0 between and outside the sections."""

    time: ClockText
    section: int
    current: list[WeekEvent]
    next: WeekEvent | None


class DayAhead(TypedDict):
    date: DateText
    week: int
    day_of_week: Weekday
    lessons: int
    items: int
    events: list[WeekEvent]


class DueClass(TypedDict):
    """A class that ends soon, and what of it is not done."""

    task_class_id: int
    name: str
    end_date: DateText
    days_left: int
    items_left: int
    sections_left: int


class TodayMore(TypedDict):
    """What today is made of beside its events."""

    lessons: list[WeekEvent]
    exams: list[WeekEvent]
    items: list[TodayItem]
    gaps: list[Gap]
    now: TodayNow
    next_days: list[DayAhead]
    missed: list[MissedItem]
    due: list[DueClass]


class Today(TodayMore):
    """`week` is 0 outside the semester; `exams_ahead` are those of today and all that come, with the days left."""

    date: DateText
    week: int
    day_of_week: Weekday
    events: list[WeekEvent]
    fallen_out: list[WeekEvent]
    days: list[TermDay]
    exams_ahead: list[ExamObject]


class Planned(TypedDict):
    """What the planner found; `bound` is never above the best possible total, `gap` the share between them."""

    task_class_ids: list[int]
    placements: list[PlacementRow]
    unplaced: list[LeftOver]
    cost: CostTable
    explanations: list[ExplanationRow]
    bound: int
    gap: float
    hybrid_entries: list[HybridEntry]
    candidate_plans: list[WeekPlan]


class AppliedItem(TypedDict):
    task_item_id: int
    task_class_id: int
    event_id: int
    embedded: bool
    week: int
    day_of_week: Weekday
    section_from: int
    section_to: int


class AppliedBatchAnswer(TypedDict):
    """`warnings` are preferences that the places break."""

    batch_id: int
    applied: list[AppliedItem]
    warnings: list[PlaceWarning]


class PersistedDiff(TypedDict):
    """`batch_id` is null when there was nothing to write."""

    batch_id: int | None
    applied: list[AppliedItem]
    moved: list[AppliedItem]
    removed: list[AppliedItem]
    warnings: list[PlaceWarning]


class ReleasedItems(TypedDict):
    released_task_item_ids: list[int]


class ReleasedItem(TypedDict):
    task_item_id: int
    event_id: int


class KeptItem(TypedDict):
    """Who keeps an applied item; `batch_id` is null when that was so already."""

    task_item_id: int
    pinned: bool
    by_hand: bool
    batch_id: int | None


class BatchChange(TypedDict):
    task_item_id: int
    change: Literal["place", "move", "unplace", "mark", "pin", "unpin"]


class BatchObject(TypedDict):
    """`changes` are of items; `lessons` counts the course lessons that the write made, changed or deleted."""

    batch_id: int
    source: str
    conversation_id: Uuid | None
    created_at: Instant
    undone_at: Instant | None
    can_undo: bool
    changes: list[BatchChange]
    lessons: int


class Arrangement(TypedDict):
    """One weekly meeting; `pattern` is it in words."""

    weeks: list[int]
    day_of_week: Weekday
    start_section: int
    end_section: int
    location: str
    pattern: str


class CourseObject(TypedDict):
    """A course in the words of the JSON form of courses; `lessons` = how many it has, cancelled ones included."""

    id: int
    semester_id: int
    course_name: str
    teacher: str
    location: str
    color_index: int
    is_allow_tasks: bool
    note: str
    lessons: int
    arrangements: list[Arrangement]


class WrittenCourse(TypedDict):
    """`batch_id` is null for a trial: then `course` is as it stands. The last three count lessons."""

    course: CourseObject
    batch_id: int | None
    released_task_item_ids: list[int]
    added: int
    changed: int
    removed: int


class DeletedLessons(TypedDict):
    """`batch_id` is null for a trial; `course_ids` are the courses that went, or would go."""

    batch_id: int | None
    released_task_item_ids: list[int]
    lessons: int
    course_ids: list[int]


class ItemRecord(TypedDict):
    """Where and when `sections` of an item were done, or none because it was missed; zeros: outside the semester.

    `in_place`: where it stood then.
    """

    progress: Annotated[str, one_of(("done", "partial", "missed"))]
    semester_id: int
    week: int
    day_of_week: int
    section_from: int
    section_to: int
    sections: int
    in_place: bool
    marked_at: Instant


class MarkedItem(TypedDict):
    """`mark` is what was said ("" = nothing), `progress` what follows; `sections_left` of a part done, else null."""

    task_item_id: int
    task_class_id: int
    mark: str
    progress: ProgressText
    sections_left: int | None
    embedded_time: EmbeddedTime | None
    records: list[ItemRecord]


class MarkedItems(TypedDict):
    """`batch_id` is null when all of it had been said before."""

    batch_id: int | None
    items: list[MarkedItem]


class PreferenceObject(TypedDict):
    """`value` by kind: a section, a part of the day (from 1), a weekday, blocks a day, or days before the end."""

    id: int
    kind: Annotated[str, one_of(KINDS)]
    value: int
    task_class_id: int | None
    hard_only: bool


class Preferences(TypedDict):
    """Everything the student wishes of every plan, in the sequence in which it was said."""

    preferences: list[PreferenceObject]


class ProgressSettings(TypedDict):
    """`assume_done`: the past is done until the student says otherwise; `tick`: missed after the grace period."""

    mode: Annotated[str, one_of(("assume_done", "tick"))]
    grace_hours: int


class ClassProgress(TypedDict):
    """Figures of a class; `sections`, `done`, `placed` (ahead on the timetable) and `left` count sections.

    `pace` and `pace_needed` are sections a week, so far and to reach `end_date`; `forecast_date`: finished at this
    pace; `planned_until`: the last day that the timetable has something of it. Null: not known.
    """

    task_class_id: int
    name: str
    end_date: DateText | None
    days_left: int | None
    items: int
    items_done: int
    items_partial: int
    items_missed: int
    sections: int
    done: int
    placed: int
    left: int
    pace: float | None
    pace_needed: float | None
    planned_until: DateText | None
    forecast_date: DateText | None
    on_time: bool | None


class MissedItem(TypedDict):
    """An item that was missed, and where it stands since."""

    task_item_id: int
    task_class_id: int
    class_name: str
    name: str
    order: int
    week: int
    day_of_week: int
    section_from: int
    section_to: int


class ProgressReport(TypedDict):
    settings: ProgressSettings
    classes: list[ClassProgress]
    missed: list[MissedItem]


class UndoneBatch(TypedDict):
    batch_id: int
    undone_at: Instant
    task_item_ids: list[int]


class MissingMeeting(TypedDict):
    """A weekly meeting imported before, in the weeks that the file no longer has; `event_ids` are its lessons."""

    name: str
    day_of_week: Weekday
    section_from: int
    section_to: int
    weeks: list[int]
    event_ids: list[int]


class ImportMend(TypedDict):
    """What could be done about a doubtful row (0: about the whole file); `taken` when the request named its id."""

    id: str
    kind: str
    row: int
    message: str
    taken: bool


class KeptChange(LessonShift):
    """A lesson that the student changed and that the file names; `to` is null for a cancelled one.

    `kept` is false when the import was told to put it back to where the file has it.
    """

    event_id: int
    name: str
    kept: bool


class PictureObject(TypedDict):
    """How much of a timetable a picture showed, and what is to be said of it as a whole."""

    outcome: Literal["whole", "partly", "not_a_timetable"]
    warnings: list[str]


class ImportReport(TypedDict):
    """`missing` is told of files that hold a whole timetable; nothing is deleted for it.

    `changes` are the lessons that the student changed and that the file names. `batch_id` is null when nothing was
    written.
    """

    dry_run: bool
    batch_id: int | None
    events: int
    duplicates: int
    rows: list[ImportRow]
    conflicts: list[Conflict]
    missing: list[MissingMeeting]
    mends: list[ImportMend]
    picture: PictureObject | None
    changes: list[KeptChange]
    released_task_item_ids: list[int]

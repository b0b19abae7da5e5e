"""Shapes of the JSON of what was done, and of the settings it is counted by."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from taskclasses.shapes import (
    ClockText,
    DateText,
    EmbeddedTime,
    Instant,
    ProgressText,
    Weekday,
    one_of,
)


class ItemRecord(TypedDict):
    """Tells where and when `sections` of an item were done, or none because it was missed; zeros: outside the semester.

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
    """Holds a marked item; `mark` is what was said ("" = nothing), `progress` what follows; `sections_left` of a part
    done, else null."""

    task_item_id: int
    task_class_id: int
    mark: str
    progress: ProgressText
    sections_left: int | None
    embedded_time: EmbeddedTime | None
    records: list[ItemRecord]


class MarkedItems(TypedDict):
    """Holds the marked items; `batch_id` is null when all of it had been said before."""

    batch_id: int | None
    items: list[MarkedItem]


class DonePart(TypedDict):
    """Holds an item that was done in part, where it stood then; `rest_placed`: its rest stands on the timetable."""

    task_item_id: int
    task_class_id: int
    class_name: str
    name: str
    day_of_week: Weekday
    section_from: int
    section_to: int
    start_time: ClockText
    end_time: ClockText
    sections_left: int
    rest_placed: bool


class ProgressSettings(TypedDict):
    """Tells how the past counts; `assume_done`: the past is done until the student says otherwise; `tick`: missed after
    the grace period."""

    mode: Annotated[str, one_of(("assume_done", "tick"))]
    grace_hours: int


class ClassProgress(TypedDict):
    """Holds the figures of a class; `sections`, `done`, `placed` (ahead on the timetable) and `left` count sections.

    `pace` and `pace_needed` are sections a week, so far and to reach `end_date`; `forecast_date`: finished at this
    pace; `planned_until`: the last day that the timetable has something of it. Null: not known, or
    nothing left.
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
    """Holds an item that was missed, and where it stands since."""

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

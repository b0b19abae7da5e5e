"""What a model that sees read off a picture of a timetable, as rows like those of every other form.

The model's document is judged as a file would be: it may be wrong, or hostile. A row of which the model is not sure is
not taken before the student has looked at it: it is an error that the mend `confirm` lifts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from schedules.calendars.json_courses import read_row
from schedules.calendars.readers.meeting_text import bare_name, read_weekday
from schedules.calendars.readers.number_lists import sections_of, weeks_of
from schedules.calendars.rows import ROWS_MAX, BadRow, CourseRow, MendOffer, Outcome, RowError, RowNote
from schedules.planner.grid import Grid

PictureOutcome = Literal["whole", "partly", "not_a_timetable"]
SURE = 0.75
"""Below this a row asks to be looked at."""
WARNINGS_MAX, WARNING_MAX = 5, 200
SIGNS = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"))


class CannotSee(Exception):
    """Tells that the configured model reads no pictures, or there is none."""


@dataclass(frozen=True)
class PictureReading:
    """Tells how much of a timetable the picture showed, what is to be said of it as a whole, and its rows."""

    outcome: PictureOutcome
    warnings: list[str]
    rows: list[Outcome]


def media_of(data: bytes) -> str | None:
    """Returns the media type of a picture by its first bytes; None when it is none that is read."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((media for sign, media in SIGNS if data.startswith(sign)), None)


def read_picture(document: Any, grid: Grid) -> PictureReading:
    """Reads the reading that a model's document tells of."""
    told = document if isinstance(document, Mapping) else {}
    listed = told.get("rows")
    values = listed[:ROWS_MAX] if isinstance(listed, list) else []
    rows = [row for number, value in enumerate(values, 1) for row in _rows(number, value, grid)]
    outcome = told.get("outcome")
    if not rows:
        return PictureReading("not_a_timetable", _warnings(told), [])
    whole = outcome == "whole" and all(isinstance(row, CourseRow) for row in rows)
    return PictureReading("whole" if whole else "partly", _warnings(told), rows)


def _rows(number: int, value: Any, grid: Grid) -> Iterator[Outcome]:
    if not isinstance(value, Mapping):
        yield BadRow("missing_field", "rows", "应为对象").of(number)
        return
    name = value.get("course_name")
    course = {
        "course_name": bare_name(name) if isinstance(name, str) else None,
        "teacher": _words(value.get("teacher")),
        "location": _words(value.get("location")),
    }
    weekday, weeks, runs = (
        _hold_error(read, value.get(column), column)
        for read, column in ((read_weekday, "day_of_week"), (weeks_of, "weeks"), (sections_of, "sections"))
    )
    for first, last in [(runs, runs)] if isinstance(runs, BadRow) else runs:
        arrangement = {"weeks": weeks, "day_of_week": weekday, "start_section": first, "end_section": last}
        row = read_row(number, course, arrangement, grid, source=_words(value.get("text")))
        yield _judge_row(row, _confidence(value.get("confidence")), _warnings(value))


def _judge_row(row: CourseRow | RowError, confidence: float, warnings: list[str]) -> Outcome:
    """Returns the row with how sure the model is; one that is not sure becomes a question."""
    if isinstance(row, RowError):
        return _tell_confidence(row, confidence)
    notes = tuple(RowNote(row.row, "picture", "text", "{warning}", {"warning": words}) for words in warnings)
    known = replace(row, confidence=confidence, notes=notes)
    if confidence >= SURE:
        return known
    offer = MendOffer("confirm", "看过了，这一行读得对", {}, known)
    message = "图上这一行不太清楚，请看一眼"
    return RowError(row.row, "low_confidence", "confidence", message, {}, row.course_name, row.source, (offer,))


def _tell_confidence(row: CourseRow | RowError, confidence: float) -> CourseRow | RowError:
    """Returns a row that says how sure the model is, whatever has to be mended first."""
    if isinstance(row, CourseRow):
        return replace(row, confidence=confidence)
    return replace(row, offers=tuple(replace(o, row=_tell_confidence(o.row, confidence)) for o in row.offers))


def _hold_error(read: Any, value: Any, column: str) -> Any:
    """Returns what is read, or the `BadRow` that reading raised."""
    words = str(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**6 else value
    if not isinstance(words, str) or not words.strip():
        return BadRow("missing_field", column, "缺少该字段")
    try:
        return read(words)
    except BadRow as bad:
        return bad


def _confidence(value: Any) -> float:
    known = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    return float(value) if known else 0.0


def _words(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _warnings(told: Mapping[str, Any]) -> list[str]:
    listed = told.get("warnings")
    words = [words[:WARNING_MAX] for words in listed if isinstance(words, str)] if isinstance(listed, list) else []
    return words[:WARNINGS_MAX]

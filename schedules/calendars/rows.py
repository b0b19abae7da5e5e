"""What every course format is parsed into: rows, and errors that name row and column. PURE."""

from __future__ import annotations

from dataclasses import dataclass, field

from taskclasses.i18n import text

ROWS_MAX, OCCURRENCES_MAX, FILE_MAX = 2_000, 10_000, 5 * 1024 * 1024
NAME_MAX = 255


@dataclass(frozen=True)
class CourseRow:
    """One weekly meeting of a course in the named weeks (ascending, unique)."""

    row: int
    course_name: str
    location: str
    is_allow_tasks: bool
    weeks: tuple[int, ...]
    day_of_week: int
    section_from: int
    section_to: int
    teacher: str = ""


@dataclass(frozen=True)
class RowError:
    """Why a row is not understood: `code` of the format's list, the columns at fault, a message id and its values."""

    row: int
    code: str
    column: str
    message: str
    values: dict[str, object] = field(default_factory=dict)

    def sentence(self, locale: str) -> str:
        return f"{self.column}: {text(self.message, locale, **self.values)}"

"""What cannot be read of a course file or a paste, as refusals that name what is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from schedules.calendars.files import FORMATS
from schedules.calendars.readers.pasted_courses import rows_of_paste
from schedules.calendars.rows import NotCourses, Outcome, TooMany, UnknownForm, collect_rows
from schedules.planner.grid import Grid
from taskclasses.kernel.errors import CodedError, too_large
from taskclasses.kernel.i18n import text

READABLE = "正方、强智、青果的课表网页和 JSON，表格（CSV、XLSX 或粘贴），日历（ICS），WakeUp 备份"


def paste_read(told: str, *, grid: Grid, locale: str) -> list[Outcome]:
    """The rows of a pasted text; 40005, 40006."""
    with refuse_unread(locale):
        return collect_rows(rows_of_paste(told, grid))


@contextmanager
def refuse_unread(locale: str) -> Iterator[None]:
    """Turns what a reader raises into refusals: 40005, 40006."""
    try:
        yield
    except TooMany as error:
        raise too_large(error.what, error.limit) from error
    except NotCourses as error:
        raise _refusal(error, locale) from error


def _refusal(error: NotCourses, locale: str) -> CodedError:
    """40005 with a row for each column at fault; `code` says what a client may want to tell apart.

    A form that is not read is named, with those that are.
    """
    if isinstance(error, UnknownForm):
        message = text(
            "读不了这种课表：{form}。能读的有：{forms}",
            locale,
            form=text(error.message, locale),
            forms=text(READABLE, locale),
        )
        named = {"field": "file", "message": message, "code": error.code, "forms": list(FORMATS)}
        return CodedError(40005, {"errors": [named]})
    fields = [f"file.{column}" for column in error.columns] or ["file"]
    more = {"code": error.code} if error.code else {}
    return CodedError(40005, {"errors": [{"field": name, "message": error.message, **more} for name in fields]})

"""A course file, a picture or a paste as rows; what cannot be read as refusals that name what is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from django.conf import settings
from django.utils.module_loading import import_string

from schedules.calendars.files import FORMATS, IMAGE, format_of, refuse_foreign, rows_of_file, rows_of_named
from schedules.calendars.readers.html_courses import rows_of_page
from schedules.calendars.readers.pasted_courses import rows_of_paste
from schedules.calendars.readers.picture_courses import CannotSee, media_of, read_picture
from schedules.calendars.rows import FILE_MAX, NotCourses, Outcome, TooMany, UnknownForm, collect_rows
from schedules.planner.grid import Calendar
from schedules.presentation.shapes.imports import PictureObject
from taskclasses.kernel.errors import CodedError, too_large
from taskclasses.kernel.i18n import text

READABLE = "正方、强智、青果、树维、金智、URP 的课表网页，正方 JSON，表格（CSV、XLSX、粘贴），日历（ICS），WakeUp 备份"


@dataclass(frozen=True)
class ReadFile:
    """Holds the format that a file turned out to have, its rows, and what is said of a picture."""

    form: str
    rows: list[Outcome]
    picture: PictureObject | None = None


def paste_read(told: str, *, markup: str = "", calendar: Calendar, locale: str) -> list[Outcome]:
    """Reads the rows of a pasted text, of its `markup` where that holds a timetable; 40005, 40006."""
    if markup:
        with suppress(NotCourses, TooMany):
            return collect_rows(rows_of_page(markup, calendar))
    with refuse_unread(locale):
        return collect_rows(rows_of_paste(told, calendar))


def file_read(
    *, user_id: int, name: str, data: bytes, calendar: Calendar, locale: str, form: str | None = None
) -> ReadFile:
    """Reads the rows of a file in a known format, without one in that its name tells of.

    40005, 40006; for a picture also 40085 when nothing here can see it, and the refusals of the model that looks.
    """
    told, form = form, form or format_of(name)
    with refuse_unread(locale):
        if len(data) > FILE_MAX:
            raise too_large("file", FILE_MAX)
        if form == IMAGE:
            return _look_at(user_id, data, calendar)
        return ReadFile(form, rows_of_file(form, data, calendar) if told else rows_of_named(name, data, calendar))


def _look_at(user_id: int, data: bytes, calendar: Calendar) -> ReadFile:
    refuse_foreign(IMAGE, data)
    media = media_of(data)
    if media is None:
        raise UnknownForm("不是 PNG、JPEG、WebP 或 GIF 图片")
    read = import_string(settings.PICTURE_READER)
    try:
        seen = read_picture(read(user_id, data, media), calendar.grid)
    except CannotSee:
        raise CodedError(40085, {"forms": list(FORMATS)}) from None
    return ReadFile(IMAGE, collect_rows(seen.rows), {"outcome": seen.outcome, "warnings": seen.warnings})


@contextmanager
def refuse_unread(locale: str) -> Iterator[None]:
    """Turns what a reader raises into refusals: 40005, 40006."""
    try:
        yield
    except TooMany as error:
        raise too_large(error.what, error.limit) from error
    except NotCourses as error:
        raise _refusal(error, locale) from error


def unknown_words(error: UnknownForm, locale: str) -> str:
    """Names the form that is not read, and those that are."""
    form, forms = text(error.message, locale), text(READABLE, locale)
    return text("读不了这种课表：{form}。能读的有：{forms}", locale, form=form, forms=forms)


def _refusal(error: NotCourses, locale: str) -> CodedError:
    """Returns 40005 with a row for each column at fault; `code` says what a client may want to tell apart.

    A form that is not read is named, with those that are.
    """
    if isinstance(error, UnknownForm):
        message = unknown_words(error, locale)
        named = {"field": "file", "message": message, "code": error.code, "forms": list(FORMATS)}
        return CodedError(40005, {"errors": [named]})
    fields = [f"file.{column}" for column in error.columns] or ["file"]
    more = {"code": error.code} if error.code else {}
    return CodedError(40005, {"errors": [{"field": name, "message": error.message, **more} for name in fields]})

"""`manage.py import_courses FILE --user U`: courses of a file into one student's timetable."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from schedules.calendars.files import IMAGE, WHOLE, format_of, rows_of_named
from schedules.calendars.rows import NotCourses, Outcome, TooMany, UnknownForm
from schedules.planner.grid import Calendar
from schedules.presentation.shapes.imports import ImportReport
from schedules.selectors import semester_current
from schedules.services import courses_import
from schedules.services.courses.reading import unknown_words
from taskclasses.kernel.errors import CodedError
from taskclasses.kernel.i18n import text


class Command(BaseCommand):
    help = (
        "Imports courses from a file: .json (also of a Zhengfang system), .html of a school system, .csv, .xlsx, "
        ".txt with a pasted table, .ics or .wakeup_schedule. "
        "Nothing is written when a row is bad, unless it is mended with --mend or left out with --skip-invalid."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--user", required=True)
        parser.add_argument("--dry-run", action="store_true")
        parser.add_argument("--skip-invalid", action="store_true")
        parser.add_argument("--replace", action="store_true", help="what was imported before follows the file")
        parser.add_argument("--mend", action="append", default=[], help="an offered mend to take, such as weeks:3")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["user"]).first()
        if user is None:
            raise CommandError(f"no account named {options['user']}")
        form = format_of(options["file"].name)
        if form == IMAGE:
            raise CommandError("a picture is read by the model: POST it to /api/v1/schedule/imports")
        rows = _rows(options["file"], semester_current(user.pk).calendar)
        # The dry run names every bad row; a refused write would stop at the first kind of fault.
        mends, asked = options["mend"], {"mends": options["mend"], "replace": options["replace"]}
        report = courses_import(user=user, rows=rows, dry_run=True, whole=form in WHOLE, locale="en", **asked)
        for row in report["rows"]:
            self.stdout.write("row {row} {course_name}: {status} {code} {message} ({events} lessons)".format(**row))
        for mend in report["mends"]:
            self.stdout.write(
                "{sign} --mend {id}: {message}".format(sign="taken" if mend["taken"] else "offered", **mend)
            )
        for name in sorted({*mends} - {mend["id"] for mend in report["mends"]}):
            self.stderr.write(f"--mend {name}: nothing of that name is offered")
        for lesson in report["missing"]:
            self.stdout.write("no longer in the file: {name}, weekday {day_of_week}, weeks {weeks}".format(**lesson))
        if options["replace"]:
            _tell_renewed(self.stdout.write, report)
        if not options["dry_run"]:
            try:
                report = courses_import(
                    user=user, rows=rows, dry_run=False, skip_invalid=options["skip_invalid"], **asked
                )
            except CodedError as error:
                raise CommandError(f"nothing was written: {error.info('en')}") from error
        verb = "would be added" if options["dry_run"] else "added"
        self.stdout.write(f"{report['events']} lessons {verb}, {report['duplicates']} were there already")


def _tell_renewed(tell: Callable[[str], object], report: ImportReport) -> None:
    for meeting in report["moved"]:
        tell("moves: {name}, weeks {weeks}: {from} to {to}".format(**meeting))
    for lesson in report["gone"]:
        tell("goes: {name}, weekday {day_of_week}, weeks {weeks}".format(**lesson))
    for course in report["teachers"]:
        tell("is taught by: {name}, {to} in place of {from}".format(**course))


def _rows(path: Path, calendar: Calendar) -> list[Outcome]:
    try:
        return rows_of_named(path.name, path.read_bytes(), calendar)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error}") from error
    except TooMany as error:
        raise CommandError(f"{path} is over the limit of {error.limit}: {error.what}") from error
    except UnknownForm as error:
        raise CommandError(f"{path}: {unknown_words(error, 'en')}") from error
    except NotCourses as error:
        raise CommandError(f"{path}: {text(error.message, 'en')} {', '.join(error.columns)}".rstrip()) from error

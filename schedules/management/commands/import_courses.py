"""`manage.py import_courses FILE --user U`: courses of a JSON or CSV file into one student's timetable."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from schedules.calendars.csv_courses import NotCourses, rows_of_csv
from schedules.calendars.json_courses import Outcome, rows_of_document
from schedules.calendars.rows import FILE_MAX
from schedules.planner.grid import Grid
from schedules.selectors import semester_current
from schedules.services import courses_import
from taskclasses.errors import CodedError


class Command(BaseCommand):
    help = "Imports courses from a JSON or CSV file. Nothing is written when a row is bad, unless --skip-invalid."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--user", required=True)
        parser.add_argument("--dry-run", action="store_true")
        parser.add_argument("--skip-invalid", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["user"]).first()
        if user is None:
            raise CommandError(f"no account named {options['user']}")
        rows = _rows(options["file"], semester_current().calendar.grid)
        # The dry run names every bad row; a refused write would stop at the first kind of fault.
        report = courses_import(user=user, rows=rows, dry_run=True)
        for row in report["rows"]:
            self.stdout.write("row {row}: {status} {code} {message} ({events} lessons)".format(**row))
        if not options["dry_run"]:
            try:
                report = courses_import(user=user, rows=rows, dry_run=False, skip_invalid=options["skip_invalid"])
            except CodedError as error:
                raise CommandError(f"nothing was written: {error.info('en')}") from error
        verb = "would be added" if options["dry_run"] else "added"
        self.stdout.write(f"{report['events']} lessons {verb}, {report['duplicates']} were there already")


def _rows(path: Path, grid: Grid) -> list[Outcome]:
    try:
        if path.stat().st_size > FILE_MAX:
            raise CommandError(f"{path} is larger than {FILE_MAX} bytes")
        data = path.read_bytes()
        if path.suffix.lower() == ".csv":
            return list(rows_of_csv(data, grid))
        document = json.loads(data.decode("utf-8-sig"))
    except NotCourses as error:
        raise CommandError(f"{path} is no table of courses; exactly one column each: {error}") from error
    except (OSError, ValueError, RecursionError) as error:
        raise CommandError(f"{path} cannot be read: {error}") from error
    if not isinstance(document, dict) or not isinstance(document.get("courses"), list):
        raise CommandError(f"{path} has no list named courses")
    return rows_of_document(document, grid)

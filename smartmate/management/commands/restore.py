"""`manage.py restore FILE`: the rows of a backup into an installation that has none."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from smartmate.upkeep.restore import RestoreRefused, restore


class Command(BaseCommand):
    help = "Takes the rows of a backup into a migrated installation without any, on whatever database. All or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        total = 0
        try:
            for table, count in restore(path):
                total += count
                if options["verbosity"] > 1:
                    self.stderr.write(f"{table}: {count}")
        except RestoreRefused as refusal:
            raise CommandError(f"{path}: {refusal}") from refusal
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror or error}") from error
        self.stdout.write(f"{total} rows restored")

"""`manage.py backup FILE`: every row of one moment in one file."""

from __future__ import annotations

import signal
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from smartmate.upkeep.backup import backup


class Command(BaseCommand):
    help = "Writes every row of one moment into FILE (gzip), beside the running service. `restore` takes it back in."

    def run_from_argv(self, argv: list[str]) -> None:
        # Told to end it ends in order: half a file would stay, with all that it holds.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
        super().run_from_argv(argv)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        total = 0
        try:
            for table, count in backup(path):
                total += count
                if options["verbosity"] > 1:
                    self.stderr.write(f"{table}: {count}")
        except FileExistsError as error:
            raise CommandError(f"{path} exists") from error
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}") from error
        self.stdout.write(f"{path}: {total} rows, {path.stat().st_size} bytes")

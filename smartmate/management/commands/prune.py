"""`manage.py prune`: what grows with time and nobody asks for any more goes."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from smartmate.upkeep.pruning import KINDS, prune
from taskclasses.kernel.database.clock import database_now

EVERY = 20
"""Batches between two lines of progress."""


class Command(BaseCommand):
    help = (
        f"Takes what is over, in small transactions: {', '.join(kind.name for kind in KINDS)}. The service goes on "
        "meanwhile. May be stopped at any time."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only count what is due")
        parser.add_argument("--batch", type=int, default=200, help="rows of one transaction (default: 200)")
        parser.add_argument("--only", action="append", metavar="KIND", help="one kind, by its name; may be repeated")

    def handle(self, *args: Any, **options: Any) -> None:
        names = {kind.name for kind in KINDS}
        wanted = set(options["only"] or names)
        if unknown := sorted(wanted - names):
            raise CommandError(f"no such kind: {', '.join(unknown)} (there are: {', '.join(sorted(names))})")
        if options["batch"] < 1:
            raise CommandError("a batch has at least one row")
        now = database_now()
        for kind in KINDS:
            if kind.name not in wanted:
                continue
            if options["dry_run"]:
                self.stdout.write(f"{kind.name}: {kind.due(now).count()} due")
                continue
            gone = 0
            for number, gone in enumerate(prune(kind, now=now, batch=options["batch"]), start=1):
                if number % EVERY == 0:
                    self.stderr.write(f"{kind.name}: {gone} so far")
            self.stdout.write(f"{kind.name}: {gone}")

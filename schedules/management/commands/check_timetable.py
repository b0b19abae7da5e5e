"""`manage.py check_timetable`: the invariants between events, rows and items; exit 1 when one is broken."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from schedules.services import broken_invariants


class Command(BaseCommand):
    help = "Checks that events, section rows and task items agree."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", help="only this account")

    def handle(self, *args: Any, **options: Any) -> None:
        user_id = None
        if options["user"]:
            user = User.objects.filter(username=options["user"]).first()
            if user is None:
                raise CommandError(f"no account named {options['user']}")
            user_id = user.pk
        broken = broken_invariants(user_id=user_id)
        for sentence in broken:
            self.stdout.write(sentence)
        if broken:
            raise CommandError(f"{len(broken)} broken")
        self.stdout.write("sound")

"""`manage.py seed_demo`: an account with a realistic term; running it again adds nothing."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from schedules.services.demo import demo_load, demo_semester
from schedules.terms.semester_values import YEARS

DEMO_ZONE = "Asia/Shanghai"


class Command(BaseCommand):
    help = "Loads a second-year computer-science term (courses, task classes) for one account and prints the login."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--username", default="demo")
        parser.add_argument(
            "--password", default="", help="default: that of the account, a random one for a new account"
        )
        parser.add_argument("--admin", action="store_true", help="lets the account into /admin/")
        parser.add_argument(
            "--first-monday",
            type=date.fromisoformat,
            help="first day of the term; default: today lies in its third week",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        first_monday: date | None = options["first_monday"]
        if first_monday is not None and first_monday.weekday() != 0:
            raise CommandError(f"{first_monday} is not a Monday")
        if first_monday is not None and first_monday.year not in YEARS:
            raise CommandError(f"a term begins in the years {YEARS[0]} to {YEARS[-1]}")
        today = timezone.localdate(timezone=ZoneInfo(DEMO_ZONE))
        with transaction.atomic():  # an account whose password is told nowhere helps nobody
            semester = demo_semester(today=today, first_monday=first_monday)
            user, password = _account(options["username"], options["password"], options["admin"])
            added = demo_load(user=user, today=today, semester=semester)
        self.stdout.write(f"term: {semester.name}, {semester.weeks} weeks from {semester.first_monday}")
        self.stdout.write(f"added: {added.events} lessons, {len(added.class_ids)} task classes, {added.items} items")
        self.stdout.write(f"login: {user.get_username()} / {password or '(password unchanged)'}")


def _account(username: str, password: str, admin: bool) -> tuple[User, str]:
    """Returns the account and the password to print; empty when it existed and no password was given."""
    user, created = User.objects.get_or_create(username=_good_name(username))
    if created and not password:
        password = secrets.token_urlsafe(9)
    if password and not user.check_password(password):
        user.set_password(password)
        user.save()
    if admin and not user.is_superuser:
        user.is_staff = user.is_superuser = True
        user.save()
    return user, password


def _good_name(username: str) -> str:
    try:
        return str(User._meta.get_field("username").clean(username, None))
    except ValidationError as error:
        raise CommandError(f"--username: {' '.join(error.messages)}") from error

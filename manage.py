#!/usr/bin/env python
"""Entry point of Django's management commands."""

import io
import os
import sys
from importlib import import_module

from django.core.management import execute_from_command_line

PLANNER = ("plan_problem", "diagnose_plan")
"""Commands on documents alone: they need neither settings nor apps, whose start takes longer than most plans."""
NO_TABLE = 1146
"""What MySQL and MariaDB say of a table that is not there."""
INTERRUPTED, UNREAD = 130, 141
"""What a shell says of a command that Ctrl-C, or a pipe nobody reads from, has ended."""


def _run_command() -> None:
    """Runs a command on the stores; what is wrong with a database that is away or has no tables is said in a line."""
    from django.db import DatabaseError

    from smartmate.monitoring.log_filters import says_all

    try:
        execute_from_command_line(sys.argv)
    except DatabaseError as error:
        empty = "no such table" in str(error) or error.args[:1] == (NO_TABLE,)
        if "--traceback" in sys.argv or not (empty or says_all(error)):
            raise
        words = error.args[-1] if error.args else error
        sys.exit(f"CommandError: the database: {words}" + ("; `manage.py migrate` makes its tables" if empty else ""))


def _main() -> None:
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Where a terminal has no such character a ? stands in its place: what a command has done is told all the same.
        sys.stdout.reconfigure(errors="replace")
    if sys.argv[1:2] and sys.argv[1] in PLANNER:
        os.environ.pop("DJANGO_SETTINGS_MODULE", None)
        import_module(f"schedules.management.commands.{sys.argv[1]}").Command().run_from_argv(sys.argv)
    else:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "smartmate.settings")
        _run_command()


if __name__ == "__main__":
    try:
        _main()
        sys.stdout.flush()
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # Who read along has left, `head` for instance: Python's own last flush has nobody to write to either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(UNREAD)

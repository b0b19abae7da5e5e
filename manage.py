#!/usr/bin/env python
"""Entry point of Django's management commands."""

import io
import os
import sys
from importlib import import_module

from django.core.management import execute_from_command_line

PLANNER = ("plan_problem", "diagnose_plan")
"""Commands on documents alone: they need neither settings nor apps, whose start takes longer than most plans."""

if __name__ == "__main__":
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Where a terminal has no such character a ? stands in its place: what a command has done is told all the same.
        sys.stdout.reconfigure(errors="replace")
    if sys.argv[1:2] and sys.argv[1] in PLANNER:
        os.environ.pop("DJANGO_SETTINGS_MODULE", None)
        import_module(f"schedules.management.commands.{sys.argv[1]}").Command().run_from_argv(sys.argv)
    else:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "smartmate.settings")
        execute_from_command_line(sys.argv)

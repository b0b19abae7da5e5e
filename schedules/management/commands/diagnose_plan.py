"""Diagnose a plan from the command line: `diagnose_plan problem.json plan.json` prints the analyze_health document."""

from __future__ import annotations

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from schedules.management.documents import DocumentError, read_document
from schedules.planner.codec import placements_from_json, problem_from_json
from schedules.planner.diagnosis.health import analyze_health
from schedules.planner.draft.from_problem import draft_of
from schedules.planner.problem import ProblemError

INVALID = 2


class Command(BaseCommand):
    help = "Prints the diagnosis of a plan as JSON. Exit code 2: the problem or the plan is invalid."
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("problem", help="path of problem.json")
        parser.add_argument("plan", help="path of plan.json, - for standard input")
        parser.add_argument("--locale", choices=("zh", "en"), default="zh", help="language of the sentences")
        parser.add_argument("--detail", choices=("summary", "full"), default="summary", help="full adds a row per day")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            problem = problem_from_json(read_document(options["problem"]))
            state = draft_of(problem, placements_from_json(read_document(options["plan"]), problem))
        except (DocumentError, ProblemError) as error:
            raise CommandError(f"invalid: {error}", returncode=INVALID) from error
        found = analyze_health(state, locale=options["locale"], detail=options["detail"])
        sys.stdout.write(json.dumps(found, ensure_ascii=False, indent=1) + "\n")

"""Plan a problem document from the command line: `plan_problem problem.json [-o plan.json]`."""

from __future__ import annotations

import gc
import json
import sys
import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from schedules.planner.codec import plan_to_json, problem_from_json
from schedules.planner.exact import ExactUnavailable, solve_exact
from schedules.planner.problem import Problem, ProblemError
from schedules.planner.rough_build import Plan, plan

INVALID = 2


class Command(BaseCommand):
    help = "Reads a problem document, plans it and writes the plan document. Exit code 2: the problem is invalid."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("problem", help="path of problem.json, - for standard input")
        parser.add_argument("-o", "--output", help="path of plan.json; standard output when left out")
        parser.add_argument("--constructive", action="store_true", help="stop after the constructive pass")
        parser.add_argument("--exact", type=float, metavar="SECONDS", help="solve with OR-tools CP-SAT instead")

    def handle(self, *args: Any, **options: Any) -> None:
        problem = _read(options["problem"])
        gc.disable()  # planning makes many small tuples and no cycles: collecting would cost a tenth of the time
        begin = time.perf_counter()
        found = _solve(problem, constructive=options["constructive"], exact=options["exact"])
        elapsed = round(1000 * (time.perf_counter() - begin))
        gc.enable()
        document = json.dumps(plan_to_json(found), ensure_ascii=False, indent=1) + "\n"
        if options["output"]:
            Path(options["output"]).write_text(document, encoding="utf-8")
        else:
            sys.stdout.write(document)
        sys.stderr.write(f"planner_ms={elapsed}\n")


def _read(path: str) -> Problem:
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
        return problem_from_json(json.loads(text))
    except (OSError, ValueError) as error:
        if isinstance(error, ProblemError):
            raise CommandError(f"invalid problem: {error}", returncode=INVALID) from error
        raise CommandError(f"invalid problem: {path}: {error}", returncode=INVALID) from error


def _solve(problem: Problem, *, constructive: bool, exact: float | None) -> Plan:
    if exact is None:
        return plan(problem, budget=0 if constructive else None)
    try:
        return solve_exact(problem, seconds=exact).plan
    except ExactUnavailable as error:
        raise CommandError(str(error)) from error

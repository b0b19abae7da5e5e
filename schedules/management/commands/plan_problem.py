"""Plan a problem document from the command line: `plan_problem problem.json [-o plan.json]`."""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any, TypeVar

from django.core.management.base import BaseCommand, CommandError, CommandParser

from schedules.management.documents import DocumentError, read_document
from schedules.planner.codec import placements_from_json, plan_to_json, problem_from_json
from schedules.planner.grid import Place, week_and_weekday
from schedules.planner.problem import Problem, ProblemError
from schedules.planner.solver.bounds.exact import ExactUnavailable, solve_exact
from schedules.planner.solver.bounds.linear_bound import tighten_linear
from schedules.planner.solver.bounds.tight_bound.relaxation import tighten
from schedules.planner.solver.replan import plan_keeping
from schedules.planner.solver.rough_build import BoundedPlan, add_bound, plan_with_bound

INVALID = 2
MOVES = 5
T = TypeVar("T")


class Command(BaseCommand):
    help = "Reads a problem document, plans it and writes the plan document. Exit code 2: the problem is invalid."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("problem", help="path of problem.json, - for standard input")
        parser.add_argument("-o", "--output", help="path of plan.json; standard output when left out")
        parser.add_argument("--constructive", action="store_true", help="stop after the constructive pass")
        parser.add_argument("--exact", type=float, metavar="SECONDS", help="solve with OR-tools CP-SAT instead")
        parser.add_argument(
            "--bound", type=int, metavar="STEPS", help="tighten the bound in so many steps; 100 is plenty"
        )
        parser.add_argument(
            "--linear-bound",
            type=float,
            metavar="SECONDS",
            help="tighten the bound with OR-tools' HiGHS, if that is enough",
        )
        parser.add_argument("--keep", metavar="PLAN", help="repair this plan.json instead of planning anew")
        parser.add_argument("--max-moves", type=int, metavar="K", help=f"with --keep: so many moves at most ({MOVES})")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["max_moves"] is not None and (options["max_moves"] < 0 or not options["keep"]):
            raise CommandError("--max-moves takes a number from 0, and --keep", returncode=INVALID)
        if options["bound"] is not None and (options["bound"] < 1 or options["keep"]):
            raise CommandError("--bound takes a number of steps above 0, and no --keep", returncode=INVALID)
        for name in ("exact", "linear_bound"):
            if options[name] is not None and not 0 < options[name] < inf:
                raise CommandError(f"--{name.replace('_', '-')} takes a number of seconds above 0", returncode=INVALID)
        if options["linear_bound"] and options["keep"]:
            raise CommandError("--linear-bound takes no --keep", returncode=INVALID)
        problem = _understood(options["problem"], problem_from_json)
        gc.disable()  # planning makes many small tuples and no cycles: collecting would cost a tenth of the time
        begin = time.perf_counter()
        if options["keep"]:
            document = _repair_plan(
                problem, options["keep"], MOVES if options["max_moves"] is None else options["max_moves"]
            )
        else:
            document = plan_to_json(_solve(problem, options))
        elapsed = round(1000 * (time.perf_counter() - begin))
        gc.enable()
        text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
        _write(options["output"], text)
        sys.stderr.write(f"planner_ms={elapsed}\n")


def _understood(path: str, read: Callable[[Any], T]) -> T:
    """Returns what `read` makes of a JSON file; a CommandError that names the wrong field or the file otherwise."""
    try:
        return read(read_document(path))
    except (DocumentError, ProblemError) as error:
        raise CommandError(f"invalid problem: {error}", returncode=INVALID) from error


def _write(path: str | None, text: str) -> None:
    if path is None:
        sys.stdout.write(text)
        return
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror}") from error


def _repair_plan(problem: Problem, path: str, max_moves: int) -> dict[str, Any]:
    """Returns the plan document of a repair, with its moves: `{task_item_id, before, after|null, reason}`."""
    keep = _understood(path, lambda document: placements_from_json(document, problem))
    done = plan_keeping(problem, keep=keep, max_moves=max_moves)
    moves = [
        {"task_item_id": one.task_item_id, "before": _spot(one.before), "after": _spot(one.after), "reason": one.reason}
        for one in done.moves
    ]
    return {**plan_to_json(add_bound(problem, done.plan)), "moves": moves}


def _spot(place: Place | None) -> dict[str, int] | None:
    if place is None:
        return None
    week, day_of_week = week_and_weekday(place.day)
    return {"week": week, "day_of_week": day_of_week, "section_from": place.first, "section_to": place.last}


def _solve(problem: Problem, options: dict[str, Any]) -> BoundedPlan:
    """Returns the plan that is asked for, with the bounds that are."""
    try:
        if options["exact"] is None:
            found = plan_with_bound(problem, budget=0 if options["constructive"] else None)
        else:
            found = solve_exact(problem, seconds=options["exact"]).plan
        if options["bound"]:
            found = tighten(problem, found, steps=options["bound"])
        if options["linear_bound"]:
            found = tighten_linear(problem, found, seconds=options["linear_bound"])
    except ExactUnavailable as error:
        raise CommandError(str(error)) from error
    return found

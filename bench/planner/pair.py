"""The planner of this checkout beside that of another one: CPU of search, plan and plan with its bound, and the plans.

    python -m bench.planner.pair ../before [--only medium,large] [--seeds 3] [--rounds 5]

Each round starts one process per checkout, in turn, on the same machine; the ratio of a kind is that of the sums over
its problems, taken of the least CPU time of each. A plan is equal when each item stands at the same place.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent.parent


def measure(kinds: list[str], seeds: int) -> dict[str, list[Any]]:
    """Return (ms of search, plan, plan with bound, total, digest of the plan) by problem, for the planner on the path.

    Where a plan always comes with its bound, the two times are the same.
    """
    from bench.planner.problems import NASTY, SIZES, problem_document
    from schedules.planner.codec import problem_from_json
    from schedules.planner.solver import rough_build
    from schedules.planner.solver.construct import construct
    from schedules.planner.solver.layout import Layout
    from schedules.planner.solver.rough_build import default_budget, plan
    from schedules.planner.solver.search import improve
    from schedules.planner.solver.tables import Tables

    documents = getattr(rough_build, "plan_with_bound", plan)
    found: dict[str, list[Any]] = {}
    for kind in kinds:
        for seed in range(seeds):
            problem = problem_from_json(problem_document((SIZES | NASTY)[kind], seed))
            layout = Layout(Tables(problem))
            gc.collect()
            begin = time.process_time()
            construct(layout)
            improve(layout, default_budget(layout))
            searched = time.process_time() - begin
            del layout
            gc.collect()
            begin = time.process_time()
            answer = plan(problem)
            planned = time.process_time() - begin
            gc.collect()
            begin = time.process_time()
            documents(problem)
            bounded = time.process_time() - begin
            digest = hashlib.sha256(repr((answer.placements, answer.unplaced)).encode()).hexdigest()[:12]
            name = f"{kind}:{seed}"
            found[name] = [1000 * searched, 1000 * planned, 1000 * bounded, answer.cost.total, digest]
    return found


def measured_in(root: Path, kinds: list[str], seeds: int) -> dict[str, list[Any]]:
    """Run `measure` in a fresh process with the planner of a checkout; the problems are those of this one."""
    call = (
        f"import sys, json; sys.path[:0] = [{str(root)!r}]; import schedules; sys.path[0] = {str(HERE)!r};"
        f"from bench.planner.pair import measure; print(json.dumps(measure({kinds!r}, {seeds})))"
    )
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        [sys.executable, "-c", call], check=True, capture_output=True, text=True, env=environment, cwd="/"
    )
    answer: dict[str, list[Any]] = json.loads(done.stdout)
    return answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, help="the other checkout")
    parser.add_argument("--only", default="medium,large", help="comma-separated kinds")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    kinds, roots = options.only.split(","), {"before": options.before.resolve(), "now": HERE}
    runs: dict[str, dict[str, list[list[Any]]]] = {name: defaultdict(list) for name in roots}
    for _ in range(options.rounds):
        for name, root in roots.items():
            for problem, row in measured_in(root, kinds, options.seeds).items():
                runs[name][problem].append(row)
    for kind in kinds:
        names = [problem for problem in runs["now"] if problem.startswith(f"{kind}:")]
        for index, what in enumerate(("search", "plan", "bounded")):
            sums = {which: sum(min(row[index] for row in runs[which][one]) for one in names) for which in roots}
            ratio = sums["now"] / sums["before"]
            print(f"{kind:<14} {what:<7} {sums['before']:8.0f} ms -> {sums['now']:8.0f} ms  x {ratio:.2f}")
        equal = sum(runs["now"][one][0][4] == runs["before"][one][0][4] for one in names)
        dearer = [one for one in names if runs["now"][one][0][3] > runs["before"][one][0][3]]
        print(f"{kind:<14} {equal} of {len(names)} plans equal, dearer: {', '.join(dearer) or 'none'}", flush=True)


if __name__ == "__main__":
    main()

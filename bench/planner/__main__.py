"""The planner beside its peers on seeded problems: cost, gap to the best bound, time, memory, growth.

    python -m bench.planner [--quick] [--seeds N] [--exact 10 60] [--only medium,all_high]

Ours, our constructive pass alone, OR-tools CP-SAT (at each time limit, cold and on all cores), and FET when `fet-cl` is
installed (Debian package `fet`). All plans are costed by the same objective. Nothing is asserted here.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bench.planner.fet import FetAbsent, plan_with_fet
from bench.planner.problems import NASTY, SIZES, problem_document
from schedules.planner.codec import problem_from_json
from schedules.planner.problem import Problem
from schedules.planner.solver.bounds.exact import ExactUnavailable, solve_exact
from schedules.planner.solver.layout import Layout
from schedules.planner.solver.rough_build import plan, plan_with_bound
from schedules.planner.solver.tables import Tables


@dataclass(frozen=True)
class Run:
    """One planner on one problem; `bound` 0 when it proves nothing."""

    total: int
    bound: int
    ms: float


Planner = Callable[[Problem], Run]


def ours(problem: Problem) -> Run:
    begin = time.process_time()
    found = plan_with_bound(problem)
    return Run(found.cost.total, found.bound, 1000 * (time.process_time() - begin))


def constructive(problem: Problem) -> Run:
    begin = time.process_time()
    found = plan_with_bound(problem, budget=0)
    return Run(found.cost.total, found.bound, 1000 * (time.process_time() - begin))


def exact(problem: Problem, limits: list[float], target: int) -> tuple[dict[str, Run], float]:
    """CP-SAT, once with the longest limit: where it stood at each limit, and the seconds to the target (or infinity).

    The seconds are the solver's own, without building the model.
    """
    longest = max(limits)
    found = solve_exact(problem, seconds=longest, warm=False)
    nothing = Run(Layout(Tables(problem)).total, 0, 0)
    runs = {}
    for limit in sorted(limits):
        known = [
            Run(total, bound, 1000 * min(limit, found.seconds)) for at, total, bound in found.progress if at <= limit
        ]
        runs[f"CP-SAT {limit:g} s"] = known[-1] if known else nothing
    runs[f"CP-SAT {longest:g} s"] = Run(found.plan.cost.total, found.plan.bound, 1000 * found.seconds)
    return runs, next((at for at, total, _ in found.progress if total <= target), math.inf)


def fet(seconds: int) -> Planner:
    def run(problem: Problem) -> Run:
        begin = time.perf_counter()
        total = plan_with_fet(problem, seconds=seconds)
        return Run(total, 0, 1000 * (time.perf_counter() - begin))

    return run


def peak_mib(problem: Problem) -> float:
    tracemalloc.start()
    plan(problem)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 2**20


def compare(name: str, planners: dict[str, Planner], limits: list[float], seeds: Iterable[int]) -> float:
    """Print one block of the table; returns our median time in milliseconds."""
    runs: dict[str, list[Run]] = {}
    waits: list[float] = []
    problems = [problem_from_json(problem_document((SIZES | NASTY)[name], seed)) for seed in seeds]
    for problem in problems:
        try:
            for planner, solve in planners.items():
                runs.setdefault(planner, []).append(solve(problem))
            if limits:
                found, wait = exact(problem, limits, runs["ours"][-1].total)
                waits.append(wait)
                for planner, run in found.items():
                    runs.setdefault(planner, []).append(run)
        except (ExactUnavailable, FetAbsent) as absent:
            print(f"{name}: not run: {absent}")
    columns = f"{'total (median)':>15} {'over best':>18} {'gap to bound':>13} {'ms median':>10} {'ms worst':>9}"
    print(f"\n{name}: {len(problems)} problems\n  {'planner':<14} {columns}")
    for planner, mine in runs.items():
        if len(mine) == len(problems):
            _print_row(planner, mine, runs)
    if waits:
        _print_waits(waits, [run.ms / 1000 for run in runs["ours"]], max(limits))
    print(f"  peak memory of ours on the first: {peak_mib(problems[0]):.1f} MiB", flush=True)
    return statistics.median(run.ms for run in runs["ours"])


def _print_waits(waits: list[float], own: list[float], longest: float) -> None:
    """How long CP-SAT takes to a plan that costs no more than ours."""
    reached = [(wait, wait / mine) for wait, mine in zip(waits, own, strict=True) if wait < math.inf]
    never = len(waits) - len(reached)
    if reached:
        seconds, ratios = zip(*reached, strict=True)
        print(
            f"  CP-SAT reaches our cost in {len(reached)} of {len(waits)}: after {statistics.median(seconds):.1f} s"
            f" ({statistics.median(ratios):.0f} times our time, at least {min(ratios):.0f}; medians of these)"
        )
    if never:
        print(f"  CP-SAT has not reached our cost within {longest:g} s in {never} of {len(waits)}")


def _print_row(planner: str, mine: list[Run], runs: dict[str, list[Run]]) -> None:
    whole = [row for row in runs.values() if len(row) == len(mine)]
    over, gaps = [], []
    for index, run in enumerate(mine):
        best = min(row[index].total for row in whole)
        bound = max(row[index].bound for row in whole)
        over.append(100 * (run.total - best) / max(best, 100))
        gaps.append(100 * (run.total - bound) / max(run.total, 1))
    times = [run.ms for run in mine]
    print(
        f"  {planner:<14} {statistics.median(run.total for run in mine):>15.0f}"
        f" {statistics.median(over):>7.1f} % ({max(over):.0f} %)".ljust(52)
        + f" {statistics.median(gaps):>11.1f} % {statistics.median(times):>10.0f} {max(times):>9.0f}"
    )


def growth(times: dict[str, float]) -> None:
    """The fitted exponents of time over items times days, from medium to double and large."""
    if not {"medium", "double", "large"} <= times.keys():
        return
    points = []
    for name in ("medium", "double", "large"):
        shape = SIZES[name]
        points.append((math.log(shape.classes * shape.items * shape.weeks), math.log(times[name])))
    mean_x, mean_y = (statistics.fmean(axis) for axis in zip(*points, strict=True))
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    print(
        f"\ntime ~ (items x weeks) ^ {slope:.2f}; doubling classes and weeks: x {times['double'] / times['medium']:.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="two seeds, CP-SAT for 3 s, no large exact runs")
    parser.add_argument("--seeds", type=int, default=3, help="problems of each kind")
    parser.add_argument("--exact", type=float, nargs="*", default=[10, 60], metavar="SECONDS", help="limits of CP-SAT")
    parser.add_argument("--fet", type=int, default=20, metavar="SECONDS", help="limit of FET")
    parser.add_argument("--only", help="comma-separated kinds")
    options = parser.parse_args()
    seeds = range(2 if options.quick else options.seeds)
    limits = [3.0] if options.quick and options.exact == [10, 60] else options.exact
    kinds = options.only.split(",") if options.only else [*SIZES, *NASTY]
    times = {}
    for name in kinds:
        planners: dict[str, Planner] = {"ours": ours, "constructive": constructive}
        big = name in ("double", "large")
        planners |= {} if big else {"FET": fet(options.fet)}
        times[name] = compare(name, planners, [] if options.quick and big else limits, seeds)
    growth(times)


if __name__ == "__main__":
    main()

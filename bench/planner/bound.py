"""How far the bounds lie below the plan: the one that comes with it, and the tight one after so many steps.

    python -m bench.planner.bound [--only KINDS] [--seeds 3] [--steps 30 100] [--linear SECONDS] [--exact SECONDS]

With `--linear` the bound of the linear programme is shown too. With `--exact` the best total that CP-SAT finds or the
planner has is shown beside, and what it proves.
"""

from __future__ import annotations

import argparse
import time

from bench.planner.problems import NASTY, SIZES, problem_document
from schedules.planner.codec import problem_from_json
from schedules.planner.solver.bounds.exact import solve_exact
from schedules.planner.solver.bounds.linear_bound import tighten_linear
from schedules.planner.solver.bounds.tight_bound.relaxation import tighten
from schedules.planner.solver.rough_build import plan_with_bound


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="small,medium,large", help="comma-separated kinds")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, nargs="*", default=[30, 100])
    parser.add_argument("--linear", type=float, metavar="SECONDS")
    parser.add_argument("--exact", type=float, metavar="SECONDS")
    options = parser.parse_args()
    for kind in options.only.split(","):
        for seed in range(options.seeds):
            problem = problem_from_json(problem_document((SIZES | NASTY)[kind], seed))
            found = plan_with_bound(problem)
            line = f"{kind}:{seed:<3} total {found.cost.total:>9}  gap of the plan's bound {100 * found.gap:5.1f} %"
            bound = found.bound
            for steps in options.steps:
                begin = time.process_time()
                tight = tighten(problem, found, steps=steps)
                bound = max(bound, tight.bound)
                line += f"  after {steps} steps {100 * tight.gap:5.1f} % ({time.process_time() - begin:.1f} s)"
            if options.linear:
                begin = time.process_time()
                linear = tighten_linear(problem, found, seconds=options.linear)
                bound = max(bound, linear.bound)
                line += f"  linear programme {100 * linear.gap:5.1f} % ({time.process_time() - begin:.1f} s)"
            if options.exact:
                exact = solve_exact(problem, seconds=options.exact)
                best = min(exact.plan.cost.total, found.cost.total)
                assert bound <= best, "the bound is below every plan"
                line += f"  best {best} ({100 * (best - bound) / max(best, 1):.1f} % above), proven {exact.plan.bound}"
            print(line, flush=True)


if __name__ == "__main__":
    main()

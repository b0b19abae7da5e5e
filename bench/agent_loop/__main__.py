"""Our agent loop beside openai-agents, pydantic-ai and LangGraph: overhead per step and prompt tokens per step.

    python -m venv /tmp/bench && /tmp/bench/bin/pip install -r requirements-bench.txt    # the peers are optional
    /tmp/bench/bin/python -m bench.agent_loop [--steps 60] [--repeats 3]

All talk to the same scripted model server (a process of its own, no latency, streamed answers in equal pieces), call
the same tools with the same arguments on the same draft, read the same observations and end after `--steps` calls.
`bare` is the openai client in a plain loop: the floor. Ours also routes the message, validates every decision, guards
against repeats, writes receipts and events, stores the conversation after each step and sums up; the peers do not.

CPU: time of the client process per step. Wall: with the server's part. Memory is from a second run under tracemalloc:
peak of the run, and blocks still alive per step. Tokens: one estimator over messages and tool schemas as they reach the
server. A peer that is not installed is named and left out.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import importlib.util
import json
import multiprocessing
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from bench.agent_loop import runners  # noqa: E402
from bench.agent_loop.server import serve  # noqa: E402

PACKAGES = {
    "bare": "openai",
    "ours": "openai",
    "openai-agents": "agents",
    "pydantic-ai": "pydantic_ai",
    "langgraph": "langgraph",
}


async def measured(name: str, base_url: str, steps: int, repeats: int) -> dict[str, Any]:
    """The numbers of one contestant, in this process; the best of `repeats` timed runs after one to warm up."""
    world = runners.Bench(base_url, steps)
    style = "ours" if name == "ours" else "native"
    times = []
    for _ in range(repeats + 1):
        await world.reset(style=style)
        gc.collect()
        wall, cpu = time.perf_counter(), time.process_time()
        await runners.RUNNERS[name](world)
        times.append((time.process_time() - cpu, time.perf_counter() - wall))
    tokens = world.tokens()
    cpu, wall = min(times[1:])
    await world.reset(style=style)
    blocks = sys.getallocatedblocks()
    tracemalloc.start()
    await runners.RUNNERS[name](world)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return {
        "name": name,
        "cpu_ms": 1000 * cpu / steps,
        "wall_ms": 1000 * wall / steps,
        "peak_kib": peak / 1024,
        "blocks": (sys.getallocatedblocks() - blocks) / steps,
        "tokens": tokens,
    }


def one_in_its_own_process(name: str, base_url: str, args: argparse.Namespace) -> dict[str, Any]:
    """So that no contestant carries another one's imports."""
    command = [sys.executable, "-m", "bench.agent_loop", "--one", name, "--url", base_url]
    command += ["--steps", str(args.steps), "--repeats", str(args.repeats)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        return {"name": name, "failed": done.stderr.strip().splitlines()[-3:] or ["?"]}
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def table(rows: list[dict[str, Any]], steps: int) -> str:
    """The comparison as text."""
    lines = [
        f"{'':14}  cpu ms/step  wall ms/step  peak KiB  live blocks/step  tokens@10  tokens@{steps}  {steps}/10  total"
    ]
    for row in rows:
        if "failed" in row:
            lines.append(f"{row['name']:14}  {' '.join(row['failed'])}")
            continue
        # Ours routes the message first and sums up last; its rounds lie between those two calls.
        rounds = row["tokens"][1:-1] if row["name"] == "ours" else row["tokens"]
        early, late = rounds[min(9, len(rounds) - 1)], rounds[-1]
        lines.append(
            f"{row['name']:14}  {row['cpu_ms']:11.2f}  {row['wall_ms']:12.2f}  {row['peak_kib']:8.0f}  "
            f"{row['blocks']:16.0f}  {early:9}  {late:9}  {late / early:5.2f}  {sum(row['tokens'])}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--one", choices=PACKAGES)
    parser.add_argument("--url", default="")
    args = parser.parse_args()
    if args.one:
        print(json.dumps(asyncio.run(measured(args.one, args.url, args.steps, args.repeats))))
        return
    ready, told = multiprocessing.get_context("spawn").Pipe(duplex=False)
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(told,), daemon=True)
    server.start()
    base_url = ready.recv()
    rows = []
    for name, package in PACKAGES.items():
        if importlib.util.find_spec(package) is None:
            rows.append({"name": name, "failed": ["not installed (requirements-bench.txt)"]})
        else:
            rows.append(one_in_its_own_process(name, base_url, args))
    print(table(rows, args.steps))
    server.terminate()


if __name__ == "__main__":
    main()

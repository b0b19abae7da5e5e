"""How easily the house is entered: siblings, sizes, untyped expressions, modules of one turn.

    python -m bench.rooms [--tree FOLDER]

`--tree` measures another checkout with the same dependencies; the turn is played where it has today's kits. Nothing is
asserted here.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

PACKAGES = ("smartmate", "agent", "schedules", "taskclasses")
TURN = "第2项移到周五晚上"
DJANGO = {"admin", "apps", "asgi", "checks", "management", "models", "templatetags", "urls"}
"""Names under which Django looks for things in an app, as modules (without a suffix) or packages."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, default=Path.cwd())
    parser.add_argument("--turn", action="store_true", help="play the turn only, in this process")
    options = parser.parse_args()
    if options.turn:
        print(asyncio.run(modules_of_turn()))
        return
    tree = options.tree.resolve()
    files = [path for name in PACKAGES for path in (tree / name).rglob("*.py") if "migrations" not in path.parts]
    print_sizes(files)
    print_siblings(tree)
    print_names(files)
    print_any(tree)
    done = subprocess.run([sys.executable, "-m", "bench.rooms", "--turn"], cwd=tree, capture_output=True, text=True)
    print("modules entered by one turn:", done.stdout.strip() or "not measured in this tree")
    lint = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(lint, cwd=tree, capture_output=True, text=True)
    told = [row for row in done.stdout.splitlines() if row.startswith("Contracts:")]
    print("arrows:", *told or [done.stderr[-200:]])


def print_sizes(files: list[Path]) -> None:
    lines, functions = [], []
    for path in files:
        source = path.read_text(encoding="utf-8")
        if not source:
            continue
        lines.append(source.count("\n"))
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                functions.append((node.end_lineno or 0) - node.lineno + 1)
    for name, sizes in (("files", lines), ("functions", functions)):
        tenth = statistics.quantiles(sizes, n=10)[-1]
        print(f"{name}: {len(sizes)}, lines median {statistics.median(sizes):.0f}, p90 {tenth:.0f}, max {max(sizes)}")


def print_siblings(tree: Path) -> None:
    """Prints how many modules and packages stand beside each other, without `__init__` and migrations."""
    listed = subprocess.run(["git", "ls-files", *PACKAGES], cwd=tree, capture_output=True, text=True, check=True)
    rooms: dict[str, set[str]] = defaultdict(set)
    for row in listed.stdout.split():
        parts = row.split("/")
        if not row.endswith(".py") or "migrations" in parts:
            continue
        for depth in range(1, len(parts)):
            rooms["/".join(parts[:depth])].add(parts[depth])
    own = {room: {name.removesuffix(".py") for name in names - {"__init__.py"}} for room, names in rooms.items()}
    most = sorted(own.items(), key=lambda one: -len(one[1]))[:10]
    told = [
        f"{room} {len(names)}" + (f" ({len(names - DJANGO)} of ours)" if names & DJANGO else "") for room, names in most
    ]
    print("siblings:", ", ".join(told))


def print_names(files: list[Path]) -> None:
    classes: dict[str, int] = defaultdict(int)
    for path in files:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                classes[node.name] += 1
    print("class names in several modules:", ", ".join(sorted(name for name, count in classes.items() if count > 1)))


def print_any(tree: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "mypy", "--any-exprs-report", folder, "--cache-dir", f"{folder}/cache"]
        subprocess.run(command, cwd=tree, capture_output=True)
        report = Path(folder, "any-exprs.txt").read_text(encoding="utf-8")
    rows = [row.split() for row in report.splitlines() if row.strip().startswith("agent.loop")]
    shares = sorted(((100 - float(row[3].rstrip("%")), row[0]) for row in rows), reverse=True)
    worst = [f"{name.removeprefix('agent.loop.')} {share:.2f} %" for share, name in shares[:8]]
    print("Any in agent/loop:", ", ".join(worst))


async def modules_of_turn() -> int:
    """Counts our modules of which one turn of the offline policy runs a function, in memory, until its card is open."""
    from tests.conversations.world import chat_of

    chat = await chat_of("zh")
    entered: set[str] = set()

    def note(frame: object, event: str, _: object) -> None:
        if event == "call":
            entered.add(frame.f_globals.get("__name__", ""))  # type: ignore[attr-defined]

    sys.setprofile(note)
    try:
        await chat.says(TURN)
    finally:
        sys.setprofile(None)
    return sum(name.split(".")[0] in PACKAGES for name in entered)


if __name__ == "__main__":
    main()

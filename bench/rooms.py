"""How easily the house is entered: siblings, sizes, untyped expressions, modules of one turn by rules and by a model.

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
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

PACKAGES = ("smartmate", "agent", "schedules", "taskclasses")
TURN = "第2项移到周五晚上"
DJANGO = {"admin", "apps", "asgi", "checks", "locale", "management", "migrations", "models", "static", "templates",
          "templatetags", "urls"}  # fmt: skip
"""Names under which Django looks for things in an app, as modules (without a suffix) or packages."""
OTHERS = {"tests": {"conftest"}, "templates/account": {"messages"}}
"""Folder -> names under which somebody else looks for things in it."""
NOT_COUNTED = {"docs/decisions", "schedules/migrations", "agent/migrations", "templates/account"}
"""Folders of numbered files, which are entered by number, and one whose names are those of allauth."""
PRESCRIBED_CLASSES = {"Command", "DatabaseWrapper"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, default=Path.cwd())
    parser.add_argument("--turn", action="store_true", help="play the turn only, in this process")
    options = parser.parse_args()
    if options.turn:
        asyncio.run(print_turns())
        return
    tree = options.tree.resolve()
    files = [path for name in PACKAGES for path in (tree / name).rglob("*.py") if "migrations" not in path.parts]
    print_sizes("", files)
    print_sizes(" outside the offline policy", [path for path in files if "offline" not in path.parts])
    print_siblings(tree)
    print_names(files)
    print_any(tree)
    done = subprocess.run([sys.executable, "-m", "bench.rooms", "--turn"], cwd=tree, capture_output=True, text=True)
    print(done.stdout.strip() or "modules entered by one turn: not measured in this tree")
    lint = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(lint, cwd=tree, capture_output=True, text=True)
    told = [row for row in done.stdout.splitlines() if row.startswith("Contracts:")]
    print("arrows:", *told or [done.stderr[-200:]])


def print_sizes(which: str, files: list[Path]) -> None:
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
        middle, tenth = statistics.median(sizes), statistics.quantiles(sizes, n=10)[-1]
        print(f"{name}{which}: {len(sizes)}, lines median {middle:.0f}, p90 {tenth:.0f}, max {max(sizes)}")


def print_siblings(tree: Path) -> None:
    """Prints how many files and folders whose names are our choice stand beside each other."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=tree, capture_output=True, text=True, check=True)
    rooms: dict[str, set[str]] = defaultdict(set)
    for row in listed.stdout.split("\0"):
        parts = row.split("/")
        for depth in range(1, len(parts)):
            rooms["/".join(parts[:depth])].add(parts[depth].removesuffix(".py"))
    rooms = {room: names - {"__init__"} for room, names in rooms.items() if room not in NOT_COUNTED}
    own = {room: names - OTHERS.get(room, set()) for room, names in rooms.items()}
    own |= {app: own[app] - DJANGO for app in PACKAGES if app in own}
    most = sorted(own, key=lambda room: -len(own[room]))[:10]
    told = [f"{room} {len(own[room])}" for room in most]
    print("siblings:", ", ".join(told))


def print_names(files: list[Path]) -> None:
    classes: dict[str, int] = defaultdict(int)
    for path in files:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                classes[node.name] += 1
    several = sorted(name for name, count in classes.items() if count > 1 and name not in PRESCRIBED_CLASSES)
    print("class names in several modules:", ", ".join(several) or "none")


def print_any(tree: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "mypy", "--any-exprs-report", folder, "--cache-dir", f"{folder}/cache"]
        subprocess.run(command, cwd=tree, capture_output=True)
        report = Path(folder, "any-exprs.txt").read_text(encoding="utf-8")
    rows = [row.split() for row in report.splitlines() if row.strip().startswith("agent.loop")]
    shares = sorted(((100 - float(row[3].rstrip("%")), row[0]) for row in rows), reverse=True)
    worst = [f"{name.removeprefix('agent.loop.')} {share:.2f} %" for share, name in shares[:8]]
    print("Any in agent/loop:", ", ".join(worst))


async def print_turns() -> None:
    """Plays one turn in memory until its card is open, and prints of which modules of ours a function ran.

    The offline policy leads it first; then a model behind the OpenAI protocol that answers what the policy answered.
    """
    from agent.llm.offline.backend import OfflineModel
    from agent.llm.openai.backend import Endpoint, OpenAIModel
    from agent.loop.outside.model import Text
    from tests.conversations.world import chat_of
    from tests.kits.provider.openai_server import OpenAIServer, text

    answers: list[str] = []

    class Heard(OfflineModel):
        async def stream(self, request: Any) -> AsyncGenerator[Any, None]:
            answers.append("")
            async for delta in super().stream(request):
                answers[-1] += delta.text if isinstance(delta, Text) else ""
                yield delta

    chat = await chat_of("zh")
    print_entered("the offline policy", "agent.llm.offline", await modules_of_turn(chat))
    chat = await chat_of("zh")
    chat.model = Heard()
    await chat.says(TURN)
    with OpenAIServer() as provider:
        provider.script([text(answer) for answer in answers])
        chat = await chat_of("zh")
        chat.model = OpenAIModel(Endpoint("any-model", provider.base_url, "none"))
        print_entered("a model", "agent.llm.openai", await modules_of_turn(chat))
        await chat.model.aclose()


def print_entered(who: str, package: str, entered: set[str]) -> None:
    own = sum(name.startswith(package) for name in entered)
    print(f"modules entered by one turn of {who}: {len(entered)}, {own} of {package}, {len(entered) - own} others")


async def modules_of_turn(chat: Any) -> set[str]:
    from agent.llm.offline.backend import _READER

    entered: set[str] = set()

    def note(frame: object, event: str, _: object) -> None:
        if event == "call":
            entered.add(frame.f_globals.get("__name__", ""))  # type: ignore[attr-defined]

    # The policy reads in a thread of its own.
    _READER.submit(sys.setprofile, note).result()
    sys.setprofile(note)
    try:
        end = await chat.says(TURN)
    finally:
        sys.setprofile(None)
        _READER.submit(sys.setprofile, None).result()
    assert end.interaction is not None, "the card is open"
    return {name for name in entered if name.split(".")[0] in PACKAGES}


if __name__ == "__main__":
    main()

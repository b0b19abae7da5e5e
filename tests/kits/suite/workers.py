"""A run on several processes: what each worker has of its own (a folder, a database, numbers of Redis databases), and
which files it begins with."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from tests.kits.servers.warm import STOCKS
from tests.kits.suite.scheduling import APART
from tests.kits.suite.stores import REDIS_NUMBERS, TEMPLATES

REDIS_DATABASES = 256
"""How many the Redis of `script/services` has."""

LONG = (
    "tests/e2e/all_screens/test_screens.py", "tests/e2e/jobs/test_jobs.py",
    "tests/transports/http/test_slow_reader.py", "tests/faults/workers", "tests/e2e/jobs/test_interrupted.py",
    "tests/e2e/all_screens", "tests/taskclasses/test_collation.py", "tests/schedules/test_migrations.py",
    "tests/agent/runs/test_replay.py",
    "tests/smartmate/admin/test_bounded_lists.py", "tests/transports/answers", "tests/transports/test_replays.py",
    "tests/conformance/test_separators.py", "tests/faults", "tests/e2e", "tests/smartmate/endpoints",
    "tests/agent/drafts/test_told_stories.py", "tests/transports", "tests/conversations/composition",
    "tests/conformance", "tests/smartmate", "tests/stores", "tests/planner/solver",
)  # fmt: skip
"""Files and folders that take longest, the longest first: one that came last would be waited for alone."""


def order_files(items: list[Any]) -> None:
    """Brings the tests of long files to the front, then those of files with many tests.

    What is handed out in pieces comes last: it fills the time in which others end.
    """
    sizes = Counter(item.nodeid.partition("::")[0] for item in items)

    def rank(item: Any) -> tuple[int, int]:
        file = item.nodeid.partition("::")[0]
        place = next((number for number, path in enumerate(LONG) if file.startswith(path)), len(LONG))
        return len(LONG) + 1 if file in APART else place, -sizes[file]

    items.sort(key=rank)


def part_stores(specs: list[Any]) -> None:
    """Gives the specification of each worker, before it starts, the environment that it reads its settings from."""
    shared = Path(os.environ.get("SMARTMATE_VAR") or mkdtemp(prefix="smartmate-test."))
    numbers = REDIS_DATABASES // len(specs)
    for number, spec in enumerate(specs):
        spec.execmodel = "main_thread_only"  # xdist would set it itself, on a copy without this environment
        folder = shared / f"worker-{number}"
        folder.mkdir(exist_ok=True)
        spec.env["SMARTMATE_VAR"] = str(folder)
        for name, room in ((TEMPLATES, "templates"), (STOCKS, "stocks")):
            spec.env[name] = os.environ.get(name) or str(shared / room)
        if url := os.environ.get("REDIS_URL"):
            spec.env["REDIS_URL"] = urlunsplit(urlsplit(url)._replace(path=f"/{number * numbers}"))
            spec.env[REDIS_NUMBERS] = str(numbers)

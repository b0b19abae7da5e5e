"""What each worker of a run on several processes has of its own: a folder, a database, numbers of Redis databases."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from tests.kits.stores import REDIS_NUMBERS, TEMPLATES

REDIS_DATABASES = 256
"""How many the Redis of `script/services` has."""


def part_stores(specs: list[Any]) -> None:
    """Gives the specification of each worker, before it starts, the environment that it reads its settings from."""
    shared = Path(os.environ.get("SMARTMATE_VAR") or mkdtemp(prefix="smartmate-test."))
    room = REDIS_DATABASES // len(specs)
    for number, spec in enumerate(specs):
        spec.execmodel = "main_thread_only"  # xdist would set it itself, on a copy without this environment
        folder = shared / f"worker-{number}"
        folder.mkdir(exist_ok=True)
        spec.env["SMARTMATE_VAR"] = str(folder)
        spec.env[TEMPLATES] = str(shared / "templates")
        if url := os.environ.get("REDIS_URL"):
            spec.env["REDIS_URL"] = urlunsplit(urlsplit(url)._replace(path=f"/{number * room}"))
            spec.env[REDIS_NUMBERS] = str(room)

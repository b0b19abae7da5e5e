"""How many cases generated tests try: a fixed number in each kind of run."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

FACTORS = {"quick": 0.1, "suite": 0.25, "long": 20}
KIND = os.environ.get("SMARTMATE_TEST_BUDGET", "suite")
"""`script/test --quick` and `--long` set it."""


def load_profile() -> None:
    """The suite tries the same cases every time, a long series new ones."""
    settings.register_profile(
        KIND,
        deadline=None,
        derandomize=KIND != "long",
        suppress_health_check=list(HealthCheck),
        print_blob=True,
        max_examples=cases(100),
    )
    settings.load_profile(KIND)


def cases(count: int) -> int:
    """As many cases as this kind of run tries of a property that `count` cases say something about."""
    return max(1, round(count * FACTORS[KIND]))


def tried(count: int) -> settings:
    """A property that `count` cases say something about."""
    return settings(max_examples=cases(count))

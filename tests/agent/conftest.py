"""A conversation's surroundings without a server: real rows, the embedded store, asks made by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agent.runs import Ask
from agent.runs.start import run_create


@pytest.fixture
def ask(user: Any) -> Callable[..., Any]:
    """Creates a run for `user` as a transport would; answers `Started`."""

    def make(message: str = "你好", **fields: Any) -> Any:
        return run_create(user.pk, Ask(message=message, **fields))

    return make

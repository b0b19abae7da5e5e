"""A conversation's surroundings without a server: real rows, the embedded store, asks made by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agent.models import TimelineItem
from agent.runs import Ask
from agent.runs.start import run_create
from tests.kits.agent.cards import check_cards


@pytest.fixture
def ask(user: Any) -> Callable[..., Any]:
    """Creates a run for `user` as a transport would; answers `Started`."""

    def make(message: str = "你好", **fields: Any) -> Any:
        return run_create(user.pk, Ask(message=message, **fields))

    return make


@pytest.fixture(autouse=True)
def _cards_fit_their_schemas(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever a test's runs show in the end, also those of workers that died, keeps to the served schemas."""
    yield
    if request.node.get_closest_marker("django_db"):
        check_cards(list(TimelineItem.objects.values_list("payload", flat=True)))

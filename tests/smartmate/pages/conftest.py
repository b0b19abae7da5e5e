"""Students at the screens, and a moment that the clock of a test stands at."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone


@pytest.fixture
def li(user: Any, semester: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def wang(other_user: Any) -> Client:
    client = Client()
    client.force_login(other_user)
    return client


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """`at(month, day, hour)`: the clock stands there, in hours of UTC."""

    def stand(month: int, day: int, hour: int = 4) -> None:
        monkeypatch.setattr(timezone, "now", lambda: datetime(2026, month, day, hour, 0, tzinfo=UTC))

    return stand

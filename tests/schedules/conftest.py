"""A student with courses and classes in the semester of the documents' examples."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from smartmate.accounts.tokens import token_create
from tests.kits.timetable.fixtures import courses, task_class
from tests.kits.timetable.helpers import Api

__all__ = ["courses", "task_class"]


@pytest.fixture
def api(user: Any) -> Api:
    return Api(Client(headers={"Authorization": f"Bearer {token_create(user=user)[1]}"}))


@pytest.fixture
def other_api(other_user: Any) -> Api:
    return Api(Client(headers={"Authorization": f"Bearer {token_create(user=other_user)[1]}"}))


@pytest.fixture
def dumps() -> Any:
    return json.dumps


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets the clock to an instant in UTC; Shanghai is eight hours ahead."""

    def set_clock(*moment: int) -> None:
        monkeypatch.setattr(timezone, "now", lambda: datetime(*moment, tzinfo=UTC))  # type: ignore[arg-type]

    return set_clock
